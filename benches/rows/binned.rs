//! Binned argsorts, ours and what they take with CUB.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

use cudarc::driver::DeviceRepr;
use sortsmith::{BinKey, Sorter};
use sortsmith_benchkit::gpu::Peers;
use sortsmith_benchkit::{
    Cache, Case, Columns, Contender, Group, Id, Input, Library, Method, Row, Types,
};
use sortsmith_codegen::{KeyType, Order, ValueType};

use crate::device_wide::{Arrays, SUBJECTS, Subject};

/// Bits of the numbers of bins.
const BITS: [u32; 2] = [8, 6];

/// Rows and columns: arrays, and a batch of rows, of which CUB has none.
const SHAPES: [(u64, u64); 9] = [
    (1, 1 << 12),
    (1, 1 << 13),
    (1, 1 << 14),
    (1, 1 << 16),
    (1, 1 << 18),
    (1, 1 << 20),
    (1, 1 << 22),
    (1, 1 << 24),
    (64, 4096),
];

/// The function of `benches/peers/cub_binned.cu`.
type SortBinned = unsafe extern "C" fn(
    temp: *mut c_void,
    temp_bytes: *mut usize,
    keys_in: *const c_void,
    keys_out: *mut c_void,
    positions_in: *mut c_void,
    positions_out: *mut c_void,
    n: u64,
    bins: c_uint,
    stream: *mut c_void,
) -> c_int;

/// The cases of up to `most` keys, with the keys that each has.
pub fn cases(most: u64) -> impl Iterator<Item = (&'static Subject, Case)> {
    let case = |key, bits, (rows, columns): (u64, u64)| Case {
        group: Group::Binned,
        types: Types::pairs(key, ValueType::Index),
        input: Input::Bits(bits),
        n: rows * columns,
        shape: None,
        rows: Some(Columns { columns, k: None }),
        order: Order::Ascending,
        cache: Cache::Warm,
    };
    let keys = [KeyType::U32, KeyType::I64].into_iter().filter_map(|key| {
        let is_same = |it: &&Subject| it.types == Types::keys(key);
        Some((key, SUBJECTS.iter().find(is_same)?))
    });
    let all = keys.flat_map(move |(key, subject)| {
        let of_bits = move |bits| SHAPES.map(|shape| (subject, case(key, bits, shape)));
        BITS.into_iter().flat_map(of_bits)
    });
    all.filter(move |(_, case)| case.n <= most)
}

/// Ours, and CUB's way for an array.
pub fn measure(
    (subject, case): (&Subject, &Case),
    arrays: &mut Arrays,
    sorter: &Sorter,
    peers: Option<&Peers>,
    copy: f64,
) -> Result<Vec<Row>, String> {
    let (Some(rows), Input::Bits(log2)) = (case.rows, case.input) else { return Ok(Vec::new()) };
    let bins = 1 << log2;
    arrays.generate(subject, case, sorter)?;
    let mut measured = Vec::new();
    let times = arrays.time(subject, case, |arrays| match case.types.key {
        KeyType::I64 => argsort::<i64>(arrays, sorter, case.n, rows, bins),
        _ => argsort::<u32>(arrays, sorter, case.n, rows, bins),
    })?;
    let id = Id { case: *case, contender: Contender::new(Library::Sortsmith, Method::Into) };
    measured.push(Row::measured(id, &times, Some(copy)));
    let name = format!("sortsmith_peer_binned_{}", case.types.peer_tag());
    // SAFETY: the function of this name has this type.
    let found = peers.and_then(|peers| unsafe { peers.function::<SortBinned>(&name) }.ok());
    let Some(sort) = found.filter(|_| rows.columns == case.n) else { return Ok(measured) };
    let temp_bytes = call(sort, arrays, case.n, bins, false)?;
    arrays.temp(temp_bytes)?;
    let times =
        arrays.time(subject, case, |arrays| call(sort, arrays, case.n, bins, true).map(drop))?;
    let id = Id { case: *case, contender: Contender::new(Library::Cub, Method::Positions) };
    let temp_bytes = Some(temp_bytes as u64);
    measured.push(Row { temp_bytes, ..Row::measured(id, &times, Some(copy)) });
    Ok(measured)
}

/// Ours: positions to the work array of values, offsets to the output's.
fn argsort<K: BinKey + DeviceRepr>(
    arrays: &mut Arrays,
    sorter: &Sorter,
    n: u64,
    rows: Columns,
    bins: usize,
) -> Result<(), String> {
    let (n, columns) = (n as usize, rows.columns as usize);
    let offsets = n / columns * (bins + 1);
    arrays
        .with_views::<K>(n, offsets, |keys, positions, offsets| {
            sorter.argsort_binned_rows_into::<K>(keys, columns, bins, positions, offsets)
        })
        .map_err(|error| error.to_string())
}

/// Enqueues CUB's way, if it is to run; the bytes of temporary storage.
fn call(
    sort: SortBinned,
    arrays: &mut Arrays,
    n: u64,
    bins: usize,
    runs: bool,
) -> Result<usize, String> {
    let (temp, mut bytes) = arrays.temp(0)?;
    let pointers = |[keys, values]: [u64; 2]| [keys as *mut c_void, values as *mut c_void];
    let [keys_in, positions_in] = pointers(arrays.work.addresses(&arrays.stream));
    let [keys_out, positions_out] = pointers(arrays.output.addresses(&arrays.stream));
    let temp = if runs { temp as *mut c_void } else { ptr::null_mut() };
    let stream = arrays.stream.cu_stream().cast();
    // SAFETY: the arrays hold n items of the largest size; the temporary storage is as long as the function said; all of it is on the
    // context that is current, and so is the stream.
    let code = unsafe {
        sort(
            temp,
            &raw mut bytes,
            keys_in,
            keys_out,
            positions_in,
            positions_out,
            n,
            bins as c_uint,
            stream,
        )
    };
    if code == 0 { Ok(bytes) } else { Err(format!("CUB: CUDA runtime error {code}")) }
}
