//! Random legal specs.

use proptest::prelude::*;
use proptest::sample::select;
use sortsmith_codegen::{
    Algorithm, Arrangement, BitRange, Block, Family, InnerScan, KeyType, LaneMatch, OptionValues,
    Order, Rank, SortSpec, SpecFields, Token, ValueType,
};

/// Any legal spec, of every family.
pub fn any_spec() -> impl Strategy<Value = SortSpec> {
    select(Family::table()).prop_flat_map(|(family, _)| specs_of(family))
}

/// Any legal spec of a family.
pub fn specs_of(family: Family) -> impl Strategy<Value = SortSpec> {
    let options = (
        any_of::<ValueType>(),
        any_of::<Order>(),
        any_of::<Arrangement>(),
        any_of::<Arrangement>(),
    );
    (any_of::<KeyType>(), 1..=64_u32, options)
        .prop_flat_map(move |(key, items, options)| {
            (algorithms(family, key), Just((key, items, options)))
        })
        .prop_filter_map("not legal", |(algorithm, (key, items, (value, order, input, output)))| {
            SpecFields { algorithm, key, value, items, order, input, output }.validate().ok()
        })
}

fn algorithms(family: Family, key: KeyType) -> impl Strategy<Value = Algorithm> {
    (blocks(), 1..=5_u32, 1..=8_u32, ranks(), bits(key), any::<bool>()).prop_map(
        move |(block, log_lanes, radix_bits, rank, bits, stable)| {
            let lanes = 1 << log_lanes;
            let values = OptionValues { block, lanes, radix_bits, rank, bits, stable };
            Algorithm::of(family, values)
        },
    )
}

fn any_of<T: Token + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::table()).prop_map(|(value, _)| value)
}

/// Blocks of every number of threads and dimensions; every other one has full warps.
fn blocks() -> impl Strategy<Value = Block> {
    let any_threads = (1..=1024_u32).prop_map(Block::linear);
    let full_warps = (1..=32_u32).prop_map(|warps| Block::linear(32 * warps));
    let planes = (1..=32_u32, 1..=32_u32).prop_map(|(x, y)| Block { x, y, z: 1 });
    let boxes = (1..=16_u32, 1..=8_u32, 1..=8_u32).prop_map(|(x, y, z)| Block { x, y, z });
    prop_oneof![any_threads, full_warps.clone(), planes, full_warps, boxes]
}

fn ranks() -> impl Strategy<Value = Rank> {
    let packed =
        (any::<bool>(), any_of::<InnerScan>()).prop_map(|(memoize_outer_scan, inner_scan)| {
            Rank::Packed { memoize_outer_scan, inner_scan }
        });
    prop_oneof![packed, any_of::<LaneMatch>().prop_map(Rank::Match)]
}

fn bits(key: KeyType) -> impl Strategy<Value = BitRange> {
    let ranges = (0..key.bits())
        .prop_flat_map(move |begin| (Just(begin), begin + 1..=key.bits()))
        .prop_map(|(begin, end)| BitRange::Static { begin, end });
    prop_oneof![Just(BitRange::Runtime), ranges]
}
