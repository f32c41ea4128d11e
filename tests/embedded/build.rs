//! Compiles what the GPU tests carry. It takes NVRTC, and no GPU; without NVRTC the bundles hold nothing.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use sortsmith_codegen::build::{ArraySort, BUNDLE_FILE, BuildError, Bundle};
use sortsmith_codegen::gather::GatherSpec;
use sortsmith_codegen::{KeyType, ValueType};

/// The most items of the small sorts. Larger sorts take one more kernel, which compiles for as long as all the others.
const FEW: u64 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    // Machine code for two architectures, and PTX for what is newer.
    Bundle::for_archs([80, 90])
        .sort(ArraySort::pairs(KeyType::F32, ValueType::U32))
        .sort_up_to(ArraySort::argsort(KeyType::U32), FEW)
        .gather(GatherSpec::new(12, 4)?)
        .tiles("block_radix_sort_i32_keys_b128_i4_r4_asc".parse()?)
        .write_or_warn()?;

    // PTX of an old architecture alone, for all but the devices of that one.
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or(BuildError::NoOutDir)?);
    let folder = out_dir.join("ptx");
    match Bundle::for_archs([75]).sort(ArraySort::keys(KeyType::U32)).write_to(&folder) {
        // Then the first bundle holds nothing, too.
        Err(BuildError::NoCompiler(_)) => {
            fs::create_dir_all(&folder)?;
            fs::copy(out_dir.join(BUNDLE_FILE), folder.join(BUNDLE_FILE))?;
        }
        result => result?,
    }
    Ok(())
}
