//! Sorts of host slices.

use half::f16;
use sortsmith::{Error, Order, SortKey, SortOptions, Sorter};
use sortsmith_codegen::KeyType;
use sortsmith_testkit::oracle::{self, Task};
use sortsmith_testkit::structured;

use crate::{Bytes, Target, message};

/// The target.
pub const TARGET: Target = Target { name: "host_sort", run, words, rounds: 600 };

/// A key type of each size and of each class: bytes to keys, and back.
const SORTS: [fn(&Case) -> Outcome; 5] = [
    |case| sorted(case, u8::from_le_bytes, u8::to_le_bytes),
    |case| sorted(case, f16::from_le_bytes, f16::to_le_bytes),
    |case| sorted(case, i32::from_le_bytes, i32::to_le_bytes),
    |case| sorted(case, f64::from_le_bytes, f64::to_le_bytes),
    |case| sorted(case, u128::from_le_bytes, u128::to_le_bytes),
];
const KEYS: [KeyType; SORTS.len()] =
    [KeyType::U8, KeyType::F16, KeyType::I32, KeyType::F64, KeyType::U128];

/// Which call sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Keys,
    Pairs,
    Argsort,
}

/// What is sorted, by which call.
#[derive(Debug)]
struct Case {
    call: Call,
    options: SortOptions,
    keys: Vec<u8>,
}

/// The error, if any, and the keys and positions after the call.
type Outcome = (Result<(), Error>, Vec<u8>, Vec<u32>);

/// The result is the oracle's, whatever the keys are; a range of bits that reaches past them is an error and changes nothing.
///
/// The first bytes are the type, the call, the order, whether NaNs come last, the range of bits and the number of keys; the
/// others describe the keys.
fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let which = bytes.below(KEYS.len());
    let (key, sort) = (KEYS[which], SORTS[which]);
    let width = oracle::describe(key).1;
    let call = [Call::Keys, Call::Pairs, Call::Argsort][bytes.below(3)];
    let order = if bytes.flag() { Order::Descending } else { Order::Ascending };
    let nan_last = bytes.flag();
    // A bit too far now and then, and all bits of the key often.
    let range = [bytes.byte(), bytes.byte()].map(|bit| u32::from(bit) % (width + 2));
    let (begin_bit, end_bit) = if bytes.flag() { (0, width) } else { range.into() };
    // Short ones are as frequent as long ones, and some are sorted by several threads.
    let n = usize::from(bytes.byte()) << bytes.below(10);
    let options = SortOptions::new().order(order).bits(begin_bit..end_bit);
    let options = if nan_last { options.nan_last() } else { options };
    let case = Case { call, options, keys: structured::keys(key, n, bytes.0) };
    let (result, keys, positions) = sort(&case);
    let unsorted: Vec<u32> = (0..n as u32).collect();
    match result {
        Ok(()) => {
            assert!(end_bit <= width, "{key}, {begin_bit}..{end_bit} is legal");
            // An empty range of bits, also one that ends before it begins, leaves all as it is.
            let end_bit = end_bit.max(begin_bit).min(width);
            let task = Task {
                order,
                begin_bit: begin_bit.min(end_bit),
                end_bit,
                nan_last,
                ..Task::new(key)
            };
            let expected = oracle::permutation(&task, &case.keys);
            let of_keys = oracle::gather(&case.keys, oracle::key_bytes(key), &expected);
            let keeps_keys = call == Call::Argsort;
            assert!(
                keys == *(if keeps_keys { &case.keys } else { &of_keys }),
                "keys: {key} {call:?} {options:?}"
            );
            let has_positions = call != Call::Keys;
            assert!(
                positions == if has_positions { expected } else { unsorted },
                "{key} {call:?} {options:?}"
            );
        }
        Err(error) => {
            assert!(matches!(error, Error::BitRange { .. }), "{error}");
            message::check(&error);
            assert!(end_bit > width || begin_bit > end_bit, "{error}");
            assert!(keys == case.keys && positions == unsorted, "{error}");
        }
    }
}

/// All that is compiled for each type of keys.
fn sorted<K: SortKey, const BYTES: usize>(
    case: &Case,
    read: fn([u8; BYTES]) -> K,
    write: fn(K) -> [u8; BYTES],
) -> Outcome {
    let (chunks, _) = case.keys.as_chunks();
    let mut keys: Vec<K> = chunks.iter().map(|bytes| read(*bytes)).collect();
    let mut positions: Vec<u32> = (0..keys.len() as u32).collect();
    let host = Sorter::host();
    let result = match case.call {
        Call::Keys => host.sort_with(&mut keys, case.options),
        Call::Pairs => host.sort_pairs_with(&mut keys, &mut positions, case.options),
        Call::Argsort => host.argsort_into_with(&keys, &mut positions, case.options),
    };
    (result, keys.into_iter().flat_map(write).collect(), positions)
}

fn words() -> Vec<String> {
    // Special numbers, steps and bits of the descriptions of keys.
    [
        "\0\0",
        "\u{1}\u{1}",
        "\u{3}\u{7f}\u{2}",
        "\u{4}\u{7f}\u{1}\u{7}",
        "\u{5}\u{7f}",
        "\u{6}\u{7f}\u{1f}",
    ]
    .map(str::to_owned)
    .to_vec()
}
