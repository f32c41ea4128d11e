//! What compilers say of calls of the facade of sorts of rows: nothing of legal ones, and of others what is wrong.

use std::fmt::Write as _;
use std::fs;

use sortsmith_codegen::render::{
    DEVICE_FACADE_FILE, ROWS_FACADE_FILE, RowsFacade, TOP_K_FACADE_FILE, TopKFacade,
};
use sortsmith_codegen::{KeyType, Order, ValueType};
use sortsmith_testkit::seed;

use super::rows_facade::{facade, write_header};
use super::{compiled_call, device_facade, folder, link_two_files, nvcc, proofs};

/// A type that was not emitted does not compile, and neither do positions of another width; the message says what is wrong.
#[test]
fn a_sort_of_rows_that_was_not_emitted_says_why() {
    proofs::of_programs("rows_facade_calls::a_sort_of_rows_that_was_not_emitted_says_why", || {
        let folder = folder("rows_facade_refused");
        let mut only_ascending = facade(KeyType::U64, ValueType::Index, 90);
        only_ascending.orders.pop();
        write_header(&folder, &only_ascending);
        let said_of = |calls: &[&str]| {
            let mut text = String::new();
            for (number, call) in calls.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "cudaError_t call_{number}(size_t& bytes, const unsigned long* in, unsigned long* out, int* at, short* shorts, const int* ints) {{\n\
                     \x20 return sortsmith::DeviceRows::{call};\n}}"
                );
            }
            let output = compiled_call(&folder, "rows_facade_host.cpp", &text);
            (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (compiles, said) = said_of(&[
            "Argsort(nullptr, bytes, in, at, 5u, short(1), 7ull)",
            "SortPairs(nullptr, bytes, in, out, nullptr, at, 5, 1, 1l, nullptr)",
        ]);
        assert!(compiles, "{said}");
        let (compiles, said) = said_of(&[
            "ArgsortDescending(nullptr, bytes, in, at, 5, 1, 1)",
            "SortKeys(nullptr, bytes, in, out, 5, 1, 1)",
            "Argsort(nullptr, bytes, ints, at, 5, 1, 1)",
            "Argsort(nullptr, bytes, in, shorts, 5, 1, 1)",
            "Argsort(nullptr, bytes, in, at, 5, 1.0, 1)",
        ]);
        assert!(!compiles);
        for message in [
            "run the sortsmith emit command of this header with --order both",
            "run: sortsmith emit --facade cub-rows --key u64 --value keys --out",
            "run: sortsmith emit --facade cub-rows --key i32 --value index --out",
            "positions are integers of 4 bytes",
            "numbers of items must be integers",
        ] {
            assert!(said.contains(message), "{message}: {said}");
        }
    });
}

/// Sorts of rows are in two files of a program beside other facades of the same keys, and each kernel is there once.
#[test]
fn facades_of_arrays_top_ks_and_rows_share_files() {
    proofs::of_programs("rows_facade_calls::facades_of_arrays_top_ks_and_rows_share_files", || {
        let Some((_, nvcc)) = nvcc("facades of arrays, top-ks and rows through nvcc") else {
            return;
        };
        let folder = folder("rows_facade_beside");
        let write = |name: &str, text: String| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        let (key, orders) = (KeyType::U32, vec![Order::Descending]);
        for (folder, value) in [("keys", ValueType::None), ("positions", ValueType::Index)] {
            let rows = RowsFacade { orders: orders.clone(), ..facade(key, value, 90) };
            write(&format!("{folder}/{ROWS_FACADE_FILE}"), rows.header().expect("a header"));
        }
        let array = device_facade::facade(key, ValueType::None, 90);
        write(DEVICE_FACADE_FILE, array.header().expect("a header"));
        let top_k = TopKFacade { key, value: ValueType::None, orders };
        write(TOP_K_FACADE_FILE, top_k.header().expect("a header"));
        let [keys, positions] =
            ["keys", "positions"].map(|folder| format!("{folder}/{ROWS_FACADE_FILE}"));
        let files = [&*keys, DEVICE_FACADE_FILE, &*positions, TOP_K_FACADE_FILE];
        let mut includes = files.map(|file| format!("#include \"{file}\"\n"));
        let parameters = "void* storage, size_t& bytes, const unsigned* keys, unsigned* out, int n";
        let call = |name: &str, member: &str| {
            format!(
                "cudaError_t {name}({parameters}) {{\n\
                 \x20 return sortsmith::DeviceRows::{member}Descending(storage, bytes, keys, out, n, n, n);\n}}\n"
            )
        };
        write("one.cu", includes.concat() + &call("one", "SortKeys"));
        includes.reverse();
        // Each file that has a call takes the time of all kernels.
        let other = if seed::is_deep() { call("other", "Argsort") } else { String::new() };
        let main = format!(
            "cudaError_t one({parameters});\nint main() {{\n  size_t bytes = 0;\n\
             \x20 return one(nullptr, bytes, nullptr, nullptr, 0) != cudaSuccess;\n}}\n"
        );
        write("other.cu", includes.concat() + &other + &main);
        // Optimised code is the kernels' own tests' matter.
        let options = ["-Xcicc", "-O0", "-Xptxas", "-O0"];
        link_two_files(&nvcc, &folder, &[true], &options);
    });
}
