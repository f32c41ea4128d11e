//! The facade of sorts of rows: its host's part makes the choice and the launches that Rust makes, and nvcc takes it beside the other facades.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use sortsmith_codegen::device::{Device, DeviceSpec, Kernel};
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::render::{
    DEVICE_FACADE_FILE, ROWS_FACADE_FILE, RowsFacade, TOP_K_FACADE_FILE, TopKFacade,
};
use sortsmith_codegen::{Arch, KeyType, Order, SortSpec, ValueType, registry, rows};
use sortsmith_testkit::{cores, seed};

use super::device_facade::{self, Shared, said_of_each, write_program};
use super::{
    assert_success, compiled_call, emulator, folder, host_compiler, link_two_files, nvcc, proofs,
    run, source,
};

/// Rows and columns at which kernels and launches change, and around them.
const SHAPES: [[u64; 2]; 30] = [
    [0, 0],
    [0, 7],
    [3, 0],
    [1, 1],
    [1000, 16],
    [1001, 17],
    [7, 36],
    [1, 100],
    [80_000_000_000, 16],
    [5_000_000_000, 700],
    [12, 256],
    [5, 1000],
    [6, 2049],
    [9, 6145],
    [1, 8193],
    [2, 8193],
    [3, 12_400],
    [1, 12_400],
    [1, 13_000],
    [4, 14_000],
    [4, 16_385],
    [1, 100_000],
    [300, 128_256],
    [70_000, 20_000],
    [60, 600_000],
    [2, 800_000],
    [2, 1 << 20],
    [3, (1 << 20) + 1],
    [2, (1 << 30) + 1],
    [1, 1 << 31],
];

/// The same of sorts that are run in the emulator: by warps, by blocks, many rows device-wide, one row as an array.
const RUN_SHAPES: [[u64; 2]; 7] =
    [[7, 16], [3, 100], [2, 300], [2, 1500], [1, 20_000], [2, 20_001], [3, 17_000]];

/// Rows that are sorted one after the other take a million keys each.
const LONG_SHAPES: [[u64; 2]; 1] = [[2, (1 << 20) + 3]];

fn facade(key: KeyType, value: ValueType, arch: u32) -> RowsFacade {
    let orders = vec![Order::Ascending, Order::Descending];
    RowsFacade { key, value, orders, arch: Arch::new(arch).expect("known") }
}

/// A call of the facade.
#[derive(Clone, Copy)]
struct Case {
    shape: [u64; 2],
    /// Items between the end of a row and the next.
    gap: u64,
    device: Device,
    order: Order,
    /// As the program has them.
    member: u32,
    is_in_place: bool,
    /// Of a sort that is run, not 0.
    seed: u64,
}

/// What Rust does, as the program says it.
struct Said {
    case: Case,
    key_bytes: u64,
    storage: u64,
    launches: String,
}

impl Case {
    fn line(&self) -> String {
        let Self { shape: [rows, columns], gap, device, order, member, is_in_place, seed } = self;
        let Device { multiprocessors, shared_bytes_per_block } = device;
        let [descending, is_in_place] = [*order == Order::Descending, *is_in_place].map(i32::from);
        format!(
            "{rows} {columns} {gap} {multiprocessors} {shared_bytes_per_block} {descending} {member} {is_in_place} {seed}\n"
        )
    }

    /// What the program is to say, by what Rust does.
    fn expected(&self, facade: &RowsFacade) -> String {
        let [rows, columns] = self.shape;
        let key_bytes = facade.key.bytes().into();
        let mut said = Said { case: *self, key_bytes, storage: 0, launches: String::new() };
        if rows > 0 && columns > 0 {
            let table = facade.row_sort(self.order).table();
            let of_rows = table.iter().find(|(most, _)| *most >= columns);
            match of_rows.filter(|(_, spec)| rows::are_sorted_together(spec, rows)) {
                Some((_, KernelSpec::Tile(spec))) => said.tiles(spec),
                Some((_, KernelSpec::DeviceWide(spec))) => said.groups(spec),
                None => said.arrays(facade),
            }
        }
        let Said { storage, launches, .. } = said;
        let bytes = if storage == 0 { 1 } else { storage + 255 };
        format!("storage {bytes}\n{launches}")
    }
}

impl Said {
    fn launch(&mut self, words: &str, row: u64) {
        let [_, columns] = self.case.shape;
        self.launches += words;
        if self.case.seed == 0 {
            let first = row * (columns + self.case.gap) * self.key_bytes;
            let _ = write!(self.launches, " at {first}");
        }
        self.launches.push('\n');
    }

    /// Scratch of a sort, with the sorted keys that are no output.
    fn take(&mut self, workspace: u64, alternate: u64, items: u64) {
        let sorted_keys = alternate.next_multiple_of(16) + items * self.key_bytes;
        let alternate = if self.case.member == 3 { sorted_keys } else { alternate };
        self.storage = workspace.next_multiple_of(256) + alternate;
    }

    fn tiles(&mut self, spec: &SortSpec) {
        let [rows, _] = self.case.shape;
        let summary = registry::summary(spec).expect("figures");
        let most = rows::max_rows_of_tiles(spec);
        for row in (0..rows).step_by(usize::try_from(most).expect("64 bits")) {
            let blocks = (rows - row).min(most).div_ceil(rows::rows_of_block(spec));
            let (threads, shared) = (summary.block.threads(), summary.shared_bytes);
            self.launch(&format!("{spec}_rows {blocks} {threads} {shared} in-order"), row);
        }
    }

    fn groups(&mut self, spec: &DeviceSpec) {
        let [rows, columns] = self.case.shape;
        let launches = spec.launches(columns, 0..spec.key.bits(), self.case.device);
        let group = rows::rows_of_group(columns).min(rows);
        let scratch = spec.scratch_of_rows(group, columns, &launches);
        self.take(scratch.workspace, scratch.alternate, group * columns);
        let mut start = "in-order";
        for row in (0..rows).step_by(usize::try_from(group).expect("64 bits")) {
            let of_group = match (rows - row).min(group) {
                1 => String::new(),
                several => format!("x{several}"),
            };
            for it in &launches {
                let (name, blocks) = (it.kernel.suffix(), it.blocks);
                let (threads, shared) = (it.threads, it.shared_bytes);
                let words = format!("{spec}{name} {blocks}{of_group} {threads} {shared} {start}");
                self.launch(&words, row);
                start = "early";
            }
        }
    }

    fn arrays(&mut self, facade: &RowsFacade) {
        let [rows, columns] = self.case.shape;
        let device = Device::of(facade.arch);
        let sort = facade.array_sort(self.case.order);
        let KernelSpec::DeviceWide(spec) = sort.kernel(columns, device) else {
            panic!("{sort:?}: tiles hold shorter rows")
        };
        let shared = Shared::of_table(sort.table(device));
        let launches = spec.launches(columns, 0..spec.key.bits(), self.case.device);
        let scratch = spec.scratch(columns, &launches);
        self.take(scratch.workspace, scratch.alternate, columns);
        for row in 0..rows {
            if scratch.zeroed > 0 {
                let _ = writeln!(self.launches, "memset 0 {}", scratch.zeroed);
            }
            for (number, it) in launches.iter().enumerate() {
                let start = if number == 0 { "in-order" } else { "early" };
                let name = shared.name(&spec, it.kernel);
                let bytes = shared.block(&spec, self.case.device, it).shared_bytes;
                let words = format!("{name} {} {} {bytes} {start}", it.blocks, it.threads);
                self.launch(&words, row);
            }
        }
    }
}

/// Every shape with both orders, with a gap and without, in place and not, on few and many multiprocessors, by all members.
fn cases(facade: &RowsFacade, shapes: &[[u64; 2]], is_run: bool) -> Vec<Case> {
    let members: &[u32] = match facade.value {
        ValueType::None => &[0],
        ValueType::Index => &[2, 3],
        _ => &[1],
    };
    let least = facade.arch.max_shared_bytes();
    let mut cases = Vec::new();
    for shape in shapes.iter().copied() {
        for variant in 0..if is_run { 2 } else { 4 } {
            for member in members.iter().copied() {
                let number = cases.len();
                let multiprocessors = if is_run { 1 } else { [1, 132, 20][number % 3] };
                let more = if number % 5 == 1 { 9 << 10 } else { 0 };
                cases.push(Case {
                    shape,
                    gap: if variant % 2 == 1 { 5 } else { 0 },
                    device: Device { multiprocessors, shared_bytes_per_block: least + more },
                    order: [Order::Ascending, Order::Descending][number / 3 % 2],
                    member,
                    is_in_place: member == 0 && number / 2 % 2 == 1,
                    seed: if is_run { number as u64 + 1 } else { 0 },
                });
            }
        }
    }
    cases
}

/// The names of the header's kernels.
fn kernels_of(facade: &RowsFacade) -> BTreeSet<String> {
    let device = Device::of(facade.arch);
    let mut names = BTreeSet::new();
    for order in facade.orders.iter().copied() {
        let table = facade.row_sort(order).table();
        let is_tile = |(_, spec): &&(u64, KernelSpec)| matches!(spec, KernelSpec::Tile(_));
        let held = table.iter().take_while(is_tile).last().map_or(0, |(most, _)| *most);
        let mut arrays = facade.array_sort(order).table(device);
        arrays.retain(|(most, _)| *most > held);
        let shared = Shared::of_table(arrays.clone());
        let alone = Shared::of_table(Vec::new());
        let mut add = |shared: &Shared, spec: &DeviceSpec| {
            let owns = |kernel: Kernel| shared.owner(spec, kernel) == *spec;
            let kernels = spec.kernels(device).into_iter().map(|it| it.kernel);
            names.extend(kernels.filter(|it| owns(*it)).map(|it| shared.name(spec, it)));
        };
        for (_, spec) in &arrays {
            if let KernelSpec::DeviceWide(spec) = spec {
                add(&shared, spec);
            }
        }
        for (_, spec) in &table {
            if let KernelSpec::DeviceWide(spec) = spec {
                add(&alone, spec);
            }
        }
        let of_tiles = table.iter().filter(is_tile);
        names.extend(of_tiles.map(|(_, spec)| format!("{spec}_rows")));
    }
    names
}

fn write_header(folder: &Path, facade: &RowsFacade) {
    let mut calls = String::new();
    for name in kernels_of(facade) {
        let kernel = format!("sortsmith::device_facade::{name}<0>");
        let _ = writeln!(
            calls,
            "  if (kernel == reinterpret_cast<const void*>(&{kernel})) return call_kernel(&{kernel}, parameters);"
        );
    }
    let header = facade.header().expect("a header");
    write_program(folder, ROWS_FACADE_FILE, &header, &calls);
}

/// Builds the program that says what the header asks of the runtime.
fn host_program(folder: &Path, facade: &RowsFacade, key: &str) -> Command {
    write_header(folder, facade);
    let program = folder.join("rows_facade_host");
    let mut compiler = host_compiler(folder);
    compiler.arg(format!("-DTEST_KEY={key}"));
    match facade.value {
        ValueType::None => {}
        ValueType::Index => drop(compiler.arg("-DTEST_POSITIONS")),
        _ => drop(compiler.arg("-DTEST_VALUES")),
    }
    assert_success(&run(compiler
        .args(["-O0", "-rdynamic", "-Wno-unused-parameter"])
        .arg(source("rows_facade_host.cpp"))
        .arg(emulator().join("emulator.cpp"))
        .args(["-lpthread", "-ldl", "-o"])
        .arg(&program)));
    Command::new(program)
}

#[test]
fn a_facade_of_sorts_of_rows_sorts_by_the_launches_of_rust() {
    proofs::of_programs(
        "rows_facade::a_facade_of_sorts_of_rows_sorts_by_the_launches_of_rust",
        || {
            let all = [
                (KeyType::F32, ValueType::Index, 90, "float"),
                (KeyType::U16, ValueType::None, 90, "short unsigned"),
                (KeyType::I64, ValueType::U32, 86, "long"),
                (KeyType::F64, ValueType::Index, 75, "double"),
            ];
            let chosen = if seed::is_deep() { &all[..] } else { &all[..3] };
            cores::for_each(
                chosen,
                || (),
                |(), &(key, value, arch, of_cpp)| {
                    sorts_by_the_launches_of_rust(&facade(key, value, arch), of_cpp);
                },
            );
        },
    );
}

fn sorts_by_the_launches_of_rust(facade: &RowsFacade, of_cpp: &str) {
    let RowsFacade { key, value, .. } = facade;
    let folder = folder(&format!("rows_facade_{key}_{value}"));
    let mut cases = cases(facade, &SHAPES, false);
    cases.extend(self::cases(facade, &RUN_SHAPES, true));
    if seed::is_deep() {
        cases.extend(self::cases(facade, &LONG_SHAPES, true));
    }
    let lines: String = cases.iter().map(Case::line).collect();
    let said = said_of_each(host_program(&folder, facade, of_cpp), lines);
    for (case, said) in cases.iter().zip(&said) {
        assert_eq!(*said, case.expected(facade), "{key} {value}: {}", case.line());
    }
    assert_eq!(said.len(), cases.len(), "{key} {value}");
}

/// A type that was not emitted does not compile, and neither do positions of another width; the message says what is wrong.
#[test]
fn a_sort_of_rows_that_was_not_emitted_says_why() {
    proofs::of_programs("rows_facade::a_sort_of_rows_that_was_not_emitted_says_why", || {
        let folder = folder("rows_facade_refused");
        let mut only_ascending = facade(KeyType::U64, ValueType::Index, 90);
        only_ascending.orders.pop();
        write_header(&folder, &only_ascending);
        let said_of = |calls: &[&str]| {
            let mut text = String::new();
            for (number, call) in calls.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "cudaError_t call_{number}(size_t& bytes, const unsigned long* in, unsigned long* out, int* at, short* shorts, const int* ints) {{\n\
                     \x20 return sortsmith::DeviceRows::{call};\n}}"
                );
            }
            let output = compiled_call(&folder, "rows_facade_host.cpp", &text);
            (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (compiles, said) = said_of(&[
            "Argsort(nullptr, bytes, in, at, 5u, short(1), 7ull)",
            "SortPairs(nullptr, bytes, in, out, nullptr, at, 5, 1, 1l, nullptr)",
        ]);
        assert!(compiles, "{said}");
        let (compiles, said) = said_of(&[
            "ArgsortDescending(nullptr, bytes, in, at, 5, 1, 1)",
            "SortKeys(nullptr, bytes, in, out, 5, 1, 1)",
            "Argsort(nullptr, bytes, ints, at, 5, 1, 1)",
            "Argsort(nullptr, bytes, in, shorts, 5, 1, 1)",
            "Argsort(nullptr, bytes, in, at, 5, 1.0, 1)",
        ]);
        assert!(!compiles);
        for message in [
            "run the sortsmith emit command of this header with --order both",
            "run: sortsmith emit --facade cub-rows --key u64 --value keys --out",
            "run: sortsmith emit --facade cub-rows --key i32 --value index --out",
            "positions are integers of 4 bytes",
            "numbers of items must be integers",
        ] {
            assert!(said.contains(message), "{message}: {said}");
        }
    });
}

/// Sorts of rows are in two files of a program beside other facades of the same keys, and each kernel is there once.
#[test]
fn facades_of_arrays_top_ks_and_rows_share_files() {
    proofs::of_programs("rows_facade::facades_of_arrays_top_ks_and_rows_share_files", || {
        let Some((_, nvcc)) = nvcc("facades of arrays, top-ks and rows through nvcc") else {
            return;
        };
        let folder = folder("rows_facade_beside");
        let write = |name: &str, text: String| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        let (key, orders) = (KeyType::U32, vec![Order::Descending]);
        for (folder, value) in [("keys", ValueType::None), ("positions", ValueType::Index)] {
            let rows = RowsFacade { orders: orders.clone(), ..facade(key, value, 90) };
            write(&format!("{folder}/{ROWS_FACADE_FILE}"), rows.header().expect("a header"));
        }
        let array = device_facade::facade(key, ValueType::None, 90);
        write(DEVICE_FACADE_FILE, array.header().expect("a header"));
        let top_k = TopKFacade { key, value: ValueType::None, orders };
        write(TOP_K_FACADE_FILE, top_k.header().expect("a header"));
        let [keys, positions] =
            ["keys", "positions"].map(|folder| format!("{folder}/{ROWS_FACADE_FILE}"));
        let files = [&*keys, DEVICE_FACADE_FILE, &*positions, TOP_K_FACADE_FILE];
        let mut includes = files.map(|file| format!("#include \"{file}\"\n"));
        let parameters = "void* storage, size_t& bytes, const unsigned* keys, unsigned* out, int n";
        let call = |name: &str, member: &str| {
            format!(
                "cudaError_t {name}({parameters}) {{\n\
                 \x20 return sortsmith::DeviceRows::{member}Descending(storage, bytes, keys, out, n, n, n);\n}}\n"
            )
        };
        write("one.cu", includes.concat() + &call("one", "SortKeys"));
        includes.reverse();
        // Each file that has a call takes the time of all kernels.
        let other = if seed::is_deep() { call("other", "Argsort") } else { String::new() };
        let main = format!(
            "cudaError_t one({parameters});\nint main() {{\n  size_t bytes = 0;\n\
             \x20 return one(nullptr, bytes, nullptr, nullptr, 0) != cudaSuccess;\n}}\n"
        );
        write("other.cu", includes.concat() + &other + &main);
        // Optimised code is the kernels' own tests' matter.
        let options = ["-Xcicc", "-O0", "-Xptxas", "-O0"];
        link_two_files(&nvcc, &folder, &[true], &options);
    });
}
