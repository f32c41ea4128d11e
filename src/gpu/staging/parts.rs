//! Arrays of bytes that are read from several slices.

use std::ops::Range;

/// Slices of bytes, read as one array: one behind the other.
#[derive(Clone, Debug, Default)]
pub struct Parts<'a> {
    slices: Vec<&'a [u8]>,
    /// Where each slice ends in the array.
    ends: Vec<usize>,
}

impl<'a> FromIterator<&'a [u8]> for Parts<'a> {
    fn from_iter<I: IntoIterator<Item = &'a [u8]>>(slices: I) -> Self {
        let mut parts = Self::default();
        for slice in slices.into_iter().filter(|slice| !slice.is_empty()) {
            parts.ends.push(parts.bytes() + slice.len());
            parts.slices.push(slice);
        }
        parts
    }
}

impl<'a> Parts<'a> {
    /// The number of bytes.
    pub fn bytes(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The slices.
    pub fn slices(&self) -> &[&'a [u8]] {
        &self.slices
    }

    /// The parts of slices that make up a range of the array.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = &'a [u8]> {
        let first = self.ends.partition_point(|end| *end <= range.start);
        let slices = self.slices[first..].iter().zip(&self.ends[first..]);
        slices.map_while(move |(slice, end)| {
            let begin = end - slice.len();
            let from = range.start.max(begin) - begin;
            let to = range.end.min(*end).checked_sub(begin)?;
            (from < to).then(|| &slice[from..to])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_the_bytes_of_the_concatenation() {
        let bytes: Vec<u8> = (0..50).collect();
        let cuts = [0, 0, 7, 8, 8, 30, 50, 50];
        let slices = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]);
        let parts: Parts<'_> = slices.collect();
        assert!(parts.bytes() == 50 && parts.slices().len() == 4);
        for begin in 0..=50 {
            for end in begin..=50 {
                let found: Vec<&[u8]> = parts.range(begin..end).collect();
                assert!(found.iter().all(|part| !part.is_empty()));
                assert_eq!(found.concat(), bytes[begin..end], "{begin}..{end}");
            }
        }
        let none = Parts::default();
        assert!(none.bytes() == 0 && none.range(0..0).next().is_none());
    }
}
