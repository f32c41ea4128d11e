//! One header with sorts of the rows of a matrix for C++: their kernels, and the host's part, which is made of the same choice, launches and
//! scratch that Rust uses.

use std::collections::HashSet;

use askama::Template;

use crate::contract::arguments::{ArgumentField, KernelArguments as _};
use crate::contract::device::host::{Cpp, CppTruth, Number as _, Truth as _};
use crate::contract::device::spec::require_scalar;
use crate::contract::render::RenderError;
use crate::contract::spec::SortSpec;
use crate::contract::tile_arguments::{TileArguments, TileKernelKind};
use crate::device::Device;
use crate::output::facade_hosts::{Emitted, HostView, emitted, host_view, most_items};
use crate::output::facade_text::{self, CallsView, MemberView, Sources, UntypedArgument};
use crate::registry::{self, KernelSpec};
use crate::select::dispatch::ArraySort;
use crate::select::rows::{self, RowSort};
use crate::text::key_kinds::{KeyKindsView, kind_of};
use crate::text::{guard, version_namespace};
use crate::types::{Arch, KeyType, Order, ValueType};

/// The facade's file name.
pub const ROWS_FACADE_FILE: &str = "device_rows.cuh";

/// The most items of a matrix: far more than any device holds, and no number of bytes overflows.
const MAX_ITEMS: u64 = 1 << 56;

/// What stands for the bytes of values where positions go with keys.
const POSITIONS: &str = "-1";

/// What a facade of sorts of rows is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsFacade {
    /// The type of the keys, which is no struct.
    pub key: KeyType,
    /// What goes with each key: a value, its position in the row, or nothing.
    pub value: ValueType,
    /// The orders that there are.
    pub orders: Vec<Order>,
    /// The architecture for which sorts are chosen: by the shared memory that a block of it may have.
    pub arch: Arch,
}

#[derive(Template)]
#[template(path = "device/rows_facade.cuh", escape = "none")]
struct View {
    title: String,
    /// What the header lacks, behind a comma; empty where it lacks nothing.
    left_out: &'static str,
    /// What makes it again.
    command: String,
    version: &'static str,
    version_namespace: String,
    guard: String,
    kinds: KeyKindsView,
    /// The text of the sorts: their structs and kernels.
    sources: String,
    calls: CallsView,
    /// The most columns of the sorts.
    max_columns: String,
    shared_bytes_per_block: u32,
    kind: String,
    key_bits: u32,
    value_bytes: u32,
    /// By which calls find what was emitted.
    value_kind: String,
    positions: &'static str,
    max_items: u64,
    rows_of_group: String,
    /// What kernels of tiles take.
    arguments: Vec<UntypedArgument>,
    tiles: Vec<TileView>,
    hosts: Vec<HostView>,
    orders: Vec<OrderView>,
    members: [MemberView; 2],
}

/// The host's part of rows that a tile holds.
struct TileView {
    name: String,
    guard: String,
    blocks: String,
    threads: u32,
    shared_bytes: u32,
    max_rows: u64,
    parameters: Vec<&'static str>,
}

/// The sorts of one order.
struct OrderView {
    emitted_guard: String,
    descending: bool,
    max_columns: u64,
    together: Vec<ChoiceView>,
    one_by_one: Vec<ChoiceView>,
}

struct ChoiceView {
    /// The most columns; none of the last one.
    most: Option<u64>,
    /// For which rows it is used; none for all.
    condition: Option<String>,
    is_tile: bool,
    name: String,
}

/// What depends on the sorts of the header.
struct Contents {
    sources: String,
    tiles: Vec<TileView>,
    hosts: Vec<HostView>,
    orders: Vec<OrderView>,
}

/// The sorts of one order.
struct Choices {
    together: Vec<(u64, KernelSpec)>,
    one_by_one: Vec<(u64, KernelSpec)>,
}

impl RowsFacade {
    /// The header's text.
    pub fn header(&self) -> Result<String, RenderError> {
        let command = format!("sortsmith emit {} --out .", self.words());
        Ok(self.view(self.contents()?, command).render().map_err(RenderError::Facade)? + "\n")
    }

    /// The same without structs and kernels of sorts, for review: these have headers of their own.
    #[doc(hidden)]
    pub fn host_part(&self) -> Result<String, RenderError> {
        let contents = Contents { sources: String::new(), ..self.contents()? };
        let left_out = ", without structs and kernels of sorts";
        let view = View { left_out, ..self.view(contents, "cargo xtask golden".to_owned()) };
        Ok(view.render().map_err(RenderError::Facade)? + "\n")
    }

    fn contents(&self) -> Result<Contents, RenderError> {
        let Self { key, .. } = *self;
        require_scalar(key).map_err(|error| {
            let name = ROWS_FACADE_FILE.to_owned();
            RenderError::NoDeviceSort { name, error }
        })?;
        let (mut sources, mut names) = (Sources::default(), HashSet::new());
        let (mut tiles, mut hosts, mut orders) = (Vec::new(), Vec::new(), Vec::new());
        for order in &self.orders {
            let choices = self.choices(*order);
            orders.push(self.order_view(*order, &choices));
            let arrays = emitted(&choices.one_by_one)?;
            for (most, spec) in choices.together {
                match spec {
                    KernelSpec::Tile(spec) => {
                        if names.insert(format!("{spec}_rows")) {
                            sources.add(&format!("{spec}_rows"), &registry::rows_source(&spec)?);
                            tiles.push(tile_view(&spec));
                        }
                    }
                    KernelSpec::DeviceWide(_) => {
                        add(&Emitted::alone(most, spec)?, &mut names, &mut sources, &mut hosts)?;
                    }
                }
            }
            for array in &arrays {
                add(array, &mut names, &mut sources, &mut hosts)?;
            }
        }
        Ok(Contents { sources: sources.text, tiles, hosts, orders })
    }

    fn view(&self, contents: Contents, command: String) -> View {
        let Self { key, value, arch, .. } = *self;
        let Contents { sources, tiles, hosts, orders } = contents;
        let max_columns = orders.iter().map(|it| it.max_columns).min().unwrap_or_default();
        View {
            title: title(key, value),
            left_out: "",
            command,
            version: env!("CARGO_PKG_VERSION"),
            version_namespace: version_namespace(),
            guard: guard("ROWS_FACADE"),
            kinds: KeyKindsView::of([key]),
            sources,
            calls: CallsView::new(),
            max_columns: as_power_of_two(max_columns),
            shared_bytes_per_block: arch.max_shared_bytes(),
            kind: kind_of(key),
            key_bits: key.bits(),
            value_bytes: value.bytes(),
            value_kind: value_kind(value),
            positions: POSITIONS,
            max_items: MAX_ITEMS,
            rows_of_group: rows::host_rows_of_group(Cpp::Text("columns".to_owned())).to_string(),
            arguments: arguments(),
            tiles,
            hosts,
            orders,
            members: MemberView::BOTH,
        }
    }

    /// How rows of an order are sorted together.
    pub fn row_sort(&self, order: Order) -> RowSort {
        RowSort::pairs(self.key, self.value).order(order).on(self.arch)
    }

    /// How rows of an order are sorted one after the other.
    pub fn array_sort(&self, order: Order) -> ArraySort {
        ArraySort::pairs(self.key, self.value).order(order)
    }

    /// The sorts that are used for some number of columns, each with the most of these; the fewest come first.
    fn choices(&self, order: Order) -> Choices {
        let together = self.row_sort(order).table();
        let is_tile = |(_, spec): &&(u64, KernelSpec)| matches!(spec, KernelSpec::Tile(_));
        let of_first_tiles = together.iter().take_while(is_tile).last();
        let most_of_first_tiles = of_first_tiles.map_or(0, |(most, _)| *most);
        let mut one_by_one = self.array_sort(order).table(Device::of(self.arch));
        one_by_one.retain(|(most, _)| *most > most_of_first_tiles);
        Choices { together, one_by_one }
    }

    fn order_view(&self, order: Order, choices: &Choices) -> OrderView {
        let Self { key, value, .. } = self;
        let last = choices.one_by_one.len().saturating_sub(1);
        let one_by_one = choices.one_by_one.iter().enumerate().map(|(index, (most, spec))| {
            let most = (index != last).then_some(*most);
            ChoiceView { most, condition: None, is_tile: false, name: spec.to_string() }
        });
        OrderView {
            emitted_guard: guard(&format!("ROWS_FACADE_{key}_{value}_{order}")),
            descending: order == Order::Descending,
            max_columns: most_items(&choices.one_by_one),
            together: choices.together.iter().map(together_view).collect(),
            one_by_one: one_by_one.collect(),
        }
    }

    /// The words for `emit` that make the header.
    fn words(&self) -> String {
        let Self { key, value, arch, orders } = self;
        format!("{} --arch {arch}", facade_text::command("cub-rows", *key, *value, orders))
    }
}

/// Adds a sort of arrays, or of rows device-wide, unless it is there.
fn add(
    emitted: &Emitted,
    names: &mut HashSet<String>,
    sources: &mut Sources,
    hosts: &mut Vec<HostView>,
) -> Result<(), RenderError> {
    if names.insert(emitted.spec.to_string()) {
        sources.add(&emitted.sort, &emitted.source);
        hosts.push(host_view(emitted, "_ROWS_FACADE")?);
    }
    Ok(())
}

fn title(key: KeyType, value: ValueType) -> String {
    match value {
        ValueType::Index => format!("{key} keys with their positions"),
        value => facade_text::title(key, value),
    }
}

/// The number, as a power of two where it is one.
fn as_power_of_two(number: u64) -> String {
    if number.is_power_of_two() { format!("2^{}", number.ilog2()) } else { number.to_string() }
}

fn value_kind(value: ValueType) -> String {
    if value == ValueType::Index { POSITIONS.to_owned() } else { value.bytes().to_string() }
}

fn together_view((most, spec): &(u64, KernelSpec)) -> ChoiceView {
    let condition = rows::host_are_sorted_together(spec, Cpp::Text("rows".to_owned()));
    ChoiceView {
        most: Some(*most),
        condition: (condition != CppTruth::known(true)).then(|| condition.to_string()),
        is_tile: matches!(spec, KernelSpec::Tile(_)),
        name: spec.to_string(),
    }
}

/// The arguments of all kernels of rows that no number in memory counts.
fn arguments() -> Vec<UntypedArgument> {
    let is_of_others = |it: &&ArgumentField| it.name == "n" || it.name.starts_with("count");
    let all = TileArguments::FIELDS.iter().filter(|it| !is_of_others(it));
    all.map(UntypedArgument::of).collect()
}

fn tile_view(spec: &SortSpec) -> TileView {
    let summary = registry::summary(spec);
    let rows_of_block = Cpp::known(rows::rows_of_block(spec));
    let name = spec.to_string();
    TileView {
        guard: guard(&format!("{name}_ROWS_HOST")),
        blocks: Cpp::Text("arguments.rows".to_owned()).divided_up_by(rows_of_block).to_string(),
        threads: summary.map_or(spec.algorithm.block(), |it| it.block).threads(),
        shared_bytes: summary.map_or(0, |it| it.shared_bytes),
        max_rows: rows::max_rows_of_tiles(spec),
        parameters: TileArguments::taken(spec, TileKernelKind::Rows)
            .iter()
            .map(|it| it.name)
            .collect(),
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_header_and_each_part_once() {
        let scalars = KeyType::ALL.iter().copied().filter(|it| it.is_scalar());
        let values = [ValueType::Index, ValueType::None, ValueType::U32, ValueType::U128];
        let archs = [90, 75, 86].map(|arch| Arch::new(arch).expect("known"));
        let types = scalars.zip(values.into_iter().cycle());
        for ((key, value), arch) in types.zip(archs.into_iter().cycle()) {
            let orders = vec![Order::Ascending, Order::Descending];
            let facade = RowsFacade { key, value, orders, arch };
            let text = facade.header().unwrap_or_else(|error| panic!("{error}"));
            assert!(!text.contains("extern \"C\""), "{key} {value}");
            let guards: Vec<&str> = text.lines().filter(|it| it.starts_with("#define ")).collect();
            let once: HashSet<&&str> = guards.iter().collect();
            assert_eq!(once.len(), guards.len(), "{key} {value}: {guards:?}");
        }
    }

    #[test]
    fn a_header_has_the_kernels_of_every_number_of_rows_and_columns() {
        let facade = RowsFacade {
            key: KeyType::F16,
            value: ValueType::None,
            orders: vec![Order::Descending],
            arch: Arch::SM_90,
        };
        let text = facade.header().unwrap_or_else(|error| panic!("{error}"));
        let (row_sort, device) = (facade.row_sort(Order::Descending), Device::of(facade.arch));
        for columns in [1, 16, 17, 300, 5000, 13_000, 14_000, 100_000, 800_000, 1 << 20, 1 << 24] {
            for rows in [1, 2] {
                let of_rows = row_sort.choose(columns).map(|it| it.spec());
                let together = of_rows.filter(|it| rows::are_sorted_together(it, rows));
                let alone = || facade.array_sort(Order::Descending).kernel(columns, device);
                let spec = together.unwrap_or_else(alone);
                let host = format!("{spec}_host<kInstance>");
                let of_tile = format!("{spec}_rows_host<kInstance>");
                assert!(text.contains(&host) || text.contains(&of_tile), "{spec}, {columns}");
            }
        }
    }
}
