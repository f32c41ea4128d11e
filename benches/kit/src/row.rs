//! Rows: times of sorts.

use std::fmt;

use sortsmith_codegen::{Order, ValueType};

use crate::{Cache, Group, Input, Library, Mark, Method, Times, Types};

/// A row is marked if its spread of times is more than this.
pub const UNSTEADY_PERCENT: f64 = 5.0;

/// The digits of a figure that are written.
const DIGITS: usize = 5;

/// The shape of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Threads of a block.
    pub threads: u32,
    /// Items of a thread.
    pub items: u32,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}×{}", self.threads, self.items))
    }
}

/// Rows of an array that are sorted each for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Columns {
    /// Keys of a row.
    pub columns: u64,
    /// The k of a top-k; none for a sort of all keys.
    pub k: Option<u64>,
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rows of {}", self.columns)?;
        self.k.map_or(Ok(()), |k| write!(f, ", top {k}"))
    }
}

/// What is sorted, by whomever: rows of one case are about the same work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Case {
    /// The kind of sort.
    pub group: Group,
    /// Keys and values.
    pub types: Types,
    /// The kind of the input.
    pub input: Input,
    /// How many keys.
    pub n: u64,
    /// The shape of tiles, where there are tiles.
    pub shape: Option<Shape>,
    /// What rows are like, where there are rows.
    pub rows: Option<Columns>,
    /// Which end comes first.
    pub order: Order,
    /// What the L2 cache holds of it at first.
    pub cache: Cache,
}

impl Case {
    /// What it is within its group. That it is warm, as usual, is not said.
    pub fn name(&self) -> String {
        let Self { types, input, n, shape, rows, order, cache, .. } = self;
        let shape = shape.map_or(String::new(), |shape| format!(" {shape}"));
        let rows = rows.map_or(String::new(), |rows| format!(" in {rows}"));
        let cache = match cache {
            Cache::Warm => String::new(),
            Cache::Cold => format!(" {cache}"),
        };
        format!("{types} {input} {n}{shape}{rows} {order}{cache}")
    }

    /// Bytes that are read and written if everything is read once and written once. Positions of device-wide sorts and by bins
    /// are written alone: their keys are only read. A top-k writes k keys of a row and nothing else.
    pub fn traffic(&self) -> f64 {
        let Types { key, value } = self.types;
        let (read, written) = match (value, self.group) {
            (ValueType::Index, Group::Device | Group::Binned) => (key.bytes(), value.bytes()),
            (ValueType::Index, _) => (key.bytes(), self.types.bytes()),
            _ => (self.types.bytes(), self.types.bytes()),
        };
        let share = |Columns { columns, k }| k.map_or(1.0, |k| k as f64 / columns as f64);
        let share = self.rows.map_or(1.0, share);
        (f64::from(read) + f64::from(written) * share) * self.n as f64
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.group, self.name())
    }
}

/// A library and its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Contender {
    /// The library that sorts.
    pub library: Library,
    /// How it sorts.
    pub method: Method,
    /// Bits of a digit, where that is a choice.
    pub radix_bits: Option<u32>,
}

impl Contender {
    /// A contender that chooses its digits itself.
    pub const fn new(library: Library, method: Method) -> Self {
        Self { library, method, radix_bits: None }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.library, self.method)?;
        self.radix_bits.map_or(Ok(()), |bits| write!(f, " {bits}"))
    }
}

/// What a row is of: rows of one id, in whatever records, can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    /// What is sorted.
    pub case: Case,
    /// The sort that was measured.
    pub contender: Contender,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.case, self.contender)
    }
}

/// One measured sort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// What it is of.
    pub id: Id,
    /// The median time.
    pub milliseconds: f64,
    /// Billions of keys a second, by the median time.
    pub gkeys: f64,
    /// [`Times::spread_percent`].
    pub spread_percent: Option<f64>,
    /// The time of reading everything once and writing it once, at the speed of a copy in the same run, in percent of the
    /// sort's. More than 100 is possible: a sort that finds all keys equal need not write them.
    pub limit_percent: Option<f64>,
    /// Bytes of temporary storage.
    pub temp_bytes: Option<u64>,
    /// Registers of a thread.
    pub registers: Option<u32>,
    /// Bytes of local memory of a thread.
    pub local_bytes: Option<u32>,
    /// Bytes of shared memory of a block.
    pub shared_bytes: Option<u32>,
}

impl Row {
    /// What was measured, beside the speed of a copy in bytes a second, read and written.
    pub fn measured(id: Id, times: &Times, copy: Option<f64>) -> Self {
        let milliseconds = times.median();
        let limit = |copy: f64| 100.0 * id.case.traffic() / copy / (milliseconds / 1e3);
        Self {
            id,
            milliseconds: rounded(milliseconds),
            gkeys: rounded(id.case.n as f64 / milliseconds / 1e6),
            spread_percent: Some(rounded(times.spread_percent())),
            limit_percent: copy.map(limit).map(rounded),
            temp_bytes: None,
            registers: None,
            local_bytes: None,
            shared_bytes: None,
        }
    }

    /// What a reader should know of it.
    pub fn mark(&self) -> Option<Mark> {
        self.spread_percent.filter(|percent| *percent > UNSTEADY_PERCENT).map(|_| Mark::Unsteady)
    }
}

/// A figure without digits that mean nothing.
pub(crate) fn rounded(figure: f64) -> f64 {
    let digits = DIGITS - 1;
    format!("{figure:.digits$e}").parse().unwrap_or(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(group: Group, types: &str, n: u64) -> Id {
        let types = types.parse().unwrap();
        let case = Case {
            group,
            types,
            input: Input::Random,
            n,
            shape: None,
            rows: None,
            order: Order::Ascending,
            cache: Cache::Warm,
        };
        Id { case, contender: Contender::new(Library::Sortsmith, Method::Into) }
    }

    #[test]
    fn a_row_says_how_far_it_is_from_a_copy() {
        let times = Times::of(vec![2.0, 2.0, 2.0]).unwrap();
        // A gigabyte each way in 2 ms is 1 TB/s, a quarter of the copy's 4.
        let row = Row::measured(id(Group::Device, "f32_u32", 125_000_000), &times, Some(4e12));
        assert_eq!(row.limit_percent, Some(25.0));
        assert!((row.gkeys - 62.5).abs() < 1e-9);
        assert_eq!(Row::measured(row.id, &times, None).limit_percent, None);
    }

    #[test]
    fn device_wide_positions_leave_the_keys_alone() {
        let traffic = |group, types| id(group, types, 1).case.traffic() as u32;
        assert_eq!(traffic(Group::Device, "u64_index"), 12);
        assert_eq!(traffic(Group::Tiles, "u64_index"), 20);
        assert_eq!(traffic(Group::Device, "u64_u32"), 24);
    }

    #[test]
    fn a_top_k_writes_nothing_but_its_result() {
        let mut case = id(Group::TopK, "f32_index", 1000).case;
        case.rows = Some(Columns { columns: 100, k: Some(10) });
        assert!((case.traffic() - (4000.0 + 800.0)).abs() < 1e-9);
        assert_eq!(case.name(), "f32_index random 1000 in rows of 100, top 10 asc");
    }

    #[test]
    fn a_cold_sort_says_so_and_is_another_case() {
        let warm = id(Group::Device, "u32_keys", 4096).case;
        let cold = Case { cache: Cache::Cold, ..warm };
        assert_eq!(warm.to_string(), "device u32_keys random 4096 asc");
        assert_eq!(cold.to_string(), "device u32_keys random 4096 asc cold");
        assert_ne!(warm, cold);
    }

    #[test]
    fn a_spread_of_times_of_more_than_five_percent_is_marked() {
        let of = |times: [f64; 3]| {
            Row::measured(id(Group::Device, "u8_keys", 1), &Times::of(times.into()).unwrap(), None)
        };
        // Quartiles lie half way to the outer ones.
        assert_eq!(of([0.9, 1.0, 1.1]).mark(), None);
        assert_eq!(of([0.89, 1.0, 1.1]).mark(), Some(Mark::Unsteady));
    }

    #[test]
    fn figures_have_five_digits() {
        let figures = [123.456_789, 0.012_345_678, 9.0, 0.0].map(rounded);
        assert_eq!(figures.map(|it| it.to_string()), ["123.46", "0.012346", "9", "0"]);
    }
}
