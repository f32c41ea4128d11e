//! A program that carries its kernels: it sorts on machines that have a driver and no NVRTC.
//!
//! `cargo run --release -p embedded`. With `SORTSMITH_VERBOSE=1` it says where each kernel came from, and with
//! `SORTSMITH_DISABLE_JIT=1` it compiles none.

fn main() -> Result<(), sortsmith::Error> {
    let bundle = sortsmith::embed!();
    println!("embedded: {bundle}");

    // Multiples of an odd number, modulo 2²⁰: every number once, in no obvious order.
    let mut rows: Vec<u32> = (0..1 << 20).collect();
    let mut keys: Vec<f32> =
        rows.iter().map(|row| (row.wrapping_mul(0x9_e377) % (1 << 20)) as f32).collect();
    sortsmith::sort_pairs::<f32, u32>(&mut keys, &mut rows)?;
    println!("sorted {} pairs on the {} backend", keys.len(), sortsmith::backend()?);
    println!("the least keys are those of rows {:?}", &rows[..4]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use sortsmith::embedded::Format;

    #[test]
    fn the_program_carries_what_its_build_script_made() {
        let bundle = sortsmith::embed!();
        if bundle.is_empty() {
            let demanded = std::env::var_os("SORTSMITH_REQUIRE_CUDA").is_some_and(|it| it == "1");
            assert!(!demanded, "SORTSMITH_REQUIRE_CUDA=1, but the build script found no NVRTC");
            println!("left out: the build script found no NVRTC");
            return;
        }
        for image in bundle.images() {
            assert!(image.name().contains("_sort_f32_u32_"), "{}", image.name());
            match image.format() {
                Format::Cubin => assert!(image.bytes().starts_with(b"\x7fELF")),
                Format::Ptx => assert!(image.bytes().ends_with(b"\0")),
            }
        }
        let has = |arch, format| {
            let images = bundle.images().iter();
            let of_target = images.filter(|it| it.arch() == arch && it.format() == format);
            of_target.filter(|it| it.name().starts_with("device_radix_sort")).count() > 0
        };
        assert!(has(80, Format::Cubin) && has(90, Format::Cubin) && has(90, Format::Ptx));
    }
}
