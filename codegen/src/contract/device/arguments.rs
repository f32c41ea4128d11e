//! The arguments that all kernels of a device-wide sort take: one table, from which come the struct of the host, that of the headers,
//! and what the emulator knows of both.

use std::mem::offset_of;

/// What a header says of the arguments that not all sorts use. An argument that a sort does not use says so.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is of other arguments
pub(crate) struct ArgumentUse {
    /// Whether the sort has alternate arrays.
    pub has_alternates: bool,
    /// Whether it reads values.
    pub reads_values: bool,
    /// Whether some of the bits may take part.
    pub takes_bits: bool,
    /// Whether keys may be counted, which takes another workspace.
    pub counts_keys: bool,
    /// What [`Arguments::interleaves`] means.
    pub interleaves: Option<String>,
    /// What [`Arguments::count_columns_log2`] means.
    pub count_columns_log2: Option<String>,
    /// What [`Arguments::sorts_msd_buckets`] means.
    pub sorts_msd_buckets: Option<String>,
    /// What [`Arguments::sort_counter`] means.
    pub sort_counter: Option<String>,
    /// What [`Arguments::row_stride`] means.
    pub row_stride: Option<String>,
}

/// An argument, as templates and drivers need it.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentField {
    /// Its name.
    pub name: &'static str,
    /// Where it begins in the struct.
    pub offset: usize,
    /// Its type in a header.
    pub(crate) cuda: &'static str,
    /// What a header says of it and of those behind it that have no comment; lines are broken as they are written.
    pub(crate) comment: fn(&ArgumentUse) -> Option<String>,
}

/// Makes the struct and its [`ArgumentField`]s of a row for each argument: the name, the type, the type in a header, what it is, and
/// what a header says of it, if that is not the same without its quotes.
macro_rules! arguments {
    ($($name:ident: $type:ty, $cuda:literal, $doc:literal $(, $comment:expr)?;)*) => {
        /// The header's `Arguments`, which every kernel takes first; addresses are the device's.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(C)]
        pub struct Arguments {
            $(#[doc = $doc] pub $name: $type,)*
        }

        impl Arguments {
            /// The arguments, in the order of the struct.
            pub const FIELDS: [ArgumentField; [$($cuda),*].len()] = [$(
                ArgumentField {
                    name: stringify!($name),
                    offset: offset_of!(Arguments, $name),
                    cuda: $cuda,
                    comment: arguments!(@comment $doc $(, $comment)?),
                },
            )*];
        }
    };
    (@comment $doc:literal) => { |_| Some($doc.replace('`', "")) };
    (@comment $doc:literal, $comment:expr) => { $comment };
}

arguments! {
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
        let (counting, zeroed) =
            if it.counts_keys { (" or counting_bytes()", ", or all of them,") } else { ("", " of them") };
        Some(format!(
            "workspace_bytes(n){counting}, aligned to 16; the first zeroed_bytes(n){zeroed} zero."
        ))
    };
    n: u64, "unsigned long long", "Items.", |_| Some("At most kMaxItems.".to_owned());
    begin_bit: i32, "int", "The first bit of the ordered key that takes part.", |it| {
        let bits = "The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.";
        let all = "Not used by this sort: all of the key takes part.";
        Some(if it.takes_bits { bits } else { all }.to_owned())
    };
    end_bit: i32, "int", "One past the last bit.", |_| None;
    writes_keys: i32, "int", "Whether the sorted keys are written: 1, or 0 where only values are wanted; `keys_out` is scratch then.";
    interleaves: i32, "int", "Whether keys and values lie side by side between passes, of a radix sort.", |it| {
        used(it.interleaves.as_ref())
    };
    count_columns_log2: i32, "int", "Columns of counters of a block that counts digits, as their logarithm to base 2.", |it| {
        used(it.count_columns_log2.as_ref())
    };
    sorts_msd_buckets: i32, "int", "Whether the kernels of MSD buckets are launched.", |it| {
        used(it.sorts_msd_buckets.as_ref())
    };
    sort_counter: u64, "unsigned int*", "A counter of sorts, of a sort that takes a seed; or null.", |it| {
        used(it.sort_counter.as_ref())
    };
    row_stride: u64, "unsigned long long", "Items from the start of a row to that of the next, of a sort of rows.", |it| {
        used(it.row_stride.as_ref())
    };
}

const UNUSED: &str = "Not used by this sort.";

#[allow(clippy::unnecessary_wraps)] // as a comment is
fn used(meaning: Option<&String>) -> Option<String> {
    Some(meaning.cloned().unwrap_or_else(|| UNUSED.to_owned()))
}

/// An argument in the header's struct.
pub(crate) struct ArgumentView {
    pub(crate) comment: Vec<String>,
    pub(crate) cuda: &'static str,
    pub(crate) name: &'static str,
}

impl ArgumentUse {
    /// The arguments as `templates/fragments/device_arguments.cuh` shows them.
    pub(crate) fn view(&self) -> Vec<ArgumentView> {
        let field = |ArgumentField { name, cuda, comment, .. }: ArgumentField| {
            let comment = comment(self).unwrap_or_default();
            ArgumentView { comment: comment.lines().map(str::to_owned).collect(), cuda, name }
        };
        Arguments::FIELDS.map(field).into()
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
            ("interleaves", 76),
            ("count_columns_log2", 80),
            ("sorts_msd_buckets", 84),
            ("sort_counter", 88),
            ("row_stride", 96),
        ];
        assert_eq!((offsets, size_of::<Arguments>()), (expected, 104));
    }
}
