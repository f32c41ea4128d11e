//! What the host computes for a sort, written once: over numbers where Rust sorts, over C++ expressions where a header does.

use std::fmt;
use std::ops::Range;

use super::launch::{Device, Kernel, Launch, LaunchArgument};
use super::scratch::Scratch;

/// A number that the host computes. Sums and products are far below 2⁶⁴.
pub(crate) trait Number: Clone {
    /// What comparisons of such numbers are.
    type Truth: Truth;

    fn known(number: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    /// Zero where the other one is greater.
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn divided_by(self, other: Self) -> Self;
    fn divided_up_by(self, other: Self) -> Self;
    fn shifted_left_by(self, bits: Self) -> Self;
    fn at_most(self, other: Self) -> Self;
    fn at_least(self, other: Self) -> Self;
    /// The least power of two that is not less; 1 for 0.
    fn next_power_of_two(self) -> Self;
    /// The logarithm to base 2, rounded down; 0 for 0.
    fn log2(self) -> Self;
    fn is(self, other: Self) -> Self::Truth;
    fn reaches(self, least: Self) -> Self::Truth;
    fn choose(condition: &Self::Truth, yes: Self, no: Self) -> Self;

    /// The least multiple of `unit` that is not less.
    fn next_multiple_of(self, unit: u64) -> Self {
        self.divided_up_by(Self::known(unit)).times(Self::known(unit))
    }
}

/// A condition of the host.
pub(crate) trait Truth: Clone {
    fn known(truth: bool) -> Self;
    fn and(self, other: Self) -> Self;
    fn not(self) -> Self;
}

impl Number for u64 {
    type Truth = bool;

    fn known(number: u64) -> Self {
        number
    }
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    fn minus(self, other: Self) -> Self {
        self.saturating_sub(other)
    }
    fn times(self, other: Self) -> Self {
        self.saturating_mul(other)
    }
    fn divided_by(self, other: Self) -> Self {
        self / other
    }
    fn divided_up_by(self, other: Self) -> Self {
        self.div_ceil(other)
    }
    fn shifted_left_by(self, bits: Self) -> Self {
        self << bits
    }
    fn at_most(self, other: Self) -> Self {
        self.min(other)
    }
    fn at_least(self, other: Self) -> Self {
        self.max(other)
    }
    fn next_power_of_two(self) -> Self {
        Self::next_power_of_two(self)
    }
    fn log2(self) -> Self {
        self.max(1).ilog2().into()
    }
    fn is(self, other: Self) -> bool {
        self == other
    }
    fn reaches(self, least: Self) -> bool {
        self >= least
    }
    fn choose(condition: &bool, yes: Self, no: Self) -> Self {
        if *condition { yes } else { no }
    }
}

impl Truth for bool {
    fn known(truth: bool) -> Self {
        truth
    }
    fn and(self, other: Self) -> Self {
        self && other
    }
    fn not(self) -> Self {
        !self
    }
}

/// A number, or the C++ that computes it from the variables of `templates/device/facade.cuh`, all of them `unsigned long long`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cpp {
    Known(u64),
    Text(String),
}

impl fmt::Display for Cpp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Cpp {
    fn call(function: &str, arguments: [&Self; 2]) -> Self {
        let [first, second] = arguments;
        Self::Text(format!("{function}({first}, {second})"))
    }

    fn both(&self, other: &Self) -> Option<[u64; 2]> {
        match (self, other) {
            (Self::Known(own), Self::Known(other)) => Some([*own, *other]),
            _ => None,
        }
    }
}

impl Number for Cpp {
    type Truth = CppTruth;

    fn known(number: u64) -> Self {
        Self::Known(number)
    }
    fn plus(self, other: Self) -> Self {
        match self.both(&other) {
            Some([own, other]) => Self::Known(own.plus(other)),
            None if self == Self::Known(0) => other,
            None if other == Self::Known(0) => self,
            None => Self::Text(format!("({self} + {other})")),
        }
    }
    fn minus(self, other: Self) -> Self {
        match self.both(&other) {
            Some([own, other]) => Self::Known(own.minus(other)),
            None if other == Self::Known(0) => self,
            None => Self::call("minus", [&self, &other]),
        }
    }
    fn times(self, other: Self) -> Self {
        match self.both(&other) {
            Some([own, other]) => Self::Known(own.times(other)),
            None if self == Self::Known(0) || other == Self::Known(0) => Self::Known(0),
            None if self == Self::Known(1) => other,
            None if other == Self::Known(1) => self,
            None => Self::Text(format!("{self} * {other}")),
        }
    }
    fn divided_by(self, other: Self) -> Self {
        match self.both(&other) {
            Some([own, other]) => Self::Known(own / other),
            None => Self::Text(format!("({self} / ({other}))")),
        }
    }
    fn divided_up_by(self, other: Self) -> Self {
        match self.both(&other) {
            Some([own, other]) => Self::Known(own.div_ceil(other)),
            None => Self::call("divided_up", [&self, &other]),
        }
    }
    fn shifted_left_by(self, bits: Self) -> Self {
        match self.both(&bits) {
            Some([own, bits]) => Self::Known(own << bits),
            None => Self::Text(format!("(({self}) << ({bits}))")),
        }
    }
    fn at_most(self, other: Self) -> Self {
        match self.both(&other) {
            Some([own, other]) => Self::Known(own.min(other)),
            None => Self::call("least", [&self, &other]),
        }
    }
    fn at_least(self, other: Self) -> Self {
        match self.both(&other) {
            Some([own, other]) => Self::Known(own.max(other)),
            None => Self::call("largest", [&self, &other]),
        }
    }
    fn next_power_of_two(self) -> Self {
        match self {
            Self::Known(number) => Self::Known(number.next_power_of_two()),
            Self::Text(text) => Self::Text(format!("next_power_of_two({text})")),
        }
    }
    fn log2(self) -> Self {
        match self {
            Self::Known(number) => Self::Known(number.log2()),
            Self::Text(text) => Self::Text(format!("floor_log2({text})")),
        }
    }
    fn is(self, other: Self) -> CppTruth {
        match self.both(&other) {
            Some([own, other]) => CppTruth::Known(own == other),
            None => CppTruth::Text(format!("{self} == {other}")),
        }
    }
    fn reaches(self, least: Self) -> CppTruth {
        match self.both(&least) {
            Some([own, least]) => CppTruth::Known(own >= least),
            None if least == Self::Known(0) => CppTruth::Known(true),
            None => CppTruth::Text(format!("{self} >= {least}")),
        }
    }
    fn choose(condition: &CppTruth, yes: Self, no: Self) -> Self {
        match condition {
            CppTruth::Known(true) => yes,
            CppTruth::Known(false) => no,
            CppTruth::Text(_) if yes == no => yes,
            CppTruth::Text(text) => Self::Text(format!("({text} ? {yes} : {no})")),
        }
    }
}

/// The same of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CppTruth {
    Known(bool),
    Text(String),
}

impl fmt::Display for CppTruth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(truth) => write!(f, "{truth}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl Truth for CppTruth {
    fn known(truth: bool) -> Self {
        Self::Known(truth)
    }
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(false), _) | (_, Self::Known(false)) => Self::Known(false),
            (Self::Known(true), rest) | (rest, Self::Known(true)) => rest,
            (Self::Text(own), Self::Text(other)) => Self::Text(format!("{own} && {other}")),
        }
    }
    fn not(self) -> Self {
        match self {
            Self::Known(truth) => Self::Known(!truth),
            Self::Text(text) => Self::Text(format!("!({text})")),
        }
    }
}

/// What launches and scratch depend on.
#[derive(Clone, Debug)]
pub(crate) struct HostFacts<N> {
    pub n: N,
    pub begin_bit: N,
    pub end_bit: N,
    pub multiprocessors: N,
    pub shared_bytes_per_block: N,
}

impl HostFacts<u64> {
    /// Of a sort that is about to be launched.
    pub fn of(n: u64, bits: &Range<u32>, device: Device) -> Self {
        Self {
            n,
            begin_bit: bits.start.into(),
            end_bit: bits.end.into(),
            multiprocessors: device.multiprocessors.max(1).into(),
            shared_bytes_per_block: device.shared_bytes_per_block.into(),
        }
    }
}

impl HostFacts<Cpp> {
    /// The variables of the C++.
    pub fn variables() -> Self {
        let variable = |name: &str| Cpp::Text(name.to_owned());
        Self {
            n: variable("n"),
            begin_bit: variable("begin_bit"),
            end_bit: variable("end_bit"),
            multiprocessors: variable("multiprocessors"),
            shared_bytes_per_block: variable("shared_bytes_per_block"),
        }
    }
}

/// A launch that is made where its condition holds.
#[derive(Clone, Debug)]
pub(crate) struct HostLaunch<N: Number> {
    pub condition: N::Truth,
    pub kernel: Kernel,
    /// The number that the kernel takes beside its arguments, if any, behind the family's word for it in reports.
    pub argument: Option<(&'static str, N)>,
    pub blocks: N,
    pub threads: u32,
    pub shared_bytes: N,
}

impl<N: Number> HostLaunch<N> {
    /// A launch that is always made, of a kernel that takes no number.
    pub fn new(kernel: Kernel, blocks: N, threads: u32, shared_bytes: N) -> Self {
        let condition = N::Truth::known(true);
        Self { condition, kernel, argument: None, blocks, threads, shared_bytes }
    }

    /// The same where this holds too.
    pub fn only_if(self, condition: &N::Truth) -> Self {
        Self { condition: condition.clone().and(self.condition), ..self }
    }
}

/// The launches that are made, in their order.
pub(crate) fn made(launches: Vec<HostLaunch<u64>>) -> Vec<Launch> {
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let made = launches.into_iter().filter(|it| it.condition);
    made.map(|it| Launch {
        kernel: it.kernel,
        argument: it.argument.map(|(word, number)| LaunchArgument::Own(word, narrow(number))),
        blocks: narrow(it.blocks),
        threads: it.threads,
        shared_bytes: narrow(it.shared_bytes),
    })
    .collect()
}

/// What a sort takes beside its arrays, in bytes; as `Scratch`.
#[derive(Clone, Debug)]
pub(crate) struct HostScratch<N> {
    pub zeroed: N,
    pub workspace: N,
    pub alternate: N,
    pub alternate_keys: N,
}

impl From<HostScratch<u64>> for Scratch {
    fn from(bytes: HostScratch<u64>) -> Self {
        let HostScratch { zeroed, workspace, alternate, alternate_keys } = bytes;
        Self { zeroed, workspace, alternate, alternate_keys }
    }
}

/// What a C++ host does for a sort of n items, of which there are some.
#[derive(Clone, Debug)]
pub(crate) struct CppHost {
    pub launches: Vec<HostLaunch<Cpp>>,
    pub scratch: HostScratch<Cpp>,
    /// Arguments that only this family's kernels read.
    pub arguments: Vec<(&'static str, CppArgument)>,
}

/// What a C++ host sets an argument to, which is an `int` in the header.
#[derive(Clone, Debug)]
pub(crate) enum CppArgument {
    Number(Cpp),
    /// 1 where it holds, of the sort's arrays too: `Arrays` of `templates/device/facade.cuh`.
    Truth(CppTruth),
}

impl fmt::Display for CppArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "static_cast<int>({number})"),
            Self::Truth(truth) => truth.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_computed_and_the_rest_is_written() {
        let n = || Cpp::Text("n".to_owned());
        let known = Cpp::Known;
        assert_eq!(known(3).plus(known(4)).times(known(2)), known(14));
        let tiles = n().divided_up_by(known(9216));
        assert_eq!(tiles.to_string(), "divided_up(n, 9216)");
        let most = tiles.at_most(Cpp::Text("multiprocessors".to_owned()).times(known(2)));
        assert_eq!(most.to_string(), "least(divided_up(n, 9216), multiprocessors * 2)");
        let is_long = n().reaches(known(100));
        assert_eq!(is_long.clone().and(CppTruth::Known(true)), is_long);
        assert_eq!(is_long.clone().and(CppTruth::Known(false)), CppTruth::Known(false));
        assert_eq!(is_long.clone().not().to_string(), "!(n >= 100)");
        assert_eq!(Cpp::choose(&is_long, known(1), known(2)).to_string(), "(n >= 100 ? 1 : 2)");
        assert_eq!(n().plus(known(0)), n());
        assert_eq!(n().reaches(known(0)), CppTruth::Known(true));
    }
}
