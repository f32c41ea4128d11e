//! Why a sort was chosen, for people.

use std::fmt::Write as _;

use sortsmith_codegen::explain::{CandidateRow, ChoiceExplanation, MeasuredTiles, RuledOutRow};

use super::line;

/// The choice, before what is chosen is explained.
pub fn text(choice: &ChoiceExplanation) -> String {
    let ChoiceExplanation { request, arch, chosen, .. } = choice;
    let mut text = format!("auto: {request}; on {arch}\n");
    let mut figure = format!("{}: {:.1} Gkeys/s", chosen.spec, chosen.gkeys);
    if let Some(times) = choice.times_cub {
        let _ = write!(figure, ", {times:.2} times CUB's best");
    }
    line(&mut text, "chosen", &figure);
    line(&mut text, "rule", &choice.rule);
    line(&mut text, "measured", &measured_words(&choice.measured));
    let mut label = "figures";
    for CandidateRow { spec, method, gkeys, measured_gkeys, passes } in
        [chosen].into_iter().chain(&choice.others)
    {
        let passes = passes.map_or(String::new(), |[many, few]| {
            format!(", {measured_gkeys:.1} in {many} passes and not {few}")
        });
        line(&mut text, label, &format!("{gkeys:>6.1}  {spec}: {method}{passes}"));
        label = "";
    }
    let mut label = "ruled out";
    for RuledOutRow { method, gkeys, why } in &choice.ruled_out {
        let gkeys = gkeys.map_or("-".to_owned(), |gkeys| format!("{gkeys:.1}"));
        line(&mut text, label, &format!("{gkeys:>6}  {method}: {why}"));
        label = "";
    }
    text.push('\n');
    text
}

fn measured_words(measured: &MeasuredTiles) -> String {
    let MeasuredTiles { gpu, arch, date, types, threads, items, is_nearest, cub_gkeys } = measured;
    let what = if *is_nearest { ", the nearest to the request" } else { "" };
    let cub = cub_gkeys.map_or(String::new(), |gkeys| format!("; CUB's best {gkeys:.1}"));
    format!("{types} in {threads}x{items} on an {gpu} ({arch}), {date}{what}{cub}")
}
