//! The types of values.

use bytemuck::Pod;
use sortsmith_codegen::{ValueType, gather::GatherSpec};

/// A type of values, which move with their keys: any plain type ([`Pod`]) that threads may share, or `()` for none.
///
/// Values are moved bit for bit. A type of your own becomes one with bytemuck's derives:
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// #[repr(C)]
/// struct Particle {
///     grid_cell: u32,
///     velocity: [f32; 2],
/// }
///
/// let mut keys = [2u16, 1];
/// let mut values = [
///     Particle { grid_cell: 7, velocity: [1.0, 0.0] },
///     Particle { grid_cell: 8, velocity: [0.5, 0.5] },
/// ];
/// sortsmith::sort_pairs(&mut keys, &mut values)?;
/// assert_eq!(values[0].grid_cell, 8);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// Any size is legal. On a GPU the kernels move values of 1, 2, 4, 8 or 16 bytes with their keys. For other sizes, such as the 12
/// bytes here, they move positions, and the values are gathered by these afterwards. [`Carried`] states the cost.
pub trait SortValue: Pod + Send + Sync {
    /// How values of this type follow their keys.
    const CARRIED: Carried;
}

/// How values follow their keys on a GPU. The result is the same.
///
/// ```
/// use sortsmith::device::{GatherSpec, ValueType};
/// use sortsmith::{Carried, SortValue};
///
/// assert_eq!(f32::CARRIED, Carried::As(ValueType::U32));
/// assert_eq!(<[f32; 3]>::CARRIED, Carried::ByPosition("gather_b12_w4".parse::<GatherSpec>()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Carried {
    /// The sort's kernels move them, as values of this type. A slice at an address that is not a multiple of the value's size, such
    /// as a view of `[u8; 4]`, is sorted by way of a copy.
    As(ValueType),
    /// The sort makes positions, for up to 2³² keys, and then gathers the values by them. This takes scratch for the positions, and
    /// for a copy of the values if the sort itself takes less.
    ByPosition(GatherSpec),
}

impl Carried {
    const fn of<T>() -> Self {
        match size_of::<T>() {
            0 => Self::As(ValueType::None),
            1 => Self::As(ValueType::U8),
            2 => Self::As(ValueType::U16),
            4 => Self::As(ValueType::U32),
            8 => Self::As(ValueType::U64),
            16 => Self::As(ValueType::U128),
            _ => match GatherSpec::of::<T>() {
                Some(spec) => Self::ByPosition(spec),
                None => panic!("a value has at most 2^30 bytes"),
            },
        }
    }

    /// The type that the sort's kernels move with each key.
    pub const fn moved(self) -> ValueType {
        match self {
            Self::As(value) => value,
            Self::ByPosition(_) => ValueType::Index,
        }
    }
}

impl<T: Pod + Send + Sync> SortValue for T {
    const CARRIED: Carried = Carried::of::<T>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_kernels_are_carried_as_they_are_and_the_others_by_position() {
        assert_eq!(<()>::CARRIED, Carried::As(ValueType::None));
        assert_eq!(<[u8; 16]>::CARRIED, Carried::As(ValueType::U128));
        for (carried, name) in [
            (<[u8; 3]>::CARRIED, "gather_b3_w1"),
            (<[u8; 32]>::CARRIED, "gather_b32_w1"),
            (<[f64; 3]>::CARRIED, "gather_b24_w8"),
            (<[u128; 4]>::CARRIED, "gather_b64_w16"),
        ] {
            let Carried::ByPosition(spec) = carried else { panic!("{carried:?}") };
            assert_eq!(spec.to_string(), name);
            assert_eq!(carried.moved(), ValueType::Index);
        }
    }
}
