//! What blocks of a top-k launch, and the memory that launches share, as the header computes it.

use crate::contract::device::host::{Cpp, CppTruth, Number as _};
use crate::top_k::TopKSpec;
use crate::top_k::host::{CppReal, HostFacts, HostNumber as _, Real as _};
use crate::top_k::launch::{blocks_of, candidates_of, of_lists};
use crate::top_k::listed::{HostListed, HostSample};

/// What is launched by blocks.
pub(super) struct PlanView {
    pub(super) has_long_rows: String,
    pub(super) sampling_blocks: String,
    pub(super) chunks: String,
    pub(super) groups: String,
    pub(super) blocks: String,
    pub(super) blocks_of_groups: String,
    pub(super) blocks_of_rows: String,
    pub(super) start_of_groups: String,
    pub(super) candidates: String,
    pub(super) ranked: RankedView,
    pub(super) listed: ListedView,
}

pub(super) struct RankedView {
    pub(super) may_rank_by_several: String,
    pub(super) may_rank: String,
    pub(super) distance: String,
    pub(super) expected: String,
    pub(super) limit: String,
    pub(super) are_few: String,
    pub(super) chunks: String,
    pub(super) rankers: String,
    pub(super) groups: String,
    pub(super) rank: String,
    pub(super) positions: String,
    pub(super) counts: String,
    pub(super) of_groups: String,
    pub(super) words: String,
}

pub(super) struct ListedView {
    pub(super) kept: String,
    pub(super) rank: String,
    pub(super) most: String,
    pub(super) items: String,
    pub(super) room: String,
    pub(super) has_memory: String,
    pub(super) chunks: String,
    pub(super) groups: String,
    pub(super) bits: String,
    pub(super) sample_positions: String,
    pub(super) positions: String,
    pub(super) counts: String,
    pub(super) of_groups: String,
    pub(super) words: String,
}

/// A variable of the C++.
pub(super) fn variable(name: &str) -> Cpp {
    Cpp::Text(name.to_owned())
}

/// The launches of a spec.
pub(super) fn plan_view(spec: &TopKSpec) -> PlanView {
    let [rows, columns, k, multiprocessors] =
        ["rows", "columns", "k", "multiprocessors"].map(variable);
    let (rows_of, columns_of, k_of) = (rows.clone(), columns.clone(), k.clone());
    let facts = HostFacts { rows: rows_of, columns: columns_of, k: k_of, multiprocessors };
    PlanView {
        has_long_rows: TopKSpec::host_has_long_rows(&facts).to_string(),
        sampling_blocks: spec
            .host_sampling_blocks(&columns, &k, |blocks| sample_by(&blocks))
            .to_string(),
        chunks: spec.host_chunks(&facts).to_string(),
        groups: spec.host_groups(variable("chunks"), k.clone()).to_string(),
        blocks: blocks_of(rows.clone(), variable("chunks")).to_string(),
        blocks_of_groups: blocks_of(rows.clone(), variable("groups")).to_string(),
        blocks_of_rows: blocks_of(rows.clone(), Cpp::known(1)).to_string(),
        start_of_groups: of_lists(rows.clone(), k.clone(), variable("chunks")).to_string(),
        candidates: candidates_of(rows, k, variable("chunks"), variable("groups")).to_string(),
        ranked: ranked_view(spec, &facts),
        listed: listed_view(spec, &facts),
    }
}

fn ranked_view(spec: &TopKSpec, facts: &HostFacts<Cpp>) -> RankedView {
    let is_of_one = CppTruth::Text("is_of_one".to_owned());
    let [chunks, rankers, groups] = spec.host_ranked(facts, &is_of_one).map(|it| it.to_string());
    let lists = ["chunks", "rankers", "groups"].map(variable);
    let words = spec.host_ranked_words(facts.rows.clone(), facts.k.clone(), lists);
    let [positions, counts, of_groups, words] = words.map(|it| it.to_string());
    let names = ["distance", "expected", "limit"].map(|name| CppReal(name.to_owned()));
    let [distance, expected, limit] = names.clone();
    RankedView {
        may_rank_by_several: TopKSpec::host_may_rank_by_several(facts).to_string(),
        may_rank: spec.host_may_rank(facts, &is_of_one).to_string(),
        distance: spec.host_distance(facts.columns.clone()).to_string(),
        expected: facts.k.clone().real().over(distance).to_string(),
        limit: TopKSpec::host_limit::<Cpp>(expected, &is_of_one).to_string(),
        are_few: spec.host_are_survivors_few::<Cpp>(names, &is_of_one).to_string(),
        chunks,
        rankers,
        groups,
        rank: spec.host_rank::<Cpp>(limit).to_string(),
        positions,
        counts,
        of_groups,
        words,
    }
}

/// The C++ sample of a row by some blocks.
fn sample_by(blocks: &Cpp) -> HostSample<Cpp> {
    let member = |name: &str| variable(&format!("sample(columns, k, {blocks}).{name}"));
    let [kept, rank, most, items] = ["kept", "rank", "most", "items"].map(member);
    HostSample { kept, rank, most, items }
}

fn listed_view(spec: &TopKSpec, facts: &HostFacts<Cpp>) -> ListedView {
    let HostFacts { rows, columns, k, .. } = facts.clone();
    let HostSample { kept, rank, most, items } =
        spec.host_sample(columns, k.clone(), variable("blocks"));
    let HostListed { room, chunks, groups } = spec.host_listed(facts, variable("most"));
    let [samples, room_of_list] = ["samples", "room"].map(variable);
    let has_memory = TopKSpec::host_are_listed(rows.clone(), room_of_list, samples).to_string();
    let words = spec.host_listed_words(rows, k, ["samples", "room", "groups"].map(variable));
    let [bits, sample_positions, positions, counts, of_groups, words] =
        words.map(|it| it.to_string());
    ListedView {
        kept: kept.to_string(),
        rank: rank.to_string(),
        most: most.to_string(),
        items: items.to_string(),
        room: room.to_string(),
        has_memory,
        chunks: chunks.to_string(),
        groups: groups.to_string(),
        bits,
        sample_positions,
        positions,
        counts,
        of_groups,
        words,
    }
}
