//! What a device-wide sort takes beside its arrays.

use super::spec::DeviceFields;

/// Bytes that a device-wide sort takes on the device beside its arrays; `DeviceSpec::scratch` says how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scratch {
    /// At the workspace's start, which are zero when the sort begins.
    pub zeroed: u64,
    /// Of the workspace, aligned to 16 bytes.
    pub workspace: u64,
    /// Of the alternate keys and values, which lie one behind the other.
    pub alternate: u64,
    /// Of the alternate keys, behind which the alternate values begin.
    pub alternate_keys: u64,
}

/// Bytes of an array that another one comes behind: all begin at multiples of 16 bytes.
pub(crate) const fn aligned(bytes: u64) -> u64 {
    bytes.next_multiple_of(16)
}

impl Scratch {
    /// The workspace, and alternate arrays for n keys and values, each aligned to 16 bytes.
    pub(crate) fn with_alternates(fields: &DeviceFields, n: u64, workspace: u64) -> Self {
        let alternate_keys = aligned(n * u64::from(fields.key.bytes()));
        let alternate = alternate_keys + n * u64::from(fields.value.bytes());
        Self { zeroed: 0, workspace, alternate, alternate_keys }
    }
}
