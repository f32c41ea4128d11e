//! `sortsmith explain` of device-wide sorts, gathers, top-ks, sorts of segments and binned argsorts.

mod binned;
mod top_k;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use serde::Serialize;
use sortsmith_codegen::device::{
    Device, DeviceSpec, FirstPhase, LaunchArgument, PhaseEnd, RADIX_BITS,
};
use sortsmith_codegen::emit::Named;
use sortsmith_codegen::explain::{
    DeviceSortExplanation, GatherExplanation, LaunchRow, OneSort, RowsExplanation,
    SegmentExplanation,
};
use sortsmith_codegen::gather::GatherSpec;
use sortsmith_codegen::matrix::BitSpan;
use sortsmith_codegen::toolchain::{Format, Nvrtc, Resources, Toolchain};
use sortsmith_codegen::top_k::AnyTopK;
use sortsmith_codegen::{Arch, BitRange, Order, ValueType};

use super::super::args::ExplainArgs;
use super::super::compile::{self, Kernels};
use super::super::failure::{Failure, one_line};
use super::super::output;
use super::{CompiledKernel, line, rows};

/// Items where none are named, unless the sort takes fewer.
const DEFAULT_ITEMS: u64 = 1 << 20;

/// Multiprocessors where none are named: those of an H200.
const DEFAULT_MULTIPROCESSORS: u32 = 132;

/// An explanation, and what the compiler adds to it.
#[derive(Serialize)]
struct Report<E> {
    /// Why it is this spec, where rows are to be sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<RowsExplanation>,
    #[serde(flatten)]
    explanation: E,
    /// None where nothing was compiled.
    compiled: Option<Vec<CompiledKernel>>,
    /// Why it was not.
    not_compiled: Option<String>,
}

pub fn run(args: &ExplainArgs, named: Named) -> Result<(), Failure> {
    match named {
        Named::Sort(spec) => {
            let explanation = explanation_of(args, &spec, args.n)?;
            report(args, named, (None, explanation), |it| sort_text(&spec, it))
        }
        Named::Gather(spec) => {
            if args.axes.bits.is_some() || args.multiprocessors.is_some() {
                let what = if args.axes.bits.is_some() { "--bits" } else { "--multiprocessors" };
                let message = format!("{what} is given with {spec}; legal: with sorts");
                return Err(Failure::Request(message));
            }
            let n = args.n.unwrap_or(DEFAULT_ITEMS);
            report(args, named, (None, GatherExplanation::of(spec, n)), |it| gather_text(spec, it))
        }
        Named::TopK(spec) => top_k_report(args, named, spec.into()),
        Named::WarpTopK(spec) => top_k_report(args, named, spec.into()),
        Named::Segments(spec) => {
            if args.axes.bits.is_some() {
                let message = format!("--bits is given with {spec}; legal: with device-wide sorts");
                return Err(Failure::Request(message));
            }
            let multiprocessors = args.multiprocessors.unwrap_or(DEFAULT_MULTIPROCESSORS);
            let device = Device { multiprocessors, ..Device::of(args.arch()) };
            let explanation = SegmentExplanation::of(spec, args.n.unwrap_or(DEFAULT_ITEMS), device);
            report(args, named, (None, explanation), segments_text)
        }
        Named::Binned(spec) => {
            if args.axes.bits.is_some() {
                let message = format!("--bits is given with {spec}; legal: with device-wide sorts");
                return Err(Failure::Request(message));
            }
            report(args, named, (None, binned::explanation_of(args, &spec)?), binned::text)
        }
    }
}

/// Explains what was chosen for rows.
pub fn run_of_rows(
    args: &ExplainArgs,
    spec: &DeviceSpec,
    columns: u64,
    rows: RowsExplanation,
) -> Result<(), Failure> {
    let explanation = explanation_of(args, spec, Some(columns))?;
    report(args, Named::Sort(*spec), (Some(rows), explanation), |it| sort_text(spec, it))
}

fn top_k_report(args: &ExplainArgs, named: Named, spec: AnyTopK) -> Result<(), Failure> {
    if args.axes.bits.is_some() {
        let message = format!("--bits is given with {spec}; legal: with sorts");
        return Err(Failure::Request(message));
    }
    let explanation = top_k::explanation_of(args, &spec)?;
    report(args, named, (None, explanation), |it| top_k::text(&spec, it))
}

fn report<E: Serialize>(
    args: &ExplainArgs,
    named: Named,
    (rows, explanation): (Option<RowsExplanation>, E),
    text: impl FnOnce(&E) -> String,
) -> Result<(), Failure> {
    let (compiled, not_compiled) = match kernels(named, args.arch()) {
        Ok(kernels) => (Some(kernels), None),
        Err(Failure::Request(reason)) => (None, Some(one_line(&reason))),
        Err(failure) => return Err(failure),
    };
    let report = Report { rows, explanation, compiled, not_compiled };
    if args.json {
        return output::print_json(&report);
    }
    let of_rows = report.rows.as_ref().map(rows::text).unwrap_or_default();
    let mut text = of_rows + &text(&report.explanation);
    let mut label = "compiled";
    for kernel in report.compiled.iter().flatten() {
        let name = kernel.symbol.strip_prefix(&format!("{named}_")).unwrap_or(&kernel.symbol);
        line(&mut text, label, &format!("{name:<KERNEL_WIDTH$} {}", kernel.words()));
        label = "";
    }
    if let Some(reason) = &report.not_compiled {
        line(&mut text, "compiled", &format!("no: {reason}"));
    }
    output::print(&text)
}

/// The explanation of the sort that the arguments ask for.
fn explanation_of(
    args: &ExplainArgs,
    spec: &DeviceSpec,
    n: Option<u64>,
) -> Result<DeviceSortExplanation, Failure> {
    let most = spec.max_items();
    let n = n.unwrap_or(DEFAULT_ITEMS.min(most));
    if n > most {
        let message = format!("--n = {n} is not legal for {spec}; legal: 0 to {most}");
        return Err(Failure::Request(message));
    }
    let bits = bits_of(args.axes.bits, spec)?;
    if bits != (0..spec.key.bits()) && !spec.algorithm.takes_bits() {
        let (begin, end) = (bits.start, bits.end);
        return Err(Failure::Request(format!(
            "--bits = {begin}..{end} is not legal for {spec}; legal: all bits"
        )));
    }
    let multiprocessors = args.multiprocessors.unwrap_or(DEFAULT_MULTIPROCESSORS);
    let device = Device { multiprocessors, ..Device::of(args.arch()) };
    Ok(DeviceSortExplanation::of(spec, n, bits, device, args.arch()))
}

fn bits_of(span: Option<BitSpan>, spec: &DeviceSpec) -> Result<Range<u32>, Failure> {
    let key_bits = spec.key.bits();
    match span {
        None | Some(BitSpan::ALL) => Ok(0..key_bits),
        Some(BitSpan(BitRange::Static { begin, end })) if begin <= end && end <= key_bits => {
            Ok(begin..end)
        }
        Some(BitSpan(BitRange::Static { begin, end })) => Err(Failure::Request(format!(
            "--bits = {begin}..{end} is not legal for {spec}; legal: begin <= end <= {key_bits}"
        ))),
    }
}

/// What NVRTC makes of the kernels.
fn kernels(named: Named, arch: Arch) -> Result<Vec<CompiledKernel>, Failure> {
    let toolchain = Toolchain::find();
    let nvrtc = Nvrtc::load(&toolchain)?;
    let kernels = Kernels::of_named(named)?;
    let compiled = compile::compile(&toolchain, &nvrtc, &kernels, arch, Format::Cubin)?;
    let resources: BTreeMap<String, Resources> = compiled.resources()?;
    Ok(resources.iter().map(|(symbol, used)| CompiledKernel::of(&nvrtc, symbol, used)).collect())
}

fn sort_text(spec: &DeviceSpec, explanation: &DeviceSortExplanation) -> String {
    let DeviceSortExplanation { key_bytes, value_bytes, threads, items, sort, .. } = explanation;
    let mut text = format!("{spec}\n");
    let values = match spec.value {
        ValueType::None => "no values".to_owned(),
        ValueType::Index => format!("their positions ({value_bytes} bytes), made by the sort"),
        _ => format!("values of {value_bytes} bytes"),
    };
    let order = match spec.order {
        Order::Ascending => "ascending",
        Order::Descending => "descending",
    };
    let nans = if spec.nan_last { ", NaNs last" } else { "" };
    let stable = if explanation.stable { "stable" } else { "not stable" };
    let words = format!(
        "{} keys ({key_bytes} bytes) with {values}, {order}{nans}, {stable}; {} {} items",
        spec.key,
        if spec.sorts_rows() { "rows of up to" } else { "up to" },
        explanation.max_items
    );
    line(&mut text, "sorts", &words);
    let tile = format!("{threads} threads x {items} items = {} items", explanation.tile_items);
    line(&mut text, "tile", &tile);
    line(&mut text, "passes", &pass_words(sort));
    if let Some(phase) = sort.first_phase {
        line(&mut text, "", &phase_words(phase));
    }
    let kernels = match sort.launches.len() {
        1 => "1 kernel".to_owned(),
        count => format!("{count} kernels"),
    };
    let memset = match sort.zeroed_bytes {
        0 => String::new(),
        bytes => format!(", behind a memset of {bytes} bytes"),
    };
    let device = format!("{} multiprocessors", sort.multiprocessors);
    let of = if spec.sorts_rows() { "for each row of" } else { "of" };
    line(&mut text, "launches", &format!("{of} {} items on {device}: {kernels}{memset}", sort.n));
    for row in &sort.launches {
        launch_line(&mut text, &format!("{spec}_"), row);
    }
    let scratch = format!(
        "{} bytes beside the arrays: {} of alternate keys and values, {} of workspace",
        sort.scratch_bytes, sort.alternate_bytes, sort.workspace_bytes
    );
    line(&mut text, "scratch", &scratch);
    line(&mut text, &format!("on {}", explanation.on_arch.arch), &explanation.on_arch.words());
    text
}

fn pass_words(sort: &OneSort) -> String {
    if let Some(instead) = sort.instead_of_passes {
        return format!("none: {instead}");
    }
    let (begin, end) = sort.bits;
    format!(
        "{} of {RADIX_BITS} bits, over bits {begin}..{end}; those that would move nothing are left out on the device",
        sort.passes
    )
}

/// What comes before the passes by all digits, and may be enough.
fn phase_words(phase: FirstPhase) -> String {
    let passes = format!(
        "before them at most {} by the upper digits, if equal ones are rare; ",
        phase.passes
    );
    passes
        + match phase.ended_by {
            PhaseEnd::FixUp => "a tie fix-up sorts the keys that agree in them",
            PhaseEnd::MsdBuckets => "a block sorts each MSD bucket",
        }
}

/// The column of kernels' names is as wide as `bucket_offsets`; what follows a longer one is not aligned.
const KERNEL_WIDTH: usize = 14;

fn launch_line(text: &mut String, prefix: &str, row: &LaunchRow) {
    let LaunchRow { symbol, argument, blocks, threads, shared_bytes } = row;
    let kernel = symbol.strip_prefix(prefix).unwrap_or(symbol);
    let kernel = match argument {
        Some(LaunchArgument::Pass(number) | LaunchArgument::Steps(number)) => {
            format!("{kernel} {number}")
        }
        Some(LaunchArgument::Seed(_)) | None => kernel.to_owned(),
    };
    let mut words = format!("{kernel:<KERNEL_WIDTH$} {blocks:>8} blocks x {threads:>4} threads");
    if *shared_bytes > 0 {
        let _ = write!(words, ", {shared_bytes} bytes of shared memory");
    }
    line(text, "", &words);
}

fn gather_text(spec: GatherSpec, explanation: &GatherExplanation) -> String {
    let GatherExplanation { item_bytes, word_bytes, n, launch, copy_bytes, .. } = explanation;
    let mut text = format!("{spec}\n");
    let items =
        format!("items of {item_bytes} bytes in words of {word_bytes}, by 32-bit positions");
    line(&mut text, "gathers", &items);
    line(&mut text, "launches", &format!("of {n} items: {}", usize::from(launch.is_some())));
    if let Some(row) = launch {
        launch_line(&mut text, &format!("{spec}_"), row);
    }
    let scratch = format!("{copy_bytes} bytes: the copy that items are gathered from");
    line(&mut text, "scratch", &scratch);
    text
}

fn segments_text(explanation: &SegmentExplanation) -> String {
    let SegmentExplanation { name, warp_items, tile_items, n, segments, launches, .. } =
        explanation;
    let mut text = format!("{name}\n");
    let lengths = format!(
        "at most {warp_items} items by a warp, at most {tile_items} by a block, longer ones by merges"
    );
    line(&mut text, "sorts", &lengths);
    let of = format!("of {n} items in {segments} segments: {}", launches.len());
    line(&mut text, "launches", &of);
    for row in launches {
        launch_line(&mut text, &format!("{name}_"), row);
    }
    let scratch =
        format!("{} bytes: the lists of segments, and alternate arrays", explanation.scratch_bytes);
    line(&mut text, "scratch", &scratch);
    text
}
