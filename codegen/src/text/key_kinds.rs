//! The key types of C++ as facades know them: `templates/fragments/key_kinds.cuh`.

use std::collections::{BTreeMap, BTreeSet};

use super::guard;
use crate::types::KeyType;

/// C++ spells these integer types apart, though several are of one size.
const INTEGERS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// What the fragment shows, which templates reach as `kinds`.
pub(crate) struct KeyKindsView {
    pub(crate) guard: String,
    pub(crate) names: String,
    /// The words of all keys.
    pub(crate) keys: Vec<String>,
    pub(crate) integers: &'static [&'static str],
    pub(crate) headers: Vec<HeaderView>,
}

/// The keys that need a CUDA header, by header.
pub(crate) struct HeaderView {
    pub(crate) file: &'static str,
    pub(crate) kinds: Vec<KindView>,
}

pub(crate) struct KindView {
    pub(crate) guard: String,
    pub(crate) cuda: &'static str,
    pub(crate) kind: String,
}

/// A struct of keys that a decomposer's fields come to, which `templates/fragments/decomposers.cuh` takes.
pub(crate) struct StructView {
    pub(crate) guard: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) numbers: Vec<usize>,
}

impl StructView {
    pub(crate) fn of(key: KeyType) -> Self {
        Self {
            guard: guard(&format!("FACADE_STRUCT_{key}")),
            kind: kind_of(key),
            name: format!("Key_{key}"),
            numbers: (0..key.fields().len()).collect(),
        }
    }
}

impl KeyKindsView {
    /// All kinds, for a facade of sorts of these keys.
    pub(crate) fn of(keys: impl IntoIterator<Item = KeyType>) -> Self {
        let names: Vec<String> = KeyType::ALL.iter().map(|key| kind(*key)).collect();
        Self {
            guard: guard("FACADE_KINDS"),
            names: names.join(",\n  "),
            keys: KeyType::ALL.iter().map(ToString::to_string).collect(),
            integers: INTEGERS,
            headers: headers(keys),
        }
    }
}

/// The enumerator of a key type.
pub(crate) fn kind(key: KeyType) -> String {
    format!("k_{key}")
}

/// A key's kind as the facade's code has it: an enumerator, or that of a struct's fields.
pub(crate) fn kind_of(key: KeyType) -> String {
    if key.is_scalar() {
        return format!("KeyKind::{}", kind(key));
    }
    let fields: Vec<&str> = key.fields().iter().map(|field| field.key.info().cuda).collect();
    format!("struct_kind<{}>()", fields.join(", "))
}

fn headers(keys: impl IntoIterator<Item = KeyType>) -> Vec<HeaderView> {
    let fields = |key: KeyType| key.fields().into_iter().map(|field| field.key);
    let scalars = |key: KeyType| key.is_scalar().then_some(key).into_iter().chain(fields(key));
    let keys: BTreeSet<KeyType> = keys.into_iter().flat_map(scalars).collect();
    let mut headers: BTreeMap<&'static str, Vec<KindView>> = BTreeMap::new();
    for info in keys.into_iter().map(KeyType::info) {
        if let Some(file) = info.header {
            headers.entry(file).or_default().push(KindView {
                guard: guard(&format!("FACADE_{}", info.key)),
                cuda: info.cuda,
                kind: kind(info.key),
            });
        }
    }
    headers.into_iter().map(|(file, kinds)| HeaderView { file, kinds }).collect()
}
