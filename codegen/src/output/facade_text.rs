//! What the facades of sorts on arrays have in common: the kernels' text, the words that say what is in a header.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::contract::arguments::ArgumentField;
use crate::contract::render::RenderError;
use crate::device::FIRST_WAITING_ARCH;
use crate::text::{guard, version_namespace};
use crate::types::{KeyType, Order, Token as _, ValueType};

/// What `templates/fragments/device_calls.cuh` shows, which templates reach as `calls`.
pub(crate) struct CallsView {
    pub(crate) guard: String,
    pub(crate) first_waiting_arch: u32,
}

impl CallsView {
    pub(crate) fn new() -> Self {
        Self { guard: guard("DEVICE_CALLS"), first_waiting_arch: FIRST_WAITING_ARCH }
    }
}

/// An argument of kernels, as a member of a struct of the arguments of several.
pub(crate) struct UntypedArgument {
    pub(crate) name: &'static str,
    pub(crate) cuda: &'static str,
}

impl UntypedArgument {
    /// Addresses are of no type.
    pub(crate) fn of(field: &ArgumentField) -> Self {
        let cuda = match (field.name, field.cuda) {
            (name, cuda) if cuda.ends_with('*') && name.ends_with("_out") => "void*",
            (_, cuda) if cuda.ends_with('*') => "const void*",
            (_, cuda) => cuda,
        };
        Self { name: field.name, cuda }
    }
}

/// The functions of an order.
pub(crate) struct MemberView {
    /// What the order adds to their names.
    pub(crate) suffix: &'static str,
    pub(crate) descending: bool,
    pub(crate) words: &'static str,
}

impl MemberView {
    /// The members of both orders.
    pub(crate) const BOTH: [Self; 2] = [
        Self { suffix: "", descending: false, words: "Ascending." },
        Self { suffix: "Descending", descending: true, words: "Descending." },
    ];
}

/// What a header is of.
pub(crate) fn title(key: KeyType, value: ValueType) -> String {
    let value = match value {
        ValueType::None => "keys alone".to_owned(),
        value => format!("values of {} bytes", value.bytes()),
    };
    format!("{key} keys, {value}")
}

/// The words for `emit` that make the header.
pub(crate) fn command(facade: &str, key: KeyType, value: ValueType, orders: &[Order]) -> String {
    let order = match orders {
        [order] => order.to_string(),
        _ => "both".to_owned(),
    };
    format!("--facade {facade} --key {key} --value {value} --order {order}")
}

/// An error if the values are positions, which CUB does not make.
pub(crate) fn require_payload(value: ValueType) -> Result<(), RenderError> {
    if value != ValueType::Index {
        return Ok(());
    }
    let legal = ValueType::table().iter().filter(|(it, _)| *it != ValueType::Index);
    let legal = legal.map(|(_, word)| *word).collect::<Vec<_>>().join(", ");
    Err(RenderError::NoPositions { legal })
}

/// Headers one behind the other, with each part that several of them have once, and their kernels as templates, which several files of a
/// program may have and which are compiled where they are used.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) text: String,
    written: HashSet<String>,
}

const END_OF_NAMESPACE: &str = "}  // namespace sortsmith\n";
const END_OF_PART: &str = "}  // namespace sortsmith\n#endif\n";
const KERNEL: &str = "extern \"C\" __global__";

impl Sources {
    /// Adds a header of this name.
    pub(crate) fn add(&mut self, name: &str, header: &str) {
        let body = header.split_once("#pragma once\n").map_or(header, |(_, body)| body);
        let (structs, kernels) = body.split_at(body.find(KERNEL).unwrap_or(body.len()));
        for part in structs.split_inclusive(END_OF_PART) {
            let guard = part.lines().find(|line| line.starts_with("#ifndef "));
            if part.ends_with(END_OF_PART)
                && !self.written.insert(guard.unwrap_or_default().to_owned())
            {
                continue;
            }
            // Behind the last part there is what belongs to the kernels.
            if let Some(end) = part.rfind(END_OF_NAMESPACE) {
                self.text += &part[..end];
                self.text += END_OF_PART;
            }
        }
        let namespace = version_namespace();
        let kernels = kernels.trim_end().trim_end_matches("#endif").trim_end();
        let kernels = kernels.replace(KERNEL, "template <int kInstance>\n__global__");
        let guard = guard(&format!("{name}_KERNELS"));
        let _ = writeln!(
            self.text,
            "\n#ifndef {guard}\n#define {guard}\nnamespace sortsmith {{\ninline namespace {namespace} {{\n\
             namespace device_facade {{\n\n{kernels}\n\n}}  // namespace device_facade\n}}  // namespace {namespace}\n{END_OF_PART}"
        );
    }
}
