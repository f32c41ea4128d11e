//! The charts of the report, each made of the cases of one record.

use std::{fmt::Write as _, ops::RangeInclusive};

use sortsmith_benchkit::{Case, Contender, Head, Input, Library, Method, Shape, Types};

use sortsmith_codegen::Order;

use super::{
    cases::{Group, by_length, distinct},
    heat::{Cell, HeatMap, Panel},
    svg::{LogAxis, Svg, apart},
    words::{count, figure, power_of_two},
};

/// Types of fewer lengths have no line of their own.
const LEAST_LENGTHS: usize = 3;

/// The most columns of two tables that fit beside each other.
const MOST_BESIDE: usize = 7;

/// Pictures are as wide as a page.
pub const WIDTH: f64 = 860.0;

/// A chart, and what it shows in words.
pub struct Chart {
    /// The end of its file's name.
    pub name: &'static str,
    /// For those who cannot see it.
    pub shows: String,
    /// The SVG.
    pub text: String,
}

impl Chart {
    /// A chart that is finished.
    pub fn new(name: &'static str, shows: String, svg: Svg) -> Self {
        let text = svg.finish(&shows);
        Self { name, shows, text }
    }
}

/// Keys a second against the number of keys, a panel for each types, all with the same axes.
pub fn throughput(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    const COLUMNS: usize = 2;
    const LEFT: f64 = 56.0;
    const TOP: f64 = 66.0;
    const PANEL: [f64; 2] = [330.0, 190.0];
    const STEP: [f64; 2] = [426.0, 262.0];

    let panels = by_length(groups, LEAST_LENGTHS);
    let lengths = panels.iter().flat_map(|(_, cases)| cases.iter().map(|group| group.case.n));
    let (fewest, most) = (lengths.clone().min()?, lengths.max()?);
    let rates = groups.iter().flat_map(Group::rows).map(|row| row.gkeys);
    let limits =
        panels.iter().flat_map(|(_, cases)| cases).filter_map(|it| limit_of(head, &it.case));
    let max = rates.clone().chain(limits).fold(0.0, f64::max);
    let min = rates.fold(f64::INFINITY, f64::min);
    let ends = [rounded_down(min), rounded_up(max)];

    let lines = panels.len().div_ceil(COLUMNS);
    let mut svg = Svg::new(WIDTH, TOP + STEP[1] * lines as f64);
    let title = format!("Device-wide sorts of random keys on an {}, Gkeys/s", head.gpu);
    svg.text(LEFT - 40.0, 24.0, "title", &title);
    let mut x = WIDTH - 16.0;
    for (class, words, width) in [
        ("limit", "limit: read once, written once", 190.0),
        ("double", "CUB, double buffer", 122.0),
        ("cub", "CUB", 38.0),
        ("ours", "sortsmith", 66.0),
    ] {
        x -= width;
        svg.text(x, 44.0, "small", words);
        svg.line([x - 30.0, 40.0], [x - 6.0, 40.0], class);
        x -= 44.0;
    }
    for (index, (types, cases)) in panels.iter().enumerate() {
        let left = LEFT + STEP[0] * (index % COLUMNS) as f64;
        let top = TOP + 26.0 + STEP[1] * (index / COLUMNS) as f64;
        let [right, bottom] = [left + PANEL[0], top + PANEL[1]];
        let across = LogAxis { values: [fewest as f64, most as f64], positions: [left, right] };
        let up = LogAxis { values: ends, positions: [bottom, top] };
        svg.text(left, top - 10.0, "title", &types.label());
        svg.text(left - 6.0, top - 10.0, "small end faint", "Gkeys/s");
        decade_lines(&mut svg, up, [left, right]);
        let exponents = (fewest.ilog2()..=most.ilog2()).filter(|exponent| exponent % 4 == 0);
        for exponent in exponents {
            let x = across.at(f64::from(exponent).exp2());
            svg.line([x, top], [x, bottom], "grid");
            svg.text(x, bottom + 16.0, "small middle", &power_of_two(exponent));
        }
        svg.line([left, bottom], [right, bottom], "axis");
        svg.text(f64::midpoint(left, right), bottom + 33.0, "small middle faint", "keys");
        if let Some(limit) = cases.first().and_then(|group| limit_of(head, &group.case)) {
            let y = up.at(limit);
            svg.line([left, y], [right, y], "limit");
            // Above or below, where no line of the grid goes through it.
            let from_grid = |baseline: f64| {
                let lines = decades_of(ends).map(|decade| up.at(10f64.powi(decade)));
                lines.map(|line| (line - baseline + 4.0).abs()).fold(f64::INFINITY, f64::min)
            };
            let (above, below) = (y - 5.0, y + 14.0);
            let is_above = from_grid(above) > from_grid(below) && above > top + 8.0;
            let words = format!("limit {}", figure(limit));
            svg.text(left + 6.0, if is_above { above } else { below }, "small faint", &words);
        }
        let point = |group: &Group<'_>, gkeys: f64| [across.at(group.case.n as f64), up.at(gkeys)];
        let mut draw = |class: &str, of: &dyn Fn(&Group<'_>) -> Option<f64>| {
            let points = cases.iter().filter_map(|group| Some(point(group, of(group)?)));
            svg.polyline(&points.collect::<Vec<_>>(), class);
        };
        let cub =
            |method| move |group: &Group<'_>| group.by(Library::Cub, method).map(|row| row.gkeys);
        let ours = |group: &Group<'_>| group.best(Library::Sortsmith).map(|row| row.gkeys);
        draw("cub", &cub(Method::Into));
        draw("double", &cub(Method::DoubleBuffer));
        draw("ours", &ours);
        // What the lines end with, ours and CUB's.
        let Some(longest) = cases.last() else { continue };
        let best_of_cub = longest.best(Library::Cub).map(|row| row.gkeys);
        let ends = [("word-ours", ours(longest)), ("word-cub", best_of_cub)];
        let ends: Vec<(&str, f64)> =
            ends.into_iter().filter_map(|(class, rate)| Some((class, rate?))).collect();
        let mut baselines: Vec<f64> = ends.iter().map(|(_, rate)| up.at(*rate) + 4.0).collect();
        apart(&mut baselines, 13.0, [top, bottom]);
        for ((class, rate), y) in ends.into_iter().zip(baselines) {
            svg.text(right + 6.0, y, &format!("small bold {class}"), &figure(rate));
        }
    }
    let mut shows = format!("{title}, against the number of keys, beside CUB");
    for (types, cases) in &panels {
        let ends = cases.last().and_then(|group| Some((group.case.n, group.ratio()?)));
        if let Some((n, ratio)) = ends {
            let _ = write!(shows, "; {}, {}: {ratio:.2} times CUB's best", types.label(), count(n));
        }
    }
    Some(Chart::new("throughput", shows, svg))
}

/// Our best over CUB's best, types by number of keys.
pub fn ratio_by_length(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    let all = by_length(groups, LEAST_LENGTHS);
    let mut lengths: Vec<u64> =
        all.iter().flat_map(|(_, cases)| cases.iter().map(|group| group.case.n)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let rows = all.iter().map(|(types, cases)| {
        let ratio = |n: &u64| cases.iter().find(|group| group.case.n == *n)?.ratio();
        let cells = lengths.iter().map(|n| ratio(n).map_or(Cell::Nothing, Cell::Ratio));
        (types.label(), cells.collect())
    });
    let rows: Vec<(String, Vec<Cell>)> = rows.collect();
    if rows.is_empty() {
        return None;
    }
    let title = format!(
        "Device-wide sorts of random keys on an {}: speed over that of CUB's best",
        head.gpu
    );
    let columns = vec![("keys".to_owned(), lengths.into_iter().map(count).collect())];
    let panel = Panel { title: String::new(), columns, rows, marks_best: false };
    let map = HeatMap { title: title.clone(), cell: [58.0, 24.0], across: 1, panels: vec![panel] };
    Some(Chart::new("ratio", title, map.draw(WIDTH)))
}

/// Each of our tile sorts over CUB's best of the same shape.
pub fn tiles(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    let all_types = distinct(groups, |case| case.shape.map(|_| case.types));
    let panels = all_types.into_iter().map(|types| tile_panel(types, groups));
    let panels: Vec<Panel> = panels.filter(|panel| !panel.rows.is_empty()).collect();
    if panels.is_empty() {
        return None;
    }
    let title = format!(
        "Tiles on an {}: speed over that of CUB's best of the same threads × items",
        head.gpu
    );
    let columns = panels.iter().map(Panel::width_in_cells).max().unwrap_or(0);
    let across = if columns <= MOST_BESIDE { 2 } else { 1 };
    let map = HeatMap { title: title.clone(), cell: [47.0, 22.0], across, panels };
    Some(Chart::new("tiles", title, map.draw(WIDTH)))
}

/// The shape of a tile, and the order where it is not the usual one.
pub fn tile_label(case: &Case) -> String {
    let shape = case.shape.as_ref().map_or(String::new(), Shape::to_string);
    match case.order {
        Order::Ascending => shape,
        Order::Descending => format!("{shape} {}", case.order),
    }
}

fn tile_panel(types: Types, groups: &[Group<'_>]) -> Panel {
    // The benches ask CUB for ascending tiles alone. Of those that were not measured, figures stand alone.
    let is_shown = |group: &&Group<'_>| {
        let can_compare =
            group.case.order == Order::Ascending || group.best(Library::Cub).is_some();
        group.case.types == types && can_compare
    };
    // CUB has no sort of a logical warp's tiles.
    let is_of_block = |contender: &Contender| {
        contender.library == Library::Sortsmith && contender.method != Method::Warp
    };
    let has_blocks =
        |group: &&Group<'_>| group.rows().iter().any(|row| is_of_block(&row.id.contender));
    let of_types: Vec<&Group<'_>> = groups.iter().filter(is_shown).filter(has_blocks).collect();
    let mut contenders: Vec<Contender> = of_types
        .iter()
        .flat_map(|group| group.rows())
        .map(|row| row.id.contender)
        .filter(is_of_block)
        .collect();
    contenders.sort_unstable();
    contenders.dedup();
    // Radix bits, and what is stable, under the method that they are of.
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    for contender in &contenders {
        let bits = contender.radix_bits.map_or(String::new(), |bits| format!("{bits} bits"));
        let (method, bits) = match contender.method {
            Method::StableBitonic => (Method::Bitonic.to_string(), "stable".to_owned()),
            method => (method.to_string(), bits),
        };
        match columns.last_mut() {
            Some((last, all)) if *last == method => all.push(bits),
            _ => columns.push((method, vec![bits])),
        }
    }
    let row = |group: &&Group<'_>| {
        let cell = |contender: &Contender| {
            let row = group.rows().iter().find(|row| row.id.contender == *contender);
            row.map_or(Cell::Nothing, |row| {
                group.over_cub(row).map_or(Cell::Alone(row.gkeys), Cell::Ratio)
            })
        };
        (tile_label(&group.case), contenders.iter().map(cell).collect())
    };
    let rows = of_types.iter().map(row).collect();
    Panel { title: types.label(), columns, rows, marks_best: true }
}

/// Our best over CUB's best by the kind of the input, a panel for each number of keys.
pub fn inputs(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    const LEFT: f64 = 60.0;
    const TOP: f64 = 96.0;
    const PANEL: [f64; 2] = [782.0, 210.0];
    const STEP: f64 = 290.0;
    /// The most series that a reader can distinguish.
    const MOST_SERIES: usize = 5;

    // The less entropy the further right; then the kinds that have none to speak of.
    let mut kinds = distinct(groups, |case| {
        (!matches!(case.input, Input::Random | Input::Bits(_))).then_some(case.input)
    });
    let entropy = |input: &Input| input.entropy().unwrap_or(-1.0);
    kinds.sort_by(|a, b| entropy(b).total_cmp(&entropy(a)));
    let of_kinds = |group: &&Group<'_>| kinds.contains(&group.case.input);
    let mut lengths: Vec<u64> = groups.iter().filter(of_kinds).map(|it| it.case.n).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut series = distinct(groups, |case| kinds.contains(&case.input).then_some(case.types));
    series.truncate(MOST_SERIES);
    let ratio = |types: Types, n: u64, input: Input| {
        let is_it = |group: &&Group<'_>| {
            (group.case.types, group.case.n, group.case.input) == (types, n, input)
        };
        groups.iter().find(is_it)?.ratio()
    };
    let all = groups.iter().filter(of_kinds).filter_map(Group::ratio);
    let (min, max) = (all.clone().fold(f64::INFINITY, f64::min), all.fold(0.0, f64::max));
    if series.is_empty() || min > max {
        return None;
    }
    let powers = [min.log2().floor() as i32, (max.log2().ceil() as i32).max(1)];

    let mut svg = Svg::new(WIDTH, TOP + STEP * lengths.len() as f64 - 20.0);
    let title = format!("Inputs on an {}: speed over that of CUB's best", head.gpu);
    svg.text(16.0, 24.0, "title", &title);
    for (index, types) in series.iter().enumerate() {
        let x = LEFT + 150.0 * index as f64;
        svg.line([x, 48.0], [x + 24.0, 48.0], &format!("series s{index}"));
        svg.mark(index, [x + 12.0, 48.0]);
        svg.text(x + 32.0, 52.0, "small", &types.label());
    }
    for (index, n) in lengths.iter().enumerate() {
        let top = TOP + STEP * index as f64;
        let [right, bottom] = [LEFT + PANEL[0], top + PANEL[1]];
        let values = powers.map(|power| f64::from(power).exp2());
        let up = LogAxis { values, positions: [bottom, top] };
        svg.text(LEFT, top - 12.0, "title", &format!("{} keys", count(*n)));
        for power in powers[0]..=powers[1] {
            let value = f64::from(power).exp2();
            let class = if power == 0 { "even" } else { "grid" };
            svg.line([LEFT, up.at(value)], [right, up.at(value)], class);
            svg.text(LEFT - 6.0, up.at(value) + 4.0, "small end", &format!("{value}×"));
        }
        let slot = PANEL[0] / kinds.len() as f64;
        let x_of = |index: usize| LEFT + slot * (index as f64 + 0.5);
        for (index, kind) in kinds.iter().enumerate() {
            svg.text(x_of(index), bottom + 18.0, "small middle", &kind_label(*kind));
            let share = kind.entropy().map(|share| format!("{:.0}% entropy", 100.0 * share));
            let under = share.unwrap_or_default();
            svg.text(x_of(index), bottom + 33.0, "small middle faint", &under);
        }
        for (line, types) in series.iter().enumerate() {
            // Types beside each other, so that marks of equal height are both seen.
            let aside = (line as f64 - (series.len() - 1) as f64 / 2.0) * 7.0;
            let points = kinds.iter().enumerate().filter_map(|(index, kind)| {
                Some((kind, [x_of(index) + aside, up.at(ratio(*types, *n, *kind)?)]))
            });
            let points: Vec<(&Input, [f64; 2])> = points.collect();
            let of_entropy: Vec<[f64; 2]> = points
                .iter()
                .filter(|(kind, _)| kind.entropy().is_some())
                .map(|(_, point)| *point)
                .collect();
            svg.polyline(&of_entropy, &format!("series s{line}"));
            for (_, point) in points {
                svg.mark(line, point);
            }
        }
        svg.line([LEFT, bottom], [right, bottom], "axis");
        svg.upright_text(18.0, f64::midpoint(top, bottom), "small faint", "over CUB's best");
    }
    Some(Chart::new("inputs", format!("{title}, by entropy, order and distribution"), svg))
}

/// Keys a second, in billions, of what reads and writes everything once; where the record has a copy.
pub fn limit_of(head: &Head, case: &Case) -> Option<f64> {
    // Billions of bytes.
    let copy = head.copy_gbytes_per_second?;
    Some(copy * case.n as f64 / case.traffic())
}

/// A line of the grid for each power of ten, with what it is beside it.
pub fn decade_lines(svg: &mut Svg, up: LogAxis, [left, right]: [f64; 2]) {
    for decade in decades_of(up.values) {
        let (value, y) = (10f64.powi(decade), up.at(10f64.powi(decade)));
        svg.line([left, y], [right, y], "grid");
        svg.text(left - 6.0, y + 4.0, "small end", &value.to_string());
    }
}

/// The powers of ten between two values.
fn decades_of(ends: [f64; 2]) -> RangeInclusive<i32> {
    ends[0].log10().ceil() as i32..=ends[1].log10().floor() as i32
}

/// The largest of 1, 2 and 5 times a power of ten that is not larger.
pub fn rounded_down(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let factor = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * power <= value);
    factor.unwrap_or(1.0) * power
}

/// The smallest of 1, 2 and 5 times a power of ten that is not smaller.
pub fn rounded_up(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= value);
    factor.unwrap_or(10.0) * power
}

fn kind_label(kind: Input) -> String {
    match kind {
        Input::And(0) => "all equal".to_owned(),
        Input::And(1) => "random bits".to_owned(),
        Input::And(words) => format!("AND of {words}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use sortsmith_benchkit::Cache;

    use super::super::cases::{groups, record_of};
    use super::*;

    #[test]
    fn types_of_warps_alone_have_no_table() {
        let table = "\
group,types,input,n,threads,items,order,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
tiles,u32_keys,random,67108864,128,4,asc,packed,4,sortsmith,1.1963,56.098,,,,38,0,6732,
tiles,u32_keys,random,67108864,128,4,asc,radix,4,cub,1.2951,51.817,,,,,,,
tiles,f32_keys,random,67108864,4,8,asc,warp,,sortsmith,0.1383,485.2,,,,32,0,0,
";
        let record = record_of(1, table);
        let chart = tiles(&record.head, &groups(&record, Cache::Warm)).unwrap();
        assert!(
            chart.text.contains("u32 keys") && !chart.text.contains("f32 keys"),
            "{}",
            chart.text
        );
    }

    #[test]
    fn axes_end_at_round_numbers() {
        let round = |value| [rounded_down(value), rounded_up(value)].map(|it| it.to_string());
        assert_eq!(round(2109.0), ["2000", "5000"]);
        assert_eq!(round(0.0539), ["0.05", "0.1"]);
        assert_eq!(round(7.0), ["5", "10"]);
    }
}
