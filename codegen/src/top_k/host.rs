//! What the host computes for a top-k beyond what it does for sorts: over numbers where Rust searches, over C++ expressions in a header.

use std::fmt;

use crate::contract::device::host::{Cpp, CppTruth, Number, Truth};

/// What launches of top-ks take of numbers.
pub(crate) trait HostNumber: Number {
    /// What estimates are computed with.
    type Real: Real<Truth = Self::Truth>;

    fn real(self) -> Self::Real;
    /// Without what is behind the point.
    fn truncated(real: Self::Real) -> Self;
    /// The root, rounded down.
    fn root(self) -> Self;
    /// The first power of two up to the most that is legal and enough, or else the last one that is legal; 0 where none is.
    fn power_of_two(
        most: u64,
        is_legal: impl Fn(Self) -> Self::Truth,
        is_enough: impl Fn(Self) -> Self::Truth,
    ) -> Self;
}

/// A number of an estimate: a double.
pub(crate) trait Real: Clone {
    type Truth: Truth;

    fn known(number: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn root(self) -> Self;
    fn floor(self) -> Self;
    fn reaches(self, least: Self) -> Self::Truth;
    fn choose(condition: &Self::Truth, yes: Self, no: Self) -> Self;
}

/// Whether one of two conditions holds.
pub(super) fn either<T: Truth>(one: T, other: T) -> T {
    one.not().and(other.not()).not()
}

impl HostNumber for u64 {
    type Real = f64;

    fn real(self) -> f64 {
        self as f64
    }
    fn truncated(real: f64) -> Self {
        real as Self
    }
    fn root(self) -> Self {
        self.isqrt()
    }
    fn power_of_two(
        most: u64,
        is_legal: impl Fn(Self) -> bool,
        is_enough: impl Fn(Self) -> bool,
    ) -> Self {
        let mut last = 0;
        for power in (0..=most.ilog2()).map(|log2| 1 << log2).filter(|it| is_legal(*it)) {
            last = power;
            if is_enough(power) {
                break;
            }
        }
        last
    }
}

impl Real for f64 {
    type Truth = bool;

    fn known(number: f64) -> Self {
        number
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn over(self, other: Self) -> Self {
        self / other
    }
    fn root(self) -> Self {
        self.sqrt()
    }
    fn floor(self) -> Self {
        Self::floor(self)
    }
    fn reaches(self, least: Self) -> bool {
        self >= least
    }
    fn choose(condition: &bool, yes: Self, no: Self) -> Self {
        if *condition { yes } else { no }
    }
}

impl HostNumber for Cpp {
    type Real = CppReal;

    fn real(self) -> CppReal {
        CppReal(format!("static_cast<double>({self})"))
    }
    fn truncated(CppReal(real): CppReal) -> Self {
        Self::Text(format!("static_cast<unsigned long long>({real})"))
    }
    fn root(self) -> Self {
        match self {
            Self::Known(number) => Self::Known(number.isqrt()),
            Self::Text(text) => Self::Text(format!("root({text})")),
        }
    }
    fn power_of_two(
        most: u64,
        is_legal: impl Fn(Self) -> CppTruth,
        is_enough: impl Fn(Self) -> CppTruth,
    ) -> Self {
        let number = || Self::Text("number".to_owned());
        let lambda =
            |truth: CppTruth| format!("[&](unsigned long long number) {{ return {truth}; }}");
        let [is_legal, is_enough] = [is_legal(number()), is_enough(number())].map(lambda);
        Self::Text(format!("power_of_two({most}, {is_legal}, {is_enough})"))
    }
}

/// The C++ that computes a double.
#[derive(Clone, Debug)]
pub(crate) struct CppReal(pub(crate) String);

impl fmt::Display for CppReal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Real for CppReal {
    type Truth = CppTruth;

    fn known(number: f64) -> Self {
        Self(format!("{number:?}"))
    }
    fn plus(self, other: Self) -> Self {
        Self(format!("({self} + {other})"))
    }
    fn times(self, other: Self) -> Self {
        Self(format!("({self} * {other})"))
    }
    fn over(self, other: Self) -> Self {
        Self(format!("({self} / {other})"))
    }
    fn root(self) -> Self {
        Self(format!("sqrt({self})"))
    }
    fn floor(self) -> Self {
        Self(format!("floor({self})"))
    }
    fn reaches(self, least: Self) -> CppTruth {
        CppTruth::Text(format!("{self} >= {least}"))
    }
    fn choose(condition: &CppTruth, yes: Self, no: Self) -> Self {
        match condition {
            CppTruth::Known(true) => yes,
            CppTruth::Known(false) => no,
            CppTruth::Text(text) => Self(format!("({text} ? {yes} : {no})")),
        }
    }
}

/// What launches and scratch follow from.
#[derive(Clone, Debug)]
pub(crate) struct HostFacts<N> {
    pub rows: N,
    pub columns: N,
    pub k: N,
    pub multiprocessors: N,
}

/// A number of Rust's host, which is far below 2³².
pub(super) fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_the_first_that_is_enough_or_the_last_legal_one() {
        let of = |most_legal: u64, enough: u64| {
            u64::power_of_two(512, |it| it <= most_legal, |it| it >= enough)
        };
        assert_eq!([of(512, 5), of(512, 1), of(70, 1000), of(0, 1)], [8, 1, 64, 0]);
        let most = || Cpp::Text("most".to_owned());
        let text =
            Cpp::power_of_two(4, |it| most().reaches(it), |it| it.real().reaches(Real::known(2.0)));
        let expected = "power_of_two(4, [&](unsigned long long number) { return most >= number; }, \
                        [&](unsigned long long number) { return static_cast<double>(number) >= 2.0; })";
        assert_eq!(text.to_string(), expected);
    }
}
