//! The facade of top-ks: its host's part makes the choice and the launches that Rust makes, and nvcc takes it beside the other facades.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use sortsmith_codegen::render::{
    DEVICE_FACADE_FILE, DeviceFacade, SEGMENTED_FACADE_FILE, SegmentedFacade, TOP_K_FACADE_FILE,
    TopKFacade,
};
use sortsmith_codegen::top_k::{TopKKernel, TopKLaunch, TopKRows};
use sortsmith_codegen::{Arch, KeyType, Order, ValueType};
use sortsmith_testkit::{cores, seed};

use super::device_facade::{said_of_each, write_program};
use super::{
    assert_success, compiled_call, emulator, folder, host_compiler, link_two_files, nvcc, proofs,
    run, source,
};

/// Rows, columns and k at which kernels and launches change, and around them.
const SHAPES: [[u64; 3]; 28] = [
    [0, 0, 0],
    [0, 7, 3],
    [1, 0, 0],
    [3, 5, 0],
    [1, 1, 1],
    [1000, 64, 8],
    [1 << 20, 65, 8],
    [7, 256, 9],
    [9, 257, 16],
    [1 << 40, 1024, 128],
    [4, 1024, 129],
    [5000, 1025, 64],
    [1, 16_383, 20],
    [1, 16_384, 20],
    [8, 128_256, 50],
    [9, 128_256, 50],
    [64, 128_256, 50],
    [64, 128_256, 1024],
    [132, 1 << 18, 257],
    [133, (1 << 18) + 1, 300],
    [1, 1 << 20, 1024],
    [1, 1 << 20, 1],
    [1, 1 << 20, 2048],
    [2, 3_000_000, 1024],
    [1, (1 << 22) + 1, 1000],
    [3, 1 << 24, 50],
    [1, (1 << 31) + 5, 2],
    [1, 1 << 32, 2000],
];

/// The same of top-ks that are run in the emulator: by warps and by blocks, in chunks, by ranks, and by one block of what survives.
const RUN_SHAPES: [[u64; 3]; 8] = [
    [5, 40, 8],
    [3, 200, 50],
    [6, 700, 700],
    [2, 1000, 16],
    [3, 3000, 300],
    [1, 40_000, 1],
    [1, 20_000, 60],
    [9, 17_000, 60],
];

/// Lists of rows take some millions of keys.
const LONG_SHAPES: [[u64; 3]; 1] = [[1, (1 << 22) + 3, 30]];

fn facade(key: KeyType, value: ValueType) -> TopKFacade {
    TopKFacade { key, value, orders: vec![Order::Ascending, Order::Descending] }
}

/// A call of the facade.
#[derive(Clone, Copy)]
struct Case {
    shape: [u64; 3],
    /// Keys between the end of a row and the next.
    gap: u64,
    multiprocessors: u32,
    shared_bytes: u32,
    order: Order,
    /// Nothing, values, or positions of 4 or 8 bytes.
    beside: u32,
    is_batched: bool,
    /// Of a top-k that is run, not 0.
    seed: u64,
}

impl Case {
    fn line(&self) -> String {
        let Self { shape: [rows, columns, k], gap, multiprocessors, shared_bytes, .. } = self;
        let Self { order, beside, is_batched, seed, .. } = self;
        let [largest, is_batched] = [*order == Order::Descending, *is_batched].map(i32::from);
        format!(
            "{rows} {columns} {gap} {k} {multiprocessors} {shared_bytes} {largest} {beside} {is_batched} {seed}\n"
        )
    }

    /// What the program is to say, by what Rust does.
    fn expected(&self, facade: &TopKFacade) -> String {
        let [rows, columns, k] = self.shape;
        if rows == 0 || k == 0 {
            return "storage 1\n".to_owned();
        }
        let Some(spec) = facade.spec(self.order, [columns, k], self.shared_bytes) else {
            return "error 801\n".to_owned();
        };
        let shape = TopKRows { rows, columns, k: k as u32 };
        let plan =
            spec.plan(shape, true, self.multiprocessors).expect("there is something to find");
        let words = plan.scratch_words;
        let bytes = if words == 0 { 1 } else { (4 * words).next_multiple_of(256) + 255 };
        let mut text = format!("storage {bytes}\n");
        for (number, (step, launch)) in plan.steps().enumerate() {
            let start = if number == 0 { "in-order" } else { "early" };
            let TopKLaunch { blocks, threads, shared_bytes } = launch;
            let name = step.kernel().suffix();
            let _ = writeln!(text, "{spec}{name} {blocks} {threads} {shared_bytes} {start}");
        }
        text
    }
}

/// Every shape with both structs, both orders, all that is found beside keys, few and many multiprocessors, little and much shared memory, one after the other.
fn cases(facade: &TopKFacade, shapes: &[[u64; 3]], is_run: bool) -> Vec<Case> {
    let kinds: &[u32] = if facade.value == ValueType::None { &[2, 0, 3] } else { &[1] };
    let mut cases = Vec::new();
    for shape in shapes.iter().copied() {
        for variant in 0..if is_run { 2 } else { 6 } {
            let number = cases.len();
            let is_batched = shape[0] != 1 || variant % 2 == 1;
            let gap = if is_batched && variant % 3 == 1 { 5 } else { 0 };
            cases.push(Case {
                shape,
                gap,
                multiprocessors: if is_run {
                    [1, 4][variant % 2]
                } else {
                    [1, 132, 20][number % 3]
                },
                shared_bytes: [64 << 10, 227 << 10, 99 << 10][number / 2 % 3],
                order: [Order::Ascending, Order::Descending][number / 2 % 2],
                beside: kinds[number / 3 % kinds.len()],
                is_batched,
                seed: if is_run { number as u64 + 1 } else { 0 },
            });
        }
    }
    cases
}

/// The calls of each kernel of the facade by its address.
fn kernels(facade: &TopKFacade) -> String {
    let mut calls = String::new();
    for spec in facade.orders.iter().flat_map(|order| facade.specs(*order)) {
        for kernel in spec.kernels().iter().filter(|it| **it != TopKKernel::Found) {
            let kernel = format!("sortsmith::device_facade::{spec}{}<0>", kernel.suffix());
            let _ = writeln!(
                calls,
                "  if (kernel == reinterpret_cast<const void*>(&{kernel})) return call_kernel(&{kernel}, parameters);"
            );
        }
    }
    calls
}

fn write_header(folder: &Path, facade: &TopKFacade) {
    let header = facade.header().expect("a header");
    write_program(folder, TOP_K_FACADE_FILE, &header, &kernels(facade));
}

/// Builds the program that says what the header asks of the runtime.
fn host_program(folder: &Path, facade: &TopKFacade, key: &str) -> Command {
    write_header(folder, facade);
    let program = folder.join("top_k_facade_host");
    let mut compiler = host_compiler(folder);
    compiler.arg(format!("-DTEST_KEY={key}"));
    if facade.value != ValueType::None {
        compiler.arg("-DTEST_VALUES");
    }
    assert_success(&run(compiler
        .args(["-O0", "-rdynamic", "-Wno-unused-parameter"])
        .arg(source("top_k_facade_host.cpp"))
        .arg(emulator().join("emulator.cpp"))
        .args(["-lpthread", "-ldl", "-o"])
        .arg(&program)));
    Command::new(program)
}

#[test]
fn a_facade_of_top_ks_finds_by_the_launches_of_rust() {
    proofs::of_programs("top_k_facade::a_facade_of_top_ks_finds_by_the_launches_of_rust", || {
        let all = [
            (KeyType::F32, ValueType::U32, "float"),
            (KeyType::U16, ValueType::None, "short unsigned"),
            (KeyType::I64, ValueType::None, "long"),
            (KeyType::F64, ValueType::U32, "double"),
        ];
        let chosen = if seed::is_deep() { &all[..] } else { &all[..2] };
        cores::for_each(
            chosen,
            || (),
            |(), &(key, value, of_cpp)| finds_by_the_launches_of_rust(key, value, of_cpp),
        );
    });
}

fn finds_by_the_launches_of_rust(key: KeyType, value: ValueType, of_cpp: &str) {
    let facade = facade(key, value);
    let folder = folder(&format!("top_k_facade_{key}_{value}"));
    let mut cases = cases(&facade, &SHAPES, false);
    cases.extend(self::cases(&facade, &RUN_SHAPES, true));
    if seed::is_deep() {
        cases.extend(self::cases(&facade, &LONG_SHAPES, true));
    }
    let lines: String = cases.iter().map(Case::line).collect();
    let said = said_of_each(host_program(&folder, &facade, of_cpp), lines);
    for (case, said) in cases.iter().zip(&said) {
        assert_eq!(*said, case.expected(&facade), "{key} {value}: {}", case.line());
    }
    assert_eq!(said.len(), cases.len(), "{key} {value}");
}

/// A type that was not emitted does not compile, and neither do positions of another width; the message says what is wrong.
#[test]
fn a_top_k_that_was_not_emitted_says_why() {
    proofs::of_programs("top_k_facade::a_top_k_that_was_not_emitted_says_why", || {
        let folder = folder("top_k_facade_refused");
        let mut only_largest = facade(KeyType::U64, ValueType::None);
        only_largest.orders.remove(0);
        write_header(&folder, &only_largest);
        let said_of = |calls: &[&str]| {
            let mut text = String::new();
            for (number, call) in calls.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "cudaError_t call_{number}(size_t& bytes, const unsigned long* in, unsigned long* out, unsigned* narrow, short* shorts) {{\n\
                 \x20 return sortsmith::{call};\n}}"
                );
            }
            let output = compiled_call(&folder, "top_k_facade_host.cpp", &text);
            (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (compiles, said) = said_of(&[
            "DeviceTopK::MaxKeys(nullptr, bytes, in, out, 5u, short(1))",
            "DeviceTopK::MaxPairs(nullptr, bytes, in, out, nullptr, narrow, 5, 1ull, nullptr)",
            "DeviceBatchedTopK::MaxPairs(nullptr, bytes, in, out, nullptr, out, 5, 7u, 8l, 1)",
        ]);
        assert!(compiles, "{said}");
        let (compiles, said) = said_of(&[
            "DeviceTopK::MinKeys(nullptr, bytes, in, out, 5, 1)",
            "DeviceTopK::MaxPairs(nullptr, bytes, in, out, in, out, 5, 1)",
            "DeviceTopK::MaxPairs(nullptr, bytes, in, out, nullptr, shorts, 5, 1)",
            "DeviceTopK::MaxKeys(nullptr, bytes, in, out, 5.0, 1)",
        ]);
        assert!(!compiles);
        for message in [
            "run the sortsmith emit command of this header with --order both",
            "run: sortsmith emit --facade cub-topk --key u64 --value u64 --out",
            "positions are integers of 4 or 8 bytes",
            "numbers of items must be integers",
        ] {
            assert!(said.contains(message), "{message}: {said}");
        }
    });
}

/// All facades of arrays are in two files of a program, which has each kernel once.
#[test]
fn facades_of_arrays_segments_and_top_ks_share_files() {
    proofs::of_programs("top_k_facade::facades_of_arrays_segments_and_top_ks_share_files", || {
        let Some((_, nvcc)) = nvcc("facades of arrays, segments and top-ks through nvcc") else {
            return;
        };
        let folder = folder("top_k_facade_beside");
        let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("written");
        let (key, value, orders) = (KeyType::U8, ValueType::None, vec![Order::Descending]);
        let array = DeviceFacade { key, value, orders: orders.clone(), arch: Arch::SM_90 };
        let segmented = SegmentedFacade { key: KeyType::U64, value, orders: orders.clone() };
        write(DEVICE_FACADE_FILE, array.header().expect("a header"));
        write(SEGMENTED_FACADE_FILE, segmented.header().expect("a header"));
        write(TOP_K_FACADE_FILE, TopKFacade { key, value, orders }.header().expect("a header"));
        let files = [TOP_K_FACADE_FILE, DEVICE_FACADE_FILE, SEGMENTED_FACADE_FILE];
        let mut includes = files.map(|file| format!("#include \"{file}\"\n"));
        let parameters = "void* storage, size_t& bytes, const unsigned char* keys, unsigned char* out, unsigned* at, int n";
        let call = |name: &str| {
            format!(
                "cudaError_t {name}({parameters}) {{\n\
             \x20 return sortsmith::DeviceBatchedTopK::MaxPairs(storage, bytes, keys, out, nullptr, at, n, n, n, 1);\n}}\n"
            )
        };
        write("one.cu", includes.concat() + &call("one"));
        includes.reverse();
        // Each file that has a call takes the time of all kernels.
        let other = if seed::is_deep() { call("other") } else { String::new() };
        let main = format!(
            "cudaError_t one({parameters});\nint main() {{\n  size_t bytes = 0;\n\
         \x20 return one(nullptr, bytes, nullptr, nullptr, nullptr, 0) != cudaSuccess;\n}}\n"
        );
        write("other.cu", includes.concat() + &other + &main);
        // Optimised code is the kernels' own tests' matter.
        let options = ["-Xcicc", "-O0", "-Xptxas", "-O0"];
        link_two_files(&nvcc, &folder, &[true], &options);
    });
}
