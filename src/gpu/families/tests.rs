//! What sorts take beside their arrays, held against what CUB takes, as it was recorded.

use std::fs;
use std::path::Path;

use sortsmith_benchkit::{Id, Library, Method, Record, Row, Types};
use sortsmith_codegen::{KeyType, Order, ValueType};

use super::*;
use crate::algorithm::ArrayAlgorithm;
use crate::gpu::scratch::Scratch;
use crate::value::{Carried, SortValue};

/// An H200, as the records are of it.
const H200: Device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };

/// What is sorted, and whether its keys are: `false` for positions.
fn sort_of(types: Types) -> (KeyType, Carried, bool) {
    let carried = match types.value {
        ValueType::None => <()>::CARRIED,
        value => Carried::As(value),
    };
    (types.key, carried, types.value != ValueType::Index)
}

fn task(key: KeyType, value: Carried, n: usize) -> Task {
    let bits = 0..key.bits();
    let algorithm = ArrayAlgorithm::Fastest;
    Task { key, value, order: Order::Ascending, bits, nan_last: false, algorithm, stable: true, n }
}

/// What the sort of the task takes.
fn scratch_of(task: &Task, writes_keys: bool) -> usize {
    let kernel = task.array_sort().kernel(task.n as u64, H200);
    scratch_bytes(&kernel, task, writes_keys, H200)
}

/// The rows of the newest record that say what CUB needs, and how much that is.
fn rows() -> Vec<(Row, usize)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/record/h200");
    let entries = fs::read_dir(&folder).expect("the records are there").flatten();
    let records = entries.map(|entry| entry.path());
    let is_of_devices = |it: &std::path::PathBuf| it.to_string_lossy().ends_with("-device.csv");
    let newest = records.filter(is_of_devices).max().expect("a record of whole arrays");
    let record = Record::read(&newest).expect("it is legal");
    let of_cub = record.rows.into_iter().filter(|row| row.id.contender.library == Library::Cub);
    of_cub.filter_map(|row| Some((row, row.temp_bytes? as usize))).collect()
}

/// So many bytes more are nothing: CUB sorts the shortest arrays by one block, and takes one byte.
const LITTLE: usize = 40 << 10;

/// CUB has a second array of the caller's to write to, and this crate sorts in place: that array counts as CUB's, as do the
/// sorted keys and the first positions of a sort that is asked for positions. Of sorts to another array the scratch is also
/// held against CUB's temporary storage alone.
#[test]
fn a_sort_takes_no_more_beside_its_arrays_than_cubs_does() {
    let rows = rows();
    assert!(rows.len() > 200, "{} rows", rows.len());
    let mut too_much = Vec::new();
    for (row, temp_bytes) in rows {
        let Id { case, contender } = row.id;
        let n = case.n as usize;
        let (key, value, writes_keys) = sort_of(case.types);
        let moved = key.bytes() + value.moved().bytes();
        let ours = scratch_of(&task(key, value, n), writes_keys);
        let mut compare = |theirs: usize, what: &str| {
            let words = format!(
                "{case} takes {ours} bytes, {contender} {theirs} {what}: {:.3}",
                ours as f64 / theirs as f64
            );
            println!("{words}");
            if ours as f64 > 1.05 * theirs as f64 && ours > theirs + LITTLE {
                too_much.push(words);
            }
        };
        compare(temp_bytes + n * moved as usize, "with its second array");
        if contender.method == Method::Into {
            compare(temp_bytes, "without");
        }
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}

#[test]
fn what_is_reserved_is_what_the_longest_sort_takes() {
    let carried = [<()>::CARRIED, u32::CARRIED, u128::CARRIED];
    for key in KeyType::ALL {
        for value in carried {
            for n in [3000, 100_003, 1_000_003, 5_000_011] {
                let all = task(*key, value, n);
                for bits in [0..key.bits(), 0..key.bits() - 1] {
                    let task = Task { bits: bits.clone(), ..all.clone() };
                    let kernel = task.array_sort().kernel(n as u64, H200);
                    let reserved = scratch_bytes(&kernel, &task, true, H200);
                    let most = match kernel {
                        KernelSpec::Tile(_) => n,
                        KernelSpec::Whole(spec) => {
                            let launches = spec.launches(n as u64, bits, H200);
                            let own = device_wide::scratch_bytes(&spec, &task, true, &launches);
                            assert!(reserved >= Scratch::bytes_of(own), "{n} keys of {key}");
                            // Counters of 16-bit keys are for keys that are not sorted by passes.
                            n.min(if spec.tallies() { 1 << 23 } else { n })
                        }
                    };
                    let array = most * (key.bytes() + value.moved().bytes()) as usize;
                    let overhead = array / 8 + n / 8 + (1 << 19);
                    assert!(reserved <= array + overhead, "{n} keys of {key}: {reserved} bytes");
                    // Fewer items take no more.
                    for fewer in [n - 1, n / 2 + 1, 2 * n / 3] {
                        let task = Task { n: fewer, ..task.clone() };
                        if task.array_sort().kernel(fewer as u64, H200) == kernel {
                            assert!(scratch_bytes(&kernel, &task, true, H200) <= reserved);
                        }
                    }
                }
            }
        }
    }
}
