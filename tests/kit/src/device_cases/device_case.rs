//! One case of a device-wide sort.

use sortsmith_codegen::device::{DeviceSpec, Launch};

use super::how::{Counted, How};
use crate::cases::{first_difference, unstable_difference};
use crate::emulator::Outcome;
use crate::inputs::Keys;
use crate::oracle;

/// One case, all but the order of threads.
#[derive(Clone, Debug)]
pub struct DeviceCase {
    /// The distribution of the keys.
    pub kind: Keys,
    /// How.
    pub how: How,
    /// Items.
    pub n: usize,
    /// The host's launches.
    pub launches: Vec<Launch>,
    /// The keys that go in.
    pub keys: Vec<u8>,
    /// The values that go in.
    pub values: Vec<u8>,
    /// The keys that must come out; none where they are not wanted.
    pub expected_keys: Vec<u8>,
    /// The values that must come out.
    pub expected_values: Vec<u8>,
    /// What goes wrong in this case, and in few others.
    pub shows: Option<&'static str>,
}

impl DeviceCase {
    /// The case with what it shows.
    pub(crate) fn showing(self, shows: impl Into<Option<&'static str>>) -> Self {
        Self { shows: shows.into(), ..self }
    }

    /// The defect of an outcome, if it has one.
    pub fn complaint(&self, spec: &DeviceSpec, outcome: &Outcome) -> Option<String> {
        outcome.complaint(|keys, values| self.difference(spec, keys, values))
    }

    /// Where the sorted arrays are other than they should be, if anywhere.
    pub fn difference(&self, spec: &DeviceSpec, keys: &[u8], values: &[u8]) -> Option<String> {
        let value_bytes = spec.value.bytes() as usize;
        if !spec.is_stable() {
            let expected = [&*self.expected_keys, &self.expected_values];
            let all = self.n.max(1);
            return unstable_difference(spec.key, value_bytes, all, [keys, values], expected);
        }
        // Structs have junk between fields.
        let [keys, expected] =
            [keys, &self.expected_keys].map(|keys| oracle::without_padding(spec.key, keys));
        first_difference("key", &keys, &expected, oracle::key_bytes(spec.key))
            .or_else(|| first_difference("value", values, &self.expected_values, value_bytes))
    }
}

impl std::fmt::Display for DeviceCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, how, n, shows, .. } = self;
        let How { bits, in_place, writes_keys, aligned, own, device, rows, gap, counted, .. } = how;
        let blocks_at_once = how.blocks_at_once;
        write!(f, "{n} {kind:?} keys, bits {}..{}", bits.start, bits.end)?;
        if (*rows, *gap) != (1, 0) {
            write!(f, ", {rows} rows, {gap} items between them")?;
        }
        if *counted != Counted::default() {
            write!(f, ", {counted:?}")?;
        }
        f.write_str(if *in_place { ", in place" } else { "" })?;
        f.write_str(if *writes_keys { "" } else { ", no keys wanted" })?;
        f.write_str(if *aligned { ", aligned" } else { "" })?;
        write!(f, "{own}, {device:?}, {blocks_at_once} blocks at once")?;
        shows.map_or(Ok(()), |shows| write!(f, ": shows {shows}"))
    }
}
