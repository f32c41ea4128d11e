//! One header with the functions of `cub::DeviceSegmentedSort` and `cub::DeviceSegmentedRadixSort` over generated sorts of segments: their
//! kernels, and the host's part, which is made of the same launches and scratch that Rust uses.

use askama::Template;

use crate::contract::arguments::KernelArguments as _;
use crate::contract::device::host::{Cpp, CppTruth, Number as _};
use crate::contract::render::RenderError;
use crate::output::facade_text::{self, CallsView, Sources};
use crate::segments::{
    self, CountArguments, HostFacts, HostLaunch, MAX_ITEMS, SegmentKernel, SegmentSpec,
    ZEROED_BYTES,
};
use crate::text::key_kinds::{KeyKindsView, kind_of};
use crate::text::{guard, version_namespace};
use crate::types::{KeyType, Order, ValueType};

/// The facade's file name.
pub const SEGMENTED_FACADE_FILE: &str = "device_segmented_sort.cuh";

/// Arrays in storage begin at multiples of it, in bytes.
const ALIGNMENT: u64 = 256;

/// What a facade of sorts of segments is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentedFacade {
    /// The type of the keys, which is no struct.
    pub key: KeyType,
    /// What travels with each key; no positions, which CUB does not make.
    pub value: ValueType,
    /// The orders that there are.
    pub orders: Vec<Order>,
}

#[derive(Template)]
#[template(path = "device/segmented_facade.cuh", escape = "none")]
struct View {
    title: String,
    command: String,
    version: &'static str,
    version_namespace: String,
    guard: String,
    calls: CallsView,
    kinds: KeyKindsView,
    /// The text of the sorts: their structs and kernels.
    sources: String,
    kind: String,
    key_bits: u32,
    value_bytes: u32,
    max_items: u64,
    /// What the kernel that lists segments takes behind the arguments of all.
    count_arguments: Vec<&'static str>,
    hosts: Vec<HostView>,
    classes: [ClassView; 2],
}

/// The host's part of a spec.
struct HostView {
    name: String,
    guard: String,
    emitted_guard: String,
    descending: bool,
    shared_bytes: u32,
    zeroed: u64,
    workspace: String,
    alternate: String,
    alternate_keys: String,
    launches: Vec<LaunchView>,
}

struct LaunchView {
    condition: String,
    kernel: String,
    rounds: Option<String>,
    blocks: String,
    threads: u32,
    shared_bytes: u32,
    parameters: &'static str,
}

/// A struct of CUB's.
struct ClassView {
    name: &'static str,
    /// The parameters for bits, and what is given for them.
    bits: &'static str,
    given_bits: &'static str,
    members: &'static [MemberView],
}

struct MemberView {
    prefix: &'static str,
    suffix: &'static str,
    descending: bool,
    words: &'static str,
}

const MEMBERS: [MemberView; 4] = [
    MemberView { prefix: "", suffix: "", descending: false, words: "Ascending." },
    MemberView { prefix: "", suffix: "Descending", descending: true, words: "Descending." },
    MemberView {
        prefix: "Stable",
        suffix: "",
        descending: false,
        words: "Ascending, as those above.",
    },
    MemberView {
        prefix: "Stable",
        suffix: "Descending",
        descending: true,
        words: "Descending, as those above.",
    },
];

const CLASSES: [ClassView; 2] = [
    ClassView {
        name: "DeviceSegmentedSort",
        bits: "",
        given_bits: "0, static_cast<int>(8 * sizeof(KeyT))",
        members: &MEMBERS,
    },
    ClassView {
        name: "DeviceSegmentedRadixSort",
        bits: ", int begin_bit = 0, int end_bit = sizeof(KeyT) * 8",
        given_bits: "begin_bit, end_bit",
        members: MEMBERS.split_at(2).0,
    },
];

impl SegmentedFacade {
    /// The header's text.
    pub fn header(&self) -> Result<String, RenderError> {
        facade_text::require_payload(self.value)?;
        let mut sources = Sources::default();
        let mut hosts = Vec::new();
        for order in &self.orders {
            let spec = SegmentSpec::of(self.key, self.value, *order, false);
            let name = spec.to_string();
            let spec = spec
                .validate()
                .map_err(|error| RenderError::NoDeviceSort { name: name.clone(), error })?;
            sources.add(&name, &segments::header(&spec)?);
            hosts.push(self.host_view(&spec, name));
        }
        let view = View {
            title: facade_text::title(self.key, self.value),
            command: facade_text::command("cub-segmented", self.key, self.value, &self.orders),
            version: env!("CARGO_PKG_VERSION"),
            version_namespace: version_namespace(),
            guard: guard("SEGMENTED_FACADE"),
            calls: CallsView::new(),
            kinds: KeyKindsView::of([self.key]),
            sources: sources.text,
            kind: kind_of(self.key),
            key_bits: self.key.bits(),
            value_bytes: self.value.bytes(),
            max_items: MAX_ITEMS,
            count_arguments: CountArguments::FIELDS.map(|it| it.name).to_vec(),
            hosts,
            classes: CLASSES,
        };
        Ok(view.render().map_err(RenderError::Facade)? + "\n")
    }

    fn host_view(&self, spec: &SegmentSpec, name: String) -> HostView {
        let facts = HostFacts::variables();
        let [workspace, keys, values] = spec.host_scratch(&facts);
        let alternate_keys = keys.next_multiple_of(ALIGNMENT);
        let Self { key, value, .. } = self;
        let launches = spec.host_launches(facts).into_iter();
        HostView {
            guard: guard(&format!("{name}_HOST")),
            emitted_guard: guard(&format!("SEGMENTED_FACADE_{key}_{value}_{}", spec.order)),
            descending: spec.order == Order::Descending,
            shared_bytes: SegmentKernel::ALL
                .map(|it| spec.shared_bytes_of(it))
                .into_iter()
                .fold(0, u32::max),
            zeroed: ZEROED_BYTES,
            workspace: workspace.to_string(),
            alternate: alternate_keys.clone().plus(values).to_string(),
            alternate_keys: alternate_keys.to_string(),
            launches: launches.filter_map(|it| launch_view(&name, it)).collect(),
            name,
        }
    }
}

/// The launch, unless it is never made.
fn launch_view(name: &str, launch: HostLaunch<Cpp>) -> Option<LaunchView> {
    let HostLaunch { condition, kernel, rounds, blocks, threads, shared_bytes } = launch;
    let parameters = match kernel {
        SegmentKernel::Classify => "of_classify",
        _ => "parameters",
    };
    (condition != CppTruth::Known(false)).then(|| LaunchView {
        condition: condition.to_string(),
        kernel: format!("{name}{}", kernel.suffix()),
        rounds: rounds.map(|it| it.to_string()),
        blocks: blocks.to_string(),
        threads,
        shared_bytes,
        parameters,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_type_has_a_header_and_each_part_once() {
        let scalars = KeyType::ALL.iter().copied().filter(|it| it.is_scalar());
        for (key, value) in
            scalars.zip([ValueType::None, ValueType::U32, ValueType::U128].into_iter().cycle())
        {
            let orders = vec![Order::Ascending, Order::Descending];
            let facade = SegmentedFacade { key, value, orders };
            let text = facade.header().unwrap_or_else(|error| panic!("{error}"));
            assert!(!text.contains("extern \"C\""), "{key} {value}");
            let guards: Vec<&str> = text.lines().filter(|it| it.starts_with("#define ")).collect();
            let once: HashSet<&&str> = guards.iter().collect();
            assert_eq!(once.len(), guards.len(), "{key} {value}: {guards:?}");
        }
    }
}
