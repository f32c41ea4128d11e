// sortsmith::BlockRadixSort, with the parameters and members of cub::BlockRadixSort.
//
// Stands for the sorts that were emitted with it, which the includes below name. A kernel written for CUB's class works
// with `cub::` changed to `sortsmith::`. KeyT may be a struct, with a decomposer. ValueT may be any trivially copyable type of 1, 2, 4, 8 or 16 bytes.
//
// Made by sortsmith 0.1.0 from the template facade; to make it again, emit the same specs with --facade cub.
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#include "block_radix_sort_f32_u32_b256_i16_r6_asc.cuh"
#include "block_radix_sort_f32_u32_b256_i16_r6_desc.cuh"

// A compiler of the host alone finds the constants of the sorts, and not this class.
#if defined(__CUDACC__) || defined(SORTSMITH_EMULATOR)

namespace sortsmith {
inline namespace v0_1_0 {

#ifndef SORTSMITH_V0_1_0_FACADE_KINDS
#define SORTSMITH_V0_1_0_FACADE_KINDS
namespace facade {

// The key types of sorts. C++ has several types of one size and sign; they share a sort. Structs have numbers beyond these.
enum class KeyKind : unsigned long long {
  k_u8,
  k_u16,
  k_u32,
  k_u64,
  k_u128,
  k_i8,
  k_i16,
  k_i32,
  k_i64,
  k_i128,
  k_f16,
  k_bf16,
  k_f32,
  k_f64,
  k_f8e4m3,
  k_f8e5m2,
  k_bool,
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
template <>
inline constexpr KeyKind kKindOf<char> = integer_kind<char>();
template <>
inline constexpr KeyKind kKindOf<signed char> = integer_kind<signed char>();
template <>
inline constexpr KeyKind kKindOf<unsigned char> = integer_kind<unsigned char>();
template <>
inline constexpr KeyKind kKindOf<short> = integer_kind<short>();
template <>
inline constexpr KeyKind kKindOf<unsigned short> = integer_kind<unsigned short>();
template <>
inline constexpr KeyKind kKindOf<int> = integer_kind<int>();
template <>
inline constexpr KeyKind kKindOf<unsigned int> = integer_kind<unsigned int>();
template <>
inline constexpr KeyKind kKindOf<long> = integer_kind<long>();
template <>
inline constexpr KeyKind kKindOf<unsigned long> = integer_kind<unsigned long>();
template <>
inline constexpr KeyKind kKindOf<long long> = integer_kind<long long>();
template <>
inline constexpr KeyKind kKindOf<unsigned long long> = integer_kind<unsigned long long>();
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

#ifndef SORTSMITH_V0_1_0_FACADE_KINDS_STRUCTS
#define SORTSMITH_V0_1_0_FACADE_KINDS_STRUCTS
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

#ifndef SORTSMITH_V0_1_0_FACADE
#define SORTSMITH_V0_1_0_FACADE

// The scans of the counters that CUB has.
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace facade {

// The emitted sort of these parameters.
template <KeyKind kKey, int kValueBytes, int kBlockX, int kBlockY, int kBlockZ, int kItems, int kRadixBits, bool kMemoize,
          BlockScanAlgorithm kInnerScan, bool kDescending>
struct Emitted {
  static constexpr bool kExists = false;
  struct Sort {
    struct TempStorage {};
  };
};

// The storage of all sorts of structs that were emitted with these parameters: which of them it is depends on a call's decomposer.
template <int kValueBytes, int kBlockX, int kBlockY, int kBlockZ, int kItems, int kRadixBits, bool kMemoize, BlockScanAlgorithm kInnerScan>
struct StructStorage {
  static constexpr bool kExists = false;
  struct Type {};
};

// Does not compile where there is no sort: the error is the command that emits it.
template <KeyKind kKey, int kValueBytes, bool kExists>
struct EmittingCommand {
  static constexpr bool kIsNeeded = false;
};
#define SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, bytes, value)                    \
  static_assert(kKey != KeyKind::k_##key || kValueBytes != bytes, \
                "This BlockRadixSort has not been emitted; run: " \
                "sortsmith emit --facade cub --algorithm block-radix --key " #key " --value " value " --order both --out <a folder of its own, to be included too> --block <BLOCK_DIM_X>x<BLOCK_DIM_Y>x<BLOCK_DIM_Z> --items <ITEMS_PER_THREAD> --radix-bits <RADIX_BITS>, with the numbers that this error shows; --no-memoize if not MEMOIZE_OUTER_SCAN; --inner-scan for other scans");
#define SORTSMITH_V0_1_0_FACADE_KINDS_KEY(key)         \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 0, "keys")  \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 1, "u8")    \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 2, "u16")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 4, "u32")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 8, "u64")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 16, "u128")
template <KeyKind kKey, int kValueBytes>
struct EmittingCommand<kKey, kValueBytes, false> {
  static constexpr bool kIsNeeded = true;
  static_assert(kKey != KeyKind::kUnknown, "KeyT is no type of keys; legal: integers, floats and bool; and structs of these, with a decomposer, for which sorts were emitted with these parameters: --key u32+f32");
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u8)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u128)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i8)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i128)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(bf16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f8e4m3)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f8e5m2)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(bool)
};
#undef SORTSMITH_V0_1_0_FACADE_KINDS_KEY
#undef SORTSMITH_V0_1_0_FACADE_KINDS_VALUE

}  // namespace facade
#endif

namespace facade {
#ifndef SORTSMITH_V0_1_0_FACADE_BLOCK_RADIX_SORT_F32_U32_B256_I16_R6_ASC
#define SORTSMITH_V0_1_0_FACADE_BLOCK_RADIX_SORT_F32_U32_B256_I16_R6_ASC
template <>
struct Emitted<KeyKind::k_f32, 4, 256, 1, 1, 16, 6, true, BLOCK_SCAN_WARP_SCANS, false> {
  static constexpr bool kExists = true;
  using Sort = block_radix_sort_f32_u32_b256_i16_r6_asc;
};
#endif

#ifndef SORTSMITH_V0_1_0_FACADE_BLOCK_RADIX_SORT_F32_U32_B256_I16_R6_DESC
#define SORTSMITH_V0_1_0_FACADE_BLOCK_RADIX_SORT_F32_U32_B256_I16_R6_DESC
template <>
struct Emitted<KeyKind::k_f32, 4, 256, 1, 1, 16, 6, true, BLOCK_SCAN_WARP_SCANS, true> {
  static constexpr bool kExists = true;
  using Sort = block_radix_sort_f32_u32_b256_i16_r6_desc;
};
#endif

}  // namespace facade

#ifndef SORTSMITH_V0_1_0_FACADE_CLASS
#define SORTSMITH_V0_1_0_FACADE_CLASS
// SMEM_CONFIG is accepted and has no effect: shared memory has had banks of four bytes since Kepler.
template <typename KeyT, int BLOCK_DIM_X, int ITEMS_PER_THREAD, typename ValueT = NullType, int RADIX_BITS = 4,
          bool MEMOIZE_OUTER_SCAN = true, BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
          int SMEM_CONFIG = 1, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockRadixSort {
  template <facade::KeyKind kKey, bool kDescending>
  using EmittedOf = facade::Emitted<kKey, facade::kValueBytes<ValueT>, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z, ITEMS_PER_THREAD, RADIX_BITS,
                                    MEMOIZE_OUTER_SCAN, INNER_SCAN_ALGORITHM, kDescending>;
  template <bool kDescending>
  using Emitted = EmittedOf<facade::kKindOf<KeyT>, kDescending>;
  using Structs = facade::StructStorage<facade::kValueBytes<ValueT>, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z, ITEMS_PER_THREAD, RADIX_BITS,
                                        MEMOIZE_OUTER_SCAN, INNER_SCAN_ALGORITHM>;
  static constexpr bool kHasStructs = Structs::kExists && facade::kKindOf<KeyT> == facade::KeyKind::kUnknown;

  static constexpr bool kKeysOnly = facade::kValueBytes<ValueT> == 0;
  static_assert(kKeysOnly || sizeof(ValueT) == 1 || sizeof(ValueT) == 2 || sizeof(ValueT) == 4 || sizeof(ValueT) == 8 ||
                    sizeof(ValueT) == 16,
                "ValueT must have 1, 2, 4, 8 or 16 bytes");
  static_assert(__is_trivially_copyable(ValueT), "ValueT must be trivially copyable");
  using Command = facade::EmittingCommand<facade::kKindOf<KeyT>, facade::kValueBytes<ValueT>, kHasStructs || Emitted<false>::kExists || Emitted<true>::kExists>;
  static_assert(!Command::kIsNeeded, "the error above says the command");

  using Keys = KeyT[ITEMS_PER_THREAD];
  using Values = ValueT[ITEMS_PER_THREAD];

 public:
  // Shared by the block; may be used again after a barrier.
  struct TempStorage {
    union {
      typename Emitted<false>::Sort::TempStorage ascending;
      typename Emitted<true>::Sort::TempStorage descending;
      typename Structs::Type structs;
    };
  };

  // Sorts in static shared memory of the class's own, which all users of these template arguments in a kernel share.
  __device__ __forceinline__ BlockRadixSort() : storage_(private_storage()) {}

  __device__ __forceinline__ BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  // Ascending, from blocked to blocked arrangement.
  __device__ __forceinline__ void Sort(Keys& keys, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort<false, false>(keys, no_values, begin_bit, end_bit);
  }
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort<false, false>(keys, values, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void Sort(Keys& keys, DecomposerT decomposer, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort_structs<false, false>(keys, no_values, decomposer, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void Sort(Keys& keys, Values& values, DecomposerT decomposer, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort_structs<false, false>(keys, values, decomposer, begin_bit, end_bit);
  }

  // Descending, from blocked to blocked arrangement.
  __device__ __forceinline__ void SortDescending(Keys& keys, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort<true, false>(keys, no_values, begin_bit, end_bit);
  }
  __device__ __forceinline__ void SortDescending(Keys& keys, Values& values, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort<true, false>(keys, values, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void SortDescending(Keys& keys, DecomposerT decomposer, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort_structs<true, false>(keys, no_values, decomposer, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void SortDescending(Keys& keys, Values& values, DecomposerT decomposer, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort_structs<true, false>(keys, values, decomposer, begin_bit, end_bit);
  }

  // Ascending, from blocked to striped arrangement.
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort<false, true>(keys, no_values, begin_bit, end_bit);
  }
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort<false, true>(keys, values, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, DecomposerT decomposer, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort_structs<false, true>(keys, no_values, decomposer, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void SortBlockedToStriped(Keys& keys, Values& values, DecomposerT decomposer, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort_structs<false, true>(keys, values, decomposer, begin_bit, end_bit);
  }

  // Descending, from blocked to striped arrangement.
  __device__ __forceinline__ void SortDescendingBlockedToStriped(Keys& keys, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort<true, true>(keys, no_values, begin_bit, end_bit);
  }
  __device__ __forceinline__ void SortDescendingBlockedToStriped(Keys& keys, Values& values, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort<true, true>(keys, values, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void SortDescendingBlockedToStriped(Keys& keys, DecomposerT decomposer, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort_structs<true, true>(keys, no_values, decomposer, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void SortDescendingBlockedToStriped(Keys& keys, Values& values, DecomposerT decomposer, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort_structs<true, true>(keys, values, decomposer, begin_bit, end_bit);
  }

 private:
  static __device__ __forceinline__ TempStorage& private_storage() {
    static_assert(sizeof(TempStorage) <= 48 * 1024,
                  "this sort needs more than 48 KB: give it a TempStorage in dynamic shared memory");
    __shared__ TempStorage storage;
    return storage;
  }

  template <bool kDescending, bool kToStriped, typename AnyValues>
  __device__ __forceinline__ void sort(Keys& keys, AnyValues& values, int begin_bit, int end_bit) {
    static_assert(Emitted<kDescending>::kExists,
                  "this order has not been emitted: run the sortsmith emit command of these headers with --order both");
    using Sort = typename Emitted<kDescending>::Sort;
    typename Sort::Keys sort_keys;
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) sort_keys[i] = bits_as<typename Sort::Key>(keys[i]);
    sort_by<Sort, kToStriped>(sort_keys, values, begin_bit, end_bit);
#pragma unroll
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) keys[i] = bits_as<KeyT>(sort_keys[i]);
  }

  // By the fields to which a decomposer gives references, the first of which decides first. Bits are those of the fields, the last one lowest.
  template <bool kDescending, bool kToStriped, typename AnyValues, typename DecomposerT>
  __device__ __forceinline__ void sort_structs(Keys& keys, AnyValues& values, DecomposerT decomposer, int begin_bit, int end_bit) {
    using Fields = facade::FieldsOf<decltype(decomposer(keys[0]))>;
    static_assert(Fields::kCount >= 2, "a decomposer returns a tuple of references to two fields of its key or more");
    static_assert(facade::is_all_fields<KeyT, Fields>(),
                  "a decomposer gives each member of its key once: what it leaves out is a ValueT, which moves with the key");
    using Sorts = EmittedOf<Fields::kKind, kDescending>;
    static_assert(Sorts::kExists,
                  "no sort of these fields in this order has been emitted; run: sortsmith emit --facade cub --algorithm block-radix --key <the "
                  "types of the decomposer's fields, such as u32+f32> --order both --out <a folder of its own, to be included too> --block <BLOCK_DIM_X>x<BLOCK_DIM_Y>x<BLOCK_DIM_Z> --items <ITEMS_PER_THREAD> --radix-bits <RADIX_BITS>, with the numbers that this error shows; --no-memoize if not MEMOIZE_OUTER_SCAN; --inner-scan for other scans");
    if constexpr (Sorts::kExists) {
      using Sort = typename Sorts::Sort;
      static_assert(sizeof(typename Sort::TempStorage) <= sizeof(TempStorage),
                    "sorts of structs with these parameters were emitted with several facades: emit them with one");
      using StructKey = facade::StructKey<Fields::kKind>;
      typename Sort::Keys sort_keys;
#pragma unroll
      for (int i = 0; i < ITEMS_PER_THREAD; ++i) StructKey::load(sort_keys[i], decomposer(keys[i]));
      sort_by<Sort, kToStriped>(sort_keys, values, begin_bit, end_bit);
#pragma unroll
      for (int i = 0; i < ITEMS_PER_THREAD; ++i) StructKey::store(sort_keys[i], decomposer(keys[i]));
    }
  }

  template <typename Sort, bool kToStriped, typename AnyValues>
  __device__ __forceinline__ void sort_by(typename Sort::Keys& sort_keys, AnyValues& values, int begin_bit, int end_bit) {
    // CUB counts all bits of a bool, and of a key with padding; those that are none do not take part.
    if (end_bit > Sort::kKeyBits) end_bit = Sort::kKeyBits;
    if (begin_bit > end_bit) begin_bit = end_bit;
    Sort sorter(reinterpret_cast<typename Sort::TempStorage&>(storage_));
    if constexpr (kKeysOnly) {
      if constexpr (kToStriped) {
        sorter.SortBlockedToStriped(sort_keys, begin_bit, end_bit);
      } else {
        sorter.Sort(sort_keys, begin_bit, end_bit);
      }
    } else {
      typename Sort::Values sort_values;
#pragma unroll
      for (int i = 0; i < ITEMS_PER_THREAD; ++i) sort_values[i] = bits_as<typename Sort::Value>(values[i]);
      if constexpr (kToStriped) {
        sorter.SortBlockedToStriped(sort_keys, sort_values, begin_bit, end_bit);
      } else {
        sorter.Sort(sort_keys, sort_values, begin_bit, end_bit);
      }
#pragma unroll
      for (int i = 0; i < ITEMS_PER_THREAD; ++i) values[i] = bits_as<ValueT>(sort_values[i]);
    }
  }

  TempStorage& storage_;
};
#endif

}  // namespace v0_1_0
}  // namespace sortsmith
#endif
