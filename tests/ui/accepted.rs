//! What the other programs do wrong, done right.

use sortsmith::cudarc::driver::CudaSlice;
use sortsmith::embedded::Bundle;
use sortsmith::{Array, ArrayMut, Backend, BinKey, Error, Segments, SortKey, Sorter};

fn array<T>(_: &impl Array<T>) {}
fn array_mut<T>(_: &mut impl ArrayMut<T>) {}
fn sort_key<K: SortKey>() {}
fn bin_key<K: BinKey>() {}

// SAFETY: it has no images.
static BUNDLE: Bundle = unsafe { Bundle::new("", &[]) };

fn slices(sorter: &Sorter, a: &mut CudaSlice<u32>, b: &mut CudaSlice<u32>) -> Result<(), Error> {
    array::<u32>(a);
    array_mut::<u32>(a);
    let view = a.slice(..1);
    array::<u32>(&view);
    sorter.sort::<u32>(a)?;
    sorter.sort_pairs::<u32, u32>(a, b)?;
    sorter.sort_into::<u32>(a, b)?;
    sorter.argsort_into::<u32>(a, b)?;
    drop(sorter.argsort::<u32>(a)?);
    sorter.sort_segments::<u32, u32>(a, Segments::from(&*b))
}

fn is_of_gpu(backend: &Backend, error: &Error) -> bool {
    let is_missing = match error {
        Error::NoDriver { .. } | Error::NoDevice { .. } => true,
        _ => false,
    };
    match backend {
        Backend::Host => false,
        Backend::Gpu { arch, .. } => *arch > 0 && !is_missing,
        _ => false,
    }
}

fn main() {
    sort_key::<f32>();
    bin_key::<u32>();
    let _ = (slices, is_of_gpu, &BUNDLE);
    let mut keys = vec![2u32, 1];
    let first = keys[0];
    Sorter::host().sort(&mut keys).unwrap();
    assert!(first != keys[0]);
}
