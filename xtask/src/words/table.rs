//! The words, and what the field says.

/// A word that has a replacement.
pub struct Word {
    /// Its name in reports and in the table of what is allowed.
    pub name: &'static str,
    /// What is written in its place.
    pub field: &'static str,
    /// What counts: see [`super::tokens::pattern`].
    pub forms: &'static [&'static str],
    /// Phrases in which it does not.
    pub but: &'static [&'static str],
}

/// A row of the table.
const fn word(
    name: &'static str,
    field: &'static str,
    forms: &'static [&'static str],
    but: &'static [&'static str],
) -> Word {
    Word { name, field, forms, but }
}

/// The words of the house style that are replaced.
pub const TABLE: [Word; 34] = [
    word("greatest keys", "top-k", &["greatest keys"], &[]),
    word("tally", "key histogram", &["tally", "tallies", "tallied", "tallying"], &[]),
    word(
        "starts",
        "exclusive scan; offsets",
        &["starts"],
        &["it starts", "sort starts", "which starts", "that starts"],
    ),
    word(
        "fill",
        "counting-sort expansion",
        &["fill", "fills", "filling"],
        &["mem_fill", "fill positions", "slice fill"],
    ),
    word("parts", "MSD buckets", &["parts"], &[]),
    word("cuts", "bucket offsets", &["cuts"], &[]),
    word(
        "cells",
        "sub-buckets",
        &["cell", "cells"],
        &["Cell", "Once_Cell", "Ref_Cell", "Unsafe_Cell"],
    ),
    word("windows", "register windows", &["window", "windows"], &["Windows"]),
    word("mend", "tie fix-up", &["mend", "mends", "mended", "mending"], &[]),
    word("crowd", "heavy hitter; overflowing bucket", &["crowd", "crowds", "crowded"], &[]),
    word("twins", "packed 16-bit pairs", &["twin", "twins"], &[]),
    word(
        "word (key)",
        "composite key",
        &["word_key", "k_word_bits", "words_view", "word_view"],
        &[],
    ),
    word("tag (key)", "tie-break index", &["tag_bits", "k_tag"], &[]),
    word("prefixes", "truncated keys; upper digits", &["prefixes"], &[]),
    word(
        "spread",
        "value bucketing",
        &["spread", "spreads", "spreading"],
        &["spread percent", "Spread", "s_spread"],
    ),
    word("chained", "Onesweep, decoupled look-back", &["chained"], &[]),
    word("own (state)", "partial", &["k_own"], &[]),
    word("up to (state)", "inclusive prefix", &["up_to"], &[]),
    word("route", "pass buffers", &["route", "routes", "routed"], &[]),
    word(
        "turn",
        "exchange; pass slot; network step",
        &["turn", "turns"],
        &[
            "in turn",
            "turn into",
            "turns into",
            "turn on",
            "turn off",
            "turns on",
            "turns off",
            "turned",
        ],
    ),
    word(
        "place",
        "offset; slot",
        &["place", "places"],
        &[
            "in place",
            "in its place",
            "in their place",
            "take place",
            "takes place",
            "the place of",
            "in place of",
        ],
    ),
    word("lesser", "less", &["lesser"], &[]),
    word("greatest", "max; largest", &["greatest"], &["greatest keys"]),
    word("whole", "device-wide; complete", &["whole", "wholes"], &["whole array", "whole arrays"]),
    word("whole array", "device-wide", &["whole array", "whole arrays"], &[]),
    word("few items", "small n", &["few items", "few keys"], &[]),
    word("told", "the noun that is meant", &["told"], &[]),
    word("asked", "the noun that is meant", &["asked"], &[]),
    word("who", "the noun that is meant", &["who", "whose", "whom"], &[]),
    word(
        "somebody, nobody",
        "the noun that is meant",
        &["somebody", "nobody", "everybody", "anybody"],
        &[],
    ),
    word(
        "Those, What there is (subject)",
        "the noun that is meant",
        &["Those", "What there is", "what there is"],
        &[],
    ),
    word("no longer", "what is, without history", &["no longer"], &[]),
    word(
        "as it goes, as they come",
        "the order that is meant",
        &["as it goes", "as they come"],
        &[],
    ),
    word("so many", "the number that is meant", &["so many"], &[]),
];
