//! Which kernels are compiled for which architectures.

use super::{BuildError, Bundle};
use crate::device::Device;
use crate::dispatch::KernelSpec;
use crate::spec::Arch;
use crate::toolchain::Format;

/// A kernel to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Its source.
    pub spec: KernelSpec,
    /// For these devices and those that can run it too.
    pub arch: Arch,
    /// What of it.
    pub format: Format,
}

impl Target {
    /// The image's file.
    pub fn file_name(&self) -> String {
        let Self { spec, arch, format } = self;
        format!("{spec}.{arch}.{format}")
    }
}

impl Bundle {
    /// All that is to be compiled, by file name.
    ///
    /// A device asks for kernels by its own shared memory, whatever runs on it was compiled for. So for each device that
    /// there is: the kernels that it may ask for, as the cubin that it would take and as the PTX.
    pub(super) fn targets(&self) -> Result<Vec<Target>, BuildError> {
        if self.sorts.is_empty() && self.tiles.is_empty() {
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
                    kernels.iter().map(move |spec| Target { spec: *spec, arch, format })
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
    fn kernels(&self, device: Arch) -> Vec<KernelSpec> {
        let sorts = self.sorts.iter().flat_map(|(sort, n)| sort.kernels(*n, Device::of(device)));
        let tiles = self.tiles.iter().map(|spec| KernelSpec::Tile(*spec));
        sorts.chain(tiles.filter(|tile| tile.shared_bytes() <= device.max_shared_bytes())).collect()
    }

    /// Whether every sort takes as many items as were asked for; which is the same on every device.
    fn check_lengths(&self, device: Arch) -> Result<(), BuildError> {
        for (sort, items) in &self.sorts {
            match sort.kernel(*items, Device::of(device)) {
                KernelSpec::Whole(spec) if spec.max_items() < *items => {
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
            if targets.iter().any(|target| target.spec == spec) {
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
