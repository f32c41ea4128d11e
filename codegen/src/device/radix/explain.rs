//! What `explain` says of passes.

use std::ops::Range;

use super::spec::{RADIX_BITS, RadixSort};
use crate::contract::device::launch::{Kernel, Launch};
use crate::contract::device::passes::{FirstPhase, Passes};

/// What ends the phase by the upper digits: its kernel, its word in reports, and what it does.
const PHASE_ENDS: [(Kernel, &str, &str); 2] = [
    (RadixSort::FIX_UP, "fix-up", "a tie fix-up sorts the keys that agree in them"),
    (RadixSort::MSD_BUCKETS, "msd-buckets", "a block sorts each MSD bucket"),
];

/// How these launches of a sort by a range of bits go over the items.
pub(super) fn passes(launches: &[Launch], bits: Range<u32>) -> Passes {
    if launches.iter().any(|launch| launch.kernel == RadixSort::EXPAND) {
        return Passes::none("a counting sort of the keys");
    }
    let end = launches.iter().enumerate().find_map(|(at, launch)| {
        let end = PHASE_ENDS.iter().find(|(kernel, ..)| *kernel == launch.kernel);
        end.map(|(_, word, does)| (at, *word, *does))
    });
    let (first, last) = launches.split_at(end.map_or(0, |(at, ..)| at));
    let count = |launches: &[Launch]| {
        launches.iter().filter(|launch| launch.kernel == RadixSort::PASS).count() as u32
    };
    let (by_all_digits, of_upper) = (count(last), count(first));
    let Range { start, end: past } = bits;
    let mut words = vec![format!(
        "{by_all_digits} of {RADIX_BITS} bits, over bits {start}..{past}; those that would move nothing are left out on the device"
    )];
    words.extend(end.map(|(.., does)| {
        format!(
            "before them at most {of_upper} by the upper digits, if equal ones are rare; {does}"
        )
    }));
    let first_phase = end.map(|(_, ended_by, _)| FirstPhase { passes: of_upper, ended_by });
    Passes { by_all_digits, first_phase, words }
}
