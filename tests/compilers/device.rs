//! Device-wide sorts: quiet for every architecture, quiet on the host, and free of spills where they are tuned.

use std::fs;

use sortsmith_codegen::device::{
    self, BitonicSort, Device, DeviceAlgorithm, DeviceSpec, RadixSort,
};
use sortsmith_codegen::toolchain::{Format, Nvcc, Nvrtc, Resources};
use sortsmith_codegen::{KeyType, Order, Token, ValueType};
use sortsmith_testkit::device_families;
use sortsmith_testkit::seed::{self, Seed};

use super::nvrtc::ARCHS;
use super::proofs::{Product, prove_all};
use super::{
    Effort, for_all, found, loaded_nvrtc, nvcc, options_by_effort, options_for, toolchain,
};

fn header(spec: &DeviceSpec) -> String {
    device::header(spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The tuned shapes are for it.
const H200: Device = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };

/// Structs: of as many bytes as an integer, and of others.
fn structs() -> [KeyType; 2] {
    ["u32+f32+u8", "i64+u32"].map(|text| text.parse().expect("fields"))
}

/// The tuned sort of every key and value; orders, NaNs and widths in turn. Then structs.
fn tuned() -> Vec<DeviceSpec> {
    let pairs = KeyType::ALL
        .iter()
        .flat_map(|key| ValueType::table().iter().map(move |(value, _)| (*key, *value)));
    let tuned = pairs.enumerate().map(|(number, (key, value))| {
        let (order, _) = Order::table()[number % 2];
        let n = if number % 3 == 0 { 1 << 31 } else { 1 << 24 };
        DeviceSpec::tuned(key, value, order, number % 4 < 2, n, H200)
    });
    let of_structs = structs().into_iter().flat_map(|key| {
        let sort =
            move |n| DeviceSpec::tuned(key, ValueType::None, Order::Ascending, false, n, H200);
        [1 << 24, 1 << 17].map(sort)
    });
    tuned.chain(of_structs).collect()
}

/// The tuned sort of small n, of every key and value; orders and numbers of items in turn.
fn tuned_by_samples() -> Vec<DeviceSpec> {
    let pairs = KeyType::ALL
        .iter()
        .flat_map(|key| ValueType::table().iter().map(move |(value, _)| (*key, *value)));
    let tuned = pairs.enumerate().map(|(number, (key, value))| {
        let (order, _) = Order::table()[number % 2];
        let n = device::SMALL_N[number / 2 % device::SMALL_N.len()];
        DeviceSpec::tuned(key, value, order, false, n, H200)
    });
    tuned.collect()
}

/// The sort by a network that programs use where there is the least shared memory, of every key; values, orders and
/// stability in turn.
fn by_networks() -> impl Iterator<Item = DeviceSpec> {
    let device = Device { shared_bytes_per_block: 64 * 1024, ..H200 };
    KeyType::ALL.iter().enumerate().map(move |(number, key)| {
        let (value, _) = ValueType::table()[number % ValueType::table().len()];
        let (order, _) = Order::table()[number % 2];
        BitonicSort::for_device(*key, value, order, number % 4 < 2, device)
    })
}

/// The chosen specs, else `count` fresh ones, of each family in turn.
fn fresh(seed: Seed, subject: &str, count: usize) -> Vec<DeviceSpec> {
    if let Some(names) = seed::chosen_specs() {
        let parse = |name: &String| name.parse().unwrap_or_else(|error| panic!("{error}"));
        return names.iter().map(parse).collect();
    }
    let mut rng = seed.rng(subject);
    let families = DeviceAlgorithm::ALL.into_iter().cycle().map(device_families::facts);
    families.take(count).map(|facts| facts.fresh(&mut rng)).collect()
}

#[test]
fn device_tuned() {
    compile_shares("device_tuned", &tuned());
}

#[test]
fn device_tuned_by_samples() {
    // With little time, those of every third pair of types: 7 values go round.
    let step = if seed::is_deep() { 1 } else { 3 };
    let specs: Vec<DeviceSpec> = tuned_by_samples().into_iter().step_by(step).collect();
    compile_shares("device_tuned_by_samples", &specs);
}

#[test]
fn device_by_networks() {
    // With little time, those of every fourth key.
    let step = if seed::is_deep() { 1 } else { 4 };
    let specs: Vec<DeviceSpec> = by_networks().step_by(step).collect();
    compile_shares("device_by_networks", &specs);
}

#[test]
fn device_sorts_that_families_name_do_not_spill() {
    let Some(nvrtc) = loaded_nvrtc("sorts without local memory through NVRTC") else { return };
    // With little time, every fifth of a family.
    let step = if seed::is_deep() { 1 } else { 5 };
    let of_family = |algorithm| {
        let facts = device_families::facts(algorithm);
        let sorts = facts.without_local_memory().into_iter().step_by(step);
        sorts.map(|(spec, arch)| (spec, arch, facts.spilled_bytes()))
    };
    let products: Vec<Product<Expected>> = DeviceAlgorithm::ALL
        .into_iter()
        .flat_map(of_family)
        .map(|(spec, arch, stack_bytes)| {
            let kernels = spec.kernels(H200).len();
            of_cubin(
                &spec,
                arch,
                Expected { stack_bytes, least_kernels: kernels, most_kernels: kernels },
            )
        })
        .collect();
    assert_no_spills(&nvrtc, "device_sorts_that_families_name_do_not_spill", &products);
}

/// What kernels of a header may have.
#[derive(Debug)]
struct Expected {
    /// The most of any kernel.
    stack_bytes: u32,
    /// Kernels in the header, at least and at most.
    least_kernels: usize,
    most_kernels: usize,
}

fn of_cubin(spec: &DeviceSpec, arch: u32, expected: Expected) -> Product<Expected> {
    let options = options_for(spec, arch, Format::Cubin);
    Product { name: spec.to_string(), text: header(spec), options, expected }
}

/// No kernel has more local memory than is expected.
fn assert_no_spills(nvrtc: &Nvrtc, test: &str, products: &[Product<Expected>]) {
    prove_all(&format!("device::{test}"), test, products, |product| {
        let Product { name, options, expected, .. } = product;
        let kernels = product.compiled(nvrtc)?.resources();
        let kernels = kernels.map_err(|error| format!("{name}: {error}"))?;
        let is_local =
            |(_, kernel): &(&String, &Resources)| kernel.stack_bytes > expected.stack_bytes;
        let local: Vec<(&String, &Resources)> = kernels.iter().filter(is_local).collect();
        let legal = expected.least_kernels..=expected.most_kernels;
        if local.is_empty() && legal.contains(&kernels.len()) {
            Ok(())
        } else {
            Err(format!("{name}, sm_{}: {local:?} of {} kernels", options.arch, kernels.len()))
        }
    });
}

/// Compiles each spec for one architecture, or with time to spare for all.
fn compile_shares(test: &str, specs: &[DeviceSpec]) {
    let left_out = format!("{} tuned device-wide sorts through NVRTC", specs.len());
    let Some(nvrtc) = loaded_nvrtc(&left_out) else { return };
    // The text is the same for all architectures: each has its share, and with time to spare all.
    let shares = if seed::is_deep() { ARCHS.len() } else { 1 };
    let share = |first| specs.iter().copied().zip(ARCHS.into_iter().cycle().skip(first));
    let products: Vec<Product<()>> =
        (0..shares).flat_map(share).enumerate().map(|it| by_effort(&nvrtc, it)).collect();
    prove_all(&format!("device::{test}"), test, &products, |it| it.compiled(&nvrtc).map(drop));
}

/// The architectures go round, and with them the one that has all of the compiler's effort.
fn by_effort(nvrtc: &Nvrtc, (number, (spec, arch)): (usize, (DeviceSpec, u32))) -> Product<()> {
    let effort = Effort::of(number + number / ARCHS.len());
    let options = options_by_effort(nvrtc, &spec, arch, effort);
    Product { name: spec.to_string(), text: header(&spec), options, expected: () }
}

/// Of buckets that a radix sort of 7 bits finishes: where the compiler does not know that a warp comes to its ballots in one piece, it
/// needs more predicates than there are, and says so from `sm_100` on.
#[test]
fn ballots_of_buckets_have_enough_predicates() {
    let Some(nvrtc) = loaded_nvrtc("ballots of buckets through NVRTC") else { return };
    let names = [
        "device_sample_sort_u32_u32_b1024_i4_asc",
        "device_sample_sort_f16_u128_b1024_i1_desc",
        "device_sample_sort_f16_u128_b1024_i4_asc_rows",
        "device_sample_sort_f64_keys_b1024_i4_desc",
        "device_sample_sort_f64_u128_b512_i4_desc",
    ];
    let specs = names.map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}")));
    let cubin = |spec: DeviceSpec, arch| {
        let options = options_for(&spec, arch, Format::Cubin);
        Product { name: spec.to_string(), text: header(&spec), options, expected: () }
    };
    let products: Vec<Product<()>> =
        specs.into_iter().flat_map(|spec| [100, 120].map(|arch| cubin(spec, arch))).collect();
    let name = "ballots_of_buckets_have_enough_predicates";
    prove_all(&format!("device::{name}"), name, &products, |it| it.compiled(&nvrtc).map(drop));
}

#[test]
fn device_fresh() {
    let count = if seed::is_deep() { 100 } else { 16 };
    let left_out = format!("{count} fresh device-wide sorts through NVRTC");
    let Some(nvrtc) = loaded_nvrtc(&left_out) else { return };
    let seed = Seed::from_env();
    eprintln!("device_fresh: {}={}", seed::SEED_VARIABLE, seed.0);
    let products = fresh(seed, "device_fresh", count)
        .into_iter()
        .flat_map(|spec| ARCHS.map(|arch| (spec, arch)));
    let products: Vec<Product<()>> = products.enumerate().map(|it| by_effort(&nvrtc, it)).collect();
    for_all("device_fresh", &products, |product| {
        product.compiled(&nvrtc).map(drop).map_err(|error| {
            let again = seed.replay("compilers", "device_fresh", &product.name);
            format!("{error}\n  again: {again}")
        })
    });
}

/// What a host needs of a header.
fn host_code(specs: &[DeviceSpec]) -> String {
    let checks = specs.iter().map(|spec| {
        let kernels = spec.launches(1, 0..1, H200);
        let kernels = kernels.iter().map(|it| format!(" (void){spec}{};", it.kernel.suffix()));
        let kernels: String = kernels.collect();
        let sizes = scratch_checks(spec).concat();
        format!("{sizes}void launch_{spec}() {{{kernels} }}\n")
    });
    checks.collect()
}

/// That a header asks for the same scratch as the launches of the library, for short arrays and for long ones.
fn scratch_checks(spec: &DeviceSpec) -> [String; 7] {
    [0, 12, 20, 24, 28, 30, 33].map(|log2| {
        let n = (1 << log2).min(spec.max_items());
        let launches = spec.launches(n, 0..1, H200);
        let scratch = spec.scratch(n, &launches);
        let (zeroed, workspace) = (scratch.zeroed, scratch.workspace);
        let sort = format!("sortsmith::{spec}");
        // One bit is all that a bool has, and a radix sort by all bits of short keys counts them.
        let is_counted = RadixSort::of(spec).is_some()
            && launches.iter().any(|launch| launch.kernel == RadixSort::EXPAND);
        if is_counted {
            return format!(
                "static_assert({sort}::counting_bytes() == {workspace}ull, \"bytes to count {n} items\");\n"
            );
        }
        format!(
            "static_assert({sort}::zeroed_bytes({n}ull) == {zeroed}ull, \"zeroed bytes of {n} items\");\n\
             static_assert({sort}::workspace_bytes({n}ull) == {workspace}ull, \"workspace of {n} items\");\n"
        )
    })
}

#[test]
fn device_headers_are_quiet() {
    let count = if seed::is_deep() { 40 } else { 8 };
    let left_out = format!("{count} fresh device-wide sorts through nvcc");
    let Some(nvcc) = found(Nvcc::new(toolchain()), &left_out) else { return };
    let seed = Seed::from_env();
    eprintln!("device_headers_are_quiet: {}={}", seed::SEED_VARIABLE, seed.0);
    let mut specs = fresh(seed, "device_headers_are_quiet", count);
    // Its keys have one bit.
    specs.push("device_radix_sort_bool_keys_b256_i1_asc".parse().expect("a name"));
    let folder = nvcc::folder("device");
    // Several headers in a file, each of them twice, and what a host needs of them.
    let groups: Vec<&[DeviceSpec]> = specs.chunks(2).collect();
    for_all("device_headers_are_quiet", &groups, |group| {
        let mut text = String::new();
        for spec in *group {
            nvcc::write(&folder.join(format!("{spec}.cuh")), &header(spec));
            text += &["#include \"", &spec.to_string(), ".cuh\"\n"].concat().repeat(2);
        }
        let file = format!("{}.cu", group[0]);
        nvcc::write(&folder.join(&file), &(text + &host_code(group)));
        nvcc::compile(&nvcc, &folder, &file, 90).map_err(|error| {
            let names: Vec<String> = group.iter().map(ToString::to_string).collect();
            let names = format!("'{}'", names.join(" "));
            format!(
                "{error}\n  again: {}",
                seed.replay("compilers", "device_headers_are_quiet", &names)
            )
        })
    });
    // A left-over folder is in the target folder.
    let _ = fs::remove_dir_all(folder);
}

/// Not of those with NaNs last or of wide positions: they need a few registers more than the shape leaves.
#[test]
fn device_sorts_of_common_types_do_not_spill() {
    let Some(nvrtc) = loaded_nvrtc("spills of device-wide sorts") else { return };
    let values = [ValueType::None, ValueType::U32, ValueType::Index];
    let specs: Vec<DeviceSpec> =
        [KeyType::U32, KeyType::F32, KeyType::U64]
            .into_iter()
            .flat_map(|key| values.map(|value| (key, value)))
            .flat_map(|(key, value)| {
                let many = [Order::Ascending, Order::Descending]
                    .map(|order| DeviceSpec::tuned(key, value, order, false, 1 << 24, H200));
                let few = DeviceSpec::tuned(key, value, Order::Descending, false, 1 << 16, H200);
                [many[0], many[1], few]
            })
            .chain([(KeyType::U32, ValueType::None), (KeyType::F32, ValueType::U32)].map(
                |(key, value)| BitonicSort::for_device(key, value, Order::Ascending, false, H200),
            ))
            .collect();
    let product = |spec: &DeviceSpec| {
        let least_kernels = spec.launches(1, 0..1, H200).len();
        of_cubin(spec, 90, Expected { stack_bytes: 0, least_kernels, most_kernels: usize::MAX })
    };
    let products: Vec<Product<Expected>> = specs.iter().map(product).collect();
    assert_no_spills(&nvrtc, "device_sorts_of_common_types_do_not_spill", &products);
}
