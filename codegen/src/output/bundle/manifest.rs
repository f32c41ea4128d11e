//! The file that `sortsmith::embed!` includes: an expression that says what the runtime's `Bundle` is made of. It is data alone;
//! that it is trusted is said in `embed!`.

use std::fmt::Write as _;

use super::Image;
use crate::VERSION;
use crate::cache::image_digest;

/// The file that names all images of a bundle, as Rust.
pub const BUNDLE_FILE: &str = "sortsmith.rs";

/// The folder of the images, beside [`BUNDLE_FILE`].
pub(super) const IMAGES_FOLDER: &str = "sortsmith";

/// The text of [`BUNDLE_FILE`]. `embed!` brings the images' type into scope.
pub(super) fn text(images: &[Image]) -> String {
    let mut text = format!(
        "// Made by sortsmith {VERSION}: kernels to embed, for `sortsmith::embed!`.\n\
         ({VERSION:?}, &[\n"
    );
    for Image { target, source, bytes } in images {
        let (name, arch, format, file) = (
            target.kernels.to_string(),
            target.arch.capability(),
            target.format,
            target.file_name(),
        );
        let digest = image_digest(bytes);
        // The names of specs and files need no escapes.
        let _ = writeln!(
            text,
            "    Image::{format}({name:?}, \"{source}\", {arch}, \"{digest}\", include_bytes!(\"{IMAGES_FOLDER}/{file}\")),"
        );
    }
    text.push_str("])\n");
    text
}
