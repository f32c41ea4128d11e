//! `sortsmith explain` of binned argsorts.

use sortsmith_codegen::binned_argsort::BinnedSpec;
use sortsmith_codegen::explain::BinnedExplanation;

use super::super::super::args::ExplainArgs;
use super::super::super::failure::Failure;
use super::{DEFAULT_ITEMS, DEFAULT_MULTIPROCESSORS, launch_line, line};

/// The most columns: positions have 32 bits, and so has their number.
const MAX_COLUMNS: u64 = u32::MAX as u64;

/// The explanation of the row that the arguments ask for.
pub fn explanation_of(args: &ExplainArgs, spec: &BinnedSpec) -> Result<BinnedExplanation, Failure> {
    let columns = args.n.unwrap_or(DEFAULT_ITEMS);
    if columns > MAX_COLUMNS {
        let message = format!("--n = {columns} is not legal for {spec}; legal: 0 to {MAX_COLUMNS}");
        return Err(Failure::Request(message));
    }
    let multiprocessors = args.multiprocessors.unwrap_or(DEFAULT_MULTIPROCESSORS);
    Ok(BinnedExplanation::of(spec, columns, multiprocessors, args.arch()))
}

/// The explanation for people.
pub fn text(explanation: &BinnedExplanation) -> String {
    let BinnedExplanation { name, key, key_bytes, max_bins, .. } = explanation;
    let BinnedExplanation { threads, items, tile_items, columns, chunks, .. } = explanation;
    let mut text = format!("{name}\n");
    let words = format!(
        "the 32-bit positions of {key} keys ({key_bytes} bytes) in up to {max_bins} bins, stable, and the bins' offsets"
    );
    line(&mut text, "sorts", &words);
    line(&mut text, "tile", &format!("{threads} threads x {items} items = {tile_items} items"));
    let chunks = if *chunks == 1 { "1 chunk".to_owned() } else { format!("{chunks} chunks") };
    line(&mut text, "launches", &format!("of one row of {columns} columns, in {chunks}"));
    for row in &explanation.launches {
        launch_line(&mut text, &format!("{name}_"), row);
    }
    let scratch = format!("{} bytes: the chunks' counts", explanation.scratch_bytes);
    line(&mut text, "scratch", &scratch);
    line(&mut text, &format!("on {}", explanation.on_arch.arch), &explanation.on_arch.words());
    text
}
