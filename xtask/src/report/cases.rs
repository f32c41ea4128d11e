//! Rows of records by case: ours beside those of peers.

use std::collections::HashMap;

use sortsmith_benchkit::{Cache, Case, Contender, Input, Library, Method, Record, Row, Types};

/// All rows of one case.
#[derive(Debug)]
pub struct Group<'a> {
    /// What is sorted.
    pub case: Case,
    rows: Vec<&'a Row>,
}

impl<'a> Group<'a> {
    /// A library's fastest row, but for sorts that a caller names.
    pub fn best(&self, library: Library) -> Option<&'a Row> {
        let of_library = self.rows.iter().filter(|row| row.id.contender.library == library);
        let rows = of_library.filter(|row| row.id.contender.method != Method::Partition);
        rows.max_by(|a, b| a.gkeys.total_cmp(&b.gkeys)).copied()
    }

    /// A contender's row.
    pub fn by(&self, contender: Contender) -> Option<&'a Row> {
        self.rows.iter().find(|row| row.id.contender == contender).copied()
    }

    /// How many times as fast as CUB's best a row is.
    pub fn over_cub(&self, row: &Row) -> Option<f64> {
        self.best(Library::Cub).map(|peer| row.gkeys / peer.gkeys)
    }

    /// How many times as fast as CUB's best our best is.
    pub fn ratio(&self) -> Option<f64> {
        self.over_cub(self.best(Library::Sortsmith)?)
    }

    /// The fastest row of all other libraries.
    pub fn best_peer(&self) -> Option<&'a Row> {
        let peers = self.rows.iter().filter(|row| row.id.contender.library != Library::Sortsmith);
        peers.max_by(|a, b| a.gkeys.total_cmp(&b.gkeys)).copied()
    }

    /// How many times as fast as that our best is.
    pub fn ratio_to_peers(&self) -> Option<f64> {
        let best = self.best_peer()?.gkeys;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A sort that a caller names says nothing of what ours is by default.
    #[test]
    fn the_best_is_of_sorts_without_a_name() {
        const TABLE: &str = "\
group,types,input,n,threads,items,order,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
device,u64_keys,random,1048576,,,asc,into,,sortsmith,1,1.048576,,,,,,,
device,u64_keys,random,1048576,,,asc,partition,,sortsmith,0.5,2.097152,,,,,,,
device,u64_keys,random,1048576,,,asc,into,,cub,2,0.524288,,,,,,,
";
        let record = record_of(1, TABLE);
        let [group] = &groups(&record, Cache::Warm)[..] else { panic!("one case") };
        assert_eq!((group.rows().len(), group.ratio()), (3, Some(2.0)));
        let partition = Contender::new(Library::Sortsmith, Method::Partition);
        let partition = group.by(partition).expect("it is there");
        assert_eq!(group.over_cub(partition), Some(4.0));
        let peer = group.best_peer().map(|row| row.id.contender.library);
        assert_eq!((peer, group.ratio_to_peers()), (Some(Library::Cub), Some(2.0)));
    }
}
