//! `sortsmith explain`.

mod choice;
mod named;
mod rows;

use std::fmt::Write as _;

use serde::Serialize;
use sortsmith_codegen::dispatch::KernelSpec;
use sortsmith_codegen::emit::Named;
use sortsmith_codegen::explain::{ChoiceExplanation, Explanation, Line, RowsExplanation};
use sortsmith_codegen::matrix::{AlgorithmWord, Axis, Selected};
use sortsmith_codegen::tiles::TileChoice;
use sortsmith_codegen::toolchain::{Format, Nvrtc, Resources, Toolchain};
use sortsmith_codegen::{Arch, Order, SortSpec, TileOption};

use super::args::ExplainArgs;
use super::compile::{self, Kernels};
use super::failure::{Failure, one_line};
use super::{emit, output};

/// The explanation, and what the compiler adds to it.
#[derive(Serialize)]
struct Report {
    /// Why it is this spec, where rows are to be sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<RowsExplanation>,
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
        if let Some(columns) = args.columns {
            let choice = rows::choice(args, columns)?;
            let explanation = RowsExplanation::of(&choice);
            return match choice.spec() {
                KernelSpec::Tile(spec) => report(args, &spec, None, Some(explanation)),
                KernelSpec::DeviceWide(spec) => {
                    named::run_of_rows(args, Named::Sort(spec), columns, explanation)
                }
            };
        }
        let Selected { spec, choice } = one_of_axes(args)?;
        return report(args, &spec, choice.as_deref(), None);
    };
    if args.columns.is_some() {
        return Err(Failure::request(format!(
            "--columns is given beside {name}, which says the spec; legal: one or the other"
        )));
    }
    // Bits and the architecture are no part of the spec here.
    let axes = emit::axes(&args.axes);
    if let Some(axis) = axes.given().find(|axis| ![Axis::Bits, Axis::Arch].contains(axis)) {
        let flag = axis.name().replace('_', "-");
        return Err(Failure::request(format!(
            "--{flag} is given beside {name}, which says the spec; legal: one or the other"
        )));
    }
    if Named::claims(name) {
        return named::run(args, name.parse()?);
    }
    refuse_device_flags(args, &format!("with {name}"))?;
    if args.axes.bits.is_some() {
        let message = format!("--bits is given with {name}; legal: with device-wide sorts");
        return Err(Failure::Request(message));
    }
    report(args, &name.parse()?, None, None)
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

fn report(
    args: &ExplainArgs,
    spec: &SortSpec,
    choice: Option<&TileChoice>,
    rows: Option<RowsExplanation>,
) -> Result<(), Failure> {
    let arch = args.arch();
    let explanation = Explanation::of(spec, arch);
    let (compiled, not_compiled) = match tile_kernel(spec, arch) {
        Ok(kernel) => (Some(kernel), None),
        Err(Failure::Request(reason)) => (None, Some(one_line(&reason))),
        Err(failure) => return Err(failure),
    };
    let choice = choice.map(ChoiceExplanation::of);
    let report = Report { rows, choice, explanation, compiled, not_compiled, arch };
    if args.json {
        return output::print_json(&report);
    }
    let of_choice = report.choice.as_ref().map(choice::text);
    let of_choice = of_choice.or_else(|| report.rows.as_ref().map(rows::text));
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
            if explanation.algorithm.has(TileOption::Lanes) { "lanes" } else { "threads" }
        ),
    );
    for Line { label, words } in &explanation.lines {
        line(&mut text, label, words);
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

fn kernel_words(kernel: &CompiledKernel, arch: Arch) -> String {
    let CompiledKernel { compiler, .. } = kernel;
    format!("tile kernel by {compiler} for {arch}: {}", kernel.words())
}

fn line(text: &mut String, label: &str, words: &str) {
    let _ = writeln!(text, "  {label:<10} {words}");
}
