//! Numbers of items as people write them.

/// A number of items: digits, perhaps with underscores, or a power such as `2^20`, `1e6` or `3e6`.
///
/// ```
/// use sortsmith_codegen::item_count;
///
/// assert_eq!(["1_000", "2^20", "3e6"].map(item_count), [Some(1000), Some(1 << 20), Some(3_000_000)]);
/// assert_eq!(["1.5e6", "2^64", "many"].map(item_count), [None; 3]);
/// ```
pub fn item_count(text: &str) -> Option<u64> {
    let digits = |text: &str| text.replace('_', "").parse::<u64>().ok();
    if let Some(exponent) = text.strip_prefix("2^") {
        return 2u64.checked_pow(exponent.parse().ok()?);
    }
    match text.split_once('e') {
        Some((factor, exponent)) => {
            let power = 10u64.checked_pow(exponent.parse().ok()?)?;
            digits(factor)?.checked_mul(power)
        }
        None => digits(text),
    }
}
