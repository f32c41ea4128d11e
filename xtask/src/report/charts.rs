//! The charts of the report, each made of the cases of one record.

use std::ops::RangeInclusive;

use sortsmith_benchkit::{Case, Contender, Head, Library, Method, Shape, Types};

use sortsmith_codegen::Order;

use super::{
    cases::{Group, by_length, distinct},
    heat::{Cell, HeatMap, Panel},
    svg::{LogAxis, Svg},
    words::count,
};

/// Types of fewer lengths have no line of their own.
pub const LEAST_LENGTHS: usize = 3;

/// The most columns of two tables that fit beside each other.
const MOST_BESIDE: usize = 7;

/// Pictures are as wide as a page.
pub const WIDTH: f64 = 860.0;

/// A chart, and what it shows in words.
pub struct Chart {
    /// The end of its file's name.
    pub name: &'static str,
    /// A description for readers that cannot see it.
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

/// Our best over CUB's best, types by number of keys.
pub fn ratio_by_length(head: &Head, groups: &[Group<'_>]) -> Option<Chart> {
    let all = by_length(groups, LEAST_LENGTHS);
    let mut lengths: Vec<u64> =
        all.iter().flat_map(|(_, cases)| cases.iter().map(|group| group.case.n)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let rows = all.iter().map(|(types, cases)| {
        let ratio = |n: &u64| cases.iter().find(|group| group.case.n == *n)?.ratio();
        let table_cells = lengths.iter().map(|n| ratio(n).map_or(Cell::Nothing, Cell::Ratio));
        (types.label(), table_cells.collect())
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
    let map =
        HeatMap { title: title.clone(), cell_size: [58.0, 24.0], across: 1, panels: vec![panel] };
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
    let columns = panels.iter().map(Panel::width_in_columns).max().unwrap_or(0);
    let across = if columns <= MOST_BESIDE { 2 } else { 1 };
    let map = HeatMap { title: title.clone(), cell_size: [47.0, 22.0], across, panels };
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
        let table_cell = |contender: &Contender| {
            let row = group.rows().iter().find(|row| row.id.contender == *contender);
            row.map_or(Cell::Nothing, |row| {
                group.over_cub(row).map_or(Cell::Alone(row.gkeys), Cell::Ratio)
            })
        };
        (tile_label(&group.case), contenders.iter().map(table_cell).collect())
    };
    let rows = of_types.iter().map(row).collect();
    Panel { title: types.label(), columns, rows, marks_best: true }
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
pub fn decades_of(ends: [f64; 2]) -> RangeInclusive<i32> {
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
