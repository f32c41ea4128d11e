//! `sortsmith explain`.

mod choice;
mod device_wide;

use std::fmt::Write as _;

use serde::Serialize;
use sortsmith_codegen::emit::Named;
use sortsmith_codegen::explain::{
    ChoiceExplanation, Comparison, Explanation, Fit, Part, Radix, Warp,
};
use sortsmith_codegen::matrix::{AlgorithmWord, Axis, Selected};
use sortsmith_codegen::tiles::TileChoice;
use sortsmith_codegen::toolchain::{Format, Nvrtc, Resources, Toolchain};
use sortsmith_codegen::{Arch, Order, SortSpec};

use super::args::ExplainArgs;
use super::compile::{self, Kernels};
use super::failure::{Failure, one_line};
use super::{emit, output};

/// The explanation, and what the compiler adds to it.
#[derive(Serialize)]
struct Report {
    /// Why it is this spec, where no algorithm was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<ChoiceExplanation>,
    #[serde(flatten)]
    explanation: Explanation,
    /// None where the tile kernel was not compiled.
    compiled: Option<CompiledKernel>,
    /// Why it was not.
    not_compiled: Option<String>,
    /// For which architecture.
    #[serde(skip)]
    arch: Arch,
}

/// A kernel, and what the compiler made of it.
#[derive(Serialize)]
struct CompiledKernel {
    compiler: String,
    symbol: String,
    registers: u32,
    stack_bytes: u32,
    spill_store_bytes: u32,
    spill_load_bytes: u32,
    code_bytes: u64,
}

pub fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        refuse_device_flags(args, "without a name")?;
        let Selected { spec, choice } = one_of_axes(args)?;
        return report(args, &spec, choice.as_deref());
    };
    // Bits and the architecture are no part of the spec here.
    let axes = emit::axes(&args.axes);
    if let Some(axis) = axes.given().find(|axis| ![Axis::Bits, Axis::Arch].contains(axis)) {
        let flag = axis.name().replace('_', "-");
        return Err(Failure::request(format!(
            "--{flag} is given beside {name}, which says the spec; legal: one or the other"
        )));
    }
    if Named::claims(name) {
        return device_wide::run(args, name.parse()?);
    }
    refuse_device_flags(args, &format!("with {name}"))?;
    if args.axes.bits.is_some() {
        let message = format!("--bits is given with {name}; legal: with device-wide sorts");
        return Err(Failure::Request(message));
    }
    report(args, &name.parse()?, None)
}

fn refuse_device_flags(args: &ExplainArgs, given: &str) -> Result<(), Failure> {
    let device_flags =
        [("--n", args.n.is_some()), ("--multiprocessors", args.multiprocessors.is_some())];
    let flag = device_flags.iter().find(|(_, is_given)| *is_given);
    flag.map_or(Ok(()), |(flag, _)| {
        let message = format!("{flag} is given {given}; legal: with device-wide sorts");
        Err(Failure::Request(message))
    })
}

/// The one spec that the axes say, or that is chosen for them.
fn one_of_axes(args: &ExplainArgs) -> Result<Selected, Failure> {
    let mut axes = emit::axes(&args.axes);
    if axes.algorithm.is_empty() {
        let message = "no spec is given; legal: a name, or --algorithm and its axes";
        return Err(Failure::request(message));
    }
    if axes.algorithm != [AlgorithmWord::Auto] {
        axes.arch.clear();
    }
    match <[Selected; 1]>::try_from(axes.selected()?) {
        Ok([selected]) => Ok(selected),
        Err(several) => Err(Failure::request(format!(
            "{} specs are given, by --order both; legal: one",
            several.len()
        ))),
    }
}

fn report(args: &ExplainArgs, spec: &SortSpec, choice: Option<&TileChoice>) -> Result<(), Failure> {
    let arch = args.arch();
    let explanation = Explanation::of(spec, arch);
    let (compiled, not_compiled) = match tile_kernel(spec, arch) {
        Ok(kernel) => (Some(kernel), None),
        Err(Failure::Request(reason)) => (None, Some(one_line(&reason))),
        Err(failure) => return Err(failure),
    };
    let choice = choice.map(ChoiceExplanation::of);
    let report = Report { choice, explanation, compiled, not_compiled, arch };
    if args.json {
        return output::print_json(&report);
    }
    let of_choice = report.choice.as_ref().map(choice::text);
    output::print(&(of_choice.unwrap_or_default() + &text(&report)))
}

fn tile_kernel(spec: &SortSpec, arch: Arch) -> Result<CompiledKernel, Failure> {
    let toolchain = Toolchain::find();
    let nvrtc = Nvrtc::load(&toolchain)?;
    let kernels = Kernels::of_tile(*spec)?;
    let compiled = compile::compile(&toolchain, &nvrtc, &kernels, arch, Format::Cubin)?;
    let symbol = format!("{spec}_tile");
    let kernels = compiled.resources()?;
    let Some(used) = kernels.get(&symbol) else {
        return Err(Failure::request(format!("the compiler made no kernel {symbol}")));
    };
    Ok(CompiledKernel::of(&nvrtc, &symbol, used))
}

impl CompiledKernel {
    fn of(nvrtc: &Nvrtc, symbol: &str, used: &Resources) -> Self {
        let (major, minor) = nvrtc.version();
        let Resources {
            registers,
            stack_bytes,
            spill_store_bytes,
            spill_load_bytes,
            code_bytes,
            ..
        } = *used;
        Self {
            compiler: format!("NVRTC {major}.{minor}"),
            symbol: symbol.to_owned(),
            registers,
            stack_bytes,
            spill_store_bytes,
            spill_load_bytes,
            code_bytes,
        }
    }

    fn words(&self) -> String {
        let Self {
            registers, stack_bytes, spill_store_bytes, spill_load_bytes, code_bytes, ..
        } = self;
        let spills = match spill_store_bytes + spill_load_bytes {
            0 => "no spills".to_owned(),
            _ => format!("spills: {spill_store_bytes} bytes stored, {spill_load_bytes} loaded"),
        };
        format!(
            "{registers} registers, {spills}, {stack_bytes} bytes of stack, {code_bytes} bytes of code"
        )
    }
}

/// The report for people: a label and its words on each line.
fn text(report: &Report) -> String {
    let Explanation { name, key, threads, items, tile_items, input, output, .. } =
        &report.explanation;
    let explanation = &report.explanation;
    let mut text = format!("{name}\n");
    let order = match explanation.order {
        Order::Ascending => "ascending",
        Order::Descending => "descending",
    };
    let stable = if explanation.stable { "stable" } else { "not stable" };
    line(
        &mut text,
        "sorts",
        &format!(
            "{key} keys ({} bytes) with {}, {order}, {stable}",
            explanation.key_bytes,
            value_words(explanation)
        ),
    );
    line(
        &mut text,
        "tile",
        &format!(
            "{threads} {} x {items} items = {tile_items} items; {input} in, {output} out",
            if explanation.warp.is_some() { "lanes" } else { "threads" }
        ),
    );
    if let Some(radix) = &explanation.radix {
        radix_text(&mut text, radix);
    } else if let Some(warp) = &explanation.warp {
        warp_text(&mut text, explanation, warp);
    } else if let Some(comparison) = &explanation.comparison {
        comparison_text(&mut text, explanation, comparison);
    }
    match (&report.compiled, &report.not_compiled) {
        (Some(kernel), _) => line(&mut text, "compiled", &kernel_words(kernel, report.arch)),
        (None, Some(reason)) => line(&mut text, "compiled", &format!("no: {reason}")),
        (None, None) => {}
    }
    text
}

fn value_words(explanation: &Explanation) -> String {
    match explanation.value {
        sortsmith_codegen::ValueType::None => "no values".to_owned(),
        sortsmith_codegen::ValueType::Index => {
            "their positions (4 bytes), made by the sort".to_owned()
        }
        _ => format!("values of {} bytes", explanation.value_bytes),
    }
}

fn radix_text(text: &mut String, radix: &Radix) {
    let (begin, end) = radix.bits;
    let range = if radix.static_bits {
        "constants of the kernel"
    } else {
        "all of the key; the arguments may say fewer"
    };
    let passes = format!(
        "{} of {} bits, over bits {begin}..{end} ({range})",
        radix.passes, radix.radix_bits
    );
    line(text, "passes", &passes);
    line(text, "rank", &radix.rank);
    line(text, "ranked in", &format!("{} arrangement", radix.ranked_in));
    let mut moved = format!("{} bytes of key", radix.key_bytes_per_pass);
    if radix.carried_bytes_per_pass > 0 {
        let _ = write!(moved, " and {} bytes for {}", radix.carried_bytes_per_pass, radix.carries);
    }
    moved.push_str(", written to shared memory and read back");
    line(text, "moves", &format!("per item and pass: {moved}"));
    if radix.value_bytes_at_end > 0 {
        line(
            text,
            "",
            &format!("per item after the last pass: {} bytes of value", radix.value_bytes_at_end),
        );
    }
    line(
        text,
        "barriers",
        &format!("{} a pass, {} in all", radix.barriers_per_pass, radix.barriers),
    );
    let shared = &radix.shared;
    let how = if shared.overlaps {
        "ranking and exchange share them"
    } else {
        "ranking and exchange have bytes of their own"
    };
    line(text, "shared", &format!("{} bytes; {how}", shared.bytes));
    for (stage, arrays) in [
        ("ranking", &shared.ranking),
        ("exchange", &shared.exchange),
        ("at the end", &shared.at_end),
    ] {
        for Part { what, bytes } in arrays {
            line(text, "", &format!("{bytes:>7} {stage}: {what}"));
        }
    }
    let on = &radix.on_arch;
    line(text, &format!("on {}", on.arch), &fit_words(on));
}

fn warp_text(text: &mut String, explanation: &Explanation, warp: &Warp) {
    let mut compared = format!("{}: {} an item", warp.compares, registers(warp.word_registers));
    if warp.tile_values_break_ties {
        compared.push_str("; the value in place of the position where tiles are complete");
    } else if warp.carried_registers > 0 {
        let _ = write!(
            compared,
            ", and {} for its value in members of the struct",
            registers(warp.carried_registers)
        );
    }
    line(text, "compares", &compared);
    line(
        text,
        "network",
        &format!(
            "{} comparators in each lane and {} across lanes, for {} items",
            warp.comparators_in_lane, warp.comparators_across_lanes, explanation.items
        ),
    );
    let how = if warp.exchanges_halves {
        "lanes exchange one of each two items that were compared"
    } else {
        "lanes exchange each item, for they have an odd number"
    };
    line(text, "exchanges", how);
    line(
        text,
        "shuffles",
        &format!(
            "{} a lane in the tile kernel, {:.2} an item; {} in Sort",
            warp.tile_shuffles, warp.tile_shuffles_per_item, warp.sort_shuffles
        ),
    );
    line(
        text,
        "memory",
        &format!(
            "the tile kernel's lanes read {} items at once and write {} at once, {}; no shared memory",
            warp.read_items, warp.written_items, warp.writes
        ),
    );
    line(
        text,
        "blocks",
        &format!(
            "of {} threads and {} tiles, in the tile kernel",
            warp.tile_threads, warp.tiles_per_block
        ),
    );
}

fn registers(count: u32) -> String {
    format!("{count} register{}", if count == 1 { "" } else { "s" })
}

fn comparison_text(text: &mut String, explanation: &Explanation, comparison: &Comparison) {
    let mut compared =
        format!("{}: {} an item", comparison.compares, registers(comparison.word_registers));
    if comparison.fetched_words > 0 {
        compared.push_str("; values are fetched by their positions at the end");
    }
    line(text, "compares", &compared);
    line(
        text,
        "network",
        &format!(
            "{} comparators in each thread's registers and {} across lanes, for {} items",
            comparison.comparators_in_thread,
            comparison.comparators_across_lanes,
            explanation.items
        ),
    );
    let shuffles = match comparison.shuffles {
        0 => "none: what threads compare goes through shared memory".to_owned(),
        some => format!("{some} a thread, {:.2} an item", comparison.shuffles_per_item),
    };
    line(text, "shuffles", &shuffles);
    if comparison.merges_by_path {
        let how = "each thread finds its share of two runs by a search, and merges it";
        line(text, "merges", how);
    }
    let exchanges = format!(
        "{} through shared memory, and {} barriers",
        comparison.exchanges, comparison.barriers
    );
    line(text, "exchanges", &exchanges);
    let on = &comparison.on_arch;
    line(text, &format!("on {}", on.arch), &fit_words(on));
}

fn fit_words(on: &Fit) -> String {
    if on.fits {
        format!(
            "fits: {} of {} bytes a block; {} resident blocks by shared memory, {} threads",
            on.shared_bytes, on.max_shared_bytes, on.resident_blocks, on.resident_threads
        )
    } else {
        format!(
            "does not fit: {} bytes of shared memory, a block has at most {}",
            on.shared_bytes, on.max_shared_bytes
        )
    }
}

fn kernel_words(kernel: &CompiledKernel, arch: Arch) -> String {
    let CompiledKernel { compiler, .. } = kernel;
    format!("tile kernel by {compiler} for {arch}: {}", kernel.words())
}

fn line(text: &mut String, label: &str, words: &str) {
    let _ = writeln!(text, "  {label:<10} {words}");
}
