//! The program of one spec: its header, its kernels of tiles and rows, and a kernel for each way of calling its struct.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sortsmith_codegen::render::{self, Options};
use sortsmith_codegen::{Arrangement, SortSpec, TileOption, Token as _, ValueType};
use sortsmith_testkit::cases::Case;
use sortsmith_testkit::emulator::Entry;

use crate::driver::THREADS_OF_WARPS;

/// A way of calling a member of the struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    to_striped: bool,
    passes_bits: bool,
    passes_valid: bool,
}

impl Call {
    /// How a case calls the struct; none where it launches a kernel of the header.
    pub fn of(case: &Case) -> Option<Self> {
        let (passes_bits, passes_valid) = (case.bits.is_some(), case.call.passes_valid);
        let to_striped = match case.call.entry {
            Entry::TileKernel | Entry::RowsKernel | Entry::CountedRowsKernel => return None,
            Entry::Sort => false,
            Entry::SortToStriped => true,
        };
        Some(Self { to_striped, passes_bits, passes_valid })
    }

    /// The kernel that calls it so.
    pub fn kernel(self) -> String {
        let Self { to_striped, passes_bits, passes_valid } = self;
        let mut name = "sort".to_owned();
        for (is_so, word) in
            [(to_striped, "_to_striped"), (passes_bits, "_bits"), (passes_valid, "_valid")]
        {
            name.push_str(if is_so { word } else { "" });
        }
        name
    }
}

/// The text of the program.
pub fn text(spec: &SortSpec, calls: &BTreeSet<Call>) -> Result<String, String> {
    let options = Options { tile_kernel: true, rows_kernel: true, ..Options::default() };
    let header = render::header(spec, Options { of_project: true, ..options });
    let mut text = header.map_err(|error| error.to_string())?;
    for call in calls {
        write!(text, "{}", member_kernel(spec, *call)).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// The position of a thread's item `i` in the tile.
fn position(arrangement: Arrangement) -> &'static str {
    match arrangement {
        Arrangement::Blocked => "thread * Sort::kItemsPerThread + i",
        Arrangement::Striped => "i * kThreads + thread",
        Arrangement::WarpStriped => {
            "thread / 32 * (32 * Sort::kItemsPerThread) + i * 32 + thread % 32"
        }
    }
}

/// The member that a call calls.
fn member(spec: &SortSpec, call: Call) -> &'static str {
    match spec.input {
        _ if !call.to_striped => "Sort",
        Arrangement::Blocked => "SortBlockedToStriped",
        Arrangement::Striped => "SortStripedToStriped",
        Arrangement::WarpStriped => "SortWarpStripedToStriped",
    }
}

/// A kernel of one block, which sorts one tile by a member. Items past the valid ones are copies of valid
/// ones: they would be noticed among the results.
fn member_kernel(spec: &SortSpec, call: Call) -> String {
    let member = member(spec, call);
    let output = if call.to_striped { Arrangement::Striped } else { spec.output };
    let has_values = spec.value != ValueType::None;
    let is_of_warp = spec.algorithm.family().has(TileOption::Lanes);
    let only_if = |condition: bool, text: &'static str| if condition { text } else { "" };
    format!(
        "
// From {input} to {output_words} arrangement.
extern \"C\" __global__ void __launch_bounds__({block_threads})
{kernel}(const sortsmith::{spec}::Key* keys_in, sortsmith::{spec}::Key* keys_out,
    const sortsmith::{spec}::Value* values_in, sortsmith::{spec}::Value* values_out,
    int n, int begin_bit, int end_bit) {{
  using Sort = sortsmith::{spec};
  {storage}
  constexpr int kThreads = {threads};
  const int thread = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % kThreads;
  Sort::Key keys[Sort::kItemsPerThread];
  {declare_values}
  for (int i = 0; i < Sort::kItemsPerThread; ++i) {{
    const int position = {from};
    keys[i] = n > 0 ? keys_in[position % n] : Sort::Key();
    {load_values}
  }}
  {sort}.{member}(keys{values}{bits}{valid});
  for (int i = 0; i < Sort::kItemsPerThread; ++i) {{
    const int position = {to};
    if (position < n) keys_out[position] = keys[i];
    {store_values}
  }}
}}
",
        storage = if is_of_warp {
            "// All logical warps of the block sort the same tile."
        } else {
            "extern __shared__ __align__(16) unsigned char shared[];"
        },
        sort = if is_of_warp {
            "Sort()"
        } else {
            "Sort(*reinterpret_cast<Sort::TempStorage*>(shared))"
        },
        input = spec.input.token(),
        output_words = output.token(),
        threads = spec.algorithm.block().threads(),
        block_threads =
            if is_of_warp { THREADS_OF_WARPS } else { spec.algorithm.block().threads() },
        kernel = call.kernel(),
        from = position(spec.input),
        to = position(output),
        declare_values = only_if(has_values, "Sort::Value values[Sort::kItemsPerThread];"),
        load_values = only_if(
            spec.value.is_read(),
            "values[i] = n > 0 ? values_in[position % n] : Sort::Value();"
        ),
        store_values = only_if(has_values, "if (position < n) values_out[position] = values[i];"),
        values = only_if(has_values, ", values"),
        bits = only_if(call.passes_bits, ", begin_bit, end_bit"),
        valid = only_if(call.passes_valid, ", n"),
    )
}
