//! The kinds of sites, and what tables of sites that may be taken out have in common. The tables are in `tests.rs` of the families.

pub(crate) use super::{Survivor, Unpassed};

/// What shows that sites of a kind are caught where one is out.
pub(crate) enum Shown {
    /// The sorts of this ground: one site of the kind is caught at least.
    Ground(&'static str),
    /// This test, as no ground has such sites.
    Test(&'static str),
}

/// The kinds of sites. Fences of stores to where bulk copies go are needed where keys and values lie side by side, which no sort of
/// a ground has.
pub(crate) const KINDS: &[(&str, Shown)] = &[
    ("__syncthreads missing", Shown::Ground("block_radix_sort")),
    ("__syncwarp missing", Shown::Ground("block_radix_sort")),
    ("__syncthreads_or orders nothing", Shown::Ground("device_radix_sort of MSD buckets")),
    ("__syncthreads_and orders nothing", Shown::Ground("device_sample_sort")),
    ("__syncthreads_count orders nothing", Shown::Ground("device_sample_sort")),
    ("atomicAdd not atomic", Shown::Ground("block_radix_sort")),
    ("atomicOr not atomic", Shown::Ground("block_radix_sort")),
    ("atomicSub not atomic", Shown::Ground("device_radix_sort of counted keys")),
    ("atomicMax not atomic", Shown::Ground("device_sample_sort")),
    ("atomicMin not atomic", Shown::Ground("device_sample_sort")),
    ("atomicCAS not atomic", Shown::Ground("device_radix_sort of MSD buckets")),
    ("poll an ordinary load", Shown::Ground("device_radix_sort of counted keys")),
    ("publish an ordinary store", Shown::Ground("device_radix_sort of counted keys")),
    ("wait_for_copies missing", Shown::Ground("device_sample_sort")),
    ("prepare without its fence", Shown::Ground("device_radix_sort of counted keys")),
    ("acquire_stores missing", Shown::Ground("device_radix_sort of counted keys")),
    ("release_stores missing", Shown::Test("stores_are_fenced_from_bulk_copies")),
    ("begin missing", Shown::Ground("device_radix_sort of counted keys")),
    ("wait missing", Shown::Ground("device_radix_sort of counted keys")),
    ("wait_for_previous_grid missing", Shown::Ground("device_bitonic_sort")),
];

/// A reason that several families have.
pub(crate) const FIRST_KERNEL: &str =
    "The first kernel of a sort is no programmatic launch: it has nothing to wait for.";
/// Likewise.
pub(crate) const NOTHING_TO_WAIT_FOR: &str = "Other blocks of the kernel wait. Where none has items, no kernel behind it reads any; it would begin later alone.";
/// Likewise.
pub(crate) const ONE_ROW: &str =
    "A thread has one item: no thread adds to a histogram or reads it before the block's barrier.";

/// Likewise, of sorts of a block's tile.
pub(crate) const VOTE_OF_ZEROS: &[Survivor] = &[everywhere(
    "vote-of-zeros",
    "Votes tell each thread of all keys; what is in shared memory before and after has barriers of its own.",
)];

/// Not passed: the emulator has functions of its own in place of those that are PTX.
pub(crate) const POLL_WITHOUT_PTX: Unpassed = unpassed(
    "poll: atomicOr 1",
    "It is for compilers without PTX; sites of poll itself are passed.",
);
/// Likewise.
pub(crate) const ONE_WARP: Unpassed = unpassed(
    "totals-of-one-warp",
    "Blocks of these sorts have several warps; those of a sample sort with one warp pass it.",
);

/// A call that no case passes.
pub(crate) const fn unpassed(call: &'static str, reason: &'static str) -> Unpassed {
    Unpassed { call, reason }
}

/// A survivor in all sorts that pass it.
pub(crate) const fn everywhere(marker: &'static str, reason: &'static str) -> Survivor {
    Survivor { marker, specs: &[], reason }
}

/// A survivor in these alone.
pub(crate) const fn within(
    marker: &'static str,
    specs: &'static [&'static str],
    reason: &'static str,
) -> Survivor {
    Survivor { marker, specs, reason }
}
