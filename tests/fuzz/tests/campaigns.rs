//! Every target over its corpus and over changed inputs: a few of them, or for as long as `SORTSMITH_DEEP=1` asks for.
//!
//! `SORTSMITH_INPUT` names a file that is run instead.

use std::time::Duration;

use sortsmith_fuzz_targets::campaign::{self, Length};
use sortsmith_fuzz_targets::{TARGETS, Target};
use sortsmith_testkit::seed::{self, Seed};

/// What a target gets of the deep test's time.
const DEEP: Duration = Duration::from_secs(20);

fn run(name: &str) {
    let target: &Target =
        TARGETS.iter().find(|it| it.name == name).expect("there is such a target");
    if let Some(path) = std::env::var_os("SORTSMITH_INPUT") {
        let input = std::fs::read(path).expect("SORTSMITH_INPUT names a file");
        return (target.run)(&input);
    }
    let length = if seed::is_deep() { Length::Time(DEEP) } else { Length::Rounds(target.rounds) };
    campaign::run(target, Seed::from_env(), length);
}

macro_rules! campaigns {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(stringify!($name));
            }
        )*

        #[test]
        fn no_target_is_left_out() {
            let run = [$(stringify!($name)),*];
            assert_eq!(TARGETS.iter().map(|it| it.name).collect::<Vec<_>>(), run);
        }
    };
}

campaigns!(names matrix tuning crossovers cache_entry emit_folder command_line host_sort segments);
