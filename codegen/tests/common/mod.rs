//! What the tests of the generator share. Not every test uses all of it.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Output};

use proptest::prelude::*;
use proptest::sample::select;
use sortsmith_codegen::{
    Algorithm, Arrangement, BitRange, Block, Family, InnerScan, KeyType, LaneMatch, OptionValues,
    Order, Rank, SortSpec, SpecFields, Token, ValueType,
};

/// Any legal spec, of every family.
pub fn any_spec() -> impl Strategy<Value = SortSpec> {
    select(Family::table()).prop_flat_map(|(family, _)| specs_of(family))
}

/// Any legal spec of a family.
pub fn specs_of(family: Family) -> impl Strategy<Value = SortSpec> {
    let options = (
        any_of::<ValueType>(),
        any_of::<Order>(),
        any_of::<Arrangement>(),
        any_of::<Arrangement>(),
    );
    (any_of::<KeyType>(), 1..=64_u32, options)
        .prop_flat_map(move |(key, items, options)| {
            (algorithms(family, key), Just((key, items, options)))
        })
        .prop_filter_map("not legal", |(algorithm, (key, items, (value, order, input, output)))| {
            SpecFields { algorithm, key, value, items, order, input, output }.validate().ok()
        })
}

fn algorithms(family: Family, key: KeyType) -> impl Strategy<Value = Algorithm> {
    (blocks(), 1..=5_u32, 1..=8_u32, ranks(), bits(key), any::<bool>()).prop_map(
        move |(block, log_lanes, radix_bits, rank, bits, stable)| {
            let lanes = 1 << log_lanes;
            let values = OptionValues { block, lanes, radix_bits, rank, bits, stable };
            Algorithm::of(family, values)
        },
    )
}

fn any_of<T: Token + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::table()).prop_map(|(value, _)| value)
}

/// Blocks of every number of threads and dimensions; every other one has full warps.
fn blocks() -> impl Strategy<Value = Block> {
    let any_threads = (1..=1024_u32).prop_map(Block::linear);
    let full_warps = (1..=32_u32).prop_map(|warps| Block::linear(32 * warps));
    let planes = (1..=32_u32, 1..=32_u32).prop_map(|(x, y)| Block { x, y, z: 1 });
    let boxes = (1..=16_u32, 1..=8_u32, 1..=8_u32).prop_map(|(x, y, z)| Block { x, y, z });
    prop_oneof![any_threads, full_warps.clone(), planes, full_warps, boxes]
}

fn ranks() -> impl Strategy<Value = Rank> {
    let packed =
        (any::<bool>(), any_of::<InnerScan>()).prop_map(|(memoize_outer_scan, inner_scan)| {
            Rank::Packed { memoize_outer_scan, inner_scan }
        });
    prop_oneof![packed, any_of::<LaneMatch>().prop_map(Rank::Match)]
}

fn bits(key: KeyType) -> impl Strategy<Value = BitRange> {
    let ranges = (0..key.bits())
        .prop_flat_map(move |begin| (Just(begin), begin + 1..=key.bits()))
        .prop_map(|(begin, end)| BitRange::Static { begin, end });
    prop_oneof![Just(BitRange::Runtime), ranges]
}

/// Runs the command line.
pub fn sortsmith<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Output {
    command(arguments).output().expect("the program runs")
}

/// The command line, to be changed before it is run.
pub fn command<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sortsmith"));
    command.args(arguments);
    command
}

/// Runs words that hold no spaces, with `DIR` in place of the folder.
pub fn run_in(dir: &Path, words: &str) -> Output {
    let dir = dir.to_str().expect("a path of plain letters");
    sortsmith(words.split_whitespace().map(|word| word.replace("DIR", dir)))
}

/// What a run that must succeed wrote to stdout.
#[allow(clippy::needless_pass_by_value)] // of a temporary, at every call
pub fn good(output: Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The one line of a run that must fail with this code, without `error: `.
pub fn error_of(output: &Output, code: i32) -> String {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "more than one line: {stderr}");
    assert!(stderr.ends_with('\n'), "{stderr:?}");
    stderr
        .trim_end()
        .strip_prefix("error: ")
        .unwrap_or_else(|| panic!("no error: {stderr}"))
        .to_owned()
}

/// Bytes that must be text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}
