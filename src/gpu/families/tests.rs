//! The scratch of sorts, compared with the recorded temporary storage of CUB's.

use std::fs;
use std::path::Path;

use sortsmith_codegen::{KeyType, Order, Token as _, ValueType};

use super::*;
use crate::algorithm::ArrayAlgorithm;
use crate::gpu::scratch::Scratch;
use crate::value::{Carried, SortValue};

/// An H200, on which the records were measured.
const H200: Device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };

/// A row of a record: what CUB sorted, and the temporary storage that it needs.
struct PeerRow {
    key: KeyType,
    value: ValueType,
    n: usize,
    method: String,
    temp_bytes: usize,
}

impl PeerRow {
    /// The row of these fields, if it is CUB's and says what it needs.
    fn of(columns: &[&str], fields: &[&str]) -> Option<Self> {
        let field = |name| fields[columns.iter().position(|it| *it == name).expect("a column")];
        let (key, value) = field("types").split_once('_').expect("two types");
        let of_cub = field("library") == "cub" && !field("temp_bytes").is_empty();
        of_cub.then(|| Self {
            key: KeyType::from_token(key).expect("a type of keys"),
            value: ValueType::from_token(value).expect("a type of values"),
            n: field("n").parse().expect("a number"),
            method: field("method").to_owned(),
            temp_bytes: field("temp_bytes").parse().expect("a number"),
        })
    }

    fn carried(&self) -> Carried {
        match self.value {
            ValueType::None => <()>::CARRIED,
            value => Carried::As(value),
        }
    }
}

fn task(key: KeyType, value: Carried, n: usize) -> Task {
    let (order, bits, algorithm) = (Order::Ascending, 0..key.bits(), ArrayAlgorithm::Fastest);
    let (nan_last, stable, counted) = (false, true, false);
    Task { key, value, order, bits, nan_last, algorithm, stable, counted, n }
}

/// What the sort of the task takes.
fn scratch_of(task: &Task, writes_keys: bool) -> usize {
    let kernel = task.array_sort().kernel(task.n as u64, H200);
    scratch_bytes(&kernel, task, writes_keys, H200)
}

/// The rows of the newest record that say what CUB needs.
fn rows() -> Vec<PeerRow> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/record/h200");
    let entries = fs::read_dir(&folder).expect("the records are there").flatten();
    let records = entries.map(|entry| entry.path());
    let is_of_devices = |it: &std::path::PathBuf| it.to_string_lossy().ends_with("-device.csv");
    let newest = records.filter(is_of_devices).max().expect("a record of device-wide sorts");
    let text = fs::read_to_string(&newest).expect("it can be read");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().expect("the columns").split(',').collect();
    let rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter_map(|fields| PeerRow::of(&columns, &fields)).collect()
}

/// A difference in bytes that does not count: CUB sorts the shortest arrays by one block, and takes one byte.
const LITTLE: usize = 40 << 10;

/// CUB writes to a second array of the caller's, and this crate sorts in place: that array counts as CUB's, as do the sorted keys and
/// the initial positions of an argsort. The scratch of sorts to another array is also compared with CUB's temporary storage alone.
#[test]
fn a_sort_takes_no_more_scratch_than_cubs() {
    let rows = rows();
    assert!(rows.len() > 200, "{} rows", rows.len());
    let mut too_much = Vec::new();
    for row in rows {
        let PeerRow { key, value, n, temp_bytes, .. } = row;
        let carried = row.carried();
        let moved = key.bytes() + carried.moved().bytes();
        let ours = scratch_of(&task(key, carried, n), value != ValueType::Index);
        let mut compare = |theirs: usize, what: &str| {
            let text = format!(
                "{key}_{value} n={n} takes {ours} bytes, CUB {theirs} {what}: {:.3}",
                ours as f64 / theirs as f64
            );
            println!("{text}");
            if ours as f64 > 1.05 * theirs as f64 && ours > theirs + LITTLE {
                too_much.push(text);
            }
        };
        compare(temp_bytes + n * moved as usize, "with its second array");
        if row.method == "into" {
            compare(temp_bytes, "without");
        }
    }
    assert!(too_much.is_empty(), "{too_much:#?}");
}

#[test]
fn the_reserved_scratch_suffices_for_fewer_items() {
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
                        KernelSpec::DeviceWide(spec) => {
                            let launches = spec.launches(n as u64, bits.clone(), H200);
                            let own = device_wide::scratch_bytes(&spec, &task, true, &launches);
                            assert!(reserved >= Scratch::bytes_of(own), "{n} keys of {key}");
                            let peaks = spec.scratch_peaks(n as u64, bits, H200);
                            peaks.into_iter().max().unwrap_or_default() as usize
                        }
                    };
                    let array = most * (key.bytes() + value.moved().bytes()) as usize;
                    let overhead = array / 8 + n / 8 + (1 << 19);
                    assert!(reserved <= array + overhead, "{n} keys of {key}: {reserved} bytes");
                    // Fewer items need no more.
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
