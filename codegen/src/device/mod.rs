//! Sorts of whole arrays by all of a device: what they are called, what they need, what the host launches.
//!
//! A [`DeviceSpec`] says which sort; [`header`] is its CUDA; [`DeviceSpec::launches`] is what the host does for an array
//! of n items, the same whatever the keys are.
//!
//! ```
//! use sortsmith_codegen::device::{self, DeviceSpec};
//! let spec: DeviceSpec = "device_radix_sort_f32_u32_b384_i20_asc".parse().unwrap();
//! let header = device::header(&spec).unwrap();
//! assert!(header.contains("device_radix_sort_f32_u32_b384_i20_asc_pass("));
//!
//! let h200 = device::Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
//! let launches = spec.launches(1 << 20, 0..32, h200);
//! let passes = launches.iter().filter(|launch| matches!(launch.kernel, device::Kernel::Pass(_)));
//! assert_eq!(passes.count(), 4);
//! ```

mod bitonic;
mod launch;
mod name;
mod radix;
mod sample;
pub mod scratch;
mod source;
mod tuning;

use crate::types::{Arch, KeyClass, KeyType, Order, UnsignedType, ValueType};

pub use crate::contract::validate::DeviceSpecError;
pub use launch::{Arguments, Device, FIRST_WAITING_ARCH, Kernel, Launch};
pub use name::{DeviceNameError, PREFIX};
use radix::msd_buckets;
pub(crate) use radix::view::finished;
pub use radix::view::{header, marked_header};
pub use tuning::{BUILT_IN, BuiltInRow, Provenance, SMALL_N, Shape};

/// Bits of a digit.
pub const RADIX_BITS: u32 = 8;

/// Values of a digit.
pub const BINS: u32 = 1 << RADIX_BITS;

/// How an array is sorted device-wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceAlgorithm {
    /// Digit by digit, from the lowest: any number of items.
    Radix,
    /// Parted into buckets by samples, each bucket sorted by a block: small n.
    Sample,
    /// By a network of comparisons: any number of items, and what is compared and where depends on that number alone.
    Bitonic {
        /// Whether the positions of pairs are compared where keys are equal.
        stable: bool,
    },
}

/// The families of device-wide sorts, a row each: the variant with its options at their defaults, and its word.
macro_rules! device_families {
    ($($variant:ident $({ $($option:ident: $default:expr),* })? $word:literal;)*) => {
        impl DeviceAlgorithm {
            /// All, with their options at their defaults.
            pub const ALL: [Self; [$($word),*].len()] =
                [$(Self::$variant $({ $($option: $default),* })?),*];

            /// The word for it on the command line and in reports.
            pub const fn token(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => concat!("device-", $word),)*
                }
            }

            /// The word for it in the names of shapes.
            const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $word,)*
                }
            }

            /// The first part of the names of its specs.
            const fn prefix(self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => concat!("device_", $word, "_sort_"),)*
                }
            }
        }
    };
}

device_families! {
    Radix "radix";
    Sample "sample";
    Bitonic { stable: false } "bitonic";
}

/// The fields of a [`DeviceSpec`], legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceFields {
    /// How the array is sorted.
    pub algorithm: DeviceAlgorithm,
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key.
    pub value: ValueType,
    /// Threads of a block.
    pub threads: u32,
    /// Items per thread.
    pub items: u32,
    /// Which end comes first.
    pub order: Order,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
    /// Whether there may be 2³⁰ items or more, for which counts take 64 bits.
    pub wide: bool,
}

/// A legal spec of a device-wide sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceSpec {
    fields: DeviceFields,
    /// Of a sort by samples: found once, for it takes some microseconds.
    sample_storage: Option<sample::Storage>,
}

impl std::ops::Deref for DeviceSpec {
    type Target = DeviceFields;
    fn deref(&self) -> &DeviceFields {
        &self.fields
    }
}

/// An error unless the value is legal.
fn require(
    is_legal: bool,
    field: &'static str,
    value: String,
    legal: &str,
) -> Result<(), DeviceSpecError> {
    if is_legal { Ok(()) } else { Err(DeviceSpecError { field, value, legal: legal.to_owned() }) }
}

impl DeviceFields {
    /// The fields as a spec, or the first field that is not legal.
    pub fn validate(self) -> Result<DeviceSpec, DeviceSpecError> {
        let (is_legal, legal) = match self.algorithm {
            DeviceAlgorithm::Radix => (
                (BINS..=1024).contains(&self.threads) && self.threads.is_multiple_of(32),
                "a multiple of 32 from 256 to 1024",
            ),
            DeviceAlgorithm::Sample => (
                (32..=1024).contains(&self.threads) && self.threads.is_power_of_two(),
                "a power of two from 32 to 1024",
            ),
            DeviceAlgorithm::Bitonic { .. } => (
                (64..=1024).contains(&self.threads) && self.threads.is_power_of_two(),
                "a power of two from 64 to 1024",
            ),
        };
        require(is_legal, "threads", self.threads.to_string(), legal)?;
        require((1..=64).contains(&self.items), "items", self.items.to_string(), "1 to 64")?;
        require(
            !self.nan_last || self.key.info().class == KeyClass::Float,
            "nanlast",
            self.nan_last.to_string(),
            "for floats only",
        )?;
        let spec = DeviceSpec { fields: self, sample_storage: None };
        match self.algorithm {
            DeviceAlgorithm::Radix => {}
            DeviceAlgorithm::Sample => {
                let storage = sample::SamplePlan::of(&spec)?.storage;
                return Ok(DeviceSpec { sample_storage: Some(storage), ..spec });
            }
            DeviceAlgorithm::Bitonic { .. } => return bitonic::check(&spec).map(|()| spec),
        }
        let shared = spec.shared_bytes();
        require(
            shared <= Arch::MAX_SHARED_BYTES && spec.tile_items() <= MAX_TILE_ITEMS,
            "tile",
            format!("{} items, {shared} bytes of shared memory", spec.tile_items()),
            &format!("at most {MAX_TILE_ITEMS} items and {} bytes", Arch::MAX_SHARED_BYTES),
        )?;
        Ok(spec)
    }
}

impl DeviceSpec {
    /// The spec for up to n items whose shape was the fastest for these types, or the nearest that the device has the
    /// shared memory for.
    pub fn tuned(
        key: KeyType,
        value: ValueType,
        order: Order,
        nan_last: bool,
        n: u64,
        device: Device,
    ) -> Self {
        let nan_last = nan_last && key.info().class == KeyClass::Float;
        let wide = n > MAX_NARROW_ITEMS;
        let fields = |algorithm, (threads, items)| DeviceFields {
            algorithm,
            key,
            value,
            threads,
            items,
            order,
            nan_last,
            wide,
        };
        for BuiltInRow { shape: Shape { algorithm, threads, items }, .. } in
            tuning::rows(key, value, n)
        {
            let spec = |items| fields(*algorithm, (*threads, items)).validate().ok();
            let fits = |spec: &Self| spec.shared_bytes() <= device.shared_bytes_per_block;
            // Where a tile of digits does not fit, a smaller one does; others are left to the next row.
            let found = match algorithm {
                DeviceAlgorithm::Sample | DeviceAlgorithm::Bitonic { .. } => {
                    spec(*items).filter(fits)
                }
                DeviceAlgorithm::Radix => {
                    (1..=*items).rev().filter_map(spec).find(fits).or_else(|| spec(1))
                }
            };
            if let Some(spec) = found {
                return spec;
            }
        }
        // Types of every size have a row of digits, of which one item a thread is legal.
        Self { fields: fields(DeviceAlgorithm::Radix, (BINS, 1)), sample_storage: None }
    }

    /// The spec by a network for these types, whose tiles are as large as the device has the shared memory for. Pairs
    /// are sorted stably if that is asked for.
    pub fn bitonic(
        key: KeyType,
        value: ValueType,
        order: Order,
        stable: bool,
        device: Device,
    ) -> Self {
        let algorithm = DeviceAlgorithm::Bitonic { stable: stable && value.is_read() };
        let fields = |(threads, items)| {
            let (nan_last, wide) = (false, false);
            DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide }
        };
        bitonic::shapes(key, value, stable)
            .filter_map(|shape| fields(shape).validate().ok())
            .find(|spec| spec.shared_bytes() <= device.shared_bytes_per_block)
            // Items of every size have a legal tile of so few.
            .unwrap_or(Self { fields: fields((64, 1)), sample_storage: None })
    }

    /// How it is laid out.
    pub fn shape(&self) -> Shape {
        let DeviceFields { algorithm, threads, items, .. } = self.fields;
        Shape { algorithm, threads, items }
    }

    /// The fields, to derive another spec from.
    pub fn fields(&self) -> DeviceFields {
        self.fields
    }

    /// Items of a tile.
    pub fn tile_items(&self) -> u32 {
        self.threads * self.items
    }

    /// Whether equal keys keep their input order. Where keys alone are sorted by a network, zeros of both signs may
    /// not.
    pub fn is_stable(&self) -> bool {
        match self.algorithm {
            DeviceAlgorithm::Radix | DeviceAlgorithm::Sample => true,
            DeviceAlgorithm::Bitonic { .. } => bitonic::is_stable(self),
        }
    }

    /// The most items that the sort takes.
    pub fn max_items(&self) -> u64 {
        match self.algorithm {
            DeviceAlgorithm::Radix => {}
            DeviceAlgorithm::Sample => {
                return u64::from(self.threads) * u64::from(self.tile_items());
            }
            DeviceAlgorithm::Bitonic { .. } => return bitonic::max_items(self),
        }
        match (self.wide, self.value) {
            (_, ValueType::Index) if self.wide => 1 << 32,
            (true, _) => 1 << 40,
            (false, _) => MAX_NARROW_ITEMS,
        }
    }

    /// Passes over all bits of a key.
    pub fn max_passes(&self) -> u32 {
        self.key.bits().div_ceil(RADIX_BITS)
    }

    /// The type of counts, and of offsets in the array.
    fn count_type(&self) -> UnsignedType {
        UnsignedType::of_bytes(if self.wide { 8 } else { 4 })
    }

    /// Whether keys and values lie side by side between passes, where the arrays allow it: both of 4 or of 8 bytes.
    pub fn interleaves(&self) -> bool {
        let bytes = self.key.bytes();
        self.algorithm == DeviceAlgorithm::Radix
            && bytes == self.value.bytes()
            && (bytes == 4 || bytes == 8)
    }

    /// Whether the sort may go by the upper digits first, in a phase of its own.
    pub fn sorts_upper_digits(&self) -> bool {
        self.fixes_up_ties() || self.sorts_msd_buckets()
    }

    /// Whether the few keys that tie in the upper digits are sorted after that: keys of so many digits that, where they
    /// differ, few agree in half of them. See the header's `_fix_up`.
    pub fn fixes_up_ties(&self) -> bool {
        self.algorithm == DeviceAlgorithm::Radix && self.key.bytes() == 8
    }

    /// Passes without which there is no such phase.
    fn min_upper_passes(&self) -> u32 {
        if self.fixes_up_ties() { launch::MIN_FIX_UP_PASSES } else { msd_buckets::MIN_PASSES }
    }

    /// Whether sorts by all bits are counting sorts: of integers with few values, alone. Floats have zeros and NaNs that
    /// count as equal and differ in their bits.
    pub fn sorts_by_counting(&self) -> bool {
        self.algorithm == DeviceAlgorithm::Radix
            && self.value == ValueType::None
            && self.key.bits() <= 16
            && self.key.info().class != KeyClass::Float
    }

    /// Whether these keys have so many values that the digits' counters do not count them.
    pub fn has_key_histogram(&self) -> bool {
        self.sorts_by_counting() && self.key.bits() > RADIX_BITS
    }

    /// Bytes of a key and its value side by side.
    fn item_bytes(&self) -> u32 {
        self.key.bytes() + self.value.bytes()
    }

    /// The gap behind a warp's keys, and behind its values: as many of them as the copy engine's 16 bytes.
    fn array_gap(&self) -> u32 {
        match self.value.bytes() {
            0 => 16 / self.key.bytes(),
            value => 16 / value.min(self.key.bytes()),
        }
    }

    /// The gap behind a warp's keys and values side by side.
    fn item_gap(&self) -> u32 {
        (16 / self.item_bytes()).max(1)
    }

    /// The most shared memory of a block: for a radix sort that of a pass, the header's `sizeof(PassStorage)`.
    pub fn shared_bytes(&self) -> u32 {
        if let Some(storage) = self.sample_storage {
            return storage.most();
        }
        if let DeviceAlgorithm::Bitonic { .. } = self.algorithm {
            return bitonic::shared_bytes(self);
        }
        let (key, value, count) = (self.key.bytes(), self.value.bytes(), self.count_type().bytes);
        let tile = self.tile_items();
        let slots = |gap: u32| tile + self.threads / 32 * gap;
        let arrays = (slots(self.array_gap()) * key).next_multiple_of(value.max(1))
            + slots(self.array_gap()) * value;
        let items = if self.interleaves() { slots(self.item_gap()) * self.item_bytes() } else { 0 };
        let copies = arrays.max(items).next_multiple_of(8) + 8;
        let counters = BINS * count + 4 * BINS + self.threads / 32 * BINS * 4;
        let rest = BINS / 32 * 4 + 12 + 2 * tile;
        let align = if self.interleaves() { self.item_bytes() } else { key.max(value) };
        (copies + counters + rest).next_multiple_of(align.max(8))
    }

    /// Bytes of the header's `Control`, which the workspace begins with.
    fn control_bytes(&self) -> u32 {
        let count = self.count_type().bytes;
        let (phases, more) = if self.sorts_upper_digits() { (2, 3) } else { (1, 0) };
        let turns = self.max_passes() * phases - (phases - 1) * launch::SPARED_PASSES;
        let spread = if self.maps_values() { 3 } else { 0 };
        let words = 4 * (phases + more + spread + self.max_passes() + turns);
        let bins = words.next_multiple_of(count) + self.counted_digits() * BINS * count;
        if self.interleaves() {
            bins.next_multiple_of(self.item_bytes()) + self.item_bytes()
        } else if self.has_key_histogram() {
            // Two counts behind it are added to at once.
            bins.next_multiple_of(8)
        } else {
            bins
        }
    }

    /// Where the alternate values begin in the scratch that both alternate arrays share, and bytes of all of it.
    pub fn scratch_bytes(&self, n: u64) -> (u64, u64) {
        if let DeviceAlgorithm::Bitonic { .. } = self.algorithm {
            return (0, 0);
        }
        let keys = n * u64::from(self.key.bytes());
        let values = if self.interleaves() { keys } else { keys.next_multiple_of(16) };
        (values, values + n * u64::from(self.value.bytes()))
    }

    /// Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it: those that these launches of
    /// a sort of n items use. In the header they are `zeroed_bytes(n)` and `workspace_bytes(n)`; `counting_bytes()` for both, of a
    /// counting sort.
    pub fn workspace_of(&self, n: u64, launches: &[Launch]) -> (u64, u64) {
        match self.algorithm {
            DeviceAlgorithm::Radix => {}
            DeviceAlgorithm::Sample => return (0, sample::workspace_bytes(self, n)),
            DeviceAlgorithm::Bitonic { .. } => return (0, bitonic::workspace_bytes(self, n)),
        }
        let has = |kernel| launches.iter().any(|launch| launch.kernel == kernel);
        let counters = if has(Kernel::Histogram) {
            (1 << 16) + u64::from(launch::HISTOGRAM_SEGMENTS)
        } else if has(Kernel::Expand) {
            0
        } else {
            self.tile_count(n) * u64::from(BINS)
        };
        let count = u64::from(self.count_type().bytes);
        let zeroed = u64::from(self.control_bytes()) + counters * count;
        if !self.sorts_msd_buckets() {
            return (zeroed, zeroed);
        }
        let cuts = u64::from(Self::max_msd_buckets(n)) + 1;
        (zeroed, (zeroed + cuts * count).next_multiple_of(16))
    }

    /// Tiles of an array of n items.
    fn tile_count(&self, n: u64) -> u64 {
        n.div_ceil(u64::from(self.tile_items()))
    }
}

/// With gaps of at most 16 behind 32 warps' items, the number of a slot has 16 bits.
const MAX_TILE_ITEMS: u32 = (1 << 16) - 512;

/// Descriptors of 32 bits have 30 for a number.
pub(crate) const MAX_NARROW_ITEMS: u64 = (1 << 30) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuned_shapes_are_legal_for_all_types() {
        // The most and the least that there is.
        for shared_bytes_per_block in [227 * 1024, 64 * 1024] {
            let device = Device { multiprocessors: 132, shared_bytes_per_block };
            for key in KeyType::ALL {
                for (value, _) in <ValueType as crate::types::Token>::table() {
                    for n in SMALL_N.into_iter().chain([(1 << 20) + 1, 1 << 31]) {
                        for nan_last in [false, true] {
                            let spec = DeviceSpec::tuned(
                                *key,
                                *value,
                                Order::Descending,
                                nan_last,
                                n,
                                device,
                            );
                            assert!(spec.shared_bytes() <= device.shared_bytes_per_block);
                            assert_eq!(spec.fields().validate(), Ok(spec), "{spec}");
                            assert!(spec.max_items() >= n, "{spec}");
                            assert_eq!(spec.to_string().parse(), Ok(spec));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_legal_is_named() {
        let fields =
            "device_radix_sort_u32_keys_b256_i8_asc".parse::<DeviceSpec>().expect("legal").fields();
        let error = |fields: DeviceFields| fields.validate().expect_err("not legal").to_string();
        assert_eq!(
            error(DeviceFields { threads: 200, ..fields }),
            "threads = 200 is not legal; legal: a multiple of 32 from 256 to 1024"
        );
        assert_eq!(
            error(DeviceFields { items: 0, ..fields }),
            "items = 0 is not legal; legal: 1 to 64"
        );
        assert!(error(DeviceFields { nan_last: true, ..fields }).starts_with("nanlast = true"));
        assert!(
            error(DeviceFields { key: KeyType::U128, items: 64, ..fields }).starts_with("tile")
        );
    }
}
