//! Keys of the oracle's bytes.

use sortsmith::SortKey;
use sortsmith_testkit::oracle;

/// Keys of the oracle's bytes.
pub fn keys_of<K: SortKey>(bytes: &[u8]) -> Vec<K> {
    let raw = |bytes: &[u8]| oracle::raw_bits(bytes);
    bytes.chunks_exact(size_of::<K>()).map(|bytes| from_raw(raw(bytes))).collect()
}

/// The key of these bits in memory.
fn from_raw<K: SortKey>(raw: u128) -> K {
    // From the ordered bits, the one constructor that all types share, found bit by bit: flipping an
    // ordered bit flips the same raw bit, and for floats all others with the sign.
    let bits = |raw: u128| num_traits::cast::<u128, K::Bits>(raw).expect("as wide as the key");
    let sign = 1u128 << (oracle::describe(K::KEY_TYPE).1 - 1);
    let low = oracle::low_mask(oracle::describe(K::KEY_TYPE).1);
    match oracle::describe(K::KEY_TYPE).0 {
        oracle::Class::Unsigned => K::from_ordered_bits(bits(raw)),
        oracle::Class::Float if raw & sign != 0 => K::from_ordered_bits(bits(raw ^ low)),
        _ => K::from_ordered_bits(bits(raw ^ sign)),
    }
}

/// Bits that tell keys apart, zeros of both signs and NaNs too.
pub fn bits_of<K: SortKey>(keys: &[K]) -> Vec<K::Bits> {
    keys.iter().map(|key| key.to_ordered_bits()).collect()
}
