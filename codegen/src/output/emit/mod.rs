//! From specs to the files of a folder: headers, the umbrella that includes them, the facade, the manifest.
//!
//! [`files`] makes the texts and touches no disk; [`folder`] compares them with a folder and writes them.
//!
//! ```
//! use sortsmith_codegen::{emit, render, SortSpec};
//! let spec: SortSpec = "block_radix_sort_u32_keys_b128_i8_r4_asc".parse().unwrap();
//! let header = emit::Header { spec, options: render::Options::default() };
//! let extras = emit::Extras { index: true, ..emit::Extras::default() };
//! let files = emit::files(&[header], extras, |_| {}).unwrap();
//! let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
//! assert_eq!(names, ["block_radix_sort_u32_keys_b128_i8_r4_asc.cuh", "sortsmith.cuh", "manifest.json"]);
//! ```

pub mod folder;
mod manifest;
mod named;

use std::fmt::Write as _;
use std::path::PathBuf;

pub use crate::output::headers::{Header, unique};
pub use crate::registry::{Named, NamedError};
pub use manifest::Entry;

use crate::block::radix::facade::{FACADE_FILE, facade};
use crate::contract::render::{Options, RenderError};
use crate::contract::spec::SortSpec;
use crate::registry;

/// How every file that sortsmith makes says so, in its first lines.
pub const MARK: &str = "Made by sortsmith ";

/// The umbrella's file name.
pub const UMBRELLA: &str = "sortsmith.cuh";

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";

/// What goes into a folder beside its headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The umbrella and the manifest.
    pub index: bool,
    /// The header that has CUB's interface.
    pub facade: bool,
}

/// A file to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the folder.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// Files that could not be made, compared or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A header could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A file that sortsmith did not make has the name of one that it would make.
    #[error("{} was not made by sortsmith and is in the way; --force overwrites it", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The folder, or a file in it, could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// What could not be read.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The folder, or a file in it, could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// What could not be written.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// The files of a folder with these headers, each of them once; `rendered` is called with each header that is done.
pub fn files(
    headers: &[Header],
    extras: Extras,
    mut rendered: impl FnMut(&File),
) -> Result<Vec<File>, EmitError> {
    let mut files = Vec::with_capacity(headers.len() + 3);
    for header in headers {
        let options = Options { of_project: true, ..header.options };
        let text = registry::header(&header.spec, options)?;
        let file = File { name: header.file_name(), text };
        rendered(&file);
        files.push(file);
    }
    if extras.facade {
        let specs: Vec<SortSpec> = headers.iter().map(|header| header.spec).collect();
        files.push(File { name: FACADE_FILE.to_owned(), text: facade(&specs)? });
    }
    if extras.index {
        files.push(File { name: UMBRELLA.to_owned(), text: umbrella(headers, extras) });
        files.push(File { name: MANIFEST.to_owned(), text: manifest::text(headers) });
    }
    Ok(files)
}

/// The files of a folder with what these names stand for.
pub fn named_files(all: &[Named]) -> Result<Vec<File>, EmitError> {
    all.iter().map(|named| Ok(named.file()?)).collect()
}

fn umbrella(headers: &[Header], extras: Extras) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "// Every sort of this folder.\n//\n// {MARK}{version}; to make the folder again:\n\
         //   sortsmith emit --matrix FILE.toml --out DIR\n#pragma once\n\n"
    );
    let facade = extras.facade.then(|| FACADE_FILE.to_owned());
    for name in headers.iter().map(Header::file_name).chain(facade) {
        let _ = writeln!(text, "#include \"{name}\"");
    }
    text
}
