//! `sortsmith explain` of top-ks.

use sortsmith_codegen::Order;
use sortsmith_codegen::explain::TopKExplanation;
use sortsmith_codegen::top_k::AnyTopK;

use super::super::super::args::ExplainArgs;
use super::super::super::failure::Failure;
use super::{DEFAULT_ITEMS, DEFAULT_MULTIPROCESSORS, launch_line, line};

/// The explanation of the row that the arguments ask for.
pub fn explanation_of(args: &ExplainArgs, spec: &AnyTopK) -> Result<TopKExplanation, Failure> {
    let most = spec.max_columns();
    let columns = args.n.unwrap_or(DEFAULT_ITEMS.min(most));
    if columns > most {
        let message = format!("--n = {columns} is not legal for {spec}; legal: 0 to {most}");
        return Err(Failure::Request(message));
    }
    let multiprocessors = args.multiprocessors.unwrap_or(DEFAULT_MULTIPROCESSORS);
    Ok(TopKExplanation::of(spec, columns, multiprocessors, args.arch()))
}

/// The explanation for people.
pub fn text(spec: &AnyTopK, explanation: &TopKExplanation) -> String {
    let TopKExplanation { key_bytes, max_k, threads, items, tile_items, .. } = explanation;
    let TopKExplanation { columns, k, chunks, launches, scratch_bytes, on_arch, .. } = explanation;
    let mut text = format!("{spec}\n");
    let which = match spec.order() {
        Order::Ascending => "smallest",
        Order::Descending => "largest",
    };
    let nans = if spec.nan_last() { ", NaNs last" } else { "" };
    let words = format!(
        "up to {max_k} of the {which} {} keys ({key_bytes} bytes) of a row{nans}, and their 32-bit positions",
        spec.key()
    );
    line(&mut text, "finds", &words);
    let words = match spec {
        AnyTopK::Block(_) => format!("{threads} threads x {items} items = {tile_items} items"),
        AnyTopK::Warp(_) => format!("a warp's: 32 lanes x {items} items = {tile_items} items"),
    };
    line(&mut text, "tile", &words);
    let words = format!("of k = {k} in one row of {columns} columns, in {chunks} chunks");
    line(&mut text, "launches", &words);
    for row in launches {
        launch_line(&mut text, &format!("{spec}_"), row);
    }
    line(&mut text, "scratch", &format!("{scratch_bytes} bytes: the chunks' candidates"));
    line(&mut text, &format!("on {}", on_arch.arch), &on_arch.words());
    text
}
