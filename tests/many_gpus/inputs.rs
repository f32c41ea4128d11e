//! Keys that lie on devices.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DeviceRepr};
use rayon::prelude::*;
use sortsmith::SortKey;

/// How keys are distributed, by a number of 64 random bits and the slot among all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    Random,
    Sorted,
    Reversed,
    Zipf,
    Equal,
}

impl Input {
    pub fn bits(self, index: u64, all: u64) -> u64 {
        let random = mixed(index);
        match self {
            Self::Random => random,
            Self::Sorted => ((u128::from(index) << 64) / u128::from(all)) as u64 | random >> 40,
            Self::Reversed => {
                !(((u128::from(index) << 64) / u128::from(all)) as u64 | random >> 40)
            }
            Self::Zipf => {
                let unit = (random >> 11) as f64 / (1u64 << 53) as f64;
                ((20.0 * unit).exp2() as u64) << 32
            }
            Self::Equal => 7 << 40,
        }
    }
}

pub fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

pub trait Timed: SortKey + DeviceRepr + Default + PartialOrd {
    fn of(bits: u64) -> Self;
}

impl Timed for u32 {
    fn of(bits: u64) -> Self {
        (bits >> 32) as Self
    }
}

impl Timed for f32 {
    /// Any but NaNs.
    fn of(bits: u64) -> Self {
        let key = Self::from_bits((bits >> 32) as u32);
        if key.is_nan() { 1.0 } else { key }
    }
}

impl Timed for u64 {
    fn of(bits: u64) -> Self {
        bits
    }
}

/// Items on a device from the one of this number on.
pub fn filled<K: Timed>(
    stream: &Arc<CudaStream>,
    input: Input,
    first: u64,
    n: usize,
    all: u64,
) -> CudaSlice<K> {
    const CHUNK: usize = 1 << 26;
    let mut slice = unset::<K>(stream, n);
    let mut chunk = vec![K::default(); CHUNK.min(n)];
    for begin in (0..n).step_by(CHUNK) {
        let items = CHUNK.min(n - begin);
        let at = first + begin as u64;
        let set =
            |(number, key): (usize, &mut K)| *key = K::of(input.bits(at + number as u64, all));
        chunk[..items].par_iter_mut().with_min_len(1 << 14).enumerate().for_each(set);
        stream.memcpy_htod(&chunk[..items], &mut slice.slice_mut(begin..begin + items)).unwrap();
    }
    stream.synchronize().unwrap();
    slice
}

/// Memory of unspecified content, which is written before it is read.
pub fn unset<T: DeviceRepr>(stream: &Arc<CudaStream>, n: usize) -> CudaSlice<T> {
    // SAFETY: all bits are items of the types that are timed.
    unsafe { stream.alloc::<T>(n) }.unwrap()
}
