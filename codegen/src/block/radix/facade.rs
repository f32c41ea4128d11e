//! The drop-in facade: one header that gives the sorts emitted with it CUB's class, parameters and members.

use std::collections::{BTreeMap, HashSet};

use askama::Template;

use crate::contract::render::RenderError;
use crate::contract::spec::{Algorithm, BitRange, Rank, SortSpec};
use crate::text::key_kinds::{KeyKindsView, kind};
use crate::text::{guard, version_namespace};
use crate::types::{Arrangement, Block, InnerScan, Order, ValueType};

/// The facade's file name.
pub const FACADE_FILE: &str = "block_radix_sort.cuh";

#[derive(Template)]
#[template(path = "block/radix/facade.cuh")]
struct View {
    version: &'static str,
    version_namespace: String,
    facade_guard: String,
    includes: Vec<String>,
    kinds: KeyKindsView,
    sorts: Vec<SortView>,
    members: Vec<MemberView>,
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
        kind: kind(spec.key),
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
