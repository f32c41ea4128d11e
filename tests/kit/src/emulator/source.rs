//! The sources of programs: what they begin with, their headers, and the table that the driver serves.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use sortsmith_codegen::device::{self, Device, DeviceSpec, Kernel};
use sortsmith_codegen::{ArgumentField, SortSpec, TileArguments, TileKernelKind, render};

use super::supplied::supplied_parts;
use crate::device_families::facts;

/// What every program begins with, which is compiled once for each set of options: to read it takes longer than to compile most kernels.
/// A compiler that cannot use the compiled form takes the text, which lies beside it.
pub(super) const PRELUDE: &str =
    "#include <array>\n#include <vector>\n#include \"emulator.hpp\"\n#include \"protocol.hpp\"\n";

pub(super) const PRELUDE_FILE: &str = "prelude.hpp";

/// Which driver serves a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// That of tile sorts.
    Tile(SortSpec),
    /// The driver of device-wide sorts.
    Device(DeviceSpec),
    /// That in the folder of a family, with the arguments of its kernels.
    Family(&'static str, &'static [ArgumentTable]),
}

/// The arguments of a kernel, by what its symbol has behind the spec's name; by nothing for the struct that all kernels take.
pub type ArgumentTable = (&'static str, &'static [ArgumentField]);

impl Kind {
    pub(super) fn runs_longer_than_it_compiles(self) -> bool {
        match self {
            Self::Device(spec) => facts(spec.algorithm).runs_longer_than_it_compiles(),
            Self::Tile(_) | Self::Family(..) => false,
        }
    }

    /// The driver's header.
    fn driver(self) -> String {
        match self {
            Self::Tile(_) => "driver.hpp".to_owned(),
            Self::Device(_) => "device_driver.hpp".to_owned(),
            Self::Family(folder, _) => format!("families/{folder}/driver.hpp"),
        }
    }
}

/// A header to run, and the structure in it.
#[derive(Clone, Debug)]
pub struct Member {
    /// Which driver serves it.
    pub kind: Kind,
    /// The structure's name, and the stem of its kernels'.
    pub name: String,
    /// The header.
    pub header: String,
}

/// The kernels of a header of a tile sort.
pub(crate) const KERNELS: render::Options = render::Options {
    tile_kernel: true,
    rows_kernel: true,
    counted_rows_kernel: true,
    of_project: false,
};

impl Member {
    /// A spec's header as it is generated, with the kernels of tiles and rows.
    pub fn of(spec: &SortSpec) -> Result<Self, render::RenderError> {
        let header = render::header(spec, KERNELS)?;
        Ok(Self { kind: Kind::Tile(*spec), name: spec.to_string(), header })
    }

    /// The header of a device-wide sort as it is generated.
    pub fn of_device(spec: &DeviceSpec) -> Result<Self, render::RenderError> {
        Ok(Self {
            kind: Kind::Device(*spec),
            name: spec.to_string(),
            header: device::header(spec)?,
        })
    }

    /// The header of a spec of a family with a driver in its folder.
    pub(crate) fn of_family(
        (folder, arguments): (&'static str, &'static [ArgumentTable]),
        spec: &impl Display,
        header: String,
    ) -> Self {
        Self { kind: Kind::Family(folder, arguments), name: spec.to_string(), header }
    }
}

/// The source of a program that runs these headers, which are of one kind.
pub(crate) fn main_source(members: &[Member]) -> String {
    let mut drivers = members.iter().map(|member| member.kind.driver());
    let driver = drivers.next().expect("a program has headers");
    assert!(drivers.all(|it| it == driver), "a program has one driver");
    let mut source = format!("#include \"{PRELUDE_FILE}\"\n");
    let of_devices = members.iter().filter(|member| matches!(member.kind, Kind::Device(_)));
    let tables: BTreeSet<ArgumentMacro> =
        of_devices.flat_map(|member| argument_tables(member.kind)).collect();
    for (name, fields) in tables {
        let _ = writeln!(source, "#define {name}(field){fields}");
    }
    let (mut table, families) = (String::new(), launches(members));
    // Specs of a family may differ in the arguments of their kernels.
    let mut defined = Vec::new();
    for member in members {
        source += &supplied_parts(&member.header);
        let _ = writeln!(source, "#include \"{}.cuh\"", member.name);
        if !matches!(member.kind, Kind::Device(_)) {
            let macros = argument_tables(member.kind);
            for (name, fields) in macros.iter().filter(|it| !defined.contains(*it)) {
                let _ = writeln!(table, "#undef {name}\n#define {name}(field){fields}");
            }
            defined = macros;
        }
        let _ = writeln!(table, "    {},", entry(member));
    }
    format!(
        "{source}#include \"{driver}\"\n{families}\nstatic const std::array kSpecs = {{\n{table}}};\n\
         int main() {{ return emulator::serve(kSpecs.data(), kSpecs.size()); }}\n"
    )
}

/// A macro that lists the arguments of a kernel: its name, and what it is.
type ArgumentMacro = (String, String);

/// The arguments of a header's kernels, as `arguments.hpp` has them.
fn argument_tables(kind: Kind) -> Vec<ArgumentMacro> {
    let table = |suffix: &str, fields: &[ArgumentField]| {
        let field = |it: &ArgumentField| format!(" field({}, {})", it.name, it.offset);
        (format!("SORTSMITH_ARGUMENTS{suffix}"), fields.iter().map(field).collect())
    };
    match kind {
        Kind::Tile(spec) => {
            let of_kernel = |kernel: TileKernelKind| {
                table(kernel.suffix(), &TileArguments::taken(&spec, kernel))
            };
            TileKernelKind::ALL.map(of_kernel).into()
        }
        Kind::Device(spec) => {
            vec![table(&format!("_{}", arguments_of(&spec)), &spec.argument_fields())]
        }
        Kind::Family(_, tables) => {
            tables.iter().map(|(suffix, fields)| table(suffix, fields)).collect()
        }
    }
}

/// What the arguments of a device-wide sort are called by: those of a family's counted sorts are more.
fn arguments_of(spec: &DeviceSpec) -> String {
    let counted = if spec.counted { "_counted" } else { "" };
    format!("{}{counted}", spec.algorithm.prefix())
}

/// A kernel that some specs of its family have, and others have not.
const KERNEL_OF_SOME: &str = "_found";

/// The member as the driver's table has it.
fn entry(Member { name, kind, .. }: &Member) -> String {
    match kind {
        Kind::Tile(_) => format!("SORTSMITH_SPEC_WITH_KERNELS({name})"),
        Kind::Device(spec) => {
            let table = kernels(spec)
                .map(|kernel| format!("SORTSMITH_DEVICE_KERNEL({name}, {})", kernel.suffix()))
                .collect::<Vec<_>>()
                .join(", ");
            let folder = spec.algorithm.prefix();
            format!("SORTSMITH_DEVICE_SPEC({folder}, {}, {name}, {{{table}}})", arguments_of(spec))
        }
        Kind::Family(_, tables) => {
            let has_more = tables.iter().any(|(suffix, _)| *suffix == KERNEL_OF_SOME);
            format!("SORTSMITH_{}KERNELS({name})", if has_more { "ALL_" } else { "" })
        }
    }
}

/// What the driver knows of these members' families of device-wide sorts.
fn launches(members: &[Member]) -> String {
    let folder_of = |member: &Member| match &member.kind {
        Kind::Device(spec) => Some(spec.algorithm.prefix()),
        Kind::Tile(_) | Kind::Family(..) => None,
    };
    let folders: BTreeSet<&str> = members.iter().filter_map(folder_of).collect();
    let include = |folder: &&str| format!("#include \"families/{folder}/launches.hpp\"\n");
    folders.iter().map(include).collect()
}

/// The kernels of a device-wide sort, as its program numbers them.
pub(super) fn kernels(spec: &DeviceSpec) -> impl Iterator<Item = Kernel> {
    // Which ones there are does not depend on the device.
    const ANY: Device = Device { multiprocessors: 1, shared_bytes_per_block: 0 };
    spec.kernels(ANY).into_iter().map(|block| block.kernel)
}
