//! What a sort of a whole array takes beside the array.

use crate::device::{DeviceSpec, Kernel, Launch};

/// Bytes that a device-wide sort takes on the device beside its arrays.
///
/// ```
/// use sortsmith_codegen::device::{Device, DeviceSpec};
/// use sortsmith_codegen::scratch::Scratch;
///
/// let h200 = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
/// let of = |name: &str, bits| {
///     let spec: DeviceSpec = name.parse().unwrap();
///     Scratch::of(&spec, 1 << 24, &spec.launches(1 << 24, 0..bits, h200))
/// };
/// // Room for all keys and values once more.
/// assert_eq!(of("device_radix_sort_f32_u32_b384_i24_asc", 32).alternate, 8 << 24);
/// // Keys of 8 bits are counted, and written anew.
/// assert_eq!(of("device_radix_sort_u8_keys_b384_i32_asc", 8).alternate, 0);
/// assert_eq!(of("device_radix_sort_u8_keys_b384_i32_asc", 7).alternate, 1 << 24);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scratch {
    /// At the workspace's start, which are zero when the sort begins.
    pub zeroed: u64,
    /// Of the workspace, aligned to 16 bytes.
    pub workspace: u64,
    /// Of the alternate keys and values, which lie one behind the other.
    pub alternate: u64,
}

impl Scratch {
    /// That of a sort of n items, by the launches of that sort; nothing where there are none.
    pub fn of(spec: &DeviceSpec, n: u64, launches: &[Launch]) -> Self {
        if launches.is_empty() {
            return Self { zeroed: 0, workspace: 0, alternate: 0 };
        }
        // Keys that are counted and written anew go to no other array in between.
        let is_filled = launches.iter().any(|launch| launch.kernel == Kernel::Expand);
        let alternate = if is_filled { 0 } else { spec.scratch_bytes(n).1 };
        let (zeroed, workspace) = spec.workspace_of(n, launches);
        Self { zeroed, workspace, alternate }
    }
}
