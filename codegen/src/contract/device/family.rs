//! What a family of device-wide sorts has to say of its specs.

use std::ops::Range;

use super::arguments::Arguments;
use super::host::CppHost;
use super::launch::{Device, Kernel, KernelBlock, Launch};
use super::passes::Passes;
use super::scratch::Scratch;
use super::shape::{BuiltInRow, Grid, RowSpeed, Shape};
use super::spec::{DeviceFields, DeviceSpec, SharedBytes};
use crate::contract::arguments::ArgumentField;
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;

/// A header of a sort, by the name that its struct and its kernels have.
pub(crate) struct NamedHeader {
    pub name: String,
    pub text: String,
}

/// A family of device-wide sorts. A family is a type without fields in its folder, and a row of `device_families!`; its methods take
/// its own specs alone.
pub(crate) trait DeviceFamily: Sync {
    /// The shared memory of the blocks of these fields, or the first field that is not legal.
    fn check(&self, fields: &DeviceFields) -> Result<SharedBytes, DeviceSpecError>;

    /// Whether equal keys keep their input order.
    fn is_stable(&self, spec: &DeviceSpec) -> bool;

    /// The most items that the sort takes.
    fn max_items(&self, spec: &DeviceSpec) -> u64;

    /// All kernels of the header, with the shared memory that they have on the device if it has room for them.
    fn kernels(&self, spec: &DeviceSpec, device: Device) -> Vec<KernelBlock>;

    /// What the host launches for n items, of which there are some, in this order.
    fn launches(&self, spec: &DeviceSpec, n: u64, bits: Range<u32>, device: Device) -> Vec<Launch>;

    /// The same and the scratch as C++ for at most as many items, where a header may have a host's part of such a sort.
    fn cpp_host(&self, _: &DeviceSpec, _most: u64) -> Option<CppHost> {
        None
    }

    /// Headers of sorts of the same items, each with the most items that it is used for and the fewest first: the last one has the
    /// [`shared_kernels`](Self::shared_kernels) of all. None where they are not to share any.
    fn sharing_headers(
        &self,
        _: &[(u64, DeviceSpec)],
    ) -> Option<Result<Vec<NamedHeader>, RenderError>> {
        None
    }

    /// The kernels that several sorts can share.
    fn shared_kernels(&self) -> &'static [Kernel] {
        &[]
    }

    /// What these launches of a sort of n items use beside the arrays.
    fn scratch(&self, spec: &DeviceSpec, n: u64, launches: &[Launch]) -> Scratch;

    /// Lengths up to n, of which one takes the most scratch of all lengths up to n.
    fn scratch_peaks(&self, _: &DeviceSpec, n: u64, _: Range<u32>, _: Device) -> Vec<u64> {
        vec![n]
    }

    /// The arguments that only this family's kernels read, by their offsets in [`Arguments::own`].
    fn own_arguments(&self) -> &'static [ArgumentField] {
        &[]
    }

    /// Sets the arguments that only this family's kernels read. The others are set.
    fn complete(&self, _: &DeviceSpec, _: Device, _: &mut Arguments) {}

    /// Sets the seed of the positions of samples, where it is one of these arguments. The result of a sort is the same for all seeds.
    fn set_seed(&self, _: &mut Arguments, _seed: u32) {}

    /// How these launches of a sort by a range of bits go over the items.
    fn passes(&self, spec: &DeviceSpec, launches: &[Launch], bits: Range<u32>) -> Passes;

    /// Whether the argument of launches that have one is the seed of the positions of samples.
    fn takes_seed(&self) -> bool {
        false
    }

    /// Whether a sort may be by some of the bits.
    fn takes_bits(&self) -> bool {
        true
    }

    /// Whether the sort is of the rows of a matrix: the launches are those of one row, the blocks of each further one have the next number
    /// along y, and what a row has of scratch lies behind that of the row before.
    fn sorts_rows(&self, _: &DeviceSpec) -> bool {
        false
    }

    /// Whether items of rows move by way of alternate arrays, of a family that sorts such.
    fn rows_take_alternates(&self) -> bool {
        true
    }

    /// The shapes for the rows of a matrix, where the family sorts such; the first that fits is used.
    fn row_shapes(&self) -> &'static [Shape] {
        &[]
    }

    /// How fast it is by such a shape.
    fn row_speed(&self, _: &DeviceSpec) -> Option<RowSpeed> {
        None
    }

    /// The shapes that are chosen because they were measured to be fast; the first that fits counts.
    fn rows(&self) -> &'static [BuiltInRow] {
        &[]
    }

    /// The shapes that a search tries; none where the family is not chosen because it is fast.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The spec of these fields that the device has the shared memory for, or of a smaller tile, where the family has such.
    fn fitting(&self, fields: DeviceFields, device: Device) -> Option<DeviceSpec> {
        fitting(self, fields, device)
    }

    /// The header, with the templates' markers.
    fn marked_header(&self, spec: &DeviceSpec) -> Result<String, RenderError>;
}

/// The spec of these fields, if they are legal and the device has the shared memory for it.
pub(crate) fn fitting<F: DeviceFamily + ?Sized>(
    family: &F,
    fields: DeviceFields,
    device: Device,
) -> Option<DeviceSpec> {
    let shared = family.check(&fields).ok()?;
    (shared.most() <= device.shared_bytes_per_block).then(|| DeviceSpec::of_legal(fields, shared))
}

/// The template engine's text, with the last newline that it leaves out.
pub(crate) fn finished(
    spec: &DeviceSpec,
    text: askama::Result<String>,
) -> Result<String, RenderError> {
    text.map(|text| text + "\n")
        .map_err(|source| RenderError::Device { name: spec.to_string(), source })
}
