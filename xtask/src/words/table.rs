//! The words, and what the field says.

/// A word that has a replacement.
pub struct Word {
    /// Its name in reports and in the table of what is allowed.
    pub name: &'static str,
    /// What is written instead.
    pub field: &'static str,
    /// What counts: see [`super::tokens::pattern`].
    pub forms: &'static [&'static str],
    /// What does not.
    pub but: &'static [Sense],
}

/// Phrases and names in which a word has a meaning of the field's.
pub struct Sense {
    /// The meaning.
    pub meaning: &'static str,
    /// Where it is meant: see [`super::tokens::pattern`].
    pub phrases: &'static [&'static str],
}

/// A row of the table.
const fn word(
    name: &'static str,
    field: &'static str,
    forms: &'static [&'static str],
    but: &'static [Sense],
) -> Word {
    Word { name, field, forms, but }
}

const fn sense(meaning: &'static str, phrases: &'static [&'static str]) -> Sense {
    Sense { meaning, phrases }
}

/// The words of the house style that are replaced.
pub const TABLE: [Word; 34] = [
    word("greatest keys", "top-k", &["greatest keys"], &[]),
    word("tally", "key histogram", &["tally", "tallies", "tallied", "tallying"], &[]),
    word(
        "starts",
        "exclusive scan; offsets",
        // `start` alone is what a range, a tile or a text begins with, nearly 600 times: names that offsets of digits had.
        &["starts", "start_samples", "bin_start", "digit_start"],
        &[sense("Rust's and Python's test of a beginning", &["starts_with"])],
    ),
    word(
        "fill",
        "counting-sort expansion",
        &["fill", "fills", "filled", "filling"],
        &[
            sense(
                "arrays that get junk or canaries, as in the emulator",
                &["fill_junk", "fill_canaries", "fill_item", "fill_ring"],
            ),
            sense(
                "arrays that tests and benches get their keys in",
                &[
                    "let filled",
                    "fn filled",
                    "Input filled",
                    "Timed filled",
                    "filled 1",
                    "filled 3 50",
                    "filled 8",
                    "filled 10",
                    "filled 12",
                    "filled 100",
                    "filled 5000",
                    "filled K",
                    "filled n",
                    "filled of_row",
                    "filled rows",
                    "filled u32",
                    "arrays can be filled for",
                    "that is filled and read",
                    "filled with junk",
                ],
            ),
            sense(
                "what has room up to a bound: counters, rows of a scan, lists",
                &[
                    "filled_by",
                    "filled before",
                    "if filled",
                    "int filled",
                    "unsigned filled",
                    "i filled",
                    "order filled",
                    "filled lanes",
                ],
            ),
            sense(
                "templates and forms with holes",
                &["after filled replacement", "to be filled in"],
            ),
            sense("shapes of a picture", &["filled rectangle", "filled mark"]),
            sense(
                "methods of slices and of random generators",
                &["positions fill", "fill_bytes", "fill_with"],
            ),
            sense(
                "the kernel of fuzzed entries: its name is in the corpus",
                &["NAME str fill", "void fill"],
            ),
            sense("properties of SVG and CSS", &["fill none"]),
        ],
    ),
    word(
        "parts",
        "MSD buckets",
        // `part` alone is a piece of anything, some 500 times: names that buckets had.
        &[
            "parts",
            "part_blocks",
            "part_count",
            "Part_Digit",
            "part_items",
            "part_keys",
            "part_launches",
            "part_range",
            "Part_Scan",
            "part_shared_bytes",
            "part_start",
            "Part_Storage",
            "part_threads",
            "find_part",
            "least_part",
            "load_part",
            "most_in_part",
            "prefetch_part",
            "sort_part",
            "store_part",
            "write_part",
        ],
        &[
            sense(
                "fragments that several headers include",
                &[
                    "common parts",
                    "supplied_parts",
                    "Part parts",
                    "parts hpp",
                    "namespace parts",
                    "emulator parts",
                    "common_parts",
                    "emulator s parts",
                ],
            ),
            sense("a function of Rust", &["from_raw_parts"]),
        ],
    ),
    word(
        "cuts",
        "bucket offsets",
        &["cut", "cuts"],
        &[
            sense(
                "where sorted runs, shards and lists are divided",
                &[
                    "run is cut",
                    "Runs are cut",
                    "runs_are_cut",
                    "to cut all runs",
                    "keys are cut by",
                    "are cut and merges",
                    "result is cut into",
                    "before the cut",
                    "target of a cut",
                    "cut target",
                    "target cut in",
                    "assert_eq cut",
                    "fn cut",
                    "let cut",
                    "cut self",
                    "offset cut",
                    "cut keys",
                    "cut values",
                    "Search cut",
                    "Around cut",
                    "move cut",
                    "map cut",
                    "cut 0",
                    "cut 1",
                ],
            ),
            sense(
                "files, texts and lists without their end",
                &[
                    "cut short",
                    "cut off",
                    "cut after",
                    "cut unwrap",
                    "cut to_owned",
                    "Every cut",
                    "it is cut",
                    "that are cut",
                    "lists are cut",
                ],
            ),
            sense("bits, and values of an axis, of which some are left", &["cut out", "cut down"]),
            sense("a program of the shell", &["cut d"]),
        ],
    ),
    word(
        "cells",
        "sub-buckets",
        &["cell", "cells"],
        &[
            sense("types of Rust's", &["Cell", "std cell", "Once_Cell", "Ref_Cell", "Unsafe_Cell"]),
            sense("a field of a record's row", &["mod cell", "crate cell"]),
            sense(
                "an entry of a table or a picture",
                &["table_cell", "table_cells", "table cell", "table cells", "cell_size"],
            ),
            sense(
                "what a race detector keeps of some bytes",
                &["shadow_cell", "shadow_cells", "shadow cell", "shadow cells"],
            ),
            sense(
                "numbers of squares, as keys in examples",
                &["grid_cell", "grid_cells", "grid cells"],
            ),
        ],
    ),
    word(
        "windows",
        "register windows",
        &["window", "windows"],
        &[
            sense(
                "the field's term",
                &[
                    "register window",
                    "register windows",
                    "Register_Window",
                    "Register_Windows",
                    "register_window",
                    "register_windows",
                ],
            ),
            sense("the system", &["cfg windows", "Windows"]),
            sense(
                "slices of neighbours, in Rust",
                &["windows 2", "par_windows", "windows name len", "windows text len"],
            ),
        ],
    ),
    word("mend", "tie fix-up", &["mend", "mends", "mended", "mending"], &[]),
    word("crowd", "heavy hitter; overflowing bucket", &["crowd", "crowds", "crowded"], &[]),
    word("twins", "packed 16-bit pairs", &["twin", "twins"], &[]),
    word(
        "word (key)",
        "composite key",
        &[
            "Word",
            "column_word",
            "k_tile_words",
            "k_word_bits",
            "k_word_limbs",
            "make_words",
            "max_word",
            "plan word",
            "plan words",
            "primitives word",
            "put_word",
            "sorted words",
            "truncated_words",
            "word limb",
            "word_at",
            "word_key",
            "word_of",
            "word_registers",
            "word_view",
            "words limb",
            "words_view",
        ],
        &[
            sense(
                "what a gather moves: 4, 8 or 16 bytes of an item",
                &[
                    "using Word word",
                    "using Word typename",
                    "typename S Word",
                    "sizeof Word",
                    "Word moved",
                    "Word items_in",
                    "Word restrict items_in",
                    "Word items_out",
                    "Word restrict items_out",
                    "Key Value Word",
                    "max_word_bytes",
                    "u64 const Word",
                    "u64 Word",
                ],
            ),
            sense(
                "32 bits of a value, by which values are fetched",
                &["Word_Slots", "plan word_padding"],
            ),
            sense(
                "what the value of a found key is copied by: 1 to 16 bytes of it",
                &[
                    "using Word found",
                    "Word values_out",
                    "const Word values",
                    "Word const to",
                    "const Word const from",
                ],
            ),
            sense("what blocks publish and poll", &["Published_Word", "One_Word"]),
            sense("a word of the command line", &["Algorithm_Word"]),
        ],
    ),
    word("tag (key)", "tie-break index", &["tag_bits", "k_tag"], &[]),
    word(
        "prefixes",
        "truncated keys; upper digits",
        // `prefix` alone is what a name begins with, or a state of look-back.
        &[
            "prefixes",
            "prefix_bit",
            "prefix_bits",
            "prefix_of",
            "prefix_passes",
            "prefix_words",
            "choose_prefix",
            "same prefix",
            "their prefix",
        ],
        &[
            sense("sums, as the field names them", &["their prefix sums"]),
            sense("look-back states, as CUB names them", &["inclusive prefixes"]),
            sense("what names begin with", &["PREFIXES"]),
        ],
    ),
    word(
        "spread",
        "value bucketing",
        &["spread", "spreads", "spreading"],
        &[sense(
            "half the distance between quartiles",
            &[
                "spread percent",
                "spread of times",
                "spread of its times",
                "spread of the times",
                "relative spread",
            ],
        )],
    ),
    word("chained", "Onesweep, decoupled look-back", &["chained"], &[]),
    word("own (state)", "partial", &["k_own"], &[]),
    word(
        "up to (state)",
        "inclusive prefix",
        &["up_to"],
        &[sense("bounds of lengths", &["sort_up_to", "used_up_to"])],
    ),
    word("route", "pass buffers", &["route", "routes", "routed"], &[]),
    word(
        "turn",
        "exchange; pass slot; network step",
        &["turn", "turns"],
        &[sense("one after the other", &["in turn"])],
    ),
    word(
        "place",
        "offset; slot",
        &["place", "places"],
        &[
            sense("sorts without a second array, and with one", &["in place", "out of place"]),
            sense(
                "instead of",
                &[
                    "in place of",
                    "take the place of",
                    "takes the place of",
                    "took the place of",
                    "taken the place of",
                ],
            ),
        ],
    ),
    word("lesser", "less", &["lesser"], &[]),
    word(
        "greatest",
        "max; largest",
        &["greatest"],
        &[sense("a row of its own", &["greatest keys"])],
    ),
    word(
        "whole",
        "full; complete; device-wide",
        &["whole", "wholes"],
        &[
            sense("integers, in errors of the command line", &["whole number", "whole numbers"]),
            sense("a row of its own", &["whole array", "whole arrays"]),
        ],
    ),
    word("whole array", "device-wide", &["whole array", "whole arrays"], &[]),
    word(
        "few items",
        "small n",
        &["few items", "few keys"],
        &[sense("two constants of a test", &["FEW keys"])],
    ),
    word("told", "the noun that is meant", &["told"], &[sense("distinguished", &["told apart"])]),
    word("asked", "the noun that is meant", &["asked"], &[]),
    word(
        "who",
        "the noun that is meant",
        &["who", "whose", "whom", "whoever"],
        &[sense("people", &["programmers who", "people who", "Users who", "user who"])],
    ),
    word(
        "somebody, nobody",
        "the noun that is meant",
        &["somebody", "nobody", "everybody", "anybody"],
        &[],
    ),
    word(
        "Those, What there is (subject)",
        "the noun that is meant",
        // A sentence that begins with it has a subject without a noun. Within a sentence `those` is nearly always an object or a second subject,
        // of which the noun is just before it: more than 700 times, which no phrases tell from the few others.
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
