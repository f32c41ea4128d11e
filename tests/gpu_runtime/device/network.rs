//! Sorts by a network, of every type of key, beside the same sorts on the host.

use half::{bf16, f16};
use rand::RngExt;
use sortsmith::{ArrayAlgorithm, SortKey, SortOptions};
use sortsmith_codegen::device::BitonicSort;
use sortsmith_codegen::{KeyType, Order, ValueType};
use sortsmith_testkit::inputs::Keys as SmallKeys;

use super::check::{Case, Checker, keys_of};
use super::inputs::{Keys, Pattern};
use super::offsets;
use crate::{Setting, Test};

/// The tests; with small n under a sanitizer.
pub fn tests(sanitize: bool) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    macro_rules! of_keys {
        ($($key:ty)*) => {$(
            tests.push((concat!("network::", stringify!($key)).to_owned(), check_keys::<$key>));
        )*};
    }
    if sanitize {
        of_keys! { u8 f32 u128 }
        return tests;
    }
    of_keys! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool f16 bf16 f32 f64 }
    tests.push(("network::long_u32".to_owned(), check_long::<u32>));
    tests.push(("network::long_f64".to_owned(), check_long::<f64>));
    tests
}

fn by_network() -> SortOptions {
    SortOptions::new().algorithm(ArrayAlgorithm::Bitonic)
}

/// Around tiles, and around powers of two of them, after which a merge takes one step more.
fn check_keys<K: SortKey>(setting: &Setting) {
    let checker = Checker::new(setting);
    let mut rng = setting.seed.rng(&format!("network {}", K::KEY_TYPE));
    let tile = tile_items(&checker, K::KEY_TYPE);
    let around = |tiles: usize| [tiles * tile - 1, tiles * tile, tiles * tile + 1];
    let mut sizes = vec![2, 3, 31, rng.random_range(4..tile)];
    if setting.sanitize {
        sizes.truncate(2);
    }
    let all_tiles: &[usize] = if setting.sanitize { &[3] } else { &[1, 2, 3, 4, 16, 17, 33] };
    sizes.extend(all_tiles.iter().flat_map(|tiles| around(*tiles)));
    let distributions = SmallKeys::all(K::KEY_TYPE);
    for (number, n) in sizes.into_iter().enumerate() {
        let kind = distributions[number % distributions.len()];
        let options = if number % 2 == 0 { by_network() } else { by_network().descending() };
        let keys = keys_of::<K>(&kind.generate(K::KEY_TYPE, n, &mut rng));
        let case = Case::new(&keys, options, offsets(&mut rng), &format!("{kind:?}"));
        checker.all_of(&case);
        checker.unstable_pairs(&case);
    }
}

/// A length at which a merge takes several launches of steps over the array.
fn check_long<K: SortKey>(setting: &Setting) {
    let checker = Checker::new(setting);
    for n in [1 << 22, (1 << 24) + 12_345] {
        let keys = Keys { pattern: Pattern::Uniform, n, seed: setting.seed.0 }.all::<K>();
        let case = Case::new(&keys, by_network(), [0, 0], "long");
        checker.pairs::<K, ()>(&case);
        checker.pairs::<K, u32>(&case);
        checker.unstable_pairs(&case);
    }
}

fn tile_items(checker: &Checker, key: KeyType) -> usize {
    let (value, order) = (ValueType::None, Order::Ascending);
    BitonicSort::for_device(key, value, order, false, checker.device()).tile_items() as usize
}
