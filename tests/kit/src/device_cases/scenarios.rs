//! The scenarios of a spec: those of every family, and those that its family has.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sortsmith_codegen::ValueType;
use sortsmith_codegen::device::{Device, DeviceSpec};

use super::how::How;
use super::scenario::{Draft, Scenario, Scenarios, of_part};
use crate::device_families;
use crate::inputs::Keys;

/// The scenarios of any keys, but for those of one multiprocessor, and those of the family.
pub(super) fn of_any_device(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Scenarios {
    let of_size = |n| Box::new(General::Items(n)) as Box<dyn Scenario>;
    let mut scenarios: Scenarios = sizes(spec, rng).into_iter().map(of_size).collect();
    scenarios.extend(of_part(spec, &[(General::EqualDistances, 1)]));
    scenarios.extend(device_families::facts(spec.algorithm).scenarios(spec));
    scenarios
}

/// The scenarios of one multiprocessor.
pub(super) fn of_one_multiprocessor(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Scenarios {
    let of_size = |n| Box::new(General::OneMultiprocessor(n)) as Box<dyn Scenario>;
    rounds(spec, rng).into_iter().map(of_size).collect()
}

/// Scenarios of every family.
#[derive(Clone, Copy, Debug)]
enum General {
    /// Any keys in any way, by their number.
    Items(usize),
    /// Any keys by all bits, by their number. One multiprocessor has the fewest blocks, and there is room for the usual columns of counts.
    OneMultiprocessor(usize),
    /// Several tiles of keys at equal distances, which make a block pad the rows of tiles.
    EqualDistances,
}

impl Scenario for General {
    fn needs(&self, spec: &DeviceSpec) -> bool {
        match self {
            Self::Items(_) | Self::OneMultiprocessor(_) => true,
            Self::EqualDistances => spec.value == ValueType::Index,
        }
    }

    fn items(&self) -> usize {
        match self {
            Self::Items(n) | Self::OneMultiprocessor(n) => *n,
            Self::EqualDistances => 2500,
        }
    }

    fn shows(&self) -> Option<&'static str> {
        match self {
            Self::Items(_) => None,
            Self::OneMultiprocessor(_) => Some("wrong counts of any digit"),
            Self::EqualDistances => Some("positions of padded tiles"),
        }
    }

    fn arrange(&self, spec: &DeviceSpec, draft: &mut Draft) {
        let Draft { kind, how, .. } = draft;
        match self {
            Self::Items(_) => {}
            Self::OneMultiprocessor(_) => {
                how.device = Device { multiprocessors: 1, shared_bytes_per_block: How::ROOM };
                how.take_all_bits(spec);
            }
            Self::EqualDistances => {
                (*kind, how.device.multiprocessors) = (Keys::Cycle, 1);
                how.take_all_bits(spec);
            }
        }
    }
}

/// The edges of tiles, as many sizes between them, and those of the family.
fn sizes(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let tile = spec.tile_items() as usize;
    let edges = [1, 2, 3].map(|tiles| [tiles * tile - 1, tiles * tile, tiles * tile + 1]);
    let mut sizes = vec![0, 1, 2];
    sizes.extend(edges.concat());
    // Few tiles if they are large, because each item costs the same; more small ones than a block looks back at once.
    let most = if tile > 4096 { 3 * tile } else { 6 * tile };
    sizes.extend((0..10).map(|_| rng.random_range(3..=most)));
    let most = if tile > 1024 { most } else { 12 * tile };
    sizes.extend((0..2).map(|_| rng.random_range(most / 2..=most)));
    sizes.extend(device_families::facts(spec.algorithm).sizes(spec, rng));
    sizes
}

/// A full round of loads in one block that counts, two blocks, and a full round of two and then some.
pub(crate) fn rounds(spec: &DeviceSpec, rng: &mut ChaCha8Rng) -> [usize; 3] {
    let round = device_families::facts(spec.algorithm).items_of_one_block(spec);
    [round, round + 1, 2 * round + rng.random_range(1..1000)]
}
