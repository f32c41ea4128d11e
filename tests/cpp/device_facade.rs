//! The facade of device-wide sorts: its host's part makes the launches that Rust makes, and nvcc takes it in two files of a program.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::mem::offset_of;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use sortsmith_codegen::device::{
    Arguments, Device, DeviceAlgorithm, DeviceSpec, Kernel, KernelBlock, Launch, RadixSort,
};
use sortsmith_codegen::dispatch::{ArraySort, KernelSpec};
use sortsmith_codegen::render::{DEVICE_FACADE_FILE, DeviceFacade};
use sortsmith_codegen::{Arch, KeyType, Order, ValueType};
use sortsmith_testkit::emulator::supplied_parts;
use sortsmith_testkit::{cores, seed};

use super::{
    assert_success, emulator, folder, host_compiler, link_two_files, nvcc, proofs, run, source,
};

/// Lengths at which sorts change, and around them.
const LENGTHS: [u64; 18] = [
    0,
    1,
    512,
    513,
    2049,
    4097,
    1 << 17,
    (1 << 17) + 1,
    (1 << 18) - 1,
    1 << 18,
    (1 << 19) + 1,
    1 << 20,
    1_500_000,
    3_000_000,
    1 << 24,
    1 << 28,
    (1 << 30) - 1,
    1 << 31,
];

/// Lengths of sorts that are run in the emulator.
const RUN_LENGTHS: [u64; 5] = [1, 500, 1999, 3001, 140_001];

pub(crate) fn facade(key: KeyType, value: ValueType, arch: u32) -> DeviceFacade {
    let orders = vec![Order::Ascending, Order::Descending];
    DeviceFacade { key, value, orders, arch: Arch::new(arch).expect("known") }
}

/// The fields of a struct that is a key.
pub(crate) fn hits() -> KeyType {
    "u32+f32+u8".parse().expect("fields")
}

/// What sorts by samples share in a header: the largest has the kernels of samples and buckets of all.
pub(crate) struct Shared {
    largest: Option<DeviceSpec>,
}

impl Shared {
    fn of(facade: &DeviceFacade, order: Order) -> Self {
        let sort = ArraySort::pairs(facade.key, facade.value).order(order).by_bits();
        Self::of_table(sort.table(Device::of(facade.arch)))
    }

    /// That of the sorts of all lengths.
    pub(crate) fn of_table(table: Vec<(u64, KernelSpec)>) -> Self {
        let by_samples: Vec<DeviceSpec> = table
            .into_iter()
            .filter_map(|(_, kernel)| match kernel {
                KernelSpec::DeviceWide(spec) if is_by_samples(&spec) => Some(spec),
                _ => None,
            })
            .collect();
        let largest = by_samples.last().filter(|_| by_samples.len() > 1).copied();
        Self { largest }
    }

    /// The sort that has the kernel of a sort.
    pub(crate) fn owner(&self, spec: &DeviceSpec, kernel: Kernel) -> DeviceSpec {
        let is_shared = is_by_samples(spec) && kernel.suffix() != "_split";
        self.largest.filter(|_| is_shared).unwrap_or(*spec)
    }

    pub(crate) fn name(&self, spec: &DeviceSpec, kernel: Kernel) -> String {
        let owner = self.owner(spec, kernel);
        let ending = match self.largest {
            Some(largest) if largest == owner => "_shared",
            Some(_) if is_by_samples(&owner) => "_tiles",
            _ => "",
        };
        format!("{owner}{ending}{}", kernel.suffix())
    }

    /// The kernel's block, with what the launch of its owner has of shared memory.
    pub(crate) fn block(&self, spec: &DeviceSpec, device: Device, launch: &Launch) -> KernelBlock {
        let owner = self.owner(spec, launch.kernel);
        let of_launch = KernelBlock { kernel: launch.kernel, shared_bytes: launch.shared_bytes };
        let kernels = owner.kernels(device);
        let of_owner = kernels.into_iter().find(|it| it.kernel == launch.kernel);
        of_owner.filter(|_| owner != *spec).unwrap_or(of_launch)
    }
}

fn is_by_samples(spec: &DeviceSpec) -> bool {
    matches!(spec.algorithm, DeviceAlgorithm::Sample { .. })
}

/// A call of the facade on a device.
#[derive(Clone, Copy)]
struct Case {
    n: u64,
    bits: [u32; 2],
    device: Device,
    order: Order,
    has_buffers: bool,
    /// Of a sort that is run, not 0.
    seed: u64,
}

impl Case {
    fn line(&self) -> String {
        let Self { n, bits: [begin, end], device, order, has_buffers, seed } = self;
        let Device { multiprocessors, shared_bytes_per_block } = device;
        let [descending, has_buffers] = [*order == Order::Descending, *has_buffers].map(i32::from);
        format!(
            "{n} {begin} {end} {multiprocessors} {shared_bytes_per_block} {descending} {has_buffers} {seed}\n"
        )
    }

    /// What the program is to say, by what Rust does; the sorts are those for blocks of the architecture's shared memory.
    fn expected(&self, facade: &DeviceFacade) -> String {
        let sort = ArraySort::pairs(facade.key, facade.value).order(self.order).by_bits();
        if self.n == 0 {
            return "storage 1\n".to_owned();
        }
        match sort.kernel(self.n, Device::of(facade.arch)) {
            KernelSpec::Tile(spec) => {
                let threads = spec.algorithm.block().threads();
                let shared_bytes = KernelSpec::Tile(spec).shared_bytes();
                format!("storage 1\n{spec}_tile 1 {threads} {shared_bytes} in-order\n")
            }
            KernelSpec::DeviceWide(spec) => {
                self.expected_of(&spec, &Shared::of(facade, self.order), facade.key)
            }
        }
    }

    fn expected_of(&self, spec: &DeviceSpec, shared: &Shared, key: KeyType) -> String {
        let [begin, end] = self.bits.map(|bit| bit.min(key.bits()));
        let bits: Range<u32> = begin..end;
        let launches = spec.launches(self.n, bits, self.device);
        let scratch = spec.scratch(self.n, &launches);
        let alternate = if self.has_buffers { 0 } else { scratch.alternate };
        let mut text =
            format!("storage {}\n", scratch.workspace.next_multiple_of(256) + alternate + 255);
        if scratch.zeroed > 0 {
            let _ = writeln!(text, "memset 0 {}", scratch.zeroed);
        }
        let address = 1 << 20;
        let arguments =
            Arguments { keys_out: address, values_out: address, n: self.n, ..Arguments::default() };
        let [begin_bit, end_bit] = [begin, end].map(u32::cast_signed);
        let arguments =
            spec.complete(self.device, 0, Arguments { begin_bit, end_bit, ..arguments });
        let [interleaves, count_columns_log2, sorts_msd_buckets] = arguments.own;
        let interleaves = if self.has_buffers { 0 } else { interleaves };
        for (number, launch) in launches.iter().enumerate() {
            let Launch { kernel, argument, blocks, threads, .. } = launch;
            let KernelBlock { shared_bytes, .. } = shared.block(spec, self.device, launch);
            let start = if number == 0 { "in-order" } else { "early" };
            let pass = argument.map_or(String::new(), |it| format!(" pass {}", it.number()));
            let _ = writeln!(
                text,
                "{} {blocks} {threads} {shared_bytes} {start}{pass} {interleaves} {count_columns_log2} {sorts_msd_buckets}",
                shared.name(spec, *kernel),
            );
        }
        text
    }
}

/// Every length with both orders, some and all bits, few and many multiprocessors, least and more shared memory, in turn.
fn cases(facade: &DeviceFacade, lengths: &[u64], is_run: bool) -> Vec<Case> {
    let bits = 8 * facade.key.bytes();
    let ranges = [[0, bits], [bits / 3, bits], [0, bits - 3], [bits / 2, bits / 2]];
    let least = facade.arch.max_shared_bytes();
    let devices = [(1, least), (132, least), (108, least + 9 * 1024)];
    let devices = devices.map(|(multiprocessors, shared_bytes_per_block)| Device {
        multiprocessors,
        shared_bytes_per_block,
    });
    let mut cases = Vec::new();
    let devices = if is_run { &devices[..1] } else { &devices };
    for n in lengths.iter().copied() {
        for bits in ranges {
            for device in devices.iter().copied() {
                for has_buffers in [false, true] {
                    let order =
                        if cases.len() % 3 == 1 { Order::Descending } else { Order::Ascending };
                    let seed = if is_run { cases.len() as u64 + 1 } else { 0 };
                    cases.push(Case { n, bits, device, order, has_buffers, seed });
                }
            }
        }
    }
    cases
}

pub(crate) fn write_header(folder: &Path, facade: &DeviceFacade) {
    let header = facade.header().expect("a header");
    write_program(folder, DEVICE_FACADE_FILE, &header, &kernels(facade));
}

/// Writes the header with the emulator's shared memory, and what the program includes beside it: the function of these calls.
pub(crate) fn write_program(folder: &Path, file: &str, header: &str, calls: &str) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("written");
    let shared = "extern __shared__ __align__(16) unsigned char sortsmith_shared[];";
    write("supplied.hpp", supplied_parts(header));
    write(file, header.replace(shared, "using ::sortsmith_shared;"));
    let call = format!(
        "namespace {{\nvoid call(const void* kernel, void** parameters) {{\n{calls}  std::abort();\n}}\n}}  // namespace\n"
    );
    write("kernels.hpp", call);
}

/// The calls of each kernel of the facade by its address.
fn kernels(facade: &DeviceFacade) -> String {
    let device = Device::of(facade.arch);
    let mut calls = String::new();
    let mut call = |name: &str, arguments: &str| {
        let kernel = format!("sortsmith::device_facade::{name}<0>");
        let _ = writeln!(
            calls,
            "  if (kernel == reinterpret_cast<const void*>(&{kernel})) return {kernel}({arguments});"
        );
    };
    let sorts = facade.orders.iter().flat_map(|order| {
        let sort = ArraySort::pairs(facade.key, facade.value).order(*order);
        sort.by_bits().table(device).into_iter().map(|(_, kernel)| (*order, kernel))
    });
    for (order, spec) in sorts {
        let shared = Shared::of(facade, order);
        let name = spec.to_string();
        match spec {
            KernelSpec::Tile(spec) => {
                let parameter =
                    |at: usize, cuda: &str| format!("*static_cast<{cuda}*>(parameters[{at}])");
                let sort = format!("sortsmith::{name}");
                let arrays = if spec.value == ValueType::None {
                    ["Key"].as_slice()
                } else {
                    &["Key", "Value"]
                };
                let mut all = Vec::new();
                for array in arrays {
                    all.push(parameter(all.len(), &format!("const {sort}::{array}*")));
                    all.push(parameter(all.len(), &format!("{sort}::{array}*")));
                }
                for number in ["unsigned long long", "int", "int"] {
                    all.push(parameter(all.len(), number));
                }
                call(&format!("{name}_tile"), &all.join(", "));
            }
            KernelSpec::DeviceWide(spec) => {
                let own = spec.kernels(device).into_iter();
                for block in own.filter(|it| shared.owner(&spec, it.kernel) == spec) {
                    let kernel = shared.name(&spec, block.kernel);
                    let sort = kernel.strip_suffix(block.kernel.suffix()).expect("its end");
                    let arguments =
                        format!("*static_cast<sortsmith::{sort}::Arguments*>(parameters[0])");
                    let is_pass = block.kernel == RadixSort::PASS;
                    let pass = if is_pass { ", *static_cast<int*>(parameters[1])" } else { "" };
                    call(&kernel, &(arguments + pass));
                }
            }
        }
    }
    calls
}

/// Builds the program that says what the header asks of the runtime.
fn host_program(folder: &Path, facade: &DeviceFacade, types: &[&str]) -> Command {
    write_header(folder, facade);
    let program = folder.join("device_facade_host");
    let [key, value] = [types[0], types.get(1).copied().unwrap_or_default()];
    let mut compiler = host_compiler(folder);
    compiler.arg(format!("-DTEST_KEY={key}"));
    if !facade.key.is_scalar() {
        compiler.arg("-DTEST_STRUCT");
    }
    if !value.is_empty() {
        compiler.arg(format!("-DTEST_VALUE={value}"));
    }
    assert_success(&run(compiler
        .args(["-O0", "-rdynamic", "-Wno-unused-parameter"])
        .arg(format!("-DARGUMENTS_OFFSET={}", offset_of!(Arguments, own)))
        .arg(source("device_facade_host.cpp"))
        .arg(emulator().join("emulator.cpp"))
        .args(["-lpthread", "-ldl", "-o"])
        .arg(&program)));
    Command::new(program)
}

#[test]
fn a_facade_of_device_wide_sorts_sorts_by_the_launches_of_rust() {
    proofs::of_programs(
        "device_facade::a_facade_of_device_wide_sorts_sorts_by_the_launches_of_rust",
        || {
            let all: [(KeyType, ValueType, u32, &[&str]); 6] = [
                (KeyType::F32, ValueType::U32, 90, &["float", "int"]),
                (KeyType::U16, ValueType::None, 80, &["short unsigned"]),
                (KeyType::Bool, ValueType::U8, 90, &["bool", "unsigned char"]),
                (KeyType::I64, ValueType::U64, 86, &["long", "double"]),
                (KeyType::U8, ValueType::None, 90, &["unsigned char"]),
                (hits(), ValueType::U32, 90, &["Hit", "int"]),
            ];
            let chosen = if seed::is_deep() { &all[..] } else { &all[..3] };
            cores::for_each(
                chosen,
                || (),
                |(), &(key, value, arch, types)| {
                    sorts_by_the_launches_of_rust(key, value, arch, types);
                },
            );
        },
    );
}

/// What a program says of each case, of which each has a line.
pub(crate) fn said_of_each(mut program: Command, lines: String) -> Vec<String> {
    let program = program.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = program.spawn().expect("the program runs");
    let mut input = program.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = program.wait_with_output().expect("the program ends");
    writer.join().expect("no panic").expect("written");
    let said = String::from_utf8(output.stdout).expect("text");
    said.split_terminator(".\n").map(str::to_owned).collect()
}

fn sorts_by_the_launches_of_rust(key: KeyType, value: ValueType, arch: u32, types: &[&str]) {
    let facade = facade(key, value, arch);
    let folder = folder(&format!("device_facade_{key}_{value}"));
    let mut cases = cases(&facade, &LENGTHS, false);
    cases.extend(self::cases(&facade, &RUN_LENGTHS, true));
    let lines: String = cases.iter().map(Case::line).collect();
    let said = said_of_each(host_program(&folder, &facade, types), lines);
    for (case, said) in cases.iter().zip(&said) {
        assert_eq!(*said, case.expected(&facade), "{key} {value}: {}", case.line());
    }
    assert_eq!(said.len(), cases.len(), "{key} {value}");
}

/// The sorts of the header are in both files, and its kernels are linked once or apart, as the compiler has it.
#[test]
fn two_files_of_a_program_include_device_wide_sorts() {
    proofs::of_programs("device_facade::two_files_of_a_program_include_device_wide_sorts", || {
        let Some((_, nvcc)) = nvcc("device-wide sorts in two files through nvcc") else { return };
        let folder = folder("device_facade_twice");
        let text = facade(KeyType::U8, ValueType::None, 90).header().expect("a header");
        fs::write(folder.join(DEVICE_FACADE_FILE), text).expect("written");
        let call = |name: &str| {
            format!(
                "#include \"{DEVICE_FACADE_FILE}\"\n#include \"{DEVICE_FACADE_FILE}\"\n\
             cudaError_t {name}(void* storage, size_t& bytes, sortsmith::DoubleBuffer<unsigned char>& keys, int n) {{\n\
             \x20 return sortsmith::DeviceRadixSort::SortKeys(storage, bytes, keys, n);\n}}\n"
            )
        };
        fs::write(folder.join("one.cu"), call("one")).expect("written");
        fs::write(folder.join("other.cu"), call("other") + "int main() {}\n").expect("written");
        link_two_files(&nvcc, &folder, &[true, false], &[]);
    });
}

#[test]
fn nvcc_takes_small_floats_of_device_wide_sorts_on_an_early_architecture() {
    proofs::of_programs(
        "device_facade::nvcc_takes_small_floats_of_device_wide_sorts_on_an_early_architecture",
        || {
            let Some((_, nvcc)) = nvcc("device-wide sorts of small floats through nvcc") else {
                return;
            };
            let folder = folder("device_facade_f16");
            let text = facade(KeyType::F16, ValueType::U8, 75).header().expect("a header");
            fs::write(folder.join(DEVICE_FACADE_FILE), text).expect("written");
            let call = format!(
                "#include \"{DEVICE_FACADE_FILE}\"\n\
         cudaError_t sort(void* storage, size_t& bytes, sortsmith::DoubleBuffer<__half>& keys,\n\
         \x20                sortsmith::DoubleBuffer<char>& values, unsigned long long n) {{\n\
         \x20 return sortsmith::DeviceRadixSort::SortPairsDescending(storage, bytes, keys, values, n);\n}}\n"
            );
            fs::write(folder.join("halves.cu"), call).expect("written");
            let words =
                ["-std=c++17", "-arch=sm_75", "-c", "-Werror", "all-warnings", "-Xcompiler"];
            let mut arguments: Vec<OsString> = words.map(OsString::from).to_vec();
            arguments.extend(["-Wall,-Wextra,-Werror".into(), folder.join("halves.cu").into()]);
            arguments.extend(["-o".into(), folder.join("halves.o").into()]);
            let output = nvcc.compile(&arguments).unwrap_or_else(|error| panic!("{error}"));
            let said = format!("{}{}", output.stdout, output.stderr);
            assert_eq!(said.trim(), "", "{}", output.command);
        },
    );
}
