//! Sorts by the kernels that this program carries, where nothing can be compiled and nothing is cached.

use std::fs;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, CudaStream};
use sortsmith::embedded::Format;
use sortsmith::{BlockRadixSort, Error, SortKey, SortValue, Sorter};
use sortsmith_test_embedded as carried;

use crate::data::Items;
use crate::device::check::bytes_of;
use crate::device::inputs::{Keys, Pattern, value_at};
use crate::processes::{Child, has_loaded_nvrtc, path_of};
use crate::{Setting, Test, is_set};

pub fn tests() -> Vec<Test> {
    vec![("embedded::sorts_without_a_compiler".to_owned(), sorts_without_a_compiler)]
}

fn sorts_without_a_compiler(setting: &Setting) {
    let bundle = carried::cubins();
    if bundle.is_empty() {
        let demanded = ["SORTSMITH_REQUIRE_GPU", "SORTSMITH_REQUIRE_CUDA"].into_iter().any(is_set);
        assert!(!demanded, "this program was built without NVRTC, and carries nothing");
        println!("left out: this program was built without NVRTC, and carries nothing");
        return;
    }
    let (major, minor) = setting.context.compute_capability().unwrap();
    if (major, minor) < (8, 0) {
        println!("left out: this program carries nothing for sm_{major}{minor}");
        return;
    }
    let takes_ptx = takes_ptx();
    if major >= 10 && !takes_ptx {
        println!("left out: the driver is older than the PTX for sm_{major}{minor}");
        return;
    }
    let cache = tempfile::tempdir().unwrap();
    let stderr = Child::Embedded.run(&[
        ("SORTSMITH_CACHE_DIR", path_of(cache.path())),
        ("SORTSMITH_CUDA", "none"),
        ("SORTSMITH_BACKEND", "gpu"),
        ("SORTSMITH_DISABLE_JIT", "1"),
        ("SORTSMITH_VERBOSE", "1"),
    ]);
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0, "the cache was written");
    // The driver's message about PTX that is too new has the word "compiled" too.
    let is_made_here = |line: &str| line.starts_with("sortsmith: compiled ");
    assert!(!stderr.lines().any(is_made_here) && !stderr.contains("from the cache"), "{stderr}");
    // Machine code where it is the device's, else PTX; and PTX of an old architecture.
    let of_own =
        if major < 10 { "is embedded (cubin of sm_" } else { "is embedded (ptx of sm_90)" };
    let loaded = |kernel: &str, how: &str| {
        stderr.lines().any(|line| line.contains(kernel) && line.contains(how))
    };
    for kernel in [
        "block_radix_sort_f32_u32_",
        "device_sample_sort_f32_u32_",
        "device_radix_sort_f32_u32_",
        "device_sample_sort_u32_index_",
        "gather_b12_w4",
        "block_radix_sort_i32_keys_b128_i4_r4_asc",
    ] {
        assert!(loaded(kernel, of_own), "{kernel}: {stderr}");
    }
    for kernel in [
        "block_radix_sort_u32_keys_",
        "device_sample_sort_u32_keys_",
        "device_radix_sort_u32_keys_",
    ] {
        let how =
            if takes_ptx { "is embedded (ptx of sm_75)" } else { "refuses the embedded ptx of" };
        assert!(loaded(kernel, how), "{kernel}: {stderr}");
    }
}

/// Whether the driver is as new as the compiler of the embedded PTX, which says so itself. An older one refuses PTX.
fn takes_ptx() -> bool {
    let ptx = carried::ptx().images().iter().find(|image| image.format() == Format::Ptx).unwrap();
    let text = String::from_utf8_lossy(ptx.bytes());
    let release = text.lines().find_map(|line| line.split_once("release ")).unwrap().1;
    let release = release.split_once(',').unwrap().0;
    let (major, minor) = release.split_once('.').unwrap();
    let compiler: (i32, i32) = (major.parse().unwrap(), minor.parse().unwrap());
    let mut version = 0;
    // SAFETY: the pointer is to a live number.
    let code = unsafe { sys::cuDriverGetVersion(&raw mut version) };
    assert_eq!(code, CUresult::CUDA_SUCCESS);
    let driver = (version / 1000, version % 1000 / 10);
    println!("the driver is for CUDA {driver:?}, and the PTX by NVRTC {compiler:?}");
    driver >= compiler
}

/// What the child process does.
pub fn run_as_child() {
    let stream = CudaContext::new(0).unwrap().default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    // Before the kernels are taken in there are none.
    let mut keys = stream.clone_htod(&[2.0f32, 1.0]).unwrap();
    let mut rows = stream.clone_htod(&[0u32, 1]).unwrap();
    let error = sorter.sort_pairs::<f32, u32>(&mut keys, &mut rows).unwrap_err();
    assert!(matches!(error, Error::JitDisabled { .. }), "{error}");

    for bundle in [carried::cubins(), carried::ptx()] {
        println!("embedded: {bundle}");
    }
    sorter.sort_pairs::<f32, u32>(&mut keys, &mut rows).unwrap();
    assert_eq!(stream.clone_dtoh(&rows).unwrap(), [1, 0]);

    let takes_ptx = takes_ptx();
    // A tile, small n in each shape, large n.
    for n in [2, 400, 2000, 100_000, 200_000, 400_000, 1_000_003, 5_000_011] {
        check::<f32, u32>(&sorter, &stream, n);
        if takes_ptx {
            check::<u32, ()>(&sorter, &stream, n);
        } else {
            let mut keys = stream.alloc_zeros::<u32>(n).unwrap();
            let error = sorter.sort(&mut keys).unwrap_err();
            assert!(matches!(error, Error::KernelRejected { .. }), "{error}");
        }
        if n <= 100_000 {
            check::<u32, [u32; 3]>(&sorter, &stream, n);
        }
    }
    let mut tiles: Vec<i32> =
        (0..5000).map(|item: i32| item.wrapping_mul(0x9e37_79b1_u32.cast_signed())).collect();
    let mut expected = tiles.clone();
    BlockRadixSort::<i32>::tiles(128, 4).sort(&sorter, &mut tiles).unwrap();
    expected.chunks_mut(512).for_each(<[i32]>::sort_unstable);
    assert_eq!(tiles, expected);

    // The functions for host slices find them, too.
    let mut keys: Vec<f32> = (0..200_000u32).rev().map(|item| item as f32).collect();
    let mut rows: Vec<u32> = (0..200_000).collect();
    assert_ne!(sortsmith::backend().unwrap(), sortsmith::Backend::Host);
    sortsmith::sort_pairs::<f32, u32>(&mut keys, &mut rows).unwrap();
    assert!(keys.is_sorted() && rows.iter().rev().copied().eq(0..200_000));

    // A kernel that is not embedded is an error that names it.
    let mut others = stream.clone_htod(&[2i16, 1]).unwrap();
    let error = sorter.sort(&mut others).unwrap_err();
    let is_named = matches!(&error, Error::JitDisabled { kernel, .. }
        if kernel.starts_with("block_radix_sort_i16_keys_"));
    assert!(is_named, "{error}");
    assert!(!has_loaded_nvrtc(), "NVRTC was loaded");
}

/// Sorts on the device, and on the host.
fn check<K: SortKey, V: SortValue>(sorter: &Sorter, stream: &Arc<CudaStream>, n: usize) {
    let mut keys = Keys { pattern: Pattern::LowEntropy(2), n, seed: n as u64 }.all::<K>();
    let mut values: Vec<V> = (0..n).map(value_at).collect();
    let mut d_keys = Items::holding(stream, bytes_of(&keys));
    let mut d_values = Items::holding(stream, bytes_of(&values));
    d_keys
        .call(|keys| match size_of::<V>() {
            0 => sorter.sort::<K>(keys),
            _ => d_values.call(|values| sorter.sort_pairs::<K, V>(keys, values)),
        })
        .unwrap();
    Sorter::host().sort_pairs(&mut keys, &mut values).unwrap();
    let words = format!("{n} {} keys with {} bytes", K::KEY_TYPE, size_of::<V>());
    assert!(d_keys.read() == bytes_of(&keys), "keys: {words}");
    assert!(d_values.read() == bytes_of(&values), "values: {words}");
}
