//! The chart of device-wide sorts by the kind of their input.

use sortsmith_benchkit::{Head, Input, Types};

use super::{
    cases::{Group, distinct},
    charts::{Chart, WIDTH},
    svg::{LogAxis, Svg},
    words::count,
};

const LEFT: f64 = 60.0;
const PANEL: [f64; 2] = [782.0, 210.0];
/// The most series that a reader can distinguish.
const MOST_SERIES: usize = 5;

/// Our best over CUB's best by the kind of the input, a panel for each number of keys.
pub fn chart(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    const TOP: f64 = 96.0;
    const STEP: f64 = 290.0;

    let inputs = Inputs::of(groups)?;
    let mut svg = Svg::new(WIDTH, TOP + STEP * inputs.lengths.len() as f64 - 20.0);
    let title = format!("Inputs on an {}: speed over that of CUB's best", head.gpu);
    svg.text(16.0, 24.0, "title", &title);
    for (index, types) in inputs.series.iter().enumerate() {
        let x = LEFT + 150.0 * index as f64;
        svg.line([x, 48.0], [x + 24.0, 48.0], &format!("series s{index}"));
        svg.mark(index, [x + 12.0, 48.0]);
        svg.text(x + 32.0, 52.0, "small", &types.label());
    }
    for (index, n) in inputs.lengths.iter().enumerate() {
        inputs.draw_panel(&mut svg, *n, TOP + STEP * index as f64);
    }
    Some(Chart::new("inputs", format!("{title}, by entropy, order and distribution"), svg))
}

/// What is shown.
struct Inputs<'a> {
    groups: &'a [Group<'a>],
    /// The less entropy the later; then those that have none to speak of.
    kinds: Vec<Input>,
    lengths: Vec<u64>,
    series: Vec<Types>,
    /// The ends of the axis of ratios, as powers of two.
    powers: [i32; 2],
}

impl<'a> Inputs<'a> {
    fn of(groups: &'a [Group<'a>]) -> Option<Self> {
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
        let all = groups.iter().filter(of_kinds).filter_map(Group::ratio);
        let (min, max) = (all.clone().fold(f64::INFINITY, f64::min), all.fold(0.0, f64::max));
        if series.is_empty() || min > max {
            return None;
        }
        let powers = [min.log2().floor() as i32, (max.log2().ceil() as i32).max(1)];
        Some(Self { groups, kinds, lengths, series, powers })
    }

    fn ratio(&self, types: Types, n: u64, input: Input) -> Option<f64> {
        let is_it = |group: &&Group<'_>| {
            (group.case.types, group.case.n, group.case.input) == (types, n, input)
        };
        self.groups.iter().find(is_it)?.ratio()
    }

    /// The middle of the slot of a kind.
    fn x_of(&self, index: usize) -> f64 {
        LEFT + PANEL[0] / self.kinds.len() as f64 * (index as f64 + 0.5)
    }

    fn draw_panel(&self, svg: &mut Svg, n: u64, top: f64) {
        let [right, bottom] = [LEFT + PANEL[0], top + PANEL[1]];
        let values = self.powers.map(|power| f64::from(power).exp2());
        let up = LogAxis { values, positions: [bottom, top] };
        svg.text(LEFT, top - 12.0, "title", &format!("{} keys", count(n)));
        for power in self.powers[0]..=self.powers[1] {
            let value = f64::from(power).exp2();
            let class = if power == 0 { "even" } else { "grid" };
            svg.line([LEFT, up.at(value)], [right, up.at(value)], class);
            svg.text(LEFT - 6.0, up.at(value) + 4.0, "small end", &format!("{value}×"));
        }
        for (index, kind) in self.kinds.iter().enumerate() {
            svg.text(self.x_of(index), bottom + 18.0, "small middle", &kind_label(*kind));
            let share = kind.entropy().map(|share| format!("{:.0}% entropy", 100.0 * share));
            let under = share.unwrap_or_default();
            svg.text(self.x_of(index), bottom + 33.0, "small middle faint", &under);
        }
        for (line, types) in self.series.iter().enumerate() {
            self.draw_series(svg, up, n, (line, *types));
        }
        svg.line([LEFT, bottom], [right, bottom], "axis");
        svg.upright_text(18.0, f64::midpoint(top, bottom), "small faint", "over CUB's best");
    }

    fn draw_series(&self, svg: &mut Svg, up: LogAxis, n: u64, (line, types): (usize, Types)) {
        // Types beside each other, so that marks of equal height are both seen.
        let aside = (line as f64 - (self.series.len() - 1) as f64 / 2.0) * 7.0;
        let points = self.kinds.iter().enumerate().filter_map(|(index, kind)| {
            Some((kind, [self.x_of(index) + aside, up.at(self.ratio(types, n, *kind)?)]))
        });
        let points: Vec<(&Input, [f64; 2])> = points.collect();
        let of_entropy = points.iter().filter(|(kind, _)| kind.entropy().is_some());
        let of_entropy: Vec<[f64; 2]> = of_entropy.map(|(_, point)| *point).collect();
        svg.polyline(&of_entropy, &format!("series s{line}"));
        for (_, point) in points {
            svg.mark(line, point);
        }
    }
}

fn kind_label(kind: Input) -> String {
    match kind {
        Input::And(0) => "all equal".to_owned(),
        Input::And(1) => "random bits".to_owned(),
        Input::And(words) => format!("AND of {words}"),
        other => other.to_string(),
    }
}
