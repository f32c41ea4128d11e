//! Keys that a string of bytes describes, for fuzzers: a change of a byte changes a run, a step or a bit, and not all keys.

use sortsmith_codegen::KeyType;

use crate::oracle::{Class, describe, fields, key_bytes, low_mask, max_magnitude, put_field};

/// The bytes of a description, over and over.
struct Description<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Description<'_> {
    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at % self.bytes.len().max(1)).copied().unwrap_or_default();
        self.at += 1;
        byte
    }

    fn number(&mut self, bytes: usize) -> u128 {
        (0..bytes).fold(0, |number, _| number << 8 | u128::from(self.byte()))
    }
}

/// `n` keys, as they lie in memory: pieces, each of an operation, a length and what it works on, until there are enough.
/// A description that has ended begins again, and goes on from the keys that are there.
pub fn keys(key: KeyType, n: usize, description: &[u8]) -> Vec<u8> {
    if !key.is_scalar() {
        return structs(key, n, description);
    }
    let (class, bits) = describe(key);
    let mask = low_mask(bits);
    let mut from = Description { bytes: description, at: 0 };
    let mut keys: Vec<u128> = Vec::with_capacity(n);
    while keys.len() < n {
        let last = keys.last().copied().unwrap_or_default();
        let (kind, length) = (from.byte() % 8, from.byte());
        // 1 to 256 keys: short pieces are as frequent as long ones.
        let length =
            1usize.max(usize::from(length) * usize::from(length) / 254).min(n - keys.len());
        match kind {
            0 => {
                let literal = from.number(key_bytes(key)) & mask;
                keys.extend(std::iter::repeat_n(literal, length));
            }
            1 | 2 => {
                let step = from.number(2) << (from.byte() % 128);
                let steps = (1..=length as u128).map(|it| it.wrapping_mul(step));
                let is_up = kind == 1;
                let next =
                    |by: u128| if is_up { last.wrapping_add(by) } else { last.wrapping_sub(by) };
                keys.extend(steps.map(|by| next(by) & mask));
            }
            3 => {
                let special = special(class, key, from.byte());
                keys.extend((0..length).map(|it| if it % 2 == 0 { special } else { last }));
            }
            4 => {
                // An earlier piece with one bit changed.
                let back = 1 + from.byte() as usize * length / 256;
                let bit = 1u128 << (u32::from(from.byte()) % bits);
                for _ in 0..length {
                    let earlier = keys.len().checked_sub(back).map_or(last, |at| keys[at]);
                    keys.push(earlier ^ bit);
                }
            }
            5 => {
                let (salt, live) = (from.number(2), u32::from(from.byte()) % bits + 1);
                let fixed = last & !low_mask(live);
                let draw = |it: u128| fixed | mix(salt << 64 | it) & low_mask(live);
                keys.extend((0..length as u128).map(draw));
            }
            6 => {
                let bit = 1u128 << (u32::from(from.byte()) % bits);
                keys.extend((0..length).map(|it| if it % 2 == 0 { last ^ bit } else { last }));
            }
            _ => {
                // Up and down again.
                let half = length as u128 / 2;
                let height = |it: u128| if it <= half { it } else { length as u128 - it };
                keys.extend((0..length as u128).map(|it| last.wrapping_add(height(it)) & mask));
            }
        }
    }
    keys.iter().flat_map(|number| number.to_le_bytes()[..key_bytes(key)].to_vec()).collect()
}

/// Structs, each field by the description from another byte on.
fn structs(key: KeyType, n: usize, description: &[u8]) -> Vec<u8> {
    let mut keys = vec![0; n * key_bytes(key)];
    for (number, field) in fields(key).into_iter().enumerate() {
        let mut own = description.to_vec();
        own.rotate_left(number % description.len().max(1));
        put_field(&mut keys, key, field, &self::keys(field.0, n, &own));
    }
    keys
}

/// The minimum and maximum keys, zeros, numbers next to a change of sign; for floats also infinities and NaNs.
fn special(class: Class, key: KeyType, which: u8) -> u128 {
    let bits = describe(key).1;
    let (mask, sign) = (low_mask(bits), 1u128 << (bits - 1));
    let integers = [0, 1 & mask, mask, mask - 1, sign, sign - 1];
    if class != Class::Float {
        return integers[usize::from(which) % integers.len()];
    }
    let max_magnitude = max_magnitude(key);
    let floats = [
        0,
        sign,
        1,
        sign | 1,
        max_magnitude,
        sign | max_magnitude,
        max_magnitude + 1,
        sign | (max_magnitude + 1),
        mask,
    ];
    floats[usize::from(which) % floats.len()]
}

/// Mixes a number into all bits.
fn mix(number: u128) -> u128 {
    let number = (number ^ number >> 59).wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
    let number = (number ^ number >> 67).wrapping_mul(0x5851_f42d_4c95_7f2d_1405_7b7e_f767_814f);
    number ^ number >> 61
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_as_many_keys_as_requested_and_all_are_legal() {
        for key in KeyType::ALL {
            for n in [0, 1, 2, 1000] {
                for description in [&[][..], &[5], &[1, 255, 3], &[0, 90, 1, 2, 3, 4, 3, 60, 7]] {
                    let keys = keys(*key, n, description);
                    assert_eq!(keys.len(), n * key_bytes(*key));
                    assert!(*key != KeyType::Bool || keys.iter().all(|byte| *byte < 2));
                }
            }
        }
    }

    #[test]
    fn each_operation_makes_other_keys() {
        let of = |kind| keys(KeyType::F32, 500, &[0, 30, 1, 2, 3, 4, kind, 200, 9, 8, 7]);
        assert_eq!((1..8).map(of).collect::<HashSet<_>>().len(), 7);
    }
}
