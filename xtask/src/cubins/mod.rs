//! `cargo xtask cubins`: the machine code of the goldens' kernels, by itself or beside that of another revision.
//!
//! Whether a change of a template changes what runs, no diff of headers says. This compiles the kernels of both revisions with the
//! same compiler, and compares the bytes of their code.

mod goldens;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _};
use sortsmith_codegen::toolchain::{
    CompileOptions, Format, Nvrtc, Resources, Source, Toolchain, ToolchainError,
};

use crate::{CubinArgs, error::Error, toolkit, workspace};
use goldens::Golden;

/// A kernel of one golden.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kernel {
    /// The end of its symbol, which begins with the golden's name.
    suffix: String,
    resources: Resources,
    code: Vec<u8>,
}

/// The kernels of each golden, in the order of their definitions.
type Kernels = BTreeMap<String, Vec<Kernel>>;

pub fn run(args: &CubinArgs) -> Result<(), Error> {
    let toolchain = toolkit::ensure()?;
    let chosen = |revision: Option<&str>| {
        let mut goldens = goldens::of(workspace::root(), revision)?;
        goldens.retain(|it| args.filter.as_ref().is_none_or(|text| it.name.contains(text)));
        Ok::<_, Error>(goldens)
    };
    let mut after = chosen(args.at.as_deref())?;
    let Some(revision) = &args.against else {
        print!("{}", table(&compile(&toolchain, args.arch, &after)?));
        return Ok(());
    };
    let mut before = chosen(Some(revision))?;
    let same = drop_same(&mut before, &mut after);
    eprintln!("{same} goldens have the same text");
    let before = compile(&toolchain, args.arch, &before)?;
    print!("{}", comparison(&before, &compile(&toolchain, args.arch, &after)?));
    Ok(())
}

/// Drops the goldens that have the same text in both revisions, since their kernels are equal, and counts them.
fn drop_same(before: &mut Vec<Golden>, after: &mut Vec<Golden>) -> usize {
    let same: BTreeSet<Golden> = after.extract_if(.., |golden| before.contains(golden)).collect();
    before.retain(|golden| !same.contains(golden));
    same.len()
}

/// The kernels of all goldens that have some, compiled on all cores.
fn compile(toolchain: &Toolchain, arch: u32, goldens: &[Golden]) -> Result<Kernels, Error> {
    let failed = |error: ToolchainError| Error::Other(error.to_string());
    let nvrtc = Nvrtc::load(toolchain).map_err(failed)?;
    let mut options = CompileOptions::new(arch, Format::Cubin);
    options.include_dirs.clone_from(&toolchain.include_dirs);
    let with_kernels: Vec<&Golden> = goldens.iter().filter(|it| it.has_kernels()).collect();
    let without = goldens.len() - with_kernels.len();
    eprintln!("{} goldens for sm_{arch}; {without} have no kernel", with_kernels.len());
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(golden) = with_kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let kernels = kernels_of(&nvrtc, &options, golden).map_err(failed);
                    let kernels = kernels.map(|kernels| (golden.name.clone(), kernels));
                    found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(kernels);
                }
            });
        }
    });
    found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_iter().collect()
}

fn kernels_of(
    nvrtc: &Nvrtc,
    options: &CompileOptions,
    golden: &Golden,
) -> Result<Vec<Kernel>, ToolchainError> {
    let file = format!("{}.cu", golden.name);
    let compiled = nvrtc.compile(&Source::new(&file, &golden.text), options)?;
    let unreadable = |error: object::Error| ToolchainError::Resources(error.to_string());
    let cubin = ElfFile64::<object::LittleEndian>::parse(&*compiled.image).map_err(unreadable)?;
    let mut kernels = Vec::new();
    for (symbol, resources) in compiled.resources()? {
        let section = cubin.section_by_name(&format!(".text.{symbol}"));
        let code = section.map(|it| it.data()).transpose().map_err(unreadable)?.unwrap_or_default();
        let offset = golden.text.find(&format!("{symbol}("));
        let suffix = symbol.strip_prefix(&golden.name).unwrap_or(&symbol).to_owned();
        kernels.push((offset, Kernel { suffix, resources, code: code.to_vec() }));
    }
    kernels.sort_by_key(|(offset, _)| *offset);
    Ok(kernels.into_iter().map(|(_, kernel)| kernel).collect())
}

const HEAD: &str = "registers  spilled  stack  shared    code  kernel\n";

fn row(resources: Resources, spilled: u32) -> String {
    let Resources { registers, stack_bytes, shared_bytes, code_bytes, .. } = resources;
    format!("{registers:9}  {spilled:7}  {stack_bytes:5}  {shared_bytes:6}  {code_bytes:6}")
}

impl Kernel {
    fn spilled(&self) -> u32 {
        self.resources.spill_store_bytes + self.resources.spill_load_bytes
    }

    fn row(&self) -> String {
        row(self.resources, self.spilled())
    }

    /// What is different beside an earlier kernel.
    fn verdict(&self, before: Option<&Self>) -> String {
        match before {
            None => "new".to_owned(),
            Some(before) if before.code == self.code => "equal".to_owned(),
            Some(before) if before.row() == self.row() => "different, of the same size".to_owned(),
            Some(before) => format!(
                "was: {} registers, {} spilled, {} stack, {} shared, {} code",
                before.resources.registers,
                before.spilled(),
                before.resources.stack_bytes,
                before.resources.shared_bytes,
                before.resources.code_bytes
            ),
        }
    }
}

fn table(kernels: &Kernels) -> String {
    let lines = kernels.iter().flat_map(|(name, kernels)| {
        kernels.iter().map(move |kernel| format!("{}  {name}{}\n", kernel.row(), kernel.suffix))
    });
    HEAD.to_owned() + &lines.collect::<String>()
}

/// Each kernel beside the one of the earlier revision, and how many are equal.
fn comparison(before: &Kernels, after: &Kernels) -> String {
    let mut text = HEAD.to_owned();
    let (mut equal, mut all) = (0, 0);
    for (name, kernels) in after {
        let earlier = before.get(name).map_or(&[][..], Vec::as_slice);
        for (kernel, counterpart) in kernels.iter().zip(counterparts(earlier, kernels)) {
            let verdict = kernel.verdict(counterpart);
            (all, equal) = (all + 1, equal + usize::from(verdict == "equal"));
            let _ = writeln!(text, "{}  {name}{}: {verdict}", kernel.row(), kernel.suffix);
        }
    }
    let gone: Vec<&str> =
        before.keys().filter(|name| !after.contains_key(*name)).map(String::as_str).collect();
    if !gone.is_empty() {
        let _ = writeln!(text, "gone: {}", gone.join(", "));
    }
    let _ = writeln!(text, "{equal} of {all} kernels are equal");
    text
}

/// The earlier kernel of each: the one with the same end of its symbol, else the next of those that no symbol claims.
fn counterparts<'k>(before: &'k [Kernel], after: &[Kernel]) -> Vec<Option<&'k Kernel>> {
    let namesake = |kernel: &Kernel| before.iter().find(|it| it.suffix == kernel.suffix);
    let is_free = |it: &&Kernel| after.iter().all(|kernel| kernel.suffix != it.suffix);
    let mut renamed = before.iter().filter(is_free);
    after.iter().map(|kernel| namesake(kernel).or_else(|| renamed.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(suffix: &str, code: &[u8]) -> Kernel {
        Kernel { suffix: suffix.to_owned(), resources: Resources::default(), code: code.to_vec() }
    }

    fn of(kernels: Vec<Kernel>) -> Kernels {
        Kernels::from([("sort".to_owned(), kernels)])
    }

    #[test]
    fn kernels_are_compared_by_suffix_and_renamed_ones_by_their_order() {
        let before =
            of(vec![kernel("_count", b"a"), kernel("_scatter", b"b"), kernel("_end", b"c")]);
        let after = of(vec![kernel("_count", b"a"), kernel("_pass", b"b"), kernel("_end", b"d")]);
        let text = comparison(&before, &after);
        let verdicts: Vec<&str> =
            text.lines().filter_map(|line| Some(line.split_once("  sort")?.1)).collect();
        let expected = ["_count: equal", "_pass: equal", "_end: different, of the same size"];
        assert_eq!(verdicts, expected);
        assert!(text.ends_with("2 of 3 kernels are equal\n"), "{text}");
    }

    #[test]
    fn goldens_of_the_same_text_are_dropped_from_both() {
        let golden =
            |name: &str, text: &str| Golden { name: name.to_owned(), text: text.to_owned() };
        let mut before = vec![golden("a", "1"), golden("b", "1"), golden("old", "1")];
        let mut after = vec![golden("a", "1"), golden("b", "2"), golden("new", "1")];
        assert_eq!(drop_same(&mut before, &mut after), 1);
        let names = |goldens: &[Golden]| goldens.iter().map(|it| it.name.clone()).collect();
        let left: [Vec<String>; 2] = [names(&before), names(&after)];
        assert_eq!(left, [["b", "old"], ["b", "new"]]);
    }

    #[test]
    fn goldens_that_came_and_went_are_named() {
        let text = comparison(
            &Kernels::from([("old".to_owned(), Vec::new())]),
            &of(vec![kernel("_count", b"a")]),
        );
        assert!(text.contains("sort_count: new") && text.contains("gone: old"), "{text}");
    }
}
