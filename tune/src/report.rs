//! What was found, for people.

use std::fmt::Write as _;

use sortsmith_codegen::device::DeviceSpec;
use sortsmith_codegen::tuning::Case;
use sortsmith_codegen::tuning::crossover::Times;
use sortsmith_codegen::tuning::file::{Row, TuningFile};
use sortsmith_codegen::{KeyType, ValueType};

use crate::run::{Done, TOLERANCE, Verified};
use crate::search::{Found, Pair};

/// One line for a case.
fn line(case: &Case, built_in: &DeviceSpec, kernel: &DeviceSpec, rest: &str) -> String {
    let kernel =
        if kernel == built_in { "the same".to_owned() } else { kernel.shape().to_string() };
    let (case, built_in) = (case.to_string(), built_in.shape());
    format!("{case:<28}{built_in:<16}{kernel:<16}{rest}").trim_end().to_owned() + "\n"
}

fn head(rest: &str) -> String {
    format!("{:<28}{:<16}{:<16}{rest}\n", "case", "built in", "tuned")
}

/// Microseconds of both at the point that stands for all.
fn times(pairs: &[Pair]) -> String {
    pairs.first().map_or(String::new(), |Pair { built_in, kernel, .. }| {
        format!("{:>9.1} -> {:>9.1}", 1e3 * built_in, 1e3 * kernel)
    })
}

/// What was found for a case.
pub fn found(case: &Case, found: &Found) -> String {
    let Found { kernel, built_in, pairs, kept_for, .. } = found;
    let rest = match kept_for {
        None => format!("{}  x {:.3}", times(pairs), found.ratio()),
        Some(reason) => format!("({reason})"),
    };
    line(case, built_in, kernel, &rest)
}

/// What a run found, and what it did not come to.
pub fn done(done: &Done) -> String {
    let mut text = String::new();
    if !done.found.is_empty() {
        text += &head("       us       tuned  times as fast");
    }
    for (case, of_case) in &done.found {
        text += &found(case, of_case);
    }
    let ratios: Vec<f64> = done.found.iter().map(|(_, found)| found.ratio()).collect();
    let faster = ratios.iter().filter(|ratio| **ratio > 1.0).count();
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64;
    let _ = writeln!(
        text,
        "{faster} of {} cases are faster than built in, {:.3} times over all; {} were known",
        ratios.len(),
        mean.exp(),
        done.known
    );
    if !done.left.is_empty() {
        let names: Vec<String> = done.left.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "no time was left for: {}", names.join("; "));
    }
    text
}

/// What a file says.
pub fn file(file: &TuningFile) -> String {
    let mut text = format!("{}, sm_{}\n{}", file.gpu.name, file.gpu.arch, head("times as fast"));
    for Row { case, kernel, built_in, ratio, date } in &file.rows {
        text += &line(case, built_in, kernel, &format!("x {ratio:.3}, {date}"));
    }
    if !file.stale.is_empty() {
        let _ = writeln!(text, "not used, for the source has changed: {}", file.stale.join(", "));
    }
    text
}

/// Times of sorts of host slices of such types.
pub fn host_slices(key: KeyType, value: ValueType, all: &[Times]) -> String {
    let name = format!("{key}_{value}");
    let mut text = String::new();
    for Times { n, host, gpu } in all {
        let [host_us, gpu_us] = [host, gpu].map(|time| *time as f64 / 1e3);
        let faster = if gpu <= host { "GPU" } else { "host" };
        let _ = writeln!(text, "{name:<12}{n:>9} keys{host_us:>12.1}{gpu_us:>12.1}  {faster}");
    }
    text
}

/// What stands above such times.
pub fn host_slices_head() -> String {
    format!("{:<12}{:>14}{:>12}{:>12}  faster\n", "host slices", "", "us on host", "us on GPU")
}

/// Rows that were measured once more.
pub fn verified(all: &[Verified]) -> String {
    let mut text = head("       us       tuned  times as fast, at the worst point");
    for verified in all {
        let Row { case, kernel, built_in, .. } = &verified.row;
        let rest = match verified.pairs.as_slice() {
            [] => String::new(),
            pairs => {
                let mark = if verified.is_slow() { "  SLOWER" } else { "" };
                format!("{}  x {:.3}{mark}", times(pairs), verified.least())
            }
        };
        text += &line(case, built_in, kernel, &rest);
    }
    let slow = all.iter().filter(|row| row.is_slow()).count();
    let percent = 100.0 * TOLERANCE;
    let _ = writeln!(
        text,
        "{slow} of {} rows are slower than built in by more than {percent:.0}% at some point",
        all.len()
    );
    text
}

#[cfg(test)]
mod tests {
    use sortsmith_codegen::Arch;
    use sortsmith_codegen::device::Device;

    use super::*;
    use crate::bench::{Input, Point};

    #[test]
    fn times_of_host_slices_say_which_side_is_faster() {
        let times = [(2048, 10_000, 40_000), (65536, 400_000, 100_500)];
        let times = times.map(|(n, host, gpu)| Times { n, host, gpu });
        let text = host_slices_head() + &host_slices(KeyType::F32, ValueType::U32, &times);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "host slices                 us on host   us on GPU  faster");
        assert_eq!(lines[1], "f32_u32          2048 keys        10.0        40.0  host");
        assert_eq!(lines[2], "f32_u32         65536 keys       400.0       100.5  GPU");
    }

    #[test]
    fn a_report_says_what_is_faster_by_how_much_and_what_was_left_out() {
        let case = |n| Case::of(KeyType::F32, ValueType::U32, n).expect("a class");
        let device = Device::of(Arch::new(90).expect("known"));
        let of = |n, candidate: usize, kept_for| {
            let candidates = case(n).candidates(device);
            let point = Point { n, input: Input::Random };
            let pairs =
                vec![Pair { point, built_in: 0.0442, kernel: 0.0401, relative_spread: 0.0 }];
            let (kernel, built_in) = (candidates[candidate], candidates[0]);
            (case(n), Found { kernel, built_in, pairs, tried: 9, kept_for })
        };
        let found = vec![of(1 << 22, 1, None), of(1 << 25, 0, Some("why not".to_owned()))];
        let text = done(&Done { found, known: 3, left: vec![case(1 << 17)] });
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains("f32_u32 up to 4194304       radix 384x24"), "{text}");
        assert!(lines[1].ends_with("44.2 ->      40.1  x 1.102"), "{text}");
        assert!(lines[2].ends_with("the same        (why not)"), "{text}");
        assert_eq!(
            lines[3],
            "1 of 2 cases are faster than built in, 1.050 times over all; 3 were known"
        );
        assert_eq!(lines[4], "no time was left for: f32_u32 up to 131072");
    }
}
