//! Every target over its corpus and over changed inputs: a few of them, or for as long as `SORTSMITH_DEEP=1` asks for.
//!
//! `SORTSMITH_INPUT` names a file that is run instead.

use std::collections::HashSet;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sortsmith_fuzz_targets::allocation::peak_of;
use sortsmith_fuzz_targets::campaign::{self, Length};
use sortsmith_fuzz_targets::mutate::{MOST_BYTES, mutate};
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

#[test]
fn changes_are_many_and_the_same_of_one_seed() {
    let (inputs, words) = ([b"key_u32_b256".to_vec(), vec![0; 9]], ["word".to_owned()]);
    let draw = |seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (0..1000).map(|_| mutate(&inputs, &words, &mut rng)).collect::<Vec<_>>()
    };
    assert_eq!(draw(1), draw(1));
    let different: HashSet<Vec<u8>> = draw(2).into_iter().collect();
    assert!(different.len() > 900, "{}", different.len());
    assert!(different.iter().all(|input| input.len() <= MOST_BYTES));
    assert!(mutate(&[], &[], &mut ChaCha8Rng::seed_from_u64(3)).len() <= MOST_BYTES);
}

#[test]
fn what_is_given_back_meanwhile_counts() {
    let (length, peak) = peak_of(|| vec![1u8; 100_000].len() + vec![2u8; 50_000].len());
    assert_eq!(length, 150_000);
    assert!((100_000..200_000).contains(&peak), "{peak}");
    assert_eq!(peak_of(|| ()).1, 0);
}
