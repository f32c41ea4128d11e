//! Device-wide sorts of all classes of keys: the lowest, the median and the best ratio of each type, and a map of them.

use std::fmt::Write as _;

use sortsmith_benchkit::classes::Kind;
use sortsmith_benchkit::{Cache, Head, Input, Types};

use super::cases::{Group, distinct, groups};
use super::chapter::{Chapter, Subject, image};
use super::charts::{Chart, WIDTH};
use super::heat::{Cell, HeatMap, Panel};
use super::words::count;

/// The section of a GPU; nothing where it has no record of inputs.
pub fn section(page: &mut String, chapter: &Chapter) {
    let Some(section) =
        chapter.sections.iter().find(|section| section.subject() == Some(Subject::Inputs))
    else {
        return;
    };
    page.push_str("\n### Inputs\n");
    for chart in &section.charts {
        let _ = writeln!(page, "\n![{}](img/{})", chart.shows, image(&chapter.folder, chart));
    }
    page.push_str(
        "\nRatios to the fastest peer on the same input, over all classes of keys and all lengths that were measured. The mean is the geometric one \
         over keys as they occur, without adversaries.\n\n\
         | | cases | a peer is faster | lowest ratio | median | mean | highest |\n|---|---|---|---|---|---|---|\n",
    );
    let groups = groups(&section.record, Cache::Warm);
    for types in distinct(&groups, |case| Some(case.types)) {
        let _ = writeln!(page, "{}", line(types, &groups));
    }
}

/// The row of a type.
fn line(types: Types, groups: &[Group<'_>]) -> String {
    let of_types = groups.iter().filter(|group| group.case.types == types);
    let mut compared: Vec<(f64, &Group<'_>)> =
        of_types.filter_map(|group| Some((group.ratio_to_peers()?, group))).collect();
    compared.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let behind = compared.iter().filter(|(ratio, _)| *ratio < 1.0).count();
    let realistic = compared.iter().filter(|(_, group)| is_realistic(group.case.input));
    let logarithms: Vec<f64> = realistic.map(|(ratio, _)| ratio.ln()).collect();
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
    let named = |at: usize| {
        compared.get(at).map_or("–".to_owned(), |(ratio, group)| {
            format!("{ratio:.2}: {} {}", count(group.case.n), group.case.input)
        })
    };
    let median = compared.get(compared.len() / 2).map_or(f64::NAN, |(ratio, _)| *ratio);
    format!(
        "| {} | {} | {behind} | {} | {median:.2} | {mean:.2} | {} |",
        types.label(),
        compared.len(),
        named(0),
        named(compared.len().saturating_sub(1)),
    )
}

fn is_realistic(input: Input) -> bool {
    !matches!(input, Input::Class(class) if class.kind() == Kind::Adversary)
}

/// The lowest ratio of each class, types beside each other.
pub fn chart(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    let all_types = distinct(groups, |case| Some(case.types));
    let lowest = |input: Input, types: Types| {
        let of_both =
            groups.iter().filter(|group| group.case.input == input && group.case.types == types);
        let ratios = of_both.filter_map(Group::ratio_to_peers);
        ratios.reduce(f64::min).map_or(Cell::Nothing, Cell::Ratio)
    };
    let rows: Vec<(String, Vec<Cell>)> = distinct(groups, |case| Some(case.input))
        .into_iter()
        .map(|input| {
            let table_cells = all_types.iter().map(|types| lowest(input, *types)).collect();
            (input.to_string(), table_cells)
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let title = format!(
        "Classes of keys on an {}: the lowest speed over that of the fastest peer",
        head.gpu
    );
    let columns = all_types.iter().map(|types| types.to_string().replace('_', ",")).collect();
    let columns = vec![(String::new(), columns)];
    let panel = Panel { title: String::new(), columns, rows, marks_best: false };
    let map =
        HeatMap { title: title.clone(), cell_size: [66.0, 20.0], across: 1, panels: vec![panel] };
    Some(Chart::new("classes", title, map.draw(WIDTH)))
}

#[cfg(test)]
mod tests {
    use super::super::cases::record_of;
    use super::*;

    const TABLE: &str = "\
group,types,input,n,threads,items,columns,k,order,cache,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
device,u32_keys,saw,1000000,,,,,asc,warm,into,,sortsmith,1,1,,,,,,,
device,u32_keys,saw,1000000,,,,,asc,warm,into,,cub,4,0.25,,,,,,,
device,u32_keys,saw,1000000,,,,,asc,warm,into by 64-bit counts,,cub,2,0.5,,,,,,,
device,u32_keys,ids,2000000,,,,,asc,warm,into,,sortsmith,1,2,,,,,,,
device,u32_keys,ids,2000000,,,,,asc,warm,into,,libcusort,0.5,4,,,,,,,
device,u32_keys,repeated byte,2000000,,,,,asc,warm,into,,sortsmith,4,0.5,,,,,,,
device,u32_keys,repeated byte,2000000,,,,,asc,warm,into,,cub,1,2,,,,,,,
";

    #[test]
    fn a_type_is_judged_by_its_worst_input() {
        let record = record_of(3, TABLE);
        let groups = groups(&record, Cache::Warm);
        let line = line("u32_keys".parse().unwrap(), &groups);
        // 2 and 0.5 have the mean 1; the adversary does not count.
        let expected = "| u32 keys | 3 | 2 | 0.25: 2M repeated byte | 0.50 | 1.00 | 2.00: 1M saw |";
        assert_eq!(line, expected);
        let chart = chart(&record.head, &groups).unwrap();
        assert!(chart.text.contains("repeated byte") && chart.text.contains("0.25"));
    }
}
