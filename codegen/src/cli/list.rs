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
        Some(Listed::Tile(family)) => of_matrix(args, Some(family)),
        None => of_matrix(args, None),
    }
}

fn of_matrix(args: ListArgs, family: Option<Family>) -> Result<(), Failure> {
    if args.arch.is_some() {
        let [others @ .., last] = DeviceAlgorithm::ALL.map(DeviceAlgorithm::token);
        let others = others.join(", ");
        return Err(Failure::request(format!(
            "--arch is given without a device-wide sort; legal: with --algorithm {others} or {last}"
        )));
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

/// The sorts of these types and this order, by all options and methods.
fn kinds(sort: ArraySort) -> [ArraySort; 8] {
    let nan_last = sort.nan_last();
    let network = |stable| sort.method(Method::Network { stable });
    let [partition, partition_nan_last] = [sort, nan_last].map(|it| it.method(Method::Partition));
    [
        sort,
        nan_last,
        sort.by_bits(),
        nan_last.by_bits(),
        network(false),
        network(true),
        partition,
        partition_nan_last,
    ]
}

fn entries(algorithm: DeviceAlgorithm, arch: Arch) -> Vec<DeviceSortEntry> {
    let mut entries: Vec<DeviceSortEntry> = Vec::new();
    for key in KeyType::ALL {
        for (value, _) in ValueType::table() {
            for order in [Order::Ascending, Order::Descending] {
                let sorts = kinds(ArraySort::pairs(*key, *value).order(order));
                let used = sorts.into_iter().flat_map(|sort| device_wide(sort, arch));
                // What several of these sorts use is listed once, up to the most items that any uses it for.
                let mut specs: Vec<(u64, DeviceSpec)> = Vec::new();
                for (most, spec) in used.filter(|(_, it)| it.algorithm.token() == algorithm.token())
                {
                    match specs.iter_mut().find(|(_, listed)| *listed == spec) {
                        Some((listed, _)) => *listed = most.max(*listed),
                        None => specs.push((most, spec)),
                    }
                }
                entries.extend(specs.iter().map(|(most, spec)| DeviceSortEntry::of(spec, *most)));
            }
        }
    }
    entries
}

/// The device-wide sorts that an array sort uses, each with the most items that it is used for.
fn device_wide(sort: ArraySort, arch: Arch) -> impl Iterator<Item = (u64, DeviceSpec)> {
    sort.table(Device::of(arch)).into_iter().filter_map(|(most, kernel)| match kernel {
        KernelSpec::DeviceWide(spec) => Some((most, spec)),
        KernelSpec::Tile(_) => None,
    })
}
