//! The types that can travel with keys.

use bytemuck::Pod;
use sortsmith_codegen::ValueType;

/// A type that can travel with a key: any plain type ([`Pod`]) of 1, 2, 4, 8 or 16 bytes, or `()`, which is nothing.
///
/// Values are moved bit for bit. A type of your own becomes one with bytemuck's derives:
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// #[repr(C)]
/// struct Particle {
///     cell: u32,
///     mass: f32,
/// }
///
/// let mut keys = [2u16, 1];
/// let mut values = [Particle { cell: 7, mass: 1.0 }, Particle { cell: 8, mass: 0.5 }];
/// sortsmith::sort_pairs(&mut keys, &mut values)?;
/// assert_eq!(values[0].cell, 8);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// Another size does not compile. Sort indices or references of such values instead, with
/// [`argsort`](crate::argsort) or with `u32` values:
///
/// ```compile_fail
/// sortsmith::sort_pairs(&mut [2u16, 1], &mut [[0u8; 3], [1u8; 3]]);
/// ```
pub trait SortValue: Pod + Send + Sync {
    /// The type's name in specs and kernels.
    const VALUE_TYPE: ValueType;
}

impl<T: Pod + Send + Sync> SortValue for T {
    const VALUE_TYPE: ValueType = match size_of::<T>() {
        0 => ValueType::None,
        1 => ValueType::U8,
        2 => ValueType::U16,
        4 => ValueType::U32,
        8 => ValueType::U64,
        16 => ValueType::U128,
        _ => panic!("a value must have 1, 2, 4, 8 or 16 bytes, or none"),
    };
}
