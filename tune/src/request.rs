//! What the command line asks for: cases, a time, a file.

use std::path::PathBuf;
use std::time::Duration;

use sortsmith_codegen::device::DeviceAlgorithm;
use sortsmith_codegen::trust::variable;
use sortsmith_codegen::tuning::file::{self, GpuId, NONE, VARIABLE};
use sortsmith_codegen::tuning::{Case, SizeClass};
use sortsmith_codegen::{KeyType, Token, ValueType, item_count};

use crate::gpu::legal_types;

/// What is tuned by default: what the records of the benches have, and positions.
pub const USUAL_TYPES: &str = "u32_keys,f32_u32,u32_u32,u64_keys,u64_u32,u32_u64,f32_index";

/// Types of keys and of what goes with them, as names of specs have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Types {
    key: KeyType,
    value: ValueType,
}

impl std::str::FromStr for Types {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = |text: &str| {
            let (key, value) = text.split_once('_')?;
            Some(Self {
                key: KeyType::from_token(key).ok()?,
                value: ValueType::from_token(value).ok()?,
            })
        };
        read(text).ok_or_else(|| {
            let values: Vec<&str> = ValueType::table().iter().map(|(_, word)| *word).collect();
            format!(
                "legal: KEY_VALUE, KEY one of {} or a type that is sorted like it, VALUE one of {}",
                legal_types(),
                values.join(", ")
            )
        })
    }
}

/// Types of keys that stand for others, and what goes with them, each once.
pub fn host_slices(types: &[Types]) -> Vec<(KeyType, ValueType)> {
    let mut all = Vec::new();
    for case in types.iter().filter_map(|Types { key, value }| Case::of(*key, *value, 1)) {
        let types = (case.key(), case.value());
        if !all.contains(&types) {
            all.push(types);
        }
    }
    all
}

/// The cases of these types: of all classes, or of those that arrays of these lengths are in.
pub fn cases(types: &[Types], lengths: &[u64]) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let lengths = match lengths {
        [] => SizeClass::ALL.map(SizeClass::most).to_vec(),
        lengths => lengths.to_vec(),
    };
    for Types { key, value } in types {
        for n in &lengths {
            let case = Case::of(*key, *value, *n).ok_or_else(|| {
                let most = SizeClass::ALL[SizeClass::ALL.len() - 1].most();
                format!("--length {n} is not tuned; legal: 1 to {most}")
            })?;
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

/// An algorithm that shapes are tried of, by its word.
pub fn algorithm(text: &str) -> Result<DeviceAlgorithm, String> {
    let tuned = || DeviceAlgorithm::ALL.into_iter().filter(|it| it.is_tuned());
    tuned().find(|it| it.token() == text).ok_or_else(|| {
        let words: Vec<&str> = tuned().map(DeviceAlgorithm::token).collect();
        format!("legal: {}", words.join(", "))
    })
}

/// A time such as `90s`, `10m` or `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(char, f64); 3] = [('s', 1.0), ('m', 60.0), ('h', 3600.0)];
    let (unit, seconds) =
        UNITS.into_iter().find(|(unit, _)| text.ends_with(*unit)).unwrap_or((' ', 1.0));
    let number: Option<f64> = text.trim_end_matches(unit).parse().ok();
    let time = number.filter(|it| *it > 0.0).map(|it| Duration::try_from_secs_f64(it * seconds));
    time.and_then(Result::ok).ok_or_else(|| "legal: 90s, 10m or 2h".to_owned())
}

/// A number of items, one at least.
pub fn count(text: &str) -> Result<u64, String> {
    let number = item_count(text).filter(|it| *it > 0);
    number.ok_or_else(|| "legal: a whole number, 2^20 or 1e6".to_owned())
}

/// The file: the one that was named, else the one that sorters look for.
pub fn path(named: Option<PathBuf>, gpu: &GpuId) -> Result<PathBuf, String> {
    if let Some(path) = named {
        return Ok(path);
    }
    match variable(VARIABLE) {
        Some(value) if value == NONE => Err(format!(
            "{VARIABLE}={NONE} means that there is no file; legal: unset it, or give --file"
        )),
        Some(value) => Ok(PathBuf::from(value)),
        None => file::default_path(gpu).ok_or_else(|| {
            "there is no cache folder; legal: SORTSMITH_CACHE_DIR, or --file".to_owned()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(text: &str) -> Vec<Types> {
        text.split(',').map(|it| it.parse().expect("types")).collect()
    }

    #[test]
    fn cases_are_those_of_the_lengths_and_none_comes_twice() {
        let usual = types(USUAL_TYPES);
        assert_eq!(cases(&usual, &[]).expect("legal").len(), usual.len() * SizeClass::ALL.len());
        let found = cases(&types("i32_keys,u32_keys"), &[3_000_000, 1 << 22, 5000]).expect("legal");
        let names: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["u32_keys up to 4194304", "u32_keys up to 131072"]);
        let both = types("i32_keys,u32_keys,f32_u32");
        let of_u32 = (KeyType::U32, ValueType::None);
        assert_eq!(host_slices(&both), [of_u32, (KeyType::F32, ValueType::U32)]);
        let error = cases(&usual, &[1 << 30]).expect_err("too many");
        assert_eq!(error, "--length 1073741824 is not tuned; legal: 1 to 1073741823");
        let error = "u33_keys".parse::<Types>().expect_err("no type");
        assert!(error.starts_with("legal: KEY_VALUE, KEY one of u8, "), "{error}");
    }

    #[test]
    fn times_have_units_and_counts_may_be_powers() {
        let seconds = ["90s", "1.5m", "2h", "7"].map(|it| duration(it).map(|it| it.as_secs_f64()));
        assert_eq!(seconds, [Ok(90.0), Ok(90.0), Ok(7200.0), Ok(7.0)]);
        for text in ["", "s", "-1s", "0m", "1d", "inf", "NaN", "1e300h"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(["2^20", "1000", "1e6"].map(count), [Ok(1 << 20), Ok(1000), Ok(1_000_000)]);
        for text in ["", "0", "0e6", "2^64", "2^", "-5", "1e20", "e6", "1.5e6"] {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
