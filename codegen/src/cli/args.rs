//! The arguments, with the help that belongs to them.
//!
//! What the comments say here is printed as it is: no Markdown.
#![allow(clippy::doc_markdown, clippy::struct_excessive_bools)] // help texts, flags

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum};
use sortsmith_codegen::device::DeviceAlgorithm;
use sortsmith_codegen::matrix::{AlgorithmWord, BitSpan, RankMethod};
use sortsmith_codegen::{
    Arch, Arrangement, Block, Family, InnerScan, KeyType, Token, ValueType, item_count,
};

/// GPU sorts by code generation: one spec, one CUDA kernel.
#[derive(Debug, Parser)]
#[command(name = "sortsmith", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  sortsmith emit --algorithm block-radix --key f32 --value u32 --block 256 --items 16 \\
    --out include
  sortsmith emit --algorithm auto --key f32 --value u32 --block 256 --items 16 --out include
  sortsmith emit --name block_radix_sort_f32_u32_b256_i16_r6_asc --stdout
  sortsmith emit --matrix sorts.toml --out include --check
  sortsmith explain block_radix_sort_f32_u32_b256_i16_r6_asc --arch sm_86

Exit codes: 0 good, 1 a check failed, 2 the request was wrong or could not be done.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make headers.
    #[command(after_help = EMIT_EXAMPLES)]
    Emit(Box<EmitArgs>),
    /// List the specs of a matrix, or the device-wide sorts.
    #[command(after_help = LIST_EXAMPLES)]
    List(ListArgs),
    /// Say what a spec's sort does and takes: passes, barriers, shared memory; of device-wide sorts launches and scratch;
    /// with a CUDA compiler also registers, spills and code size of its kernels.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// Compile a spec's tile kernel to PTX or machine code. Needs NVRTC, but no GPU.
    #[command(after_help = COMPILE_EXAMPLES)]
    Compile(CompileArgs),
    /// Show or clear the compiled kernels that are kept on disk.
    Cache {
        #[command(subcommand)]
        command: CacheCommand,
    },
    /// Show what was found on this machine: driver, devices, compilers, headers, the cache's folder.
    Env(EnvArgs),
    /// Find the fastest shapes of sorts on this machine's GPU, by the program sortsmith-tune, which is installed by itself.
    ///
    /// They are kept where sorters look for them. `sortsmith tune --help` is that program's help.
    #[command(disable_help_flag = true)]
    Tune {
        /// Its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
        arguments: Vec<OsString>,
    },
    /// Print Sortsmith.cmake, by which CMake makes headers when a project is built.
    Cmake,
    /// Print a completion script.
    Completions {
        /// For this shell.
        shell: clap_complete::Shell,
    },
    /// Write a manual page for each command.
    Man {
        /// Into this folder; it is made if there is none.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

const EMIT_EXAMPLES: &str = "\
Examples:
  One header, smallest and largest key first:
    sortsmith emit --algorithm block-radix --key u64 --block 128 --items 8 \\
      --order both --out include
  One that keeps the order of equal keys, by whatever was the fastest for such tiles:
    sortsmith emit --algorithm auto --key f32 --value u32 --block 256 --items 16 \\
      --stable --out include
  The default matrix, with an umbrella header and a manifest:
    sortsmith emit --matrix default --out include
  Device-wide sorts for a C++ program, with the functions of cub::DeviceRadixSort:
    sortsmith emit --facade cub-device --key f32 --value u32 --out include
  Sorts of the segments of an array, with the functions of cub::DeviceSegmentedSort:
    sortsmith emit --facade cub-segmented --key f32 --value u32 --out include
  The first k keys of an array or of rows, with the functions of cub::DeviceTopK, for k of up to some thousands:
    sortsmith emit --facade cub-topk --key f32 --value index --out include
  Sorts of the rows of a matrix, or of their positions:
    sortsmith emit --facade cub-rows --key f32 --value index --out include
  In CI, that the headers are what this version makes:
    sortsmith emit --matrix sorts.toml --out include --check

A matrix file has [[sorts]] tables: one value or a list for each axis, multiplied:
    [[sorts]]
    algorithm = \"block-radix\"
    key = [\"u32\", \"f32\"]
    value = [\"keys\", \"u32\"]
    block = [128, \"32x8\"]
    items = [8, 16]
    order = [\"asc\", \"desc\"]
    skip_illegal = true    # else a combination that is not legal is an error
    tile_kernel = true     # else without tile kernels
    rows_kernel = true     # else without kernels of rows
    counted_rows_kernel = true  # else without kernels of counted rows
Further axes: radix_bits, rank, memoize, inner_scan, bits, lanes, stable, input, output;
arch where the algorithm is auto.

With auto, axes say what is to be sorted, and measured figures say how: of the sorts that
do all of it, and fit the shared memory of a block of the architecture, the one is made
that was the fastest for such types and tiles. stderr says which, in a line; `sortsmith
explain` with the same flags says why. Headers have their sorts' own names.

Files are written only where they differ. One that sortsmith did not make is left
alone without --force. A matrix owns its folder: other headers of sortsmith's there
are left over, which --check finds and --prune deletes.";

const LIST_EXAMPLES: &str = "\
Examples:
  sortsmith list | grep f16
  sortsmith list --matrix sorts.toml --json
  sortsmith list --algorithm device-sample --arch sm_86";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  sortsmith explain block_radix_sort_f32_u32_b256_i16_r6_asc --arch sm_86
  sortsmith explain device_radix_sort_u64_u32_b384_i18_asc --n 100000000 --bits 0..45
  sortsmith explain --algorithm auto --key f32 --value u32 --block 256 --items 16 --stable

Of --algorithm auto it says first which sort is chosen, and why: what was measured, the
figures of all that could be chosen, and what could not.";

const COMPILE_EXAMPLES: &str = "\
Example:
  sortsmith compile block_radix_sort_f32_u32_b256_i16_r6_asc --arch sm_90 \\
    --format cubin --out sort.cubin";

#[derive(Args, Debug)]
pub struct EmitArgs {
    /// A spec by its name. May be given more than once.
    #[arg(long, value_name = "NAME")]
    pub name: Vec<String>,
    /// The specs of a matrix file; `default` is the one that `sortsmith list` lists.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "stdout"])]
    pub matrix: Option<PathBuf>,
    #[command(flatten)]
    pub axes: AxisArgs,
    /// Also the kernel NAME_tile, in which each block of a grid sorts its own tile of an array.
    #[arg(long, help_heading = "Contents")]
    pub tile_kernel: bool,
    /// Also the kernel NAME_rows, which sorts rows of at most a tile, each by itself, any distance apart.
    #[arg(long, help_heading = "Contents")]
    pub rows_kernel: bool,
    /// Also the kernel NAME_counted_rows, the same of as many rows, or columns, as a number in the device's memory says.
    #[arg(long, help_heading = "Contents")]
    pub counted_rows_kernel: bool,
    /// cub: also block_radix_sort.cuh with the interface of cub::BlockRadixSort, for the specs emitted with it. cub-device: one
    /// header, device_radix_sort.cuh, with the interface of cub::DeviceRadixSort, for --key and --value. cub-segmented: one
    /// header, device_segmented_sort.cuh, with those of cub::DeviceSegmentedSort and cub::DeviceSegmentedRadixSort.
    /// cub-topk: one header, device_top_k.cuh, with that of cub::DeviceTopK, and the same for the rows of a matrix. cub-rows: one
    /// header, device_rows.cuh, with sorts of the rows of a matrix, called as CUB's are.
    #[arg(long, value_parser = tokens::<Facade>(), help_heading = "Contents")]
    pub facade: Option<Facade>,
    /// Write into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Print the headers.
    #[arg(long, conflicts_with_all = ["out", "check", "force"], help_heading = "Output")]
    pub stdout: bool,
    /// Write nothing; list what is stale, missing, foreign or left over, and exit with 1 if anything is.
    #[arg(long, conflicts_with = "force", help_heading = "Output")]
    pub check: bool,
    /// Overwrite files that sortsmith did not make, and take a kernel out of a header that has it.
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Delete what is left over of another matrix.
    #[arg(long, requires = "matrix", conflicts_with = "check", help_heading = "Output")]
    pub prune: bool,
}

/// One value for each axis.
#[derive(Args, Debug)]
#[command(next_help_heading = "The spec")]
pub struct AxisArgs {
    /// The algorithm; auto: the block sort that was measured to be the fastest for the other axes.
    #[arg(long, value_parser = tokens::<AlgorithmWord>())]
    pub algorithm: Option<AlgorithmWord>,
    /// Type of the keys.
    #[arg(long, value_parser = tokens::<KeyType>())]
    pub key: Option<KeyType>,
    /// What travels with each key: nothing (keys), a payload of that size, or its position, made by the sort (index).
    /// Default: keys.
    #[arg(long, value_parser = tokens::<ValueType>())]
    pub value: Option<ValueType>,
    /// Threads of the block: X, XxY or XxYxZ.
    #[arg(long, alias = "block-threads", value_name = "DIMS")]
    pub block: Option<Block>,
    /// Lanes of a logical warp, for warp sorts. Default: 32.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub lanes: Option<u32>,
    /// Items per thread, 1 to 64.
    #[arg(long, alias = "items-per-thread", value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub items: Option<u32>,
    /// Bits of a digit, 1 to 8. Default, as measured: the fewest passes with at most 4 bits (packed; 6 for 12 items or
    /// more with values or 64-bit keys) or 8 bits (match), and of those the narrowest digit; fewer where the counters
    /// would need more than 48 KB.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub radix_bits: Option<u32>,
    /// Which end comes first. Default: asc, the least key.
    #[arg(long, value_enum)]
    pub order: Option<OrderArg>,
    /// How items are ranked by digit. Default: packed.
    #[arg(long, value_parser = tokens::<RankMethod>())]
    pub rank: Option<RankMethod>,
    /// The packed rank reads its counters twice in place of keeping them in registers.
    #[arg(long)]
    pub no_memoize: bool,
    /// How the packed rank scans across the block. Default: warpscans.
    #[arg(long, value_parser = tokens::<InnerScan>())]
    pub inner_scan: Option<InnerScan>,
    /// Make the bits that take part a constant, such as 0..45. Default: all, which leaves them to the sort's arguments.
    /// Radix sorts alone take bits: auto chooses one of them where bits are given, all or others.
    #[arg(long, value_name = "RANGE")]
    pub bits: Option<BitSpan>,
    /// Network sorts, and whatever auto chooses, keep the order of equal keys.
    #[arg(long)]
    pub stable: bool,
    /// Which thread holds which position before the sort. Default: blocked.
    #[arg(long, value_parser = tokens::<Arrangement>())]
    pub input: Option<Arrangement>,
    /// Which thread holds which position after the sort: blocked or striped. Default: blocked.
    #[arg(long, value_parser = tokens::<Arrangement>())]
    pub output: Option<Arrangement>,
    /// With auto: the architecture that the sort is for. With --facade cub-device or cub-rows: the one with the least shared
    /// memory of a block that it is for. Default: sm_90.
    #[arg(long, value_name = "ARCH")]
    pub arch: Option<Arch>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum OrderArg {
    Asc,
    Desc,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facade {
    /// `cub::BlockRadixSort`.
    Cub,
    /// `cub::DeviceRadixSort`.
    CubDevice,
    /// `cub::DeviceSegmentedSort` and `cub::DeviceSegmentedRadixSort`.
    CubSegmented,
    /// `cub::DeviceTopK`, and the same of the rows of a matrix.
    CubTopK,
    /// Sorts of the rows of a matrix, for which CUB has no struct.
    CubRows,
}

impl Token for Facade {
    const AXIS: &'static str = "facade";

    fn table() -> &'static [(Self, &'static str)] {
        &[
            (Self::Cub, "cub"),
            (Self::CubDevice, "cub-device"),
            (Self::CubSegmented, "cub-segmented"),
            (Self::CubTopK, "cub-topk"),
            (Self::CubRows, "cub-rows"),
        ]
    }
}

#[derive(Args, Debug)]
pub struct ListArgs {
    /// Of this matrix file, not the default matrix.
    #[arg(long, value_name = "FILE")]
    pub matrix: Option<PathBuf>,
    /// Of this algorithm alone. Device-wide sorts are in no matrix: their list is that of all that programs use.
    #[arg(long, value_parser = tokens::<Listed>())]
    pub algorithm: Option<Listed>,
    /// Device-wide sorts as they are used on this architecture. Default: sm_90.
    #[arg(long, value_name = "ARCH")]
    pub arch: Option<Arch>,
    /// As JSON, with tile size, shared memory, barriers and passes; of device-wide sorts with how many items they are for.
    #[arg(long)]
    pub json: bool,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Tile sorts: specs of a matrix.
    Tile(Family),
    /// Device-wide sorts.
    Device(DeviceAlgorithm),
}

impl Token for Listed {
    const AXIS: &'static str = "algorithm";

    fn table() -> &'static [(Self, &'static str)] {
        static TABLE: LazyLock<Vec<(Listed, &str)>> = LazyLock::new(|| {
            let families =
                Family::table().iter().map(|(family, word)| (Listed::Tile(*family), *word));
            let device = DeviceAlgorithm::ALL;
            families.chain(device.map(|it| (Listed::Device(it), it.token()))).collect()
        });
        &TABLE
    }
}

#[derive(Args, Debug)]
#[command(
    mut_arg("bits", |arg| arg.help("The bits that take part, such as 0..45. Default: all")),
    mut_arg("arch", |arg| arg.help("The architecture. Default: sm_90")),
)]
pub struct ExplainArgs {
    /// The spec's name: of a block sort, a device-wide sort or a gather. Block sorts may be said by their axes instead.
    pub name: Option<String>,
    /// The number of items of a device-wide sort or a gather, such as 3000000, 2^20 or 1e6. Default: 2^20, or as many as the sort takes.
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub n: Option<u64>,
    /// The number of multiprocessors of the device, for a device-wide sort. Default: 132, an H200's.
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    pub multiprocessors: Option<u32>,
    /// The sort that is chosen for rows of that number of columns, by --key, --value, --order, --bits and --arch.
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub columns: Option<u64>,
    /// As JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub axes: AxisArgs,
}

impl ExplainArgs {
    /// The architecture that a sort is explained on.
    pub fn arch(&self) -> Arch {
        self.axes.arch.unwrap_or(Arch::SM_90)
    }
}

#[derive(Args, Debug)]
pub struct CompileArgs {
    /// The spec's name.
    pub name: String,
    /// The architecture.
    #[arg(long, value_name = "ARCH")]
    pub arch: Arch,
    /// PTX, for the driver to assemble, or machine code of that architecture alone.
    #[arg(long, value_enum)]
    pub format: FormatArg,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Overwrite a file that sortsmith did not make.
    #[arg(long)]
    pub force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    Ptx,
    Cubin,
}

impl FormatArg {
    /// What messages call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ptx => "PTX",
            Self::Cubin => "machine code",
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Print the folder: SORTSMITH_CACHE_DIR, else one in the platform's cache folder.
    Path,
    /// List the kernels: bytes, key, architecture, format, name.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove all kernels; other files in the folder stay.
    Clear,
}

#[derive(Args, Debug)]
pub struct EnvArgs {
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

fn count(text: &str) -> Result<u64, &'static str> {
    item_count(text).ok_or("legal: a whole number, such as 1048576, 2^20 or 1e6")
}

fn number(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "legal: a whole number, such as 16")
}

/// A parser of an axis's words, which help and completions list.
fn tokens<T: Token + Send + Sync>() -> impl TypedValueParser<Value = T> {
    TokenParser(std::marker::PhantomData)
}

#[derive(Clone, Debug)]
struct TokenParser<T>(std::marker::PhantomData<fn() -> T>);

impl<T: Token + Send + Sync> TypedValueParser for TokenParser<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<T, clap::Error> {
        T::from_token(&value.to_string_lossy()).map_err(|error| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("{error}\n")).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(T::table().iter().map(|(_, word)| PossibleValue::new(*word))))
    }
}
