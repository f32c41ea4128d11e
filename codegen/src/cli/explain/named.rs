//! `sortsmith explain` of specs on arrays.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use sortsmith_codegen::Arch;
use sortsmith_codegen::emit::Named;
use sortsmith_codegen::explain::{KERNEL_WIDTH, Line, NamedExplanation, Request, RowsExplanation};
use sortsmith_codegen::toolchain::{Format, Nvrtc, Resources, Toolchain};

use super::super::args::ExplainArgs;
use super::super::compile::{self, Kernels};
use super::super::failure::{Failure, one_line};
use super::super::output;
use super::{CompiledKernel, line, rows};

/// An explanation, and what the compiler adds to it.
#[derive(Serialize)]
struct Report {
    /// Why it is this spec, where rows are to be sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<RowsExplanation>,
    #[serde(flatten)]
    explanation: NamedExplanation,
    /// None where nothing was compiled.
    compiled: Option<Vec<CompiledKernel>>,
    /// Why it was not.
    not_compiled: Option<String>,
}

/// Explains a spec.
pub fn run(args: &ExplainArgs, named: Named) -> Result<(), Failure> {
    report(args, named, args.n, None)
}

/// Explains what was chosen for rows.
pub fn run_of_rows(
    args: &ExplainArgs,
    named: Named,
    columns: u64,
    rows: RowsExplanation,
) -> Result<(), Failure> {
    report(args, named, Some(columns), Some(rows))
}

fn report(
    args: &ExplainArgs,
    named: Named,
    n: Option<u64>,
    rows: Option<RowsExplanation>,
) -> Result<(), Failure> {
    let arch = args.arch();
    let bits = args.axes.bits.map(|span| span.0);
    let request = Request { arch, n, bits, multiprocessors: args.multiprocessors };
    // The request's fields are named as the flags are.
    let explanation = NamedExplanation::of(&named, &request)
        .map_err(|error| Failure::Request(format!("--{error}")))?;
    let (compiled, not_compiled) = match kernels(named, arch) {
        Ok(kernels) => (Some(kernels), None),
        Err(Failure::Request(reason)) => (None, Some(one_line(&reason))),
        Err(failure) => return Err(failure),
    };
    let report = Report { rows, explanation, compiled, not_compiled };
    if args.json {
        return output::print_json(&report);
    }
    output::print(&text(named, &report))
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

/// The report for people.
fn text(named: Named, report: &Report) -> String {
    let mut text = report.rows.as_ref().map(rows::text).unwrap_or_default();
    let _ = writeln!(text, "{named}");
    for Line { label, words } in &report.explanation.lines {
        line(&mut text, label, words);
    }
    let mut label = "compiled";
    for kernel in report.compiled.iter().flatten() {
        let name = kernel.symbol.strip_prefix(&format!("{named}_")).unwrap_or(&kernel.symbol);
        line(&mut text, label, &format!("{name:<KERNEL_WIDTH$} {}", kernel.words()));
        label = "";
    }
    if let Some(reason) = &report.not_compiled {
        line(&mut text, "compiled", &format!("no: {reason}"));
    }
    text
}
