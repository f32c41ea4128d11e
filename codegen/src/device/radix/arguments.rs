//! The arguments that only the kernels of radix sorts read.

use super::msd_buckets::ALL_BITS;
use super::spec::RadixSort;
use crate::contract::arguments;
use crate::contract::device::arguments::{OWN, used};

/// What a header says of them.
#[derive(Debug)]
pub(crate) struct OwnUse {
    interleaves: Option<String>,
    sorts_msd_buckets: Option<String>,
}

arguments::arguments! {
    /// The family's own part of [`Arguments`](crate::contract::device::arguments::Arguments).
    RadixArguments for OwnUse;
    interleaves: i32, "int", "Whether keys and values lie side by side between passes.", |it| used(it.interleaves.as_ref());
    count_columns_log2: i32, "int",
        "Columns of counters that a block of `_count` has room for, as their logarithm to base 2: at most 5 are of use.";
    sorts_msd_buckets: i32, "int", "0 if the kernels of MSD buckets are not launched; else the fewest upper bits that are left out if all keys share them.", |it| used(it.sorts_msd_buckets.as_ref());
}

impl RadixArguments {
    /// As [`Arguments::own`](crate::contract::device::arguments::Arguments::own) has them.
    pub fn packed(self) -> [i32; OWN] {
        let Self { interleaves, count_columns_log2, sorts_msd_buckets } = self;
        [interleaves, count_columns_log2, sorts_msd_buckets]
    }
}

impl OwnUse {
    pub(super) fn of(sort: RadixSort) -> Self {
        let item_bytes = sort.item_bytes();
        let interleaves = format!(
            "Whether keys and values may lie side by side between passes: 1 if keys_out and values_out are aligned to an\n\
             item's {item_bytes} bytes, keys_alternate to 16, and room for n items follows it; values_alternate is then where their\n\
             last n values lie."
        );
        let shared_bits = format!(
            "The fewest upper bits that are left out if all keys share them, from 1 on, {ALL_BITS} for none; 0 if _bucket_offsets, _msd_buckets and\n\
             what follows these are not launched."
        );
        let msd_buckets = if sort.maps_values() {
            "Whether _bucket_offsets, _msd_buckets and what follows these are launched.".to_owned()
        } else {
            shared_bits
        };
        Self {
            interleaves: sort.interleaves().then_some(interleaves),
            sorts_msd_buckets: sort.sorts_msd_buckets().then_some(msd_buckets),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::arguments::KernelArguments as _;

    #[test]
    fn the_names_are_in_the_order_of_what_is_packed() {
        let arguments =
            RadixArguments { interleaves: 1, count_columns_log2: 2, sorts_msd_buckets: 3 };
        assert_eq!(arguments.packed(), [1, 2, 3]);
        assert_eq!(RadixArguments::FIELDS.map(|field| field.offset), [0, 4, 8]);
    }
}
