//! What the tests know of sorts of rows by counting.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{DeviceAlgorithm, DeviceFields, DeviceSpec};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};

use crate::device_cases::{DeviceCase, How, case_of_keys};
use crate::device_families::{DeviceFacts, OwnCases, legal};
use crate::inputs::Keys;

/// The types of keys of 16 bits.
const KEYS: [KeyType; 4] = [KeyType::U16, KeyType::I16, KeyType::F16, KeyType::Bf16];

/// Shapes of the fixed set: the last two sort rows in which counters may overflow.
const SHAPES: [(u32, u32); 5] = [(64, 8), (128, 16), (64, 24), (128, 56), (512, 16)];

/// More keys than a counter counts.
const OVERFLOWING: usize = 1 << 16;

pub(crate) struct Facts;

impl DeviceFacts for Facts {
    /// Each key with each shape; orders in turn.
    fn covering_set(&self) -> Vec<DeviceSpec> {
        let number = |number: usize| {
            let (order, _) = Order::table()[number / KEYS.len() % 2];
            let counted = number % 4 == 1;
            sort(KEYS[number % KEYS.len()], SHAPES[number % SHAPES.len()], (order, counted))
        };
        (0..KEYS.len() * SHAPES.len()).map(number).collect()
    }

    /// Of a small tile most often, now and then of the shape that programs use.
    fn fresh(&self, rng: &mut ChaCha8Rng) -> DeviceSpec {
        let key = *KEYS.choose(rng).expect("not empty");
        let (order, _) = *Order::table().choose(rng).expect("not empty");
        let shape = match rng.random_range(0..16) {
            0 => (1024, 48),
            1 => (1024, 16),
            _ => (*[64, 64, 128, 256].choose(rng).expect("not empty"), 8 * rng.random_range(1..=8)),
        };
        sort(key, shape, (order, rng.random_ratio(1, 4)))
    }

    /// A block goes over the bins of all keys three times, whatever the row has.
    fn rounds(&self, spec: &DeviceSpec) -> u32 {
        3 * (1 << spec.key.bits()) / spec.tile_items() + 1
    }

    fn runs_longer_than_it_compiles(&self) -> bool {
        true
    }

    /// More keys than a block loads at once, and several tiles.
    fn sizes(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let most = spec.max_items().min(20_000) as usize;
        vec![most, most - 1, rng.random_range(most / 2..=most)]
    }

    /// The shapes that programs use, which leave a thread 64 registers.
    fn without_local_memory(&self) -> Vec<(DeviceSpec, u32)> {
        let of_key = |key| {
            let orders = Order::table().iter().map(|(order, _)| *order);
            let both = orders.flat_map(|order| [(order, false), (order, true)]);
            both.flat_map(move |ways| {
                [(sort(key, (1024, 48), ways), 90), (sort(key, (1024, 16), ways), 80)]
            })
        };
        KEYS.into_iter().flat_map(of_key).collect()
    }

    /// Zeros of both signs, and counters that overflow in rows that may be as long.
    fn cases(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> OwnCases {
        let mut first = vec![zeros(spec, rng)];
        if spec.max_items() >= (OVERFLOWING + OVERFLOWING / 8) as u64 {
            first.extend([0, 5, OVERFLOWING / 8].map(|it| overflowing(spec, it, rng)));
        }
        first.extend((spec.max_items() >= 100_000).then(|| overflowing_at_once(spec, rng)));
        OwnCases { first, last: Vec::new() }
    }
}

/// Two rows side by side of nothing but zeros, as floats, that begin and end within a vector, but for the second one's first key, which is
/// gone where zeros behind the first row are taken for its own.
fn zeros(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> DeviceCase {
    const COLUMNS: usize = 1003;
    let mut keys = [(); 2 * COLUMNS].map(|()| if rng.random() { 0x8000u16 } else { 0 });
    keys[COLUMNS] = 1;
    let keys = keys.into_iter().flat_map(u16::to_le_bytes).collect();
    let how = How { rows: 2, in_place: true, ..How::by_bits(0..spec.key.bits()) };
    case_of_keys(spec, Keys::Zeros, keys, how, rng).showing("neighbouring rows of zeros")
}

/// A case of a key that is there [`OVERFLOWING`] times, among others, which are the same but for its sign or any.
fn overflowing(spec: &DeviceSpec, others: usize, rng: &mut ChaCha8Rng) -> DeviceCase {
    // Zeros of either sign, the largest integer and the smallest one among them.
    let frequent = *[0u16, 0x8000, 0x7fff, 0x1234].choose(rng).expect("not empty");
    let mut keys = vec![frequent; OVERFLOWING];
    for number in 0..others {
        let other = if number % 2 == 0 { rng.random() } else { frequent ^ 0x8000 };
        keys.insert(rng.random_range(0..=keys.len()), other);
    }
    let how =
        How { in_place: rng.random(), aligned: rng.random(), ..How::by_bits(0..spec.key.bits()) };
    let keys = keys.into_iter().flat_map(u16::to_le_bytes).collect();
    case_of_keys(spec, Keys::AllEqual, keys, how, rng).showing("a counter that overflows")
}

/// A case of two counters that overflow between the same barriers, one of them twice.
fn overflowing_at_once(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> DeviceCase {
    let pairs = (0..OVERFLOWING / 2 + 5).flat_map(|_| [0x8000u16, 0x4001]);
    let keys = pairs.chain((0..OVERFLOWING / 2).map(|_| 0x8000)).flat_map(u16::to_le_bytes);
    let how = How::by_bits(0..spec.key.bits());
    let case = case_of_keys(spec, Keys::FewDistinct, keys.collect(), how, rng);
    case.showing("counters that overflow at once")
}

fn sort(key: KeyType, (threads, items): (u32, u32), (order, counted): (Order, bool)) -> DeviceSpec {
    let (algorithm, value) = (DeviceAlgorithm::Counting, ValueType::None);
    let (nan_last, wide) = (false, false);
    legal(DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted })
}
