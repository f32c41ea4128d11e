//! The chart of device-wide sorts, by the number of keys.

use std::fmt::Write as _;

use sortsmith_benchkit::{Contender, Head, Library, Method, Types};

use super::{
    cases::{Group, by_length},
    charts::{
        Chart, LEAST_LENGTHS, WIDTH, decade_lines, decades_of, limit_of, rounded_down, rounded_up,
    },
    svg::{LogAxis, Svg, apart},
    words::{count, figure, power_of_two},
};

const LEFT: f64 = 56.0;
const PANEL: [f64; 2] = [330.0, 190.0];

/// What the axes of all panels have at their ends: keys, and billions of keys a second.
struct Axes {
    keys: [u64; 2],
    rates: [f64; 2],
}

/// Keys a second against the number of keys, a panel for each types, all with the same axes.
pub fn chart(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    const COLUMNS: usize = 2;
    const TOP: f64 = 66.0;
    const STEP: [f64; 2] = [426.0, 262.0];

    let panels = by_length(groups, LEAST_LENGTHS);
    let axes = Axes::of(head, groups, &panels)?;
    let lines = panels.len().div_ceil(COLUMNS);
    let mut svg = Svg::new(WIDTH, TOP + STEP[1] * lines as f64);
    let title = format!("Device-wide sorts of random keys on an {}, Gkeys/s", head.gpu);
    svg.text(LEFT - 40.0, 24.0, "title", &title);
    draw_legend(&mut svg);
    for (index, (types, cases)) in panels.iter().enumerate() {
        let left = LEFT + STEP[0] * (index % COLUMNS) as f64;
        let top = TOP + 26.0 + STEP[1] * (index / COLUMNS) as f64;
        svg.text(left, top - 10.0, "title", &types.label());
        svg.text(left - 6.0, top - 10.0, "small end faint", "Gkeys/s");
        let panel = axes.panel([left, top]);
        panel.draw_axes(&mut svg, axes.keys);
        if let Some(limit) = cases.first().and_then(|group| limit_of(head, &group.case)) {
            panel.draw_limit(&mut svg, limit);
        }
        panel.draw_series(&mut svg, cases);
        panel.draw_last_figures(&mut svg, cases);
    }
    Some(Chart::new("throughput", description(&title, &panels), svg))
}

/// The lines' meanings, from the right.
fn draw_legend(svg: &mut Svg) {
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
}

fn description(title: &str, panels: &[(Types, Vec<&Group<'_>>)]) -> String {
    let mut shows = format!("{title}, against the number of keys, beside CUB");
    for (types, cases) in panels {
        let last = cases.last().and_then(|group| Some((group.case.n, group.ratio()?)));
        if let Some((n, ratio)) = last {
            let _ = write!(shows, "; {}, {}: {ratio:.2} times CUB's best", types.label(), count(n));
        }
    }
    shows
}

impl Axes {
    fn of(head: &Head, groups: &[Group<'_>], panels: &[(Types, Vec<&Group<'_>>)]) -> Option<Self> {
        let cases = || panels.iter().flat_map(|(_, cases)| cases);
        let lengths = cases().map(|group| group.case.n);
        let keys = [lengths.clone().min()?, lengths.max()?];
        let rates = groups.iter().flat_map(Group::rows).map(|row| row.gkeys);
        let limits = cases().filter_map(|group| limit_of(head, &group.case));
        let max = rates.clone().chain(limits).fold(0.0, f64::max);
        let min = rates.fold(f64::INFINITY, f64::min);
        Some(Self { keys, rates: [rounded_down(min), rounded_up(max)] })
    }

    /// The panel with this upper left corner.
    fn panel(&self, [left, top]: [f64; 2]) -> Panel {
        let [right, bottom] = [left + PANEL[0], top + PANEL[1]];
        let values = self.keys.map(|keys| keys as f64);
        Panel {
            across: LogAxis { values, positions: [left, right] },
            up: LogAxis { values: self.rates, positions: [bottom, top] },
        }
    }
}

/// The panel of one pair of types.
struct Panel {
    /// Keys.
    across: LogAxis,
    /// Billions of keys a second.
    up: LogAxis,
}

impl Panel {
    fn draw_axes(&self, svg: &mut Svg, [fewest, most]: [u64; 2]) {
        let ([left, right], [bottom, top]) = (self.across.positions, self.up.positions);
        decade_lines(svg, self.up, [left, right]);
        let exponents = (fewest.ilog2()..=most.ilog2()).filter(|exponent| exponent % 4 == 0);
        for exponent in exponents {
            let x = self.across.at(f64::from(exponent).exp2());
            svg.line([x, top], [x, bottom], "grid");
            svg.text(x, bottom + 16.0, "small middle", &power_of_two(exponent));
        }
        svg.line([left, bottom], [right, bottom], "axis");
        svg.text(f64::midpoint(left, right), bottom + 33.0, "small middle faint", "keys");
    }

    /// The rate of reading and writing everything once.
    fn draw_limit(&self, svg: &mut Svg, limit: f64) {
        let ([left, right], [_, top]) = (self.across.positions, self.up.positions);
        let y = self.up.at(limit);
        svg.line([left, y], [right, y], "limit");
        // Above or below, where no line of the grid goes through it.
        let from_grid = |baseline: f64| {
            let lines = decades_of(self.up.values).map(|decade| self.up.at(10f64.powi(decade)));
            lines.map(|line| (line - baseline + 4.0).abs()).fold(f64::INFINITY, f64::min)
        };
        let (above, below) = (y - 5.0, y + 14.0);
        let is_above = from_grid(above) > from_grid(below) && above > top + 8.0;
        let words = format!("limit {}", figure(limit));
        svg.text(left + 6.0, if is_above { above } else { below }, "small faint", &words);
    }

    fn draw_series(&self, svg: &mut Svg, cases: &[&Group<'_>]) {
        let mut draw = |class: &str, rate_of: &dyn Fn(&Group<'_>) -> Option<f64>| {
            let points = cases.iter().filter_map(|group| {
                Some([self.across.at(group.case.n as f64), self.up.at(rate_of(group)?)])
            });
            svg.polyline(&points.collect::<Vec<_>>(), class);
        };
        let cub = |method| {
            let contender = Contender::new(Library::Cub, method);
            move |group: &Group<'_>| group.by(contender).map(|row| row.gkeys)
        };
        draw("cub", &cub(Method::Into));
        draw("double", &cub(Method::DoubleBuffer));
        draw("ours", &|group| best_rate(group, Library::Sortsmith));
    }

    /// The figures that the lines end with, ours and CUB's.
    fn draw_last_figures(&self, svg: &mut Svg, cases: &[&Group<'_>]) {
        let Some(longest) = cases.last() else { return };
        let classes = [("word-ours", Library::Sortsmith), ("word-cub", Library::Cub)];
        let rates = classes
            .into_iter()
            .filter_map(|(class, library)| Some((class, best_rate(longest, library)?)));
        let rates: Vec<(&str, f64)> = rates.collect();
        let mut baselines: Vec<f64> =
            rates.iter().map(|(_, rate)| self.up.at(*rate) + 4.0).collect();
        let ([_, right], [bottom, top]) = (self.across.positions, self.up.positions);
        apart(&mut baselines, 13.0, [top, bottom]);
        for ((class, rate), y) in rates.into_iter().zip(baselines) {
            svg.text(right + 6.0, y, &format!("small bold {class}"), &figure(rate));
        }
    }
}

fn best_rate(group: &Group<'_>, library: Library) -> Option<f64> {
    group.best(library).map(|row| row.gkeys)
}
