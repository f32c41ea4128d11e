//! One header with the functions of `cub::DeviceRadixSort` over generated device-wide sorts: their kernels, and the host's part, which is
//! made of the same launches and scratch that Rust uses.

use std::collections::HashSet;

use askama::Template;

use crate::contract::render::RenderError;
use crate::device::Device;
use crate::output::facade_hosts::{HostView, emitted, host_view, most_items};
use crate::output::facade_text::{self, CallsView, MemberView, Sources};
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
    hosts: Vec<HostView>,
    sorts: Vec<SortView>,
    members: [MemberView; 2],
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
                    hosts.push(host_view(&emitted, "")?);
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
            hosts,
            sorts: sorts.iter().map(|(order, choices)| self.sort_view(*order, choices)).collect(),
            members: MemberView::BOTH,
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
        let views = choices.iter().enumerate().map(|(index, (most, spec))| ChoiceView {
            most: (index != last).then_some(*most),
            name: spec.to_string(),
        });
        SortView {
            guard: guard(&format!("DEVICE_FACADE_{}_{}_{order}", self.key, self.value)),
            descending: order == Order::Descending,
            max_items: most_items(choices),
            choices: views.collect(),
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
