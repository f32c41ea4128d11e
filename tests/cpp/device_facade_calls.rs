//! What a host compiler says of calls of the facade of device-wide sorts: nothing of legal ones, and of others what is wrong.

use std::fs;

use sortsmith_codegen::render::DEVICE_FACADE_FILE;
use sortsmith_codegen::{KeyType, ValueType};

use super::device_facade::{facade, hits, write_header};
use super::{assert_success, compiled_call, folder, proofs, source};

const PROGRAM: &str = "device_facade_host.cpp";

#[test]
fn the_example_of_device_wide_sorts_compiles() {
    proofs::of_programs("device_facade_calls::the_example_of_device_wide_sorts_compiles", || {
        let folder = folder("device_facade_example");
        write_header(&folder, &facade(KeyType::F32, ValueType::U32, 90));
        let docs = source("../../docs/cpp.md");
        let docs = fs::read_to_string(docs).expect("the page");
        let blocks = docs.split("```cuda\n").skip(1).filter_map(|it| it.split_once("```"));
        let blocks: Vec<&str> =
            blocks.map(|it| it.0).filter(|it| it.contains(DEVICE_FACADE_FILE)).collect();
        assert_eq!(blocks.len(), 1);
        assert_success(&compiled_call(&folder, PROGRAM, blocks[0]));
    });
}

/// A type that was not emitted does not compile; the message says the command.
#[test]
fn a_device_wide_sort_that_was_not_emitted_says_the_command() {
    proofs::of_programs(
        "device_facade_calls::a_device_wide_sort_that_was_not_emitted_says_the_command",
        || {
            let folder = folder("device_facade_unemitted");
            let mut only_ascending = facade(KeyType::U8, ValueType::None, 90);
            only_ascending.orders.pop();
            write_header(&folder, &only_ascending);
            let errors = |call: &str| {
                let text = format!("cudaError_t call(size_t& bytes) {{ return {call}; }}");
                let output = compiled_call(&folder, PROGRAM, &text);
                assert!(!output.status.success(), "{call}");
                String::from_utf8_lossy(&output.stderr).into_owned()
            };
            let arrays = "static_cast<const short*>(nullptr), static_cast<short*>(nullptr), 1";
            let call = |member: &str, arrays: &str| {
                errors(&format!("sortsmith::DeviceRadixSort::{member}(nullptr, bytes, {arrays})"))
            };
            let said = call("SortKeys", arrays);
            let command = "run: sortsmith emit --facade cub-device --key i16 --value keys --out";
            assert!(said.contains(command), "{said}");
            let said = call("SortKeysDescending", &arrays.replace("short", "unsigned char"));
            assert!(said.contains("with --order both"), "{said}");
        },
    );
}

/// Calls with a decomposer compile where it gives all members of its key in their order, and else the message says what is wrong.
#[test]
fn a_decomposer_gives_the_fields_of_an_emitted_sort() {
    proofs::of_programs(
        "device_facade_calls::a_decomposer_gives_the_fields_of_an_emitted_sort",
        || {
            let folder = folder("device_facade_structs");
            write_header(&folder, &facade(hits(), ValueType::None, 90));
            let look = |fields: &str, members: &str, arguments: &str| {
                let given = members.split(", ").map(|it| format!("hit.{it}")).collect::<Vec<_>>();
                let text = format!(
                    "struct Hit {{ unsigned int ray; float distance; unsigned char material; }};\n\
             struct Fields {{ sortsmith::tuple<{fields}> operator()(Hit& hit) const {{ return {{{}}}; }} }};\n\
             cudaError_t call(size_t& bytes, const Hit* in, Hit* out, sortsmith::DoubleBuffer<Hit>& buffer) {{\n\
             \x20 return sortsmith::DeviceRadixSort::SortKeys{arguments};\n}}",
                    given.join(", ")
                );
                let output = compiled_call(&folder, PROGRAM, &text);
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                (output.status.success(), said)
            };
            let (fields, members) =
                ("unsigned int&, float&, unsigned char&", "ray, distance, material");
            for arguments in [
                "(nullptr, bytes, in, out, 1, Fields{})",
                "(nullptr, bytes, in, out, 1ull, Fields{}, 8, 72, nullptr)",
                "Descending(nullptr, bytes, buffer, 1, Fields{}, nullptr)",
                "Descending(nullptr, bytes, buffer, 1, Fields{}, 0, 96)",
            ] {
                let (compiles, said) = look(fields, members, arguments);
                assert!(compiles, "{arguments}: {said}");
            }
            let arguments = "(nullptr, bytes, in, out, 1, Fields{})";
            for (fields, members, message) in [
                ("unsigned int&, float&", "ray, distance", "gives each member of its key once"),
                (
                    "float&, unsigned int&, unsigned char&",
                    "distance, ray, material",
                    "--facade cub-device --order both --key",
                ),
            ] {
                let (compiles, said) = look(fields, members, arguments);
                assert!(!compiles && said.contains(message), "{said}");
            }
            let (compiles, said) = look(fields, members, "(nullptr, bytes, in, out, 1)");
            assert!(
                !compiles && said.contains("and structs of these, with a decomposer"),
                "{said}"
            );
        },
    );
}
