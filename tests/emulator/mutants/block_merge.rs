//! Broken merge sorts of blocks. What they share with bitonic sorts is broken there.

use std::time::Duration;

use sortsmith_codegen::SortSpec;

use super::{Barriers, Edit, Ground, Survivor, assert_survivors};

/// Warps by shuffles and threads alone; merges of warps and of the block; tiles that are no power of two.
pub(crate) const SPECS: [&str; 3] = [
    "block_merge_sort_f32_u32_b96_i4_asc",
    "block_merge_sort_u64_u64_b20_i6_desc_instriped",
    "block_merge_sort_u32_keys_b64_i5_asc_outstriped",
];

const WHOLE_RUNS: &str = "The tile is a power of two of threads: no run goes past its end.";

/// Mutants that no case can tell from the original, and why.
const SURVIVORS: &[Survivor] = &[(
    "block_merge_sort_u32_keys_b64_i5_asc_outstriped",
    "runs go on behind the tile",
    WHOLE_RUNS,
)];

const EDITS: &[Edit] = &[
    (
        "the lesser of two items comes last",
        "const bool takes_other = is_less<kWordParts>(of_other, of_one);",
        "const bool takes_other = !is_less<kWordParts>(of_other, of_one);",
    ),
    ("the search ends one too early", "least = half + 1;", "least = half;\n        break;"),
    ("the search does not look at the first half", "most = half;", "most = least;"),
    (
        "the search looks one item further",
        "slot(middle + before - 1 - half)",
        "slot(middle + before - half)",
    ),
    (
        "the second run may be left by more items than it has",
        "before > end - middle ? before - (end - middle) : 0",
        "0u",
    ),
    (
        "the first run may be left by more items than it has",
        "before < middle - start ? before : middle - start",
        "before",
    ),
    ("the first run goes on behind its end", "takes_other ? end : middle);", "end);"),
    (
        "what is behind a run is less than all",
        "greatest.part[part] = ~0u;",
        "greatest.part[part] = 0u;",
    ),
    (
        "runs go on behind the tile",
        "position > kTileItems ? kTileItems : position",
        "false ? kTileItems : position",
    ),
    ("the first run's items are taken again", "first += takes_other ? 0 : 1;", ""),
    ("the second run's items are taken again", "second += takes_other ? 1 : 0;", ""),
];

#[test]
fn every_mutant_of_merge_sorts_of_blocks_is_caught_but_those_that_are_harmless() {
    assert_survivors::<SortSpec>(&Ground {
        specs: &SPECS,
        edits: EDITS,
        barriers: Barriers::AtRunTime,
        survivors: SURVIVORS,
        cases: 60,
        limit: Duration::from_secs(20),
    });
}
