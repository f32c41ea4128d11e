//! The facade of sorts of rows: its host's part makes the choice and the launches that Rust makes, and nvcc takes it beside the other facades.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use sortsmith_codegen::device::{Arguments, Device, DeviceSpec, Kernel, Scratch};
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::render::{ROWS_FACADE_FILE, RowsFacade};
use sortsmith_codegen::{Arch, KeyType, Order, SortSpec, ValueType, registry, rows};
use sortsmith_testkit::{cores, seed};

use super::device_facade::{Shared, said_of_each, write_program};
use super::{assert_success, emulator, folder, host_compiler, proofs, run, source};

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

pub(crate) fn facade(key: KeyType, value: ValueType, arch: u32) -> RowsFacade {
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

/// Where the program has the storage where nothing is run. Arrays are at the first multiples of 2⁴⁴.
const STORAGE: u64 = 7 << 44;

/// What Rust does, as the program says it.
struct Said {
    case: Case,
    key_bytes: u64,
    value_bytes: u64,
    storage: u64,
    /// Where alternate keys and values begin.
    alternates: [u64; 2],
    /// Where an argsort that is not by tiles has its keys.
    sorted_keys: u64,
    launches: String,
    /// Sorts of which the first kernel tells whether the next may begin early.
    early_sorts: u64,
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
        let mut said = Said {
            case: *self,
            key_bytes: facade.key.bytes().into(),
            value_bytes: facade.value.bytes().into(),
            storage: 0,
            alternates: [0; 2],
            sorted_keys: 0,
            launches: String::new(),
            early_sorts: 0,
        };
        if rows > 0 && columns > 0 {
            let table = facade.row_sort(self.order).table();
            let of_rows = table.iter().find(|(most, _)| *most >= columns);
            match of_rows.filter(|(_, spec)| rows::are_sorted_together(spec, rows)) {
                Some((_, KernelSpec::Tile(spec))) => said.tiles(spec),
                Some((_, KernelSpec::DeviceWide(spec))) => said.groups(spec),
                None => said.arrays(facade),
            }
        }
        let Said { storage, launches, early_sorts, .. } = said;
        let bytes = if storage == 0 { 1 } else { storage + 255 };
        format!("storage {bytes}\n{launches}{early_sorts} queries of the driver\n")
    }
}

impl Said {
    fn launch(&mut self, words: &str, arguments: &[u64]) {
        self.launches += words;
        let shown = if self.case.seed == 0 { arguments } else { &[] };
        for argument in shown {
            let _ = write!(self.launches, " {argument}");
        }
        self.launches.push('\n');
    }

    fn stride(&self) -> u64 {
        self.case.shape[1] + self.case.gap
    }

    /// Where keys and sorted keys are from a row on, and values and what comes of them.
    fn arrays_from(&self, row: u64) -> [u64; 4] {
        let Case { member, is_in_place, .. } = self.case;
        let at = |array: u64, bytes: u64| (array << 44) + row * self.stride() * bytes;
        let keys_out = match member {
            3 => self.sorted_keys,
            _ => at(if is_in_place { 1 } else { 2 }, self.key_bytes),
        };
        let values_in = if member == 1 { at(3, self.value_bytes) } else { 0 };
        let values_out = if member == 0 { 0 } else { at(4, self.value_bytes) };
        [at(1, self.key_bytes), keys_out, values_in, values_out]
    }

    fn launch_tiles(&mut self, words: &str, row: u64, rows: u64) {
        let arrays = self.arrays_from(row);
        let taken: &[usize] = match self.case.member {
            0 => &[0, 1],
            1 => &[0, 1, 2, 3],
            _ => &[0, 1, 3],
        };
        let mut arguments: Vec<u64> = taken.iter().map(|it| arrays[*it]).collect();
        arguments.extend([rows, self.case.shape[1], self.stride()]);
        self.launch(words, &arguments);
    }

    fn launch_device_wide(&mut self, words: &str, row: u64, stride: u64) {
        let [keys_in, keys_out, values_in, values_out] = self.arrays_from(row);
        let [alternate_keys, alternate_values] = self.alternates;
        let arrays = [keys_in, keys_out, alternate_keys, values_in, values_out, alternate_values];
        let writes_keys = u64::from(self.case.member != 3);
        let others = [STORAGE, self.case.shape[1], stride, writes_keys];
        self.launch(words, &[&arrays[..], &others].concat());
    }

    /// Scratch of a sort, with the sorted keys that are no output.
    fn take(&mut self, scratch: Scratch, items: u64) {
        let workspace = scratch.workspace.next_multiple_of(256);
        let alternates = STORAGE + workspace;
        self.alternates = [alternates, alternates + scratch.alternate_keys];
        let before_keys = scratch.alternate.next_multiple_of(16);
        let mut alternate = scratch.alternate;
        if self.case.member == 3 {
            self.sorted_keys = alternates + before_keys;
            alternate = before_keys + items * self.key_bytes;
        }
        self.storage = workspace + alternate;
    }

    fn tiles(&mut self, spec: &SortSpec) {
        let [rows, _] = self.case.shape;
        let summary = registry::summary(spec).expect("figures");
        let most = rows::max_rows_of_tiles(spec);
        for row in (0..rows).step_by(usize::try_from(most).expect("64 bits")) {
            let of_launch = (rows - row).min(most);
            let blocks = of_launch.div_ceil(rows::rows_of_block(spec));
            let (threads, shared) = (summary.block.threads(), summary.shared_bytes);
            let words = format!("{spec}_rows {blocks} {threads} {shared} in-order");
            self.launch_tiles(&words, row, of_launch);
        }
    }

    fn groups(&mut self, spec: &DeviceSpec) {
        let [rows, columns] = self.case.shape;
        let launches = spec.launches(columns, 0..spec.key.bits(), self.case.device);
        let group = rows::rows_of_group(columns).min(rows);
        let scratch = spec.scratch_of_rows(group, columns, &launches);
        self.take(scratch, group * columns);
        self.early_sorts = 1;
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
                self.launch_device_wide(&words, row, self.stride());
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
        self.take(scratch, columns);
        self.early_sorts = rows;
        for row in 0..rows {
            if scratch.zeroed > 0 {
                let _ = writeln!(self.launches, "memset 0 {}", scratch.zeroed);
            }
            for (number, it) in launches.iter().enumerate() {
                let start = if number == 0 { "in-order" } else { "early" };
                let name = shared.name(&spec, it.kernel);
                let bytes = shared.block(&spec, self.case.device, it).shared_bytes;
                let words = format!("{name} {} {} {bytes} {start}", it.blocks, it.threads);
                self.launch_device_wide(&words, row, 0);
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
        let of_first_tiles = table.iter().take_while(is_tile).last();
        let most_of_first_tiles = of_first_tiles.map_or(0, |(most, _)| *most);
        let mut arrays = facade.array_sort(order).table(device);
        arrays.retain(|(most, _)| *most > most_of_first_tiles);
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

pub(crate) fn write_header(folder: &Path, facade: &RowsFacade) {
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
        .arg(format!("-DROW_STRIDE_OFFSET={}", offset_of!(Arguments, row_stride)))
        .arg(format!("-DWRITES_KEYS_OFFSET={}", offset_of!(Arguments, writes_keys)))
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
