//! The functions of a source, and how many lines each has: from its first line to its last one, blank lines and comments included.
//!
//! Nothing is parsed: indentation says where a function ends, as formatters leave it.

use std::path::Path;

/// A language that functions are found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Rust,
    /// C++, and templates of it.
    Cpp,
    Python,
    CMake,
}

/// A function of a source.
#[derive(Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// The line of its name, from 1 on.
    pub line: usize,
    pub name: &'a str,
    /// How many lines it has.
    pub lines: usize,
}

impl Language {
    /// The language of a file, by its name.
    pub fn of(file: &str) -> Option<Self> {
        match Path::new(file).extension()?.to_str()? {
            "rs" => Some(Self::Rust),
            "cuh" | "cu" | "cpp" | "hpp" => Some(Self::Cpp),
            "py" | "pyi" => Some(Self::Python),
            "cmake" => Some(Self::CMake),
            _ => None,
        }
    }

    /// The functions of a source, in its order.
    pub fn functions(self, text: &str) -> Vec<Function<'_>> {
        let all: Vec<&str> = text.lines().collect();
        let begins_at = |first: usize| {
            let from = &all[first..];
            let (name, lines) = match self {
                Self::Rust => (name_in_rust(all[first])?, lines_in_rust(from)?),
                Self::Cpp => (name_in_cpp(all[first])?, lines_in_cpp(from)?),
                Self::Python => (name_in_python(all[first])?, lines_in_python(from)),
                Self::CMake => (name_in_cmake(all[first])?, lines_in_cmake(from)?),
            };
            Some(Function { line: first + 1, name, lines })
        };
        (0..all.len()).filter_map(begins_at).collect()
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What is before the first parenthesis or angle bracket.
fn before_parameters(line: &str) -> Option<&str> {
    line.split(['(', '<']).next().map(str::trim).filter(|it| !it.is_empty())
}

/// The name of the function that a line of Rust begins, if it begins one.
fn name_in_rust(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (before, after) = if let Some(after) = line.strip_prefix("fn ") {
        ("", after)
    } else {
        line.split_once(" fn ")?
    };
    // `pub(in path)` is two words.
    let is_qualifier = |word: &str| {
        matches!(word, "" | "pub" | "pub(in" | "const" | "async" | "unsafe" | "extern" | "\"C\"")
            || word.ends_with(')')
    };
    before.split(' ').all(is_qualifier).then(|| before_parameters(after))?
}

/// The number of lines of a function of Rust, which ends with the brace that is indented like its first line; none if it has no body.
fn lines_in_rust(lines: &[&str]) -> Option<usize> {
    match lines[0].chars().last() {
        Some('}') => return Some(1),
        Some(';') => return None,
        _ => {}
    }
    let level = indent(lines[0]);
    let ends_body = |line: &str| line.trim_start().starts_with('}');
    // The end of a declaration over several lines, or what follows one.
    let shows_no_body = |line: &str| {
        line.trim_start().starts_with(')') && line.ends_with(';') || name_in_rust(line).is_some()
    };
    let decides = |line: &&str| indent(line) == level && (ends_body(line) || shows_no_body(line));
    let last = 1 + lines[1..].iter().position(decides)?;
    ends_body(lines[last]).then_some(last + 1)
}

/// The name of the function that a line of C++ begins, if it can begin one: it is neither a statement nor a type, and has a name
/// before a parenthesis.
fn name_in_cpp(line: &str) -> Option<&str> {
    const STATEMENTS: [&str; 13] = [
        "if",
        "for",
        "while",
        "switch",
        "return",
        "else",
        "do",
        "struct",
        "class",
        "namespace",
        "union",
        "enum",
        "case",
    ];
    let line = line.trim();
    let (before, _) = line.split_once('(')?;
    let first = before.split([' ', '(']).next()?;
    let begins = line.starts_with(|it: char| it.is_alphabetic() || it == '_');
    // A definition has a type before its name; a call, a macro or an assignment has none, or an operator.
    let is_definition = begins
        && before.contains(' ')
        && !STATEMENTS.contains(&first)
        && !before.contains(['=', '.', '"', '?'])
        && !line.ends_with(';');
    let name = before.rsplit([' ', '*', '&']).next()?;
    (is_definition && !name.is_empty()).then_some(name)
}

/// The number of lines of a function of C++: its first line is the last one of its head, or its head goes on to a line that ends with a brace;
/// it ends with the brace that is indented like its first line.
fn lines_in_cpp(lines: &[&str]) -> Option<usize> {
    let level = indent(lines[0]);
    // The rest of a list of parameters or of initialisers, and tags between them.
    let is_head = |line: &&&str| indent(line) > level || line.starts_with("{%");
    let head = lines[1..].iter().take_while(is_head).count();
    let opens = lines[..=head].iter().any(|it| it.ends_with('{'));
    let is_end = |line: &&str| indent(line) == level && line.trim_start().starts_with('}');
    let body = lines[1..].iter().position(is_end)?;
    let is_inside =
        |line: &&str| line.is_empty() || indent(line) > level || line.starts_with(['#', '{']);
    (opens && lines[1..=body].iter().all(is_inside)).then_some(body + 2)
}

/// The name of the function that a line of Python begins, if it begins one.
fn name_in_python(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("async ").unwrap_or(line);
    before_parameters(line.strip_prefix("def ")?)
}

/// The number of lines of a function of Python: to the last one that is indented by more than its first one, or ends its parameters.
fn lines_in_python(lines: &[&str]) -> usize {
    let level = indent(lines[0]);
    let is_inside =
        |line: &str| line.is_empty() || indent(line) > level || line.trim_start().starts_with(')');
    let inside = lines[1..].iter().take_while(|line| is_inside(line)).count();
    let last = lines[..=inside].iter().rposition(|line| !line.is_empty());
    last.map_or(1, |last| last + 1)
}

/// The name of the function or macro that a line of CMake begins, if it begins one.
fn name_in_cmake(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let parameters = line.strip_prefix("function(").or_else(|| line.strip_prefix("macro("))?;
    parameters.split([' ', ')']).next()
}

/// The number of lines of a function or macro of CMake.
fn lines_in_cmake(lines: &[&str]) -> Option<usize> {
    let level = indent(lines[0]);
    let is_end = |line: &&str| {
        indent(line) == level
            && ["endfunction(", "endmacro("].iter().any(|end| line.trim_start().starts_with(end))
    };
    Some(lines.iter().position(is_end)? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of each function.
    fn found(language: Language, text: &str) -> Vec<(usize, &str, usize)> {
        language.functions(text).into_iter().map(|it| (it.line, it.name, it.lines)).collect()
    }

    #[test]
    fn functions_of_rust_have_their_comments_and_blank_lines() {
        let text = "\
impl Sort {
    /// Sorts.
    pub(crate) const unsafe fn sort<K>(
        keys: &[K],
    ) -> u32
    where
        K: Copy,
    {
        // All of them.

        fn inner() {}
        0
    }

    fn no_body(
        &self,
    ) -> u32;
    fn nor_here(&self) where Self: Sized;
    extern \"C\" fn last() {
        let a = \"fn a\";
    }
}
";
        let expected = [(3, "sort", 11), (11, "inner", 1), (19, "last", 3)];
        assert_eq!(found(Language::Rust, text), expected);
    }

    #[test]
    fn functions_of_templates_go_on_over_tags() {
        let heads = [
            "  static __device__ __forceinline__ void sort(int n) {",
            "  static __device__ void sort(int n,\n{%- if value.exists %}\n                       int m) {",
            "  bool sort(const Key (&keys)[kItems],\n            int m) const {",
        ];
        for head in heads {
            let text = format!(
                "struct Sort {{\n  int n;\n\n{head}\n    count();\n#pragma unroll\n    more();\n  }}\n\n  void other() {{\n  }}\n}};\n"
            );
            let lines = head.lines().count() + 4;
            let expected = [(4, "sort", lines), (5 + lines, "other", 2)];
            assert_eq!(found(Language::Cpp, &text), expected);
        }
    }

    #[test]
    fn members_and_declarations_are_no_functions_of_cpp() {
        let text = format!("void sort();\n\nstruct Sort {{\n{}}};\n", "  int n;\n".repeat(80));
        assert_eq!(found(Language::Cpp, &text), []);
    }

    #[test]
    fn functions_of_python_end_before_what_is_indented_as_they_are() {
        let text = "\
@decorated
def sort(
    keys,
) -> None:
    \"\"\"Sorts.\"\"\"

    def inner():
        pass

    inner()


class Sorter:
    async def run(self): ...
";
        let expected = [(2, "sort", 9), (7, "inner", 2), (14, "run", 1)];
        assert_eq!(found(Language::Python, text), expected);
    }

    #[test]
    fn functions_of_cmake_have_their_ends() {
        let text = "\
set(a b)
function(sort target)
  if(a)
  endif()
endfunction()
macro(other)
endmacro()
";
        assert_eq!(found(Language::CMake, text), [(2, "sort", 4), (6, "other", 2)]);
    }
}
