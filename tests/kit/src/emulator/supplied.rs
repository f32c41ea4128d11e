//! Common parts of headers that the emulator brings itself: those made of PTX.

use std::fmt::Write as _;

/// These common parts, by the ends of their include guards.
const SUPPLIED: [&str; 4] = ["ASYNC_COPY", "BULK_COPY", "GRID_ORDER", "POLL"];

/// The text before a header that makes it use the emulator's parts: the guards of its own ones, and the emulator's in
/// its namespace.
pub fn supplied_parts(header: &str) -> String {
    let mut text = String::new();
    let mut namespaces = None;
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        let Some(guard) = line.strip_prefix("#ifndef ") else { continue };
        if !SUPPLIED.iter().any(|part| guard.ends_with(&format!("_{part}"))) {
            continue;
        }
        let _ = writeln!(text, "#undef {guard}\n#define {guard}");
        // `#define`, then the namespaces that are opened.
        let opened: Vec<&str> = lines.by_ref().skip(1).take(2).collect();
        namespaces = Some(opened.join(" "));
    }
    if let Some(namespaces) = namespaces {
        let _ = writeln!(text, "{namespaces} using namespace ::emulator::parts; }} }}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_takes_the_common_parts_of_the_emulator() {
        let header = "#ifndef V1_BITS\n#define V1_BITS\n#ifndef V1_POLL\n#define V1_POLL\nnamespace a {\n\
                      inline namespace v1 {\n#ifndef V1_BULK_COPY\n#define V1_BULK_COPY\nnamespace a {\n\
                      inline namespace v1 {\n";
        let text = supplied_parts(header);
        for guard in ["V1_POLL", "V1_BULK_COPY"] {
            assert!(text.contains(&format!("#define {guard}\n")), "{text}");
        }
        assert!(!text.contains("V1_BITS"), "{text}");
        let opened = "namespace a { inline namespace v1 { using namespace ::emulator::parts; } }";
        assert!(text.contains(opened), "{text}");
        assert_eq!(supplied_parts("#ifndef V1_BITS\n#define V1_BITS\n"), "");
    }
}
