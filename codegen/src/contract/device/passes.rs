//! What `explain` says of the launches of a sort.

/// How the launches of a sort go over the items. Reports of all families have both numbers; what the passes are, the family says in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passes {
    /// Passes that sort by all digits, each by one; those that would move nothing are left out on the device, and all of them
    /// where a first phase was enough.
    pub by_all_digits: u32,
    /// The phase that comes before those, if there is one.
    pub first_phase: Option<FirstPhase>,
    /// The same in words, a line each.
    pub words: Vec<String>,
}

impl Passes {
    /// Of a sort without passes, by what sorts the items in their stead.
    pub(crate) fn none(instead: &str) -> Self {
        Self { words: vec![format!("none: {instead}")], ..Self::default() }
    }
}

/// A phase that sorts by the upper digits alone, before the one by all digits: if the device finds that equal upper digits are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FirstPhase {
    /// Passes that have a pass slot; the device takes as many as it needs.
    pub passes: u32,
    /// What puts keys in order that agree in those digits, by the family's word for it.
    pub ended_by: &'static str,
}
