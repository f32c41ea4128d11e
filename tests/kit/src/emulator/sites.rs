//! Calls of generated code that order memory or are atomic, as programs list them: `tests/emulator/emulator/sites.hpp`.

use std::collections::BTreeSet;

use sortsmith_codegen::render::markers;

const MAGIC: u32 = u32::from_le_bytes(*b"ssst");

/// A call that a run passed, and one way in which it can be broken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The function that is called.
    pub call: String,
    /// How it is broken: `missing`, say.
    pub way: String,
    /// The header, by its path.
    pub file: String,
    /// The line of the header, from 1.
    pub line: usize,
}

impl Site {
    /// A line of a program's list.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split('\t');
        let mut field = || fields.next().map(str::to_owned);
        let (call, way, file) = (field()?, field()?, field()?);
        Some(Self { call, way, file, line: field()?.parse().ok()? })
    }

    /// The site as a program reads it.
    fn text(&self) -> String {
        let Self { call, way, file, line } = self;
        format!("{call}\t{way}\t{file}\t{line}")
    }

    /// A name that is the same in all headers of a template. It is the marker of the site's line if the header with markers has one.
    /// Otherwise it is the function that the site is in, the call with its number among the function's calls of that kind, and
    /// what is wrong with it.
    pub fn name(&self, marked_header: &str) -> String {
        match Call::at(&self.call, self.line, marked_header) {
            Call::Marked(marker) => marker,
            Call::Numbered(name) => format!("{name} {}", self.way),
        }
    }

    /// The name of the site's call, the same for all ways in which it can be broken.
    pub fn call_name(&self, marked_header: &str) -> String {
        Call::at(&self.call, self.line, marked_header).into_name()
    }
}

/// The name of a call in the text of a header, whether a run passes it or not.
enum Call {
    /// The marker of its line.
    Marked(String),
    /// The function that it is in, what is called, and its number among the function's calls of that kind.
    Numbered(String),
}

/// The names of all calls of these functions in a header with its markers.
pub fn calls_in(marked_header: &str, functions: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (line, text) in marked_header.lines().enumerate() {
        for function in functions.iter().filter(|function| is_called(function, code_of(text))) {
            names.insert(Call::at(function, line + 1, marked_header).into_name());
        }
    }
    names
}

impl Call {
    fn at(call: &str, line: usize, marked_header: &str) -> Self {
        let lines: Vec<&str> = marked_header.lines().take(line).collect();
        if let Some(marker) = lines.last().and_then(|line| markers::split(line).1) {
            return Self::Marked(marker.to_owned());
        }
        let is_start = |line: &&str| line.contains("__device__") || line.contains("__global__");
        let start = lines.iter().rposition(is_start).unwrap_or(0);
        let function = lines.get(start..start + 2).and_then(function_of).unwrap_or("no function");
        let called = format!("{call}(");
        let number = lines[start..].iter().filter(|line| code_of(line).contains(&called)).count();
        Self::Numbered(format!("{function}: {call} {number}"))
    }

    fn into_name(self) -> String {
        let (Self::Marked(name) | Self::Numbered(name)) = self;
        name
    }
}

/// Functions of bulk copies with names that others have: they are called of a member `copies`.
const OF_COPIES: [&str; 3] = ["prepare", "begin", "wait"];

/// Whether a line calls a function, and does not define it.
fn is_called(function: &str, code: &str) -> bool {
    let of = if OF_COPIES.contains(&function) { "copies." } else { "" };
    let called = format!("{of}{function}(");
    code.match_indices(&called).any(|(at, _)| {
        let before = &code[..at];
        let is_complete_name = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        is_complete_name && (before.contains('(') || !before.contains("__device__"))
    })
}

/// A line without its comment.
fn code_of(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// The name before the first parenthesis of a definition; that of a kernel may be on its second line.
fn function_of<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let is_alone = lines.first()?.contains("__launch_bounds__");
    let (before, _) = lines.get(usize::from(is_alone))?.split_once('(')?;
    before.rsplit(' ').next()
}

/// What a request does with a program's sites.
#[derive(Clone, Copy, Debug)]
pub(super) enum SiteRequest<'a> {
    /// From here on, list what is passed.
    List,
    /// Tell the list.
    Tell,
    /// Break this one in the runs that follow, or none.
    TakeOut(Option<&'a Site>),
}

impl SiteRequest<'_> {
    /// The request as `protocol.hpp` has it.
    pub(super) fn bytes(self) -> Vec<u8> {
        let (number, text) = match self {
            Self::List => (0u32, String::new()),
            Self::Tell => (1, String::new()),
            Self::TakeOut(site) => (2, site.map(Site::text).unwrap_or_default()),
        };
        let mut bytes = Vec::new();
        for word in [MAGIC, number, text.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(text.bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
// __syncthreads() of no function
  static __device__ void sort(Keys& keys) {
    __syncthreads();  // not __syncwarp()
    __syncwarp();
    // __syncthreads() of a comment
    if (true) __syncthreads();
  }
extern \"C\" __global__ void __launch_bounds__(256, 3)
sort_pass(Arguments arguments) {
  __syncthreads();
  __syncwarp();  //~ own-items
}
";

    fn name(call: &str, line: usize) -> String {
        let text = format!("{call}\tmissing\tsort.cuh\t{line}");
        Site::parse(&text).expect("it has four fields").name(HEADER)
    }

    #[test]
    fn names_have_the_function_and_the_number_in_it() {
        assert_eq!(name("__syncthreads", 3), "sort: __syncthreads 1 missing");
        assert_eq!(name("__syncwarp", 4), "sort: __syncwarp 1 missing");
        assert_eq!(name("__syncthreads", 6), "sort: __syncthreads 2 missing");
        assert_eq!(name("__syncthreads", 10), "sort_pass: __syncthreads 1 missing");
    }

    #[test]
    fn a_marked_line_is_named_by_its_marker() {
        assert_eq!(name("__syncwarp", 11), "own-items");
    }

    #[test]
    fn calls_of_a_text_are_found_with_their_names() {
        let functions = BTreeSet::from(["__syncthreads", "__syncwarp", "sort"]);
        let names = [
            "own-items",
            "sort: __syncthreads 1",
            "sort: __syncthreads 2",
            "sort: __syncwarp 1",
            "sort_pass: __syncthreads 1",
        ];
        assert_eq!(calls_in(HEADER, &functions), names.map(str::to_owned).into());
    }

    #[test]
    fn sites_are_read_as_they_are_written() {
        let text = "__syncwarp\tmissing\t/a b/sort.cuh\t12";
        assert_eq!(Site::parse(text).expect("it has four fields").text(), text);
        assert_eq!(Site::parse("__syncwarp\tmissing\tsort.cuh"), None);
    }
}
