//! The order of a top-k's launches, as the header has it.

use super::plan::variable;
use crate::contract::device::host::CppTruth;
use crate::top_k::plan::{LISTED, ranked, split};
use crate::top_k::{TopKLists, TopKStep};

/// The launches of each way.
pub(super) struct StepsView {
    pub(super) split: Vec<StepView>,
    pub(super) ranked: Vec<StepView>,
    pub(super) listed: Vec<String>,
}

/// A launch that is made where its condition holds.
pub(super) struct StepView {
    pub(super) condition: String,
    pub(super) call: String,
}

impl StepsView {
    pub(super) fn new() -> Self {
        let [chunks, groups, rankers] =
            ["plan.chunks", "plan.groups", "plan.rankers"].map(variable);
        let view = |(condition, step): (CppTruth, TopKStep)| StepView {
            condition: condition.to_string(),
            call: call(step),
        };
        Self {
            split: split(chunks, groups).map(view).into(),
            ranked: ranked(rankers).map(view).into(),
            listed: LISTED.map(call).into(),
        }
    }
}

/// The call of the step's function.
fn call(step: TopKStep) -> String {
    let arguments = match step {
        TopKStep::Rows { to } => lists(to).to_owned(),
        TopKStep::Candidates { from, to } => format!("{}, {}", lists(from), lists(to)),
        _ => String::new(),
    };
    format!("{}({arguments})", step.kernel().suffix().trim_start_matches('_'))
}

const fn lists(lists: TopKLists) -> &'static str {
    match lists {
        TopKLists::Chunks => "Lists::kChunks",
        TopKLists::Groups => "Lists::kGroups",
        TopKLists::Results => "Lists::kResults",
    }
}
