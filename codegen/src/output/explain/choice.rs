//! Why a sort of tiles was chosen, in words and figures.

use serde::Serialize;

use crate::contract::spec::BitRange;
use crate::select::tiles::{Candidate, RuledOut, TileChoice, TileMethod, TileSort};

/// All that a [`TileChoice`] says.
///
/// ```
/// use sortsmith_codegen::explain::ChoiceExplanation;
/// use sortsmith_codegen::tiles::TileSort;
/// use sortsmith_codegen::{Block, KeyType};
///
/// let choice = TileSort::keys(KeyType::I64, Block::linear(256), 12).choose().unwrap();
/// let explanation = ChoiceExplanation::of(&choice);
/// assert_eq!(explanation.chosen.spec, "block_merge_sort_i64_keys_b256_i12_asc");
/// assert_eq!(explanation.measured.types, "u64_keys");
/// assert_eq!((explanation.measured.threads, explanation.measured.items), (256, 16));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChoiceExplanation {
    /// The request, in words.
    pub request: String,
    /// The architecture that it is for.
    pub arch: String,
    /// The fastest spec that does it.
    pub chosen: CandidateRow,
    /// How many times as fast as CUB's best it was, where that was measured and counts as it is.
    pub times_cub: Option<f64>,
    /// What the figures are of.
    pub measured: MeasuredTiles,
    /// What else could have been chosen, the faster ones first.
    pub others: Vec<CandidateRow>,
    /// What could not.
    pub ruled_out: Vec<RuledOutRow>,
    /// The rule that decided.
    pub rule: String,
}

/// A spec with its figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateRow {
    /// Its name.
    pub spec: String,
    /// What was measured.
    pub method: String,
    /// Billions of keys a second that count.
    pub gkeys: f64,
    /// The candidates that were measured.
    pub measured_gkeys: f64,
    /// The passes of what was measured and those of the spec, where these are more or fewer.
    pub passes: Option<[u32; 2]>,
}

/// A method that cannot be chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuledOutRow {
    /// The method.
    pub method: String,
    /// Billions of keys a second, where they were measured.
    pub gkeys: Option<f64>,
    /// Why not.
    pub why: String,
}

/// Where figures are from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredTiles {
    /// The GPU.
    pub gpu: &'static str,
    /// Its architecture.
    pub arch: String,
    /// The day.
    pub date: &'static str,
    /// The types.
    pub types: String,
    /// Threads of a block.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
    /// Whether it is the nearest to the request, and not the request itself.
    pub is_nearest: bool,
    /// CUB's best there.
    pub cub_gkeys: Option<f64>,
}

impl ChoiceExplanation {
    /// The explanation of a choice.
    pub fn of(choice: &TileChoice) -> Self {
        let TileChoice { sort, chosen, others, ruled_out, record, row } = choice;
        Self {
            request: request(sort),
            arch: sort.arch.to_string(),
            chosen: CandidateRow::of(chosen),
            times_cub: choice.times_cub(),
            measured: MeasuredTiles {
                gpu: record.gpu,
                arch: record.arch.to_string(),
                date: record.date,
                types: format!("{}_{}", row.key, row.value),
                threads: row.threads,
                items: row.items,
                is_nearest: choice.is_nearest(),
                cub_gkeys: row.cub,
            },
            others: others.iter().map(CandidateRow::of).collect(),
            ruled_out: ruled_out.iter().map(RuledOutRow::of).collect(),
            rule: rule(choice),
        }
    }
}

impl CandidateRow {
    fn of(candidate: &Candidate) -> Self {
        let Candidate { spec, method, gkeys, measured, passes } = candidate;
        Self {
            spec: spec.to_string(),
            method: method.to_string(),
            gkeys: *gkeys,
            measured_gkeys: *measured,
            passes: *passes,
        }
    }
}

impl RuledOutRow {
    fn of(ruled_out: &RuledOut) -> Self {
        let RuledOut { method, gkeys, why } = ruled_out;
        Self { method: method.to_string(), gkeys: *gkeys, why: why.to_string() }
    }
}

fn request(sort: &TileSort) -> String {
    let TileSort { bits, input, output, .. } = sort;
    let bits = match bits {
        None => String::new(),
        Some(BitRange::Runtime) => ", by bits that are arguments".to_owned(),
        Some(BitRange::Static { begin, end }) => format!(", by bits {begin}..{end}"),
    };
    format!("{sort}{bits}; {input} in, {output} out")
}

/// Which rule decided, of those that [`crate::select::tiles`] lists.
fn rule(choice: &TileChoice) -> String {
    let faster = choice.faster_ruled_out();
    let mut rule = match (faster, choice.others.is_empty()) {
        (Some(RuledOut { method, why, .. }), _) => {
            format!("the fastest but for what cannot be chosen: not the {method}, for {why}")
        }
        (None, true) => "nothing else can be chosen".to_owned(),
        (None, false) => "the fastest".to_owned(),
    };
    let Candidate { spec, method, passes, .. } = choice.chosen;
    if passes.is_some() {
        rule += "; figures of radix sorts in proportion to their passes";
    }
    if spec.algorithm.is_stable() && method == (TileMethod::Bitonic { stable: false }) {
        rule += "; the figure of the network that is not stable, for stability costs nothing here";
    }
    rule
}
