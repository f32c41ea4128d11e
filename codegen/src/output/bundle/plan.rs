//! Which kernels are compiled for which architectures.

use std::fmt;

use super::{BuildError, Bundle};
use crate::contract::render::RenderError;
use crate::contract::spec::SortSpec;
use crate::device::Device;
use crate::registry::{self, KernelSpec, Named};
use crate::toolchain::Format;
use crate::types::Arch;

/// A source of kernels, by the spec that it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernels {
    /// Of a sort.
    Sort(KernelSpec),
    /// Of a sort of a tile, its kernel of rows.
    Rows(SortSpec),
    /// The same, its kernel of counted rows, which arrays that a tile holds are sorted by too.
    CountedRows(SortSpec),
    /// Of what else works on arrays.
    Named(Named),
}

impl Kernels {
    /// The CUDA, as the runtime asks for it.
    pub fn source(&self) -> Result<String, RenderError> {
        match self {
            Self::Sort(spec) => spec.source(),
            Self::Rows(spec) => registry::rows_source(spec),
            Self::CountedRows(spec) => registry::counted_rows_source(spec),
            Self::Named(spec) => spec.source(),
        }
    }
}

impl fmt::Display for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sort(spec) => spec.fmt(f),
            Self::Rows(spec) => write!(f, "{spec}_rows"),
            Self::CountedRows(spec) => write!(f, "{spec}_counted_rows"),
            Self::Named(spec) => spec.fmt(f),
        }
    }
}

/// A kernel to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Its source.
    pub kernels: Kernels,
    /// For these devices and those that can run it too.
    pub arch: Arch,
    /// What of it.
    pub format: Format,
}

impl Target {
    /// The image's file.
    pub fn file_name(&self) -> String {
        let Self { kernels, arch, format } = self;
        format!("{kernels}.{arch}.{format}")
    }
}

impl Bundle {
    /// All that is to be compiled, by file name.
    ///
    /// A device asks for kernels by its own shared memory, whatever runs on it was compiled for. So for each device that
    /// there is: the kernels that it may ask for, as the cubin that it would take and as the PTX.
    pub(super) fn targets(&self) -> Result<Vec<Target>, BuildError> {
        let has_sorts = !self.sorts.is_empty() || !self.tiles.is_empty() || !self.rows.is_empty();
        if !has_sorts && self.others.is_empty() {
            return Err(BuildError::NoKernels);
        }
        let cubins = known(&self.archs)?;
        let newest = *cubins.iter().max().ok_or(BuildError::NoArch)?;
        let ptx = self.ptx.as_ref().map_or_else(|| Ok(vec![newest]), |archs| known(archs))?;
        self.check_lengths(newest)?;
        let mut targets = Vec::new();
        for device in Arch::all() {
            let kernels = self.kernels(device);
            for (format, archs) in [(Format::Cubin, &cubins), (Format::Ptx, &ptx)] {
                let best = archs
                    .iter()
                    .filter(|arch| format.runs_on(arch.capability(), device.capability()))
                    .max();
                let target = |arch: &Arch| {
                    let arch = *arch;
                    kernels.iter().map(move |kernels| Target { kernels: *kernels, arch, format })
                };
                targets.extend(best.into_iter().flat_map(target));
            }
        }
        targets.sort_by_cached_key(Target::file_name);
        targets.dedup();
        self.check_tiles(&targets, &cubins)?;
        Ok(targets)
    }

    /// What a device may ask for.
    fn kernels(&self, device: Arch) -> Vec<Kernels> {
        // A program may sort by a range of bits too.
        let kinds = self.sorts.iter().flat_map(|(sort, n)| [(*sort, *n), (sort.by_bits(), *n)]);
        let sorts = kinds.flat_map(|(sort, n)| {
            let of_kind = move |spec| match spec {
                KernelSpec::Tile(spec) if sort.counted => Kernels::CountedRows(spec),
                _ => Kernels::Sort(spec),
            };
            sort.kernels(n, Device::of(device)).into_iter().map(of_kind)
        });
        let tiles = self.tiles.iter().map(|spec| KernelSpec::Tile(*spec));
        let tiles = tiles.filter(|tile| tile.shared_bytes() <= device.max_shared_bytes());
        let kinds = self.rows.iter().flat_map(|(sort, n)| [(*sort, *n), (sort.by_bits(), *n)]);
        let rows = kinds.flat_map(|(sort, columns)| {
            let of_kind = move |spec| match spec {
                KernelSpec::Tile(spec) if sort.counted => Kernels::CountedRows(spec),
                KernelSpec::Tile(spec) => Kernels::Rows(spec),
                KernelSpec::DeviceWide(_) => Kernels::Sort(spec),
            };
            sort.on(device).kernels(columns).into_iter().map(of_kind)
        });
        let sorts = sorts.chain(tiles.map(Kernels::Sort)).chain(rows);
        let others = self.others.iter().flatten().filter(|(arch, _)| *arch == device);
        sorts.chain(others.map(|(_, spec)| Kernels::Named(*spec))).collect()
    }

    /// Whether every sort takes as many items as requested, which is the same on every device.
    fn check_lengths(&self, device: Arch) -> Result<(), BuildError> {
        for (sort, items) in &self.sorts {
            match sort.kernel(*items, Device::of(device)) {
                KernelSpec::DeviceWide(spec) if spec.max_items() < *items => {
                    return Err(BuildError::TooManyItems { spec, items: *items });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether every tile is there for some device.
    fn check_tiles(&self, targets: &[Target], archs: &[Arch]) -> Result<(), BuildError> {
        for tile in &self.tiles {
            let spec = KernelSpec::Tile(*tile);
            if targets.iter().any(|target| target.kernels == Kernels::Sort(spec)) {
                continue;
            }
            if let Some(arch) = archs.iter().copied().max_by_key(|arch| arch.max_shared_bytes()) {
                let needed = spec.shared_bytes();
                return Err(BuildError::SharedMemory { spec: *tile, needed, arch });
            }
        }
        Ok(())
    }
}

fn known(archs: &[u32]) -> Result<Vec<Arch>, BuildError> {
    Ok(archs.iter().map(|arch| Arch::new(*arch)).collect::<Result<_, _>>()?)
}
