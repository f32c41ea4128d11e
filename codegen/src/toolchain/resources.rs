//! What a kernel uses of the machine: from the cubin where it says so, from the assembler's report
//! where only that knows.
//!
//! A cubin is an ELF file. Its `.nv.info` section lists registers and stack per function and its
//! `.text.<kernel>` sections are the code; but it counts spills nowhere, and its shared sections
//! include what the system reserves. `ptxas -v`, which NVRTC runs inside, prints those two. All of
//! this is the same from CUDA 12.0 to 13.5; unknown attributes and lines are passed over.

use std::collections::BTreeMap;

use object::{
    LittleEndian, elf,
    read::elf::{FileHeader as _, SectionHeader as _, Sym as _},
};

use super::ToolchainError;

/// What one kernel uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Stack of a thread, which lies in local memory: spilled registers, arrays with an index that
    /// is not known at compile time, and the frames of functions that were not inlined.
    pub stack_bytes: u32,
    /// Bytes that a thread's code stores to spill registers, functions it may call included.
    pub spill_store_bytes: u32,
    /// Bytes that a thread's code loads to bring them back.
    pub spill_load_bytes: u32,
    /// Static shared memory of a block.
    pub shared_bytes: u32,
    /// The kernel's own constant banks: its parameters, behind an area of the driver's, and constants
    /// that the compiler made.
    pub constant_bytes: u32,
    /// Machine code.
    pub code_bytes: u64,
}

impl Resources {
    /// Whether the kernel touches no local memory: it spills nothing and has no stack.
    pub const fn is_free_of_local_memory(&self) -> bool {
        self.stack_bytes == 0 && self.spill_store_bytes == 0 && self.spill_load_bytes == 0
    }
}

type Header = elf::FileHeader64<LittleEndian>;

/// A kernel is a function with this bit in its symbol's `st_other`.
const STO_CUDA_ENTRY: u8 = 0x10;
/// The format of an attribute with a size and a payload, the only one of interest here.
const EIFMT_SVAL: u8 = 4;
const EIATTR_MIN_STACK_SIZE: u8 = 0x12;
const EIATTR_REGCOUNT: u8 = 0x2f;

/// The resources of every kernel in a cubin, by symbol.
pub(super) fn read(
    cubin: &[u8],
    report: &str,
) -> Result<BTreeMap<String, Resources>, ToolchainError> {
    let mut kernels = read_elf(cubin)
        .map_err(|error| ToolchainError::Resources(format!("not a cubin: {error}")))?;
    let functions = parse_report(report);
    // A function that is not a kernel was not inlined; any kernel may call it.
    let callees: Vec<&Reported> = functions
        .iter()
        .filter(|(name, _)| !kernels.contains_key(*name))
        .map(|(_, reported)| reported)
        .collect();
    for (name, kernel) in &mut kernels {
        let Some(reported) = functions.get(name) else {
            let message = format!("the assembler reported nothing on kernel {name}");
            return Err(ToolchainError::Resources(message));
        };
        kernel.shared_bytes = reported.shared;
        for part in std::iter::once(&reported).chain(&callees) {
            kernel.spill_store_bytes += part.spill_stores;
            kernel.spill_load_bytes += part.spill_loads;
        }
    }
    Ok(kernels)
}

fn read_elf(cubin: &[u8]) -> object::read::Result<BTreeMap<String, Resources>> {
    let header = Header::parse(cubin)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, cubin)?;
    let symbols = sections.symbols(endian, cubin, elf::SHT_SYMTAB)?;
    let mut names = BTreeMap::new();
    let mut kernels = BTreeMap::new();
    for (index, symbol) in symbols.enumerate() {
        if symbol.st_type() == elf::STT_FUNC && symbol.st_other().0 & STO_CUDA_ENTRY != 0 {
            let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
            names.insert(index.0 as u32, name.clone());
            kernels.insert(name, Resources::default());
        }
    }
    for section in sections.iter() {
        let name = String::from_utf8_lossy(sections.section_name(endian, section)?);
        if name == ".nv.info" {
            for (attribute, symbol, value) in attributes(section.data(endian, cubin)?) {
                let kernel = names.get(&symbol).and_then(|name| kernels.get_mut(name));
                match (attribute, kernel) {
                    (EIATTR_REGCOUNT, Some(kernel)) => kernel.registers = value,
                    (EIATTR_MIN_STACK_SIZE, Some(kernel)) => kernel.stack_bytes = value,
                    _ => {}
                }
            }
        } else if let Some(kernel) = name.strip_prefix(".text.").and_then(|it| kernels.get_mut(it))
        {
            kernel.code_bytes = section.sh_size(endian);
        } else if let Some(kernel) = constant_bank_of(&name).and_then(|it| kernels.get_mut(it)) {
            kernel.constant_bytes += section.sh_size(endian) as u32;
        }
    }
    Ok(kernels)
}

/// The kernel in `.nv.constant0.<kernel>`; a bank of the module has none.
fn constant_bank_of(section: &str) -> Option<&str> {
    let (bank, kernel) = section.strip_prefix(".nv.constant")?.split_once('.')?;
    bank.parse::<u32>().is_ok().then_some(kernel)
}

/// The attributes of `.nv.info` that give one number to one symbol: attribute, symbol, number.
///
/// Each attribute is a byte of format, a byte of meaning and two bytes that are the value itself or,
/// in one format, the length of the payload that follows.
fn attributes(mut bytes: &[u8]) -> Vec<(u8, u32, u32)> {
    let word = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).ok();
    let mut found = Vec::new();
    while let [format, attribute, low, high, rest @ ..] = bytes {
        bytes = rest;
        if *format != EIFMT_SVAL {
            continue;
        }
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let Some((payload, rest)) = bytes.split_at_checked(length) else { break };
        bytes = rest;
        if let (8, Some(symbol), Some(value)) =
            (length, payload.get(..4).and_then(word), payload.get(4..8).and_then(word))
        {
            found.push((*attribute, symbol, value));
        }
    }
    found
}

/// What `ptxas -v` says of one function, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Reported {
    spill_stores: u32,
    spill_loads: u32,
    shared: u32,
}

/// Reads lines such as these, where the third is missing for a function that is not a kernel:
///
/// ```text
/// ptxas info    : Function properties for spill
/// ptxas         .     72 bytes stack frame, 100 bytes spill stores, 120 bytes spill loads
/// ptxas info    : Used 64 registers, used 1 barriers, 512 bytes smem, 364 bytes cmem[0]
/// ```
fn parse_report(report: &str) -> BTreeMap<String, Reported> {
    let mut functions = BTreeMap::<String, Reported>::new();
    let mut current = None;
    for line in report.lines() {
        if let Some((_, name)) = line.split_once("Function properties for ") {
            current = Some(functions.entry(name.trim().to_owned()).or_default());
            continue;
        }
        let Some(function) = current.as_deref_mut() else { continue };
        if let Some(bytes) = number_before(line, " bytes spill stores") {
            function.spill_stores = bytes;
        }
        if let Some(bytes) = number_before(line, " bytes spill loads") {
            function.spill_loads = bytes;
        }
        if let Some(bytes) = number_before(line, " bytes smem") {
            function.shared = bytes;
        }
    }
    functions
}

fn number_before(line: &str, words: &str) -> Option<u32> {
    let (before, _) = line.split_once(words)?;
    let start = before.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    before[start..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_old_and_new_assemblers_are_read() {
        let report = "\
ptxas info    : 320 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_90'
ptxas info    : Function properties for a
ptxas         .     600 bytes stack frame, 1128 bytes spill stores, 1308 bytes spill loads
ptxas info    : Used 32 registers, 512 bytes smem
ptxas info    : Function properties for b
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 6 registers, used 1 barriers, 4640+0 bytes lmem, 360 bytes cmem[0]";
        let functions = parse_report(report);
        let a = Reported { spill_stores: 1128, spill_loads: 1308, shared: 512 };
        assert_eq!(functions["a"], a);
        assert_eq!(functions["b"], Reported::default());
    }

    #[test]
    fn a_cut_off_attribute_ends_the_list() {
        let complete = [EIFMT_SVAL, EIATTR_REGCOUNT, 8, 0, 7, 0, 0, 0, 40, 0, 0, 0];
        let flag = [2, 0x4c, 1, 0];
        let bytes = [&flag[..], &complete, &complete[..9]].concat();
        assert_eq!(attributes(&bytes), [(EIATTR_REGCOUNT, 7, 40)]);
    }

    #[test]
    fn only_a_kernels_own_constant_bank_counts() {
        assert_eq!(constant_bank_of(".nv.constant0.k.1"), Some("k.1"));
        assert_eq!(constant_bank_of(".nv.constant3"), None);
        assert_eq!(constant_bank_of(".nv.constant.pic"), None);
        assert_eq!(constant_bank_of(".nv.merc.nv.constant.user"), None);
    }

    #[test]
    fn what_is_no_cubin_is_an_error() {
        assert!(matches!(read(b".version 9.0", ""), Err(ToolchainError::Resources(_))));
    }
}
