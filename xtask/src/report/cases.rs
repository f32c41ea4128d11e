//! Rows of records by case: ours beside those of peers.

use std::collections::HashMap;

use sortsmith_benchkit::{Cache, Case, Input, Library, Method, Record, Row, Types};

/// All rows of one case.
#[derive(Debug)]
pub struct Group<'a> {
    /// What is sorted.
    pub case: Case,
    rows: Vec<&'a Row>,
}

impl<'a> Group<'a> {
    /// A library's fastest row.
    pub fn best(&self, library: Library) -> Option<&'a Row> {
        let rows = self.rows.iter().filter(|row| row.id.contender.library == library);
        rows.max_by(|a, b| a.gkeys.total_cmp(&b.gkeys)).copied()
    }

    /// A library's row by a method.
    pub fn by(&self, library: Library, method: Method) -> Option<&'a Row> {
        let is_it =
            |row: &&&Row| row.id.contender.library == library && row.id.contender.method == method;
        self.rows.iter().find(is_it).copied()
    }

    /// How many times as fast as CUB's best a row is.
    pub fn over_cub(&self, row: &Row) -> Option<f64> {
        self.best(Library::Cub).map(|peer| row.gkeys / peer.gkeys)
    }

    /// How many times as fast as CUB's best our best is.
    pub fn ratio(&self) -> Option<f64> {
        self.over_cub(self.best(Library::Sortsmith)?)
    }

    /// How many times as fast as the fastest of all others our best is.
    pub fn ratio_to_peers(&self) -> Option<f64> {
        let peers = self.rows.iter().filter(|row| row.id.contender.library != Library::Sortsmith);
        let best = peers.map(|row| row.gkeys).reduce(f64::max)?;
        self.best(Library::Sortsmith).map(|ours| ours.gkeys / best)
    }

    /// All rows.
    pub fn rows(&self) -> &[&'a Row] {
        &self.rows
    }
}

/// The warm or the cold cases of a record, in its order.
pub fn groups(record: &Record, cache: Cache) -> Vec<Group<'_>> {
    groups_of(&record.rows, cache)
}

/// The warm or the cold cases of these rows, in their order.
pub fn groups_of<'a>(rows: impl IntoIterator<Item = &'a Row>, cache: Cache) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut indices = HashMap::new();
    for row in rows.into_iter().filter(|row| row.id.case.cache == cache) {
        let index = *indices.entry(row.id.case).or_insert_with(|| {
            groups.push(Group { case: row.id.case, rows: Vec::new() });
            groups.len() - 1
        });
        groups[index].rows.push(row);
    }
    groups
}

/// What is found in each of the cases that an attribute has, without repetition, in their order.
pub fn distinct<T: PartialEq>(groups: &[Group<'_>], of: impl Fn(&Case) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in groups.iter().filter_map(|group| of(&group.case)) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The types of which random keys of at least `least` lengths were sorted, with these cases by length.
pub fn by_length<'g, 'a>(
    groups: &'g [Group<'a>],
    least: usize,
) -> Vec<(Types, Vec<&'g Group<'a>>)> {
    let is_random = |case: &Case| (case.input == Input::Random).then_some(case.types);
    let all = distinct(groups, is_random).into_iter().map(|types| {
        let of_types = |group: &&Group<'_>| is_random(&group.case) == Some(types);
        let mut cases: Vec<_> = groups.iter().filter(of_types).collect();
        cases.sort_by_key(|group| group.case.n);
        (types, cases)
    });
    all.filter(|(_, cases)| cases.len() >= least).collect()
}

/// A record that was never measured, of one of the formats that are read: the table alone is the caller's.
#[cfg(test)]
pub fn record_of(format: u32, table: &str) -> Record {
    let text = format!(
        "\
# record: {format}
# gpu: NVIDIA H200
# arch: sm_90
# driver:
# compiler: NVRTC 13.0
# cub: 3.5.0
# commit:
# date: 2026-11-22
# sm_clock_mhz:
# memory_clock_mhz:
# copy_gbytes_per_second: 4221
{table}"
    );
    Record::parse(std::path::Path::new("text"), &text).expect("it is legal")
}
