//! What the tests know of each family that works on arrays and is no device-wide sort of one array, by the table `kernel_families!` of
//! the generator.
//!
//! A family has a folder in `tests/emulator/families`, named as its specs' names begin. `facts.rs` there implements [`Subject`] and
//! [`KernelFacts`] for its specs; `driver.hpp` and `driver.cpp` are the emulator's side of its requests.

use std::hash::Hash;

use rand_chacha::ChaCha8Rng;

use crate::subject::Subject;

/// What the tests know of the specs of a family.
pub trait KernelFacts: Subject + Eq + Hash {
    /// The family's folder, and how its names begin.
    const FOLDER: &str;

    /// A fixed set of specs, in which the values of the axes meet each other.
    fn covering_set() -> Vec<Self>;

    /// Any spec that is small enough for the emulator.
    fn fresh(rng: &mut ChaCha8Rng) -> Self;

    /// Specs of which every compiler keeps all variables in registers.
    fn compiled_set() -> Vec<Self>;

    /// The symbols of its kernels.
    fn symbols(&self) -> Vec<String>;
}

macro_rules! folders {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        #[path = "../../emulator/families"]
        mod folders {
            $(
                pub(super) mod $name {
                    pub(crate) mod facts;
                }
            )*
        }

        /// The folders of all families.
        pub const FOLDERS: &[&str] = &[$(stringify!($name)),*];

        /// The folder of a family in the generator, from `codegen/src` on; none of other families.
        pub fn folder_of_generator(family: &str) -> Option<&'static str> {
            match family {
                $(stringify!($name) => Some(stringify!($folder)),)*
                _ => None,
            }
        }

        #[cfg(test)]
        mod tests {
            $(
                #[test]
                fn $name() {
                    super::assert_family::<sortsmith_codegen::$folder::$spec>(stringify!($name));
                }
            )*
        }
    };
}
sortsmith_codegen::kernel_families!(folders);

/// The specs of a family are different, and their names begin as its folder is named.
#[cfg(test)]
fn assert_family<S: KernelFacts + std::fmt::Debug>(folder: &str) {
    use std::collections::HashSet;

    use rand::SeedableRng;

    assert_eq!(S::FOLDER, folder);
    let fixed = S::covering_set();
    assert_eq!(S::covering_set(), fixed);
    assert_eq!(fixed.iter().collect::<HashSet<_>>().len(), fixed.len());
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let fresh: Vec<S> = (0..500).map(|_| S::fresh(&mut rng)).collect();
    assert!(fresh.iter().collect::<HashSet<_>>().len() > 50);
    for spec in fixed.iter().chain(&fresh).chain(&S::compiled_set()) {
        let name = spec.to_string();
        assert!(name.starts_with(&format!("{folder}_")), "{name}");
        assert_eq!(name.parse::<S>().ok(), Some(*spec));
        assert!(spec.cost() > 0);
    }
}
