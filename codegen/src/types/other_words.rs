//! Words of C++, CUB and nvcc for what has another word here: errors say which.

use std::fmt;

use super::Arch;

/// Types of C++ and CUDA, and the token of each.
const TYPES: &[(&str, &[&str])] = &[
    ("u8", &["unsigned char", "uint8_t", "uint8", "uchar", "byte"]),
    ("u16", &["unsigned short", "uint16_t", "uint16", "ushort"]),
    ("u32", &["unsigned", "unsigned int", "uint32_t", "uint32", "uint"]),
    ("u64", &["unsigned long", "unsigned long long", "uint64_t", "uint64", "size_t"]),
    ("u128", &["unsigned __int128", "__uint128_t", "uint128"]),
    ("i8", &["char", "signed char", "int8_t", "int8"]),
    ("i16", &["short", "int16_t", "int16"]),
    ("i32", &["int", "int32_t", "int32"]),
    ("i64", &["long", "long long", "int64_t", "int64"]),
    ("i128", &["__int128", "__int128_t", "int128"]),
    ("f16", &["half", "__half", "float16"]),
    ("bf16", &["bfloat16", "__nv_bfloat16"]),
    ("f32", &["float", "float32"]),
    ("f64", &["double", "float64"]),
    ("f8e4m3", &["__nv_fp8_e4m3", "float8_e4m3fn"]),
    ("f8e5m2", &["__nv_fp8_e5m2", "float8_e5m2"]),
];

/// Keys that are no payload: the payload of as many bytes.
const PAYLOADS: &[(&str, &[&str])] = &[
    ("u8", &["i8", "bool", "f8e4m3", "f8e5m2"]),
    ("u16", &["i16", "f16", "bf16"]),
    ("u32", &["i32", "f32"]),
    ("u64", &["i64", "f64"]),
    ("u128", &["i128"]),
];

/// Classes of CUB, and the algorithm of each.
const ALGORITHMS: &[(&str, &[&str])] = &[
    ("block-radix", &["blockradixsort", "cub::blockradixsort", "radix"]),
    ("block-merge", &["blockmergesort", "cub::blockmergesort", "merge"]),
    ("warp-bitonic", &["warpmergesort", "cub::warpmergesort", "bitonic"]),
];

/// A facade, what it makes, and which words mean that, none of them a facade or an algorithm here: CUB's classes, and the first or last words of names,
/// so that a family's name is not listed once more.
struct OfFacade {
    facade: &'static str,
    makes: &'static str,
    /// Whether it is meant by a word [as they are compared](as_compared).
    is_meant_by: fn(&str) -> bool,
}

/// Sorts of arrays and what else has no axes. A word means the first one that it fits.
const OF_FACADES: [OfFacade; 4] = [
    OfFacade {
        facade: "cub-topk",
        makes: "top-ks",
        is_meant_by: |word| word.ends_with("topk") || word.ends_with("top-k"),
    },
    OfFacade {
        facade: "cub-segmented",
        makes: "sorts of segments",
        is_meant_by: |word| word.starts_with("segmented") || word.starts_with("devicesegmented"),
    },
    OfFacade {
        facade: "cub-rows",
        makes: "sorts of rows",
        is_meant_by: |word| matches!(word, "rows" | "device-rows" | "devicerows"),
    },
    OfFacade {
        facade: "cub-device",
        makes: "device-wide sorts",
        is_meant_by: |word| word.starts_with("device-") || word == "deviceradixsort",
    },
];

/// A word as words of facades are compared: without CUB's namespace, parted by hyphens.
fn as_compared(lower: &str) -> String {
    lower.trim_start_matches("cub::").replace('_', "-")
}

fn find(table: &[(&'static str, &[&str])], word: &str) -> Option<&'static str> {
    table.iter().find(|(_, others)| others.contains(&word)).map(|(token, _)| *token)
}

fn facade_of(lower: &str) -> Option<&'static OfFacade> {
    let word = as_compared(lower);
    OF_FACADES.iter().find(|it| (it.is_meant_by)(&word))
}

/// What an error about a word that is unknown goes on with, if the word is known elsewhere.
pub(super) struct Hint<'a> {
    /// The axis, as errors name it.
    pub(super) axis: &'a str,
    /// The word.
    pub(super) word: &'a str,
}

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower = self.word.to_ascii_lowercase();
        let of_type = find(TYPES, &lower);
        match self.axis {
            "key" => of_type.map_or(Ok(()), |token| write!(f, "; here it is {token}")),
            "value" if matches!(&*lower, "none" | "void" | "nulltype" | "cub::nulltype") => {
                f.write_str("; here it is keys")
            }
            "value" => {
                let key = of_type.unwrap_or(&lower);
                let payload = find(PAYLOADS, key).or(of_type);
                payload.map_or(Ok(()), |token| write!(f, "; any payload of its size is {token}"))
            }
            "order" if lower.starts_with("asc") => f.write_str("; here it is asc"),
            "order" if lower.starts_with("desc") => f.write_str("; here it is desc"),
            "architecture" if lower == "native" => f.write_str(
                "; `nvidia-smi --query-gpu=compute_cap --format=csv,noheader` says 9.0 for sm_90",
            ),
            "algorithm" => {
                find(ALGORITHMS, &lower)
                    .map_or(Ok(()), |token| write!(f, "; here it is {token}"))?;
                facade_of(&lower).map_or(Ok(()), |OfFacade { facade, makes, .. }| {
                    write!(f, "; {makes} are requested by --facade {facade} or by --name")
                })
            }
            "facade" => {
                let of_block = matches!(&*lower, "blockradixsort" | "cub::blockradixsort");
                let facade = facade_of(&lower).map(|it| it.facade).or(of_block.then_some("cub"));
                facade.map_or(Ok(()), |word| write!(f, "; here it is {word}"))
            }
            "architecture" => {
                // Targets with features of one architecture, such as sm_90a, have that architecture's shared memory.
                let digits = lower.trim_start_matches("compute_").trim_start_matches("sm_");
                let digits = digits.trim_end_matches(['a', 'f']).replace('.', "");
                let known = digits.parse().ok().and_then(|it| Arch::new(it).ok());
                known.map_or(Ok(()), |arch| write!(f, "; write {arch}"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Arch, KeyType, Order, Token, ValueType};

    fn hint(axis: &str, word: &str) -> String {
        Hint { axis, word }.to_string()
    }

    #[test]
    fn every_token_that_is_hinted_at_is_legal() {
        for (token, others) in TYPES {
            assert!(KeyType::from_token(token).is_ok(), "{token}");
            for word in *others {
                assert!(KeyType::from_token(word).is_err(), "{word}");
                assert_eq!(hint("key", word), format!("; here it is {token}"));
                let of_value = hint("value", word);
                let payload = of_value.rsplit(' ').next().unwrap_or_default();
                assert!(ValueType::from_token(payload).is_ok(), "{word}: {of_value}");
            }
        }
        for (token, keys) in PAYLOADS {
            assert!(ValueType::from_token(token).is_ok(), "{token}");
            for key in *keys {
                let bytes = KeyType::from_token(key).map(KeyType::bytes);
                assert_eq!(bytes, ValueType::from_token(token).map(ValueType::bytes));
            }
        }
    }

    #[test]
    fn errors_end_with_the_word_that_is_meant() {
        let float = KeyType::from_token("float").unwrap_err().to_string();
        assert!(float.ends_with("bool; here it is f32"), "{float}");
        let string = KeyType::from_token("string").unwrap_err().to_string();
        assert!(string.ends_with("bool"), "{string}");
        let none = ValueType::from_token("none").unwrap_err().to_string();
        assert!(none.ends_with("index; here it is keys"), "{none}");
        let f32 = ValueType::from_token("f32").unwrap_err().to_string();
        assert!(f32.ends_with("; any payload of its size is u32"), "{f32}");
        let order = Order::from_token("descending").unwrap_err().to_string();
        assert!(order.ends_with("; here it is desc"), "{order}");
        for word in ["90", "9.0", "compute_90", "sm_90a", "compute_90a"] {
            let error = word.parse::<Arch>().unwrap_err().to_string();
            assert!(error.ends_with("; write sm_90"), "{error}");
        }
        let native = "native".parse::<Arch>().unwrap_err().to_string();
        assert!(native.contains("compute_cap"), "{native}");
        let ends = |word: &str, end: &str| hint("algorithm", word).ends_with(end);
        assert!(ends("BlockRadixSort", "; here it is block-radix"));
        for word in ["device-radix", "device_radix_sort", "device-odd-even", "DeviceRadixSort"] {
            assert!(ends(word, "by --facade cub-device or by --name"), "{word}");
        }
        assert!(ends("DeviceSegmentedSort", "by --facade cub-segmented or by --name"));
        for word in ["DeviceTopK", "cub::DeviceBatchedTopK", "Top-K", "top_k", "warp-top-k"] {
            assert!(
                ends(word, "; top-ks are requested by --facade cub-topk or by --name"),
                "{word}"
            );
            assert_eq!(hint("facade", word), "; here it is cub-topk");
        }
        assert_eq!(hint("facade", "cub::BlockRadixSort"), "; here it is cub");
        assert_eq!(hint("facade", "DeviceRadixSort"), "; here it is cub-device");
        assert_eq!(hint("facade", "rows"), "; here it is cub-rows");
        assert_eq!(hint("facade", "device_rows"), "; here it is cub-rows");
        assert!(ends(
            "DeviceRows",
            "; sorts of rows are requested by --facade cub-rows or by --name"
        ));
        assert_eq!(hint("algorithm", "quick"), "");
        assert_eq!(hint("block", "float"), "");
    }
}
