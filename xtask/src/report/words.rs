//! Numbers in words for people.

use sortsmith_benchkit::Row;

/// A number of keys: a power of two as that, others in short.
pub fn count(n: u64) -> String {
    if n.is_power_of_two() && n >= 1 << 10 {
        return power_of_two(n.ilog2());
    }
    match n {
        1_000_000.. => format!("{}M", short(n as f64 / 1e6)),
        1_000.. => format!("{}k", short(n as f64 / 1e3)),
        _ => n.to_string(),
    }
}

/// `2²⁰` for 20.
pub fn power_of_two(exponent: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.to_string();
    let raised = digits.chars().filter_map(|digit| DIGITS.get(digit.to_digit(10)? as usize));
    format!("2{}", raised.collect::<String>())
}

fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A figure with three digits that count, and no exponent.
pub fn figure(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0..100.0 => format!("{number:.1}"),
        1.0..10.0 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// How fast, or a dash.
pub fn rate(row: Option<&Row>) -> String {
    row.map_or("–".to_owned(), |row| figure(row.gkeys))
}

/// A ratio, or a dash.
pub fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short() {
        let counts = [4096, 1 << 28, 100_000, 3_000_017, 150_000_001, 7].map(count);
        assert_eq!(counts, ["2¹²", "2²⁸", "100k", "3M", "150M", "7"]);
    }

    #[test]
    fn figures_have_three_digits() {
        let figures = [1777.4, 80.52, 1.9166, 0.3299].map(figure);
        assert_eq!(figures, ["1777", "80.5", "1.92", "0.330"]);
    }
}
