//! One header with the functions of `cub::DeviceRadixSort` over generated device-wide sorts: their kernels, and the host's part, which is
//! made of the same launches and scratch that Rust uses.

use std::collections::HashSet;

use askama::Template;

use crate::contract::device::family::NamedHeader;
use crate::contract::device::host::{Cpp, CppArgument, CppHost, CppTruth, HostLaunch};
use crate::contract::render::RenderError;
use crate::device::{Device, DeviceSpec, sharing_headers};
use crate::output::facade_text::{self, CallsView, Sources};
use crate::registry::KernelSpec;
use crate::select::dispatch::ArraySort;
use crate::select::tuning::Tuning;
use crate::text::key_kinds::{KeyKindsView, StructView, kind_of};
use crate::text::{guard, version_namespace};
use crate::types::{Arch, KeyType, Order, ValueType};

/// The facade's file name.
pub const DEVICE_FACADE_FILE: &str = "device_radix_sort.cuh";

/// What a facade of device-wide sorts is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFacade {
    /// The type of the keys.
    pub key: KeyType,
    /// What travels with each key; no positions, which CUB does not make.
    pub value: ValueType,
    /// The orders that there are.
    pub orders: Vec<Order>,
    /// The architecture for which sorts are chosen: by the shared memory that a block of it may have.
    pub arch: Arch,
}

#[derive(Template)]
#[template(path = "device/facade.cuh", escape = "none")]
struct View {
    title: String,
    command: String,
    version: &'static str,
    version_namespace: String,
    guard: String,
    kinds: KeyKindsView,
    /// None: arrays of structs are sorted where they are.
    structs: Vec<StructView>,
    /// The text of the sorts: their structs and kernels.
    sources: String,
    calls: CallsView,
    shared_bytes_per_block: u32,
    kind: String,
    key_bits: u32,
    key_bytes: u32,
    /// Of a struct, where its fields begin.
    field_offsets: String,
    value_bytes: u32,
    has_values: bool,
    hosts: Vec<HostView>,
    sorts: Vec<SortView>,
    members: [MemberView; 2],
}

/// The host's part of a spec.
struct HostView {
    name: String,
    /// What its struct is called.
    sort: String,
    guard: String,
    is_tile: bool,
    scratch: ScratchView,
    arguments: Vec<ArgumentView>,
    launches: Vec<LaunchView>,
}

#[derive(Default)]
struct ScratchView {
    zeroed: String,
    workspace: String,
    alternate: String,
    alternate_keys: String,
}

struct ArgumentView {
    name: &'static str,
    assigned: String,
}

struct LaunchView {
    condition: String,
    only_if: Option<String>,
    kernel: String,
    argument: Option<String>,
    blocks: String,
    threads: u32,
    shared_bytes: String,
}

/// A sort of one order, whatever its length.
struct SortView {
    guard: String,
    descending: bool,
    max_items: u64,
    choices: Vec<ChoiceView>,
}

struct ChoiceView {
    most: Option<u64>,
    name: String,
}

struct MemberView {
    suffix: &'static str,
    descending: bool,
    words: &'static str,
}

const MEMBERS: [MemberView; 2] = [
    MemberView { suffix: "", descending: false, words: "Ascending." },
    MemberView { suffix: "Descending", descending: true, words: "Descending." },
];

impl DeviceFacade {
    /// The header's text.
    pub fn header(&self) -> Result<String, RenderError> {
        facade_text::require_payload(self.value)?;
        let sorts: Vec<(Order, Vec<(u64, KernelSpec)>)> =
            self.orders.iter().map(|order| (*order, self.choices(*order))).collect();
        let mut seen = HashSet::new();
        let mut hosts = Vec::new();
        let mut sources = Sources::default();
        for (_, choices) in &sorts {
            for emitted in emitted(choices)? {
                if seen.insert(emitted.spec) {
                    sources.add(&emitted.sort, &emitted.source);
                    hosts.push(host_view(&emitted)?);
                }
            }
        }
        let view = View {
            title: facade_text::title(self.key, self.value),
            command: self.command(),
            version: env!("CARGO_PKG_VERSION"),
            version_namespace: version_namespace(),
            guard: guard("DEVICE_FACADE"),
            kinds: KeyKindsView::of([self.key]),
            structs: Vec::new(),
            sources: sources.text,
            calls: CallsView::new(),
            shared_bytes_per_block: self.arch.max_shared_bytes(),
            kind: kind_of(self.key),
            key_bits: self.key.bits(),
            key_bytes: self.key.bytes(),
            field_offsets: self.field_offsets(),
            value_bytes: self.value.bytes(),
            has_values: self.value != ValueType::None,
            hosts,
            sorts: sorts.iter().map(|(order, choices)| self.sort_view(*order, choices)).collect(),
            members: MEMBERS,
        };
        Ok(view.render().map_err(RenderError::Facade)? + "\n")
    }

    /// The sorts of all lengths, each with the most items that it is used for; the fewest come first. Bits are arguments, so that those
    /// sorts are left out which are by all bits alone.
    fn choices(&self, order: Order) -> Vec<(u64, KernelSpec)> {
        let sort = ArraySort::pairs(self.key, self.value).order(order).by_bits();
        let choices = sort.choices(Device::of(self.arch), &Tuning::default());
        choices.into_iter().map(|(most, choice)| (most, choice.built_in)).collect()
    }

    fn sort_view(&self, order: Order, choices: &[(u64, KernelSpec)]) -> SortView {
        let last = choices.len().saturating_sub(1);
        let max_items = choices.last().map_or(0, |(most, spec)| match spec {
            KernelSpec::Tile(_) => *most,
            KernelSpec::DeviceWide(spec) => spec.max_items(),
        });
        let choices = choices.iter().enumerate().map(|(index, (most, spec))| ChoiceView {
            most: (index != last).then_some(*most),
            name: spec.to_string(),
        });
        SortView {
            guard: guard(&format!("DEVICE_FACADE_{}_{}_{order}", self.key, self.value)),
            descending: order == Order::Descending,
            max_items,
            choices: choices.collect(),
        }
    }

    fn field_offsets(&self) -> String {
        let offsets = self.key.fields().into_iter().map(|field| field.offset.to_string());
        offsets.collect::<Vec<_>>().join(", ")
    }

    fn command(&self) -> String {
        let Self { key, value, arch, .. } = self;
        format!("{} --arch {arch}", facade_text::command("cub-device", *key, *value, &self.orders))
    }
}

/// A sort in the header.
struct Emitted {
    spec: KernelSpec,
    most: u64,
    /// What its struct is called, and its kernels but for those that it shares.
    sort: String,
    source: String,
    /// The sort that has the kernels which are shared, and the name of that.
    sharing: Option<(String, DeviceSpec)>,
}

impl Emitted {
    fn alone(most: u64, spec: KernelSpec) -> Result<Self, RenderError> {
        Ok(Self { spec, most, sort: spec.to_string(), source: spec.source()?, sharing: None })
    }
}

/// The sorts of an order. Sorts of one family that follow one another may share kernels.
fn emitted(choices: &[(u64, KernelSpec)]) -> Result<Vec<Emitted>, RenderError> {
    let algorithm = |spec: &KernelSpec| match spec {
        KernelSpec::DeviceWide(spec) => Some(spec.algorithm),
        KernelSpec::Tile(_) => None,
    };
    let mut emitted = Vec::new();
    for group in choices.chunk_by(|(_, a), (_, b)| algorithm(a) == algorithm(b)) {
        let device_wide: Vec<(u64, DeviceSpec)> = group
            .iter()
            .filter_map(|(most, spec)| match spec {
                KernelSpec::DeviceWide(spec) => Some((*most, *spec)),
                KernelSpec::Tile(_) => None,
            })
            .collect();
        let Some(headers) = sharing_headers(&device_wide).transpose()? else {
            for (most, spec) in group {
                emitted.push(Emitted::alone(*most, *spec)?);
            }
            continue;
        };
        let last = headers.last().map(|it| it.name.clone());
        let sharing = last.zip(device_wide.last().map(|(_, spec)| *spec));
        for ((most, spec), NamedHeader { name, text }) in device_wide.iter().zip(headers) {
            emitted.push(Emitted {
                spec: KernelSpec::DeviceWide(*spec),
                most: *most,
                sort: name,
                source: text,
                sharing: sharing.clone(),
            });
        }
    }
    Ok(emitted)
}

fn host_view(emitted: &Emitted) -> Result<HostView, RenderError> {
    let spec = &emitted.spec;
    let name = spec.to_string();
    let view = HostView {
        guard: guard(&format!("{name}_HOST")),
        is_tile: matches!(spec, KernelSpec::Tile(_)),
        sort: emitted.sort.clone(),
        name,
        scratch: ScratchView::default(),
        arguments: Vec::new(),
        launches: Vec::new(),
    };
    let KernelSpec::DeviceWide(device_spec) = spec else { return Ok(view) };
    let no_host = || RenderError::NoCppHost { name: device_spec.to_string() };
    let CppHost { launches, scratch, arguments } =
        device_spec.cpp_host(emitted.most).ok_or_else(no_host)?;
    let launches: Vec<LaunchView> =
        launches.into_iter().filter_map(|it| launch_view(emitted, it)).collect();
    let argument = |(name, it): (_, CppArgument)| ArgumentView { name, assigned: it.to_string() };
    Ok(HostView {
        scratch: ScratchView {
            zeroed: scratch.zeroed.to_string(),
            workspace: scratch.workspace.to_string(),
            alternate: scratch.alternate.to_string(),
            alternate_keys: scratch.alternate_keys.to_string(),
        },
        arguments: arguments.into_iter().map(argument).collect(),
        launches,
        ..view
    })
}

/// The launch, unless it is never made. A kernel that is shared has the shared memory of the sort that it belongs to.
fn launch_view(emitted: &Emitted, launch: HostLaunch<Cpp>) -> Option<LaunchView> {
    let HostLaunch { condition, kernel, argument, blocks, threads, shared_bytes } = launch;
    let sharing = emitted.sharing.as_ref();
    let sharing = sharing.filter(|(_, spec)| spec.shared_kernels().contains(&kernel));
    let of_sharing = sharing.and_then(|(_, spec)| {
        let all = spec.cpp_host(spec.max_items())?.launches;
        all.into_iter().find(|it| it.kernel == kernel)
    });
    let shared_bytes = of_sharing.map_or(shared_bytes, |it| it.shared_bytes);
    let sort = sharing.map_or(&emitted.sort, |(name, _)| name);
    (condition != CppTruth::Known(false)).then(|| LaunchView {
        condition: condition.to_string(),
        only_if: (condition != CppTruth::Known(true)).then(|| condition.to_string()),
        kernel: format!("{sort}{}", kernel.suffix()),
        argument: argument.map(|(_, number)| number.to_string()),
        blocks: blocks.to_string(),
        threads,
        shared_bytes: shared_bytes.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_header_and_each_part_once() {
        let fields: KeyType = "u32+f32+u8".parse().expect("fields");
        for (key, value, arch) in [
            (fields, ValueType::U32, 90),
            (KeyType::F32, ValueType::U32, 90),
            (KeyType::U16, ValueType::None, 75),
            (KeyType::Bool, ValueType::U128, 86),
            (KeyType::F16, ValueType::U8, 80),
            (KeyType::U64, ValueType::U32, 90),
        ] {
            let arch = Arch::new(arch).expect("known");
            let orders = vec![Order::Ascending, Order::Descending];
            let facade = DeviceFacade { key, value, orders, arch };
            let text = facade.header().unwrap_or_else(|error| panic!("{error}"));
            assert!(!text.contains("extern \"C\""), "{key} {value}");
            let guards: Vec<&str> = text.lines().filter(|it| it.starts_with("#define ")).collect();
            let once: HashSet<&&str> = guards.iter().collect();
            assert_eq!(once.len(), guards.len(), "{key} {value}: {guards:?}");
            let count =
                |what: &str| text.lines().filter(|it| it.trim_start().starts_with(what)).count();
            assert_eq!(count("#if"), count("#endif"), "{key} {value}");
        }
    }
}
