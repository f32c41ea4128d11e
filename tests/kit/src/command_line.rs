//! The command line of programs with tests that are not functions: libtest-mimic's, and as many filters as other tests take.

use clap::Parser;
use libtest_mimic::{Arguments, Conclusion, Trial};

/// The tests to run, and how.
#[derive(Debug, Parser)]
pub struct CommandLine {
    #[command(flatten)]
    arguments: Arguments,
    /// More of them: tests run that any FILTER chooses.
    #[arg(value_name = "FILTER")]
    more_filters: Vec<String>,
}

impl CommandLine {
    /// This process's. One that is not legal ends the process, with words.
    pub fn of_process() -> Self {
        Self::parse()
    }

    /// Whether all tests are to run.
    pub fn runs_all(&self) -> bool {
        let Arguments { filter, skip, list, .. } = &self.arguments;
        filter.is_none() && skip.is_empty() && !list
    }

    /// Runs the chosen tests.
    pub fn run(mut self, mut trials: Vec<Trial>) -> Conclusion {
        // One filter or none is left to libtest-mimic, which also counts the tests that it leaves out.
        if !self.more_filters.is_empty() {
            trials.retain(|trial| self.chooses(trial));
            self.arguments.filter = None;
        }
        libtest_mimic::run(&self.arguments, trials)
    }

    /// Whether any filter chooses a test that is not skipped.
    fn chooses(&self, trial: &Trial) -> bool {
        let filters = self.arguments.filter.iter().chain(&self.more_filters);
        let alone =
            |filter: &String| Arguments { filter: Some(filter.clone()), ..self.arguments.clone() };
        filters.map(alone).any(|arguments| !arguments.is_filtered_out(trial))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(words: &[&str]) -> Vec<&'static str> {
        let all = ["tiles::keys", "tiles::pairs", "slices::keys", "slices::argsort", "graphs"];
        let line = [&["tests"], words].concat();
        let line = CommandLine::try_parse_from(line).unwrap_or_else(|error| panic!("{error}"));
        let chooses = |name: &&str| line.chooses(&Trial::test(*name, || Ok(())));
        all.into_iter().filter(chooses).collect()
    }

    #[test]
    fn a_test_runs_if_any_filter_chooses_it() {
        assert_eq!(chosen(&["keys"]), ["tiles::keys", "slices::keys"]);
        assert_eq!(
            chosen(&["pairs", "argsort", "graphs"]),
            ["tiles::pairs", "slices::argsort", "graphs"]
        );
        assert_eq!(
            chosen(&["keys", "tiles", "nothing"]),
            ["tiles::keys", "tiles::pairs", "slices::keys"]
        );
    }

    #[test]
    fn flags_are_for_every_filter() {
        assert_eq!(
            chosen(&["tiles", "--skip", "pairs", "argsort"]),
            ["tiles::keys", "slices::argsort"]
        );
        assert_eq!(
            chosen(&["--exact", "keys", "tiles::pairs", "graphs"]),
            ["tiles::pairs", "graphs"]
        );
    }

    #[test]
    fn a_choice_is_not_all() {
        let runs_all = |words: &[&str]| {
            CommandLine::try_parse_from([&["tests"], words].concat()).map(|it| it.runs_all()).ok()
        };
        assert_eq!(runs_all(&["--test-threads", "1"]), Some(true));
        for words in [&["keys", "pairs"][..], &["--skip", "keys"], &["--list"]] {
            assert_eq!(runs_all(words), Some(false), "{words:?}");
        }
    }
}
