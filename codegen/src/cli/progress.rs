//! A bar on a terminal's stderr while many headers are made.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Fewer headers than this are done before a bar could be read.
const MANY: usize = 500;

/// A bar of this length, hidden where there is little to do or stderr is no terminal.
pub fn bar(what: &'static str, length: usize) -> ProgressBar {
    let target =
        if length < MANY { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(length as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_message(what)
}

/// A spinner for one piece of work of unknown length.
pub fn spinner(what: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(std::time::Duration::from_millis(120));
    spinner
}
