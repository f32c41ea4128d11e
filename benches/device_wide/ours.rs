//! The algorithms of ours that are measured.

use sortsmith::{ArrayAlgorithm, SortOptions};
use sortsmith_benchkit::Method;
use sortsmith_benchkit::settings::variable;

use super::Subject;

/// The variable that lists them.
const VARIABLE: &str = "SORTSMITH_ALGORITHMS";

/// The words, what they stand for, and the method of their rows.
const ALL: [(&str, ArrayAlgorithm, Method); 2] = [
    ("auto", ArrayAlgorithm::Fastest, Method::Into),
    ("device-partition", ArrayAlgorithm::Partition, Method::Partition),
];

/// A sort of ours by an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Ours {
    /// How its rows are marked.
    pub method: Method,
    /// With its algorithm.
    pub options: SortOptions,
}

impl Ours {
    /// The sorts that the environment lists.
    pub fn listed() -> Result<Vec<Self>, String> {
        let words = variable(VARIABLE, ALL[0].0.to_owned())?;
        let of_word = |word: &str| {
            let known = ALL.into_iter().find(|(known, ..)| *known == word);
            let (_, algorithm, method) = known.ok_or_else(|| {
                let legal = ALL.map(|(known, ..)| known).join(", ");
                format!("{VARIABLE}={words} is not legal; legal: of {legal}, with commas")
            })?;
            Ok(Self { method, options: SortOptions::new().algorithm(algorithm) })
        };
        words.split(',').map(|word| of_word(word.trim())).collect()
    }

    /// Whether it has a sort of its own for these types.
    pub fn has(&self, subject: &Subject) -> bool {
        match self.options.get_algorithm() {
            ArrayAlgorithm::Partition => subject.key_bytes() == 8 && subject.value_bytes() <= 8,
            _ => true,
        }
    }
}
