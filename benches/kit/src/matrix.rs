//! Matrices: which sorts the bench `matrix` measures, as TOML files.
//!
//! ```
//! use sortsmith_benchkit::matrix::Matrix;
//!
//! let matrix = Matrix::parse(
//!     r#"
//!     texts = ["block_radix_sort_u32_keys_b256_i16_r4_asc"] # rendered and compiled
//!
//!     [time] # of each benchmark
//!     samples = 10
//!     warm_up_ms = 20
//!     measure_ms = 100
//!
//!     [tiles]
//!     log2 = 24 # the logarithm of the number of keys
//!
//!     [[tiles.sorts]] # as in the matrix files of `sortsmith emit`
//!     algorithm = "block-radix"
//!     key = ["u32", "f32"]
//!     block = 256
//!     items = [8, 16]
//!     radix_bits = [4, 6]
//!
//!     [[arrays]] # lists, multiplied
//!     types = ["u32_keys", "f32_u32"]
//!     input = ["random", "and 3"]
//!     n = [65536, 1000000]
//!     cache = ["warm", "cold"] # what the L2 cache holds of them at first; warm, if nothing is said
//!
//!     [[arrays]]
//!     types = ["u64_keys"]
//!     input = ["classes"] # all that the types can be
//!     n = [4096, 1000000]
//!     lengths_each = 1 # of the lengths, for each types and input, in turn; all, if nothing is said
//!     "#,
//! )?;
//! assert_eq!(matrix.tiles.len(), 8);
//! assert!(matrix.arrays.len() > 16 + 30);
//! # Ok::<(), sortsmith_benchkit::matrix::MatrixError>(())
//! ```

use std::collections::HashSet;
use std::time::Duration;
use std::{fs, io};

use serde::Deserialize;
use sortsmith_codegen::matrix::file;
use sortsmith_codegen::{KeyClass, Order, SortSpec};

use crate::cell::Cell;
use crate::gpu::tiles::{can_generate, contender_of, types_of};
use crate::{Cache, Case, Class, Group, Input, Types};

/// The matrices that have names.
pub const NAMED: [(&str, &str); 4] = [
    ("quick", include_str!("../../matrix/quick.toml")),
    ("default", include_str!("../../matrix/default.toml")),
    ("full", include_str!("../../matrix/full.toml")),
    ("inputs", include_str!("../../matrix/inputs.toml")),
];

/// How long a benchmark takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// Samples of its time.
    pub samples: usize,
    /// Before the first sample.
    pub warm_up: Duration,
    /// All samples together, about.
    pub measure: Duration,
}

/// Which sorts are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// How long each takes.
    pub time: Time,
    /// The logarithm of the number of keys that are sorted in tiles.
    pub tiles_log2: u32,
    /// Sorts of tiles.
    pub tiles: Vec<SortSpec>,
    /// Device-wide sorts.
    pub arrays: Vec<Case>,
    /// Specs for which the times of rendering and compiling the header are measured.
    pub texts: Vec<SortSpec>,
}

/// What is wrong with a matrix.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The file cannot be read, and no matrix has such a name.
    #[error(
        "cannot read the matrix {file}: {source}; those that have names: quick, default, full, inputs"
    )]
    File {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// The text is not TOML, or has keys that a matrix does not have.
    #[error("{}", .0.to_string().trim_end())]
    Toml(#[from] toml::de::Error),
    /// The sorts of tiles make no specs.
    #[error("tiles: {0}")]
    Sorts(#[from] file::MatrixError),
    /// A value is not legal.
    #[error("{field} is `{value}`; legal: {legal}")]
    Value {
        /// The key.
        field: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        legal: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    time: FileTime,
    tiles: FileTiles,
    #[serde(default)]
    arrays: Vec<FileArrays>,
    #[serde(default)]
    texts: Vec<SortSpec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTime {
    samples: usize,
    warm_up_ms: u64,
    measure_ms: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTiles {
    log2: u32,
    sorts: toml::Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileArrays {
    types: Vec<String>,
    input: Vec<String>,
    n: Vec<u64>,
    /// How many of the lengths each pair of types and input takes, in turn; all by default.
    lengths_each: Option<usize>,
    #[serde(default = "usual_caches")]
    cache: Vec<String>,
}

fn usual_caches() -> Vec<String> {
    vec![Cache::Warm.write()]
}

/// Criterion takes no fewer.
const LEAST_SAMPLES: usize = 10;
/// Tiles of no more keys than this fit every GPU that is measured.
const MOST_LOG2: u32 = 28;
/// Arrays of no more keys than this fit a GPU of 80 GB.
const MOST_KEYS: u64 = 1 << 32;
/// The word for all classes.
const CLASSES: &str = "classes";

impl Matrix {
    /// The matrix of a name, else that of a file.
    pub fn named(name: &str) -> Result<Self, MatrixError> {
        match NAMED.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::parse(text),
            None => match fs::read_to_string(name) {
                Ok(text) => Self::parse(&text),
                Err(source) => Err(MatrixError::File { file: name.to_owned(), source }),
            },
        }
    }

    /// The matrix that a text says.
    pub fn parse(text: &str) -> Result<Self, MatrixError> {
        let File { time, tiles, arrays, texts } = toml::from_str(text)?;
        let FileTime { samples, warm_up_ms, measure_ms } = time;
        within("time.samples", samples as u64, LEAST_SAMPLES as u64, 1000)?;
        within("time.warm_up_ms", warm_up_ms, 1, 60_000)?;
        within("time.measure_ms", measure_ms, 1, 60_000)?;
        within("tiles.log2", u64::from(tiles.log2), 16, u64::from(MOST_LOG2))?;
        Ok(Self {
            time: Time {
                samples,
                warm_up: Duration::from_millis(warm_up_ms),
                measure: Duration::from_millis(measure_ms),
            },
            tiles_log2: tiles.log2,
            tiles: specs(tiles.sorts)?,
            arrays: cases(&arrays)?,
            texts,
        })
    }
}

fn within(field: &'static str, value: u64, least: u64, most: u64) -> Result<(), MatrixError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let legal = format!("{least} to {most}");
    Err(MatrixError::Value { field, value: value.to_string(), legal })
}

fn all<T: Cell>(field: &'static str, words: &[String]) -> Result<Vec<T>, MatrixError> {
    let read = |word: &String| {
        let wrong = || MatrixError::Value { field, value: word.clone(), legal: T::legal() };
        T::read(word).ok_or_else(wrong)
    };
    words.iter().map(read).collect()
}

/// Device-wide sorts, each once.
fn cases(tables: &[FileArrays]) -> Result<Vec<Case>, MatrixError> {
    let mut cases = Vec::new();
    for FileArrays { types, input, n, lengths_each, cache } in tables {
        let types: Vec<Types> = all("arrays.types", types)?;
        let caches: Vec<Cache> = all("arrays.cache", cache)?;
        n.iter().try_for_each(|n| within("arrays.n", *n, 1, MOST_KEYS))?;
        let lengths_each = lengths_each.unwrap_or(n.len());
        within("arrays.lengths_each", lengths_each as u64, 1, n.len() as u64)?;
        let mut lengths = n.iter().cycle();
        for types in types {
            for input in inputs_of(types, input)? {
                has_values(types, input)?;
                let of_input = lengths.by_ref().take(lengths_each).flat_map(|n| {
                    caches.iter().map(|cache| Case {
                        group: Group::Device,
                        types,
                        input,
                        n: *n,
                        shape: None,
                        rows: None,
                        order: Order::Ascending,
                        cache: *cache,
                    })
                });
                cases.extend(of_input);
            }
        }
    }
    let mut seen = HashSet::new();
    cases.retain(|case| seen.insert(*case));
    Ok(cases)
}

/// The inputs that words say; [`CLASSES`] says all classes that these types can be.
fn inputs_of(types: Types, words: &[String]) -> Result<Vec<Input>, MatrixError> {
    let mut inputs = Vec::new();
    for word in words {
        if word == CLASSES {
            inputs.extend(Class::of(types).map(Input::Class));
        } else {
            inputs.extend(all::<Input>("arrays.input", std::slice::from_ref(word))?);
        }
    }
    Ok(inputs)
}

/// Whether a key has what an input asks for. The lowest bits alone can be random of integers, for floats are numbers in a
/// range; and there are no more different values than a key has.
fn has_values(types: Types, input: Input) -> Result<(), MatrixError> {
    let key = types.key.info();
    let (is_legal, legal) = match input {
        Input::Bits(bits) => (
            key.class != KeyClass::Float && (1..key.bits).contains(&bits),
            format!("1 to {} bits of integers, for {types}", key.bits - 1),
        ),
        Input::Distinct(values) => (
            key.bits >= u32::BITS || values <= 1 << key.bits,
            format!("1 to 2^{} distinct, for {types}", key.bits),
        ),
        Input::Segments(_) => (false, "inputs without segments".to_owned()),
        Input::Class(class) => (class.suits(types), format!("what {types} can be")),
        Input::Random | Input::And(_) | Input::Sorted | Input::Reversed | Input::Zipf => {
            return Ok(());
        }
    };
    if is_legal {
        return Ok(());
    }
    Err(MatrixError::Value { field: "arrays.input", value: input.to_string(), legal })
}

/// The specs of tiles, all of which a record can tell apart and the arrays can be filled for.
fn specs(sorts: toml::Value) -> Result<Vec<SortSpec>, MatrixError> {
    let table = toml::Table::from_iter([("sorts".to_owned(), sorts)]);
    let headers = file::parse(&table.to_string())?;
    let specs: Vec<SortSpec> = headers.iter().map(|header| header.spec).collect();
    for spec in &specs {
        let value = || spec.to_string();
        if contender_of(spec).is_none() {
            let legal = "one-dimensional blocks, with the options of a sort at their defaults but for stable";
            let legal = legal.to_owned();
            return Err(MatrixError::Value { field: "tiles.sorts", value: value(), legal });
        }
        if !can_generate(types_of(spec)) {
            let legal =
                "keys of u8, i8, u16, i16, u32, u64, f16 and f32, alone or with values of u32";
            let legal = legal.to_owned();
            return Err(MatrixError::Value { field: "tiles.sorts", value: value(), legal });
        }
    }
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Matrix {
        Matrix::named(name).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[test]
    fn the_matrices_with_names_are_legal_and_grow() {
        let [quick, default, full] = ["quick", "default", "full"].map(named);
        let size = |matrix: &Matrix| matrix.tiles.len() + matrix.arrays.len();
        assert!(size(&quick) < 60, "{}", size(&quick));
        assert!(size(&default) >= 300, "{}", size(&default));
        assert!(size(&full) > size(&default), "{}", size(&full));
        // What the smaller ones measure can be found again in the larger ones.
        let sets = [&quick, &default, &full].map(|it| it.tiles.iter().collect::<HashSet<_>>());
        assert!(sets[0].is_subset(&sets[1]) && sets[1].is_subset(&sets[2]));
        assert!(quick.arrays.iter().all(|case| default.arrays.contains(case)));
        assert!(default.arrays.iter().all(|case| full.arrays.contains(case)));
    }

    /// The quick matrix with one thing replaced is refused, by an error that holds these words.
    fn refused(from: &str, to: &str, words: &str) {
        let text = NAMED[0].1;
        assert!(text.contains(from), "{from}");
        let error = Matrix::parse(&text.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.contains(words), "{error}");
    }

    #[test]
    fn an_error_says_what_is_legal() {
        refused("samples = ", "samples = 1 # ", "time.samples is `1`; legal: 10 to 1000");
        refused("log2 = ", "log2 = 40 # ", "tiles.log2 is `40`; legal: 16 to 28");
        refused("warm_up_ms", "warmup_ms", "unknown field `warmup_ms`, expected one of `samples`");
        refused("key = ", "keys = 1 # ", "tiles: sorts table 1: axis `keys` is unknown");
        refused("\"u32_keys\"", "\"u33_keys\"", "arrays.types is `u33_keys`; legal: KEY_VALUE");
        refused("\"random\"", "\"chaos\"", "arrays.input is `chaos`; legal: random, sorted");
        refused("\"and 3\"", "\"32 bits\"", "arrays.input is `32 bits`; legal: 1 to 31 bits of");
        refused("radix_bits", "inner_scan = \"raking\"\nradix_bits", "tiles.sorts is `block_radix");
        refused(
            "\"and 3\"",
            "\"0 distinct\"",
            "arrays.input is `0 distinct`; legal: random, sorted",
        );
        let cache = |list: &str| format!("n = [65536]\ncache = {list} #");
        refused("n = ", &cache("[\"tepid\"]"), "arrays.cache is `tepid`; legal: warm, cold");
        refused("n = ", &cache("\"cold\""), "invalid type: string \"cold\", expected a sequence");
        let error = Matrix::named("no/such.toml").unwrap_err().to_string();
        assert!(error.starts_with("cannot read the matrix no/such.toml: "), "{error}");
    }

    /// The sorts of arrays that a matrix with this table lists.
    fn arrays_of(table: &str) -> Result<Vec<Case>, MatrixError> {
        let (text, _) = NAMED[0].1.split_once("[[arrays]]").unwrap();
        Matrix::parse(&format!("{text}[[arrays]]\n{table}")).map(|matrix| matrix.arrays)
    }

    #[test]
    fn arrays_are_warm_unless_a_table_says_otherwise() {
        let table = "types = [\"u32_keys\"]\ninput = [\"zipf\"]\nn = [4096, 4097]\n";
        let warm = arrays_of(table).unwrap();
        assert!(warm.len() == 2 && warm.iter().all(|case| case.cache == Cache::Warm));
        let both = arrays_of(&format!("{table}cache = [\"cold\", \"warm\", \"cold\"]")).unwrap();
        let facts = both.iter().map(|case| (case.n, case.cache)).collect::<Vec<_>>();
        let [warm, cold] = [Cache::Warm, Cache::Cold];
        assert_eq!(facts, [(4096, cold), (4096, warm), (4097, cold), (4097, warm)]);
    }

    #[test]
    fn the_inputs_cover_all_classes_of_each_type() {
        let arrays = named("inputs").arrays;
        assert!((1000..2000).contains(&arrays.len()), "{}", arrays.len());
        let seen: HashSet<_> = arrays.iter().map(|case| (case.types, case.input)).collect();
        for types in arrays.iter().map(|case| case.types) {
            for class in Class::of(types) {
                assert!(seen.contains(&(types, Input::Class(class))), "{types} {class}");
            }
        }
        let lengths: HashSet<u64> = arrays.iter().map(|case| case.n).collect();
        assert!(lengths.contains(&4096) && lengths.contains(&(1 << 28)));
    }

    #[test]
    fn lengths_are_taken_in_turn() {
        let table = "types = [\"u32_keys\"]\ninput = [\"zipf\", \"saw\"]\nn = [3, 5, 7]\n";
        let of = |each| arrays_of(&format!("{table}lengths_each = {each}"));
        let lengths: Vec<u64> = of(2).unwrap().iter().map(|case| case.n).collect();
        assert_eq!(lengths, [3, 5, 7, 3]);
        let error = of(4).unwrap_err().to_string();
        assert_eq!(error, "arrays.lengths_each is `4`; legal: 1 to 3");
        let error = arrays_of(&table.replace("saw", "normal")).unwrap_err().to_string();
        assert_eq!(error, "arrays.input is `normal`; legal: what u32_keys can be");
    }

    #[test]
    fn there_are_no_more_different_values_than_a_key_has() {
        let of = |types: &str, input: &str| {
            arrays_of(&format!("types = [\"{types}\"]\ninput = [\"{input}\"]\nn = [4096]\n"))
        };
        for (types, input) in
            [("u8_keys", "256 distinct"), ("u16_keys", "zipf"), ("f32_u32", "16 distinct")]
        {
            assert_eq!(of(types, input).unwrap()[0].input.to_string(), input);
        }
        let error = of("u8_keys", "257 distinct").unwrap_err().to_string();
        let words = "arrays.input is `257 distinct`; legal: 1 to 2^8 distinct, for u8_keys";
        assert_eq!(error, words);
    }
}
