//! What a sort by samples is made of: the block sorts of its buckets, and the sorts by sub-buckets and register windows.

use super::items::{is_of_rows, value_of};
use super::layout::{Storage, bucket_storage, sample_storage, split_storage};
use crate::block::radix;
use crate::block::radix::plan::RadixPlan;
use crate::contract::device::spec::{DeviceFields, require, require_scalar};
use crate::contract::spec::{Algorithm, BitRange, Rank, SpecFields};
use crate::contract::validate::DeviceSpecError;
use crate::types::{Arch, Arrangement, Block, KeyType, LaneMatch};

/// Items per thread of the sorts of buckets by digits, as far as every architecture has the shared memory for them.
const BUCKET_ITEMS: [u32; 3] = [2, 4, 8];

/// Of one more such sort where buckets have four items a thread on average: one in a hundred has more than eight, and one in
/// ten million more than sixteen. The first for which two blocks find room is taken.
const LARGE_BUCKET_ITEMS: [u32; 2] = [16, 12];

/// Bits of a digit of theirs. What a bucket's keys have in common leaves 23 to 28 bits of 32: as many passes as of 8, with half
/// as many bins to scan.
const BUCKET_SORT_BITS: u32 = 7;

/// Items per thread of the sorts by sub-buckets and register windows, which take time for what is not there too.
const REGISTER_WINDOW_ROWS: [u32; 6] = [1, 2, 4, 6, 8, 12];

/// The same of the largest buckets, where the sorts of buckets go that far: the first for which there is room is taken.
const LARGE_REGISTER_WINDOW_ROWS: [u32; 2] = [16, 15];

/// The shared memory of a block that sorts them, at most: what GPUs of compute capability 8.6 and 8.9 have.
const MOST_OF_LARGE_REGISTER_WINDOWS: u32 = 99 * 1024;

/// Items of one sub-bucket of a bucket, at most: of more, digits are sorted sooner. With 64 in place of 224 that is 1.5 times
/// as fast for keys of 4 bytes, which take four passes, and 0.4 times for those of 8, which take seven (H200, 2026-11-22).
pub(super) fn max_sub_bucket(key: KeyType) -> u32 {
    if key.bytes() <= 4 { 96 } else { 224 }
}

/// What such a sort is made of.
#[derive(Clone, Debug)]
pub(super) struct SamplePlan {
    /// The sorts of buckets by digits, those of the fewest items first.
    pub(super) buckets: Vec<RadixPlan>,
    /// The last of them.
    pub(super) largest: RadixPlan,
    /// Items per thread of the sorts by sub-buckets and register windows.
    pub(super) register_window_rows: Vec<u32>,
    pub(super) storage: Storage,
}

impl SamplePlan {
    /// The plan of a spec, or the first field for which there is none.
    pub(super) fn of(fields: &DeviceFields) -> Result<Self, DeviceSpecError> {
        require(
            (32..=1024).contains(&fields.threads) && fields.threads.is_power_of_two(),
            "threads",
            fields.threads.to_string(),
            "a power of two from 32 to 1024",
        )?;
        if is_of_rows(fields) {
            require_scalar(fields.key)?;
        }
        fields.check_common()?;
        require(
            !fields.nan_last,
            "nanlast",
            "true".to_owned(),
            "false: block sorts have no such order",
        )?;
        require(!fields.wide, "wide", "true".to_owned(), "false: small n needs no 64-bit offsets")?;
        let buckets = bucket_sorts(fields);
        let register_window_rows = register_window_rows(fields, &buckets);
        let largest = buckets.last().filter(|_| !register_window_rows.is_empty()).copied();
        let Some(largest) = largest else {
            let tile = format!("{} threads, {} items", fields.threads, fields.items);
            let legal = "what a block sort of such items has the shared memory for".to_owned();
            return Err(DeviceSpecError { field: "tile", value: tile, legal });
        };
        let storage = Storage {
            sample: sample_storage(fields),
            split: split_storage(fields),
            bucket: bucket_storage(fields, &buckets, &register_window_rows),
        };
        let most = storage.shared().most();
        require(
            most <= Arch::MAX_SHARED_BYTES,
            "tile",
            format!("{} items, {most} bytes of shared memory", fields.tile_items()),
            &format!("at most {} bytes", Arch::MAX_SHARED_BYTES),
        )?;
        Ok(Self { buckets, largest, register_window_rows, storage })
    }
}

/// Blocks that a multiprocessor is to hold at least: two, where tiles are for more buckets than there are multiprocessors
/// and the items leave the registers for it.
pub(super) fn resident_blocks(fields: &DeviceFields) -> u32 {
    let is_for_many = fields.items >= 4 || is_of_rows(fields);
    // Structs have more bits in registers than in memory.
    let bytes = fields.key.storage().widened().bytes + fields.value.bytes();
    let holds_two = fields.threads <= 512 && bytes <= 12;
    if is_for_many && holds_two { 2 } else { 1 }
}

/// Whether buckets may be so large that each has many items of a thread.
fn has_large_buckets(fields: &DeviceFields) -> bool {
    fields.items >= 8 || is_of_rows(fields)
}

/// The most shared memory that blocks of `_buckets` are to have: what every architecture has, or for larger tiles, of which
/// two blocks are to share a multiprocessor, half of what Hopper has.
fn most_of_bucket(fields: &DeviceFields) -> u32 {
    let least = Arch::all().map(Arch::max_shared_bytes).min().unwrap_or(0);
    if has_large_buckets(fields) { Arch::MAX_SHARED_BYTES / 2 } else { least }
}

/// The sorts of buckets by digits, those of the fewest items first.
fn bucket_sorts(fields: &DeviceFields) -> Vec<RadixPlan> {
    let of_at_most = |items: u32, most: u32| {
        bucket_sort(fields, items).filter(|sort| bucket_storage(fields, &[*sort], &[]) <= most)
    };
    let least = Arch::all().map(Arch::max_shared_bytes).min().unwrap_or(0);
    let mut sorts: Vec<RadixPlan> =
        BUCKET_ITEMS.iter().filter_map(|items| of_at_most(*items, least)).collect();
    if has_large_buckets(fields) {
        let most = most_of_bucket(fields);
        sorts.extend(LARGE_BUCKET_ITEMS.iter().find_map(|items| of_at_most(*items, most)));
    }
    sorts
}

/// Items per thread of the sorts by sub-buckets and register windows, the fewest first.
fn register_window_rows(fields: &DeviceFields, sorts: &[RadixPlan]) -> Vec<u32> {
    let largest = sorts.iter().map(|sort| sort.items).max().unwrap_or(0);
    let fits = |rows: u32, most| rows <= largest && bucket_storage(fields, sorts, &[rows]) <= most;
    let mut rows: Vec<u32> = REGISTER_WINDOW_ROWS
        .into_iter()
        .filter(|rows| fits(*rows, most_of_bucket(fields)))
        .collect();
    // At most what every architecture has: more gains little.
    let most = most_of_bucket(fields).min(MOST_OF_LARGE_REGISTER_WINDOWS);
    rows.extend(LARGE_REGISTER_WINDOW_ROWS.into_iter().find(|rows| fits(*rows, most)));
    rows
}

/// The plan of a block sort that ranks by ballots, from the arrangement that is loaded.
fn bucket_sort(fields: &DeviceFields, items: u32) -> Option<RadixPlan> {
    let block = Block::linear(fields.threads);
    let (key, value) = (fields.key, value_of(fields));
    let algorithm = Algorithm::BlockRadix {
        block,
        radix_bits: BUCKET_SORT_BITS,
        rank: Rank::Match(LaneMatch::Ballots),
        bits: BitRange::Runtime,
    };
    let (order, input) = (fields.order, Arrangement::WarpStriped);
    let sort = SpecFields::block_radix(key, value, block, items, BUCKET_SORT_BITS);
    let sort = radix::plan::validate(SpecFields { algorithm, order, input, ..sort });
    RadixPlan::of(&sort.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::device::algorithm::DeviceAlgorithm;
    use crate::device::sample::counts::row_bucket_items;
    use crate::types::{Order, Token, ValueType};

    #[test]
    fn buckets_of_rows_may_be_twice_as_large_as_on_average() {
        for key in KeyType::ALL {
            for (value, _) in ValueType::table() {
                let fields = DeviceFields {
                    algorithm: DeviceAlgorithm::Sample { rows: true },
                    key: *key,
                    value: *value,
                    threads: 512,
                    items: 8,
                    order: Order::Ascending,
                    nan_last: false,
                    wide: false,
                    counted: false,
                };
                let plan = SamplePlan::of(&fields).unwrap_or_else(|error| panic!("{error}"));
                let most = plan.register_window_rows.last().copied().unwrap_or(0);
                // Of 16 items per thread one may be missing.
                let enough = 2 * row_bucket_items(&fields) / fields.threads - 1;
                assert!(most >= enough && plan.largest.items >= most, "{key} {value}: {plan:?}");
            }
        }
    }
}
