//! What is sorted, as bytes; the same each time.

use half::f16;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sortsmith_codegen::{KeyType, ValueType};

use crate::bench::{Input, Point};

/// Keys of a type.
pub fn keys(key: KeyType, point: Point) -> Vec<u8> {
    let n = point.n as usize;
    let mut rng = SmallRng::seed_from_u64(point.n);
    let mut numbers = || (rng.next_u32() >> 8).cast_signed() - 0x80_0000;
    // The multiples of 1/4096 between -2048 and 2048.
    match (point.input, key) {
        (Input::Random, KeyType::F16) => {
            bytes_of(n, || f16::from_f32(numbers() as f32 / 4096.0).to_le_bytes())
        }
        (Input::Random, KeyType::F32) => bytes_of(n, || (numbers() as f32 / 4096.0).to_le_bytes()),
        (Input::Random, KeyType::F64) => {
            bytes_of(n, || (f64::from(numbers()) / 4096.0).to_le_bytes())
        }
        (input, key) => {
            let mut bytes = vec![0; n * key.bytes() as usize];
            rng.fill_bytes(&mut bytes);
            if input == Input::And3 {
                let mut others = vec![0; bytes.len()];
                for _ in 0..2 {
                    rng.fill_bytes(&mut others);
                    bytes.iter_mut().zip(&others).for_each(|(byte, other)| *byte &= other);
                }
            }
            bytes
        }
    }
}

/// Values: each key's number, as far as it has room. None where there are none to read.
pub fn values(value: ValueType, n: u64) -> Vec<u8> {
    match value {
        ValueType::None | ValueType::Index => Vec::new(),
        value => {
            let mut bytes = Vec::with_capacity(n as usize * value.bytes() as usize);
            for number in 0..n {
                let number = u128::from(number).to_le_bytes();
                bytes.extend_from_slice(&number[..value.bytes() as usize]);
            }
            bytes
        }
    }
}

fn bytes_of<const BYTES: usize>(n: usize, mut item: impl FnMut() -> [u8; BYTES]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(n * BYTES);
    for _ in 0..n {
        bytes.extend(item());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_as_long_as_they_are_said_to_be_and_the_same_each_time() {
        for input in [Input::Random, Input::And3] {
            for key in [KeyType::U8, KeyType::F16, KeyType::F32, KeyType::F64, KeyType::U128] {
                let point = Point { n: 1000, input };
                let made = keys(key, point);
                assert_eq!(made.len(), 1000 * key.bytes() as usize);
                assert_eq!(made, keys(key, point));
            }
        }
        assert_eq!(values(ValueType::U16, 3), [0, 0, 1, 0, 2, 0]);
        assert_eq!(values(ValueType::U128, 3).len(), 48);
        assert_eq!((values(ValueType::None, 3).len(), values(ValueType::Index, 3).len()), (0, 0));
    }

    #[test]
    fn floats_are_numbers_and_ands_have_few_bits() {
        let point = |input| Point { n: 4000, input };
        let floats = keys(KeyType::F32, point(Input::Random));
        let mut numbers =
            floats.chunks_exact(4).map(|it| f32::from_le_bytes([it[0], it[1], it[2], it[3]]));
        assert!(numbers.all(|it| it.abs() <= 2048.0 && (it * 4096.0).fract() == 0.0));
        let ones = |input| {
            let keys = keys(KeyType::U32, point(input));
            keys.iter().map(|byte| f64::from(byte.count_ones())).sum::<f64>()
                / (8.0 * keys.len() as f64)
        };
        assert!((ones(Input::Random) - 0.5).abs() < 0.01);
        assert!((ones(Input::And3) - 0.125).abs() < 0.01);
    }
}
