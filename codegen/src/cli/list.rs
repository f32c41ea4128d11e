//! `sortsmith list`.

use std::path::Path;

use serde::Serialize;
use sortsmith_codegen::device::{Device, DeviceAlgorithm, DeviceSpec};
use sortsmith_codegen::dispatch::{ArraySort, KernelSpec, Method};
use sortsmith_codegen::emit::Entry;
use sortsmith_codegen::{Arch, Family, KeyType, Order, Token, ValueType};

use super::args::{ListArgs, Listed};
use super::failure::Failure;
use super::{emit, output};

pub fn run(args: ListArgs) -> Result<(), Failure> {
    match args.algorithm {
        Some(Listed::Device(algorithm)) => device_sorts(&args, algorithm),
        Some(Listed::Block(family)) => of_matrix(args, Some(family)),
        None => of_matrix(args, None),
    }
}

fn of_matrix(args: ListArgs, family: Option<Family>) -> Result<(), Failure> {
    if args.arch.is_some() {
        let message = "--arch is given without a device-wide sort; legal: with --algorithm device-radix, device-sample or device-bitonic";
        return Err(Failure::request(message));
    }
    let path = args.matrix.unwrap_or_else(|| Path::new("default").to_owned());
    let (mut headers, _) = emit::read_matrix(&path)?;
    if let Some(family) = family {
        headers.retain(|header| header.spec.algorithm.family() == family);
    }
    if args.json {
        output::print_json(&headers.iter().map(Entry::of).collect::<Vec<_>>())
    } else {
        let names: Vec<String> =
            headers.iter().map(|header| header.spec.to_string() + "\n").collect();
        output::print(&names.concat())
    }
}

/// A device-wide sort, and what it is used for.
#[derive(Serialize)]
struct DeviceSortEntry {
    name: String,
    algorithm: &'static str,
    key: KeyType,
    value: ValueType,
    order: Order,
    nan_last: bool,
    threads: u32,
    items: u32,
    tile_items: u32,
    stable: bool,
    /// The most shared memory of a block.
    shared_bytes: u32,
    /// The most items that it takes.
    max_items: u64,
    /// The most items that programs use it for.
    used_up_to: u64,
}

impl DeviceSortEntry {
    fn of(spec: &DeviceSpec, most: u64) -> Self {
        Self {
            name: spec.to_string(),
            algorithm: spec.algorithm.token(),
            key: spec.key,
            value: spec.value,
            order: spec.order,
            nan_last: spec.nan_last,
            threads: spec.threads,
            items: spec.items,
            tile_items: spec.tile_items(),
            stable: spec.is_stable(),
            shared_bytes: spec.shared_bytes(),
            max_items: spec.max_items(),
            used_up_to: most.min(spec.max_items()),
        }
    }
}

/// All that the runtime uses on devices of an architecture.
fn device_sorts(args: &ListArgs, algorithm: DeviceAlgorithm) -> Result<(), Failure> {
    if let Some(path) = &args.matrix {
        return Err(Failure::request(format!(
            "--matrix {} is given with {}; legal: with block sorts, for no matrix has device-wide ones",
            path.display(),
            algorithm.token()
        )));
    }
    let arch = args.arch.map_or_else(|| Arch::new(90), Ok)?;
    let entries = entries(algorithm, arch);
    if args.json {
        return output::print_json(&entries);
    }
    let names: Vec<String> = entries.into_iter().map(|entry| entry.name + "\n").collect();
    output::print(&names.concat())
}

/// The sorts of these types whose kernels may be of the algorithm.
fn kinds(sort: ArraySort, algorithm: DeviceAlgorithm) -> Vec<ArraySort> {
    match algorithm {
        DeviceAlgorithm::Radix | DeviceAlgorithm::Sample => vec![sort, sort.nan_last()],
        DeviceAlgorithm::Bitonic { .. } => {
            let methods = [false, true].map(|stable| Method::Network { stable });
            // What is not read has no sort of its own that is stable.
            let count = if sort.value.is_read() { 2 } else { 1 };
            methods[..count].iter().map(|method| sort.method(*method)).collect()
        }
    }
}

fn entries(algorithm: DeviceAlgorithm, arch: Arch) -> Vec<DeviceSortEntry> {
    let mut entries = Vec::new();
    for key in KeyType::ALL {
        for (value, _) in ValueType::table() {
            for order in [Order::Ascending, Order::Descending] {
                let sort = ArraySort::pairs(*key, *value).order(order);
                for sort in kinds(sort, algorithm) {
                    for (most, kernel) in sort.table(Device::of(arch)) {
                        match kernel {
                            // Keys without NaNs have no sort of their own for NaNs that come last.
                            KernelSpec::DeviceWide(spec)
                                if spec.algorithm.token() == algorithm.token()
                                    && spec.nan_last == sort.nan_last =>
                            {
                                entries.push(DeviceSortEntry::of(&spec, most));
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }
    entries
}
