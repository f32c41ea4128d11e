//! The types that can travel with keys.

use bytemuck::Pod;
use sortsmith_codegen::{ValueType, gather::GatherSpec};

/// A type that can travel with a key: any plain type ([`Pod`]) that threads may share, or `()`, which is nothing.
///
/// Values are moved bit for bit. A type of your own becomes one with bytemuck's derives:
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
/// #[repr(C)]
/// struct Particle {
///     cell: u32,
///     velocity: [f32; 2],
/// }
///
/// let mut keys = [2u16, 1];
/// let mut values = [
///     Particle { cell: 7, velocity: [1.0, 0.0] },
///     Particle { cell: 8, velocity: [0.5, 0.5] },
/// ];
/// sortsmith::sort_pairs(&mut keys, &mut values)?;
/// assert_eq!(values[0].cell, 8);
/// # Ok::<(), sortsmith::Error>(())
/// ```
///
/// Any size is legal. On a GPU values of 1, 2, 4, 8 or 16 bytes move with their keys. For those of another size, such as
/// these 12 bytes, positions move, and the values are gathered by them when the keys are sorted. [`Carried`] says what that
/// takes.
pub trait SortValue: Pod + Send + Sync {
    /// How such values get to where their keys go.
    const CARRIED: Carried;
}

/// How values get to where their keys go on a GPU. The result is the same.
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
    /// With the keys: the sort's kernels move values of this type. Those that lie at an address that is no multiple of their
    /// size, as a view of `[u8; 4]` may, are sorted by way of a copy.
    As(ValueType),
    /// Behind the keys: the sort makes positions, for up to 2³² keys, and then gathers the values by them. That takes
    /// scratch for the positions, and for a copy of the values where the sort itself takes less.
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

    /// What the sort's kernels move with each key.
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
