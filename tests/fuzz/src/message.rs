//! What every error says to people has to be.

use std::fmt::Display;

/// Panics unless an error is one line that a terminal can be shown.
pub fn check(error: &impl Display) -> String {
    let text = error.to_string();
    assert!(!text.is_empty(), "an error that says nothing");
    assert!(!text.contains(breaks_lines), "an error of several lines: {text:?}");
    text
}

/// Whether a letter ends a line or steers a terminal.
pub fn breaks_lines(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')
}
