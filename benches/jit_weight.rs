//! What it weighs to compile a sort at run time: our generated tile kernel beside the same over
//! `cub::BlockRadixSort`, both by NVRTC to an `sm_90` cubin. Needs no GPU.
//!
//! `cargo bench -p sortsmith-benches --bench jit_weight`; repetitions: `SORTSMITH_REPETITIONS`, 7

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sortsmith::device::{self, Options, SortSpec};
use sortsmith_codegen::toolchain::{CompileOptions, Compiled, Format, Nvrtc, Source, Toolchain};

const SPEC: &str = "block_radix_sort_f32_u32_b256_i16_r6_asc";
const PEER: &str = include_str!("peers/cub_tile_jit.cu");
const ARCH: u32 = 90;

/// What each instrumented header says when it is read.
const MARK: &str = "sortsmith reads ";

/// A text to compile, and what came of it.
struct Contender {
    name: &'static str,
    text: String,
    options: CompileOptions,
    times: Vec<Duration>,
    cubin_bytes: usize,
}

impl Contender {
    fn new(name: &'static str, text: String, include_dirs: Vec<PathBuf>) -> Self {
        let mut options = CompileOptions::new(ARCH, Format::Cubin);
        options.include_dirs = include_dirs;
        Self { name, text, options, times: Vec::new(), cubin_bytes: 0 }
    }

    fn compile(&mut self, nvrtc: &Nvrtc) -> Result<Compiled, Box<dyn Error>> {
        let start = Instant::now();
        let compiled = nvrtc.compile(&Source::new(self.name, &self.text), &self.options)?;
        self.times.push(start.elapsed());
        self.cubin_bytes = compiled.image.len();
        Ok(compiled)
    }

    fn median(&mut self) -> Duration {
        self.times.sort();
        self.times[self.times.len() / 2]
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let toolchain = Toolchain::find();
    let nvrtc = match Nvrtc::load(&toolchain) {
        Ok(nvrtc) => nvrtc,
        Err(error) => {
            println!("left out: {error}");
            return Ok(());
        }
    };
    let Some(cub) = toolchain.cccl_include.clone() else {
        println!("left out: no CUB headers found");
        return Ok(());
    };
    let repetitions = match std::env::var("SORTSMITH_REPETITIONS") {
        Ok(text) => text.parse()?,
        Err(_) => 7,
    };
    let mut cub_dirs = vec![cub];
    cub_dirs.extend(toolchain.include_dirs.iter().cloned());
    let spec: SortSpec = SPEC.parse()?;
    let header = device::header_with(&spec, Options { tile_kernel: true, ..Default::default() })?;
    let mut ours = Contender::new("sortsmith", header, Vec::new());
    let mut peer = Contender::new("cub", PEER.to_owned(), cub_dirs.clone());
    // The first of each is not counted: it loads pages and caches.
    for contender in [&mut ours, &mut peer] {
        contender.compile(&nvrtc)?;
        contender.times.clear();
    }
    for _ in 0..repetitions {
        ours.compile(&nvrtc)?;
        peer.compile(&nvrtc)?;
    }
    let (major, minor) = nvrtc.version();
    println!("NVRTC {major}.{minor} to an sm_{ARCH} cubin, {SPEC}, median of {repetitions}");
    let (our_time, peer_time) = (ours.median(), peer.median());
    for (contender, time) in [(&ours, our_time), (&peer, peer_time)] {
        let (min, max) = (contender.times[0], contender.times[contender.times.len() - 1]);
        let (name, bytes) = (contender.name, contender.cubin_bytes);
        println!("  {name:<10} {time:>8.1?}  ({min:.1?} to {max:.1?})  cubin {bytes} bytes");
    }
    let ratio = our_time.as_secs_f64() / peer_time.as_secs_f64();
    println!("  ours takes {ratio:.3} of CUB's time, 1/{:.1}", 1.0 / ratio);
    println!("  ours: no header, {} bytes, {} lines", ours.text.len(), ours.text.lines().count());
    let read = headers_read(&nvrtc, &cub_dirs)?;
    let lines: usize = read.iter().map(|header| line_count(header)).sum();
    println!("  CUB:  {} headers, {lines} lines", read.len());
    Ok(())
}

fn line_count(header: &Path) -> usize {
    fs::read(header).map_or(0, |bytes| String::from_utf8_lossy(&bytes).lines().count())
}

/// The headers that the compiler reads for the peer: found by compiling it with copies of them that each
/// warn of themselves.
fn headers_read(
    nvrtc: &Nvrtc,
    include_dirs: &[PathBuf],
) -> Result<BTreeSet<PathBuf>, Box<dyn Error>> {
    let copies = tempfile::tempdir()?;
    let mut marked_dirs = Vec::new();
    for (index, dir) in include_dirs.iter().enumerate() {
        let copy = copies.path().join(index.to_string());
        copy_marked(dir, &copy)?;
        marked_dirs.push(copy);
    }
    let mut peer = Contender::new("cub", PEER.to_owned(), marked_dirs);
    let log = peer.compile(nvrtc)?.log;
    let named = log.lines().filter_map(|line| line.split_once(MARK)?.1.split('|').next());
    Ok(named.map(PathBuf::from).collect())
}

/// Copies headers, each with a first line that warns with its path.
fn copy_marked(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_marked(&path, &target)?;
        } else {
            let mut text = format!("#warning {MARK}{}|\n", path.display()).into_bytes();
            text.extend(fs::read(&path)?);
            fs::write(target, text)?;
        }
    }
    Ok(())
}
