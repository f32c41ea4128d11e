//! What the emulator replaces by code of its own, and so cannot see: the instructions of fences, waits and relaxed words, with their
//! scopes, in the PTX of a sort that has all of them.

use std::collections::BTreeSet;

use sortsmith_codegen::registry::Named;
use sortsmith_codegen::toolchain::{CompileOptions, Format};

use super::{compile_with, loaded_nvrtc};

/// A radix sort by MSD buckets, with tiles that the copy engine loads from `sm_90` on.
const RADIX: &str = "device_radix_sort_f32_u32_b384_i20_asc";
/// The upper digits of its keys are sorted first, and ties by other threads than those that move them.
const FIXES_UP_TIES: &str = "device_radix_sort_u64_u32_b384_i12_asc";
/// Its splitters are published by a block to the others.
const PARTITION: &str = "device_partition_sort_u64_u32_b512_i16_asc";
/// Its chunks look back at each other's counts.
const BINNED: &str = "binned_argsort_i64_b512_i16_r8";
/// Its buckets are gathered by asynchronous copies.
const SAMPLE: &str = "device_sample_sort_u32_u32_b512_i4_asc";

fn ptx_of(name: &str, arch: u32) -> Option<String> {
    let nvrtc = loaded_nvrtc("instructions of fences, waits and relaxed words")?;
    let spec: Named = name.parse().unwrap_or_else(|error| panic!("{error}"));
    let text = spec.header().unwrap_or_else(|error| panic!("{error}"));
    let compiled = compile_with(&nvrtc, name, &text, &CompileOptions::new(arch, Format::Ptx));
    let compiled = compiled.unwrap_or_else(|error| panic!("{error}"));
    Some(String::from_utf8_lossy(&compiled.image).into_owned())
}

/// The instructions of a text with these beginnings, without their operands.
fn instructions(ptx: &str, beginnings: &[&str]) -> BTreeSet<String> {
    let of_line = |line: &str| {
        let code = line.trim().trim_start_matches("{ ").split([' ', ';', '\t']).next()?.to_owned();
        beginnings.iter().any(|it| code.starts_with(it)).then_some(code)
    };
    ptx.lines().filter_map(of_line).collect()
}

fn assert_has(ptx: &str, name: &str, wanted: &[&str]) {
    let words: BTreeSet<&str> = ptx.split([' ', ';', '\t', '\n', '{', '}']).collect();
    let missing: Vec<_> = wanted.iter().filter(|it| !words.contains(**it)).collect();
    let found = instructions(ptx, &["fence", "griddepcontrol", "cp.async", "mbarrier"]);
    assert!(missing.is_empty(), "{name}: no {missing:?}; it has {found:?}");
}

/// Relaxed words have the GPU as their scope: blocks of other multiprocessors read them.
fn assert_no_other_scope(ptx: &str, name: &str) {
    let relaxed = instructions(ptx, &["ld.relaxed", "st.relaxed", "ld.acquire", "st.release"]);
    let others: Vec<_> = relaxed.iter().filter(|it| !it.contains(".gpu.")).collect();
    assert!(others.is_empty() && !relaxed.is_empty(), "{name}: {relaxed:?}");
}

#[test]
fn relaxed_words_are_of_the_gpu() {
    for (name, stores) in [(RADIX, true), (FIXES_UP_TIES, true), (PARTITION, false), (BINNED, true)]
    {
        let Some(ptx) = ptx_of(name, 90) else { return };
        assert_no_other_scope(&ptx, name);
        // A partition sort publishes by atomics.
        let relaxed = instructions(&ptx, &["ld.relaxed.gpu", "st.relaxed.gpu"]);
        assert!(relaxed.len() > usize::from(stores), "{name}: {relaxed:?}");
    }
}

#[test]
fn bulk_copies_have_their_fences_and_waits() {
    let Some(ptx) = ptx_of(RADIX, 90) else { return };
    assert_has(
        &ptx,
        RADIX,
        &[
            "fence.proxy.async.global",
            "fence.proxy.async.shared::cta",
            "fence.mbarrier_init.release.cluster",
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
            "mbarrier.init.shared.b64",
            "mbarrier.arrive.expect_tx.shared.b64",
            "mbarrier.try_wait.parity.shared.b64",
            "griddepcontrol.wait",
            "griddepcontrol.launch_dependents",
        ],
    );
}

#[test]
fn asynchronous_copies_are_waited_for() {
    let Some(ptx) = ptx_of(SAMPLE, 80) else { return };
    assert_has(&ptx, SAMPLE, &["cp.async.wait_all"]);
}
