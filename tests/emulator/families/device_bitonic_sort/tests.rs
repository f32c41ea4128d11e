//! What is tested of device-wide sorts by a network.

use sortsmith_codegen::device::DeviceSpec;
use sortsmith_testkit::inputs::Keys;

use super::mutants::{MUTATIONS, SPECS, SURVIVORS};
use crate::device::{Amount, DeviceTests, barriers_of};
use crate::mutants::{Barriers, Ground};
use crate::sites::survivors::{FIRST_KERNEL, Survivor, everywhere, unpassed};
use crate::{proofs, sites};

pub(crate) const TESTS: DeviceTests = DeviceTests {
    plain: Amount { fresh: [5, 283], batch: 4, cases: 24 },
    sanitized: Amount { fresh: [2, 30], batch: 1, cases: 16 },
    mutants: &[Ground {
        specs: &SPECS,
        mutations: MUTATIONS,
        barriers: Barriers::AtRunTime,
        telling: &[],
        survivors: SURVIVORS,
        cases: 30,
    }],
    sites: &[sites::Ground {
        name: "device_bitonic_sort",
        specs: &SPECS,
        cases: 30,
        survivors: SITES,
    }],
    unpassed: UNPASSED,
};

const UNPASSED: &[sites::Unpassed] = &[unpassed(
    "rearrange: __syncwarp 1",
    "Tiles of these sorts are striped over the block, not over warps; block bitonic sorts have both.",
)];

const SITES: &[Survivor] = &[everywhere("grid-before-tiles", FIRST_KERNEL)];

/// A network passes as many barriers whatever the keys are, and as many more for more of them.
#[test]
fn networks_do_the_same_for_all_keys() {
    proofs::of_specs(
        "device_bitonic_sort",
        (module_path!(), "networks_do_the_same_for_all_keys"),
        ["device_bitonic_sort_u32_u32_b64_i2_asc"],
        |[spec]: [DeviceSpec; 1]| {
            let kinds = [Keys::Uniform, Keys::AllEqual, Keys::LowEntropy(5), Keys::LiveBytes(1)];
            let mut before = 0;
            let tiles = [2, 5];
            for (tiles, barriers) in tiles.into_iter().zip(barriers_of(&spec, tiles, 0..32, &kinds))
            {
                assert!(
                    barriers.iter().all(|count| *count == barriers[0]),
                    "{tiles} tiles: {barriers:?}"
                );
                assert!(
                    barriers[0] > before,
                    "{tiles} tiles: {barriers:?}, and {before} for fewer"
                );
                before = barriers[0];
            }
        },
    );
}
