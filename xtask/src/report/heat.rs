//! Heat maps of ratios.

use super::{svg::Svg, words::figure};

/// The ends of the classes of ratios, from the lowest to the highest; the class of the middle is "the same".
const ENDS: [f64; 11] = [0.5, 0.67, 0.8, 0.9, 0.98, 1.02, 1.11, 1.25, 1.5, 2.0, 4.0];

/// The class of a ratio, which has a colour.
fn class_of(ratio: f64) -> usize {
    ENDS.iter().take_while(|end| ratio >= **end).count()
}

/// What a table has in one table cell.
#[derive(Clone, Copy)]
pub enum Cell {
    /// Nothing was measured.
    Nothing,
    /// A figure that there is nothing to compare with.
    Alone(f64),
    /// How many times as fast.
    Ratio(f64),
}

impl Cell {
    fn ratio(self) -> Option<f64> {
        if let Self::Ratio(ratio) = self { Some(ratio) } else { None }
    }
}

/// One table.
pub struct Panel {
    /// What stands above it; empty: nothing.
    pub title: String,
    /// Groups of columns: the words over a group, and those over each of its columns.
    pub columns: Vec<(String, Vec<String>)>,
    /// Words, and what was measured.
    pub rows: Vec<(String, Vec<Cell>)>,
    /// Whether the largest of each row is bold.
    pub marks_best: bool,
}

impl Panel {
    /// How many table cells are beside each other.
    pub fn width_in_columns(&self) -> usize {
        self.columns.iter().map(|(_, columns)| columns.len()).sum()
    }
}

/// Tables beside and below each other, with one legend.
pub struct HeatMap {
    /// What stands above all.
    pub title: String,
    /// Width and height of a table cell.
    pub cell_size: [f64; 2],
    /// Panels beside each other.
    pub across: usize,
    /// The tables.
    pub panels: Vec<Panel>,
}

const MARGIN: f64 = 16.0;
/// From the top to the first panel.
const HEAD: f64 = 84.0;
/// Between the groups of a panel's columns.
const GAP: f64 = 6.0;

impl HeatMap {
    /// The picture.
    pub fn draw(&self, width: f64) -> Svg {
        let rows = self.panels.iter().map(|panel| panel.rows.len()).max().unwrap_or(0);
        let has_titles = self.panels.iter().any(|panel| !panel.title.is_empty());
        let panel_height = if has_titles { 60.0 } else { 44.0 } + self.cell_size[1] * rows as f64;
        let lines = self.panels.len().div_ceil(self.across);
        let mut svg = Svg::new(width, HEAD + (panel_height + 20.0) * lines as f64 - 8.0);
        svg.text(MARGIN, 24.0, "title", &self.title);
        let mut table_cells =
            self.panels.iter().flat_map(|it| &it.rows).flat_map(|(_, table_cells)| table_cells);
        legend(&mut svg, table_cells.any(|table_cell| matches!(table_cell, Cell::Alone(_))));
        let step = (width - MARGIN) / self.across as f64;
        for (index, panel) in self.panels.iter().enumerate() {
            let left = MARGIN + step * (index % self.across) as f64;
            let top = HEAD + (panel_height + 20.0) * (index / self.across) as f64;
            self.panel(&mut svg, panel, [left, top]);
        }
        svg
    }

    fn panel(&self, svg: &mut Svg, panel: &Panel, [left, top]: [f64; 2]) {
        let [width, height] = self.cell_size;
        let longest = panel.rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let labels = 14.0 + 6.6 * longest as f64;
        // Without a title the rest moves up.
        let top = if panel.title.is_empty() { top - 16.0 } else { top };
        let first = top + 48.0;
        if !panel.title.is_empty() {
            svg.text(left, top + 12.0, "title", &panel.title);
        }
        let mut positions = Vec::new();
        let mut x = left + labels;
        for (title, columns) in &panel.columns {
            let middle = x + width * columns.len() as f64 / 2.0;
            svg.text(middle, top + 26.0, "small middle faint", title);
            for column in columns {
                svg.text(x + width / 2.0, top + 41.0, "small middle", column);
                positions.push(x);
                x += width;
            }
            x += GAP;
        }
        for (line, (label, table_cells)) in panel.rows.iter().enumerate() {
            let y = first + height * line as f64;
            let base = y + height / 2.0 + 4.0;
            svg.text(left + labels - 8.0, base, "small end", label);
            let best =
                table_cells.iter().filter_map(|table_cell| table_cell.ratio()).fold(0.0, f64::max);
            for (x, table_cell) in positions.iter().zip(table_cells) {
                let ratio = match *table_cell {
                    Cell::Ratio(ratio) => ratio,
                    Cell::Alone(alone) => {
                        svg.text(x + width / 2.0, base, "small middle faint", &figure(alone));
                        continue;
                    }
                    Cell::Nothing => {
                        svg.text(x + width / 2.0, base, "small middle faint", "–");
                        continue;
                    }
                };
                let class = class_of(ratio);
                svg.rect([x + 1.0, y + 1.0], [width - 2.0, height - 2.0], &format!("q{class}"));
                let bold = if panel.marks_best && ratio >= best { " bold" } else { "" };
                let words = format!("small middle on on{class}{bold}");
                svg.text(x + width / 2.0, base, &words, &format!("{ratio:.2}"));
            }
        }
    }
}

/// The colours, with the ratios where they change, and what a figure without one is.
fn legend(svg: &mut Svg, has_figures: bool) {
    const BOX: [f64; 2] = [44.0, 12.0];
    let left = MARGIN + 76.0;
    svg.text(left - 8.0, 51.0, "small end faint", "CUB faster");
    for class in 0..=ENDS.len() {
        let x = left + BOX[0] * class as f64;
        svg.rect([x, 41.0], BOX, &format!("q{class}"));
        if let Some(end) = ENDS.get(class) {
            svg.text(x + BOX[0], 67.0, "small middle faint", &end.to_string());
        }
    }
    let right = left + BOX[0] * (ENDS.len() + 1) as f64;
    svg.text(right + 8.0, 51.0, "small faint", "sortsmith faster");
    if has_figures {
        svg.text(right + 8.0, 67.0, "small faint", "grey: Gkeys/s, CUB not measured");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_near_one_is_the_same() {
        assert_eq!(ENDS.len() / 2, class_of(1.0));
        assert_eq!([0.1, 0.97, 1.019, 1.02, 9.5].map(class_of), [0, 4, 5, 6, 11]);
    }

    #[test]
    fn what_cannot_be_compared_has_no_colour_and_the_best_is_bold() {
        let panel = Panel {
            title: "u32 keys".to_owned(),
            columns: vec![("packed".to_owned(), vec!["4 bits".to_owned(), "5 bits".to_owned()])],
            rows: vec![
                ("128×4".to_owned(), vec![Cell::Ratio(0.75), Cell::Ratio(1.2)]),
                ("512×16".to_owned(), vec![Cell::Nothing, Cell::Alone(60.24)]),
            ],
            marks_best: true,
        };
        let map = HeatMap {
            title: String::new(),
            cell_size: [50.0, 20.0],
            across: 1,
            panels: vec![panel],
        };
        let text = map.draw(400.0).finish("");
        assert!(text.contains(r#"class="small middle on on7 bold""#), "{text}");
        assert_eq!([">–<", ">60.2<", ">grey: "].map(|it| text.matches(it).count()), [1; 3]);
        // The legend's, and those of two ratios.
        assert_eq!(text.matches("<rect class=\"q").count(), ENDS.len() + 1 + 2, "{text}");
        assert_eq!(text.matches(" bold\"").count(), 1);
    }
}
