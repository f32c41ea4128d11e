//! A sort on the device beside the same sort on the host.

use std::borrow::Cow;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use rayon::prelude::*;
use sortsmith::tuning::Tuning;
use sortsmith::{ArrayAlgorithm, SortKey, SortOptions, SortValue, Sorter};
use sortsmith_codegen::device::{Device, DeviceSpec};
use sortsmith_codegen::{KeyType, Order, ValueType};
use sortsmith_testkit::oracle;

use super::FEW;
use super::inputs::value_at;
use crate::Setting;
use crate::data::{Items, task_of};

/// Up to this number of keys the host's result is compared with the oracle's.
const ORACLE_MAX: usize = 40_000;

/// A sorter on a stream of its own.
pub struct Checker {
    stream: Arc<CudaStream>,
    sorter: Sorter,
    device: Device,
}

/// An input and the expected output.
pub struct Case<'a, K> {
    keys: &'a [K],
    options: SortOptions,
    /// Where the keys and the values begin, in items past an aligned address.
    offsets: [usize; 2],
    words: String,
    positions: Vec<u32>,
    sorted: Vec<K>,
}

impl<'a, K: SortKey> Case<'a, K> {
    /// Sorts on the host.
    pub fn new(keys: &'a [K], options: SortOptions, offsets: [usize; 2], words: &str) -> Self {
        let mut positions = vec![0; keys.len()];
        Sorter::host().argsort_into_with(keys, &mut positions, options).unwrap();
        let words = format!("{} keys of {}, {words}, {options:?}", keys.len(), K::KEY_TYPE);
        // The oracle knows nothing of NaNs that come last.
        if keys.len() <= ORACLE_MAX && !options.is_nan_last() {
            let expected = oracle::permutation(&task_of::<K>(&options), bytes_of(keys));
            assert!(positions == expected, "on the host: {words}");
        }
        let sorted = positions.par_iter().map(|position| keys[*position as usize]).collect();
        Self { keys, options, offsets, words, positions, sorted }
    }

    /// The keys as they are sorted where nothing goes with them: by a network, zeros are in the order of their signs.
    fn sorted_alone(&self) -> Cow<'_, [K]> {
        if self.options.get_algorithm() != ArrayAlgorithm::Bitonic {
            return Cow::Borrowed(&self.sorted);
        }
        let mut keys = self.keys.to_vec();
        Sorter::host().sort_with(&mut keys, self.options).unwrap();
        Cow::Owned(keys)
    }

    fn upload<T: Copy>(&self, checker: &Checker, array: usize, items: &[T]) -> Items {
        Items::holding_at(self.offsets[array] * size_of::<T>(), &checker.stream, bytes_of(items))
    }

    fn compare<T: Copy>(&self, what: &str, found: &Items, expected: &[T]) {
        let (found, expected) = (found.read(), bytes_of(expected));
        let first = || found.iter().zip(expected).position(|(a, b)| a != b);
        assert!(
            found == expected,
            "{what} at {:?}: {}, offsets {:?}",
            first().map(|byte| byte / size_of::<T>()),
            self.words,
            self.offsets
        );
    }
}

impl Checker {
    /// A stream and its sorter.
    pub fn new(setting: &Setting) -> Self {
        let stream = setting.context.new_stream().unwrap();
        Self { sorter: Sorter::on(&stream).unwrap(), stream, device: setting.device }
    }

    /// The same by a tuning.
    pub fn with_tuning(setting: &Setting, tuning: Tuning) -> Self {
        let stream = setting.context.new_stream().unwrap();
        let sorter = Sorter::with_tuning(&stream, tuning).unwrap();
        Self { sorter, stream, device: setting.device }
    }

    /// Items of a tile of the radix sort of these types.
    pub fn tile_items<K: SortKey>(&self, value: ValueType) -> usize {
        let (order, many) = (Order::Ascending, FEW as u64 + 1);
        let spec = DeviceSpec::tuned(K::KEY_TYPE, value, order, false, many, self.device);
        spec.tile_items() as usize
    }

    /// Sorts the keys with values of this type; `()`: without.
    pub fn pairs<K: SortKey, V: SortValue>(&self, case: &Case<'_, K>) {
        let mut keys = case.upload(self, 0, case.keys);
        if V::CARRIED.moved() == ValueType::None {
            keys.call(|keys| self.sorter.sort_with::<K>(keys, case.options)).unwrap();
            return case.compare("keys", &keys, &case.sorted_alone());
        }
        let all: Vec<V> = (0..case.keys.len()).into_par_iter().map(value_at).collect();
        let mut values = case.upload(self, 1, &all);
        keys.call(|keys| {
            values.call(|values| self.sorter.sort_pairs_with::<K, V>(keys, values, case.options))
        })
        .unwrap();
        case.compare("keys of pairs", &keys, &case.sorted);
        let expected: Vec<V> =
            case.positions.par_iter().map(|position| value_at(*position as usize)).collect();
        case.compare("values", &values, &expected);
    }

    /// Sorts the keys with values of this type to another slice; `()` for none.
    pub fn pairs_into<K: SortKey, V: SortValue>(&self, case: &Case<'_, K>) {
        let n = case.keys.len();
        let mut keys = case.upload(self, 0, case.keys);
        // The previous content differs from the expected output.
        let others: Vec<K> = case.sorted.iter().rev().copied().collect();
        let mut sorted = case.upload(self, 0, &others);
        let options = case.options;
        if V::CARRIED.moved() == ValueType::None {
            keys.call(|keys| {
                sorted.call(|sorted| self.sorter.sort_into_with::<K>(keys, sorted, options))
            })
            .unwrap();
            case.compare("keys elsewhere", &sorted, &case.sorted_alone());
        } else {
            let all: Vec<V> = (0..n).into_par_iter().map(value_at).collect();
            let mut values = case.upload(self, 1, &all);
            let others: Vec<V> = all.iter().rev().copied().collect();
            let mut sorted_values = case.upload(self, 1, &others);
            keys.call(|keys| {
                values.call(|values| {
                    sorted.call(|sorted| {
                        sorted_values.call(|sorted_values| {
                            self.sorter.sort_pairs_into_with::<K, V>(
                                keys,
                                values,
                                sorted,
                                sorted_values,
                                options,
                            )
                        })
                    })
                })
            })
            .unwrap();
            let expected: Vec<V> =
                case.positions.par_iter().map(|position| value_at(*position as usize)).collect();
            case.compare("values elsewhere", &sorted_values, &expected);
            case.compare("values that were sorted elsewhere", &values, &all);
            case.compare("keys elsewhere", &sorted, &case.sorted);
        }
        case.compare("keys that were sorted elsewhere", &keys, case.keys);
    }

    /// Sorts positions.
    pub fn argsort<K: SortKey>(&self, case: &Case<'_, K>) {
        let mut keys = case.upload(self, 0, case.keys);
        let mut positions = case.upload(self, 1, &vec![u32::MAX; case.keys.len()]);
        keys.call(|keys| {
            positions
                .call(|positions| self.sorter.argsort_into_with::<K>(keys, positions, case.options))
        })
        .unwrap();
        case.compare("positions", &positions, &case.positions);
        case.compare("keys after an argsort", &keys, case.keys);
    }

    /// Sorts the keys with their positions as values, where pairs of equal keys may come in any order.
    pub fn unstable_pairs<K: SortKey>(&self, case: &Case<'_, K>) {
        let n = case.keys.len();
        let mut keys = case.upload(self, 0, case.keys);
        let all: Vec<u32> = (0..n).map(|position| u32::try_from(position).unwrap()).collect();
        let mut values = case.upload(self, 1, &all);
        keys.call(|keys| {
            values.call(|values| {
                self.sorter.sort_pairs_unstable_with::<K, u32>(keys, values, case.options)
            })
        })
        .unwrap();
        let values: Vec<u32> = bytemuck::pod_collect_to_vec(&values.read());
        // Each key is the one that its value says, and they are in the right order: zeros of both signs are equal.
        let moved: Vec<K> = values.iter().map(|position| case.keys[*position as usize]).collect();
        case.compare("keys of unstable pairs", &keys, &moved);
        let compared = |keys: &[K]| -> Vec<K::Bits> {
            keys.iter().map(|key| key.to_compared_bits()).collect()
        };
        assert!(compared(&moved) == compared(&case.sorted), "order of {}", case.words);
        let mut positions = values;
        positions.sort_unstable();
        assert!(positions == all, "values of {}", case.words);
    }

    /// The device that kernels are chosen for.
    pub fn device(&self) -> Device {
        self.device
    }

    /// All checks for values of most sizes.
    pub fn all_of<K: SortKey>(&self, case: &Case<'_, K>) {
        // Alternately in place and not.
        if case.keys.len().is_multiple_of(2) {
            self.pairs::<K, ()>(case);
            self.pairs_into::<K, u32>(case);
            self.pairs::<K, u64>(case);
        } else {
            self.pairs_into::<K, ()>(case);
            self.pairs::<K, u32>(case);
            self.pairs_into::<K, u64>(case);
        }
        self.argsort(case);
    }
}

/// Keys or values as they lie in memory.
pub fn bytes_of<T: Copy>(items: &[T]) -> &[u8] {
    // SAFETY: these are keys, which are numbers and `bool`s, or plain values: no padding.
    unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), size_of_val(items)) }
}

/// The keys that lie in memory so.
pub fn keys_of<K: SortKey>(bytes: &[u8]) -> Vec<K> {
    assert!(K::KEY_TYPE != KeyType::Bool || bytes.iter().all(|byte| *byte <= 1));
    // SAFETY: each chunk has the bytes of a key, and all bytes are keys, but for `bool`, where they are 0 and 1.
    let key = |chunk: &[u8]| unsafe { chunk.as_ptr().cast::<K>().read_unaligned() };
    bytes.chunks_exact(size_of::<K>()).map(key).collect()
}
