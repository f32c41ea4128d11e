//! The methods of [`RadixSort`] for the specs of such sorts, and the ways that they alone have.

use std::ops::Range;

use sortsmith_codegen::device::{Device, DeviceSpec, Launch, RadixSort};

use crate::device_cases::Way;

/// Keys and values may lie side by side between passes, where the sort has that.
pub const SIDE_BY_SIDE: Way = Way("side by side");

/// The sort is a counting sort, where it can be one, however few there are.
pub const BY_COUNTING: Way = Way("by counting");

/// The sort goes by MSD buckets, where it can, even for small n.
pub const BY_MSD_BUCKETS: Way = Way("by MSD buckets");

/// MSD buckets are made below any upper bits that all keys share.
pub const BELOW_SHARED_BITS: Way = Way("below shared bits");

/// The methods of [`RadixSort`], for all specs.
pub trait RadixFacts {
    /// The radix sort, if it is one.
    fn radix(&self) -> Option<RadixSort>;

    /// As [`RadixSort::interleaves`].
    fn interleaves(&self) -> bool {
        self.radix().is_some_and(|sort| sort.interleaves())
    }

    /// As [`RadixSort::fixes_up_ties`].
    fn fixes_up_ties(&self) -> bool {
        self.radix().is_some_and(|sort| sort.fixes_up_ties())
    }

    /// As [`RadixSort::sorts_msd_buckets`].
    fn sorts_msd_buckets(&self) -> bool {
        self.radix().is_some_and(|sort| sort.sorts_msd_buckets())
    }

    /// As [`RadixSort::sorts_by_counting`].
    fn sorts_by_counting(&self) -> bool {
        self.radix().is_some_and(|sort| sort.sorts_by_counting())
    }

    /// As [`RadixSort::has_key_histogram`].
    fn has_key_histogram(&self) -> bool {
        self.radix().is_some_and(|sort| sort.has_key_histogram())
    }

    /// As [`RadixSort::count_columns_log2`].
    fn count_columns_log2(&self, device: Device) -> u32 {
        self.radix().map_or(0, |sort| sort.count_columns_log2(device))
    }

    /// As [`RadixSort::counting_launches`].
    fn counting_launches(&self, n: u64, bits: &Range<u32>, device: Device) -> Option<Vec<Launch>> {
        self.radix()?.counting_launches(n, bits, device)
    }

    /// As [`RadixSort::msd_bucket_launches`].
    fn msd_bucket_launches(
        &self,
        n: u64,
        bits: &Range<u32>,
        device: Device,
    ) -> Option<Vec<Launch>> {
        self.radix()?.msd_bucket_launches(n, bits, device)
    }
}

impl RadixFacts for DeviceSpec {
    fn radix(&self) -> Option<RadixSort> {
        RadixSort::of(self)
    }
}
