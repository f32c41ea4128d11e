//! Each row finds its word in the sense that is replaced, and leaves the others.

use super::*;

/// Sentences and names with a word in the sense that is replaced.
const REPLACED: [(&str, &[&str]); TABLE.len()] = [
    ("greatest keys", &["returns the k greatest keys of a row", "fn greatest_keys()"]),
    ("tally", &["each block adds its tally to the array's", "kTallyBits"]),
    (
        "starts",
        &[
            "the starts of all digits",
            "storage.starts[digit]",
            "find_starts(tiles)",
            "kStartSamples",
        ],
    ),
    (
        "fill",
        &[
            "the counts fill the array",
            "kernel: Kernel::Fill",
            "sort.fills()",
            "_fill",
            "bins are filled",
        ],
    ),
    (
        "parts",
        &[
            "each block sorts a few parts",
            "sort_msd_parts",
            "check_parts_and_counts",
            "kPartThreads",
        ],
    ),
    ("cuts", &["the cuts between two buckets", "max_cuts(n)", "cut_of(bucket)"]),
    ("cells", &["an item goes to one of 4,608 cells", "cell_bits", "clear_cells()"]),
    ("windows", &["each thread sorts a window of 16", "sort_windows(storage)", "kWindowItems"]),
    ("mend", &["ties are mended by a kernel", "_mend"]),
    ("crowd", &["a crowded bucket", "the crowd of one value"]),
    ("twins", &["two keys in a register are twins", "kTwins"]),
    (
        "word (key)",
        &[
            "word_key(item)",
            "kWordBits",
            "using Word = Limbs<kLimbs>;",
            "const Word& own",
            "plan.words",
        ],
    ),
    ("tag (key)", &["tag_bits(n)", "kTagBits"]),
    ("prefixes", &["the network compares prefixes", "by_prefixes()", "prefix_of(key)"]),
    ("spread", &["keys are spread over buckets", "it spreads values", "kSpreadBits"]),
    ("chained", &["chained tiles wait for each other"]),
    ("own (state)", &["state = kOwn;"]),
    ("up to (state)", &["state = kUpTo;"]),
    ("route", &["the route of a pass", "Route::Scratch"]),
    ("turn", &["a turn through shared memory", "Turn { segments }", "it turns the tile"]),
    ("place", &["the place of an item in the tile", "each goes to its place", "kPlaces"]),
    ("lesser", &["the lesser of two keys"]),
    ("greatest", &["the greatest of all keys", "greatest_first"]),
    ("whole", &["the whole device", "is_whole", "by whole warps"]),
    ("whole array", &["sorts a whole array", "whole_arrays"]),
    ("few items", &["a sort of few items", "few keys at all"]),
    ("told", &["an error is told", "is_told"]),
    ("asked", &["it is asked for", "fn asked()"]),
    ("who", &["who calls it", "a key whose digit is 0", "by whom", "for whoever calls it"]),
    ("somebody, nobody", &["nobody reads it", "everybody's"]),
    ("Those, What there is (subject)", &["Those of a warp.", "what there is of it"]),
    ("no longer", &["it no longer waits"]),
    ("as it goes, as they come", &["items as they come", "as far as it goes"]),
    ("so many", &["launched for so many blocks"]),
];

fn uses(name: &str, text: &str) -> usize {
    let word = TABLE.iter().find(|word| word.name == name).expect("a word of the table");
    uses_in(word, &Tokens::of(text))
}

#[test]
fn no_word_is_in_the_tree_more_often_than_allowed() {
    let root = workspace::root();
    check(&count(root, None).expect("a checkout"), &allowed(root).expect("a table"))
        .expect("no more");
}

#[test]
fn each_row_finds_its_word_in_the_sense_that_is_replaced() {
    let mut missed: Vec<&str> = Vec::new();
    for (word, (name, texts)) in TABLE.iter().zip(REPLACED) {
        assert_eq!(word.name, name, "one line for each row, in the same order");
        missed.extend(texts.iter().copied().filter(|text| uses(name, text) == 0));
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn phrases_of_another_sense_hold_a_form_of_their_word() {
    for word in &TABLE {
        let any = Word { but: &[], ..*word };
        for phrase in word.but.iter().flat_map(|sense| sense.phrases) {
            assert!(uses_in(&any, &Tokens::of(phrase)) > 0, "{}: `{phrase}`", word.name);
            assert_eq!(uses_in(word, &Tokens::of(phrase)), 0, "{}: `{phrase}`", word.name);
        }
    }
}

#[test]
fn words_are_found_in_prose_and_in_names() {
    assert_eq!(uses("tally", "the tallies of kTallyBits, tally_keys; totally"), 3);
    assert_eq!(uses("greatest keys", "the greatest\n// keys; greatest_keys; greatest key_type"), 2);
    assert_eq!(uses("place", "in place, a place; it takes the place of; kPlaces"), 2);
    assert_eq!(uses("up to (state)", "up to 7; kUpTo; up_to; sort_up_to"), 2);
    assert_eq!(
        uses("Those, What there is (subject)", "Those of a warp; and those; What there is"),
        2
    );
}

#[test]
fn a_word_that_is_not_allowed_is_named_with_its_replacement() {
    let word = &TABLE[0];
    let found = [(word, Uses::from([("a.rs".to_owned(), 2)]))];
    let allowed = |count| BTreeMap::from([(word.name.to_owned(), count)]);
    assert!(check(&found, &allowed(2)).is_ok());
    let error = check(&found, &allowed(1)).expect_err("one too many").to_string();
    assert!(error.contains(word.field), "{error}");
}

#[test]
fn a_revision_is_counted_beside_the_files_as_they_are() {
    let uses = |count| Uses::from([("src/lib.rs".to_owned(), count)]);
    let text = comparison(&[(&TABLE[0], uses(23))], &[(&TABLE[0], Uses::new())]);
    assert_eq!(text.lines().nth(1), Some("    23       0  greatest keys                    top-k"));
}

#[test]
fn the_words_of_a_style_sheet_are_what_its_rules_are_for() {
    let css = "/* a note */ .bar{color:none}\n@media(dark){.axis{color:#fff}text{color:#000}}";
    let selectors = selectors(css);
    let words = selectors.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words, "/* a note */ .bar @media(dark){.axis text");
}

#[test]
fn what_is_left_out_is_there() {
    let files = checkout::files(workspace::root(), None).expect("a checkout");
    let is_there = |start: &&str| files.iter().any(|file| file.starts_with(*start));
    assert!(LEFT_OUT.iter().all(is_there), "{LEFT_OUT:?}");
}
