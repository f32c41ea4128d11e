//! The drop-in facade: one header that gives the sorts emitted with it CUB's class, parameters and members.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use askama::Template;

use crate::block::radix::plan;
use crate::contract::render::RenderError;
use crate::contract::spec::{Algorithm, BitRange, Rank, SortSpec};
use crate::text::key_kinds::{KeyKindsView, StructView, kind_of};
use crate::text::{guard, version_namespace};
use crate::types::{Arrangement, Block, InnerScan, KeyType, Order, ValueType};

/// The facade's file name.
pub const FACADE_FILE: &str = "block_radix_sort.cuh";

#[derive(Template)]
#[template(path = "block/radix/facade.cuh", escape = "none")]
struct View {
    version: &'static str,
    version_namespace: String,
    facade_guard: String,
    includes: Vec<String>,
    kinds: KeyKindsView,
    structs: Vec<StructView>,
    storages: Vec<StorageView>,
    sorts: Vec<SortView>,
    members: Vec<MemberView>,
}

/// The storage of all sorts of structs with these parameters.
struct StorageView {
    guard: String,
    any_scan: bool,
    parameters: String,
    bytes: u32,
}

struct SortView {
    name: String,
    guard: String,
    kind: String,
    value_bytes: u32,
    block: Block,
    items: u32,
    radix_bits: u32,
    any_scan: bool,
    memoize: bool,
    inner_scan: &'static str,
    descending: bool,
}

struct MemberView {
    name: &'static str,
    words: &'static str,
    descending: bool,
    to_striped: bool,
}

/// The facade over these sorts, which the caller emits beside it, each under its name.
///
/// ```
/// use sortsmith_codegen::{render, SortSpec};
/// let sorts: Vec<SortSpec> = ["asc", "desc"]
///     .map(|order| format!("block_radix_sort_f32_u32_b256_i16_r6_{order}").parse().unwrap())
///     .to_vec();
/// let facade = render::facade(&sorts).unwrap();
/// assert!(facade.contains("class BlockRadixSort"));
/// ```
pub fn facade(specs: &[SortSpec]) -> Result<String, RenderError> {
    let mut seen = HashSet::new();
    let mut taken = BTreeMap::new();
    let mut sorts = Vec::new();
    for spec in specs.iter().filter(|spec| seen.insert(**spec)) {
        let sort = sort_view(spec)?;
        let rank = if sort.any_scan {
            String::new()
        } else {
            format!("{}{}", sort.memoize, sort.inner_scan)
        };
        let arguments =
            (spec.key, sort.value_bytes, sort.block, sort.items, sort.radix_bits, sort.descending);
        if let Some((other, other_rank)) = taken.insert(arguments, (*spec, rank.clone()))
            && (rank.is_empty() || other_rank.is_empty())
        {
            return Err(RenderError::FacadeConflict { first: other, second: *spec });
        }
        sorts.push(sort);
    }
    let view = View {
        version: env!("CARGO_PKG_VERSION"),
        version_namespace: version_namespace(),
        facade_guard: guard("FACADE"),
        includes: sorts.iter().map(|sort| format!("{}.cuh", sort.name)).collect(),
        kinds: KeyKindsView::of(specs.iter().map(|spec| spec.key)),
        structs: struct_views(specs),
        storages: storages(specs, &sorts),
        sorts,
        members: members(),
    };
    let mut text = view.render().map_err(RenderError::Facade)?;
    text.push('\n');
    Ok(text)
}

/// What CUB's parameters say of a spec, or why they cannot say it.
fn sort_view(spec: &SortSpec) -> Result<SortView, RenderError> {
    let refuse = |reason| RenderError::NotInFacade { spec: *spec, reason };
    let Algorithm::BlockRadix { block, radix_bits, rank, bits } = spec.algorithm else {
        return Err(refuse("CUB's BlockRadixSort is a block radix sort"));
    };
    if bits != BitRange::Runtime {
        return Err(refuse("CUB's members take the bit range as arguments"));
    }
    if (spec.input, spec.output) != (Arrangement::Blocked, Arrangement::Blocked) {
        return Err(refuse("CUB's members take blocked items"));
    }
    if spec.value == ValueType::Index {
        return Err(refuse("CUB's class has no values that the sort makes itself"));
    }
    let (any_scan, memoize, inner_scan) = match rank {
        Rank::Packed { memoize_outer_scan, inner_scan } => (false, memoize_outer_scan, inner_scan),
        Rank::Match(_) => (true, true, InnerScan::WarpScans),
    };
    Ok(SortView {
        name: spec.to_string(),
        guard: guard(&format!("FACADE_{spec}")),
        kind: kind_of(spec.key),
        value_bytes: spec.value.bytes(),
        block,
        items: spec.items,
        radix_bits,
        any_scan,
        memoize,
        inner_scan: match inner_scan {
            InnerScan::WarpScans => "BLOCK_SCAN_WARP_SCANS",
            InnerScan::Raking => "BLOCK_SCAN_RAKING",
            InnerScan::RakingMemoize => "BLOCK_SCAN_RAKING_MEMOIZE",
        },
        descending: spec.order == Order::Descending,
    })
}

fn struct_views(specs: &[SortSpec]) -> Vec<StructView> {
    let keys: BTreeSet<KeyType> =
        specs.iter().map(|it| it.key).filter(|it| !it.is_scalar()).collect();
    keys.into_iter().map(StructView::of).collect()
}

/// The most that a sort of structs needs, for each combination of parameters.
fn storages(specs: &[SortSpec], sorts: &[SortView]) -> Vec<StorageView> {
    let mut most: BTreeMap<(String, bool), u32> = BTreeMap::new();
    let by_name: BTreeMap<String, &SortSpec> =
        specs.iter().filter(|it| !it.key.is_scalar()).map(|it| (it.to_string(), it)).collect();
    for sort in sorts {
        let Some(spec) = by_name.get(&sort.name) else { continue };
        let scan = if sort.any_scan {
            "kMemoize, kInnerScan".to_owned()
        } else {
            format!("{}, {}", sort.memoize, sort.inner_scan)
        };
        let SortView { value_bytes, block: Block { x, y, z }, items, radix_bits, .. } = sort;
        let parameters = format!("{value_bytes}, {x}, {y}, {z}, {items}, {radix_bits}, {scan}");
        let bytes = most.entry((parameters, sort.any_scan)).or_default();
        *bytes = (*bytes).max(plan::shared_bytes(spec));
    }
    let storage = |((parameters, any_scan), bytes): ((String, bool), u32)| StorageView {
        guard: guard(&format!("FACADE_STRUCTS_{}", parameters.replace(", ", "_"))),
        any_scan,
        parameters,
        bytes,
    };
    most.into_iter().map(storage).collect()
}

fn members() -> Vec<MemberView> {
    let member =
        |name, words, descending, to_striped| MemberView { name, words, descending, to_striped };
    vec![
        member("Sort", "Ascending, from blocked to blocked arrangement.", false, false),
        member("SortDescending", "Descending, from blocked to blocked arrangement.", true, false),
        member(
            "SortBlockedToStriped",
            "Ascending, from blocked to striped arrangement.",
            false,
            true,
        ),
        member(
            "SortDescendingBlockedToStriped",
            "Descending, from blocked to striped arrangement.",
            true,
            true,
        ),
    ]
}
