//! Names of specs, and the other words that name something.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use sortsmith_codegen::device::{self, DeviceAlgorithm, DeviceSpec};
use sortsmith_codegen::emit::Named;
use sortsmith_codegen::matrix::{AlgorithmWord, BitSpan, RankMethod};
use sortsmith_codegen::{
    Arch, Arrangement, Block, Family, InnerScan, KeyType, LaneMatch, Order, SortSpec, Token,
    ValueType, render,
};

use crate::{Target, message};

/// The target.
pub const TARGET: Target = Target { name: "names", run, words, rounds: 20_000 };

/// A text as the name of everything that has names: what is accepted is written in no other way and renders, and what is
/// not is an error of one line.
fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let sort = spec::<SortSpec>(&text, |spec| {
        let options = render::Options {
            tile_kernel: text.len().is_multiple_of(2),
            rows_kernel: text.len().is_multiple_of(3),
            counted_rows_kernel: text.len().is_multiple_of(7),
            of_project: text.len().is_multiple_of(5),
        };
        assert_eq!(spec.fields().validate(), Ok(*spec));
        render::header(spec, options).expect("a legal spec renders")
    });
    let device = spec::<DeviceSpec>(&text, |spec| {
        assert_eq!(spec.fields().validate(), Ok(*spec));
        device::header(spec).expect("a legal spec renders")
    });
    let of_families = names_of_families(&text);
    let named = spec::<Named>(&text, |named| {
        let file = named.file().expect("a legal spec renders");
        assert_eq!(file.name, format!("{named}.cuh"));
        file.text
    });
    // A name has one meaning.
    let on_arrays = usize::from(device) + of_families;
    assert!(usize::from(sort) + on_arrays <= 1, "{text:?}");
    assert_eq!(named, on_arrays == 1);
    assert!(!sort || !Named::claims(&text));
    words_of_axes(&text);
}

macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        /// Of how many families on arrays, beside the device-wide sorts, the text is a spec's name; checks the same as [`spec`].
        fn names_of_families(text: &str) -> usize {
            use sortsmith_codegen::{$($folder),*};
            let are_names = [
                $(spec::<$folder::$spec>(text, |it| $folder::header(it).expect("a legal spec renders"))),*
            ];
            are_names.into_iter().filter(|is_name| *is_name).count()
        }
    };
}
sortsmith_codegen::kernel_families!(families);

/// Whether the text is a spec's name; checks what it is if so, and the error if not.
fn spec<S>(text: &str, header: impl Fn(&S) -> String) -> bool
where
    S: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    match text.parse::<S>() {
        Ok(spec) => {
            assert_eq!(spec.to_string(), text);
            // Files, symbols and the sources of bundles have it without quotes or escapes.
            assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            let header = header(&spec);
            assert!(header.contains(text) && header.ends_with('\n') && !header.contains("{%"));
            true
        }
        Err(error) => {
            let said = message::check(&error);
            assert!(said.starts_with("name `"), "{said}");
            let says_what = ["is not ", "does not fit ", "legal: "];
            assert!(says_what.iter().any(|words| said.contains(words)), "{said}");
            false
        }
    }
}

/// The words of axes, each with all of its values.
fn words_of_axes(text: &str) {
    word::<KeyType>(text);
    word::<ValueType>(text);
    word::<Order>(text);
    word::<Arrangement>(text);
    word::<InnerScan>(text);
    word::<LaneMatch>(text);
    word::<Family>(text);
    if let Ok(block) = legal_or_reported::<Block>(text) {
        assert_eq!(block.to_string().parse(), Ok(block));
        assert!(block.warps() >= block.threads() / 32);
    }
    if let Ok(arch) = legal_or_reported::<Arch>(text) {
        assert_eq!(arch.to_string(), text);
        assert!(arch.max_shared_bytes() > 0);
    }
    let _ = legal_or_reported::<BitSpan>(text);
    let _ = AlgorithmWord::from_token(text).map_err(|error| message::check(&error));
    let _ = RankMethod::from_token(text).map_err(|error| message::check(&error));
}

fn word<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + Token,
{
    if let Ok(value) = legal_or_reported::<T>(text) {
        assert_eq!(value.to_string(), text);
    }
}

fn legal_or_reported<T: FromStr<Err: Display>>(text: &str) -> Result<T, ()> {
    text.parse().map_err(|error: T::Err| {
        let said = message::check(&error);
        assert!(said.contains("legal: "), "{said}");
    })
}

fn words() -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    words.extend(KeyType::ALL.iter().map(|key| format!("_{key}_")));
    words.extend(ValueType::table().iter().map(|(_, word)| format!("_{word}_")));
    words.extend(Family::table().iter().map(|(family, _)| format!("{}_", family.prefix())));
    words.extend(DeviceAlgorithm::ALL.map(|it| format!("{}_", it.prefix())));
    words.extend(Named::PREFIXES.iter().map(|it| (*it).to_owned()));
    let more = "b12 _k16 _k64 _w1 _w2 _w4 _w8 _w16 _w32 _b32 \
        _b64 _b256 _b1024 _b8x8x4 _b32x8 _i1 _i4 _i16 _i64 _r1 _r4 _r6 _r8 _asc _desc _stable _nanlast _wide _nomemo \
        _raking _rakingmemo _match _matchmasks _bits0to8 _bits3to45 _instriped _inwarpstriped _outstriped x 0 \
        4294967295 4294967296 18446744073709551616 + - sm_90 all 0..32";
    words.extend(more.split_whitespace().map(str::to_owned));
    words.extend(["\n", "\u{2028}", "\u{1b}[2J", "`", "_", "\0"].map(str::to_owned));
    words
}
