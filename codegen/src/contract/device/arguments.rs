//! The arguments that all kernels of a device-wide sort take.

use crate::contract::arguments::{self, ArgumentField, ArgumentView, KernelArguments as _};

/// What a header says of the arguments that not all sorts use. An argument that a sort does not use says so.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is of other arguments
pub(crate) struct ArgumentUse {
    /// Whether the sort has alternate arrays.
    pub has_alternates: bool,
    /// Whether it reads values.
    pub reads_values: bool,
    /// Whether some of the bits may take part.
    pub takes_bits: bool,
    /// What [`Arguments::workspace`] is, where there is more to say than what all sorts have.
    pub workspace: Option<String>,
    /// What [`Arguments::sort_counter`] means.
    pub sort_counter: Option<String>,
    /// What [`Arguments::row_stride`] means.
    pub row_stride: Option<String>,
    /// What [`Arguments::count`] is of, where the sort reads it.
    pub counted: Option<CountOf>,
}

/// What is counted by a number in the device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountOf {
    /// The items of an array.
    Items,
    /// The rows of a matrix.
    Rows,
}

impl CountOf {
    fn meaning(self) -> &'static str {
        match self {
            Self::Items => {
                "How many items are sorted, the first ones: a number of count_bytes bytes, 4 or 8. More than n count as n. The others are\n\
                 not touched."
            }
            Self::Rows => {
                "How many rows are sorted, the first ones: a number of count_bytes bytes, 4 or 8. The others are not touched."
            }
        }
    }
}

/// Arguments of [`Arguments::own`].
pub(crate) const OWN: usize = 3;

arguments::arguments! {
    /// The header's `Arguments`, which every kernel takes first; addresses are the device's.
    Arguments for ArgumentUse;
    keys_in: u64, "const Key*", "The keys to sort, written only where `keys_out` is the same array.";
    keys_out: u64, "Key*", "The sorted keys; the same array as `keys_in` to sort in place.";
    keys_alternate: u64, "Key*", "Scratch, where the sort has alternate arrays.", |it| {
        Some(if it.has_alternates { "Scratch." } else { UNUSED }.to_owned())
    };
    values_in: u64, "const Value*", "The values, where the sort reads any.", |it| {
        let rest = if it.reads_values { "" } else { ", where the sort has any; values_in is not read" };
        Some(format!("The same of values{rest}."))
    };
    values_out: u64, "Value*", "Where the values go, where the sort has any.", |_| None;
    values_alternate: u64, "Value*", "Scratch, where the sort has alternate arrays and values.", |_| None;
    workspace: u64, "unsigned char*", "As many bytes as the scratch says, of which the first are zero.", |it| {
        let all = "workspace_bytes(n), aligned to 16; the first zeroed_bytes(n) of them zero.";
        Some(it.workspace.clone().unwrap_or_else(|| all.to_owned()))
    };
    n: u64, "unsigned long long", "Items; the most, where they are counted.", |it| {
        let is_most = it.counted == Some(CountOf::Items);
        let most = "The most items, for which there are the launches: at most kMaxItems.";
        Some(if is_most { most } else { "At most kMaxItems." }.to_owned())
    };
    begin_bit: i32, "int", "The first bit of the ordered key that takes part.", |it| {
        let bits = "The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.";
        let all = "Not used by this sort: all of the key takes part.";
        Some(if it.takes_bits { bits } else { all }.to_owned())
    };
    end_bit: i32, "int", "One past the last bit.", |_| None;
    writes_keys: i32, "int", "Whether the sorted keys are written: 1, or 0 where only values are wanted; `keys_out` is scratch then.";
    own: [i32; OWN], "int", "What only the kernels of one family read, as the family names it.", |_| {
        Some(UNUSED.to_owned())
    };
    sort_counter: u64, "unsigned int*", "A counter of sorts, of a sort that takes a seed; or null.", |it| {
        used(it.sort_counter.as_ref())
    };
    row_stride: u64, "unsigned long long", "Items from the start of a row to that of the next, of a sort of rows.", |it| {
        used(it.row_stride.as_ref())
    };
    count: u64, "const void*", "How many items or rows are sorted: the address of a number.", |it| {
        it.counted.map(|of| of.meaning().to_owned())
    };
    most_items: u64, "unsigned long long", "The same as `n`, where items are counted.", |it| {
        let meaning = "The same as n: the workspace is laid out for as many items.".to_owned();
        used((it.counted == Some(CountOf::Items)).then_some(&meaning))
    };
    count_bytes: u32, "unsigned int", "Bytes of the count: 4 or 8.", |_| {
        Some("Bytes of the count.".to_owned())
    };
    rows_before: u32, "unsigned int", "Rows before the first one of these launches, where rows are counted.", |it| {
        let meaning = "Rows before the first one of these launches.".to_owned();
        used((it.counted == Some(CountOf::Rows)).then_some(&meaning))
    };
}

/// Arguments that headers of sorts without a count leave out, the last ones: kernels would have less of the registers.
const OF_COUNTS: usize = 4;

const UNUSED: &str = "Not used by this sort.";

#[allow(clippy::unnecessary_wraps)] // as a comment is
pub(crate) fn used(meaning: Option<&String>) -> Option<String> {
    Some(meaning.cloned().unwrap_or_else(|| UNUSED.to_owned()))
}

/// Where [`Arguments::own`] is.
fn own() -> usize {
    Arguments::FIELDS.iter().position(|field| field.name == "own").unwrap_or_default()
}

/// The arguments of a family, with its own where it has any, and with those of a count or without.
pub(crate) fn fields(of_family: &[ArgumentField], counted: bool) -> Vec<ArgumentField> {
    let left_out = if counted { 0 } else { OF_COUNTS };
    let all = &Arguments::FIELDS[..Arguments::FIELDS.len() - left_out];
    let (before, rest) = all.split_at(own());
    let moved =
        |field: &ArgumentField| ArgumentField { offset: rest[0].offset + field.offset, ..*field };
    before
        .iter()
        .copied()
        .chain(of_family.iter().map(moved))
        .chain(rest[1..].iter().copied())
        .collect()
}

impl ArgumentUse {
    /// The arguments in the header's struct, with the family's own where it has any.
    pub(crate) fn view(&self, of_family: Vec<ArgumentView>) -> Vec<ArgumentView> {
        let mut all = arguments::members::<Arguments, _>(self);
        if self.counted.is_none() {
            all.truncate(all.len() - OF_COUNTS);
        }
        if of_family.is_empty() {
            all[own()].name = "unused[3]";
        } else {
            all.splice(own()..=own(), of_family);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_that_of_kernels_compiled_before() {
        let offsets = Arguments::FIELDS.map(|field| (field.name, field.offset));
        let expected = [
            ("keys_in", 0),
            ("keys_out", 8),
            ("keys_alternate", 16),
            ("values_in", 24),
            ("values_out", 32),
            ("values_alternate", 40),
            ("workspace", 48),
            ("n", 56),
            ("begin_bit", 64),
            ("end_bit", 68),
            ("writes_keys", 72),
            ("own", 76),
            ("sort_counter", 88),
            ("row_stride", 96),
            ("count", 104),
            ("most_items", 112),
            ("count_bytes", 120),
            ("rows_before", 124),
        ];
        // With more than 128 bytes a kernel of buckets spills on sm_90.
        assert_eq!((offsets, size_of::<Arguments>()), (expected, 128));
        // Headers without a count have a struct that ends before it.
        assert_eq!(fields(&[], false).last().map(|field| field.offset), Some(96));
        // `own` is in those of a family that names some of its own.
        assert_eq!(fields(&[], true).len(), Arguments::FIELDS.len() - 1);
        assert_eq!(size_of::<[i32; OWN]>(), 12);
    }
}
