//! Random legal specs.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::{
    Algorithm, Arrangement, BitRange, Block, Family, InnerScan, KeyType, LaneMatch, OptionValues,
    Order, Rank, SortSpec, SpecFields, StructKey, TileOption, Token, ValueType,
};

/// A block radix sort. Small tiles are much more frequent than large ones, but every legal spec can come out.
pub fn block_radix(rng: &mut ChaCha8Rng) -> SortSpec {
    // Shares of 70, 25 and 5 per cent.
    let largest_tile = match rng.random_range(0..20) {
        0 => u32::MAX,
        1..=5 => 4096,
        _ => 600,
    };
    of_family(Family::BlockRadix, largest_tile, rng)
}

/// A sort of a logical warp. Small numbers of items a lane are more frequent, but every legal spec is possible.
fn of_warp(family: Family, rng: &mut ChaCha8Rng) -> SortSpec {
    let most_items = *[4, 8, 8, 16, 32].choose(rng).expect("not empty");
    draw_until_legal(|| {
        let fields = fields(family, rng);
        (fields.items <= most_items).then_some(fields)
    })
}

/// A sort of a family of at most `largest_tile` items a tile.
pub fn of_family(family: Family, largest_tile: u32, rng: &mut ChaCha8Rng) -> SortSpec {
    if family.has(TileOption::Lanes) {
        return of_warp(family, rng);
    }
    draw_until_legal(|| {
        let fields = fields(family, rng);
        (fields.tile_items() <= largest_tile).then_some(fields)
    })
}

/// A spec of any family.
pub fn any_family(rng: &mut ChaCha8Rng) -> SortSpec {
    draw_until_legal(|| Some(fields(pick(Family::table(), rng), rng)))
}

fn draw_until_legal(mut draw: impl FnMut() -> Option<SpecFields>) -> SortSpec {
    loop {
        if let Some(spec) = draw().and_then(|fields| fields.validate().ok()) {
            return spec;
        }
    }
}

fn fields(family: Family, rng: &mut ChaCha8Rng) -> SpecFields {
    let key = if family.has(TileOption::RadixBits) && rng.random_range(0..10) == 0 {
        struct_key(rng)
    } else {
        pick(KeyType::table(), rng)
    };
    let mut values = OptionValues::default();
    for option in family.options() {
        match option {
            TileOption::Block => values.block = block(rng),
            TileOption::Lanes => values.lanes = 1 << rng.random_range(1..=5),
            TileOption::RadixBits => values.radix_bits = rng.random_range(1..=8),
            TileOption::Rank => values.rank = rank(rng),
            TileOption::Bits => values.bits = bits(key, rng),
            TileOption::Stable => values.stable = rng.random(),
            _ => panic!("{option:?} has no fresh values"),
        }
    }
    SpecFields {
        algorithm: Algorithm::of(family, values),
        key,
        value: pick(ValueType::table(), rng),
        items: rng.random_range(1..=64),
        order: pick(Order::table(), rng),
        input: pick(Arrangement::table(), rng),
        output: pick(Arrangement::table(), rng),
    }
}

/// Two fields or three, most often; as many as a struct may have where they are short.
pub(crate) fn struct_key(rng: &mut ChaCha8Rng) -> KeyType {
    loop {
        let count = *[2, 2, 3, 3, 5, 8].choose(rng).expect("not empty");
        let types: Vec<KeyType> = (0..count).map(|_| pick(KeyType::table(), rng)).collect();
        if let Some(key) = StructKey::of(&types) {
            return KeyType::Struct(key);
        }
    }
}

fn rank(rng: &mut ChaCha8Rng) -> Rank {
    match rng.random_range(0..8) {
        0..4 => {
            let inner_scan = pick(InnerScan::table(), rng);
            Rank::Packed { memoize_outer_scan: rng.random(), inner_scan }
        }
        _ => Rank::Match(pick(LaneMatch::table(), rng)),
    }
}

fn bits(key: KeyType, rng: &mut ChaCha8Rng) -> BitRange {
    if rng.random_ratio(3, 4) {
        return BitRange::Runtime;
    }
    let begin = rng.random_range(0..key.bits());
    BitRange::Static { begin, end: rng.random_range(begin + 1..=key.bits()) }
}

/// One to three dimensions; full warps, a size next to them, or any size.
fn block(rng: &mut ChaCha8Rng) -> Block {
    let largest = *[32_u32, 64, 128, 256, 512, 1024].choose(rng).expect("not empty");
    let threads = match rng.random_range(0..8) {
        0..4 => rng.random_range(1..=largest / 32) * 32,
        4 => (rng.random_range(1..=largest / 32) * 32 - 1 + 2 * rng.random_range(0..=1)).min(1024),
        _ => rng.random_range(1..=largest),
    };
    let x = divisor(threads, rng);
    let y = divisor(threads / x, rng);
    match rng.random_range(0..4) {
        0 => Block { x, y: threads / x, z: 1 },
        1 => Block { x, y, z: threads / x / y },
        _ => Block::linear(threads),
    }
}

fn divisor(number: u32, rng: &mut ChaCha8Rng) -> u32 {
    let divisors: Vec<u32> =
        (1..=number).filter(|divisor| number.is_multiple_of(*divisor)).collect();
    divisors.choose(rng).copied().unwrap_or(1)
}

fn pick<T: Copy>(table: &[(T, &'static str)], rng: &mut ChaCha8Rng) -> T {
    table.choose(rng).expect("an axis has values").0
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn names_of_all_families_go_round() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut families = HashSet::new();
        for _ in 0..5000 {
            let spec = any_family(&mut rng);
            families.insert(spec.algorithm.family());
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        assert_eq!(families.len(), Family::table().len());
    }

    #[test]
    fn small_tiles_dominate_and_large_ones_occur() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let tiles: Vec<u32> = (0..2000).map(|_| block_radix(&mut rng).tile_items()).collect();
        let share =
            |at_most: u32| tiles.iter().filter(|tile| **tile <= at_most).count() as f64 / 2000.0;
        assert!(share(600) > 0.6);
        assert!((0.9..0.995).contains(&share(4096)));
        assert!(tiles.iter().any(|tile| *tile > 20_000));
    }

    #[test]
    fn each_value_of_each_axis_comes_out() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut seen = HashSet::new();
        for _ in 0..3000 {
            let spec = block_radix(&mut rng);
            let Algorithm::BlockRadix { block, radix_bits, rank, bits } = spec.algorithm else {
                unreachable!()
            };
            let is_static = matches!(bits, BitRange::Static { .. });
            let dimensions = [block.x, block.y, block.z].iter().filter(|size| **size > 1).count();
            seen.extend([
                if spec.key.is_scalar() { spec.key.token() } else { "struct" }.to_owned(),
                format!("value {}", spec.value),
                format!("items {}", spec.items),
                format!("radix {radix_bits}"),
                format!("{rank:?}"),
                format!("{}", spec.order),
                format!("in {}", spec.input),
                format!("out {}", spec.output),
                format!("static {is_static}"),
                format!("dimensions {dimensions}"),
                format!("full warps {}", block.has_full_warps()),
            ]);
        }
        // Keys and structs, values, items, radix bits, ranks, orders, in, out, static, dimensions (0 of one thread), full warps.
        assert_eq!(seen.len(), 18 + 7 + 64 + 8 + 8 + 2 + 3 + 2 + 2 + 4 + 2, "{seen:?}");
    }
}
