//! Sorts of host slices in runs.

use sortsmith::{Error, RunMerge, RunSorter, Sorter};

use super::{MANY, bytes_of, keys, stream, values};
use crate::inject::Scenario;

/// Pairs in four runs, merged by the sorter or by the host. After an error the runs before it are sorted, so the slices may have changed:
/// here to what no sort makes, for the stand-in's kernels do not sort.
pub struct InRuns<const BY_SORTER: bool> {
    sorter: Sorter,
    keys: Vec<u32>,
    values: Vec<u64>,
}

impl<const BY_SORTER: bool> Scenario for InRuns<BY_SORTER> {
    const NEEDED: &'static [(&'static str, usize)] = &[("cuLaunchKernelEx", 4)];

    fn prepare() -> Self {
        let sorter = Sorter::on(&stream()).unwrap();
        let mut sort = Self { sorter, keys: keys(MANY), values: values(MANY) };
        // Other scenarios have a sorter's first calls.
        sort.act().unwrap();
        sort.reset();
        sort
    }

    fn act(&mut self) -> Result<(), Error> {
        let merge = if BY_SORTER { RunMerge::Sorters } else { RunMerge::Host };
        let pair = size_of::<u32>() + size_of::<u64>();
        RunSorter::new(self.sorter.clone())
            .merge_by(merge)
            .run_bytes(MANY / 4 * pair)
            .sort_pairs(&mut self.keys, &mut self.values)
    }

    fn reset(&mut self) {
        (self.keys, self.values) = (keys(MANY), values(MANY));
    }

    fn outcome(&self) -> Vec<u8> {
        [bytes_of(&self.keys), bytes_of(&self.values)].concat()
    }
}
