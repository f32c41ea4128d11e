//! `sortsmith list`.

use std::path::Path;

use sortsmith_codegen::emit::Entry;

use super::args::ListArgs;
use super::failure::Failure;
use super::{emit, output};

pub fn run(args: ListArgs) -> Result<(), Failure> {
    let path = args.matrix.unwrap_or_else(|| Path::new("default").to_owned());
    let mut headers = emit::read_matrix(&path)?;
    if let Some(family) = args.algorithm {
        headers.retain(|header| header.spec.algorithm.family() == family);
    }
    if args.json {
        output::print_json(&headers.iter().map(Entry::of).collect::<Vec<_>>())
    } else {
        let names: Vec<String> =
            headers.iter().map(|header| header.spec.to_string() + "\n").collect();
        output::print(&names.concat())
    }
}
