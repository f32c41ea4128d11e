//! Tuning files.

use std::path::Path;

use sortsmith_codegen::device::{DeviceSpec, header};
use sortsmith_codegen::dispatch::ArraySort;
use sortsmith_codegen::tuning::file::TuningFile;
use sortsmith_codegen::{KeyType, Token, VERSION, ValueType, render, toolchain::Source};

use crate::{Target, checksum};

/// The target.
pub const TARGET: Target = Target { name: "tuning", run, words, rounds: 1000 };

/// A text as a tuning file, as it is or behind the checksum that makes it legal: no row is of a sort that is not legal,
/// and what is read comes back when it is written.
///
/// The first byte says which, as [`checksum::read`] has it. Of a text `SOURCE` stands for the hash that the source of
/// the last kernel before it has.
fn run(data: &[u8]) {
    let read = checksum::read("tuning", data, with_sources, TuningFile::read_any);
    let Some((read, _, folder)) = read else { return };
    check(&read);
    let again = written(&read, &folder.path().join("below/again.toml"));
    assert_eq!(again, TuningFile { stale: Vec::new(), ..read });
}

fn check(read: &TuningFile) {
    let tuning = read.tuning();
    let device = read.gpu.device();
    for row in &read.rows {
        assert_eq!(read.row(&row.case), Some(row), "two rows of {}", row.case);
        assert_eq!(row.case.spec(row.kernel.shape()), Ok(row.kernel));
        assert_eq!(row.kernel.fields().validate(), Ok(row.kernel));
        assert!(row.ratio.is_finite() && row.ratio > 0.0);
        for n in [row.case.class().least(), row.case.class().most()] {
            let sort = ArraySort::pairs(row.case.key(), row.case.value()).descending();
            for sort in [sort, sort.nan_last()] {
                if let Some(spec) = tuning.kernel(sort, n, device) {
                    assert_eq!(spec.fields().validate(), Ok(spec));
                    assert!(spec.max_items() >= n, "{spec} of {n}");
                    assert!(spec.shared_bytes() <= device.shared_bytes_per_block);
                }
            }
        }
    }
}

fn written(file: &TuningFile, path: &Path) -> TuningFile {
    file.write(path).expect("what was read can be written");
    TuningFile::read_any(path).expect("what was written can be read")
}

/// The text with a hash in place of each `SOURCE`.
fn with_sources(text: &str) -> String {
    let mut made = String::new();
    for line in text.split_inclusive('\n') {
        if line.contains("SOURCE") {
            let kernel =
                made.rsplit("\nkernel = \"").next().and_then(|rest| rest.split('"').next());
            let source =
                kernel.and_then(|name| name.parse().ok()).map_or_else(String::new, source_of);
            made.push_str(&line.replace("SOURCE", &source));
        } else {
            made.push_str(line);
        }
    }
    made
}

fn source_of(spec: DeviceSpec) -> String {
    let text = header(&spec).expect("a legal spec renders");
    let headers = &render::STORAGE_HEADERS;
    let source = Source { name: &spec.to_string(), text: &text, headers };
    sortsmith_codegen::cache::source_key(&source).to_string()
}

fn words() -> Vec<String> {
    let keys = KeyType::ALL.iter().map(|key| format!("\nkey = \"{key}\"\n"));
    let values = ValueType::table().iter().map(|(_, word)| format!("\nvalue = \"{word}\"\n"));
    let kernels = [
        "device_radix_sort_u32_u32_b384_i20_asc",
        "device_sample_sort_u32_u32_b512_i2_asc",
        "device_sample_sort_f32_keys_b1024_i1_asc",
        "device_bitonic_sort_u32_u32_b256_i4_asc",
        "block_radix_sort_u32_u32_b256_i16_r6_asc",
    ];
    let most = [131_072u64, 262_144, 524_288, 1 << 20, 1 << 22, 1 << 25, (1 << 30) - 1, u64::MAX];
    let more = [
        "\n[[row]]\n",
        "\n[gpu]\n",
        "source = \"SOURCE\"\n",
        "ratio = 1.5\n",
        "ratio = nan\n",
        "ratio = inf\n",
        "ratio = 5e-324\n",
        "date = \"2026-11-22\"\n",
        "multiprocessors = 0\n",
        "shared_bytes_per_block = 0\n",
        "\"\"\"\n\"\"\"",
        "4294967295",
        "-1",
    ];
    let row = kernels.map(|name| format!("\nkernel = \"{name}\"\nbuilt_in = \"{name}\"\n"));
    let most = most.map(|most| format!("most_items = {most}\n"));
    let version = format!("generator = \"{VERSION}\"\n");
    let more = more.map(str::to_owned);
    keys.chain(values).chain(row).chain(most).chain(more).chain([version]).collect()
}
