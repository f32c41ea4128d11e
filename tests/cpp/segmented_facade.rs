//! The facade of sorts of segments: its host's part makes the launches that Rust makes, and nvcc takes it beside that of device-wide sorts.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use sortsmith_codegen::device::Device;
use sortsmith_codegen::render::{DEVICE_FACADE_FILE, SEGMENTED_FACADE_FILE, SegmentedFacade};
use sortsmith_codegen::segments::{Problem, SegmentKernel, SegmentSpec};
use sortsmith_codegen::{KeyType, Order, ValueType};
use sortsmith_testkit::{cores, seed};

use super::device_facade::{self, said_of_each, write_program};
use super::{
    assert_success, compiled_call, emulator, folder, host_compiler, link_two_files, nvcc, proofs,
    run, source,
};

/// Numbers of items and of segments at which launches change, and around them.
const LENGTHS: [[u64; 2]; 15] = [
    [0, 0],
    [0, 7],
    [5, 0],
    [1, 1],
    [7, 300],
    [32, 1],
    [33, 3],
    [513, 40],
    [4096, 1],
    [4097, 2],
    [70_000, 9000],
    [1 << 20, 1 << 10],
    [3_000_001, 1 << 20],
    [1 << 31, 1 << 31],
    [1 << 36, 5],
];

/// The same of sorts that are run in the emulator.
const RUN_LENGTHS: [[u64; 2]; 4] = [[1, 1], [700, 90], [5000, 40], [19_000, 25]];

fn facade(key: KeyType, value: ValueType) -> SegmentedFacade {
    SegmentedFacade { key, value, orders: vec![Order::Ascending, Order::Descending] }
}

/// A call of the facade.
#[derive(Clone, Copy)]
struct Case {
    lengths: [u64; 2],
    bits: [u32; 2],
    multiprocessors: u32,
    order: Order,
    has_buffers: bool,
    /// Of `DeviceSegmentedSort`, of its stable members, or of `DeviceSegmentedRadixSort`.
    of_struct: u32,
    /// Negative for signed ones.
    offset_bytes: i32,
    /// Of a sort that is run, not 0.
    seed: u64,
}

impl Case {
    fn line(&self) -> String {
        let Self { lengths: [n, segments], bits: [begin, end], multiprocessors, .. } = self;
        let Self { order, has_buffers, of_struct, offset_bytes, seed, .. } = self;
        let [descending, has_buffers] = [*order == Order::Descending, *has_buffers].map(i32::from);
        format!(
            "{n} {segments} {begin} {end} {multiprocessors} {descending} {has_buffers} {of_struct} {offset_bytes} {seed}\n"
        )
    }

    /// What the program is to say, by what Rust does.
    fn expected(&self, facade: &SegmentedFacade) -> String {
        let spec = SegmentSpec::of(facade.key, facade.value, self.order, false);
        let [n, segments] = self.lengths;
        let problem = Problem { n, segments, longest: n, absolute_positions: false };
        let Self { multiprocessors, .. } = *self;
        let launches =
            spec.launches(problem, Device { multiprocessors, shared_bytes_per_block: 64 << 10 });
        let scratch = spec.scratch(problem);
        let mut rounds = 0;
        let mut text = String::new();
        for (number, launch) in launches.iter().enumerate() {
            let start = if number == 0 { "in-order" } else { "early" };
            let (name, blocks) = (launch.kernel.suffix(), launch.blocks);
            let (threads, shared_bytes) = (launch.threads, launch.shared_bytes);
            let _ = write!(text, "{spec}{name} {blocks} {threads} {shared_bytes} {start}");
            if let Some(round) = launch.round {
                rounds += 1;
                let _ = write!(text, " round {round}");
            }
            text.push('\n');
        }
        let alternate = scratch.keys.next_multiple_of(256) + scratch.values;
        let bytes = scratch.workspace.next_multiple_of(256)
            + if self.has_buffers { 0 } else { alternate }
            + 255;
        // Without segments there is nothing to sort, and no round.
        let rounds = if n > 0 && segments == 0 { 0 } else { rounds };
        let bytes = if launches.is_empty() { 1 } else { bytes };
        let memset = if launches.is_empty() { "" } else { "memset 0 48\n" };
        format!("storage {bytes}, workspace {}, rounds {rounds}\n{memset}{text}", scratch.workspace)
    }
}

/// Every length with each struct, all offsets, both orders, some and all bits, few and many multiprocessors, in turn.
fn cases(facade: &SegmentedFacade, lengths: &[[u64; 2]], is_run: bool) -> Vec<Case> {
    let all = 8 * facade.key.bytes();
    let ranges = [[0, all], [all / 3, all], [0, all - 3], [all / 2, all / 2]];
    let mut cases = Vec::new();
    for lengths in lengths.iter().copied() {
        for of_struct in [0, 2, 1, 2] {
            for has_buffers in [false, true] {
                let number = cases.len();
                cases.push(Case {
                    lengths,
                    bits: if of_struct == 2 { ranges[number / 3 % 4] } else { ranges[0] },
                    multiprocessors: if is_run { 1 } else { [1, 132, 20][number % 3] },
                    order: [Order::Ascending, Order::Descending][number / 5 % 2],
                    has_buffers,
                    of_struct,
                    offset_bytes: [4, -4, 8, -8][number / 7 % 4],
                    seed: if is_run { number as u64 + 1 } else { 0 },
                });
            }
        }
    }
    cases
}

/// The calls of each kernel of the facade by its address.
fn kernels(facade: &SegmentedFacade) -> String {
    let mut calls = String::new();
    for order in &facade.orders {
        let spec = SegmentSpec::of(facade.key, facade.value, *order, false);
        for kernel in SegmentKernel::ALL {
            let kernel = format!("sortsmith::device_facade::{spec}{}<0>", kernel.suffix());
            let _ = writeln!(
                calls,
                "  if (kernel == reinterpret_cast<const void*>(&{kernel})) return call_kernel(&{kernel}, parameters);"
            );
        }
    }
    calls
}

fn write_header(folder: &Path, facade: &SegmentedFacade) {
    let header = facade.header().expect("a header");
    write_program(folder, SEGMENTED_FACADE_FILE, &header, &kernels(facade));
}

/// Builds the program that says what the header asks of the runtime.
fn host_program(folder: &Path, facade: &SegmentedFacade, types: &[&str]) -> Command {
    write_header(folder, facade);
    let program = folder.join("segmented_facade_host");
    let spec = SegmentSpec::of(facade.key, facade.value, Order::Ascending, false);
    let mut compiler = host_compiler(folder);
    compiler.arg(format!("-DTEST_KEY={}", types[0])).arg(format!("-DTEST_SORT={spec}"));
    if let Some(value) = types.get(1) {
        compiler.arg(format!("-DTEST_VALUE={value}"));
    }
    assert_success(&run(compiler
        .args(["-O0", "-rdynamic", "-Wno-unused-parameter"])
        .arg(source("segmented_facade_host.cpp"))
        .arg(emulator().join("emulator.cpp"))
        .args(["-lpthread", "-ldl", "-o"])
        .arg(&program)));
    Command::new(program)
}

#[test]
fn a_facade_of_sorts_of_segments_sorts_by_the_launches_of_rust() {
    proofs::of_programs(
        "segmented_facade::a_facade_of_sorts_of_segments_sorts_by_the_launches_of_rust",
        || {
            let all: [(KeyType, ValueType, &[&str]); 4] = [
                (KeyType::F32, ValueType::U32, &["float", "int"]),
                (KeyType::I64, ValueType::None, &["long"]),
                (KeyType::U16, ValueType::None, &["short unsigned"]),
                (KeyType::Bool, ValueType::U8, &["bool", "unsigned char"]),
            ];
            let chosen = if seed::is_deep() { &all[..] } else { &all[..2] };
            cores::for_each(
                chosen,
                || (),
                |(), &(key, value, types)| sorts_by_the_launches_of_rust(key, value, types),
            );
        },
    );
}

fn sorts_by_the_launches_of_rust(key: KeyType, value: ValueType, types: &[&str]) {
    let facade = facade(key, value);
    let folder = folder(&format!("segmented_facade_{key}_{value}"));
    let mut cases = cases(&facade, &LENGTHS, false);
    cases.extend(self::cases(&facade, &RUN_LENGTHS, true));
    let lines: String = cases.iter().map(Case::line).collect();
    let said = said_of_each(host_program(&folder, &facade, types), lines);
    for (case, said) in cases.iter().zip(&said) {
        assert_eq!(*said, case.expected(&facade), "{key} {value}: {}", case.line());
    }
    assert_eq!(said.len(), cases.len(), "{key} {value}");
}

/// What a compiler says of functions with one call of the facade each.
fn said_of_calls(folder: &Path, calls: &[&str]) -> (bool, String) {
    let mut text = "template <typename T>\nstruct Iterator { T operator[](int i) const; };\n\
                    using Long = unsigned long long;\n"
        .to_owned();
    for (number, call) in calls.iter().enumerate() {
        let _ = writeln!(
            text,
            "cudaError_t call_{number}(size_t& bytes, const Long* in, Long* out, sortsmith::DoubleBuffer<Long>& keys, const short* shorts, \
             int* offsets, const long* wide) {{\n  return sortsmith::{call};\n}}"
        );
    }
    let output = compiled_call(folder, "segmented_facade_host.cpp", &text);
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A type that was not emitted does not compile, and neither do offsets that are no addresses; the message says what is wrong.
#[test]
fn a_sort_of_segments_that_is_not_legal_says_why() {
    proofs::of_programs("segmented_facade::a_sort_of_segments_that_is_not_legal_says_why", || {
        let folder = folder("segmented_facade_refused");
        let mut only_ascending = facade(KeyType::U64, ValueType::None);
        only_ascending.orders.pop();
        write_header(&folder, &only_ascending);
        let legal = [
            "DeviceSegmentedSort::SortKeys(nullptr, bytes, in, out, 5u, short(1), offsets, offsets + 1)",
            "DeviceSegmentedSort::StableSortKeys(nullptr, bytes, keys, 5, 1ull, wide, wide, nullptr)",
            "DeviceSegmentedRadixSort::SortKeys(nullptr, bytes, keys, 5, 1, (const int*)offsets, offsets, 3)",
        ];
        let (compiles, said) = said_of_calls(&folder, &legal);
        assert!(compiles, "{said}");
        let (compiles, said) = said_of_calls(
            &folder,
            &[
                "DeviceSegmentedSort::SortKeys(nullptr, bytes, in, out, 5, 1, Iterator<int>(), offsets)",
                "DeviceSegmentedSort::SortKeys(nullptr, bytes, in, out, 5, 1, shorts, shorts)",
                "DeviceSegmentedSort::SortKeys(nullptr, bytes, in, out, 5, 1, offsets, wide)",
                "DeviceSegmentedSort::SortKeysDescending(nullptr, bytes, in, out, 5, 1, wide, wide)",
                "DeviceSegmentedRadixSort::SortPairs(nullptr, bytes, in, out, in, out, 5, 1, wide, wide)",
            ],
        );
        assert!(!compiles);
        for (message, count) in [
            ("failed: offsets must be addresses of integers of 4 or 8 bytes", 3),
            ("run the sortsmith emit command of this header with --order both", 1),
            ("run: sortsmith emit --facade cub-segmented --key u64 --value u64 --out", 1),
        ] {
            assert!(said.matches(message).count() >= count, "{message}: {said}");
        }
    });
}

/// Both facades, and one of them for two types of keys, are in two files of a program.
#[test]
fn facades_of_arrays_and_of_segments_share_files() {
    proofs::of_programs("segmented_facade::facades_of_arrays_and_of_segments_share_files", || {
        let Some((_, nvcc)) = nvcc("facades of arrays and of segments through nvcc") else {
            return;
        };
        let folder = folder("segmented_facade_beside");
        let write = |name: &str, text: String| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        let bytes = device_facade::facade(KeyType::U8, ValueType::None, 90);
        write(DEVICE_FACADE_FILE, bytes.header().expect("a header"));
        for (folder, key) in [("integers", KeyType::U64), ("halves", KeyType::F16)] {
            let header = facade(key, ValueType::None).header().expect("a header");
            write(&format!("{folder}/{SEGMENTED_FACADE_FILE}"), header);
        }
        let call = |name: &str| {
            format!(
                "#include \"integers/{SEGMENTED_FACADE_FILE}\"\n#include \"{DEVICE_FACADE_FILE}\"\n#include \"halves/{SEGMENTED_FACADE_FILE}\"\n\
             cudaError_t {name}(void* storage, size_t& bytes, sortsmith::DoubleBuffer<unsigned long long>& keys, const int* offsets, int n) {{\n\
             \x20 return sortsmith::DeviceSegmentedSort::SortKeys(storage, bytes, keys, n, n, offsets, offsets + 1);\n}}\n"
            )
        };
        write("one.cu", call("one"));
        write("other.cu", call("other") + "int main() {}\n");
        let both: &[bool] = if seed::is_deep() { &[true, false] } else { &[true] };
        link_two_files(&nvcc, &folder, both, &[]);
    });
}
