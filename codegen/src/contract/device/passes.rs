//! What `explain` says of the launches of a sort.

use serde::Serialize;

/// How the launches of a sort go over the items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passes {
    /// Passes that sort by all digits, each by one; those that would move nothing are left out on the device, and all of them
    /// where a first phase was enough.
    pub by_all_digits: u32,
    /// The phase that comes before those, if there is one.
    pub first_phase: Option<FirstPhase>,
    /// What sorts the items in place of passes, if there are none.
    pub instead: Option<&'static str>,
}

/// A phase that sorts by the upper digits alone, before the one by all digits: if the device finds that equal upper digits are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FirstPhase {
    /// Passes that have a pass slot; the device takes as many as it needs.
    pub passes: u32,
    /// What puts keys in order that agree in those digits.
    pub ended_by: PhaseEnd,
}

/// What ends the phase by the upper digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseEnd {
    /// Ties, which are rare, are put in order where they are.
    FixUp,
    /// A block sorts each part of the array that they leave.
    MsdBuckets,
}
