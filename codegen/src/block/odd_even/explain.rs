//! What a block's odd-even transposition sort does and takes, in figures.

use serde::Serialize;

use crate::block::odd_even::plan::OddEvenPlan;
use crate::contract::explain::{Fit, Lines, TileFigures};
use crate::contract::spec::SortSpec;
use crate::types::Arch;

/// What a block's odd-even transposition sort does and takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OddEven {
    /// Rounds, in each of which every other pair of neighbours is put in order.
    pub rounds: u32,
    /// Barriers of `Sort`.
    pub barriers: u32,
    /// What the shared memory means on the architecture.
    pub on_arch: Fit,
}

impl TileFigures for OddEven {
    const NAME: &'static str = "odd_even";

    fn of(spec: &SortSpec, arch: Arch) -> Option<Self> {
        let OddEvenPlan { rounds, barriers, shared_bytes } = OddEvenPlan::of(spec)?;
        let on_arch = Fit::of(arch, shared_bytes, spec.algorithm.block().threads());
        Some(Self { rounds, barriers, on_arch })
    }

    fn lines(&self, _: &SortSpec) -> Lines {
        let mut lines = Lines::default();
        let Self { rounds, barriers, on_arch } = self;
        lines.add("network", &format!("{rounds} rounds, each of every other pair of neighbours"));
        lines.add("barriers", &format!("{barriers} in all, one a round"));
        lines.add_fit(on_arch);
        lines
    }
}
