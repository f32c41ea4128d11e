//! What the host does for sorts of arrays in facades: launches, scratch and arguments, which are those of Rust, as
//! `templates/fragments/array_host.cuh` shows them.

use crate::contract::device::family::NamedHeader;
use crate::contract::device::host::{Cpp, CppArgument, CppHost, CppTruth, HostLaunch, HostScratch};
use crate::contract::render::RenderError;
use crate::contract::spec::SortSpec;
use crate::contract::tile_arguments::{TileArguments, TileKernelKind};
use crate::device::{DeviceSpec, sharing_headers};
use crate::registry::KernelSpec;
use crate::text::guard;
use crate::types::ValueType;

/// The host's part of a spec.
pub(crate) struct HostView {
    pub(crate) name: String,
    /// What its struct is called.
    pub(crate) sort: String,
    pub(crate) guard: String,
    /// What the kernel of a tile takes, where the sort is one.
    pub(crate) tile_parameters: Option<String>,
    pub(crate) reads_values: bool,
    pub(crate) has_positions: bool,
    /// Whether its launches are those of the rows of a matrix.
    pub(crate) is_of_rows: bool,
    pub(crate) scratch: ScratchView,
    pub(crate) arguments: Vec<ArgumentView>,
    pub(crate) launches: Vec<LaunchView>,
}

#[derive(Default)]
pub(crate) struct ScratchView {
    pub(crate) zeroed: String,
    pub(crate) workspace: String,
    pub(crate) alternate: String,
    pub(crate) alternate_keys: String,
}

pub(crate) struct ArgumentView {
    pub(crate) name: &'static str,
    pub(crate) assigned: String,
}

pub(crate) struct LaunchView {
    pub(crate) condition: String,
    pub(crate) only_if: Option<String>,
    pub(crate) kernel: String,
    pub(crate) argument: Option<String>,
    pub(crate) blocks: String,
    pub(crate) threads: u32,
    pub(crate) shared_bytes: String,
}

/// A sort in the header.
pub(crate) struct Emitted {
    pub(crate) spec: KernelSpec,
    most: u64,
    /// What its struct is called, and its kernels but for those that it shares.
    pub(crate) sort: String,
    pub(crate) source: String,
    /// The sort that has the kernels which are shared, and the name of that.
    sharing: Option<(String, DeviceSpec)>,
}

impl Emitted {
    pub(crate) fn alone(most: u64, spec: KernelSpec) -> Result<Self, RenderError> {
        Ok(Self { spec, most, sort: spec.to_string(), source: spec.source()?, sharing: None })
    }
}

/// The sorts of an order. Sorts of one family that follow one another may share kernels.
pub(crate) fn emitted(choices: &[(u64, KernelSpec)]) -> Result<Vec<Emitted>, RenderError> {
    let algorithm = |spec: &KernelSpec| match spec {
        KernelSpec::DeviceWide(spec) => Some(spec.algorithm),
        KernelSpec::Tile(_) => None,
    };
    let mut emitted = Vec::new();
    for group in choices.chunk_by(|(_, a), (_, b)| algorithm(a) == algorithm(b)) {
        let device_wide: Vec<(u64, DeviceSpec)> = group
            .iter()
            .filter_map(|(most, spec)| match spec {
                KernelSpec::DeviceWide(spec) => Some((*most, *spec)),
                KernelSpec::Tile(_) => None,
            })
            .collect();
        let Some(headers) = sharing_headers(&device_wide).transpose()? else {
            for (most, spec) in group {
                emitted.push(Emitted::alone(*most, *spec)?);
            }
            continue;
        };
        let last = headers.last().map(|it| it.name.clone());
        let sharing = last.zip(device_wide.last().map(|(_, spec)| *spec));
        for ((most, spec), NamedHeader { name, text }) in device_wide.iter().zip(headers) {
            emitted.push(Emitted {
                spec: KernelSpec::DeviceWide(*spec),
                most: *most,
                sort: name,
                source: text,
                sharing: sharing.clone(),
            });
        }
    }
    Ok(emitted)
}

/// The most items that these sorts, of which the last one takes the most, have a kernel for.
pub(crate) fn most_items(choices: &[(u64, KernelSpec)]) -> u64 {
    choices.last().map_or(0, |(most, spec)| match spec {
        KernelSpec::Tile(_) => *most,
        KernelSpec::DeviceWide(spec) => spec.max_items(),
    })
}

/// The host's part of a sort of an array, or of the rows of a matrix where the spec sorts such.
pub(crate) fn host_view(emitted: &Emitted, of_facade: &str) -> Result<HostView, RenderError> {
    let spec = &emitted.spec;
    let name = spec.to_string();
    let (value, tile_parameters) = match spec {
        KernelSpec::Tile(spec) => (spec.value, Some(parameters_of(spec))),
        KernelSpec::DeviceWide(spec) => (spec.value, None),
    };
    let view = HostView {
        guard: guard(&format!("{name}{of_facade}_HOST")),
        tile_parameters,
        reads_values: value.is_read(),
        has_positions: value == ValueType::Index,
        is_of_rows: false,
        sort: emitted.sort.clone(),
        name,
        scratch: ScratchView::default(),
        arguments: Vec::new(),
        launches: Vec::new(),
    };
    let KernelSpec::DeviceWide(device_spec) = spec else { return Ok(view) };
    let no_host = || RenderError::NoCppHost { name: device_spec.to_string() };
    let CppHost { launches, scratch, arguments } =
        device_spec.cpp_host(emitted.most).ok_or_else(no_host)?;
    let is_of_rows = device_spec.sorts_rows();
    let scratch = if is_of_rows {
        let [rows, n] = ["rows", "n"].map(|it| Cpp::Text(it.to_owned()));
        device_spec.host_scratch_of_rows(scratch, rows, n)
    } else {
        scratch
    };
    let launches: Vec<LaunchView> =
        launches.into_iter().filter_map(|it| launch_view(emitted, it)).collect();
    let argument = |(name, it): (_, CppArgument)| ArgumentView { name, assigned: it.to_string() };
    Ok(HostView {
        is_of_rows,
        scratch: scratch_view(&scratch),
        arguments: arguments.into_iter().map(argument).collect(),
        launches,
        ..view
    })
}

fn scratch_view(scratch: &HostScratch<Cpp>) -> ScratchView {
    ScratchView {
        zeroed: scratch.zeroed.to_string(),
        workspace: scratch.workspace.to_string(),
        alternate: scratch.alternate.to_string(),
        alternate_keys: scratch.alternate_keys.to_string(),
    }
}

/// The addresses of the arguments of a tile's kernel, as an initializer.
fn parameters_of(spec: &SortSpec) -> String {
    let taken = TileArguments::taken(spec, TileKernelKind::Tile);
    let addresses: Vec<String> = taken.iter().map(|it| format!("&{}", it.name)).collect();
    format!("{{{}}}", addresses.join(", "))
}

/// The launch, unless it is never made. A kernel that is shared has the shared memory of the sort that it belongs to.
fn launch_view(emitted: &Emitted, launch: HostLaunch<Cpp>) -> Option<LaunchView> {
    let HostLaunch { condition, kernel, argument, blocks, threads, shared_bytes } = launch;
    let sharing = emitted.sharing.as_ref();
    let sharing = sharing.filter(|(_, spec)| spec.shared_kernels().contains(&kernel));
    let of_sharing = sharing.and_then(|(_, spec)| {
        let all = spec.cpp_host(spec.max_items())?.launches;
        all.into_iter().find(|it| it.kernel == kernel)
    });
    let shared_bytes = of_sharing.map_or(shared_bytes, |it| it.shared_bytes);
    let sort = sharing.map_or(&emitted.sort, |(name, _)| name);
    (condition != CppTruth::Known(false)).then(|| LaunchView {
        condition: condition.to_string(),
        only_if: (condition != CppTruth::Known(true)).then(|| condition.to_string()),
        kernel: format!("{sort}{}", kernel.suffix()),
        argument: argument.map(|(_, number)| number.to_string()),
        blocks: blocks.to_string(),
        threads,
        shared_bytes: shared_bytes.to_string(),
    })
}
