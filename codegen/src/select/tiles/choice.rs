//! What was chosen, and why.

use std::fmt::{self, Write as _};

use super::{TileMethod, TileRecord, TileRow, TileSort};
use crate::contract::spec::SortSpec;
use crate::contract::validate::SpecError;
use crate::types::{Arch, Token};

/// A spec that meets the request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The spec.
    pub spec: SortSpec,
    /// The method with the figure that counts.
    pub method: TileMethod,
    /// Billions of keys a second that count.
    pub gkeys: f64,
    /// The rows that were measured.
    pub measured: f64,
    /// The passes of what was measured and those of the spec, where these are more or fewer.
    pub passes: Option<[u32; 2]>,
}

/// A method that was measured and cannot be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct RuledOut {
    /// The method.
    pub method: TileMethod,
    /// Billions of keys a second, where they were measured.
    pub gkeys: Option<f64>,
    /// Why.
    pub why: Why,
}

/// Why a method cannot be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// It compares all bits of keys.
    Bits,
    /// It does not keep the order of equal keys.
    NotStable,
    /// There is no figure of it.
    NotMeasured,
    /// The spec is not legal.
    NotLegal(SpecError),
    /// Its shared memory, with the narrowest digits if it has any, is more than a block has.
    NoRoom {
        /// What it needs.
        bytes: u32,
        /// The architecture that has not as much.
        arch: Arch,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bits => f.write_str("a range of bits is requested, which radix sorts alone take"),
            Self::NotStable => f.write_str("a stable sort is requested, which it is not"),
            Self::NotMeasured => f.write_str("it has not been measured"),
            Self::NotLegal(error) => error.fmt(f),
            Self::NoRoom { bytes, arch } => {
                let most = arch.max_shared_bytes();
                write!(f, "{bytes} bytes of shared memory do not fit {arch}, which has {most}")
            }
        }
    }
}

/// The spec that was chosen, and all that says why.
#[derive(Clone, Debug, PartialEq)]
pub struct TileChoice {
    /// The request.
    pub sort: TileSort,
    /// The fastest.
    pub chosen: Candidate,
    /// What could have been chosen, the faster ones first.
    pub others: Vec<Candidate>,
    /// What could not.
    pub ruled_out: Vec<RuledOut>,
    /// Where the figures are from.
    pub record: &'static TileRecord,
    /// The figures.
    pub row: &'static TileRow,
}

impl TileChoice {
    /// The spec.
    pub fn spec(&self) -> SortSpec {
        self.chosen.spec
    }

    /// Whether these types were measured, and not others like them.
    pub fn is_of_these_types(&self) -> bool {
        (self.row.key, self.row.value) == (self.sort.key, self.sort.value)
    }

    /// Whether this shape was measured.
    pub fn is_of_this_shape(&self) -> bool {
        (self.row.threads, self.row.items) == (self.sort.block.threads(), self.sort.items)
    }

    /// Whether what was measured is only the nearest to the request.
    pub fn is_nearest(&self) -> bool {
        let is_of_this_arch = self.record.arch == self.sort.arch;
        !(self.is_of_these_types() && self.is_of_this_shape() && is_of_this_arch)
    }

    /// What was measured, in words: types and shape.
    pub fn measured(&self) -> String {
        let TileRow { key, value, threads, items, .. } = self.row;
        format!("{key}_{value} in {threads}x{items}")
    }

    /// How many times as fast as CUB's best the chosen sort was, where that was measured and counts as it is.
    pub fn times_cub(&self) -> Option<f64> {
        let as_measured = self.chosen.passes.is_none();
        self.row.cub.filter(|_| as_measured).map(|cub| self.chosen.gkeys / cub)
    }

    /// The first of what would have been faster, had it not been ruled out.
    pub fn faster_ruled_out(&self) -> Option<&RuledOut> {
        let is_faster = |it: &&RuledOut| it.gkeys.is_some_and(|gkeys| gkeys > self.chosen.gkeys);
        self.ruled_out.iter().find(is_faster)
    }

    /// Why, in one line: the figure, what it is of, and what came next or was ruled out.
    pub fn reason(&self) -> String {
        let TileRecord { gpu, date, .. } = self.record;
        let Candidate { gkeys, measured, passes, .. } = self.chosen;
        let mut line = format!("{gkeys:.1} Gkeys/s of {} ({gpu}, {date})", self.measured());
        if let Some([many, few]) = passes {
            let _ = write!(line, ", for {measured:.1} in {many} passes and not {few}");
        }
        if let Some(times) = self.times_cub() {
            let _ = write!(line, ", {times:.2} times CUB's best");
        }
        if self.is_nearest() {
            line += ", the nearest that was measured";
        }
        if let Some(next) = self.others.first() {
            let _ = write!(line, "; next: {} with {:.1}", next.method, next.gkeys);
        }
        if let Some(RuledOut { method, why, .. }) = self.faster_ruled_out() {
            let _ = write!(line, "; not the {method}: {why}");
        }
        line
    }
}

/// The request in words: types, tile, order, and what else is not at its default.
impl fmt::Display for TileSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, value, block, items, order, .. } = self;
        write!(f, "{key} and {value}, block {block}, items {items}, {}", order.token())?;
        f.write_str(if self.stable { ", stable" } else { "" })
    }
}
