//! What a case is for: numbers of keys, keys and ways to sort that take a sort to one of its paths.

use sortsmith_codegen::device::DeviceSpec;

use super::how::How;
use crate::inputs::Keys;

/// The choices of a case before its keys are made. All of them are drawn first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Draft {
    /// The distribution of the keys.
    pub kind: Keys,
    /// Keys.
    pub n: usize,
    /// How they are sorted.
    pub how: How,
}

/// One path of a sort, and the case that takes it.
pub trait Scenario {
    /// Whether the spec has the path.
    fn needs(&self, spec: &DeviceSpec) -> bool;

    /// Keys.
    fn items(&self) -> usize;

    /// What goes wrong in this case alone; none where any case shows it.
    fn shows(&self) -> Option<&'static str>;

    /// Sets the choices that the path depends on. The others stay as they were drawn.
    fn arrange(&self, spec: &DeviceSpec, draft: &mut Draft);
}

/// Scenarios of a spec, in the order in which they are tried.
pub type Scenarios = Vec<Box<dyn Scenario>>;

/// The scenarios that a part of a sort adds, as often as it wants them; those alone that the spec has.
pub(crate) fn of_part<S: Scenario + Copy + 'static>(
    spec: &DeviceSpec,
    part: &[(S, usize)],
) -> Scenarios {
    let repeated = part.iter().flat_map(|(it, times)| std::iter::repeat_n(*it, *times));
    repeated.filter(|it| it.needs(spec)).map(|it| Box::new(it) as Box<dyn Scenario>).collect()
}
