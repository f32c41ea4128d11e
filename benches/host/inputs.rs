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
    /// All integers, or floats between -1 and 1.
    Random,
    /// As the tests have it.
    Class(Keys),
    /// Random keys in order, but for one in a hundred, which is any key.
    NearlySorted,
    /// Random keys in order, and one in a hundred behind them.
    Appended,
    /// Random keys, one half in order, the other half in the opposite order.
    OrganPipe,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Class(keys) => write!(f, "{keys:?}"),
            Self::NearlySorted => f.write_str("nearly sorted"),
            Self::Appended => f.write_str("appended"),
            Self::OrganPipe => f.write_str("organ pipe"),
        }
    }
}

impl Input {
    /// The classes that every type of keys has.
    pub fn classes() -> Vec<Self> {
        let more = [Keys::LiveBytes(2), Keys::Cycle, Keys::TwoTops, Keys::UpperBytes];
        let more = more.into_iter().chain([Keys::HiddenHeavyHitters, Keys::TiedGroups]);
        let classes = Keys::all(KeyType::U32).into_iter().chain(more).map(Self::Class);
        classes.chain([Self::NearlySorted, Self::Appended, Self::OrganPipe]).collect()
    }

    /// Keys of this distribution, the same each time.
    pub fn keys<K: SortKey + AnyBitPattern>(self, n: usize) -> Vec<K> {
        let mut keys = self.draw::<K>(n);
        let sort = |keys: &mut [K]| keys.sort_by_key(|key| key.to_compared_bits());
        match self {
            Self::Random | Self::Class(_) => {}
            Self::NearlySorted => {
                let others: Vec<K> = keys.iter().copied().step_by(100).collect();
                sort(&mut keys);
                keys.iter_mut().step_by(100).zip(others).for_each(|(key, other)| *key = other);
            }
            Self::Appended => sort(&mut keys[..n - n / 100]),
            Self::OrganPipe => {
                sort(&mut keys[..n / 2]);
                sort(&mut keys[n / 2..]);
                keys[n / 2..].reverse();
            }
        }
        keys
    }

    /// Keys as they are drawn.
    fn draw<K: SortKey + AnyBitPattern>(self, n: usize) -> Vec<K> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let bytes = match self {
            Self::Class(class) => class.generate(K::KEY_TYPE, n, &mut rng),
            _ if K::KEY_TYPE == KeyType::F32 => {
                (0..n).flat_map(|_| (rng.random_range(-1.0f32..1.0)).to_ne_bytes()).collect()
            }
            _ => {
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
