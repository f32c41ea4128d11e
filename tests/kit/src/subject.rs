//! The interface of a kind of sort to the runner and to the tests of broken headers. Families with a driver of their own implement it in
//! their `facts.rs`.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::device::{self, DeviceSpec};
use sortsmith_codegen::render::{self, RenderError};
use sortsmith_codegen::{SortSpec, registry};

use crate::cases::{self, Case};
use crate::device_cases::{self, DeviceCase};
use crate::device_families;
use crate::emulator::{Entry, KERNELS, Member, Message, Outcome};
use crate::inputs::Keys;
use crate::row_cases;

/// A spec that can be tested in the emulator.
pub trait Subject: Copy + Display + FromStr<Err: Display> + Send + Sync {
    /// A call, its items, and the expected output: as it is shown for debugging, all that judges an outcome.
    type Case: Debug + Display + Sync;

    /// Its header.
    fn member(&self) -> Result<Member, RenderError>;

    /// The same header with the markers of the templates' lines, by which mutants find them.
    fn marked_header(&self) -> Result<String, RenderError>;

    /// The work of one run, by its items and passes, to which the emulator's time is proportional.
    fn cost(&self) -> u64;

    /// `count` different cases, fewer only where there are no more.
    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<Self::Case>;

    /// `count` cases of keys that random strings of bytes describe, where it sorts keys.
    fn structured_cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<Self::Case> {
        self.cases(count, rng)
    }

    /// The case of `n` keys that a string of bytes describes; none where it sorts no keys.
    fn described_case(
        &self,
        _n: usize,
        _description: &[u8],
        _rng: &mut ChaCha8Rng,
    ) -> Option<Self::Case> {
        None
    }

    /// The request of a case for one order of threads.
    fn message(&self, case: &Self::Case, member: usize, seed: u64) -> Message;

    /// The defect of an outcome, if it has one.
    fn complaint(&self, case: &Self::Case, outcome: &Outcome) -> Option<String>;

    /// Whether a sort passed other barriers than its plan, and so `explain`, says.
    fn wrong_barriers(&self, _case: &Self::Case, _barriers: u32) -> Option<String> {
        None
    }
}

impl Subject for SortSpec {
    type Case = Case;

    fn member(&self) -> Result<Member, RenderError> {
        Member::of(self)
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        render::marked_header(self, KERNELS)
    }

    fn cost(&self) -> u64 {
        crate::sampler::cost(self)
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<Case> {
        let mut cases = cases::of(self, count, rng);
        cases.extend(row_cases::of(self, count.div_ceil(3), rng));
        cases.extend(row_cases::of_counts(self, count.div_ceil(12), rng));
        cases
    }

    fn structured_cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<Case> {
        cases::of_kinds(self, vec![Keys::Structured], count, rng)
    }

    fn described_case(&self, n: usize, description: &[u8], rng: &mut ChaCha8Rng) -> Option<Case> {
        Some(cases::described(self, n, description, rng))
    }

    fn message(&self, case: &Case, member: usize, seed: u64) -> Message {
        case.request(self, member, seed).message()
    }

    fn complaint(&self, case: &Case, outcome: &Outcome) -> Option<String> {
        case.complaint(self, outcome)
    }

    fn wrong_barriers(&self, case: &Case, barriers: u32) -> Option<String> {
        let planned = registry::possible_barriers(self);
        (case.call.entry == Entry::Sort && case.bits.is_none() && !planned.contains(&barriers))
            .then(|| format!("{barriers} barriers, and not the {planned:?} of the plan"))
    }
}

impl Subject for DeviceSpec {
    type Case = DeviceCase;

    fn member(&self) -> Result<Member, RenderError> {
        Member::of_device(self)
    }

    fn marked_header(&self) -> Result<String, RenderError> {
        device::marked_header(self)
    }

    fn cost(&self) -> u64 {
        let rounds = device_families::facts(self.algorithm).rounds(self);
        u64::from(self.tile_items()) * u64::from(rounds) * device_cases::TYPICAL_TILES
    }

    fn cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
        device_cases::of(self, count, rng)
    }

    fn structured_cases(&self, count: usize, rng: &mut ChaCha8Rng) -> Vec<DeviceCase> {
        (0..count).map(|_| device_cases::structured(self, rng)).collect()
    }

    fn described_case(
        &self,
        n: usize,
        description: &[u8],
        rng: &mut ChaCha8Rng,
    ) -> Option<DeviceCase> {
        Some(device_cases::described(self, n, description, rng))
    }

    fn message(&self, case: &DeviceCase, member: usize, seed: u64) -> Message {
        case.request(self, member, seed).message()
    }

    fn complaint(&self, case: &DeviceCase, outcome: &Outcome) -> Option<String> {
        case.complaint(self, outcome)
    }
}
