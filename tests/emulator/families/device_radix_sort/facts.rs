//! What the tests know of device-wide radix sorts.

mod descent;
mod edges;
mod overflow;
pub mod own;
mod scenarios;
mod shared_bits;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{
    Device, DeviceAlgorithm, DeviceFields, DeviceSpec, Launch, RADIX_BITS, RadixArguments,
    RadixSort, SMALL_N,
};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};

use crate::device_cases::{How, Scenarios, Ways, of_part};
use crate::device_families::{DeviceFacts, OwnCases, any_key, legal, named};
use crate::inputs::Keys;
use crate::oracle::{Class, describe};
use own::{BELOW_SHARED_BITS, BY_COUNTING, BY_MSD_BUCKETS, RadixFacts as _, SIDE_BY_SIDE};
use scenarios::{Counting, MsdBuckets, TieFixUp};

/// Shapes of the fixed set: each has its own numbers of warps, of items a register, of blocks of counters.
const SHAPES: [(u32, u32); 7] =
    [(256, 1), (288, 2), (256, 5), (384, 3), (512, 2), (256, 8), (320, 4)];

/// Sorts of structs: of bytes that are those of an integer, with padding and without, or are not; by key histograms, MSD buckets and
/// determined digits; side by side with values; in few bytes and in many.
const OF_STRUCTS: [&str; 8] = [
    "device_radix_sort_u32f32u8_u32_b256_i2_asc",
    "device_radix_sort_i64u32_keys_b256_i1_desc",
    "device_radix_sort_u8u8_keys_b256_i4_desc",
    "device_radix_sort_u16f16_u32_b256_i2_asc",
    "device_radix_sort_u8i16u8_keys_b288_i3_asc_wide",
    "device_radix_sort_f32u32_u64_b256_i2_desc",
    "device_radix_sort_u8u64u8_u128_b256_i1_asc",
    "device_radix_sort_u8i8u8_index_b256_i5_desc",
];

/// More than are sorted by samples.
const MANY_ITEMS: u64 = SMALL_N[SMALL_N.len() - 1] + 1;

pub(crate) struct Facts;

impl DeviceFacts for Facts {
    /// Each key twice, ascending and descending, and in turn everything else; then structs.
    fn covering_set(&self) -> Vec<DeviceSpec> {
        let keys = KeyType::ALL.len();
        (0..2 * keys)
            .map(|number| {
                let (key, is_second) = (KeyType::ALL[number % keys], number >= keys);
                // Both rounds go through all values, and each value meets either order, and 32-bit and 64-bit positions.
                let (value, _) = ValueType::table()[number % ValueType::table().len()];
                let (threads, items) = SHAPES[(number * 3 + usize::from(is_second)) % SHAPES.len()];
                let fields = DeviceFields {
                    algorithm: DeviceAlgorithm::Radix,
                    key,
                    value,
                    threads,
                    items,
                    order: if is_second { Order::Descending } else { Order::Ascending },
                    nan_last: describe(key).0 == Class::Float && number % 2 == 0,
                    wide: (number + number / 7) % 3 == 0,
                    counted: number % 5 == 2,
                };
                legal(fields)
            })
            .chain(OF_STRUCTS.map(named))
            .collect()
    }

    /// Of a small tile most often, now and then of a large one or of the tuned shape.
    fn fresh(&self, rng: &mut ChaCha8Rng) -> DeviceSpec {
        let key = any_key(rng);
        let (value, _) = *ValueType::table().choose(rng).expect("not empty");
        let (order, _) = *Order::table().choose(rng).expect("not empty");
        let shared_bytes_per_block = *[64, 99, 227].choose(rng).expect("not empty") * 1024;
        let device = Device { multiprocessors: 132, shared_bytes_per_block };
        let tuned = DeviceSpec::tuned(key, value, order, rng.random(), MANY_ITEMS, device).fields();
        let (wide, counted) = (rng.random_ratio(1, 3), rng.random_ratio(1, 5));
        let tuned = DeviceFields { wide, counted, ..tuned };
        let (threads, items) = match rng.random_range(0..16) {
            0 => return legal(tuned),
            1 => (rng.random_range(8..=32) * 32, rng.random_range(1..=16)),
            _ => (rng.random_range(8..=16) * 32, rng.random_range(1..=8)),
        };
        // A large tile of wide items may not fit.
        let fields = DeviceFields { threads, items, ..tuned };
        fields.validate().unwrap_or_else(|_| legal(DeviceFields { threads: 256, ..fields }))
    }

    fn rounds(&self, spec: &DeviceSpec) -> u32 {
        spec.key.bits().div_ceil(RADIX_BITS)
    }

    fn runs_longer_than_it_compiles(&self) -> bool {
        true
    }

    fn draw_ways(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Ways {
        Ways::default()
            .with(SIDE_BY_SIDE, rng.random_ratio(3, 4))
            .with(BY_COUNTING, rng.random())
            .with(BY_MSD_BUCKETS, spec.sorts_msd_buckets() && rng.random_ratio(3, 4))
    }

    fn interleaves(&self, spec: &DeviceSpec, how: &How) -> bool {
        how.own.has(SIDE_BY_SIDE) && spec.interleaves()
    }

    fn own_arguments(&self, spec: &DeviceSpec, how: &How, launches: &[Launch]) -> Vec<u32> {
        let has_buckets = launches.iter().any(|it| it.kernel == RadixSort::MSD_BUCKETS);
        let own = RadixArguments {
            interleaves: i32::from(self.interleaves(spec, how)),
            count_columns_log2: spec.count_columns_log2(how.device).cast_signed(),
            sorts_msd_buckets: match (has_buckets, how.own.has(BELOW_SHARED_BITS)) {
                (false, _) => 0,
                (true, true) => 1,
                // As many as are left out in any case.
                (true, false) => RADIX_BITS.cast_signed(),
            },
        };
        own.packed().map(i32::cast_unsigned).to_vec()
    }

    fn kinds(&self, spec: &DeviceSpec) -> Vec<Keys> {
        if spec.fixes_up_ties() { TieFixUp::DEPENDENT.repeat(3) } else { Vec::new() }
    }

    /// Scenarios of MSD buckets.
    fn first_scenarios(&self, spec: &DeviceSpec) -> Scenarios {
        of_part(spec, &MsdBuckets::ALL)
    }

    fn scenarios(&self, spec: &DeviceSpec) -> Scenarios {
        let mut scenarios = of_part(spec, &Counting::ALL);
        scenarios.extend(of_part(spec, &TieFixUp::ALL));
        scenarios
    }

    fn fit(&self, spec: &DeviceSpec, kind: Option<Keys>, how: &mut How) {
        if kind.is_some_and(|kind| TieFixUp::takes_all_bits(spec, kind)) {
            how.take_all_bits(spec);
        }
        // A counting sort needs all bits, and room for the histogram.
        if how.own.has(BY_COUNTING) && spec.sorts_by_counting() {
            how.take_all_bits(spec);
            how.device.shared_bytes_per_block = How::ROOM;
        }
    }

    /// A full round of loads.
    fn items_of_one_block(&self, spec: &DeviceSpec) -> usize {
        let is_one = |n: &u64| {
            let device = Device { multiprocessors: 132, shared_bytes_per_block: 64 * 1024 };
            let launches = spec.launches(*n, 0..1, device);
            launches.iter().any(|launch| launch.kernel == RadixSort::COUNT && launch.blocks == 1)
        };
        (0..32).map(|bit| 1u64 << bit).take_while(is_one).last().unwrap_or(1) as usize
    }

    /// The launches of a counting sort or of MSD buckets where these are wanted, also for small n.
    fn launches(&self, spec: &DeviceSpec, n: u64, how: &How) -> Vec<Launch> {
        let by_counting = || {
            let wanted = how.own.has(BY_COUNTING) && n > 0;
            wanted.then(|| spec.counting_launches(n, &how.bits, how.device)).flatten()
        };
        let by_msd_buckets = || {
            let wanted = how.own.has(BY_MSD_BUCKETS);
            wanted.then(|| spec.msd_bucket_launches(n, &how.bits, how.device)).flatten()
        };
        let mut launches = by_counting()
            .or_else(by_msd_buckets)
            .unwrap_or_else(|| spec.launches(n, how.bits.clone(), how.device));
        // Any number of blocks will do for these; for small n the host takes one, or one for each segment of buckets.
        for launch in &mut launches {
            if launch.kernel == RadixSort::GATHER_OVERFLOW {
                launch.blocks = launch.blocks.min(how.device.multiprocessors);
            }
            if [RadixSort::HISTOGRAM, RadixSort::EXPAND].contains(&launch.kernel) {
                launch.blocks = launch.blocks.max(how.device.multiprocessors.min(3));
            }
        }
        launches
    }

    /// Cases of the tie fix-up, of digits and MSD buckets, of buckets that overflow, and of blocks that count.
    fn cases(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> OwnCases {
        let mut last = Vec::new();
        if spec.fixes_up_ties() {
            last.extend(descent::cases(spec, rng));
        }
        let mut first = edges::cases(spec, rng);
        first.extend(overflow::cases(spec, rng));
        last.extend(edges::of_counting_blocks(spec, rng));
        last.extend(shared_bits::cases(spec, rng));
        OwnCases { first, last }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;
    use crate::device_cases::of;

    #[test]
    fn values_meet_orders_and_widths_in_the_fixed_set() {
        let mut set = Facts.covering_set();
        set.retain(|spec| spec.key.is_scalar());
        assert_eq!(set.iter().collect::<HashSet<_>>().len(), 2 * KeyType::ALL.len());
        let keys: HashSet<_> = set.iter().map(|spec| (spec.key, spec.order)).collect();
        let orders: HashSet<_> = set.iter().map(|spec| (spec.value, spec.order)).collect();
        let widths: HashSet<_> = set.iter().map(|spec| (spec.value, spec.wide)).collect();
        let nans: HashSet<_> = set
            .iter()
            .filter(|spec| describe(spec.key).0 == Class::Float)
            .map(|spec| (spec.key, spec.nan_last))
            .collect();
        let shapes: HashSet<_> = set.iter().map(|spec| (spec.threads, spec.items)).collect();
        assert_eq!(
            [keys.len(), orders.len(), widths.len(), nans.len(), shapes.len()],
            [34, 14, 14, 12, SHAPES.len()]
        );
    }

    #[test]
    fn fresh_ones_are_of_all_sorts_and_mostly_small() {
        let mut rng = ChaCha8Rng::seed_from_u64(10);
        let specs: Vec<DeviceSpec> = (0..2000).map(|_| Facts.fresh(&mut rng)).collect();
        let small = specs.iter().filter(|spec| spec.tile_items() <= 4096).count();
        assert!((1600..1990).contains(&small), "{small}");
        let scalars = specs.iter().filter(|spec| spec.key.is_scalar());
        let kinds: HashSet<_> = scalars.map(|spec| (spec.key, spec.value)).collect();
        assert_eq!(kinds.len(), 17 * 7);
        for spec in specs {
            assert_eq!(spec.algorithm, DeviceAlgorithm::Radix, "{spec}");
        }
    }

    #[test]
    fn a_spec_meets_all_sizes_and_ways() {
        let spec: DeviceSpec =
            "device_radix_sort_f32_u32_b256_i2_desc_nanlast".parse().expect("legal");
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let cases = of(&spec, 27, &mut rng);
        assert_eq!(
            cases.len(),
            27 + of_part(&spec, &MsdBuckets::ALL).len()
                + edges::cases(&spec, &mut rng).len()
                + overflow::cases(&spec, &mut rng).len()
                + edges::of_counting_blocks(&spec, &mut rng).len()
        );
        let sizes: HashSet<usize> = cases.iter().map(|case| case.n).collect();
        for n in [0, 1, 2, 511, 512, 513, 1023, 1024, 1025, 1535, 1536, 1537, 16_384, 16_385] {
            assert!(sizes.contains(&n), "{n}");
        }
        let kinds: HashSet<Keys> = cases.iter().map(|case| case.kind).collect();
        assert!(Keys::all(spec.key).iter().all(|kind| kinds.contains(kind)));
        let of_buckets =
            [Keys::TwoTops, Keys::Repeated(256), Keys::TiedBits, Keys::EvenValues(256)];
        assert!(of_buckets.iter().all(|kind| kinds.contains(kind)));
        let any = |is: fn(&How) -> bool| cases.iter().any(|case| is(&case.how));
        assert!(any(|how| how.in_place) && any(|how| !how.writes_keys));
        assert!(any(|how| how.blocks_at_once == 1) && any(|how| how.blocks_at_once > 1));
        assert!(!any(|how| how.in_place && !how.writes_keys));
    }

    #[test]
    fn launches_are_those_of_the_bits() {
        let spec: DeviceSpec = "device_radix_sort_u64_keys_b256_i2_asc".parse().expect("legal");
        for case in of(&spec, 40, &mut ChaCha8Rng::seed_from_u64(9)) {
            let is_pass = |launch: &&Launch| launch.kernel == RadixSort::PASS;
            let passes = case.launches.iter().filter(is_pass).count();
            let digits = if case.n == 0 { 0 } else { case.how.bits.len().div_ceil(8) };
            // Many digits have a second phase, and the first one spares two.
            let expected = if digits >= 5 { digits - 2 + digits } else { digits };
            assert_eq!(passes, expected, "{case}");
        }
    }
}
