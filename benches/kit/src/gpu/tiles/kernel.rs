//! Generated tile kernels.

use cudarc::driver::{CudaFunction, DriverError, LaunchConfig};
use sortsmith_codegen::render::{self, Options};
use sortsmith_codegen::{
    Algorithm, ArgumentField, Arrangement, BitRange, Block, InnerScan, LaneMatch, Rank, SortSpec,
    SpecFields, TileArguments, TileKernelKind,
};

use super::Arrays;
use crate::gpu::{Gpu, tile_config};
use crate::{Contender, Id, Library, Method, Row, Shape, Times, Types};

/// The types of a spec.
pub fn types_of(spec: &SortSpec) -> Types {
    Types { key: spec.key, value: spec.value }
}

/// The shape of a spec's tiles. The threads of a logical warp are its lanes.
pub fn shape_of(spec: &SortSpec) -> Shape {
    Shape { threads: spec.algorithm.block().threads(), items: spec.items }
}

/// How a record says what a spec is beyond its types, shape and order; none where the spec has an option that a record has
/// no words for.
pub fn contender_of(spec: &SortSpec) -> Option<Contender> {
    let (algorithm, method, radix_bits) = match spec.algorithm {
        Algorithm::BlockRadix { block, radix_bits, rank, bits } => {
            let (method, rank) = plain_rank(rank)?;
            let block = Block::linear(block.threads());
            // All bits as constants are said where a digit is all of a key.
            let all = BitRange::Static { begin: 0, end: spec.key.bits() };
            let is_one_digit = bits == all && radix_bits == spec.key.bits();
            let bits = if is_one_digit { all } else { BitRange::Runtime };
            (Algorithm::BlockRadix { block, radix_bits, rank, bits }, method, Some(radix_bits))
        }
        Algorithm::WarpBitonic { lanes, .. } => {
            (Algorithm::WarpBitonic { lanes, stable: false }, Method::Warp, None)
        }
        Algorithm::BlockBitonic { block, stable } => {
            let block = Block::linear(block.threads());
            let method = if stable { Method::StableBitonic } else { Method::Bitonic };
            (Algorithm::BlockBitonic { block, stable }, method, None)
        }
        Algorithm::BlockMerge { block } => {
            let block = Block::linear(block.threads());
            (Algorithm::BlockMerge { block }, Method::Merge, None)
        }
        _ => return None,
    };
    let plain = SpecFields {
        algorithm,
        input: Arrangement::Blocked,
        output: Arrangement::Blocked,
        ..spec.fields()
    };
    let contender = Contender { library: Library::Sortsmith, method, radix_bits };
    (plain == spec.fields()).then_some(contender)
}

/// The word for a rank, and the rank without options that it stands for.
fn plain_rank(rank: Rank) -> Option<(Method, Rank)> {
    Some(match rank {
        Rank::Packed { .. } => {
            let inner_scan = InnerScan::WarpScans;
            (Method::Packed, Rank::Packed { memoize_outer_scan: true, inner_scan })
        }
        Rank::Match(LaneMatch::Ballots) => (Method::Ballots, rank),
        Rank::Match(LaneMatch::SharedMasks) => (Method::Masks, rank),
        _ => return None,
    })
}

/// A compiled tile kernel.
pub struct Kernel {
    /// What it is.
    pub spec: SortSpec,
    contender: Contender,
    cubin: Vec<u8>,
}

impl Kernel {
    /// Renders and compiles.
    pub fn compile(gpu: &Gpu, spec: &SortSpec) -> Result<Self, String> {
        let contender = contender_of(spec)
            .ok_or_else(|| format!("{spec}: a record has no words for its options"))?;
        let text = render::header(spec, Options { tile_kernel: true, ..Default::default() });
        let text = text.map_err(|error| error.to_string())?;
        Ok(Self { spec: *spec, contender, cubin: gpu.compile(&spec.to_string(), &text)? })
    }

    /// Loads it for sorts of all full tiles of the arrays.
    pub fn load(&self, gpu: &Gpu, arrays: &Arrays) -> Result<Loaded, String> {
        let Self { spec, contender, cubin } = self;
        let kernel = TileKernelKind::Tile;
        let [function] = gpu.load(cubin.clone(), [&format!("{spec}{}", kernel.suffix())])?;
        let config = tile_config(spec, &function, arrays.full_tiles(shape_of(spec)))?;
        let taken = TileArguments::taken(spec, kernel);
        Ok(Loaded { spec: *spec, contender: *contender, function, taken, config })
    }
}

/// A tile kernel on the device.
pub struct Loaded {
    /// What it is.
    pub spec: SortSpec,
    contender: Contender,
    function: CudaFunction,
    /// The arguments that it takes.
    taken: Vec<ArgumentField>,
    config: LaunchConfig,
}

impl Loaded {
    /// Enqueues a sort of all full tiles.
    pub fn sort(&self, arrays: &Arrays) -> Result<(), String> {
        arrays.launch(&self.spec, (&self.function, &self.taken), self.config)
    }

    /// What is said of its sort in a record.
    pub fn row(&self, arrays: &Arrays, times: &Times, copy: f64) -> Row {
        let Self { spec, contender, function, config, .. } = self;
        let known = |attribute: Result<i32, DriverError>| {
            attribute.ok().and_then(|value| u32::try_from(value).ok())
        };
        let case = arrays.case(types_of(spec), shape_of(spec), spec.order);
        Row {
            registers: known(function.num_regs()),
            local_bytes: known(function.local_size_bytes()),
            shared_bytes: Some(config.shared_mem_bytes),
            ..Row::measured(Id { case, contender: *contender }, times, Some(copy))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_words_for_plain_specs_alone() {
        let words = |name: &str| {
            let spec: SortSpec = name.parse().expect("a name");
            contender_of(&spec).map(|contender| contender.to_string())
        };
        let plain = [
            ("block_radix_sort_u32_keys_b256_i16_r4_asc", "sortsmith packed 4"),
            ("block_radix_sort_f32_u32_b128_i8_r6_desc_match", "sortsmith ballots 6"),
            ("block_radix_sort_u64_keys_b512_i4_r8_asc_matchmasks", "sortsmith masks 8"),
            ("warp_bitonic_sort_f32_u32_w8_i4_desc", "sortsmith warp"),
            ("block_bitonic_sort_f16_keys_b256_i16_asc", "sortsmith bitonic"),
            ("block_bitonic_sort_f32_u32_b128_i4_asc_stable", "sortsmith stable bitonic"),
            ("block_merge_sort_f32_u32_b128_i8_desc", "sortsmith merge"),
            ("block_radix_sort_i8_keys_b256_i8_r8_asc_match_bits0to8", "sortsmith ballots 8"),
        ];
        for (name, expected) in plain {
            assert_eq!(words(name).as_deref(), Some(expected), "{name}");
        }
        let others = [
            "block_radix_sort_u32_keys_b16x16_i16_r4_asc",
            "block_radix_sort_u32_keys_b256_i16_r4_asc_raking",
            "block_radix_sort_u32_keys_b256_i16_r4_asc_bits0to16",
            "block_merge_sort_u32_keys_b16x16_i16_asc",
            "warp_bitonic_sort_f32_u32_w8_i4_asc_stable",
            "block_bitonic_sort_f32_u32_b16x16_i4_asc_stable",
        ];
        for name in others {
            assert_eq!(words(name), None, "{name}");
        }
    }
}
