//! Runs the cases of one spec on the GPU.

use std::collections::BTreeSet;
use std::sync::Arc;

use cudarc::driver::{CudaFunction, CudaStream, LaunchArgs, LaunchConfig, PushKernelArg};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::{BitRange, SortSpec, TileArguments};
use sortsmith_testkit::cases::{self, Case, value_bytes};
use sortsmith_testkit::emulator::{Entry, RowsOfRequest};
use sortsmith_testkit::inputs::{self, Keys};
use sortsmith_testkit::oracle::{self, Task};
use sortsmith_testkit::row_cases;

use crate::driver::{Gpu, launch_config, push_taken, tile_config};
use crate::guarded::{Guarded, POISON_BYTE};
use crate::program::{self, Call};

/// Full tiles of the case that has many.
const MANY_TILES: usize = 300;
/// Items that it has at most.
const MANY_ITEMS: usize = 1 << 17;

/// Compiles the spec's program and runs its cases; the first complaint if there is any.
pub fn check(gpu: &Gpu, spec: &SortSpec, count: usize, rng: &mut ChaCha8Rng) -> Result<(), String> {
    let mut cases = cases::of(spec, count, rng);
    let calls = calls(spec, &cases);
    cases.retain(|case| Call::of(case).is_none_or(|call| calls.contains(&call)));
    cases.push(many_tiles(spec, rng));
    cases.extend(row_cases::of(spec, count.div_ceil(2), rng));
    let cubin = gpu.compile(&format!("{spec}.cu"), &program::text(spec, &calls)?)?;
    let stream = gpu.context.new_stream().map_err(|error| error.to_string())?;
    for case in &cases {
        let kernel = match case.call.entry.kernel() {
            Some(kernel) => format!("{spec}{}", kernel.suffix()),
            None => Call::of(case).map(Call::kernel).unwrap_or_default(),
        };
        let [kernel] = gpu.load(cubin.clone(), [&kernel])?;
        // Members have arguments for all that they may need; in place is for arrays.
        let in_place_or_not: &[bool] = match case.call.entry {
            Entry::TileKernel => &[false, true],
            Entry::RowsKernel | Entry::CountedRowsKernel => &[case.call.in_place],
            Entry::Sort | Entry::SortToStriped => &[false],
        };
        for in_place in in_place_or_not {
            let words = if *in_place { ", in place" } else { "" };
            run(spec, case, &kernel, &stream, *in_place)
                .map_err(|complaint| format!("{case}{words}: {complaint}"))?;
        }
    }
    Ok(())
}

/// The ways of calling the struct that are compiled: fewer where each takes the compiler long.
fn calls(spec: &SortSpec, cases: &[Case]) -> BTreeSet<Call> {
    let at_most = (64 / spec.items as usize).clamp(1, 8);
    let mut calls = BTreeSet::new();
    for call in cases.iter().filter_map(Call::of) {
        if calls.len() < at_most {
            calls.insert(call);
        }
    }
    calls
}

/// A case of many tiles and a part of one.
fn many_tiles(spec: &SortSpec, rng: &mut ChaCha8Rng) -> Case {
    let tile = spec.tile_items() as usize;
    let n = tile * MANY_TILES.min(MANY_ITEMS / tile + 1) + rng.random_range(0..tile);
    let all = (0, spec.key.bits());
    let (bits, (begin_bit, end_bit)) = match spec.algorithm.bits() {
        Some(BitRange::Static { begin, end }) => (None, (begin, end)),
        Some(BitRange::Runtime) => (Some(all), all),
        None => (None, all),
    };
    let task = Task { order: spec.order, begin_bit, end_bit, ..Task::new(spec.key) };
    let keys = Keys::Uniform.generate(spec.key, n, rng);
    let (key_bytes, value_bytes) = (oracle::key_bytes(spec.key), value_bytes(spec));
    let values = if spec.value.is_read() {
        inputs::values(value_bytes, n, rng.random())
    } else {
        Vec::new()
    };
    let (mut expected_keys, mut expected_values) = (Vec::new(), Vec::new());
    for start in (0..n).step_by(tile) {
        let keys = &keys[start * key_bytes..n.min(start + tile) * key_bytes];
        let order = oracle::permutation(&task, keys);
        expected_keys.extend(oracle::gather(keys, key_bytes, &order));
        if spec.value.is_read() {
            let values = &values[start * value_bytes..];
            expected_values.extend(oracle::gather(values, value_bytes, &order));
        } else if value_bytes > 0 {
            expected_values.extend(order.iter().flat_map(|position| position.to_le_bytes()));
        }
    }
    let call = cases::Call { entry: Entry::TileKernel, passes_valid: false, in_place: false };
    let kind = Keys::Uniform;
    let rows = RowsOfRequest::default();
    Case { kind, call, bits, rows, n, keys, values, expected_keys, expected_values }
}

/// The device memory of one run. In place there is no output apart.
struct Buffers {
    keys_in: Guarded,
    keys_out: Option<Guarded>,
    values_in: Guarded,
    values_out: Option<Guarded>,
}

fn run(
    spec: &SortSpec,
    case: &Case,
    kernel: &CudaFunction,
    stream: &Arc<CudaStream>,
    in_place: bool,
) -> Result<(), String> {
    let message_of = |error: cudarc::driver::DriverError| error.to_string();
    let value_length = case.n * value_bytes(spec);
    let output = |length| (!in_place).then(|| Guarded::poisoned(stream, length)).transpose();
    let reads_values = spec.value.is_read();
    let values_in = if reads_values {
        Guarded::holding(stream, &case.values)
    } else {
        Guarded::poisoned(stream, value_length)
    };
    let buffers = Buffers {
        keys_in: Guarded::holding(stream, &case.keys).map_err(message_of)?,
        keys_out: output(case.keys.len()).map_err(message_of)?,
        values_in: values_in.map_err(message_of)?,
        values_out: output(value_length).map_err(message_of)?,
    };
    let tile = spec.tile_items() as usize;
    // A kernel without items is launched too: it must leave everything alone.
    let tiles = case.n.div_ceil(tile).max(1);
    let config = match case.call.entry {
        Entry::TileKernel => tile_config(spec, kernel, tiles)?,
        Entry::RowsKernel | Entry::CountedRowsKernel => {
            LaunchConfig { grid_dim: (case.rows.blocks, 1, 1), ..tile_config(spec, kernel, 1)? }
        }
        Entry::Sort | Entry::SortToStriped => launch_config(spec, kernel, tiles)?,
    };
    // No rows are no blocks, which no launch may have.
    if config.grid_dim.0 > 0 {
        launch(spec, case, kernel, stream, config, &buffers).map_err(message_of)?;
    }
    stream.synchronize().map_err(message_of)?;

    let keys_in = buffers.keys_in.read("the keys")?;
    let values_in = buffers.values_in.read("the values")?;
    let (mut keys, mut values) = match (&buffers.keys_out, &buffers.values_out) {
        (Some(keys_out), Some(values_out)) => {
            if keys_in != case.keys || reads_values && values_in != case.values {
                return Err("the input was written".to_owned());
            }
            (keys_out.read("the sorted keys")?, values_out.read("the sorted values")?)
        }
        _ => (keys_in, values_in),
    };
    if case.call.entry == Entry::RowsKernel {
        let before = |input: &[u8]| in_place.then(|| input.to_vec());
        clear_gaps(&case.rows, &mut keys, before(&case.keys), oracle::key_bytes(spec.key))?;
        let values_in = before(&case.values).filter(|_| reads_values);
        clear_gaps(&case.rows, &mut values, values_in, value_bytes(spec))?;
    }
    if case.rows.omits_keys {
        keys.clear();
    }
    case.difference(spec, &keys, &values).map_or(Ok(()), Err)
}

/// Makes items between rows zeros, which the case expects there, if they are as they were: like the input, or poison.
fn clear_gaps(
    rows: &RowsOfRequest,
    items: &mut [u8],
    before: Option<Vec<u8>>,
    bytes: usize,
) -> Result<(), String> {
    let before = before.unwrap_or_else(|| vec![POISON_BYTE; items.len()]);
    let is_gap =
        |item: usize| item / rows.stride >= rows.rows || item % rows.stride >= rows.columns;
    for (index, (item, old)) in
        items.chunks_mut(bytes.max(1)).zip(before.chunks(bytes.max(1))).enumerate()
    {
        if !is_gap(index) {
            continue;
        }
        if item != old {
            return Err(format!("item {index}, between rows, was written"));
        }
        item.copy_from_slice(&vec![0; bytes]);
    }
    Ok(())
}

fn launch(
    spec: &SortSpec,
    case: &Case,
    kernel: &CudaFunction,
    stream: &Arc<CudaStream>,
    config: LaunchConfig,
    buffers: &Buffers,
) -> Result<(), cudarc::driver::DriverError> {
    let (begin_bit, end_bit) = case.bits.unwrap_or_default();
    let RowsOfRequest { rows, columns, stride, omits_keys, .. } = case.rows;
    let keys_in = buffers.keys_in.address();
    let values_in = buffers.values_in.address();
    let values_out = buffers.values_out.as_ref().map_or(values_in, Guarded::address);
    let it = TileArguments {
        keys_in,
        keys_out: match &buffers.keys_out {
            _ if omits_keys => 0,
            keys_out => keys_out.as_ref().map_or(keys_in, Guarded::address),
        },
        values_in,
        values_out,
        positions_out: values_out,
        n: case.n as u64,
        rows: rows as u64,
        columns: columns as u32,
        stride: stride as u64,
        begin_bit: begin_bit.cast_signed(),
        end_bit: end_bit.cast_signed(),
        ..TileArguments::default()
    };
    let short_n = case.n as i32;
    let mut arguments: LaunchArgs<'_> = stream.launch_builder(kernel);
    if let Some(kernel) = case.call.entry.kernel() {
        push_taken(&mut arguments, &it, &TileArguments::taken(spec, kernel));
    } else {
        arguments.arg(&it.keys_in).arg(&it.keys_out).arg(&it.values_in).arg(&it.values_out);
        arguments.arg(&short_n).arg(&it.begin_bit).arg(&it.end_bit);
    }
    // SAFETY: these are the kernel's parameters in order, and the memory behind the addresses is as
    // long as the kernel may touch and outlives it: `run` synchronises before it ends.
    unsafe { arguments.launch(config) }.map(drop)
}
