//! A small writer of SVG pictures that can be read on light and on dark pages.

use std::fmt::Write as _;

/// Colours and strokes. A class is a meaning; each has its colours for light and for dark pages.
const STYLE: &str = "\
text{fill:#3a3a3a}.title{font-weight:600}.small{font-size:11px}.faint{fill:#6e6e6e}.bold{font-weight:700}\
.end{text-anchor:end}.middle{text-anchor:middle}\
line,polyline{fill:none;stroke-width:1}.axis{stroke:#9a9a9a}.grid{stroke:#9a9a9a;stroke-opacity:.28}\
.even{stroke:#6e6e6e;stroke-width:1.5}\
.ours{stroke:#2f6fb3;stroke-width:2.5}.cub{stroke:#e08a3c;stroke-width:3.5}\
.double{stroke:#7d3c00;stroke-width:1.5;stroke-dasharray:5 3}\
.limit{stroke:#6e6e6e;stroke-width:1.5;stroke-dasharray:2 4}\
.word-ours{fill:#2f6fb3}.word-cub{fill:#b85c14}\
.s0{stroke:#2f6fb3}.s1{stroke:#d1591b}.s2{stroke:#178a5c}.s3{stroke:#9a4fb5}.s4{stroke:#a07a00}\
.f0{fill:#2f6fb3}.f1{fill:#d1591b}.f2{fill:#178a5c}.f3{fill:#9a4fb5}.f4{fill:#a07a00}.series{stroke-width:2}\
.q0{fill:#b85c14}.q1{fill:#e2853b}.q2{fill:#f3b27a}.q3{fill:#fad6b4}.q4{fill:#fdeee0}.q5{fill:#efefef}\
.q6{fill:#e3eef9}.q7{fill:#c3dbf1}.q8{fill:#94bfe5}.q9{fill:#5b9bd5}.q10{fill:#2f6fb3}.q11{fill:#17457a}\
.on{fill:#1f1f1f}.on0,.on10,.on11{fill:#fff}\
@media(prefers-color-scheme:dark){\
text{fill:#d8d8d8}.faint{fill:#a0a0a0}.even,.limit{stroke:#a0a0a0}\
.ours{stroke:#5b9bdf}.cub{stroke:#c9752b}.double{stroke:#ffd2a1}.word-ours{fill:#6fabea}.word-cub{fill:#f0a45c}\
.s0{stroke:#5b9bdf}.s1{stroke:#f0813f}.s2{stroke:#3dbb86}.s3{stroke:#c58be0}.s4{stroke:#d9b23c}\
.f0{fill:#5b9bdf}.f1{fill:#f0813f}.f2{fill:#3dbb86}.f3{fill:#c58be0}.f4{fill:#d9b23c}\
.q0{fill:#f0a04b}.q1{fill:#c67c2c}.q2{fill:#8f5c26}.q3{fill:#644424}.q4{fill:#433322}.q5{fill:#30363d}\
.q6{fill:#1e3045}.q7{fill:#1f4468}.q8{fill:#215b91}.q9{fill:#2f7ec4}.q10{fill:#62a8ea}.q11{fill:#a5cdf7}\
.on{fill:#ececec}.on0,.on1,.on10,.on11{fill:#101418}}";

/// A picture in the making. Lengths are pixels at its natural size.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// A length without invisible digits.
fn length(pixels: f64) -> String {
    let text = format!("{pixels:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

impl Svg {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// Words, whose baseline begins at a point, or ends or is centred there if a class says so.
    pub fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let (x, y, text) = (length(x), length(y), escaped(text));
        let _ = writeln!(self.body, r#"<text class="{class}" x="{x}" y="{y}">{text}</text>"#);
    }

    /// Words from below to above, centred at a point.
    pub fn upright_text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let (x, y, text) = (length(x), length(y), escaped(text));
        let _ = writeln!(
            self.body,
            r#"<text class="middle {class}" transform="translate({x} {y}) rotate(-90)">{text}</text>"#
        );
    }

    /// A straight line.
    pub fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], class: &str) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(length);
        let _ = writeln!(
            self.body,
            r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#
        );
    }

    /// A line through points.
    pub fn polyline(&mut self, points: &[[f64; 2]], class: &str) {
        let points = points.iter().map(|[x, y]| format!("{},{}", length(*x), length(*y)));
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.body, r#"<polyline class="{class}" points="{points}"/>"#);
    }

    /// A filled rectangle.
    pub fn rect(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], class: &str) {
        let [x, y, width, height] = [x, y, width, height].map(length);
        let _ = writeln!(
            self.body,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        );
    }

    /// A filled mark around a point: series differ by its form, and not by colours alone.
    pub fn mark(&mut self, series: usize, [x, y]: [f64; 2]) {
        let class = format!("f{series}");
        let r = 4.0;
        let points = match series {
            0 => {
                let (x, y) = (length(x), length(y));
                let _ =
                    writeln!(self.body, r#"<circle class="{class}" cx="{x}" cy="{y}" r="{r}"/>"#);
                return;
            }
            1 => vec![[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]],
            2 => vec![[x, y - r - 1.0], [x + r + 1.0, y + r], [x - r - 1.0, y + r]],
            3 => vec![[x, y - r - 1.5], [x + r + 1.5, y], [x, y + r + 1.5], [x - r - 1.5, y]],
            _ => vec![[x, y + r + 1.0], [x + r + 1.0, y - r], [x - r - 1.0, y - r]],
        };
        let points = points.iter().map(|[x, y]| format!("{},{}", length(*x), length(*y)));
        let points = points.collect::<Vec<_>>().join(" ");
        let _ = writeln!(self.body, r#"<polygon class="{class}" points="{points}"/>"#);
    }

    /// The picture's text. What it shows, in words, is for those who cannot see it.
    pub fn finish(self, shows: &str) -> String {
        let Self { width, height, body } = self;
        let ([width, height], shows) = ([width, height].map(length), escaped(shows));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>{shows}</title>
<style>{STYLE}</style>
{body}</svg>
"#
        )
    }
}

/// A logarithmic axis: where a value lies.
#[derive(Clone, Copy, Debug)]
pub struct LogAxis {
    /// The values at the ends.
    pub values: [f64; 2],
    /// The positions of the ends.
    pub positions: [f64; 2],
}

impl LogAxis {
    /// The position of a value.
    pub fn at(self, value: f64) -> f64 {
        let [first, last] = self.values.map(f64::ln);
        let [start, end] = self.positions;
        start + (value.ln() - first) / (last - first) * (end - start)
    }
}

/// Moves positions, each as little as it goes, until no two are nearer than the gap and all are within the limits, where
/// they fit.
pub fn apart(positions: &mut [f64], gap: f64, [min, max]: [f64; 2]) {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by(|a, b| positions[*a].total_cmp(&positions[*b]));
    // Neighbours that are too near become one group around their mean.
    let mut groups: Vec<(Vec<usize>, f64)> = Vec::new();
    for index in order {
        groups.push((vec![index], positions[index]));
        while let [.., (below, of_below), (above, of_above)] = groups.as_mut_slice() {
            let reach = gap * (below.len() + above.len()) as f64 / 2.0;
            if *of_above - *of_below >= reach {
                break;
            }
            let (m, n) = (below.len() as f64, above.len() as f64);
            *of_below = (*of_below * m + *of_above * n) / (m + n);
            let above = std::mem::take(above);
            below.extend(above);
            groups.pop();
        }
    }
    for (members, middle) in groups {
        let half = gap * (members.len() - 1) as f64 / 2.0;
        let middle = middle.min(max - half).max(min + half);
        for (rank, index) in members.into_iter().enumerate() {
            positions[index] = middle - half + gap * rank as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_says_what_it_shows_and_escapes_words() {
        let mut svg = Svg::new(100.0, 50.5);
        svg.text(1.0, 2.26, "title", "a < b & c");
        let text = svg.finish("x \"y\"");
        assert!(text.contains(r#"viewBox="0 0 100 50.5""#), "{text}");
        assert!(text.contains(r#"<text class="title" x="1" y="2.3">a &lt; b &amp; c</text>"#));
        assert!(text.contains("<title>x &quot;y&quot;</title>"));
    }

    #[test]
    fn equal_factors_are_equal_distances() {
        let axis = LogAxis { values: [1.0, 100.0], positions: [200.0, 0.0] };
        let positions = [1.0, 10.0, 100.0].map(|value| axis.at(value).round() as i32);
        assert_eq!(positions, [200, 100, 0]);
    }

    #[test]
    fn labels_that_would_overlap_move_apart() {
        let moved = |mut positions: Vec<f64>| {
            apart(&mut positions, 10.0, [0.0, 100.0]);
            positions.into_iter().map(|position| position.round() as i32).collect::<Vec<_>>()
        };
        assert_eq!(moved(vec![50.0, 20.0]), [50, 20]);
        assert_eq!(moved(vec![50.0, 52.0]), [46, 56]);
        assert_eq!(moved(vec![99.0, 98.0, 50.0]), [100, 90, 50]);
        assert_eq!(moved(vec![52.0, 50.0, 51.0]), [61, 41, 51]);
    }
}
