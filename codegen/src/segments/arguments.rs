//! The arguments that all kernels of a sort of segments take, and those that one takes beside them.

use crate::contract::arguments;

arguments::arguments! {
    /// The header's `Arguments`, which every kernel takes first; arrays by their addresses.
    Arguments for ();
    keys_in: u64, "const Key*", "The keys, written only where `keys_out` is the same array.";
    keys_out: u64, "Key*", "The sorted keys; the same array as `keys_in` to sort in place.";
    keys_alternate: u64, "Key*", "Scratch, where there are rounds of merges.";
    values_in: u64, "const Value*", "The values; null where there are none, and where the sort makes them.";
    values_out: u64, "Value*", "Where the values go; null where there are none.";
    values_alternate: u64, "Value*", "Scratch, as that of keys.";
    begins: u64, "const void*",
        "Where segments begin: numbers of `offset_bytes` bytes each, 4 or 8, or null: segment s begins at s * `segment_stride`. Negative ones \
         count as past the end where `signed_offsets` says that there are such.";
    ends: u64, "const void*", "Where they end, or null: `segment_items` items further on.";
    workspace: u64, "void*",
        "`workspace_bytes(segments, n)` bytes at a multiple of 16, the first `kZeroedBytes` of them 0.";
    segments: u64, "unsigned long long", "Segments.", |()| None;
    n: u64, "unsigned long long", "Items of the array.", |()| None;
    offset_bytes: u32, "unsigned int", "Bytes of an offset.", |()| None;
    begin_bit: i32, "int", "The first bit of the ordered key that takes part.", |()| {
        Some("The ordered bits that take part: 0 <= begin_bit <= end_bit <= kKeyBits.".to_owned())
    };
    end_bit: i32, "int", "One past the last bit.", |()| None;
    absolute_positions: i32, "int",
        "Whether positions are those in the array, of all of its items, and not those in segments.";
}

arguments::arguments! {
    /// What the kernel that lists segments takes behind [`Arguments`].
    CountArguments for ();
    count: u64, "const void*",
        "How many of the segments are sorted, the first ones: a number of `count_bytes` bytes, 4 or 8, or null: all. More than there are \
         count as all.";
    segment_items: u64, "unsigned long long", "Items of each segment, where there are no ends.";
    segment_stride: u64, "unsigned long long",
        "From where a segment begins to where the next one does, where there are no begins.";
    count_bytes: u32, "unsigned int", "Bytes of the count.", |()| None;
    signed_offsets: i32, "int", "Whether offsets are signed: negative ones count as past the end, whatever their bytes are.";
}
