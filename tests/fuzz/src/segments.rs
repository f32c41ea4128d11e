//! Sorts of segments of small arrays of host slices: any offsets, legal or not.

use std::ops::Range;

use sortsmith::{Error, Order, SegmentOffset, Segments, SortOptions, Sorter};

use crate::{Bytes, Target, message};

/// The target.
pub const TARGET: Target = Target { name: "segments", run, words, rounds: 3000 };

/// Which call sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Keys,
    Pairs,
    Argsort,
}

/// What is sorted, by which call.
#[derive(Debug)]
struct Case {
    call: Call,
    order: Order,
    /// How many of the segments are sorted.
    count: Option<u64>,
    /// Where segments begin, and where they end if that is not where the next one begins.
    begins: Vec<i64>,
    ends: Option<Vec<i64>>,
    keys: Vec<u8>,
}

/// Legal segments are sorted as an insertion sort does it, and nothing else changes; any others are an error of one line, and nothing changes.
///
/// The first bytes are the type of offsets, the call, the order, what says the bounds, whether they are sums, the count, and the numbers of keys and of
/// segments; behind them are offsets, and then keys.
fn run(data: &[u8]) {
    let mut bytes = Bytes(data);
    let which = bytes.below(5);
    let case = Case::of(&mut bytes);
    match which {
        0 => check(&case, |offset| offset as u32),
        1 => check(&case, |offset| offset as i32),
        2 => check(&case, |offset| offset as u64),
        3 => check(&case, |offset| offset),
        _ => check(&case, |offset| offset as usize),
    }
}

impl Case {
    fn of(bytes: &mut Bytes<'_>) -> Self {
        let call = [Call::Keys, Call::Pairs, Call::Argsort][bytes.below(3)];
        let order = if bytes.flag() { Order::Descending } else { Order::Ascending };
        let (has_ends, are_sums) = (bytes.flag(), bytes.flag());
        let count = bytes.flag().then(|| u64::from(bytes.byte()) % 12);
        let (n, segments) = (bytes.below(100), bytes.below(11));
        // Small steps ascend, and end within the array most often; any other byte is an offset itself, a negative one now and then.
        let mut last = 0;
        let mut next = || {
            let byte = bytes.byte();
            last =
                if are_sums { last + i64::from(byte % 12) } else { i64::from(byte.cast_signed()) };
            last
        };
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        for _ in 0..segments {
            begins.push(next());
            if has_ends {
                ends.push(next());
            }
        }
        if has_ends && are_sums && bytes.flag() {
            // Segments may lie in any order.
            begins.reverse();
            ends.reverse();
        }
        let keys = (0..n).map(|_| bytes.byte() % 7).collect();
        Self { call, order, count, begins, ends: has_ends.then_some(ends), keys }
    }

    /// The segments that are to be sorted, or none if one of them is not legal.
    fn ranges<O: SegmentOffset>(&self, of: fn(i64) -> O) -> Option<Vec<Range<usize>>> {
        let n = self.keys.len();
        let index = |offset: &i64| {
            // As the offset's type has it: a negative one is a large number where there are none.
            let text = of(*offset).to_string();
            text.parse::<usize>().ok().filter(|index| *index <= n)
        };
        let (begins, ends) = match &self.ends {
            Some(ends) => (&self.begins[..], &ends[..]),
            None => (&self.begins[..], self.begins.get(1..).unwrap_or_default()),
        };
        let count = self.count.map_or(ends.len(), |count| ends.len().min(count as usize));
        // An offset has to be in the array though no segment ends there.
        let first = self.begins.first().filter(|_| self.ends.is_none());
        first.map_or(Some(0), index)?;
        let both = begins.iter().zip(ends).take(count);
        let ranges: Option<Vec<Range<usize>>> =
            both.map(|(begin, end)| Some(index(begin)?..index(end)?)).collect();
        let ranges = ranges?;
        let is_disjoint = |(at, range): (usize, &Range<usize>)| {
            let others = ranges[..at].iter().filter(|other| !other.is_empty() && !range.is_empty());
            range.start <= range.end
                && others.into_iter().all(|it| it.end <= range.start || range.end <= it.start)
        };
        ranges.iter().enumerate().all(is_disjoint).then_some(ranges)
    }

    /// The positions in the array after the sort of each segment.
    fn sorted(&self, ranges: &[Range<usize>]) -> Vec<usize> {
        let mut from: Vec<usize> = (0..self.keys.len()).collect();
        for range in ranges {
            from[range.clone()].sort_by(|a, b| {
                let [a, b] = [a, b].map(|at| self.keys[*at]);
                if self.order == Order::Descending { b.cmp(&a) } else { a.cmp(&b) }
            });
        }
        from
    }
}

/// All that is compiled for each type of offsets.
fn check<O: SegmentOffset + PartialEq>(case: &Case, of: fn(i64) -> O) {
    let offsets = |side: &[i64]| side.iter().map(|offset| of(*offset)).collect::<Vec<O>>();
    let (begins, ends) = (offsets(&case.begins), case.ends.as_deref().map(offsets));
    let segments = match &ends {
        Some(ends) => Segments::between(&begins, ends),
        None => Segments::from(&begins),
    };
    let count = [case.count.unwrap_or_default()];
    let segments = if case.count.is_some() { segments.counted(&count) } else { segments };
    let (host, options) = (Sorter::host(), SortOptions::new().order(case.order));
    let mut keys = case.keys.clone();
    let untouched: Vec<u32> = (0..keys.len() as u32).collect();
    let mut values = untouched.clone();
    let result = match case.call {
        Call::Keys => host.sort_segments_with(&mut keys, segments, options),
        Call::Pairs => host.sort_pairs_segments_with(&mut keys, &mut values, segments, options),
        Call::Argsort => host.argsort_segments_into_with(&keys, &mut values, segments, options),
    };
    let Some(ranges) = case.ranges(of) else {
        let error = result.expect_err("not all of the segments are legal");
        assert!(matches!(error, Error::SegmentOffset { .. }), "{error}: {case:?}");
        message::check(&error);
        assert!(keys == case.keys && values == untouched, "{error}: {case:?}");
        return;
    };
    result.unwrap_or_else(|error| panic!("{error}: {case:?}"));
    let sorted = case.sorted(&ranges);
    let of_sorted: Vec<u8> = sorted.iter().map(|from| case.keys[*from]).collect();
    assert_eq!(
        keys,
        if case.call == Call::Argsort { case.keys.clone() } else { of_sorted },
        "{case:?}"
    );
    let expected: Vec<u32> = match case.call {
        Call::Keys => untouched,
        Call::Pairs => sorted.iter().map(|from| *from as u32).collect(),
        Call::Argsort => {
            let mut positions = untouched;
            for range in ranges {
                for at in range.clone() {
                    positions[at] = (sorted[at] - range.start) as u32;
                }
            }
            positions
        }
    };
    assert_eq!(values, expected, "{case:?}");
}

fn words() -> Vec<String> {
    // Steps, empty segments, and offsets past the end.
    ["\0\0", "\u{1}\u{b}", "\u{7f}", "\u{5}\u{5}\u{5}", "\u{0}\u{3}"].map(str::to_owned).to_vec()
}
