//! The kinds of sites, and what tables of sites that may be taken out have in common. The tables are in `tests.rs` of the families.

pub(crate) use super::{Survivor, Unpassed};

/// The kinds of sites, each with the test that shows that it is caught where one is out. Fences of stores to where bulk copies
/// go are needed where keys and values lie side by side, which no sort of these tests has: `stores_are_fenced_from_bulk_copies` of radix
/// sorts has one, and toy kernels show them.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("__syncthreads missing", "block_radix_sort"),
    ("__syncwarp missing", "block_radix_sort"),
    ("__syncthreads_or orders nothing", "device_radix_sort of MSD buckets"),
    ("__syncthreads_and orders nothing", "device_sample_sort"),
    ("__syncthreads_count orders nothing", "device_sample_sort"),
    ("atomicAdd not atomic", "block_radix_sort"),
    ("atomicOr not atomic", "block_radix_sort"),
    ("atomicSub not atomic", "device_radix_sort of counted keys"),
    ("atomicMax not atomic", "device_sample_sort"),
    ("atomicMin not atomic", "device_sample_sort"),
    ("atomicCAS not atomic", "device_radix_sort of MSD buckets"),
    ("poll an ordinary load", "device_radix_sort of counted keys"),
    ("publish an ordinary store", "device_radix_sort of counted keys"),
    ("wait_for_copies missing", "device_sample_sort"),
    ("prepare without its fence", "device_radix_sort of counted keys"),
    ("acquire_stores missing", "device_radix_sort of counted keys"),
    ("release_stores missing", "what_comes_late"),
    ("begin missing", "device_radix_sort of counted keys"),
    ("wait missing", "device_radix_sort of counted keys"),
    ("wait_for_previous_grid missing", "device_bitonic_sort"),
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
