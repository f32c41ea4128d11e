//! The dispatch to the families of device-wide sorts, by the table `device_families!` of the folder.

use std::ops::Range;
use std::str::FromStr;

use crate::contract::arguments::ArgumentField;
use crate::contract::device::algorithm::DeviceAlgorithm;
use crate::contract::device::arguments::{self, Arguments};
use crate::contract::device::family::{DeviceFamily, NamedHeader};
use crate::contract::device::host::{CppHost, HostScratch, Number};
use crate::contract::device::launch::{Device, Kernel, KernelBlock, Launch};
use crate::contract::device::name;
use crate::contract::device::passes::Passes;
use crate::contract::device::scratch::Scratch;
use crate::contract::device::shape::RowSpeed;
use crate::contract::device::spec::{DeviceFields, DeviceSpec};
use crate::contract::family::Source;
use crate::contract::named::{self, NamedError};
use crate::contract::render::RenderError;
use crate::contract::validate::DeviceSpecError;
use crate::text::markers;

macro_rules! family_types {
    ($(
        $(#[$doc:meta])*
        $variant:ident $({ $($(#[$option_doc:meta])* $option:ident,)* })? $name:ident $word:literal $($path:ident)::+;
    )*) => {
        /// What answers for the sorts of an algorithm.
        pub(super) fn family(algorithm: DeviceAlgorithm) -> &'static dyn DeviceFamily {
            match algorithm {
                $(DeviceAlgorithm::$variant { .. } => &crate::$($path)::+,)*
            }
        }
    };
}
crate::device_families!(family_types);

impl DeviceAlgorithm {
    /// Whether such a sort may be by some of the bits of its keys.
    pub fn takes_bits(self) -> bool {
        family(self).takes_bits()
    }
}

impl DeviceFields {
    /// The fields as a spec, or the first field that is not legal.
    pub fn validate(self) -> Result<DeviceSpec, DeviceSpecError> {
        let shared = family(self.algorithm).check(&self)?;
        Ok(DeviceSpec::of_legal(self, shared))
    }
}

impl FromStr for DeviceSpec {
    type Err = NamedError;

    fn from_str(name: &str) -> Result<Self, NamedError> {
        named::parse(name, name::grammar, name::fields, DeviceFields::validate)
    }
}

impl DeviceSpec {
    /// Whether equal keys keep their input order. Where keys alone are sorted by a network, zeros of both signs may
    /// not.
    pub fn is_stable(&self) -> bool {
        family(self.algorithm).is_stable(self)
    }

    /// The most items that the sort takes.
    pub fn max_items(&self) -> u64 {
        family(self.algorithm).max_items(self)
    }

    /// All kernels of the header, with the shared memory that a block of them has on the device; some may need more than it has,
    /// and are not launched there.
    pub fn kernels(&self, device: Device) -> Vec<KernelBlock> {
        family(self.algorithm).kernels(self, device)
    }

    /// What the host launches, in this order, for n items. None for no items.
    ///
    /// Code of [`FIRST_WAITING_ARCH`](super::FIRST_WAITING_ARCH) or a later architecture may be launched before the launch before
    /// it has ended, all but the first.
    pub fn launches(&self, n: u64, bits: Range<u32>, device: Device) -> Vec<Launch> {
        if n == 0 {
            return Vec::new();
        }
        family(self.algorithm).launches(self, n, bits, device)
    }

    /// What a C++ host does for such a sort of at most as many items, where a header may have it.
    pub(crate) fn cpp_host(&self, most: u64) -> Option<CppHost> {
        family(self.algorithm).cpp_host(self, most)
    }

    /// The kernels that sorts of its family can share.
    pub(crate) fn shared_kernels(&self) -> &'static [Kernel] {
        family(self.algorithm).shared_kernels()
    }

    /// Whether its launches take a seed, and its arguments a counter of sorts.
    pub fn takes_seed(&self) -> bool {
        family(self.algorithm).takes_seed()
    }

    /// What a sort of n items takes beside its arrays, by its launches; nothing where there are none.
    ///
    /// ```
    /// use sortsmith_codegen::device::{Device, DeviceSpec};
    ///
    /// let h200 = Device { multiprocessors: 132, shared_bytes_per_block: 227 * 1024 };
    /// let of = |name: &str, bits| {
    ///     let spec: DeviceSpec = name.parse().unwrap();
    ///     spec.scratch(1 << 24, &spec.launches(1 << 24, 0..bits, h200))
    /// };
    /// // Room for all keys and values once more.
    /// assert_eq!(of("device_radix_sort_f32_u32_b384_i24_asc", 32).alternate, 8 << 24);
    /// // Keys of 8 bits are counted, and written anew.
    /// assert_eq!(of("device_radix_sort_u8_keys_b384_i32_asc", 8).alternate, 0);
    /// assert_eq!(of("device_radix_sort_u8_keys_b384_i32_asc", 7).alternate, 1 << 24);
    /// ```
    pub fn scratch(&self, n: u64, launches: &[Launch]) -> Scratch {
        if launches.is_empty() {
            return Scratch::default();
        }
        family(self.algorithm).scratch(self, n, launches)
    }

    /// Lengths up to n, of which one takes the most scratch of all lengths up to n.
    pub fn scratch_peaks(&self, n: u64, bits: Range<u32>, device: Device) -> Vec<u64> {
        family(self.algorithm).scratch_peaks(self, n, bits, device)
    }

    /// Whether the sort is of the rows of a matrix: all launches have as many blocks along y as there are rows.
    pub fn sorts_rows(&self) -> bool {
        family(self.algorithm).sorts_rows(self)
    }

    /// How fast a sort of many rows is, as their columns grow; none where it sorts no rows.
    pub(crate) fn row_speed(&self) -> Option<RowSpeed> {
        family(self.algorithm).row_speed(self)
    }

    /// What a sort of rows of n items takes beside its arrays, by its launches.
    pub fn scratch_of_rows(&self, rows: u64, n: u64, launches: &[Launch]) -> Scratch {
        let Scratch { zeroed, workspace, alternate, alternate_keys } = self.scratch(n, launches);
        let of_row = HostScratch { zeroed, workspace, alternate, alternate_keys };
        self.host_scratch_of_rows(of_row, rows, n).into()
    }

    /// The same, by what one row takes.
    pub(crate) fn host_scratch_of_rows<N: Number>(
        &self,
        of_row: HostScratch<N>,
        rows: N,
        n: N,
    ) -> HostScratch<N> {
        let workspace = rows.clone().times(of_row.workspace);
        let takes_alternates = family(self.algorithm).rows_take_alternates();
        let items = if takes_alternates { rows.times(n) } else { N::known(0) };
        let bytes_of = |bytes: u32| items.clone().times(N::known(bytes.into()));
        let alternate_keys = bytes_of(self.key.bytes()).next_multiple_of(16);
        HostScratch {
            zeroed: N::known(0),
            workspace,
            alternate: alternate_keys.clone().plus(bytes_of(self.value.bytes())),
            alternate_keys,
        }
    }

    /// The arguments with those that only kernels of this sort's family read. The arrays, their length, the bits and whether keys are
    /// written are set already, and the arrays of the result are those of the launches. The seed says which positions are sampled, where
    /// some are and kernels get it by their arguments; the result is the same for all.
    pub fn complete(&self, device: Device, seed: u32, mut arguments: Arguments) -> Arguments {
        family(self.algorithm).complete(self, device, &mut arguments);
        family(self.algorithm).set_seed(&mut arguments, seed);
        arguments
    }

    /// What the header's `Arguments` has, where it is read: those of [`Arguments`], with the family's own by their names.
    pub fn argument_fields(&self) -> Vec<ArgumentField> {
        arguments::fields(family(self.algorithm).own_arguments(), self.counted)
    }

    /// The same sort of as many items, or rows, as a number in the device's memory says; none where the host has to know how many there
    /// are.
    ///
    /// ```
    /// use sortsmith_codegen::device::DeviceSpec;
    ///
    /// let counted = |name: &str| name.parse::<DeviceSpec>().unwrap().with_count();
    /// let sort = counted("device_radix_sort_u32_keys_b384_i32_asc").unwrap();
    /// assert_eq!(sort.to_string(), "device_radix_sort_u32_keys_b384_i32_asc_counted");
    /// assert_eq!(counted("device_bitonic_sort_u32_keys_b512_i16_asc"), None);
    /// ```
    #[must_use]
    pub fn with_count(&self) -> Option<Self> {
        DeviceFields { counted: true, ..self.fields() }.validate().ok()
    }

    /// How these launches of a sort by a range of bits go over the items.
    pub fn passes(&self, launches: &[Launch], bits: Range<u32>) -> Passes {
        family(self.algorithm).passes(self, launches, bits)
    }
}

/// The header of a device-wide sort: self-contained CUDA with all of its kernels.
pub fn header(spec: &DeviceSpec) -> Result<String, RenderError> {
    marked_header(spec).map(|text| markers::strip(&text))
}

/// The headers of sorts of one family, the last of which has the kernels that they share; see [`DeviceFamily::sharing_headers`].
pub(crate) fn sharing_headers(
    sorts: &[(u64, DeviceSpec)],
) -> Option<Result<Vec<NamedHeader>, RenderError>> {
    let (_, last) = sorts.last()?;
    let headers = family(last.algorithm).sharing_headers(sorts)?;
    let stripped = |it: NamedHeader| NamedHeader { text: markers::strip(&it.text), ..it };
    Some(headers.map(|headers| headers.into_iter().map(stripped).collect()))
}

/// The header with the templates' [`markers`].
#[doc(hidden)]
pub fn marked_header(spec: &DeviceSpec) -> Result<String, RenderError> {
    family(spec.algorithm).marked_header(spec)
}

impl Source for DeviceSpec {
    fn source(&self) -> Result<String, RenderError> {
        header(self)
    }

    fn cuda_header(&self) -> Option<&'static str> {
        self.key.info().header
    }

    fn shared_bytes(&self) -> u32 {
        Self::shared_bytes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::KeyType;

    #[test]
    fn names_say_what_does_not_fit() {
        for (name, part) in [
            (
                "block_radix_sort_u32_keys_b256_i8_r4_asc",
                "block_radix_sort_u32_keys_b256_i8_r4_asc",
            ),
            ("device_radix_sort_u33_keys_b256_i8_asc", "u33"),
            ("device_radix_sort_u32_keys_b0256_i8_asc", "b0256"),
            ("device_radix_sort_u32_keys_b256_i+8_asc", "i+8"),
            ("device_radix_sort_u32_keys_b256_i8", ""),
            ("device_radix_sort_f32_keys_b256_i8_asc_wide_nanlast", "nanlast"),
        ] {
            assert_eq!(named::misfit::<DeviceSpec>(name), part);
        }
        let error = "device_radix_sort_u32_keys_b100_i8_asc".parse::<DeviceSpec>();
        assert!(matches!(error, Err(NamedError::Invalid { .. })), "{error:?}");
    }

    #[test]
    fn what_is_not_legal_is_named() {
        let fields =
            "device_radix_sort_u32_keys_b256_i8_asc".parse::<DeviceSpec>().expect("legal").fields();
        let error = |fields: DeviceFields| fields.validate().expect_err("not legal").to_string();
        assert_eq!(
            error(DeviceFields { threads: 200, ..fields }),
            "threads = 200 is not legal; legal: a multiple of 32 from 256 to 1024"
        );
        assert_eq!(
            error(DeviceFields { items: 0, ..fields }),
            "items = 0 is not legal; legal: 1 to 64"
        );
        assert!(error(DeviceFields { nan_last: true, ..fields }).starts_with("nanlast = true"));
        assert!(
            error(DeviceFields { key: KeyType::U128, items: 64, ..fields }).starts_with("tile")
        );
    }

    #[test]
    fn radix_and_sample_sorts_take_structs_and_others_say_so() {
        for name in [
            "device_radix_sort_u32f32u8_u32_b384_i14_asc",
            "device_sample_sort_i64u32_keys_b512_i4_desc",
        ] {
            assert_eq!(
                name.parse::<DeviceSpec>().map(|spec| spec.to_string()),
                Ok(name.to_owned())
            );
        }
        for name in [
            "device_bitonic_sort_u32f32_keys_b64_i1_asc",
            "device_partition_sort_u32f32_keys_b64_i1_asc",
            "device_counting_sort_u8u8_keys_b64_i8_asc",
            "device_sample_sort_u32f32_keys_b64_i1_asc_rows",
            "device_radix_sort_u32f32_keys_b256_i1_asc_nanlast",
        ] {
            let error = name.parse::<DeviceSpec>().expect_err(name).to_string();
            let legal = if name.ends_with("nanlast") {
                "for floats only"
            } else {
                "a key that is no struct"
            };
            assert!(error.contains(legal), "{error}");
        }
    }
}
