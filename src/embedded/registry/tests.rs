use sortsmith_codegen::cache::image_digest;
use sortsmith_codegen::render::STORAGE_HEADERS;

use super::*;

const SOURCE: Source<'static> =
    Source { name: "seven", text: "the source", headers: &STORAGE_HEADERS };

/// A bundle of these images, made by this version of the generator from [`SOURCE`].
fn bundle(images: &[(Format, u32)]) -> &'static Bundle {
    made_by(VERSION, &SOURCE, images)
}

fn made_by(
    version: &'static str,
    source: &Source<'_>,
    images: &[(Format, u32)],
) -> &'static Bundle {
    let key: &str = source_key(source).to_string().leak();
    let name: &str = source.name.to_owned().leak();
    let image = |(format, arch): &(Format, u32)| match format {
        Cubin => image(*format, (name, key, *arch), cubin("cubin")),
        Ptx => image(*format, (name, key, *arch), b"ptx\0"),
    };
    bundle_of(version, images.iter().map(image).collect())
}

/// Bytes that begin as a cubin does, and end with `text`.
pub fn cubin(text: &str) -> &'static [u8] {
    let mut bytes = vec![0; 64];
    bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
    bytes[18] = 190;
    bytes.extend(text.as_bytes());
    bytes.leak()
}

/// An image of these bytes, with their digest.
pub fn image(
    format: Format,
    (name, key, arch): (&'static str, &'static str, u32),
    bytes: &'static [u8],
) -> Image {
    let digest = image_digest(bytes).leak();
    match format {
        Cubin => Image::cubin(name, key, arch, digest, bytes),
        Ptx => Image::ptx(name, key, arch, digest, bytes),
    }
}

pub fn bundle_of(version: &'static str, images: Vec<Image>) -> &'static Bundle {
    // SAFETY: no driver gets the images of tests.
    Box::leak(Box::new(unsafe { Bundle::new(version, images.leak()) }))
}

#[test]
fn an_image_that_differs_from_its_digest_is_not_offered() {
    let key: &str = source_key(&SOURCE).to_string().leak();
    let of = |format, bytes: &'static [u8], digest_of: &[u8]| {
        let digest = image_digest(digest_of).leak();
        let image = match format {
            Cubin => Image::cubin("seven", key, 90, digest, bytes),
            Ptx => Image::ptx("seven", key, 90, digest, bytes),
        };
        offered(&[bundle_of(VERSION, vec![image])], 90).len()
    };
    let intact = cubin("intact");
    assert_eq!(of(Cubin, intact, intact), 1);
    let truncated = &intact[..intact.len() - 1];
    let other_machine: &[u8] = {
        let mut bytes = intact.to_vec();
        bytes[18] = 62;
        bytes.leak()
    };
    for (bytes, digest_of) in [
        (truncated, intact),
        (&intact[..20], &intact[..20]),
        (cubin("other"), intact),
        (other_machine, other_machine),
        (b"", b""),
        (b"cubin", b"cubin"),
    ] {
        assert_eq!(of(Cubin, bytes, digest_of), 0, "{bytes:?}");
    }
    assert_eq!(of(Ptx, b"ptx\0", b"ptx\0"), 1);
    for bytes in [&b"ptx"[..], b"", b"p\0tx\0", b"ptx\0\0"] {
        assert_eq!(of(Ptx, bytes, bytes), 0, "{bytes:?}");
    }
    assert_eq!(of(Ptx, b"ptx\0", b"ptz\0"), 0);
}

/// The images that a device is offered, in order.
fn offered(bundles: &[&'static Bundle], arch: u32) -> Vec<(Format, u32)> {
    let registry = Registry::new();
    for bundle in bundles {
        registry.register(bundle);
    }
    let settings = Settings { verbose: true, ..Settings::default() };
    let images = registry.images(&SOURCE, arch, settings);
    images.iter().map(|image| (image.format(), image.arch())).collect()
}

use Format::{Cubin, Ptx};

#[test]
fn a_device_is_offered_the_images_that_it_runs_nearest_first() {
    let all =
        [bundle(&[(Ptx, 75), (Cubin, 80), (Ptx, 90), (Cubin, 86), (Cubin, 90), (Cubin, 120)])];
    for (device, expected) in [
        (70, &[][..]),
        (75, &[(Ptx, 75)]),
        (80, &[(Cubin, 80), (Ptx, 75)]),
        (86, &[(Cubin, 86), (Cubin, 80), (Ptx, 75)]),
        (89, &[(Cubin, 86), (Cubin, 80), (Ptx, 75)]),
        (90, &[(Cubin, 90), (Ptx, 90), (Ptx, 75)]),
        (100, &[(Ptx, 90), (Ptx, 75)]),
        (121, &[(Cubin, 120), (Ptx, 90), (Ptx, 75)]),
        (9990, &[(Ptx, 90), (Ptx, 75)]),
    ] {
        assert_eq!(offered(&all, device), expected, "sm_{device}");
    }
}

#[test]
fn a_bundle_registered_twice_counts_once() {
    let (first, second) = (bundle(&[(Cubin, 80)]), bundle(&[(Cubin, 90), (Ptx, 80)]));
    assert_eq!(offered(&[first, first], 80), [(Cubin, 80)]);
    assert_eq!(offered(&[first, second, first], 90), [(Cubin, 90), (Ptx, 80)]);
}

#[test]
fn images_of_another_version_or_source_are_not_offered() {
    let all = &[(Cubin, 90), (Ptx, 80)];
    let changed = Source { text: "another source", ..SOURCE };
    let renamed = Source { name: "fill2", ..SOURCE };
    let other_headers = Source { headers: &[], ..SOURCE };
    for foreign in [
        made_by("0.0.9", &SOURCE, all),
        made_by(VERSION, &changed, all),
        made_by(VERSION, &renamed, all),
        made_by(VERSION, &other_headers, all),
    ] {
        assert_eq!(offered(&[foreign], 90), []);
        assert_eq!(offered(&[foreign, bundle(&[(Ptx, 75)])], 90), [(Ptx, 75)]);
    }
    assert_eq!(made_by("0.0.9", &SOURCE, all).foreign_generator(), Some("0.0.9"));
}

#[test]
fn a_bundle_displays_its_images() {
    assert_eq!(bundle(&[]).to_string(), "no kernels");
    let some = bundle(&[(Cubin, 90), (Ptx, 90), (Cubin, 80), (Cubin, 90)]).to_string();
    assert_eq!(some, "4 images for sm_80 (cubin), sm_90 (ptx), sm_90 (cubin)");
}
