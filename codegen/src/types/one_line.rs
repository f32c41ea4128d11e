//! Texts of others in messages of one line.

use std::fmt;

/// A text as a message shows it that is one line: letters that end a line or steer a terminal are escaped.
///
/// ```
/// use sortsmith_codegen::OneLine;
/// assert_eq!(OneLine("u32\n").to_string(), "u32\\n");
/// assert_eq!(OneLine("\u{1b}[2J, größer").to_string(), "\\u{1b}[2J, größer");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_escaped =
            |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
        for piece in self.0.split_inclusive(is_escaped) {
            let plain = piece.trim_end_matches(is_escaped);
            f.write_str(plain)?;
            write!(f, "{}", piece[plain.len()..].escape_default())?;
        }
        Ok(())
    }
}
