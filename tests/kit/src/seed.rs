//! Seeds: a fresh one for each run, printed, and given back through the environment to see the same run again.

use std::time::{SystemTime, UNIX_EPOCH};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The variable that fixes the seed of a run.
pub const SEED_VARIABLE: &str = "SORTSMITH_SEED";
/// The variable that narrows a run to the specs of these names, parted by spaces.
pub const SPEC_VARIABLE: &str = "SORTSMITH_SPEC";
/// The variable that enables the long run.
pub const DEEP_VARIABLE: &str = "SORTSMITH_DEEP";
/// The variable that asks for the quick run.
pub const QUICK_VARIABLE: &str = "SORTSMITH_QUICK";
/// The quick run tests one spec in this many.
const QUICK_STEP: usize = 16;

/// The source of all random choices of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed in the environment, else one from the time and the process.
    pub fn from_env() -> Self {
        match std::env::var(SEED_VARIABLE) {
            Ok(text) => {
                Self(text.parse().unwrap_or_else(|_| panic!("{SEED_VARIABLE}={text} is no number")))
            }
            Err(_) => Self::fresh(),
        }
    }

    fn fresh() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(mix(since_1970.as_nanos() as u64 ^ u64::from(std::process::id()) << 48) >> 16)
    }

    /// The choices for one subject, such as a spec's name. They do not depend on the other subjects of the run.
    pub fn rng(self, subject: &str) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(
            subject.bytes().fold(mix(self.0), |hash, byte| mix(hash ^ u64::from(byte))),
        )
    }

    /// The indices of the tested items among `len`: all, but in the quick run one in sixteen, beginning where the seed says.
    ///
    /// Chosen specs are all tested.
    pub fn tested(self, len: usize) -> impl Iterator<Item = usize> {
        let is_sample = is_quick() && chosen_specs().is_none();
        self.every(if is_sample { QUICK_STEP } else { 1 }, len)
    }

    /// One index in `step` of those below `len`, and one at least.
    fn every(self, step: usize, len: usize) -> impl Iterator<Item = usize> {
        let first = mix(self.0) % step.min(len).max(1) as u64;
        (first as usize..len).step_by(step)
    }

    /// The command that repeats the part of a test target's run that concerns one spec.
    pub fn replay(self, test_target: &str, test: &str, spec: &str) -> String {
        let seed = self.0;
        format!(
            "{SEED_VARIABLE}={seed} {SPEC_VARIABLE}={spec} cargo test -p sortsmith-tests --test {test_target} {test} -- --nocapture"
        )
    }
}

/// Whether the environment enables the long run.
pub fn is_deep() -> bool {
    is_set(DEEP_VARIABLE)
}

/// Whether the environment asks for the quick run.
pub fn is_quick() -> bool {
    is_set(QUICK_VARIABLE)
}

fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "1")
}

/// The spec names in the environment; none means all.
pub fn chosen_specs() -> Option<Vec<String>> {
    let names = std::env::var(SPEC_VARIABLE).ok()?;
    Some(names.split_whitespace().map(str::to_owned).collect())
}

/// Mixes a change of any bit into all bits.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31 ^ 0x9e37_79b9_7f4a_7c15
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn choices_depend_on_seed_and_subject_alone() {
        let draw = |seed, subject| Seed(seed).rng(subject).random::<u64>();
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
        assert_ne!(draw(1, "ab"), draw(1, "ba"));
    }

    #[test]
    fn samples_are_distributed_and_never_empty() {
        for seed in 0..20 {
            for len in 1..40 {
                let all: Vec<usize> = Seed(seed).every(1, len).collect();
                assert_eq!(all, (0..len).collect::<Vec<_>>());
                let sample: Vec<usize> = Seed(seed).every(8, len).collect();
                assert!((len / 8..=len.div_ceil(8)).contains(&sample.len()), "{len}: {sample:?}");
                assert!(!sample.is_empty() && sample.iter().all(|index| *index < len));
            }
            assert_eq!(Seed(seed).every(8, 0).count(), 0);
        }
    }
}
