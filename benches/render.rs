//! Headers rendered a second, on one core.

#[path = "../codegen/tests/common/specs.rs"]
mod specs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sortsmith_codegen::matrix::file;
use sortsmith_codegen::{SortSpec, render};

fn bench(criterion: &mut Criterion) {
    let mut runner = TestRunner::deterministic();
    let random: Vec<SortSpec> = (0..200)
        .map(|_| specs::any_spec().new_tree(&mut runner).expect("a legal spec").current())
        .collect();
    let default: Vec<SortSpec> = file::parse(file::DEFAULT)
        .expect("the default matrix")
        .iter()
        .map(|header| header.spec)
        .collect();
    let mut group = criterion.benchmark_group("render");
    for (name, specs) in [("default matrix", default), ("random specs", random)] {
        group.throughput(Throughput::Elements(specs.len() as u64));
        group.bench_function(name, |bencher| {
            let options = render::Options { tile_kernel: true, ..Default::default() };
            bencher.iter(|| {
                specs
                    .iter()
                    .map(|spec| render::header(spec, options).map_or(0, |text| text.len()))
                    .sum::<usize>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
