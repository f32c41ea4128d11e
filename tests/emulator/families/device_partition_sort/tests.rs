//! What is tested of partition sorts.

use super::mutants::{MUTATIONS, SPECS, SURVIVORS};
use crate::device::{Amount, DeviceTests};
use crate::mutants::{Barriers, Ground};
use crate::sites;
use crate::sites::survivors::{
    FIRST_KERNEL, ONE_ROW, POLL_WITHOUT_PTX, Survivor, everywhere, unpassed, within,
};

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { fresh: [5, 185], batch: 2, cases: 24 },
    sanitized: Amount { fresh: [2, 20], batch: 1, cases: 12 },
    mutants: &[Ground {
        specs: &SPECS,
        mutations: MUTATIONS,
        barriers: Barriers::AtRunTime,
        telling: &[],
        survivors: SURVIVORS,
        cases: 30,
    }],
    sites: &[sites::Ground {
        name: "device_partition_sort",
        specs: &SPECS,
        cases: 30,
        survivors: SITES,
    }],
    unpassed: UNPASSED,
};

const KEYS_OF_TIES: &str =
    "Partition sorts do without it: it is for the ties of radix sorts, which pass it.";

const UNPASSED: &[sites::Unpassed] = &[
    POLL_WITHOUT_PTX,
    unpassed("racing_load: poll 2", KEYS_OF_TIES),
    unpassed("racing_store: publish 1", KEYS_OF_TIES),
    unpassed("racing_store: publish 2", KEYS_OF_TIES),
];

const SORTS_BESIDE: &str =
    "Sorts of other streams may advance it at the same time, and no test has any.";

const ONE_OVERSIZED: &str = "No case has two oversized buckets.";

const ONE_EQUAL_PARENT: &str = "No case has two parents of equal keys.";

const ORDERED_BEFORE: &str =
    "It adds up, and what is read was written before an earlier barrier of the block.";

const EACH_ITS_OWN: &str = "It counts, and each thread clears what it has written itself.";

const PARTITION_OF_ONE_ROW: &str = "device_partition_sort_f64_index_b64_i1_desc";

const SITES: &[Survivor] = &[
    everywhere("grid-before-partition", FIRST_KERNEL),
    everywhere("sort-counter", SORTS_BESIDE),
    everywhere("racing-load", SORTS_BESIDE),
    everywhere("distinct-splitters", ORDERED_BEFORE),
    everywhere("close-samples-of-parent", EACH_ITS_OWN),
    within("first-chunk-of-parent", &[PARTITION_OF_ONE_ROW], ONE_EQUAL_PARENT),
    within("index-of-oversized-bucket", &[PARTITION_OF_ONE_ROW], ONE_OVERSIZED),
    within("row-of-tile", &[PARTITION_OF_ONE_ROW], ONE_ROW),
];
