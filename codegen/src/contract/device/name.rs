//! The names of device-wide sorts:
//! `device_<algorithm>_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>[_rows][_stable][_nanlast][_wide][_counted]`.

use std::fmt;

use super::algorithm::DeviceAlgorithm;
use super::spec::{DeviceFields, DeviceSpec};
use crate::contract::named::{number, token};

/// What the names of device-wide sorts begin with, and no other names.
pub const PREFIX: &str = "device_";

/// What names are like.
pub(crate) fn grammar() -> String {
    let word = |it: DeviceAlgorithm| {
        let of_sort = it.prefix().strip_prefix(PREFIX);
        of_sort.and_then(|rest| rest.strip_suffix("_sort")).unwrap_or_default()
    };
    let words = DeviceAlgorithm::ALL.map(word).join("|");
    let options = DeviceAlgorithm::ALL.into_iter().flat_map(DeviceAlgorithm::options);
    let options = options.map(|option| format!("[_{option}]")).collect::<Vec<_>>().concat();
    format!(
        "{PREFIX}<{words}>_sort_<key>_<value|keys>_b<threads>_i<items>_<asc|desc>{options}[_nanlast][_wide][_counted]"
    )
}

impl fmt::Display for DeviceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeviceFields { algorithm, key, value, threads, items, order, nan_last, wide, counted } =
            self.fields();
        write!(f, "{}_{key}_{value}_b{threads}_i{items}_{order}", algorithm.prefix())?;
        algorithm.chosen_options().iter().try_for_each(|option| write!(f, "_{option}"))?;
        f.write_str(if nan_last { "_nanlast" } else { "" })?;
        f.write_str(if wide { "_wide" } else { "" })?;
        f.write_str(if counted { "_counted" } else { "" })
    }
}

/// The fields, or the part that does not fit.
pub(crate) fn fields(name: &str) -> Result<DeviceFields, &str> {
    let (algorithm, rest) = DeviceAlgorithm::ALL
        .into_iter()
        .find_map(|it| Some((it, name.strip_prefix(it.prefix())?.strip_prefix('_')?)))
        .ok_or(name)?;
    let mut words = rest.split('_').peekable();
    let mut next = || words.next().unwrap_or_default();
    let fields = DeviceFields {
        algorithm,
        key: token(next())?,
        value: token(next())?,
        threads: number("b", next())?,
        items: number("i", next())?,
        order: token(next())?,
        nan_last: false,
        wide: false,
        counted: false,
    };
    let mut option = |option: &str| words.next_if_eq(&option).is_some();
    let algorithm = algorithm.map_options(|name, _| option(name));
    let (nan_last, wide, counted) = (option("nanlast"), option("wide"), option("counted"));
    match words.next() {
        None => Ok(DeviceFields { algorithm, nan_last, wide, counted, ..fields }),
        Some(rest) => Err(rest),
    }
}
