//! The goldens of a checkout, or of a revision of it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{checkout, error::Error};

/// Where they are.
const FOLDER: &str = "tests/golden/";

/// The folders of facades in it.
const FACADES: [&str; 4] = ["facade", "device_facade", "rows_facade", "segmented_facade"];

/// A rendered header under version control.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Golden {
    /// Its spec: the stem of its file.
    pub name: String,
    /// The header.
    pub text: String,
}

impl Golden {
    /// Whether the header has kernels, and not only a struct for kernels of others.
    pub fn has_kernels(&self) -> bool {
        self.text.contains("__global__")
    }
}

/// The goldens of the files as they are, or of a revision.
pub fn of(root: &Path, revision: Option<&str>) -> Result<Vec<Golden>, Error> {
    let mut goldens = BTreeMap::new();
    for file in checkout::files(root, revision)?.iter().filter(|file| file.starts_with(FOLDER)) {
        let path = Path::new(file);
        let Some(name) = path.file_stem().and_then(|it| it.to_str()) else { continue };
        // The facades' headers are those of other goldens under names of CUB's, some with code for the host, which NVRTC does not take.
        let is_facade = FACADES.iter().any(|it| path.starts_with(Path::new(FOLDER).join(it)));
        if is_facade || path.extension().is_none_or(|it| it != "cuh") {
            continue;
        }
        goldens.insert(name.to_owned(), checkout::text(root, revision, file)?);
    }
    Ok(goldens.into_iter().map(|(name, text)| Golden { name, text }).collect())
}
