//! Gathers: items of any size put into the order of positions. They move what a sort's kernels do not carry with the keys,
//! once the order is known.
//!
//! ```
//! use sortsmith_codegen::gather::{self, GatherSpec};
//! let spec = GatherSpec::of::<[f32; 3]>().unwrap();
//! assert_eq!(spec.to_string(), "gather_b12_w4");
//! assert!(gather::header(&spec).unwrap().contains("gather_b12_w4_kernel("));
//! ```

#[cfg(feature = "explain")]
mod explain;
mod parameters;

use std::fmt;
use std::str::FromStr;

use askama::Template;

use crate::contract::arguments::ParametersView;
use crate::contract::device::spec::require;
use crate::contract::family::Source;
use crate::contract::named::{self, NamedError, number};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;
use crate::text::header::BaseView;
use crate::text::markers;

#[cfg(feature = "explain")]
pub use explain::GatherFigures as Figures;
pub use parameters::GatherArguments;

/// What the names of gathers begin with, and no other names.
pub(crate) const PREFIX: &str = "gather_";

/// What names are like.
const GRAMMAR: &str = "gather_b<bytes of an item>_w<bytes of a word>";

/// Threads of a block.
const THREADS: u32 = 256;

/// Words that a thread reads before it writes any: enough loads under way, and registers for as many blocks as fit.
const WORDS_PER_THREAD: u32 = 4;

/// The widest word that a thread moves.
const MAX_WORD_BYTES: u32 = 16;

/// Which gather: the bytes of an item, and of the words that it is moved in.
///
/// Its name is `gather_b<bytes of an item>_w<bytes of a word>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GatherSpec {
    item_bytes: u32,
    word_bytes: u32,
}

/// What one gather launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatherLaunch {
    /// Blocks, along x.
    pub blocks: u32,
    /// Threads of each, along x.
    pub threads: u32,
}

impl GatherSpec {
    /// The largest items.
    pub const MAX_ITEM_BYTES: u32 = 1 << 30;

    /// Items of `item_bytes` in words of `word_bytes`, or the first of the two that is not legal.
    pub fn new(item_bytes: u32, word_bytes: u32) -> Result<Self, DeviceSpecError> {
        let is_item = (1..=Self::MAX_ITEM_BYTES).contains(&item_bytes);
        let legal = format!("1 to {} bytes", Self::MAX_ITEM_BYTES);
        require(is_item, "item", item_bytes.to_string(), &legal)?;
        let is_word = word_bytes.is_power_of_two()
            && word_bytes <= MAX_WORD_BYTES
            && item_bytes.is_multiple_of(word_bytes);
        let legal = format!("those of 1, 2, 4, 8 and 16 bytes that divide {item_bytes}");
        require(is_word, "word", word_bytes.to_string(), &legal)?;
        Ok(Self { item_bytes, word_bytes })
    }

    /// Items of a type, in the widest words that its size and its alignment allow. None for a type of no bytes, or of more
    /// than [`Self::MAX_ITEM_BYTES`].
    pub const fn of<T>() -> Option<Self> {
        let (item_bytes, align) = (size_of::<T>(), align_of::<T>());
        if item_bytes == 0 || item_bytes > Self::MAX_ITEM_BYTES as usize {
            return None;
        }
        // A type's size is a multiple of its alignment.
        let word_bytes =
            if align < MAX_WORD_BYTES as usize { align as u32 } else { MAX_WORD_BYTES };
        Some(Self { item_bytes: item_bytes as u32, word_bytes })
    }

    /// Bytes of an item.
    pub const fn item_bytes(self) -> u32 {
        self.item_bytes
    }

    /// Bytes of a word, to which both arrays are aligned.
    pub const fn word_bytes(self) -> u32 {
        self.word_bytes
    }

    /// The kernel's symbol.
    pub fn symbol(self) -> String {
        format!("{self}_kernel")
    }

    /// What the host launches for n items; none for no items.
    pub fn launch(self, n: u64) -> Option<GatherLaunch> {
        let words = u128::from(n) * u128::from(self.item_bytes / self.word_bytes);
        let rounds = words.div_ceil(u128::from(THREADS * WORDS_PER_THREAD));
        // A grid has no more blocks; the kernel goes on from where they end.
        let blocks = rounds.min(i32::MAX as u128) as u32;
        (n > 0).then_some(GatherLaunch { blocks, threads: THREADS })
    }
}

impl Source for GatherSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        None
    }

    fn shared_bytes(&self) -> u32 {
        0
    }
}

impl fmt::Display for GatherSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}b{}_w{}", self.item_bytes, self.word_bytes)
    }
}

impl FromStr for GatherSpec {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        let validate = |(item_bytes, word_bytes)| Self::new(item_bytes, word_bytes);
        named::parse(name, || GRAMMAR.to_owned(), sizes, validate)
    }
}

/// The bytes of an item and of a word, or the part that does not fit.
fn sizes(name: &str) -> Result<(u32, u32), &str> {
    let mut words = name.strip_prefix(PREFIX).ok_or(name)?.split('_');
    let mut next = || words.next().unwrap_or_default();
    let sizes = (number("b", next())?, number("w", next())?);
    words.next().map_or(Ok(sizes), Err)
}

#[derive(Template)]
#[template(path = "gather/header.cuh", escape = "none")]
struct View {
    base: BaseView,
    word: &'static str,
    item_bytes: u32,
    threads: u32,
    words_per_thread: u32,
    parameters: ParametersView,
}

/// The header of a gather: self-contained CUDA with its kernel.
pub fn header(spec: &GatherSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}

/// The header with the template's [`markers`].
#[doc(hidden)]
pub fn marked_header(spec: &GatherSpec) -> Result<String, RenderError> {
    let GatherSpec { item_bytes, word_bytes } = *spec;
    let bytes =
        |count: u32| if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") };
    let title = format!("Gathers items of {} by positions", bytes(item_bytes));
    let view = View {
        base: BaseView::of(spec, "gather", title, []),
        word: match word_bytes {
            1 => "unsigned char",
            2 => "unsigned short",
            4 => "unsigned int",
            8 => "unsigned long long",
            // Four registers by one load.
            _ => "uint4",
        },
        item_bytes,
        threads: THREADS,
        words_per_thread: WORDS_PER_THREAD,
        parameters: ParametersView::of::<GatherArguments, _>(spec),
    };
    let mut text =
        view.render().map_err(|source| RenderError::Device { name: spec.to_string(), source })?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Line(#[allow(dead_code)] [u8; 192]);

    #[test]
    fn a_types_words_are_as_wide_as_its_alignment() {
        let name = |spec: Option<GatherSpec>| spec.map(|spec| spec.to_string());
        for (found, expected) in [
            (GatherSpec::of::<[u8; 3]>(), "gather_b3_w1"),
            (GatherSpec::of::<[u16; 3]>(), "gather_b6_w2"),
            (GatherSpec::of::<[f32; 3]>(), "gather_b12_w4"),
            (GatherSpec::of::<[u64; 3]>(), "gather_b24_w8"),
            (GatherSpec::of::<[u128; 4]>(), "gather_b64_w16"),
            (GatherSpec::of::<Line>(), "gather_b192_w16"),
        ] {
            assert_eq!(name(found).as_deref(), Some(expected));
            // What is made in a constant is what is checked at run time.
            let spec = found.expect("it has a name");
            assert_eq!(GatherSpec::new(spec.item_bytes(), spec.word_bytes()), Ok(spec));
        }
        assert_eq!(GatherSpec::of::<()>(), None);
        assert_eq!(GatherSpec::of::<[u8; (1 << 30) + 1]>(), None);
    }

    #[test]
    fn names_are_parsed_as_they_are_printed() {
        for word in [1, 2, 4, 8, 16] {
            for words in [1, 3, 64, (1 << 30) / word] {
                let spec = GatherSpec::new(words * word, word).expect("legal");
                assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
        for (name, part) in [
            ("gather", "gather"),
            ("gather_b12", ""),
            ("gather_b012_w4", "b012"),
            ("gather_b12_w+4", "w+4"),
            ("gather_b12_w4_w4", "w4"),
        ] {
            assert_eq!(named::misfit::<GatherSpec>(name), part);
        }
    }

    #[test]
    fn what_is_not_legal_is_named() {
        let error = |item, word| GatherSpec::new(item, word).expect_err("not legal").to_string();
        assert_eq!(error(0, 1), "item = 0 is not legal; legal: 1 to 1073741824 bytes");
        assert_eq!(
            error(12, 8),
            "word = 8 is not legal; legal: those of 1, 2, 4, 8 and 16 bytes that divide 12"
        );
        assert!(error(96, 32).starts_with("word = 32"));
        assert!(error(9, 0).starts_with("word = 0"));
        let error = "gather_b12_w8".parse::<GatherSpec>().expect_err("not legal").to_string();
        assert!(error.starts_with("name `gather_b12_w8`: word = 8 is not legal"), "{error}");
    }

    #[test]
    fn blocks_are_as_many_as_there_are_rounds() {
        let spec = GatherSpec::new(12, 4).expect("legal");
        let blocks = |n| spec.launch(n).map(|launch| launch.blocks);
        assert_eq!([blocks(0), blocks(1), blocks(1024)], [None, Some(1), Some(3)]);
        assert_eq!(blocks(1025), Some(4));
        assert_eq!(blocks(u64::MAX), Some(i32::MAX as u32));
    }
}
