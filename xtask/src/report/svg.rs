//! A small writer of SVG pictures that can be read on light and on dark pages.

use std::fmt::Write as _;

/// Colours and strokes. A class is a meaning; each has its colours for light and for dark pages.
const STYLE: &str = include_str!("svg.css");

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

    /// Words: their baseline begins at a point, or ends or is centred there if a class says so.
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

    /// The picture's text. The description in words is for readers that cannot see it.
    pub fn finish(self, shows: &str) -> String {
        let Self { width, height, body } = self;
        let ([width, height], shows) = ([width, height].map(length), escaped(shows));
        let style = STYLE.replace('\n', "");
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="system-ui, sans-serif" font-size="13">
<title>{shows}</title>
<style>{style}</style>
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

/// Moves positions, each as little as possible, until no two are nearer than the gap and all are within the limits, where
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
