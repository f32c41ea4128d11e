
#ifndef {{ kinds.guard }}_STRUCTS
#define {{ kinds.guard }}_STRUCTS
// References to the fields of a key, which a decomposer may return where there is no cuda::std::tuple.
template <typename... Fields>
struct tuple {};
template <typename First, typename... Others>
struct tuple<First, Others...> {
  __host__ __device__ constexpr tuple(First first_field, Others... other_fields) : first(first_field), others(other_fields...) {}

  First first;
  tuple<Others...> others;
};

template <int kIndex, typename First, typename... Others>
__host__ __device__ constexpr auto& get(const tuple<First, Others...>& fields) {
  if constexpr (kIndex == 0) {
    return fields.first;
  } else {
    return get<kIndex - 1>(fields.others);
  }
}

namespace facade {

template <bool kIs>
struct EnableIf {};
template <>
struct EnableIf<true> {
  using Type = int;
};

template <typename To, typename From>
__device__ __forceinline__ void copy_bits(To& to, const From& from) {
  to = bits_as<To>(from);
}

// The kind of a struct of these fields.
template <typename... Fields>
__host__ __device__ constexpr KeyKind struct_kind() {
  unsigned long long kind = 0;
  ((kind = kind << 5 | (static_cast<unsigned long long>(kKindOf<Fields>) + 1)), ...);
  return static_cast<KeyKind>(kind << 8 | 0xff);
}

// How fields come to the keys of an emitted sort, and back.
template <KeyKind kKey>
struct StructKey;

// The fields that a decomposer returns.
template <typename Tuple>
struct FieldsOf {
  static constexpr int kCount = 0;
  static constexpr int kBytes = 0;
  static constexpr KeyKind kKind = KeyKind::kUnknown;
};
template <template <typename...> class Tuple, typename... Fields>
struct FieldsOf<Tuple<Fields&...>> {
  static constexpr int kCount = sizeof...(Fields);
  static constexpr int kBytes = (0 + ... + static_cast<int>(sizeof(Fields)));
  static constexpr KeyKind kKind = struct_kind<Fields...>();
};

// Stands for a member that is a key by itself.
struct AnyMember {
  template <typename Member, typename EnableIf<kKindOf<Member> != KeyKind::kUnknown>::Type = 0>
  __host__ __device__ constexpr operator Member() const;
};

template <typename KeyT>
__host__ __device__ void take(KeyT key);

// As an argument: nvcc 13.0 takes KeyT{Members{}...} of all of its members for an error.
template <typename KeyT, typename... Members>
__host__ __device__ constexpr auto is_made_of(int) -> decltype(take<KeyT>({Members{}...}), true) {
  return true;
}
template <typename KeyT, typename... Members>
__host__ __device__ constexpr bool is_made_of(...) {
  return false;
}

template <typename KeyT, int kCount, typename... Members>
__host__ __device__ constexpr bool has_members() {
  if constexpr (kCount > 0) {
    return has_members<KeyT, kCount - 1, Members..., AnyMember>();
  } else {
    return is_made_of<KeyT, Members...>(0) && !is_made_of<KeyT, Members..., AnyMember>(0);
  }
}

// Whether a key is its fields and padding, as far as a compiler can tell: nothing else would move with them.
template <typename KeyT, typename Fields>
__host__ __device__ constexpr bool is_all_fields() {
  if constexpr (sizeof(KeyT) == Fields::kBytes) {
    return true;
  } else if constexpr (__is_aggregate(KeyT)) {
    return has_members<KeyT, Fields::kCount>();
  } else {
    return false;
  }
}

}  // namespace facade
#endif
{%- for key in structs %}

#ifndef {{ key.guard }}
#define {{ key.guard }}
namespace facade {
template <>
struct StructKey<{{ key.kind }}> {
  template <typename Tuple>
  static __device__ __forceinline__ void load({{ key.name }}& key, const Tuple& fields) {
{%- for number in key.numbers %}
    copy_bits(key.field{{ number }}, get<{{ number }}>(fields));
{%- endfor %}
  }
  template <typename Tuple>
  static __device__ __forceinline__ void store(const {{ key.name }}& key, const Tuple& fields) {
{%- for number in key.numbers %}
    copy_bits(get<{{ number }}>(fields), key.field{{ number }});
{%- endfor %}
  }
};
}  // namespace facade
#endif
{%- endfor %}
