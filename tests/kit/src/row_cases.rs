//! The cases of the kernel of rows of one spec.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::{SortSpec, ValueType, registry};

use crate::cases::{self, Call, Case, value_bytes};
use crate::emulator::{CountOfRequest, Entry, RowsOfRequest};
use crate::inputs;
use crate::oracle;

/// Items of a case, about: rows of large tiles are few.
const MOST_ITEMS: usize = 1 << 13;

/// `count` cases of a spec: no columns, one, those at powers of two and at the tile's end; rows that lie side by side and rows with gaps;
/// full blocks of rows and others, and blocks without rows.
pub fn of(spec: &SortSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<Case> {
    (0..count).map(|number| case(spec, number, rng)).collect()
}

/// Cases that are drawn for one that tells.
const DRAWS: usize = 200;

/// `count` cases of the kernel of counted rows: no rows, or as many as there are, or more, or some; of columns likewise.
pub fn of_counts(spec: &SortSpec, count: usize, rng: &mut ChaCha8Rng) -> Vec<Case> {
    // Some rows, with fewer columns than a tile has items, and blocks without rows: else a count may make no difference. Small tiles have no such.
    let is_telling = |case: &Case| {
        let RowsOfRequest { rows, columns, blocks, .. } = case.rows;
        rows > 1 && (3..spec.tile_items() as usize).contains(&columns) && blocks as usize > rows
    };
    let mut counted = |number| {
        let mut draws = (0..DRAWS).map(|draw| case(spec, 2 + number + draw, rng));
        let first = draws.next().expect("there are some");
        let mut case =
            if is_telling(&first) { first } else { draws.find(is_telling).unwrap_or(first) };
        case.call.entry = Entry::CountedRowsKernel;
        let rows = &mut case.rows;
        rows.counts_columns = number % 2 == 1;
        let most = if rows.counts_columns { rows.columns } else { rows.rows };
        let most = most as u64;
        let bytes = *[4, 8].choose(rng).expect("not empty");
        let more = if bytes == 4 { u64::from(u32::MAX) } else { most | 1 << 32 };
        let some = rng.random_range(0..=most);
        let counts = [most / 2, more, some, 0, most, some];
        rows.count = CountOfRequest { count: counts[number / 2 % counts.len()], bytes };
        expect(spec, &mut case);
        case
    };
    (0..count).map(&mut counted).collect()
}

fn case(spec: &SortSpec, number: usize, rng: &mut ChaCha8Rng) -> Case {
    let kinds = cases::kinds_of(spec);
    let kind = *kinds.choose(rng).expect("every type has keys");
    // Every other case is of full tiles or of a few columns more or less than a power of two.
    let columns = columns(spec, number, rng);
    let gap = [0, 0, 1, 3, 4, 16][rng.random_range(0..6)];
    // The first two cases are of full tiles side by side, in full blocks: in place, where one lane writes what another one reads, and without
    // the keys, if that can be.
    let is_full = number < 2;
    let stride = if is_full { columns } else { columns + gap };
    let threads = spec.algorithm.block().threads();
    let block_threads = registry::summary(spec).map_or(threads, |it| it.block.threads());
    let rows_at_once = (block_threads / threads) as usize;
    let most = (MOST_ITEMS / stride.max(1)).clamp(1, 3 * rows_at_once);
    let full_blocks = rows_at_once * rng.random_range(1..=3);
    let rows = if is_full || rng.random_range(0..3) == 0 {
        full_blocks
    } else {
        rng.random_range(0..=most)
    };
    let blocks = rows.div_ceil(rows_at_once) as u32 + u32::from(rng.random_range(0..4) == 0);
    let can_omit = spec.value == ValueType::Index && spec.algorithm.is_stable();
    let omits_keys = can_omit && if is_full { number == 1 } else { rng.random() };
    let in_place = !omits_keys && (number == 0 || rng.random());
    let call = Call { entry: Entry::RowsKernel, passes_valid: false, in_place };
    let rows =
        RowsOfRequest { rows, columns, stride, blocks, omits_keys, ..RowsOfRequest::default() };
    let bits = cases::bits(spec, call.entry, rng);

    // Behind the last row there is nothing, or a gap.
    let span = if rows.rows == 0 { 0 } else { (rows.rows - 1) * stride + columns };
    let n = if rng.random() { span } else { rows.rows * stride };
    let keys = kind.generate(spec.key, n, rng);
    let reads_values = spec.value.is_read();
    let value_bytes = value_bytes(spec);
    let values =
        if reads_values { inputs::values(value_bytes, n, rng.random()) } else { Vec::new() };
    let mut case = Case {
        kind,
        call,
        bits,
        rows,
        n,
        expected_keys: vec![0; if omits_keys { 0 } else { keys.len() }],
        expected_values: vec![0; n * value_bytes],
        keys,
        values,
    };
    expect(spec, &mut case);
    case
}

/// What must come out: rows by the oracle, and zeros between them.
fn expect(spec: &SortSpec, case: &mut Case) {
    let task = cases::task(spec, case.bits);
    let (key_bytes, value_bytes) = (oracle::key_bytes(spec.key), value_bytes(spec));
    let RowsOfRequest { stride, omits_keys, .. } = case.rows;
    let (rows, columns) = case.rows.sorted();
    for expected in [&mut case.expected_keys, &mut case.expected_values] {
        *expected = vec![0; expected.len()];
    }
    for start in (0..rows).map(|row| row * stride) {
        let of_row = |bytes: usize| start * bytes..(start + columns) * bytes;
        let keys = &case.keys[of_row(key_bytes)];
        let order = oracle::permutation(&task, keys);
        if !omits_keys {
            let sorted = oracle::gather(keys, key_bytes, &order);
            case.expected_keys[of_row(key_bytes)].copy_from_slice(&sorted);
        }
        let values: Vec<u8> = match spec.value {
            ValueType::None => continue,
            ValueType::Index => order.iter().flat_map(|position| position.to_le_bytes()).collect(),
            _ => oracle::gather(&case.values[of_row(value_bytes)], value_bytes, &order),
        };
        case.expected_values[of_row(value_bytes)].copy_from_slice(&values);
    }
}

fn columns(spec: &SortSpec, number: usize, rng: &mut ChaCha8Rng) -> usize {
    let tile = spec.tile_items() as usize;
    let power = 1 << rng.random_range(0..=tile.ilog2());
    let edges = [tile, tile, power, tile - 1, power + 1, power - 1, 1, 0, tile / 2];
    let columns = if number % 4 == 3 {
        rng.random_range(0..=tile)
    } else {
        edges[(number + number / 4) % edges.len()]
    };
    columns.min(tile)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_spec_meets_edges_gaps_and_blocks_without_rows() {
        let spec: SortSpec = "block_radix_sort_u16_index_b32_i3_r4_asc".parse().expect("legal");
        let cases = of(&spec, 60, &mut ChaCha8Rng::seed_from_u64(5));
        let some = |is: &dyn Fn(&RowsOfRequest) -> bool| cases.iter().any(|it| is(&it.rows));
        for columns in [0, 1, 95, 96, 48] {
            assert!(some(&|it| it.columns == columns && it.rows > 1), "{columns}");
        }
        assert!(some(&|it| it.stride > it.columns && it.rows > 1));
        assert!(some(&|it| it.columns > 1 && it.rows < it.blocks as usize));
        assert!(some(&|it| it.omits_keys) && some(&|it| !it.omits_keys));
        assert!(some(&|it| it.rows == 0));
    }
}
