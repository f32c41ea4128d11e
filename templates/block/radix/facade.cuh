// sortsmith::BlockRadixSort, with the parameters and members of cub::BlockRadixSort.
//
// Stands for the sorts that were emitted with it, which the includes below name. A kernel written for CUB's class works
// with `cub::` changed to `sortsmith::`. KeyT may be a struct, with a decomposer. ValueT may be any trivially copyable type of 1, 2, 4, 8 or 16 bytes.
//
// Made by sortsmith {{ version }} from the template facade; to make it again, emit the same specs with --facade cub.
{% include "fragments/cpp_version.cuh" %}
#pragma once
{% for include in includes %}
#include "{{ include }}"
{%- endfor %}

// A compiler of the host alone finds the constants of the sorts, and not this class.
#if defined(__CUDACC__) || defined(SORTSMITH_EMULATOR)

namespace sortsmith {
inline namespace {{ version_namespace }} {
{% include "fragments/key_kinds.cuh" %}
{% include "fragments/decomposers.cuh" %}

#ifndef {{ facade_guard }}
#define {{ facade_guard }}

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
{%- let further_keys = "; and structs of these, with a decomposer, for which sorts were emitted with these parameters: --key u32+f32" %}
{%- let class = "BlockRadixSort" %}
{%- let command = "--facade cub --algorithm block-radix" %}
{%- let further_words = " --order both --out <a folder of its own, to be included too> --block <BLOCK_DIM_X>x<BLOCK_DIM_Y>x<BLOCK_DIM_Z> --items <ITEMS_PER_THREAD> --radix-bits <RADIX_BITS>, with the numbers that this error shows; --no-memoize if not MEMOIZE_OUTER_SCAN; --inner-scan for other scans" %}
{%- let positions = "" %}
{% include "fragments/emitting_command.cuh" %}

}  // namespace facade
#endif

namespace facade {
{%- for sort in sorts %}
#ifndef {{ sort.guard }}
#define {{ sort.guard }}
{%- if sort.any_scan %}
template <bool kMemoize, BlockScanAlgorithm kInnerScan>
struct Emitted<{{ sort.kind }}, {{ sort.value_bytes }}, {{ sort.block.x }}, {{ sort.block.y }}, {{ sort.block.z }}, {{ sort.items }}, {{ sort.radix_bits }}, kMemoize, kInnerScan, {{ sort.descending }}> {
{%- else %}
template <>
struct Emitted<{{ sort.kind }}, {{ sort.value_bytes }}, {{ sort.block.x }}, {{ sort.block.y }}, {{ sort.block.z }}, {{ sort.items }}, {{ sort.radix_bits }}, {{ sort.memoize }}, {{ sort.inner_scan }}, {{ sort.descending }}> {
{%- endif %}
  static constexpr bool kExists = true;
  using Sort = {{ sort.name }};
};
#endif
{% endfor %}
{%- for storage in storages %}
#ifndef {{ storage.guard }}
#define {{ storage.guard }}
template <{% if storage.any_scan %}bool kMemoize, BlockScanAlgorithm kInnerScan{% endif %}>
struct StructStorage<{{ storage.parameters }}> {
  static constexpr bool kExists = true;
  struct alignas(16) Type {
    unsigned char bytes[{{ storage.bytes }}];
  };
};
#endif
{% endfor %}
}  // namespace facade

#ifndef {{ facade_guard }}_CLASS
#define {{ facade_guard }}_CLASS
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
{% for member in members %}
  // {{ member.words }}
  __device__ __forceinline__ void {{ member.name }}(Keys& keys, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort<{{ member.descending }}, {{ member.to_striped }}>(keys, no_values, begin_bit, end_bit);
  }
  __device__ __forceinline__ void {{ member.name }}(Keys& keys, Values& values, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort<{{ member.descending }}, {{ member.to_striped }}>(keys, values, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void {{ member.name }}(Keys& keys, DecomposerT decomposer, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8) {
    static_assert(kKeysOnly, "a BlockRadixSort with a ValueT sorts keys with values");
    NullType no_values[1];
    sort_structs<{{ member.descending }}, {{ member.to_striped }}>(keys, no_values, decomposer, begin_bit, end_bit);
  }
  template <typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  __device__ __forceinline__ void {{ member.name }}(Keys& keys, Values& values, DecomposerT decomposer, int begin_bit = 0,
                                  int end_bit = sizeof(KeyT) * 8) {
    static_assert(!kKeysOnly, "a BlockRadixSort without a ValueT sorts keys alone");
    sort_structs<{{ member.descending }}, {{ member.to_striped }}>(keys, values, decomposer, begin_bit, end_bit);
  }
{% endfor %}
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
                  "types of the decomposer's fields, such as u32+f32>{{ further_words }}");
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

}  // namespace {{ version_namespace }}
}  // namespace sortsmith
#endif
