//! What top-ks find beside keys: the values of cases, and what is expected of them.

use rand::{Rng, RngExt};
use sortsmith_codegen::ValueType;
use sortsmith_codegen::top_k::TopKValue;

use crate::cases::first_difference;
use crate::oracle;

/// What specs find beside their keys, of tests that meet each: positions of both widths, values of one word and of several.
pub(crate) const KINDS: [TopKValue; 8] = [
    TopKValue::Index64,
    TopKValue::Values { word: ValueType::U32, words: 1 },
    TopKValue::Values { word: ValueType::U8, words: 1 },
    TopKValue::Values { word: ValueType::U128, words: 1 },
    TopKValue::Values { word: ValueType::U16, words: 1 },
    TopKValue::Values { word: ValueType::U32, words: 3 },
    TopKValue::Values { word: ValueType::U64, words: 1 },
    TopKValue::Values { word: ValueType::U8, words: 7 },
];

/// What one case finds beside its keys.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    kind: TopKValue,
    /// Whether positions of 32 bits are wanted.
    pub(crate) writes_positions: bool,
    /// Whether values are wanted, or positions of 64 bits.
    pub(crate) writes_values: bool,
    /// A value for each key.
    pub(crate) values: Vec<u8>,
    expected_positions: Vec<u8>,
    expected_values: Vec<u8>,
}

impl Found {
    /// Of a case of this number of keys. Numbers are drawn only where there is a choice.
    pub(crate) fn random(kind: TopKValue, keys: usize, rng: &mut impl Rng) -> Self {
        let is_more = kind != TopKValue::Index;
        let writes_positions = !is_more || rng.random_ratio(1, 3);
        let mut values = Vec::new();
        if matches!(kind, TopKValue::Values { .. }) {
            values.extend((0..keys * kind.bytes() as usize).map(|_| rng.random::<u8>()));
        }
        Self {
            kind,
            writes_positions,
            writes_values: is_more && (!writes_positions || rng.random_ratio(3, 4)),
            values,
            expected_positions: Vec::new(),
            expected_values: Vec::new(),
        }
    }

    /// Expects what is at these positions of a row, which begins at the key `start`.
    pub(crate) fn expect(&mut self, start: usize, positions: &[u32]) {
        if self.writes_positions {
            self.expected_positions.extend(positions.iter().flat_map(|it| it.to_le_bytes()));
        }
        if !self.writes_values {
            return;
        }
        let bytes = self.kind.bytes() as usize;
        let expected = match self.kind {
            TopKValue::Values { .. } => {
                oracle::gather(&self.values[start * bytes..], bytes, positions)
            }
            _ => positions.iter().flat_map(|it| i64::from(*it).to_le_bytes()).collect(),
        };
        self.expected_values.extend(expected);
    }

    /// Bytes of the answer.
    pub(crate) fn answered(&self) -> usize {
        self.expected_positions.len() + self.expected_values.len()
    }

    /// What is wrong with the answer.
    pub(crate) fn complaint(&self, answer: &[u8]) -> Option<String> {
        let (positions, values) = answer.split_at(self.expected_positions.len().min(answer.len()));
        let bytes = self.kind.bytes() as usize;
        first_difference("position", positions, &self.expected_positions, 4)
            .or_else(|| first_difference("value", values, &self.expected_values, bytes))
    }
}
