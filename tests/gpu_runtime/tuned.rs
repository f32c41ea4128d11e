//! Tuned shapes: the results are those of the built-in ones, bit for bit; and which file a process goes by.

use std::fs;
use std::path::Path;

use cudarc::driver::CudaContext;
use rand::RngExt;
use sortsmith::tuning::{Case, SizeClass, Tuning, TuningFile};
use sortsmith::{SortKey, SortOptions, SortValue, Sorter};
use sortsmith_codegen::ValueType;
use sortsmith_codegen::tuning::file::Row;
use sortsmith_testkit::inputs::Keys;

use crate::data::Items;
use crate::processes::{Child, path_of};
use crate::{Setting, Test};

/// Shapes of each case that are tried: some near the built-in one, some far from it.
const SHAPES: usize = 4;

/// Items of each array, at most.
const MOST: u64 = 3_000_001;

pub fn tests() -> Vec<Test> {
    vec![
        ("tuned::f32_u32".to_owned(), check::<f32, u32>),
        ("tuned::u64".to_owned(), check::<u64, ()>),
        ("tuned::i16_u64".to_owned(), check::<i16, u64>),
        ("tuned::positions_of_f32".to_owned(), check_positions),
        ("tuned::files".to_owned(), files),
    ]
}

/// Some shapes of a case, as tunings of it alone.
fn tunings(setting: &Setting, case: Case) -> Vec<Tuning> {
    let candidates = case.candidates(setting.device);
    let others = &candidates[1..];
    let step = (others.len() / SHAPES).max(1);
    others.iter().step_by(step).map(|spec| Tuning::default().with(case, spec.shape())).collect()
}

fn cases<K: SortKey>(value: ValueType) -> Vec<(Case, usize)> {
    let classes = SizeClass::ALL.into_iter().filter(|class| class.least() < MOST);
    let of_class = |class: SizeClass| {
        let n = class.most().min(MOST);
        Case::of(K::KEY_TYPE, value, n).map(|case| (case, n as usize))
    };
    classes.filter_map(of_class).collect()
}

fn check<K: SortKey, V: SortValue>(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let built_in = Sorter::with_tuning(&stream, Tuning::default()).unwrap();
    let mut rng = setting.seed.rng("tuned");
    for (case, n) in cases::<K>(V::CARRIED.moved()) {
        let kinds = Keys::all(K::KEY_TYPE);
        for (number, tuning) in tunings(setting, case).into_iter().enumerate() {
            let sorter = Sorter::with_tuning(&stream, tuning.clone()).unwrap();
            let kind = kinds[rng.random_range(0..kinds.len())];
            let bytes = kind.generate(K::KEY_TYPE, n, &mut rng);
            let values: Vec<u8> = (0..n * size_of::<V>()).map(|byte| (byte >> 3) as u8).collect();
            let options = SortOptions::new();
            let options = if number % 2 == 0 { options } else { options.descending() };
            let result_of = |sorter: &Sorter| {
                let mut keys = Items::holding(&stream, &bytes);
                let mut with = Items::holding(&stream, &values);
                sorter.reserve_with::<K, V>(n, options).unwrap();
                // There is no slice of items without bytes.
                let done = keys.call(|keys| match size_of::<V>() {
                    0 => sorter.sort_with::<K>(keys, options),
                    _ => with.call(|with| sorter.sort_pairs_with::<K, V>(keys, with, options)),
                });
                done.unwrap();
                (keys.read(), with.read())
            };
            let is_same = result_of(&sorter) == result_of(&built_in);
            assert!(is_same, "{case}, {n} {kind:?}: {:?}", tuning.shape(&case));
        }
    }
}

fn check_positions(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let built_in = Sorter::with_tuning(&stream, Tuning::default()).unwrap();
    let keys: Vec<f32> =
        (0..MOST as u32).map(|item| (item.wrapping_mul(0x9e37_79b9) >> 12) as f32).collect();
    let keys = stream.clone_htod(&keys).unwrap();
    for (case, n) in cases::<f32>(ValueType::Index) {
        let keys = keys.slice(..n);
        let expected = stream.clone_dtoh(&built_in.argsort::<f32>(&keys).unwrap()).unwrap();
        for tuning in tunings(setting, case) {
            let sorter = Sorter::with_tuning(&stream, tuning.clone()).unwrap();
            let found = stream.clone_dtoh(&sorter.argsort::<f32>(&keys).unwrap()).unwrap();
            assert!(found == expected, "{case}, {n}: {:?}", tuning.shape(&case));
        }
    }
}

/// A process goes by the file that it is given, says so, and sorts right whatever the file is.
fn files(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.default_stream()).unwrap();
    let gpu = sorter.gpu_id().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tuning.toml");
    let run = |path: &Path, more: &[(&str, &str)]| {
        let variables = [("SORTSMITH_TUNING", path_of(path)), ("SORTSMITH_VERBOSE", "1")];
        Child::Tuned.run(&[&variables, more].concat())
    };
    let case = Case::of(f32::KEY_TYPE, ValueType::U32, 1 << 17).unwrap();
    let candidates = case.candidates(setting.device);
    let mut file = TuningFile::of(gpu);
    let [built_in, kernel] = [candidates[0], candidates[1]];
    file.set(Row { case, kernel, built_in, ratio: 1.5, date: "2026-11-22".to_owned() });
    file.write(&path).unwrap();
    let stderr = run(&path, &[]);
    assert!(stderr.contains("1 tuned rows of "), "{stderr}");
    assert!(stderr.contains(&kernel.to_string()), "{stderr}");
    // The built-in kernels are in a cache of their own, and nothing may be compiled.
    let cache = tempfile::tempdir().unwrap();
    let with_cache = ("SORTSMITH_CACHE_DIR", path_of(cache.path()));
    run(Path::new("none"), &[with_cache]);
    let stderr = run(&path, &[with_cache, ("SORTSMITH_DISABLE_JIT", "1")]);
    assert!(stderr.contains(&format!("{built_in} in place of the tuned one")), "{stderr}");
    // A damaged file is not used.
    let mut bytes = fs::read(&path).unwrap();
    bytes.pop();
    fs::write(&path, bytes).unwrap();
    let stderr = run(&path, &[]);
    assert!(stderr.contains("the built-in rows are used: the tuning file "), "{stderr}");
    assert!(stderr.contains(" is damaged: "), "{stderr}");
}

/// What the child process does.
pub fn run_as_child() {
    let stream = CudaContext::new(0).unwrap().default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    let n = 1 << 17;
    let keys: Vec<f32> = (0..n).rev().map(|item| item as f32).collect();
    let mut keys = stream.clone_htod(&keys).unwrap();
    let mut rows = stream.clone_htod(&(0..n).collect::<Vec<u32>>()).unwrap();
    sorter.sort_pairs::<f32, u32>(&mut keys, &mut rows).unwrap();
    assert!(stream.clone_dtoh(&rows).unwrap().into_iter().rev().eq(0..n));
}
