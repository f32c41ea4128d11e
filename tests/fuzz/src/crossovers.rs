//! Files of crossovers.

use std::collections::HashSet;

use sortsmith_codegen::tuning::crossover::{CrossoverFile, Row};
use sortsmith_codegen::{KeyType, VERSION};

use crate::{Target, checksum, message};

/// The target.
pub const TARGET: Target = Target { name: "crossovers", run, words, rounds: 1000 };

/// A text as a file of crossovers, as it is or behind the checksum that makes it legal: no time is not legal, no class has two rows, and
/// what is read comes back when it is written.
///
/// The first byte says which, as [`checksum::read`] has it.
fn run(data: &[u8]) {
    let read = checksum::read("crossovers", data, str::to_owned, CrossoverFile::read_any);
    let Some((read, path, folder)) = read else { return };
    check(&read.rows);
    let here = CrossoverFile::read(&path, &read.gpu, &read.processor);
    assert_eq!(here.expect("of this machine"), read);
    let other = format!("not {}", read.processor);
    message::check(&CrossoverFile::read(&path, &read.gpu, &other).expect_err("of another"));
    let again = folder.path().join("below/again.toml");
    read.write(&again).expect("what was read can be written");
    assert_eq!(CrossoverFile::read_any(&again).expect("what was written can be read"), read);
}

fn check(rows: &[Row]) {
    let mut classes = HashSet::new();
    for Row { class, times } in rows {
        assert!(classes.insert(class), "two rows of {class}");
        assert!(class.item_bytes() > 0, "{class}");
        assert!(times.iter().all(|it| it.n > 0 && it.host > 0 && it.gpu > 0), "{times:?}");
        assert!(times.is_sorted_by(|one, next| one.n < next.n), "{times:?}");
    }
}

fn words() -> Vec<String> {
    let keys = KeyType::ALL.iter().map(|key| format!("\nkey = \"{key}\"\n"));
    let more = [
        "\n[[row]]\n",
        "\n[[row.times]]\n",
        "\n[row.class]\n",
        "\n[gpu]\n",
        "value_bytes = 8\n",
        "value_bytes = 9223372036854775807\n",
        "is_argsort = true\n",
        "bits = 32\n",
        "threads = 16\n",
        "n = 4096\n",
        "host = 7\n",
        "gpu = 8\n",
        "gpu = 0\n",
        "processor = \"\"\"\n\"\"\"\n",
        "4294967295",
        "-1",
    ];
    let version = format!("generator = \"{VERSION}\"\n");
    keys.chain(more.map(str::to_owned)).chain([version]).collect()
}
