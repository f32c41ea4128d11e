//! What the tests know of device-wide odd-even transposition sorts.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{DeviceAlgorithm, DeviceFields, DeviceSpec};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};

use crate::device_families::{DeviceFacts, legal};

pub(crate) struct Facts;

impl DeviceFacts for Facts {
    /// Each key once; values, orders and shapes in turn.
    fn covering_set(&self) -> Vec<DeviceSpec> {
        let shapes = [(32, 1), (64, 3), (32, 5), (96, 2)];
        let keys = KeyType::ALL.iter().enumerate();
        keys.map(|(number, key)| {
            let (value, _) = ValueType::table()[number % ValueType::table().len()];
            let (order, _) = Order::table()[number % 2];
            sort(*key, value, shapes[number % shapes.len()], order)
        })
        .collect()
    }

    fn fresh(&self, rng: &mut ChaCha8Rng) -> DeviceSpec {
        let key = *KeyType::ALL.choose(rng).expect("not empty");
        let (value, _) = *ValueType::table().choose(rng).expect("not empty");
        let (order, _) = *Order::table().choose(rng).expect("not empty");
        let shape = match rng.random_range(0..16) {
            0 => (1024, 1),
            _ => (32 * rng.random_range(1..=3), rng.random_range(1..=4)),
        };
        sort(key, value, shape, order)
    }

    fn rounds(&self, spec: &DeviceSpec) -> u32 {
        spec.tile_items()
    }

    /// Few of the usual sizes are as small as a tile.
    fn sizes(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
        (0..8).map(|_| rng.random_range(3..=spec.tile_items() as usize)).collect()
    }
}

fn sort(key: KeyType, value: ValueType, (threads, items): (u32, u32), order: Order) -> DeviceSpec {
    let algorithm = DeviceAlgorithm::OddEven;
    let (nan_last, wide, counted) = (false, false, false);
    legal(DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted })
}
