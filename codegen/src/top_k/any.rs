//! A top-k, whether by blocks or by warps.

use std::fmt;

use super::launch::TopKKernel;
use super::spec::TopKSpec;
use super::value::TopKValue;
use super::warp::WarpTopKSpec;
use crate::contract::family::Source;
use crate::contract::render::RenderError;
use crate::types::{KeyType, Order};

/// The kernels of a top-k by blocks; the last one where it writes more than positions of 32 bits.
static OF_BLOCKS: [TopKKernel; 8] = [
    TopKKernel::Rows,
    TopKKernel::Candidates,
    TopKKernel::Survivors,
    TopKKernel::Ranked,
    TopKKernel::Samples,
    TopKKernel::Filtered,
    TopKKernel::Listed,
    TopKKernel::Found,
];

/// A top-k by blocks or by warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyTopK {
    /// A block searches a row or a chunk of one.
    Block(TopKSpec),
    /// A warp searches a row.
    Warp(WarpTopKSpec),
}

impl AnyTopK {
    /// Its header: self-contained CUDA with its kernels.
    pub fn header(&self) -> Result<String, RenderError> {
        match self {
            Self::Block(spec) => spec.source(),
            Self::Warp(spec) => spec.source(),
        }
    }

    /// Its kernels.
    pub fn kernels(&self) -> &'static [TopKKernel] {
        match self {
            Self::Block(spec) if spec.value == TopKValue::Index => OF_BLOCKS.split_at(7).0,
            Self::Block(_) => &OF_BLOCKS,
            Self::Warp(_) => &[TopKKernel::Rows],
        }
    }

    /// The type of the keys.
    pub fn key(&self) -> KeyType {
        match self {
            Self::Block(spec) => spec.key,
            Self::Warp(spec) => spec.key,
        }
    }

    /// What is found beside them.
    pub fn value(&self) -> TopKValue {
        match self {
            Self::Block(spec) => spec.value,
            Self::Warp(spec) => spec.value,
        }
    }

    /// Which end comes first.
    pub fn order(&self) -> Order {
        match self {
            Self::Block(spec) => spec.order,
            Self::Warp(spec) => spec.order,
        }
    }

    /// Whether NaNs come last in either order.
    pub fn nan_last(&self) -> bool {
        match self {
            Self::Block(spec) => spec.nan_last,
            Self::Warp(spec) => spec.nan_last,
        }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        match self {
            Self::Block(spec) => spec.threads,
            Self::Warp(spec) => spec.threads(),
        }
    }

    /// Items that a thread reads at once.
    pub fn items(&self) -> u32 {
        match self {
            Self::Block(spec) => spec.items,
            Self::Warp(spec) => spec.items,
        }
    }

    /// Items of a row that are read at once, by a block or a warp.
    pub fn tile_items(&self) -> u32 {
        match self {
            Self::Block(spec) => spec.tile_items(),
            Self::Warp(spec) => spec.max_columns(),
        }
    }

    /// The most columns of a row.
    pub fn max_columns(&self) -> u64 {
        match self {
            Self::Block(_) => 1 << 32,
            Self::Warp(spec) => spec.max_columns().into(),
        }
    }

    /// The largest k.
    pub fn max_k(&self) -> u32 {
        match self {
            Self::Block(spec) => spec.max_k(),
            Self::Warp(spec) => spec.max_k,
        }
    }

    /// Bytes of a block's shared memory.
    pub fn shared_bytes(&self) -> u32 {
        match self {
            Self::Block(spec) => spec.shared_bytes(),
            Self::Warp(spec) => spec.shared_bytes(),
        }
    }

    /// The most words of a [`TopKPlan`](super::TopKPlan) for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_scratch_words(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        let of_others = match self {
            Self::Block(spec) => {
                let of_ranked = spec.max_ranked_words(columns, k, multiprocessors);
                of_ranked.max(spec.max_listed_words(columns, k, multiprocessors))
            }
            Self::Warp(_) => 0,
        };
        of_others.max(self.max_candidates(columns, k, multiprocessors))
    }

    /// The most candidates of a launch for this k, whatever the number of rows, which have this many columns at most.
    pub fn max_candidates(&self, columns: u64, k: u32, multiprocessors: u32) -> u64 {
        match self {
            Self::Block(spec) => spec.max_candidates(columns, k, multiprocessors),
            Self::Warp(_) => 0,
        }
    }
}

impl fmt::Display for AnyTopK {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(spec) => spec.fmt(f),
            Self::Warp(spec) => spec.fmt(f),
        }
    }
}

impl From<TopKSpec> for AnyTopK {
    fn from(spec: TopKSpec) -> Self {
        Self::Block(spec)
    }
}

impl From<WarpTopKSpec> for AnyTopK {
    fn from(spec: WarpTopKSpec) -> Self {
        Self::Warp(spec)
    }
}
