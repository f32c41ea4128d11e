//! What every header says of itself.

use std::fmt;

use crate::text::common::{Part, PartView};
use crate::text::key::KeyStructView;
use crate::text::{guard, version_namespace};
use crate::types::KeyType;

/// The file around a struct, which `templates/fragments/file.cuh` has: templates reach it as `base`.
#[allow(clippy::struct_excessive_bools)] // each is of one kernel or of what a project needs
pub(crate) struct BaseView {
    /// The spec's name, which is the struct's too.
    pub(crate) name: String,
    /// The first words of the file: what the kernels do.
    pub(crate) title: String,
    /// The template, as the file names it.
    pub(crate) template: &'static str,
    pub(crate) version: &'static str,
    pub(crate) version_namespace: String,
    pub(crate) struct_guard: String,
    /// The headers of CUDA's that declare the types of keys.
    pub(crate) cuda_headers: Vec<&'static str>,
    /// The struct of keys, where they are such.
    pub(crate) key_struct: Option<KeyStructView>,
    pub(crate) common_parts: Vec<PartView>,
    /// Whether the file ends with a kernel that sorts tiles of an array.
    pub(crate) has_tile_kernel: bool,
    /// Whether it ends with a kernel that sorts rows of an array.
    pub(crate) has_rows_kernel: bool,
    /// Whether it ends with one that reads from memory how many rows, or columns, are sorted.
    pub(crate) has_counted_rows_kernel: bool,
    /// Whether compilers of the host alone find constants in it, and its kernels are declared.
    pub(crate) is_of_project: bool,
}

impl BaseView {
    /// The file of a spec that needs these common parts.
    pub(crate) fn of(
        spec: &impl fmt::Display,
        template: &'static str,
        title: String,
        common_parts: impl IntoIterator<Item = Part>,
    ) -> Self {
        let name = spec.to_string();
        Self {
            title,
            template,
            version: env!("CARGO_PKG_VERSION"),
            version_namespace: version_namespace(),
            struct_guard: guard(&name),
            cuda_headers: Vec::new(),
            key_struct: None,
            common_parts: common_parts.into_iter().map(PartView::of).collect(),
            has_tile_kernel: false,
            has_rows_kernel: false,
            has_counted_rows_kernel: false,
            is_of_project: false,
            name,
        }
    }

    /// The same with what declares the type of keys: headers of CUDA's, or a struct.
    pub(crate) fn with_key(self, key: KeyType) -> Self {
        let mut common_parts = self.common_parts;
        let key_struct = KeyStructView::of(key);
        common_parts.extend(key_struct.as_ref().map(|_| PartView::of(Part::KeyField)));
        Self { cuda_headers: key.headers(), key_struct, common_parts, ..self }
    }

    /// The same with a kernel of tiles and one of rows, or without them.
    pub(crate) fn with_kernels(self, has_tile_kernel: bool, has_rows_kernel: bool) -> Self {
        Self { has_tile_kernel, has_rows_kernel, ..self }
    }

    /// The same with a kernel of counted rows, and what that reads numbers by, or without it.
    pub(crate) fn with_counted_rows(self, has_counted_rows_kernel: bool) -> Self {
        let mut common_parts = self.common_parts;
        common_parts.extend(has_counted_rows_kernel.then(|| PartView::of(Part::NumberAt)));
        Self { common_parts, has_counted_rows_kernel, ..self }
    }

    /// The same for several files of a program, or for one.
    pub(crate) fn of_project(self, is_of_project: bool) -> Self {
        Self { is_of_project, ..self }
    }
}
