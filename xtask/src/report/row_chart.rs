//! The chart of sorts of rows, by how long these are.

use sortsmith_benchkit::{Contender, Head};

use super::{
    cases::{Group, distinct},
    charts::{Chart, WIDTH, decade_lines, limit_of, rounded_down, rounded_up},
    contenders::way,
    svg::{LogAxis, Svg},
    words::{figure, power_of_two},
};

/// The most series that a reader can distinguish.
const MOST_SERIES: usize = 5;
const PANEL: [f64; 2] = [226.0, 200.0];

/// What the axes of all panels have at their ends: columns, and billions of keys a second.
struct Axes {
    columns: [f64; 2],
    rates: [f64; 2],
}

/// Keys a second by columns, a panel for each types, all with the same axes. Of cases with as many columns, the one with the most
/// rows.
pub fn chart(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    const ACROSS: usize = 3;
    const LEFT: f64 = 50.0;
    const TOP: f64 = 96.0;
    const STEP: [f64; 2] = [282.0, 274.0];

    let is_longest = |group: &&Group<'_>| {
        let is_alike = |it: &&Group<'_>| {
            it.case.types == group.case.types && columns_of(it) == columns_of(group)
        };
        groups.iter().filter(is_alike).all(|it| it.case.n <= group.case.n)
    };
    let shown: Vec<&Group<'_>> = groups.iter().filter(is_longest).collect();
    let series = series_of(&shown);
    let axes = Axes::of(head, &shown)?;
    let panels = distinct(groups, |case| case.rows.map(|_| case.types));
    let mut svg = Svg::new(WIDTH, TOP + STEP[1] * panels.len().div_ceil(ACROSS) as f64 - 16.0);
    let title = format!("Sorts of rows of random keys on an {}, Gkeys/s", head.gpu);
    svg.text(16.0, 24.0, "title", &title);
    for (index, contender) in series.iter().enumerate() {
        let x = 16.0 + 186.0 * index as f64;
        svg.line([x, 48.0], [x + 24.0, 48.0], &format!("series s{index}"));
        svg.mark(index, [x + 12.0, 48.0]);
        svg.text(x + 32.0, 52.0, "small", &way(contender));
    }
    for (index, types) in panels.iter().enumerate() {
        let corner =
            [LEFT + STEP[0] * (index % ACROSS) as f64, TOP + STEP[1] * (index / ACROSS) as f64];
        let mut cases: Vec<&Group<'_>> =
            shown.iter().copied().filter(|group| group.case.types == *types).collect();
        cases.sort_by_key(|group| columns_of(group));
        svg.text(corner[0], corner[1] - 10.0, "title", &types.label());
        let limit = cases.first().and_then(|group| limit_of(head, &group.case));
        axes.draw(&mut svg, corner, limit);
        axes.draw_series(&mut svg, corner, &cases, &series);
    }
    let words = format!("{title}, by the columns of a row, beside one read and one write");
    Some(Chart::new("rows", words, svg))
}

fn columns_of(group: &Group<'_>) -> Option<u64> {
    group.case.rows.map(|rows| rows.columns)
}

/// The contenders of the groups, in their order.
fn series_of(groups: &[&Group<'_>]) -> Vec<Contender> {
    let mut series: Vec<Contender> = Vec::new();
    for row in groups.iter().flat_map(|group| group.rows()) {
        if !series.contains(&row.id.contender) {
            series.push(row.id.contender);
        }
    }
    series.truncate(MOST_SERIES);
    series
}

impl Axes {
    /// The axes that have room for all cases and their limits; none where there are no rows.
    fn of(head: &Head, groups: &[&Group<'_>]) -> Option<Self> {
        let columns = groups.iter().filter_map(|group| columns_of(group));
        // Marks of the first and the last ones are not on the edges.
        let columns = [columns.clone().min()? as f64 / 1.4, columns.max()? as f64 * 1.4];
        let rates = groups.iter().flat_map(|group| group.rows()).map(|row| row.gkeys);
        let limits = groups.iter().filter_map(|group| limit_of(head, &group.case));
        let max = rates.clone().chain(limits).fold(0.0, f64::max);
        let min = rates.fold(f64::INFINITY, f64::min);
        Some(Self { columns, rates: [rounded_down(min), rounded_up(max)] })
    }

    fn across(&self, left: f64) -> LogAxis {
        LogAxis { values: self.columns, positions: [left, left + PANEL[0]] }
    }

    fn up(&self, top: f64) -> LogAxis {
        LogAxis { values: self.rates, positions: [top + PANEL[1], top] }
    }

    /// A panel without its lines.
    fn draw(&self, svg: &mut Svg, [left, top]: [f64; 2], limit: Option<f64>) {
        let (across, up) = (self.across(left), self.up(top));
        let [right, bottom] = [left + PANEL[0], top + PANEL[1]];
        decade_lines(svg, up, [left, right]);
        let [fewest, most] = self.columns.map(f64::log2);
        for exponent in (fewest.ceil() as u32..=most.floor() as u32).step_by(3) {
            let x = across.at(f64::from(exponent).exp2());
            svg.line([x, top], [x, bottom], "grid");
            svg.text(x, bottom + 16.0, "small middle", &power_of_two(exponent));
        }
        svg.line([left, bottom], [right, bottom], "axis");
        svg.text(f64::midpoint(left, right), bottom + 33.0, "small middle faint", "columns");
        if let Some(limit) = limit {
            let y = up.at(limit);
            svg.line([left, y], [right, y], "limit");
            svg.text(right, y - 5.0, "small end faint", &format!("limit {}", figure(limit)));
        }
    }

    /// A line for each of the series.
    fn draw_series(
        &self,
        svg: &mut Svg,
        [left, top]: [f64; 2],
        cases: &[&Group<'_>],
        series: &[Contender],
    ) {
        let (across, up) = (self.across(left), self.up(top));
        for (line, contender) in series.iter().enumerate() {
            // Beside each other, so that marks of equal height are all seen.
            let aside = (line as f64 - (series.len() - 1) as f64 / 2.0) * 5.0;
            let points = cases.iter().filter_map(|group| {
                let row = group.rows().iter().find(|row| row.id.contender == *contender)?;
                Some([across.at(columns_of(group)? as f64) + aside, up.at(row.gkeys)])
            });
            let points: Vec<[f64; 2]> = points.collect();
            svg.polyline(&points, &format!("series s{line}"));
            for point in points {
                svg.mark(line, point);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sortsmith_benchkit::Cache;

    use super::super::cases::{groups, record_of};
    use super::*;

    /// Three cases of two types, of which one has fewer rows of as many columns.
    const TABLE: &str = "\
group,types,input,n,threads,items,columns,k,order,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
rows,u32_keys,random,4194304,,,32,,asc,segmented,,cub,0.1,41.94304,,,,,,,
rows,u32_keys,random,4194304,,,32,,asc,segmented radix,,cub,10,0.4194304,,,,,,,
rows,u32_keys,random,1048576,,,32,,asc,segmented,,cub,0.1,10.48576,,,,,,,
rows,f32_u32,random,4194304,,,1024,,asc,segmented,,cub,0.2,20.97152,,,,,,,
";

    #[test]
    fn each_types_have_a_panel_and_each_way_a_line() {
        let record = record_of(2, TABLE);
        let text = chart(&record.head, &groups(&record, Cache::Warm)).unwrap().text;
        for (words, count) in [
            (">u32 keys<", 1),
            (">f32,u32 pairs<", 1),
            (">CUB, segmented<", 1),
            (">CUB, segmented radix<", 1),
            // Of 4.22 TB/s, 8 bytes for each key, and 16.
            (">limit 528<", 1),
            (">limit 264<", 1),
            // One of the legend, and one of each types with that many columns.
            ("<circle", 3),
        ] {
            assert_eq!(text.matches(words).count(), count, "{words}: {text}");
        }
        assert!(chart(&record.head, &[]).is_none());
    }
}
