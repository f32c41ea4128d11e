//! The oracle: a plain stable sort by ordered bits.
//!
//! It shares nothing with the generator but the names of the axes, and is meant to be read in one go.

use std::borrow::Cow;

use sortsmith_codegen::{KeyType, Order};

/// The meaning of a key's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An unsigned integer.
    Unsigned,
    /// A two's complement integer.
    Signed,
    /// A sign and a magnitude.
    Float,
    /// Fields, the first of which decides first.
    Struct,
}

/// The class of a key and how many of its low bits count.
pub fn describe(key: KeyType) -> (Class, u32) {
    match key {
        KeyType::Bool => (Class::Unsigned, 1),
        KeyType::U8 => (Class::Unsigned, 8),
        KeyType::U16 => (Class::Unsigned, 16),
        KeyType::U32 => (Class::Unsigned, 32),
        KeyType::U64 => (Class::Unsigned, 64),
        KeyType::U128 => (Class::Unsigned, 128),
        KeyType::I8 => (Class::Signed, 8),
        KeyType::I16 => (Class::Signed, 16),
        KeyType::I32 => (Class::Signed, 32),
        KeyType::I64 => (Class::Signed, 64),
        KeyType::I128 => (Class::Signed, 128),
        KeyType::F8E4m3 | KeyType::F8E5m2 => (Class::Float, 8),
        KeyType::F16 | KeyType::Bf16 => (Class::Float, 16),
        KeyType::F32 => (Class::Float, 32),
        KeyType::F64 => (Class::Float, 64),
        KeyType::Struct(_) => {
            let fields = fields(key);
            (Class::Struct, fields.iter().map(|(field, _)| describe(*field).1).sum())
        }
        _ => panic!("the oracle does not know {key}"),
    }
}

/// Bytes of a key in memory.
pub fn key_bytes(key: KeyType) -> usize {
    match describe(key) {
        (Class::Struct, _) => struct_bytes(key),
        (_, bits) => bits.div_ceil(8) as usize,
    }
}

/// The fields of a struct, each with the offset of its first byte; none of a scalar.
pub fn fields(key: KeyType) -> Vec<(KeyType, usize)> {
    let mut end = 0;
    let types = key.fields().into_iter().map(|field| field.key);
    types
        .map(|field| {
            let bytes = key_bytes(field);
            let offset = usize::next_multiple_of(end, bytes);
            end = offset + bytes;
            (field, offset)
        })
        .collect()
}

/// Bytes of a struct: up to a multiple of its largest field's.
fn struct_bytes(key: KeyType) -> usize {
    let fields = fields(key);
    let align = fields.iter().map(|(field, _)| key_bytes(*field)).max().unwrap_or(1);
    let end = fields.last().map_or(0, |(field, offset)| offset + key_bytes(*field));
    end.next_multiple_of(align)
}

/// Keys with zeros between fields, where a sort leaves what it likes.
pub fn without_padding(key: KeyType, keys: &[u8]) -> Cow<'_, [u8]> {
    if key.is_scalar() {
        return Cow::Borrowed(keys);
    }
    let fields = fields(key);
    let mut cleared = vec![0; keys.len()];
    let bytes = struct_bytes(key);
    for (from, to) in keys.chunks(bytes).zip(cleared.chunks_mut(bytes)) {
        for (field, offset) in &fields {
            let range = *offset..offset + key_bytes(*field);
            to[range.clone()].copy_from_slice(&from[range]);
        }
    }
    Cow::Owned(cleared)
}

/// Makes these the bytes of a field of structs.
pub(crate) fn put_field(
    keys: &mut [u8],
    key: KeyType,
    (field, offset): (KeyType, usize),
    column: &[u8],
) {
    let bytes = key_bytes(field);
    for (key, field) in keys.chunks_mut(struct_bytes(key)).zip(column.chunks(bytes)) {
        key[offset..offset + bytes].copy_from_slice(field);
    }
}

/// Whether a field is a float.
pub(crate) fn has_floats(key: KeyType) -> bool {
    fields(key).iter().any(|(field, _)| describe(*field).0 == Class::Float)
}

/// All ones in the lowest `bits` bits.
pub fn low_mask(bits: u32) -> u128 {
    if bits == 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// A key as the number that its little-endian bytes spell.
pub fn raw_bits(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, byte| (number << 8) | u128::from(*byte))
}

/// The magnitude of a float type's largest number: all ones in the exponent and nothing behind it is infinity. The float
/// e4m3 has no infinity, and only all ones are not a number.
pub fn max_magnitude(key: KeyType) -> u128 {
    match key {
        KeyType::F8E4m3 => 0x7e,
        KeyType::F8E5m2 => 0x7c,
        KeyType::F16 => 0x7c00,
        KeyType::Bf16 => 0x7f80,
        KeyType::F32 => 0x7f80_0000,
        KeyType::F64 => 0x7ff0_0000_0000_0000,
        _ => panic!("{key} is no float"),
    }
}

/// Whether a key is a float that is not a number.
pub fn is_nan(key: KeyType, bytes: &[u8]) -> bool {
    let (class, bits) = describe(key);
    class == Class::Float && raw_bits(bytes) & low_mask(bits - 1) > max_magnitude(key)
}

/// The number that orders as the key does.
pub fn ordered_bits(key: KeyType, bytes: &[u8]) -> u128 {
    let (class, bits) = describe(key);
    let (raw, sign) = (raw_bits(bytes), 1 << (bits - 1));
    match class {
        Class::Struct => fields(key).into_iter().fold(0, |upper, (field, offset)| {
            let own = ordered_bits(field, &bytes[offset..offset + key_bytes(field)]);
            upper << describe(field).1 | own
        }),
        Class::Unsigned => raw,
        Class::Signed => raw ^ sign,
        // −0.0 is +0.0.
        Class::Float if raw == sign => sign,
        Class::Float if raw & sign == 0 => raw ^ sign,
        Class::Float => raw ^ low_mask(bits),
    }
}

/// How to sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The type of the keys.
    pub key: KeyType,
    /// Which end comes first.
    pub order: Order,
    /// The first ordered bit that takes part.
    pub begin_bit: u32,
    /// One past the last.
    pub end_bit: u32,
    /// Whether NaNs come last in either order.
    pub nan_last: bool,
}

impl Task {
    /// Ascending by all of the key, NaNs by their bits.
    pub fn new(key: KeyType) -> Self {
        let end_bit = describe(key).1;
        Self { key, order: Order::Ascending, begin_bit: 0, end_bit, nan_last: false }
    }

    /// The number that orders as the key does, before the range of bits is cut out of it.
    fn ordered_bits(&self, bytes: &[u8]) -> u128 {
        match self.order {
            _ if !(self.nan_last && is_nan(self.key, bytes)) => ordered_bits(self.key, bytes),
            // All NaNs are equal, and at the end that comes last.
            Order::Ascending => low_mask(describe(self.key).1),
            Order::Descending => 0,
        }
    }
}

/// For each position of the sorted array the position in the input that its item comes from.
///
/// ```
/// use sortsmith_codegen::{KeyType, Order};
/// use sortsmith_testkit::oracle::{Task, permutation};
/// let task = Task { order: Order::Descending, ..Task::new(KeyType::I8) };
/// assert_eq!(permutation(&task, &[0xff, 3, 0xff, 7]), [3, 1, 0, 2]);
/// ```
pub fn permutation(task: &Task, keys: &[u8]) -> Vec<u32> {
    let taking_part = low_mask(task.end_bit - task.begin_bit);
    let numbers: Vec<u128> = keys
        .chunks_exact(key_bytes(task.key))
        .map(|bytes| task.ordered_bits(bytes))
        .map(|ordered| ordered.checked_shr(task.begin_bit).unwrap_or(0) & taking_part)
        .collect();
    let mut positions: Vec<u32> = (0..numbers.len() as u32).collect();
    let number_at = |position: u32| numbers[position as usize];
    // sort_by is stable, so equal numbers stay in input order whichever end comes first.
    positions.sort_by(|&a, &b| match task.order {
        Order::Ascending => number_at(a).cmp(&number_at(b)),
        Order::Descending => number_at(b).cmp(&number_at(a)),
    });
    positions
}

/// The items at these positions, in their order.
pub fn gather(items: &[u8], item_bytes: usize, positions: &[u32]) -> Vec<u8> {
    let item = |position: &u32| &items[*position as usize * item_bytes..][..item_bytes];
    positions.iter().flat_map(item).copied().collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn key(text: &str) -> KeyType {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_rules_here_and_in_the_generator_agree() {
        for text in ["u32f32u8", "i64u32", "u8u64u8", "f16u8i8", "u8u8", "bf16f16f32f64"] {
            let key = key(text);
            let made: Vec<_> = key.fields().iter().map(|it| (it.key, it.offset as usize)).collect();
            assert_eq!((fields(key), struct_bytes(key)), (made, key.bytes() as usize), "{text}");
        }
    }

    #[test]
    fn structs_order_by_their_fields_and_padding_does_not_count() {
        // A short behind a padded byte: (1, −1), (1, 0), (0, 5), (1, −1) once more.
        let keys = [1, 9, 0xff, 0xff, 1, 7, 0, 0, 0, 3, 5, 0, 1, 4, 0xff, 0xff];
        let key = key("u8i16");
        let task = |order| Task { order, ..Task::new(key) };
        assert_eq!(permutation(&task(Order::Ascending), &keys), [2, 0, 3, 1]);
        assert_eq!(permutation(&task(Order::Descending), &keys), [1, 0, 3, 2]);
        let low = Task { end_bit: 16, ..task(Order::Ascending) };
        assert_eq!(permutation(&low, &keys), [0, 3, 1, 2]);
        let cleared = without_padding(key, &keys);
        assert_eq!(cleared[4..8], [1, 0, 0, 0]);
        assert_eq!(cleared[..4], cleared[12..]);
    }

    #[test]
    fn zeros_of_both_signs_are_equal_in_any_field() {
        let key = key("f32u8");
        let of = |sign: u8, low: u8| [0, 0, 0, sign, low, 0, 0, 0];
        let keys = [of(0, 2), of(0x80, 1), of(0x80, 2), of(0, 1)].concat();
        let sorted = gather(&keys, 8, &permutation(&Task::new(key), &keys));
        assert_eq!(sorted, [of(0x80, 1), of(0, 1), of(0, 2), of(0x80, 2)].concat());
    }

    fn sorted(key: KeyType, order: Order, keys: &[u8]) -> Vec<u8> {
        let task = Task { order, ..Task::new(key) };
        gather(keys, key_bytes(key), &permutation(&task, keys))
    }

    fn random_bytes(count: usize) -> Vec<u8> {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(count as u64);
        (0..count).map(|_| rng.random()).collect()
    }

    macro_rules! agrees_with_std {
        ($($name:ident: $type:ty, $key:ident, $compare:expr;)*) => {$(
            #[test]
            fn $name() {
                const BYTES: usize = size_of::<$type>();
                let keys = random_bytes(3000 * BYTES);
                let mut expected: Vec<$type> = keys
                    .chunks_exact(BYTES)
                    .map(|bytes| <$type>::from_le_bytes(bytes.try_into().expect("full chunks")))
                    .collect();
                let bytes_of = |keys: &[$type]| keys.iter().flat_map(|key| key.to_le_bytes()).collect::<Vec<u8>>();
                expected.sort_by($compare);
                assert_eq!(sorted(KeyType::$key, Order::Ascending, &keys), bytes_of(&expected));
                expected.sort_by(|a, b| $compare(b, a));
                assert_eq!(sorted(KeyType::$key, Order::Descending, &keys), bytes_of(&expected));
            }
        )*};
    }

    // Random bytes hold no negative zero of 32 bits or more; where they may, the comparison knows that it is a zero.
    agrees_with_std! {
        u8_as_std: u8, U8, u8::cmp;
        u16_as_std: u16, U16, u16::cmp;
        u32_as_std: u32, U32, u32::cmp;
        u64_as_std: u64, U64, u64::cmp;
        u128_as_std: u128, U128, u128::cmp;
        i8_as_std: i8, I8, i8::cmp;
        i16_as_std: i16, I16, i16::cmp;
        i32_as_std: i32, I32, i32::cmp;
        i64_as_std: i64, I64, i64::cmp;
        i128_as_std: i128, I128, i128::cmp;
        f32_as_std: f32, F32, f32::total_cmp;
        f64_as_std: f64, F64, f64::total_cmp;
        f16_as_std: half::f16, F16, |a: &half::f16, b: &half::f16| {
            if a == b { std::cmp::Ordering::Equal } else { a.total_cmp(b) }
        };
        bf16_as_std: half::bf16, Bf16, |a: &half::bf16, b: &half::bf16| {
            if a == b { std::cmp::Ordering::Equal } else { a.total_cmp(b) }
        };
    }

    #[test]
    fn zeros_of_both_signs_keep_their_order() {
        for (key, negative_zero) in [
            (KeyType::F8E4m3, 0x80_u128),
            (KeyType::F8E5m2, 0x80),
            (KeyType::F16, 0x8000),
            (KeyType::Bf16, 0x8000),
            (KeyType::F32, 1 << 31),
            (KeyType::F64, 1 << 63),
        ] {
            let zeros: Vec<u8> = [0, negative_zero, 0, negative_zero]
                .iter()
                .flat_map(|zero| zero.to_le_bytes()[..key_bytes(key)].to_vec())
                .collect();
            for order in [Order::Ascending, Order::Descending] {
                assert_eq!(sorted(key, order, &zeros), zeros, "{key} {order}");
            }
        }
    }

    #[test]
    fn eight_bit_floats_order_by_sign_and_magnitude() {
        // −NaN, −max, −1, −0 and 0, least denormal, 1, max, NaN: e4m3 has its one at 0x38.
        let keys = [0x38, 0x7f, 0x01, 0xfe, 0x7e, 0x80, 0x00, 0xff, 0xb8];
        let expected = [0xff, 0xfe, 0xb8, 0x80, 0x00, 0x01, 0x38, 0x7e, 0x7f];
        assert_eq!(sorted(KeyType::F8E4m3, Order::Ascending, &keys), expected);
        assert_eq!(sorted(KeyType::F8E5m2, Order::Ascending, &keys), expected);
    }

    #[test]
    fn only_the_bits_in_the_range_take_part_and_after_the_transform() {
        let keys = [0x10_u8, 0x21, 0x12, 0x23];
        let at = |begin_bit, end_bit, order| Task {
            order,
            begin_bit,
            end_bit,
            ..Task::new(KeyType::I8)
        };
        assert_eq!(permutation(&at(4, 8, Order::Ascending), &keys), [0, 2, 1, 3]);
        assert_eq!(permutation(&at(4, 8, Order::Descending), &keys), [1, 3, 0, 2]);
        assert_eq!(permutation(&at(0, 1, Order::Ascending), &keys), [0, 2, 1, 3]);
        for bit in 0..=8 {
            assert_eq!(permutation(&at(bit, bit, Order::Descending), &keys), [0, 1, 2, 3]);
        }
        // The ordered sign bit of −1 is clear and that of 1 is set.
        let float = Task { begin_bit: 31, ..Task::new(KeyType::F32) };
        let floats: Vec<u8> =
            [1.0_f32, -1.0, 2.0, -0.0].iter().flat_map(|key| key.to_le_bytes()).collect();
        assert_eq!(permutation(&float, &floats), [1, 0, 2, 3]);
    }

    #[test]
    fn nans_come_last_in_either_order_where_requested() {
        // −NaN, 1, NaN, −∞, another NaN, −1; e4m3 has its largest number where e5m2 has an infinity.
        let floats = |numbers: [f32; 6]| numbers.map(f32::to_le_bytes).concat();
        let keys = floats([
            -f32::NAN,
            1.0,
            f32::NAN,
            f32::NEG_INFINITY,
            f32::from_bits(0x7f80_0001),
            -1.0,
        ]);
        let task = |order| Task { order, nan_last: true, ..Task::new(KeyType::F32) };
        assert_eq!(permutation(&task(Order::Ascending), &keys), [3, 5, 1, 0, 2, 4]);
        assert_eq!(permutation(&task(Order::Descending), &keys), [1, 5, 3, 0, 2, 4]);
        // NaNs have the last digits of any range, and numbers may share them.
        let low = Task { end_bit: 8, ..task(Order::Ascending) };
        assert_eq!(permutation(&low, &keys), [1, 0, 2, 3, 4, 5]);
        for (key, nans) in [
            (KeyType::F8E4m3, vec![0x7f, 0xff]),
            (KeyType::F8E5m2, vec![0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff]),
        ] {
            let found: Vec<u8> = (0..=255).filter(|byte| is_nan(key, &[*byte])).collect();
            assert_eq!(found, nans, "{key}");
        }
    }
}
