//! Keys that are structs: where their fields lie, by the rules of C++ and not from the generator, and keys for tests.

use std::borrow::Cow;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::KeyType;

use crate::inputs::Keys;
use crate::oracle::{Class, describe, key_bytes};
use crate::structured;

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
pub(crate) fn bytes(key: KeyType) -> usize {
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
    let bytes = bytes(key);
    for (from, to) in keys.chunks(bytes).zip(cleared.chunks_mut(bytes)) {
        for (field, offset) in &fields {
            let range = *offset..offset + key_bytes(*field);
            to[range.clone()].copy_from_slice(&from[range]);
        }
    }
    Cow::Owned(cleared)
}

/// Whether a field is a float.
pub(crate) fn has_floats(key: KeyType) -> bool {
    fields(key).iter().any(|(field, _)| describe(*field).0 == Class::Float)
}

/// Structs of a distribution: each field has keys of it, if its type does, and else any. Often the upper fields of many keys are equal. Between
/// fields there is junk.
pub(crate) fn generate(kind: Keys, key: KeyType, n: usize, rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut keys: Vec<u8> = (0..n * bytes(key)).map(|_| rng.random()).collect();
    for (field, offset) in fields(key) {
        let of_field = match kind {
            Keys::AllEqual => kind,
            _ if rng.random_range(0..3) == 0 => Keys::FewDistinct,
            _ if Keys::all(field).contains(&kind) => kind,
            _ => Keys::Uniform,
        };
        let column = of_field.generate(field, n, rng);
        put(&mut keys, bytes(key), &column, key_bytes(field), offset);
    }
    if kind == Keys::AllEqual {
        keys = keys.iter().copied().take(bytes(key)).cycle().take(keys.len()).collect();
    }
    keys
}

/// The structs that a string of bytes describes, each field by the bytes from another one on.
pub(crate) fn described(key: KeyType, n: usize, description: &[u8]) -> Vec<u8> {
    let mut keys = vec![0; n * bytes(key)];
    for (number, (field, offset)) in fields(key).into_iter().enumerate() {
        let mut own = description.to_vec();
        own.rotate_left(number % description.len().max(1));
        let column = structured::keys(field, n, &own);
        put(&mut keys, bytes(key), &column, key_bytes(field), offset);
    }
    keys
}

fn put(keys: &mut [u8], bytes: usize, column: &[u8], field_bytes: usize, offset: usize) {
    for (key, field) in keys.chunks_mut(bytes).zip(column.chunks(field_bytes)) {
        key[offset..offset + field_bytes].copy_from_slice(field);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;
    use sortsmith_codegen::Order;

    use super::*;
    use crate::oracle::{Task, gather, permutation};

    fn key(text: &str) -> KeyType {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_rules_here_and_in_the_generator_agree() {
        for text in ["u32f32u8", "i64u32", "u8u64u8", "f16u8i8", "u8u8", "bf16f16f32f64"] {
            let key = key(text);
            let made: Vec<_> = key.fields().iter().map(|it| (it.key, it.offset as usize)).collect();
            assert_eq!((fields(key), bytes(key)), (made, key.bytes() as usize), "{text}");
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

    #[test]
    fn every_distribution_gives_structs_of_which_many_agree_in_upper_fields() {
        let key = key("u16f32u8");
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut ties = 0;
        for kind in Keys::all(key) {
            let keys = kind.generate(key, 300, &mut rng);
            assert_eq!(keys.len(), 300 * 12, "{kind:?}");
            let upper: HashSet<&[u8]> = keys.chunks(12).map(|key| &key[..2]).collect();
            ties += usize::from(upper.len() < 100);
        }
        assert!(ties > 4, "{ties}");
        assert!(Keys::all(key).contains(&Keys::Zeros));
    }
}
