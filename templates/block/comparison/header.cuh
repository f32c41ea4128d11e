// {{ name }}
//
// {{ title }}: a block of {{ threads }} threads sorts a tile of {{ tile_items }} items {% if merges_by_path %}by
// merging: each {% if shuffles %}warp{% else %}thread{% endif %} sorts its own items by a network, and runs are merged in shared memory. {% else %}by a
// network of comparisons, in registers, {% if shuffles %}by shuffles {% endif %}and in shared memory. {% endif %}{% if stable %}Stable: equal keys keep their input order.{% else %}Not stable: equal keys come out in any order.{% endif %}
{%- if key.is_float %}
//
// Keys order by sign and magnitude. {% if zeros_are_equal %}-0.0 and +0.0 are equal.{% else %}-0.0 is less than +0.0.{% endif %} NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
{%- endif %}
{%- if makes_positions %}
//
// No values are read. The sort makes them: each key's position in the tile's input order.
{%- endif %}
{%- if fetches_values %}
//
// A value does not move with its key. Its source position does, and the value itself moves once, at the end.
{%- endif %}
//
// In a kernel of {{ threads }} threads, with Keys an array of {{ items }} keys{% if has_values %} and Values one of {{ items }} {% if makes_positions %}positions{% else %}values{% endif %}{% endif %}:
//   using Sort = sortsmith::{{ name }};
{%- if needs_dynamic %}
//   extern __shared__ __align__(16) unsigned char shared[];  // of Sort::kSharedBytes, more than may be static
//   auto& storage = *reinterpret_cast<Sort::TempStorage*>(shared);
{%- else %}
//   __shared__ Sort::TempStorage storage;
{%- endif %}
//   Sort(storage).Sort(keys{% if has_values %}, {% if makes_positions %}positions{% else %}values{% endif %}{% endif %});
//
// Made by sortsmith {{ version }} from the template block_comparison_sort; to make it again:
//   sortsmith emit --name {{ name }}{% if tile_kernel %} --tile-kernel{% endif %} --out .
{% include "fragments/parts.cuh" %}
#ifndef {{ struct_guard }}
#define {{ struct_guard }}
namespace sortsmith {
inline namespace {{ version_namespace }} {

struct {{ name }} {
  using Key = {{ key.cuda }};
  using Value = {{ value }};

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = {{ block.x }};
  static constexpr int kBlockY = {{ block.y }};
  static constexpr int kBlockZ = {{ block.z }};
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr bool kStable = {{ stable }};
  static constexpr bool kDescending = {{ key.descending }};
  static constexpr bool kHasValues = {{ has_values }};
  static constexpr bool kIndexValues = {{ makes_positions }};
  static constexpr Arrangement kInput = Arrangement::{{ input }};
  static constexpr Arrangement kOutput = Arrangement::{{ output }};
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};

  // One thread's items.
  using Keys = Key[kItemsPerThread];
{%- if has_values %}
  using Values = Value[kItemsPerThread];
{%- endif %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- if zeros_are_equal %}
{%- include "fragments/compared_bits.cuh" %}
{%- endif %}

{% if compares_truncated_keys %}{% include "block/comparison/truncated_words.cuh" %}{% else if words.are_packed_pairs %}{% include "block/comparison/packed_pairs.cuh" %}{% else %}{% include "fragments/words.cuh" %}{% endif %}
{%- if fetches_values %}

  // Values are fetched a word at a time.
  static constexpr int kValueWords = {{ fetched_words }};
{%- endif %}

 public:
{%- if compares_truncated_keys %}
  // The tile's words; its keys and values by their positions in the input; and each warp's minimum and maximum of the keys.
{%- else %}
  // The tile's words, part by part.
{%- endif %}
  struct TempStorage {
    {% if gap > 0 %}alignas(8) {% endif %}unsigned int words[kWordParts][{{ slots }}];
{%- if compares_truncated_keys %}
    Bits keys[{{ slots }}];
    unsigned int values[{{ slots }}];
    Bits min_bits[{{ warps }}];
    Bits max_bits[{{ warps }}];
{%- endif %}
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ {{ name }}(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)){% if shuffles %}, lane_(thread_ % kLanes){% endif %} {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards.
{% for entry in entries %}
  // {{ entry.words }}
{%- for call in entry.calls %}
  __device__ __forceinline__ void {{ entry.name }}(Keys& keys{% if has_values %}, Values& values{% endif %}{{ call.parameters }}) {
    sort<Arrangement::{{ input }}, Arrangement::{{ entry.output }}>(keys, {% if has_values %}values, {% endif %}{{ call.arguments }});
  }
{%- endfor %}
{% endfor %}
{%- include "block/comparison/tile_member.cuh" %}

 private:
{% include "fragments/lane_network.cuh" %}
{%- if shuffles %}

  // Lanes of a warp.
  static constexpr int kLanes = 32;

{% include "fragments/exchange_halves.cuh" %}
{%- endif %}

{% include "fragments/position.cuh" %}

{% include "block/comparison/shared.cuh" %}
{%- if has_merges && merges_by_path %}

{% include "block/comparison/merge_path.cuh" %}
{%- else if has_merges %}

{% include "block/comparison/columns.cuh" %}
{%- endif %}
{%- if shuffles && has_merges && !merges_by_path %}

{% include "block/comparison/lanes.cuh" %}
{%- endif %}

{% if words.are_packed_pairs %}{% include "block/comparison/sort_packed_pairs.cuh" %}{% else %}{% include "block/comparison/sort.cuh" %}{% endif %}

{% include "fragments/tile_items.cuh" %}

  TempStorage& storage_;
  {% if !compares_truncated_keys %}const {% endif %}unsigned int thread_;
{%- if shuffles %}
  const unsigned int lane_;
{%- endif %}
};

}  // namespace {{ version_namespace }}
}  // namespace sortsmith
#endif
{%- if tile_kernel %}
{% include "fragments/tile_kernel.cuh" %}
{%- endif %}
