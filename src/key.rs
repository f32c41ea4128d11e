//! The types of keys.

use std::fmt;

use bytemuck::{Pod, Zeroable};
use half::{bf16, f16};
use num_traits::{PrimInt, Unsigned};
use paste::paste;
use sortsmith_codegen::KeyType;

mod sealed {
    pub trait Sealed {}
}

/// The types of ordered bits: the unsigned integers from `u8` to `u128`.
pub trait KeyBits:
    PrimInt + Unsigned + Pod + Send + Sync + fmt::Debug + fmt::LowerHex + sealed::Sealed
{
    /// Bits of the type.
    const WIDTH: u32;

    /// The lowest 16 bits.
    fn low_u16(self) -> u16;

    /// The lowest 32 bits.
    fn low_u32(self) -> u32;

    /// The lowest bits of a number, as many as the type has.
    fn of_u32(number: u32) -> Self;

    /// A hash of all bits, of which the upper ones are the better ones.
    fn hashed(self) -> u64;
}

macro_rules! key_bits {
    ($($bits:ty)*) => {$(
        impl KeyBits for $bits {
            const WIDTH: u32 = <$bits>::BITS;

            #[inline]
            fn low_u16(self) -> u16 {
                self as u16
            }

            #[inline]
            fn low_u32(self) -> u32 {
                self as u32
            }

            #[inline]
            fn of_u32(number: u32) -> Self {
                number as $bits
            }

            #[inline]
            fn hashed(self) -> u64 {
                let folded = self as u64 ^ (self as u128 >> 64) as u64;
                folded.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }
        }
    )*};
}

key_bits! { u8 u16 u32 u64 u128 }

/// A type of keys: the integers of 8 to 128 bits, `bool`, [`f16`](half::f16), [`bf16`], `f32` and
/// `f64`.
///
/// A key is compared by its *ordered bits*: an unsigned integer of the same size that orders as the
/// keys do. Unsigned keys are their own ordered bits; signed ones have their sign bit flipped; floats
/// have it flipped if it is clear, and all bits flipped if it is set.
///
/// ```
/// use sortsmith::SortKey;
///
/// assert_eq!((-1i8).to_ordered_bits(), 0x7f);
/// assert_eq!(1.0f32.to_ordered_bits(), 0xbf80_0000);
/// assert!((-1.0f32).to_ordered_bits() < (-0.0f32).to_ordered_bits());
/// assert_eq!(f64::from_ordered_bits((-2.5f64).to_ordered_bits()), -2.5);
/// ```
///
/// The trait is sealed: sorts rely on its implementations.
pub trait SortKey: Copy + Zeroable + Send + Sync + fmt::Debug + sealed::Sealed + 'static {
    /// The type of the ordered bits.
    type Bits: KeyBits + SortKey<Bits = Self::Bits>;

    /// The type's name in specs and kernels.
    const KEY_TYPE: KeyType;

    /// Whether some keys are not numbers.
    const HAS_NAN: bool = false;

    /// Whether keys are their own ordered bits.
    const IS_ORDERED_BITS: bool = false;

    /// The ordered bits, distinct for distinct keys: those of −0.0 are one less than those of +0.0.
    fn to_ordered_bits(self) -> Self::Bits;

    /// The key with these ordered bits. For `bool` only the lowest bit counts.
    fn from_ordered_bits(bits: Self::Bits) -> Self;

    /// The bits that sorts compare: the ordered bits, except that −0.0 has those of +0.0, so that zeros are equal.
    fn to_compared_bits(self) -> Self::Bits {
        self.to_ordered_bits()
    }

    /// Whether the key is not a number.
    fn is_nan_key(self) -> bool {
        false
    }
}

macro_rules! integer_keys {
    ($($width:literal)*) => { paste! {$(
        impl sealed::Sealed for [<u $width>] {}
        impl sealed::Sealed for [<i $width>] {}

        impl SortKey for [<u $width>] {
            type Bits = Self;
            const KEY_TYPE: KeyType = KeyType::[<U $width>];
            const IS_ORDERED_BITS: bool = true;

            #[inline]
            fn to_ordered_bits(self) -> Self::Bits {
                self
            }

            #[inline]
            fn from_ordered_bits(bits: Self::Bits) -> Self {
                bits
            }
        }

        impl SortKey for [<i $width>] {
            type Bits = [<u $width>];
            const KEY_TYPE: KeyType = KeyType::[<I $width>];

            #[inline]
            fn to_ordered_bits(self) -> Self::Bits {
                self.cast_unsigned() ^ (1 << ($width - 1))
            }

            #[inline]
            fn from_ordered_bits(bits: Self::Bits) -> Self {
                (bits ^ (1 << ($width - 1))).cast_signed()
            }
        }
    )*} };
}

integer_keys! { 8 16 32 64 128 }

macro_rules! float_keys {
    ($($float:ident $width:literal)*) => { paste! {$(
        impl sealed::Sealed for $float {}

        impl SortKey for $float {
            type Bits = [<u $width>];
            const KEY_TYPE: KeyType = KeyType::[<$float:camel>];
            const HAS_NAN: bool = true;

            #[inline]
            fn to_ordered_bits(self) -> Self::Bits {
                let bits = self.to_bits();
                // All ones for a negative number, else the sign bit alone.
                let negative = (bits.cast_signed() >> ($width - 1)).cast_unsigned();
                bits ^ (negative | 1 << ($width - 1))
            }

            #[inline]
            fn from_ordered_bits(bits: Self::Bits) -> Self {
                // Positive numbers have the ordered sign bit set.
                let negative = !(bits.cast_signed() >> ($width - 1)).cast_unsigned();
                Self::from_bits(bits ^ (negative | 1 << ($width - 1)))
            }

            #[inline]
            fn to_compared_bits(self) -> Self::Bits {
                let bits = self.to_ordered_bits();
                bits + Self::Bits::from(bits == [<u $width>]::MAX >> 1)
            }

            #[inline]
            fn is_nan_key(self) -> bool {
                // By integers, which the bits of the key are in already.
                self.to_bits() << 1 > Self::INFINITY.to_bits() << 1
            }
        }
    )*} };
}

float_keys! { f16 16 bf16 16 f32 32 f64 64 }

impl sealed::Sealed for bool {}

impl SortKey for bool {
    type Bits = u8;
    const KEY_TYPE: KeyType = KeyType::Bool;

    #[inline]
    fn to_ordered_bits(self) -> u8 {
        u8::from(self)
    }

    #[inline]
    fn from_ordered_bits(bits: u8) -> Self {
        bits & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks keys, given in ascending order.
    fn check<K: SortKey + PartialEq>(ascending: &[K]) {
        for pair in ascending.windows(2) {
            assert!(pair[0].to_ordered_bits() < pair[1].to_ordered_bits(), "{pair:?}");
        }
        for key in ascending {
            assert!(K::from_ordered_bits(key.to_ordered_bits()) == *key, "{key:?}");
        }
        assert_eq!(K::KEY_TYPE.bytes() as usize, size_of::<K>());
        assert_eq!(K::Bits::WIDTH, size_of::<K>() as u32 * 8);
    }

    macro_rules! check_integers {
        ($($integer:ty)*) => {$(
            check(&[<$integer>::MIN, <$integer>::MIN + 1, <$integer>::MAX / 2, <$integer>::MAX]);
        )*};
    }

    macro_rules! check_floats {
        ($($float:ident)*) => {$(
            let [least, one, infinity] =
                [$float::MIN_POSITIVE, $float::from_f32_exact(1.0), $float::INFINITY];
            check(&[-infinity, $float::MIN, -one, -least, $float::from_f32_exact(-0.0)]);
            check(&[$float::from_f32_exact(0.0), least, one, $float::MAX, infinity]);
            let [plus, minus] = [$float::from_f32_exact(0.0), $float::from_f32_exact(-0.0)];
            assert_eq!(minus.to_ordered_bits() + 1, plus.to_ordered_bits());
            assert_eq!(minus.to_compared_bits(), plus.to_compared_bits());
            assert_eq!(one.to_compared_bits(), one.to_ordered_bits());
            let nan = $float::NAN;
            assert!(nan.to_ordered_bits() > infinity.to_ordered_bits());
            assert!((-nan).to_ordered_bits() < (-infinity).to_ordered_bits());
            assert!(nan.is_nan_key() && (-nan).is_nan_key() && !infinity.is_nan_key());
        )*};
    }

    /// A common name for conversions that each float type names differently.
    trait FromF32 {
        fn from_f32_exact(number: f32) -> Self;
    }

    macro_rules! from_f32 {
        ($($float:ident $convert:expr;)*) => {$(
            impl FromF32 for $float {
                fn from_f32_exact(number: f32) -> Self {
                    $convert(number)
                }
            }
        )*};
    }

    from_f32! { f16 f16::from_f32; bf16 bf16::from_f32; f32 f32::from; f64 f64::from; }

    #[test]
    fn ordered_bits_order_as_the_keys_do() {
        check_integers! { u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }
        check_floats! { f16 bf16 f32 f64 }
        check(&[false, true]);
    }
}
