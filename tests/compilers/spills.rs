//! No spills and no local memory where a spec of ordinary size promises none.

use sortsmith_codegen::toolchain::{Format, Resources};
use sortsmith_codegen::{
    Algorithm, BitRange, Block, InnerScan, KeyType, LaneMatch, Rank, SortSpec, SpecFields, Token,
    ValueType,
};

use super::proofs::{Product, prove_all};
use super::{header, loaded_nvrtc, options_for};

fn ranks() -> Vec<Rank> {
    let packed = InnerScan::table().iter().flat_map(|(inner_scan, _)| {
        [true, false]
            .map(|memoize_outer_scan| Rank::Packed { memoize_outer_scan, inner_scan: *inner_scan })
    });
    packed.chain(LaneMatch::table().iter().map(|(lanes, _)| Rank::Match(*lanes))).collect()
}

/// 256 threads, keys and values of 32 bits: all ranks and radix bits at 16 items, and in turn all other items.
fn specs() -> Vec<SortSpec> {
    let block = Block::linear(256);
    let ranks_and_bits: Vec<(Rank, u32)> = ranks()
        .into_iter()
        .flat_map(|rank| (1..=8).map(move |radix_bits| (rank, radix_bits)))
        .collect();
    let numbered = || ranks_and_bits.iter().enumerate();
    let many = numbered().map(|(number, choice)| (number, choice, 16));
    let fewer =
        numbered().step_by(5).map(|(number, choice)| (number, choice, number as u32 / 5 % 15 + 1));
    many.chain(fewer)
        .map(|(number, (rank, radix_bits), items)| {
            let key = [KeyType::F32, KeyType::U32, KeyType::I32][number % 3];
            let fields = SpecFields::block_radix(key, ValueType::U32, block, items, *radix_bits);
            let algorithm = Algorithm::BlockRadix {
                block,
                radix_bits: *radix_bits,
                rank: *rank,
                bits: BitRange::Runtime,
            };
            SpecFields { algorithm, ..fields }.validate().unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

#[test]
fn none_with_32_bit_keys_and_values_at_256_threads() {
    let Some(nvrtc) = loaded_nvrtc("spills") else { return };
    let product = |spec: SortSpec, arch| {
        let options = options_for(&spec, arch, Format::Cubin);
        Product { name: spec.to_string(), text: header(&spec), options, expected: () }
    };
    let products: Vec<Product<()>> =
        specs().into_iter().flat_map(|spec| [75, 90].map(|arch| product(spec, arch))).collect();
    let label = "none_with_32_bit_keys_and_values_at_256_threads";
    prove_all(&format!("spills::{label}"), label, &products, |product| {
        let (spec, arch) = (&product.name, product.options.arch);
        let compiled = product.compiled(&nvrtc)?;
        let kernels = compiled.resources().map_err(|error| format!("{spec}: {error}"))?;
        let local: Vec<(&String, &Resources)> =
            kernels.iter().filter(|(_, kernel)| !kernel.is_free_of_local_memory()).collect();
        if local.is_empty() && !kernels.is_empty() {
            Ok(())
        } else {
            Err(format!("sm_{arch}: {local:?}"))
        }
    });
}
