//! Sorts by passes over all items, from the lowest digit to the highest.
//!
//! The bits in which keys differ are found first. Where no key is special, passes take the stored bits as they are.

use num_traits::Zero;

use super::buckets::Moves;
use super::compare::Comparison;
use super::digits::{self, Passes};
use super::items::{Columns, Pairs, Sink, Source};
use super::lsd;
use crate::key::{KeyBits, SortKey};

impl<K: SortKey, V: Copy + Send + Sync> Moves<'_, K, V> {
    /// Sorts by passes alone, and returns true, if these take at most `max_bits`.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    pub(super) unsafe fn sort_by_passes(
        &self,
        from: impl Source<K::Bits, V>,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
        max_bits: u32,
    ) -> bool {
        // SAFETY: as the caller guarantees.
        unsafe {
            if let Some(varying) = digits::varying_stored(from, self.by) {
                let by = self.by.of_stored();
                return self.sort_by_passes_of(from, to, scratch, &by, (varying, max_bits));
            }
            // Not compiled for keys that are never special.
            if const { !K::HAS_NAN } {
                return false;
            }
            let varying = digits::varying(from, self.by);
            self.sort_by_passes_of(from, to, scratch, self.by, (varying, max_bits))
        }
    }

    /// The same for keys that differ in the bits `varying`, by a comparison of stored bits.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort`].
    unsafe fn sort_by_passes_of<C: SortKey<Bits = K::Bits>>(
        &self,
        from: impl Source<K::Bits, V>,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
        by: &Comparison<C>,
        (varying, max_bits): (K::Bits, u32),
    ) -> bool {
        // SAFETY: as the caller guarantees.
        unsafe {
            if varying.is_zero() {
                self.move_all(from, to);
                return true;
            }
            let passes = Passes::new(from, by, varying);
            if passes.bits > max_bits {
                return false;
            }
            let items = to.stored();
            let is_of_keys = const { size_of::<V>() == 0 } && !passes.is_partial && by.is_total();
            match *passes.digits() {
                [digit] if is_of_keys => {
                    lsd::fill(from, items, by, digit);
                    to.restore(self.by);
                    return true;
                }
                [lower, upper] => {
                    lsd::sort_by_two(from, scratch, items, by, [lower, upper]);
                    self.finish::<C, _, true>(items, to, scratch, by, &passes);
                    return true;
                }
                [lower, middle, upper] => {
                    lsd::sort_by_three(from, items, scratch, by, [lower, middle, upper]);
                }
                [digit, ..] => lsd::sort_by_digit(from, scratch, by, digit),
                [] => return false,
            }
            self.finish::<C, _, false>(scratch, to, scratch, by, &passes);
        }
        true
    }

    /// Sorts the items of a bucket by way of a spare buffer.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort_buckets`]. The spare buffer has as many slots, and nothing else accesses it.
    pub(super) unsafe fn sort_bucket_by_passes(
        &self,
        spare: Pairs<K::Bits, V>,
        to: Columns<K, V>,
        from: Pairs<K::Bits, V>,
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if let Some(varying) = digits::varying_stored(from, self.by) {
                return self.sort_bucket_by_passes_of(
                    spare,
                    to,
                    from,
                    &self.by.of_stored(),
                    varying,
                );
            }
            // Not compiled for keys that are never special.
            if const { K::HAS_NAN } {
                let varying = digits::varying(from, self.by);
                self.sort_bucket_by_passes_of(spare, to, from, self.by, varying);
            }
        }
    }

    /// The same for keys that differ in the bits `varying`, by a comparison of stored bits.
    ///
    /// # Safety
    ///
    /// As for [`Moves::sort_bucket_by_passes`].
    unsafe fn sort_bucket_by_passes_of<C: SortKey<Bits = K::Bits>>(
        &self,
        spare: Pairs<K::Bits, V>,
        to: Columns<K, V>,
        from: Pairs<K::Bits, V>,
        by: &Comparison<C>,
        varying: K::Bits,
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if varying.is_zero() {
                return self.move_all(from, to);
            }
            let passes = Passes::new(from, by, varying);
            // The caller's memory is written once and in order, because it is in no cache.
            let mut sorted = spare;
            match *passes.digits() {
                [lower, upper] => {
                    lsd::sort_by_two(from, spare, from, by, [lower, upper]);
                    sorted = from;
                }
                [lower, middle, upper] => {
                    lsd::sort_by_three(from, from, spare, by, [lower, middle, upper]);
                }
                [digit, ..] => lsd::sort_by_digit(from, spare, by, digit),
                [] => return,
            }
            self.finish::<C, _, false>(sorted, to, sorted, by, &passes);
        }
    }

    /// Moves items that passes have sorted, orders them by their lower bits too, and restores the keys.
    ///
    /// # Safety
    ///
    /// `from` holds items. `to` has as many slots, which are the same if the items are `IN_PLACE`, and do not overlap it otherwise.
    /// `scratch` has as many, and is `from` or overlaps neither. Nothing else accesses any.
    unsafe fn finish<C: SortKey<Bits = K::Bits>, S: Source<K::Bits, V>, const IN_PLACE: bool>(
        &self,
        from: S,
        to: Columns<K, V>,
        scratch: Pairs<K::Bits, V>,
        by: &Comparison<C>,
        passes: &Passes,
    ) {
        let items = to.stored();
        let upper = |bits: K::Bits| by.compared(bits) >> passes.lowest as usize;
        // SAFETY: items up to the slot are in `to`, and those behind it are still in `from`. The run is among them, and what `from`
        // holds of it is not read again.
        let sort_run = |slot: usize| unsafe {
            let run = upper(items.bits(slot));
            let mut begin = slot;
            while begin > 0 && upper(items.bits(begin - 1)) == run {
                begin -= 1;
            }
            let mut end = slot + 1;
            while end < from.length() && upper(from.bits(end)) == run {
                items.write(end, from.read(end));
                end += 1;
            }
            let (to, scratch) = (to.part(begin, end - begin), scratch.range(begin, end - begin));
            to.restore(self.by);
            self.sort_again(to, scratch);
            to.store(self.by);
            end
        };
        // SAFETY: as the caller guarantees.
        unsafe {
            if passes.is_partial {
                lsd::finish::<C, V, IN_PLACE>(from, items, by, &sort_run);
            } else if !IN_PLACE {
                move_items(from, items);
            }
            to.restore(self.by);
        }
    }
}

/// Moves items to other slots, or to the same ones.
///
/// # Safety
///
/// `from` holds items, `to` has as many slots, and nothing else accesses either.
pub(super) unsafe fn move_items<B: KeyBits, V: Copy + Send + Sync>(
    from: impl Source<B, V>,
    to: Columns<B, V>,
) {
    for slot in 0..from.length() {
        // SAFETY: as the caller guarantees; an item is read before it is written.
        unsafe { to.write(slot, from.read(slot)) };
    }
}
