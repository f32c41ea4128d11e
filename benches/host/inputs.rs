//! Keys to sort.

use std::fmt;

use bytemuck::AnyBitPattern;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sortsmith::SortKey;
use sortsmith::device::KeyType;
use sortsmith_testkit::inputs::Keys;

/// A distribution of keys.
#[derive(Clone, Copy)]
pub enum Input {
    /// All integers, or floats at equal distances.
    Random,
    /// As the tests have it.
    Class(Keys),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Class(keys) => write!(f, "{keys:?}"),
        }
    }
}

impl Input {
    /// The classes that every type of keys has.
    pub fn classes() -> Vec<Self> {
        let more = [Keys::LiveBytes(2), Keys::Cycle, Keys::TwoTops, Keys::UpperBytes];
        let more = more.into_iter().chain([Keys::HiddenHeavyHitters, Keys::TiedGroups]);
        Keys::all(KeyType::U32).into_iter().chain(more).map(Self::Class).collect()
    }

    /// Keys of this distribution, the same each time.
    pub fn keys<K: SortKey + AnyBitPattern>(self, n: usize) -> Vec<K> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let bytes = match self {
            Self::Class(class) => class.generate(K::KEY_TYPE, n, &mut rng),
            Self::Random if K::KEY_TYPE == KeyType::F32 => {
                (0..n).flat_map(|_| (rng.random_range(-1.0f32..1.0)).to_ne_bytes()).collect()
            }
            Self::Random => {
                let mut bytes = vec![0; n * size_of::<K>()];
                rand::Rng::fill_bytes(&mut rng, &mut bytes);
                bytes
            }
        };
        // Comparisons of NaNs are no order, which std's sorts refuse.
        let number = |key: K| if key.is_nan_key() { K::zeroed() } else { key };
        bytes
            .chunks_exact(size_of::<K>())
            .map(|bytes| number(bytemuck::pod_read_unaligned(bytes)))
            .collect()
    }
}
