//! What the tests know of device-wide sorts by a network.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{BitonicSort, Device, DeviceAlgorithm, DeviceFields, DeviceSpec};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};

use crate::device_families::{DeviceFacts, legal};

pub(crate) struct Facts;

impl DeviceFacts for Facts {
    /// Each key once; values, orders and shapes in turn, stable and not.
    fn covering_set(&self) -> Vec<DeviceSpec> {
        let shapes = [(64, 1), (64, 2), (128, 2), (64, 4), (128, 1), (64, 8)];
        let keys = KeyType::ALL.iter().enumerate();
        keys.map(|(number, key)| {
            let (value, _) = ValueType::table()[number % ValueType::table().len()];
            let (order, _) = Order::table()[number % 2];
            sort((*key, value), shapes[number % shapes.len()], order, number % 5 < 2)
        })
        .collect()
    }

    /// Of small tiles most often, which need long merges soon, now and then of the shape that programs use.
    fn fresh(&self, rng: &mut ChaCha8Rng) -> DeviceSpec {
        let key = *KeyType::ALL.choose(rng).expect("not empty");
        let (value, _) = *ValueType::table().choose(rng).expect("not empty");
        let (order, _) = *Order::table().choose(rng).expect("not empty");
        let stable = rng.random_ratio(1, 3);
        let threads = *[64, 64, 64, 128, 256].choose(rng).expect("not empty");
        match rng.random_range(0..24) {
            0 => {
                let device = Device { multiprocessors: 132, shared_bytes_per_block: 64 * 1024 };
                BitonicSort::for_device(key, value, order, stable, device)
            }
            _ => sort((key, value), (threads, 1 << rng.random_range(0..=3)), order, stable),
        }
    }

    /// Each thread takes about as many exchanges through shared memory as the tile has items, by their logarithms.
    fn rounds(&self, spec: &DeviceSpec) -> u32 {
        spec.tile_items().ilog2()
    }

    fn runs_longer_than_it_compiles(&self) -> bool {
        true
    }

    /// Merges of as many steps as one launch takes, and of more.
    fn sizes(&self, spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let tile = spec.tile_items() as usize;
        let least = if tile > 256 { 4 } else { 16 };
        let runs = [4 * tile, least * tile, least * tile + tile / 2, (least + 1) * tile];
        let mut sizes: Vec<usize> = runs.iter().flat_map(|run| [run - 1, *run, run + 1]).collect();
        sizes.push(rng.random_range(1..=2 * least * tile));
        sizes
    }
}

fn sort(
    (key, value): (KeyType, ValueType),
    (threads, items): (u32, u32),
    order: Order,
    stable: bool,
) -> DeviceSpec {
    let algorithm = DeviceAlgorithm::Bitonic { stable: stable && value.is_read() };
    let (nan_last, wide) = (false, false);
    let counted = false;
    legal(DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn sorts_by_networks_are_of_all_types() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let specs: Vec<DeviceSpec> = (0..1500).map(|_| Facts.fresh(&mut rng)).collect();
        let kinds: HashSet<_> = specs.iter().map(|spec| (spec.key, spec.value)).collect();
        assert_eq!(kinds.len(), 17 * 7);
        let fixed = Facts.covering_set();
        let kinds = |what: fn(&DeviceSpec) -> String| -> usize {
            fixed.iter().map(what).collect::<HashSet<_>>().len()
        };
        assert_eq!([kinds(|it| it.key.to_string()), kinds(|it| it.value.to_string())], [17, 7]);
        let stable =
            |spec: &&DeviceSpec| spec.algorithm == DeviceAlgorithm::Bitonic { stable: true };
        assert!((3..10).contains(&fixed.iter().filter(stable).count()));
    }
}
