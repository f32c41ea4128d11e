//! One header with the functions of `cub::DeviceTopK`, and the same of rows, over generated top-ks: their kernels, and the host's part, which is
//! made of the same choice, launches and scratch that Rust uses.

mod plan;
mod steps;

use std::collections::HashSet;

use askama::Template;

use self::plan::{PlanView, plan_view, variable};
use self::steps::StepsView;
use crate::contract::arguments::{ArgumentField, KernelArguments as _};
use crate::contract::device::spec::require_scalar;
use crate::contract::render::RenderError;
use crate::output::facade_text::{self, CallsView, Sources, UntypedArgument};
use crate::text::common::{Part, PartView};
use crate::text::key_kinds::{KeyKindsView, kind_of};
use crate::text::{guard, version_namespace};
use crate::top_k::{
    AnyTopK, Candidate, CandidatesArguments, FilteredArguments, ListedArguments, RankedArguments,
    RowsArguments, SamplesArguments, SurvivorsArguments, TopKKernel, TopKSpec, TopKTask, TopKValue,
};
use crate::types::{KeyType, Order, ValueType};
use crate::warp_top_k;

/// The facade's file name.
pub const TOP_K_FACADE_FILE: &str = "device_top_k.cuh";

/// The most items of an array: far more than any device holds, and no number of bytes overflows.
const MAX_ITEMS: u64 = 1 << 56;

/// The most columns of a row: positions in it have 32 bits.
const MAX_COLUMNS: u64 = 1 << 32;

/// What a facade of top-ks is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopKFacade {
    /// The type of the keys, which is no struct.
    pub key: KeyType,
    /// What is found beside keys: values, or of either other kind nothing or positions, as the call says.
    pub value: ValueType,
    /// The orders that there are: the largest keys are found in descending order.
    pub orders: Vec<Order>,
}

#[derive(Template)]
#[template(path = "top_k/facade/header.cuh", escape = "none")]
struct View {
    title: String,
    command: String,
    version: &'static str,
    version_namespace: String,
    guard: String,
    null_type: PartView,
    calls: CallsView,
    kinds: KeyKindsView,
    /// The text of the top-ks: their structs and kernels.
    sources: String,
    kind: String,
    value_bytes: u32,
    max_k: u32,
    max_items: u64,
    max_columns: u64,
    limits: Vec<LimitView>,
    arguments: Vec<UntypedArgument>,
    steps: StepsView,
    hosts: Vec<HostView>,
    orders: Vec<OrderView>,
    classes: [ClassView; 2],
    members: [MemberView; 2],
}

/// The largest k where a block has this much shared memory.
struct LimitView {
    max_k: u32,
    shared_bytes: u32,
}

/// The host's part of a spec.
struct HostView {
    name: String,
    guard: String,
    threads: u32,
    shared_bytes: u32,
    kernels: Vec<KernelView>,
    /// Of warps, the blocks of the launch.
    blocks: String,
    plan: Option<PlanView>,
}

struct KernelView {
    /// Without the line in front.
    name: &'static str,
    arguments: Vec<&'static str>,
}

/// The kernels of one order.
struct OrderView {
    emitted_guard: String,
    descending: bool,
    choices: Vec<ChoiceView>,
}

struct ChoiceView {
    condition: String,
    name: String,
}

struct ClassView {
    name: &'static str,
    words: &'static str,
    types: &'static str,
    parameters: &'static str,
    /// What is given for the numbers of rows, columns, their distance and k.
    given: &'static str,
    of_positions: &'static str,
}

struct MemberView {
    prefix: &'static str,
    largest: bool,
    words: &'static str,
}

const CLASSES: [ClassView; 2] = [
    ClassView {
        name: "DeviceTopK",
        words: "The first k keys of an array.",
        types: "typename NumItemsT, typename NumOutItemsT",
        parameters: "NumItemsT num_items, NumOutItemsT k",
        given: "1, num_items, num_items, k",
        of_positions: "",
    },
    ClassView {
        name: "DeviceBatchedTopK",
        words: "The first k keys of each row of a matrix: rows begin at multiples of row_stride, and results come row after row, k of each.",
        types: "typename NumRowsT, typename NumColumnsT, typename RowStrideT, typename NumOutItemsT",
        parameters: "NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, NumOutItemsT k",
        given: "num_rows, num_columns, row_stride, k",
        of_positions: " in the row",
    },
];

const MEMBERS: [MemberView; 2] = [
    MemberView { prefix: "Max", largest: true, words: "The largest, in descending order." },
    MemberView { prefix: "Min", largest: false, words: "The smallest, in ascending order." },
];

impl TopKFacade {
    /// The header's text.
    pub fn header(&self) -> Result<String, RenderError> {
        let Self { key, .. } = *self;
        require_scalar(key).map_err(|error| {
            let name = TOP_K_FACADE_FILE.to_owned();
            RenderError::NoDeviceSort { name, error }
        })?;
        let value = if self.value == ValueType::Index { ValueType::None } else { self.value };
        let (mut sources, mut hosts, mut orders) = (Sources::default(), Vec::new(), Vec::new());
        let mut names = HashSet::new();
        for order in &self.orders {
            let task = self.task(*order);
            let mut choices = Vec::new();
            for (candidate, spec) in chosen(task) {
                let name = spec.to_string();
                choices.push(choice_view(&candidate, name.clone()));
                if names.insert(name.clone()) {
                    sources.add(&name, &spec.header()?);
                    hosts.push(host_view(&spec, name));
                }
            }
            orders.push(OrderView {
                emitted_guard: guard(&format!("TOP_K_FACADE_{key}_{value}_{order}")),
                descending: *order == Order::Descending,
                choices,
            });
        }
        let limits = limits(self.task(Order::Ascending));
        let view = View {
            title: title(key, value),
            command: facade_text::command("cub-topk", key, value, &self.orders),
            version: env!("CARGO_PKG_VERSION"),
            version_namespace: version_namespace(),
            guard: guard("TOP_K_FACADE"),
            null_type: PartView::of(Part::NullType),
            calls: CallsView::new(),
            kinds: KeyKindsView::of([key]),
            sources: sources.text,
            kind: kind_of(key),
            value_bytes: value.bytes(),
            max_k: limits.iter().map(|it| it.max_k).fold(0, u32::max),
            max_items: MAX_ITEMS,
            max_columns: MAX_COLUMNS,
            limits,
            arguments: arguments(),
            steps: StepsView::new(),
            hosts,
            orders,
            classes: CLASSES,
            members: MEMBERS,
        };
        Ok(view.render().map_err(RenderError::Facade)? + "\n")
    }

    /// The top-k of an order. Kernels that write positions of 64 bits write such of 32 bits, too, and keys alone.
    pub fn task(&self, order: Order) -> TopKTask {
        let value = match self.value {
            ValueType::None | ValueType::Index => TopKValue::Index64,
            word => TopKValue::Values { word, words: 1 },
        };
        TopKTask { value, ..TopKTask::of(self.key, order) }
    }

    /// The kernels that the header takes for rows of this many columns, where a block has this shared memory; none where k is too large for them.
    pub fn spec(&self, order: Order, [columns, k]: [u64; 2], shared_bytes: u32) -> Option<AnyTopK> {
        let facts = [columns, k, shared_bytes.into()];
        let mut chosen = chosen(self.task(order));
        chosen.find(|(candidate, _)| candidate.admits(facts)).map(|(_, spec)| spec)
    }

    /// All kernels of the header.
    pub fn specs(&self, order: Order) -> Vec<AnyTopK> {
        let mut names = HashSet::new();
        chosen(self.task(order)).map(|(_, spec)| spec).filter(|it| names.insert(*it)).collect()
    }
}

fn chosen(task: TopKTask) -> impl Iterator<Item = (Candidate, AnyTopK)> {
    task.candidates_of_header().filter_map(move |it| Some((it, it.spec(task)?)))
}

fn title(key: KeyType, value: ValueType) -> String {
    let value = match value {
        ValueType::None => "alone or with their positions".to_owned(),
        value => format!("with values of {} bytes", value.bytes()),
    };
    format!("{key} keys {value}")
}

/// The largest k by the shared memory of a block, where it takes more for more keys.
fn limits(task: TopKTask) -> Vec<LimitView> {
    let mut limits: Vec<LimitView> = Vec::new();
    let mut all: Vec<Candidate> = task.candidates_of_header().collect();
    all.sort_by_key(|it| (it.shared_bytes, it.max_k));
    for Candidate { max_k, shared_bytes, .. } in all.into_iter().filter(|it| it.shared_bytes > 0) {
        if limits.last().is_none_or(|it| it.max_k < max_k) {
            limits.push(LimitView { max_k, shared_bytes });
        }
    }
    limits
}

/// The arguments of all kernels by their names, of the widest type that one of them has.
fn arguments() -> Vec<UntypedArgument> {
    let tables: [&[ArgumentField]; 7] = [
        &RowsArguments::FIELDS,
        &CandidatesArguments::FIELDS,
        &SurvivorsArguments::FIELDS,
        &RankedArguments::FIELDS,
        &SamplesArguments::FIELDS,
        &FilteredArguments::FIELDS,
        &ListedArguments::FIELDS,
    ];
    let mut names = HashSet::new();
    let all = tables.into_iter().flatten().filter(|it| names.insert(it.name));
    all.map(UntypedArgument::of).collect()
}

fn choice_view(candidate: &Candidate, name: String) -> ChoiceView {
    let facts = ["columns", "k", "shared_bytes_per_block"].map(variable);
    ChoiceView { condition: candidate.admits(facts).to_string(), name }
}

fn host_view(spec: &AnyTopK, name: String) -> HostView {
    let of_block =
        |spec: &TopKSpec| (kernels_of_blocks(spec), String::new(), Some(plan_view(spec)));
    let (kernels, blocks, plan) = match spec {
        AnyTopK::Block(spec) => of_block(spec),
        AnyTopK::Warp(spec) => {
            let fields = warp_top_k::RowsArguments::taken(spec.value);
            let blocks = spec.host_blocks(variable("rows"), variable("multiprocessors"));
            (vec![kernel_view(TopKKernel::Rows, fields)], blocks.to_string(), None)
        }
    };
    let (threads, shared_bytes) = (spec.threads(), spec.shared_bytes());
    HostView {
        guard: guard(&format!("{name}_HOST")),
        name,
        threads,
        shared_bytes,
        kernels,
        blocks,
        plan,
    }
}

fn kernel_view(kernel: TopKKernel, fields: &[ArgumentField]) -> KernelView {
    KernelView {
        name: kernel.suffix().trim_start_matches('_'),
        arguments: fields.iter().map(|it| it.name).collect(),
    }
}

fn kernels_of_blocks(spec: &TopKSpec) -> Vec<KernelView> {
    let value = spec.value;
    vec![
        kernel_view(TopKKernel::Rows, RowsArguments::taken(value)),
        kernel_view(TopKKernel::Candidates, CandidatesArguments::taken(value)),
        kernel_view(TopKKernel::Survivors, &SurvivorsArguments::FIELDS),
        kernel_view(TopKKernel::Ranked, RankedArguments::taken(value)),
        kernel_view(TopKKernel::Samples, &SamplesArguments::FIELDS),
        kernel_view(TopKKernel::Filtered, &FilteredArguments::FIELDS),
        kernel_view(TopKKernel::Listed, ListedArguments::taken(value)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_header_and_each_part_once() {
        for (key, value) in [
            (KeyType::F32, ValueType::U32),
            (KeyType::U8, ValueType::None),
            (KeyType::F16, ValueType::Index),
            (KeyType::U128, ValueType::U128),
        ] {
            let orders = vec![Order::Ascending, Order::Descending];
            let facade = TopKFacade { key, value, orders };
            let text = facade.header().unwrap_or_else(|error| panic!("{error}"));
            assert!(!text.contains("extern \"C\""), "{key} {value}");
            let guards: Vec<&str> = text.lines().filter(|it| it.starts_with("#define ")).collect();
            let once: HashSet<&&str> = guards.iter().collect();
            assert_eq!(once.len(), guards.len(), "{key} {value}: {guards:?}");
        }
    }

    /// What a header has is enough for every k that is legal, on every device.
    #[test]
    fn kernels_of_a_header_are_those_that_are_chosen_or_others_for_the_same_rows() {
        let orders = vec![Order::Descending];
        for key in [KeyType::F32, KeyType::U64, KeyType::U128] {
            let facade = TopKFacade { key, value: ValueType::U32, orders: orders.clone() };
            let task = facade.task(Order::Descending);
            for shared_bytes in [64 << 10, 99 << 10, 163 << 10, 227 << 10] {
                for columns in [1, 33, 64, 100, 256, 300, 1024, 1025, 5000, 1 << 20, 1 << 25] {
                    for k in [0, 1, 8, 9, 64, 65, 128, 200, 256, 257, 1024, 2048, 4096, 5000] {
                        let k = columns.min(k);
                        let spec = facade.spec(Order::Descending, [columns, k], shared_bytes);
                        let chosen = task.spec(columns, k, shared_bytes);
                        let what = format!("{key}, {columns} columns, k {k}, {shared_bytes}");
                        assert_eq!(spec.is_some(), chosen.is_some(), "{what}");
                        let fits = |it: AnyTopK| {
                            u64::from(it.max_k()) >= k
                                && it.max_columns() >= columns
                                && it.shared_bytes() <= shared_bytes
                        };
                        assert!(spec.is_none_or(fits), "{what}");
                    }
                }
            }
        }
    }
}
