//! The crates with layered modules, and their layers; ARCHITECTURE.md describes them.

use super::Crate;

/// A crate is one row: its sources, and its layers from the lowest on.
///
/// A layer lists its modules by path. A module may name those of lower layers and itself, not those beside it. What a path holds goes
/// with it, unless a longer path of it is listed. A folder that is not listed itself may only re-export what it holds. `folder::*` are
/// all modules of a folder that are not listed themselves, one beside the other.
pub const CRATES: &[Crate] = &[CODEGEN, RUNTIME];

/// Folders of files that know each other in no circles, as those of all crates: their crate's root is not in them.
pub const FOLDERS_WITHOUT_ROOT: [&str; 2] = ["benches/device_wide", "tests/driver"];

macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident $folder:ident::$spec:ident $name:ident;)*) => {
        /// The families on arrays that are no device-wide sorts. They may have sorts of tiles.
        const KERNEL_FAMILIES: &[&str] = &[$(stringify!($folder)),*];
    };
}
sortsmith_codegen::kernel_families!(families);

const CODEGEN: Crate = Crate {
    sources: "codegen/src",
    layers: &[
        &["types"],
        &["files"],
        &["toolchain"],
        &["cache"],
        &["layout"],
        &["text"],
        &["contract::arguments", "contract::options"],
        &["contract::spec"],
        &["contract::validate", "contract::tile_arguments"],
        &["contract::name", "contract::named", "contract::render", "contract::explain"],
        &["contract::family"],
        &["contract::device::algorithm"],
        &["contract::device::spec"],
        &["contract::device::arguments", "contract::device::launch", "contract::device::name"],
        &["contract::device::passes", "contract::device::scratch", "contract::device::shape"],
        &["contract::device::host"],
        &["contract::device::family", "contract::figures"],
        &["primitives"],
        &["block::view"],
        &["block::*", "warp::*"],
        KERNEL_FAMILIES,
        &["device::*"],
        &["device::registry"],
        &["device::tuning", "device::explain"],
        &["device"],
        &["registry"],
        &["select::array_sort"],
        &["select::tiles", "select::tuning"],
        &["select::dispatch", "select::rows"],
        &["output::headers", "output::facade_text"],
        &["output::facade_hosts"],
        &[
            "output::device_facade",
            "output::rows_facade",
            "output::segmented_facade",
            "output::top_k_facade",
        ],
        &["output::emit", "output::explain"],
        &["output::matrix", "output::bundle"],
        &["cli"],
    ],
};

const RUNTIME: Crate = Crate {
    sources: "src",
    layers: &[
        &["settings", "algorithm"],
        &["error"],
        &["key", "memory", "value"],
        &["options"],
        &["array", "backend"],
        &["count"],
        &["lists"],
        &["bin_key", "device_lists"],
        &["host", "embedded", "segments"],
        &["crossover", "position"],
        &["gpu::status", "gpu::shared", "gpu::task", "gpu::tuning"],
        &["gpu::launch", "gpu::capture"],
        &["gpu::driver", "gpu::side_stream", "gpu::allocation", "gpu::pinned"],
        &["gpu::module", "gpu::compile", "gpu::sort_counter", "gpu::staging"],
        &["gpu::kernels"],
        &["gpu::context"],
        &["gpu::retired"],
        &["gpu::graph"],
        &["gpu::scratch"],
        &["gpu::alignment", "gpu::array_kernels", "gpu::stream_guard"],
        &[
            "gpu::tile",
            "gpu::device_wide",
            "gpu::gather",
            "gpu::block_top_k",
            "gpu::binned_kernels",
            "gpu::shard_kernels",
        ],
        &["gpu::row_tiles", "gpu::segment_kernels"],
        &["gpu::families"],
        &["gpu::sorts"],
        &["gpu::device_sort"],
        &["gpu::rows", "gpu::segments", "gpu::top_k", "gpu::binned"],
        &["gpu::stream_sorter"],
        &["runs"],
        &["sorter"],
        &["default_sorter", "device", "distributed", "run_sorter"],
        &["sort", "many", "tiles", "tuning"],
        &["binned", "top_k"],
    ],
};
