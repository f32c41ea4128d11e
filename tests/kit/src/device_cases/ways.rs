//! Ways to sort that only one family has.

use std::collections::BTreeSet;
use std::fmt;

/// A way to sort that only one family has, by the words that a case is described with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way(pub &'static str);

/// Such ways that a case takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ways(BTreeSet<Way>);

impl Ways {
    /// Whether the case takes it.
    pub fn has(&self, way: Way) -> bool {
        self.0.contains(&way)
    }

    /// Takes it, or not.
    pub fn set(&mut self, way: Way, is_taken: bool) {
        if is_taken {
            self.0.insert(way);
        } else {
            self.0.remove(&way);
        }
    }

    /// The same with it, or without.
    #[must_use]
    pub fn with(mut self, way: Way, is_taken: bool) -> Self {
        self.set(way, is_taken);
        self
    }
}

impl From<Way> for Ways {
    fn from(way: Way) -> Self {
        Self::default().with(way, true)
    }
}

/// As a description goes on: a comma before each.
impl fmt::Display for Ways {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|Way(words)| write!(f, ", {words}"))
    }
}
