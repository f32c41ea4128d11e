//! Keys of any type and values of any size, made by all cores: each follows from its position.

use bytemuck::Pod;
use rayon::prelude::*;
use sortsmith::SortKey;
use sortsmith_testkit::oracle::low_mask;

/// A distribution of keys, as ordered bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Every bit pattern is equally likely.
    Uniform,
    /// In order already.
    Sorted,
    /// In the opposite order.
    Reversed,
    /// One key.
    AllEqual,
    /// Five different keys.
    FewDistinct,
    /// The AND of this number of uniform integers.
    LowEntropy(u32),
    /// 16 random bits, again and again: digits look independent and are not.
    Repeated,
    /// The upper half is one of `n / keys_each` numbers; the lower half is random in the bits of `low`.
    UpperDigits {
        /// How many keys agree in the upper half, on average.
        keys_each: usize,
        /// The bits of each byte of the lower half that are not zero.
        low: u8,
    },
}

/// The key at a position of `n` keys.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// Their distribution.
    pub pattern: Pattern,
    /// How many there are.
    pub n: usize,
    /// Which ones, where they are random.
    pub seed: u64,
}

impl Keys {
    /// All keys.
    pub fn all<K: SortKey>(&self) -> Vec<K> {
        (0..self.n).into_par_iter().map(|position| self.at(position)).collect()
    }

    /// The key at this position.
    pub fn at<K: SortKey>(&self, position: usize) -> K {
        let bytes = self.ordered_bits(position, K::KEY_TYPE.bits()).to_le_bytes();
        K::from_ordered_bits(bytemuck::pod_read_unaligned(&bytes[..size_of::<K>()]))
    }

    fn ordered_bits(&self, position: usize, bits: u32) -> u128 {
        let mask = low_mask(bits);
        let (index, n) = (position as u128, self.n as u128);
        let random = |salt: u64| mixed(self.seed.wrapping_add(salt) ^ mixed(position as u64));
        let word = |salt| u128::from(random(salt)) << 64 | u128::from(random(salt + 1));
        // From 0 to all ones.
        let ramp = |index: u128| if mask >= n { mask / n * index } else { index * mask / n };
        mask & match self.pattern {
            Pattern::Uniform => word(0),
            Pattern::Sorted => ramp(index),
            Pattern::Reversed => ramp(n - 1 - index),
            Pattern::AllEqual => wide_mixed(self.seed),
            Pattern::FewDistinct => wide_mixed(self.seed ^ (random(0) % 5)),
            Pattern::LowEntropy(words) => {
                (0..u64::from(words)).fold(mask, |bits, salt| bits & word(2 * salt))
            }
            Pattern::Repeated => u128::from(random(0) as u16) * (u128::MAX / u128::from(u16::MAX)),
            Pattern::UpperDigits { keys_each, low } => {
                let upper_count = (self.n / keys_each).max(1) as u64;
                let upper = wide_mixed(self.seed ^ (random(0) % upper_count));
                let half = low_mask(bits / 2);
                let low = word(1) & (u128::from(low) * (u128::MAX / 0xff));
                (upper & !half) | (low & half)
            }
        }
    }
}

/// The value at a position. Neighbours differ; those of 4 bytes and more are all different, and so are the words of one.
pub fn value_at<V: Pod>(position: usize) -> V {
    let mut value = V::zeroed();
    for (number, part) in (0..).zip(bytemuck::bytes_of_mut(&mut value).chunks_mut(16)) {
        let salted = position as u64 + (number << 48);
        let low = salted.wrapping_mul(0x9e37_79b9_7f4a_7ca7);
        let high = salted.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let bytes = (u128::from(high) << 64 | u128::from(low)).to_le_bytes();
        part.copy_from_slice(&bytes[..part.len()]);
    }
    value
}

/// A number's own 128 random bits.
fn wide_mixed(number: u64) -> u128 {
    u128::from(mixed(number)) << 64 | u128::from(mixed(!number))
}

/// Mixes a change of any bit into all bits.
pub fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
