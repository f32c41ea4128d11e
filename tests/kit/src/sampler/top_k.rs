//! Top-ks: a fixed set, and fresh ones.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::top_k::{TopKFields, TopKSpec};
use sortsmith_codegen::{KeyClass, KeyType, Order};

/// All types of keys, both orders, one warp and several, one item a thread and more.
pub fn top_k_covering_set() -> Vec<TopKSpec> {
    let shapes = [(64, 2), (32, 1), (96, 3), (32, 4), (64, 1), (128, 2)];
    let keys = KeyType::ALL.iter().copied();
    let fields = keys.zip(shapes.into_iter().cycle()).enumerate();
    let spec = |(number, (key, (threads, items))): (usize, (KeyType, (u32, u32)))| {
        let order = if number % 2 == 0 { Order::Descending } else { Order::Ascending };
        let nan_last = key.info().class == KeyClass::Float && number % 3 > 0;
        legal(TopKFields { key, threads, items, order, nan_last })
    };
    fields.map(spec).collect()
}

/// Any top-k with a tile that is small enough for an emulator.
pub fn top_k(rng: &mut ChaCha8Rng) -> TopKSpec {
    let key = *KeyType::ALL.choose(rng).expect("not empty");
    let threads = 32 * rng.random_range(1..=5);
    let order = if rng.random() { Order::Descending } else { Order::Ascending };
    let nan_last = key.info().class == KeyClass::Float && rng.random();
    legal(TopKFields { key, threads, items: rng.random_range(1..=5), order, nan_last })
}

fn legal(fields: TopKFields) -> TopKSpec {
    fields.validate().unwrap_or_else(|error| panic!("{error}"))
}
