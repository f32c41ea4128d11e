//! The members of a sort's struct, as templates show them.

use crate::contract::spec::SortSpec;
use crate::types::Arrangement;

/// A public member of the struct, with its overloads.
pub(crate) struct EntryView {
    pub(crate) name: String,
    pub(crate) words: String,
    pub(crate) output: &'static str,
    pub(crate) calls: Vec<CallView>,
}

/// One overload: its parameters after keys and values, and how it calls `sort`.
pub(crate) struct CallView {
    pub(crate) parameters: &'static str,
    pub(crate) arguments: &'static str,
}

/// The overloads of a sort by all bits of keys: of a full tile, and of a partial one.
pub(crate) fn full_and_partial() -> Vec<CallView> {
    let call = |parameters, arguments| CallView { parameters, arguments };
    vec![call("", "kTileItems"), call(", int valid_items", "valid_items")]
}

pub(crate) fn enumerator(arrangement: Arrangement) -> &'static str {
    match arrangement {
        Arrangement::Blocked => "kBlocked",
        Arrangement::Striped => "kStriped",
        Arrangement::WarpStriped => "kWarpStriped",
    }
}

/// The arrangement as members and comments name it.
fn words(arrangement: Arrangement) -> (&'static str, &'static str) {
    match arrangement {
        Arrangement::Blocked => ("Blocked", "blocked"),
        Arrangement::Striped => ("Striped", "striped"),
        Arrangement::WarpStriped => ("WarpStriped", "warp-striped"),
    }
}

/// From the spec's input to its output arrangement, and to striped.
pub(crate) fn entries(spec: &SortSpec, calls: impl Fn() -> Vec<CallView>) -> Vec<EntryView> {
    let entry = |name: String, output: Arrangement| EntryView {
        name,
        words: format!("From {} to {} arrangement.", words(spec.input).1, words(output).1),
        output: enumerator(output),
        calls: calls(),
    };
    vec![
        entry("Sort".to_owned(), spec.output),
        entry(format!("Sort{}ToStriped", words(spec.input).0), Arrangement::Striped),
    ]
}
