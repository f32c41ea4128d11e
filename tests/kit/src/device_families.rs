//! What the tests know of each family of device-wide sorts, by the table `device_families!` of the generator.
//!
//! A family has a folder in `tests/emulator/families`, named as its sorts' names begin. `facts.rs` there has `Facts`, a type without
//! fields that implements [`DeviceFacts`].

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::KeyType;
use sortsmith_codegen::device::{DeviceAlgorithm, DeviceFields, DeviceSpec, Launch};

use crate::device_cases::device_case::DeviceCase;
use crate::device_cases::how::How;
use crate::device_cases::scenario::Scenarios;
use crate::device_cases::ways::Ways;
use crate::inputs::Keys;
use crate::sampler::struct_key;

/// What the tests know of a family of device-wide sorts. The methods take its own specs alone.
pub trait DeviceFacts: Sync {
    /// A fixed set of its sorts, in which the values of its axes meet each other: the same specs each time.
    fn covering_set(&self) -> Vec<DeviceSpec>;

    /// Any of its sorts: of a small tile most often, now and then of a large one.
    fn fresh(&self, rng: &mut ChaCha8Rng) -> DeviceSpec;

    /// How often a sort goes over its items, about, which tells what it costs in the emulator.
    fn rounds(&self, spec: &DeviceSpec) -> u32;

    /// Whether its kernels take longer to run in the emulator than to compile.
    fn runs_longer_than_it_compiles(&self) -> bool {
        false
    }

    /// Ways that only its sorts have: any that the spec has.
    fn draw_ways(&self, _: &DeviceSpec, _: &mut ChaCha8Rng) -> Ways {
        Ways::default()
    }

    /// Whether keys and values lie side by side between passes.
    fn interleaves(&self, _: &DeviceSpec, _: &How) -> bool {
        false
    }

    /// The arguments that only its kernels read, as the header has them, of a sort by these launches.
    fn own_arguments(&self, _: &DeviceSpec, _: &How, _: &[Launch]) -> Vec<u32> {
        Vec::new()
    }

    /// Numbers of items to try beside those at the edges of tiles.
    fn sizes(&self, _: &DeviceSpec, _: &mut ChaCha8Rng) -> Vec<usize> {
        Vec::new()
    }

    /// Distributions of keys beside those that all sorts meet.
    fn kinds(&self, _: &DeviceSpec) -> Vec<Keys> {
        Vec::new()
    }

    /// Scenarios each of which is tried, however few cases there are, before all others.
    fn first_scenarios(&self, _: &DeviceSpec) -> Scenarios {
        Scenarios::new()
    }

    /// Scenarios that are tried among those of all sorts.
    fn scenarios(&self, _: &DeviceSpec) -> Scenarios {
        Scenarios::new()
    }

    /// Makes of a drawn way to sort one that the sort has, for keys of this kind, or for any.
    fn fit(&self, _: &DeviceSpec, _kind: Option<Keys>, _: &mut How) {}

    /// The most items, a power of two, that one block counts where there is room for more; 1 where no kernel counts digits.
    fn items_of_one_block(&self, _: &DeviceSpec) -> usize {
        1
    }

    /// What is launched for n items.
    fn launches(&self, spec: &DeviceSpec, n: u64, how: &How) -> Vec<Launch> {
        spec.launches(n, how.bits.clone(), how.device)
    }

    /// Cases beside those of the usual keys and numbers of items.
    fn cases(&self, _: &DeviceSpec, _: &mut ChaCha8Rng) -> OwnCases {
        OwnCases::default()
    }

    /// Sorts with all variables of their kernels in registers, but for [what these spill](Self::spilled_bytes), and the architecture
    /// that they are compiled for.
    fn without_local_memory(&self) -> Vec<(DeviceSpec, u32)> {
        Vec::new()
    }

    /// The most bytes that registers of a thread may spill.
    fn spilled_bytes(&self) -> u32 {
        0
    }
}

/// Cases that only one family has.
#[derive(Debug, Default)]
pub struct OwnCases {
    /// Cases that broken headers meet before those of drawn keys.
    pub first: Vec<DeviceCase>,
    /// Cases that come behind all others.
    pub last: Vec<DeviceCase>,
}

macro_rules! folders {
    ($(
        $(#[$doc:meta])*
        $variant:ident $({ $($(#[$option_doc:meta])* $option:ident,)* })? $name:ident $word:literal $family:path;
    )*) => {
        #[path = "../../emulator/families"]
        pub mod folders {
            //! The families' folders, as far as the kit has them.
            $(
                pub mod $name {
                    //! The family's.
                    pub mod facts;
                }
            )*
        }

        /// The facts of the family of an algorithm.
        pub fn facts(algorithm: DeviceAlgorithm) -> &'static dyn DeviceFacts {
            match algorithm {
                $(DeviceAlgorithm::$variant { .. } => &folders::$name::facts::Facts,)*
                _ => panic!("{}: no family of the table `device_families!`", algorithm.prefix()),
            }
        }
    };
}
sortsmith_codegen::device_families!(folders);

/// A scalar most often, and else a struct.
pub(crate) fn any_key(rng: &mut ChaCha8Rng) -> KeyType {
    if rng.random_ratio(1, 8) {
        return struct_key(rng);
    }
    *KeyType::ALL.choose(rng).expect("not empty")
}

/// The spec of a name, which it has to be.
pub(crate) fn named(name: &str) -> DeviceSpec {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The fields as a spec, which they have to be.
pub(crate) fn legal(fields: DeviceFields) -> DeviceSpec {
    fields.validate().unwrap_or_else(|error| panic!("{fields:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;

    use super::*;

    #[test]
    fn sorts_are_of_their_family_and_different() {
        for algorithm in DeviceAlgorithm::ALL {
            let is_its_own = |spec: &DeviceSpec| {
                let name = spec.to_string();
                name.starts_with(&format!("{}_", algorithm.prefix())) && name.parse() == Ok(*spec)
            };
            let fixed = facts(algorithm).covering_set();
            assert!(fixed.iter().all(is_its_own), "{fixed:?}");
            assert_eq!(fixed.iter().collect::<HashSet<_>>().len(), fixed.len());
            assert_eq!(facts(algorithm).covering_set(), fixed);
            let mut rng = ChaCha8Rng::seed_from_u64(9);
            let fresh: Vec<DeviceSpec> =
                (0..500).map(|_| facts(algorithm).fresh(&mut rng)).collect();
            assert!(fresh.iter().all(is_its_own), "{fresh:?}");
            assert!(fresh.iter().collect::<HashSet<_>>().len() > 50, "{}", algorithm.prefix());
            assert!(fresh.iter().chain(&fixed).all(|spec| facts(algorithm).rounds(spec) > 0));
        }
    }
}
