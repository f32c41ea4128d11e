//! Matrix files.

use std::collections::HashSet;

use sortsmith_codegen::matrix::{AlgorithmWord, Axis, MAX_COMBINATIONS, file};
use sortsmith_codegen::{KeyType, Token, ValueType};

use crate::{Target, allocation, message};

/// The target.
pub const TARGET: Target = Target { name: "matrix", run, words, rounds: 1500 };

/// Memory that no small file may take more of.
const MOST_BYTES: usize = 256 << 20;

/// A text as a matrix file: it makes legal specs, each once and not too many, or is refused in a line.
fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (made, peak) = allocation::peak_of(|| file::parse_with_choices(&text));
    assert!(peak <= MOST_BYTES + 1000 * data.len(), "{peak} bytes for {} of text", data.len());
    let (headers, choices) = match made {
        Ok(made) => made,
        Err(error) => {
            message::check(&error);
            return;
        }
    };
    assert!(headers.len() <= MAX_COMBINATIONS);
    let mut specs = HashSet::new();
    for header in &headers {
        assert!(specs.insert(header.spec), "{} twice", header.spec);
        assert_eq!(header.spec.fields().validate(), Ok(header.spec));
    }
    for choice in &choices {
        assert!(specs.contains(&choice.spec()), "{} was chosen and is not made", choice.spec());
        message::check(&choice.reason());
    }
    // What is said of one is the same however it is come by.
    if let Some(first) = headers.first() {
        assert_eq!(first.spec.to_string().parse(), Ok(first.spec));
    }
}

fn words() -> Vec<String> {
    let axes = Axis::ALL.iter().map(|axis| format!("\n{} = ", axis.name()));
    let keys = KeyType::ALL.iter().map(|key| format!("\"{key}\", "));
    let algorithms = AlgorithmWord::table().iter().map(|(_, word)| format!("\"{word}\", "));
    let values = ValueType::table().iter().map(|(_, word)| format!("\"{word}\", "));
    let more = [
        "\n[[sorts]]\n",
        "skip_illegal = true\n",
        "tile_kernel = true\n",
        "rows_kernel = true\n",
        "counted_rows_kernel = true\n",
        "[",
        "]",
        "\"asc\", \"desc\"",
        "\"packed\", ",
        "\"match\", ",
        "\"match-masks\", ",
        "\"raking\", ",
        "true, false",
        "\"0..8\", ",
        "\"all\", ",
        "\"striped\", ",
        "\"warpstriped\", ",
        "\"sm_90\", ",
        "\"sm_75\", ",
        "1, 2, 4, 8, 16",
        "32, 64, 128, 256, 512, 1024",
        "\"32x8\", ",
        "\"8x8x4\", ",
        "4294967296",
        "-1",
        "1e999",
        "\"\\n\"",
        "\"\"\"\n\"\"\"",
        "{ a = 1 }",
        "1979-05-27",
    ];
    axes.chain(keys).chain(algorithms).chain(values).chain(more.map(str::to_owned)).collect()
}
