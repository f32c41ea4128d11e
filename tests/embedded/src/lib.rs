//! Kernels that the build script of this crate compiled, as a program has them that is to sort without NVRTC. The tests on
//! a GPU sort by way of them.

use sortsmith::embedded::Bundle;

/// Machine code for `sm_80` and `sm_90` and PTX for newer devices: of sorts of `f32` keys with 4-byte values; of up to
/// 100,000 `u32` keys with 12-byte values, by positions; and of tiles of 128 × 4 `i32` keys.
pub fn cubins() -> &'static Bundle {
    sortsmith::embed!()
}

/// PTX of `sm_75`: of sorts of `u32` keys.
pub fn ptx() -> &'static Bundle {
    sortsmith::embed!(concat!(env!("OUT_DIR"), "/ptx/sortsmith.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sortsmith::embedded::Format;
    use sortsmith_codegen::device::Device;
    use sortsmith_codegen::dispatch::ArraySort;
    use sortsmith_codegen::{Arch, KeyType, ValueType};

    /// Whether NVRTC was there when this was built; else it says that the test is left out.
    fn is_made() -> bool {
        let is_made = !cubins().is_empty();
        assert_eq!(is_made, !ptx().is_empty());
        let demanded = std::env::var_os("SORTSMITH_REQUIRE_CUDA").is_some_and(|it| it == "1");
        assert!(is_made || !demanded, "SORTSMITH_REQUIRE_CUDA=1, but the build script found none");
        if !is_made {
            println!("left out: the build script found no NVRTC");
        }
        is_made
    }

    /// What a device finds in a bundle: names, and whether it is machine code.
    fn found(bundle: &Bundle, arch: Arch) -> Vec<(&'static str, Format)> {
        let runs = |format: Format, made_for| format.runs_on(made_for, arch.capability());
        let images = bundle.images().iter().filter(|it| runs(it.format(), it.arch()));
        images.map(|it| (it.name(), it.format())).collect()
    }

    #[test]
    fn every_device_finds_all_that_the_tests_sort_by() {
        if !is_made() {
            return;
        }
        for arch in Arch::all().filter(|arch| arch.capability() >= 80) {
            let device = Device::of(arch);
            let mut names: Vec<String> = Vec::new();
            let pairs = ArraySort::pairs(KeyType::F32, ValueType::U32).kernels(1 << 29, device);
            let positions = ArraySort::argsort(KeyType::U32).kernels(100_000, device);
            names.extend(pairs.iter().chain(&positions).map(ToString::to_string));
            names.push("gather_b12_w4".to_owned());
            names.push("block_radix_sort_i32_keys_b128_i4_r4_asc".to_owned());
            let cubins = found(cubins(), arch);
            for name in &names {
                assert!(cubins.iter().any(|(found, _)| found == name), "{name} on {arch}");
            }
            assert!(names.len() >= 10, "{names:?}");
            let is_code = |(_, format): &(&str, Format)| *format == Format::Cubin;
            assert_eq!(cubins.iter().any(is_code), arch.capability() < 100, "{arch}");

            let of_old = found(ptx(), arch);
            for kernel in ArraySort::keys(KeyType::U32).kernels(1 << 29, device) {
                assert!(of_old.contains(&(kernel.to_string().as_str(), Format::Ptx)), "{kernel}");
            }
            assert!(!of_old.iter().any(is_code), "{arch}");
        }
    }
}
