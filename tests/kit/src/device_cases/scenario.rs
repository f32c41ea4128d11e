//! What a case is for: numbers of keys, keys and ways to sort that take a sort to one of its paths.

use sortsmith_codegen::device::DeviceSpec;

use super::how::How;
use crate::inputs::Keys;

/// The choices of a case before its keys are made. All of them are drawn first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Draft {
    /// The distribution of the keys.
    pub kind: Keys,
    /// Keys.
    pub n: usize,
    /// How they are sorted.
    pub how: How,
}

/// One path of a sort, and the case that takes it.
pub(super) trait Scenario {
    /// Whether the spec has the path.
    fn needs(&self, spec: &DeviceSpec) -> bool;

    /// Keys.
    fn items(&self) -> usize;

    /// What goes wrong in this case alone; none where any case shows it.
    fn shows(&self) -> Option<&'static str>;

    /// Sets the choices that the path depends on. The others stay as they were drawn.
    fn arrange(&self, spec: &DeviceSpec, draft: &mut Draft);
}
