//! What every header says of itself.

use std::fmt;

use crate::text::common::{Part, PartView};
use crate::text::{guard, version_namespace};

/// The file around a struct, which `templates/fragments/file.cuh` has: templates reach it as `base`.
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
    /// The header of CUDA's that declares the type of keys.
    pub(crate) cuda_header: Option<&'static str>,
    pub(crate) common_parts: Vec<PartView>,
    /// Whether the file ends with a kernel that sorts tiles of an array.
    pub(crate) has_tile_kernel: bool,
    /// Whether it ends with a kernel that sorts rows of an array.
    pub(crate) has_rows_kernel: bool,
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
            cuda_header: None,
            common_parts: common_parts.into_iter().map(PartView::of).collect(),
            has_tile_kernel: false,
            has_rows_kernel: false,
            is_of_project: false,
            name,
        }
    }

    /// The same with a header of CUDA's.
    pub(crate) fn including(self, cuda_header: Option<&'static str>) -> Self {
        Self { cuda_header, ..self }
    }

    /// The same with a kernel of tiles and one of rows, or without them.
    pub(crate) fn with_kernels(self, has_tile_kernel: bool, has_rows_kernel: bool) -> Self {
        Self { has_tile_kernel, has_rows_kernel, ..self }
    }

    /// The same for several files of a program, or for one.
    pub(crate) fn of_project(self, is_of_project: bool) -> Self {
        Self { is_of_project, ..self }
    }
}
