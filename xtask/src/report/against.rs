//! `cargo xtask report --against`: what became slower or faster from one record to another.
//!
//! Our rows are paired by their ids. Where both records have CUB's times of the same case, what is compared is our speed over
//! that of CUB's fastest of the rows that both have: that cancels a machine that was faster or slower altogether. Where they
//! do not, it is the speed itself.

use std::{
    collections::HashMap,
    fmt::{self, Write as _},
    path::Path,
};

use sortsmith_benchkit::{Head, Id, Library, Record, Row};

use super::words::figure;

/// What a speed is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Yardstick {
    /// CUB's speed in the same record.
    Cub,
    /// Time.
    Time,
}

impl fmt::Display for Yardstick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cub => "× CUB",
            Self::Time => "Gkeys/s",
        })
    }
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It takes longer by more than the threshold.
    Slower,
    /// It is as much faster.
    Faster,
    /// It differs by more than the threshold, but not by more than the repetitions of one run do.
    Unsteady,
    /// It differs by no more than the threshold.
    Same,
}

/// One of our rows in both records.
#[derive(Debug)]
struct Pair {
    id: Id,
    yardstick: Yardstick,
    /// By the yardstick.
    speeds: [f64; 2],
    /// The larger `spread_percent` of the two, as far as they are known.
    spread_percent: f64,
}

impl Pair {
    /// The new speed over the old one.
    fn factor(&self) -> f64 {
        self.speeds[1] / self.speeds[0]
    }

    /// The change of the speed in percent.
    fn percent(&self) -> f64 {
        100.0 * (self.factor() - 1.0)
    }

    fn verdict(&self, threshold_percent: f64) -> Verdict {
        // The same distance both ways: twice as fast is as far as half as fast.
        let distance = self.factor().max(1.0 / self.factor()) - 1.0;
        if 100.0 * distance <= threshold_percent {
            Verdict::Same
        } else if 100.0 * distance <= self.spread_percent {
            Verdict::Unsteady
        } else if self.factor() < 1.0 {
            Verdict::Slower
        } else {
            Verdict::Faster
        }
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speeds = self.speeds.map(figure).join(" → ");
        write!(f, "{:>+7.1}%  {speeds:>15} {:<7}  {}", self.percent(), self.yardstick, self.id)
    }
}

/// Two records side by side.
#[derive(Debug)]
pub struct Comparison {
    threshold_percent: f64,
    /// What the heads say differently.
    heads: Vec<String>,
    /// The ones that changed the most come first: slower ones, then faster ones at the end.
    pairs: Vec<Pair>,
    /// Our rows that one record alone has.
    alone: [Vec<Id>; 2],
}

impl Comparison {
    /// Compares an old record with a new one.
    pub fn of(old: &Record, new: &Record, threshold_percent: f64) -> Self {
        let all = [old, new].map(|record| {
            record.rows.iter().map(|row| (row.id, row)).collect::<HashMap<Id, &Row>>()
        });
        let of_ours = |id: &Id| id.contender.library == Library::Sortsmith;
        let mut pairs: Vec<Pair> = Vec::new();
        for row in old.rows.iter().filter(|row| of_ours(&row.id)) {
            if let Some(now) = all[1].get(&row.id) {
                pairs.push(pair([row, now], old, &all));
            }
        }
        pairs.sort_by(|a, b| a.factor().total_cmp(&b.factor()));
        let alone = [(old, &all[1]), (new, &all[0])].map(|(record, other)| {
            let ids = record.rows.iter().map(|row| row.id);
            ids.filter(|id| of_ours(id) && !other.contains_key(id)).collect()
        });
        Self { threshold_percent, heads: differences(&old.head, &new.head), pairs, alone }
    }

    /// Whether there is nothing to compare.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// How many rows became slower.
    pub fn slower(&self) -> usize {
        self.with(Verdict::Slower).count()
    }

    fn with(&self, verdict: Verdict) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(move |pair| pair.verdict(self.threshold_percent) == verdict)
    }

    /// The middle one of all changes, in percent.
    fn median_percent(&self) -> Option<f64> {
        self.pairs.get(self.pairs.len() / 2).map(Pair::percent)
    }

    /// All of it for people.
    pub fn text(&self, [old, new]: [&Path; 2]) -> String {
        let mut text = format!("old: {}\nnew: {}\n", old.display(), new.display());
        for difference in &self.heads {
            let _ = writeln!(text, "{difference}");
        }
        let lists = [
            (Verdict::Slower, "slower"),
            (Verdict::Faster, "faster"),
            (Verdict::Unsteady, "unsteady, for the change is within the spread of times"),
        ];
        for (verdict, title) in lists {
            let pairs: Vec<&Pair> = self.with(verdict).collect();
            if !pairs.is_empty() {
                let _ = writeln!(text, "\n{title}:");
            }
            for pair in pairs {
                let _ = writeln!(text, "{pair}");
            }
        }
        for (ids, age) in self.alone.iter().zip(["old", "new"]) {
            if !ids.is_empty() {
                let _ = writeln!(text, "\nonly in the {age} record:");
            }
            for id in ids {
                let _ = writeln!(text, "          {id}");
            }
        }
        let [slower, faster, unsteady, same] =
            [Verdict::Slower, Verdict::Faster, Verdict::Unsteady, Verdict::Same]
                .map(|verdict| self.with(verdict).count());
        let median =
            self.median_percent().map_or(String::new(), |it| format!("; median {it:+.1}%"));
        let _ = writeln!(
            text,
            "\n{} rows of sortsmith in both: {slower} slower, {faster} faster, {unsteady} unsteady, {same} within {}%{median}",
            self.pairs.len(),
            self.threshold_percent
        );
        text
    }
}

fn pair([before, now]: [&Row; 2], old: &Record, all: &[HashMap<Id, &Row>; 2]) -> Pair {
    let id = before.id;
    // CUB's rows of the case that both records have.
    let peers = old.rows.iter().map(|row| row.id).filter(|peer| {
        let is_peer = peer.case == id.case && peer.contender.library == Library::Cub;
        is_peer && all[1].contains_key(peer)
    });
    let peers: Vec<Id> = peers.collect();
    let best = all.each_ref().map(|rows| {
        let rates = peers.iter().filter_map(|peer| rows.get(peer)).map(|row| row.gkeys);
        rates.reduce(f64::max)
    });
    let rates = [before.gkeys, now.gkeys];
    let (yardstick, speeds) = match best {
        [Some(of_old), Some(of_new)] => (Yardstick::Cub, [rates[0] / of_old, rates[1] / of_new]),
        _ => (Yardstick::Time, rates),
    };
    let [of_old, of_new] = [before, now].map(|row| row.spread_percent.unwrap_or(0.0));
    Pair { id, yardstick, speeds, spread_percent: of_old.max(of_new) }
}

/// What was not the same machine, or not the same yardstick. Commits and dates are there to differ.
fn differences(old: &Head, new: &Head) -> Vec<String> {
    let clock = |clock: Option<u32>| clock.map(|clock| format!("{clock} MHz"));
    let copy =
        |head: &Head| head.copy_gbytes_per_second.map(|copy| format!("{:.2} TB/s", copy / 1e3));
    let arch = |head: &Head| head.arch.map(|arch| arch.to_string());
    let facts = |head: &Head| {
        [
            Some(head.gpu.clone()),
            arch(head),
            head.driver.clone(),
            head.compiler.clone(),
            head.cub.clone(),
            clock(head.sm_clock_mhz),
            clock(head.memory_clock_mhz),
            copy(head),
        ]
    };
    let names =
        ["GPU", "architecture", "driver", "compiler", "CUB", "SM clock", "memory clock", "copy"];
    let pairs = facts(old).into_iter().zip(facts(new));
    names
        .into_iter()
        .zip(pairs)
        .filter_map(|(name, (old, new))| {
            // Nothing can be said of what one record does not know.
            let (old, new) = old.zip(new)?;
            (old != new).then(|| format!("{name} differs: {old} → {new}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use sortsmith_benchkit::Cache;

    use super::*;

    const HEAD: &str = "\
# record: 1
# gpu: NVIDIA H200
# arch: sm_90
# driver: 580.65.06
# compiler: NVRTC 13.0
# cub: 3.5.0
# commit:
# date: 2026-11-22
# sm_clock_mhz:
# memory_clock_mhz:
# copy_gbytes_per_second: 4200
group,types,input,n,threads,items,order,method,radix_bits,library,milliseconds,gkeys,spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark
";

    /// Rows of 2²⁰ keys: types, method, library, milliseconds, `spread_percent`.
    type Line = (&'static str, &'static str, &'static str, f64, &'static str);

    fn record(lines: &[Line]) -> Record {
        let mut text = HEAD.to_owned();
        for (types, method, library, milliseconds, spread_percent) in lines {
            let gkeys = f64::from(1 << 20) / milliseconds / 1e6;
            let is_unsteady = spread_percent.parse().is_ok_and(|percent: f64| percent > 5.0);
            let mark = if is_unsteady { "unsteady" } else { "" };
            let _ = writeln!(
                text,
                "device,{types},random,1048576,,,asc,{method},,{library},{milliseconds},{gkeys},{spread_percent},,,,,,{mark}"
            );
        }
        Record::parse("hand-made.csv".as_ref(), &text).expect("the record is legal")
    }

    fn names(comparison: &Comparison, verdict: Verdict) -> Vec<String> {
        comparison.with(verdict).map(|pair| pair.id.case.types.to_string()).collect()
    }

    const OLD: [Line; 5] = [
        ("u32_keys", "into", "sortsmith", 0.030, ""),
        ("u32_keys", "into", "cub", 0.070, ""),
        ("u32_keys", "double buffer", "cub", 0.068, ""),
        ("u64_keys", "into", "sortsmith", 0.040, ""),
        ("u64_keys", "into", "cub", 0.140, ""),
    ];

    #[test]
    fn a_slow_row_is_found_and_nothing_else() {
        let mut lines = OLD;
        // An extra pass.
        lines[3].3 = 0.048;
        let comparison = Comparison::of(&record(&OLD), &record(&lines), 3.0);
        assert_eq!(names(&comparison, Verdict::Slower), ["u64_keys"]);
        assert_eq!(names(&comparison, Verdict::Same), ["u32_keys"]);
        let text = comparison.text(["a.csv".as_ref(), "b.csv".as_ref()]);
        let line = "  -16.7%      3.50 → 2.92 × CUB    device u64_keys random 1048576 asc: sortsmith into\n";
        assert!(text.contains(&format!("\nslower:\n{line}")), "{text}");
        assert!(!text.contains("faster:"), "{text}");
        assert!(
            text.contains(
                "2 rows of sortsmith in both: 1 slower, 0 faster, 0 unsteady, 1 within 3%"
            )
        );
        // The other way round it is faster.
        let comparison = Comparison::of(&record(&lines), &record(&OLD), 3.0);
        assert_eq!((comparison.slower(), names(&comparison, Verdict::Faster).len()), (0, 1));
    }

    #[test]
    fn a_slower_machine_is_no_change() {
        let slow = OLD.map(|(types, method, library, ms, percent)| {
            (types, method, library, 1.25 * ms, percent)
        });
        let comparison = Comparison::of(&record(&OLD), &record(&slow), 3.0);
        assert_eq!(names(&comparison, Verdict::Same).len(), 2);
        // Without CUB's rows it is one.
        let ours = |lines: &[Line]| {
            let ours: Vec<Line> =
                lines.iter().filter(|line| line.2 == "sortsmith").copied().collect();
            record(&ours)
        };
        let comparison = Comparison::of(&ours(&OLD), &ours(&slow), 3.0);
        assert_eq!(comparison.slower(), 2);
        let text = comparison.text(["a.csv".as_ref(), "b.csv".as_ref()]);
        assert!(text.contains(" -20.0%      35.0 → 28.0 Gkeys/s  device u32_keys"), "{text}");
    }

    #[test]
    fn cold_rows_are_held_against_cold_ones() {
        let of = |slow: f64| {
            let mut record = record(&OLD[..2]);
            let cold = record.rows.clone().into_iter().map(|mut row| {
                row.id.case.cache = Cache::Cold;
                row.gkeys /= slow;
                row
            });
            let cold: Vec<Row> = cold.collect();
            record.rows.extend(cold);
            // CUB's cold row stays as it was.
            record.rows[3].gkeys = record.rows[1].gkeys;
            record
        };
        let comparison = Comparison::of(&of(1.0), &of(1.5), 3.0);
        let slower: Vec<Cache> =
            comparison.with(Verdict::Slower).map(|pair| pair.id.case.cache).collect();
        assert_eq!((slower, comparison.pairs.len()), (vec![Cache::Cold], 2));
        let text = comparison.text(["a.csv".as_ref(), "b.csv".as_ref()]);
        assert!(text.contains("device u32_keys random 1048576 asc cold: sortsmith into"), "{text}");
        // A record without cold rows has nothing to hold against them.
        let comparison = Comparison::of(&record(&OLD[..2]), &of(1.5), 3.0);
        assert_eq!((comparison.slower(), comparison.alone[1].len()), (0, 1));
    }

    #[test]
    fn only_peers_that_both_records_have_count() {
        let mut lines = OLD.to_vec();
        // The new record's only peer of u32 is CUB's slower one: held against its better one of old, all would be faster.
        lines.remove(2);
        let comparison = Comparison::of(&record(&OLD), &record(&lines), 0.1);
        assert_eq!(names(&comparison, Verdict::Same).len(), 2);
    }

    #[test]
    fn the_threshold_is_what_may_differ() {
        let mut lines = OLD;
        lines[0].3 = 0.030 * 1.04;
        let slower = |threshold| Comparison::of(&record(&OLD), &record(&lines), threshold).slower();
        assert_eq!([3.0, 3.9, 4.1].map(slower), [1, 1, 0]);
    }

    #[test]
    fn a_change_within_the_spread_of_times_is_unsteady() {
        let mut lines = OLD;
        lines[0] = ("u32_keys", "into", "sortsmith", 0.032, "8");
        let comparison = Comparison::of(&record(&OLD), &record(&lines), 3.0);
        assert_eq!(names(&comparison, Verdict::Unsteady), ["u32_keys"]);
        assert_eq!(comparison.slower(), 0);
        lines[0].3 = 0.034;
        assert_eq!(Comparison::of(&record(&OLD), &record(&lines), 3.0).slower(), 1);
    }

    #[test]
    fn rows_of_one_record_and_heads_that_differ_are_named() {
        let mut new = record(&OLD[..3]);
        new.head.driver = Some("590.10".to_owned());
        new.head.arch = None;
        let comparison = Comparison::of(&record(&OLD), &new, 3.0);
        let text = comparison.text(["a.csv".as_ref(), "b.csv".as_ref()]);
        assert!(text.contains("driver differs: 580.65.06 → 590.10\n"), "{text}");
        assert!(!text.contains("architecture"), "{text}");
        assert!(
            text.contains("only in the old record:\n          device u64_keys random"),
            "{text}"
        );
        assert!(!text.contains("only in the new record"), "{text}");
        assert!(Comparison::of(&record(&OLD[3..]), &record(&OLD[..3]), 3.0).is_empty());
    }
}
