
#ifndef {{ kinds.guard }}
#define {{ kinds.guard }}
namespace facade {

// The key types of sorts. C++ has several types of one size and sign; they share a sort. Structs have numbers beyond these.
enum class KeyKind : unsigned long long {
  {{ kinds.names }},
  kUnknown
};

template <typename Integer>
__host__ __device__ constexpr KeyKind integer_kind() {
  constexpr bool kSigned = static_cast<Integer>(-1) < static_cast<Integer>(0);
  return sizeof(Integer) == 1   ? (kSigned ? KeyKind::k_i8 : KeyKind::k_u8)
         : sizeof(Integer) == 2 ? (kSigned ? KeyKind::k_i16 : KeyKind::k_u16)
         : sizeof(Integer) == 4 ? (kSigned ? KeyKind::k_i32 : KeyKind::k_u32)
                                : (kSigned ? KeyKind::k_i64 : KeyKind::k_u64);
}

template <typename KeyT>
constexpr KeyKind kKindOf = KeyKind::kUnknown;
{%- for integer in kinds.integers %}
template <>
inline constexpr KeyKind kKindOf<{{ integer }}> = integer_kind<{{ integer }}>();
{%- endfor %}
#if defined(__SIZEOF_INT128__)
template <>
inline constexpr KeyKind kKindOf<__int128> = KeyKind::k_i128;
template <>
inline constexpr KeyKind kKindOf<unsigned __int128> = KeyKind::k_u128;
#endif
template <>
inline constexpr KeyKind kKindOf<bool> = KeyKind::k_bool;
template <>
inline constexpr KeyKind kKindOf<float> = KeyKind::k_f32;
template <>
inline constexpr KeyKind kKindOf<double> = KeyKind::k_f64;

template <typename ValueT>
constexpr int kValueBytes = sizeof(ValueT);
template <>
inline constexpr int kValueBytes<NullType> = 0;

}  // namespace facade
#endif
{%- for header in kinds.headers %}

// Keys of <{{ header.file }}>.
{%- for kind in header.kinds %}
#ifndef {{ kind.guard }}
#define {{ kind.guard }}
namespace facade {
template <>
inline constexpr KeyKind kKindOf<{{ kind.cuda }}> = KeyKind::{{ kind.kind }};
}  // namespace facade
#endif
{%- endfor %}
{%- endfor %}
