// {{ name }}
//
// {{ title }}: a logical warp of {{ lanes }} lanes sorts a tile of {{ tile_items }} items in registers, by
// shuffles, in no shared memory. {% if stable %}Stable: equal keys keep their input order.{% else %}Not stable: equal keys come out in any order.{% endif %}
{%- if key.is_float %}
//
// Keys order by sign and magnitude. {% if marks_negative_zero %}-0.0 and +0.0 are equal.{% else %}-0.0 is less than +0.0.{% endif %} NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
{%- endif %}
{%- if makes_positions %}
//
// No values are read. The sort makes them: each key's position in the tile's input order.
{%- endif %}
//
// In a kernel, with Keys an array of {{ items }} keys{% if has_values %} and Values one of {{ items }} {% if makes_positions %}positions{% else %}values{% endif %}{% endif %}:
//   using Sort = sortsmith::{{ name }};
//   Sort().Sort(keys{% if has_values %}, {% if makes_positions %}positions{% else %}values{% endif %}{% endif %});
//
// Made by sortsmith {{ version }} from the template warp_bitonic_sort; to make it again:
//   sortsmith emit --name {{ name }}{% if tile_kernel %} --tile-kernel{% endif %} --out .
{% include "fragments/parts.cuh" %}
#ifndef {{ struct_guard }}
#define {{ struct_guard }}
namespace sortsmith {
inline namespace {{ version_namespace }} {

struct {{ name }} {
  using Key = {{ key.cuda }};
  using Value = {{ value }};

  // Which lane of the logical warp holds which position of the tile. Lane l's item i is at
  //   kBlocked: l * kItemsPerThread + i
  //   kStriped: i * kLanes + l
  enum class Arrangement { kBlocked, kStriped };

  // Lanes of a logical warp: threads of a block from a multiple of kLanes on. The block may have any shape and any number
  // of them.
  static constexpr int kLanes = {{ lanes }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kLanes * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr bool kStable = {{ stable }};
  static constexpr bool kDescending = {{ key.descending }};
  static constexpr bool kHasValues = {{ has_values }};
  static constexpr bool kIndexValues = {{ makes_positions }};
  static constexpr Arrangement kInput = Arrangement::{{ input }};
  static constexpr Arrangement kOutput = Arrangement::{{ output }};
  // The tile kernel's block, its tiles, and its dynamic shared memory.
  static constexpr int kBlockThreads = {{ tile_threads }};
  static constexpr int kTilesPerBlock = kBlockThreads / kLanes;
  static constexpr unsigned int kSharedBytes = 0;

  // One lane's items.
  using Keys = Key[kItemsPerThread];
{%- if has_values %}
  using Values = Value[kItemsPerThread];
{%- endif %}

  __device__ __forceinline__ {{ name }}() : lane_(lane_of_thread() % kLanes) {}

  // The members below sort one tile of each logical warp. All threads of a (hardware) warp call the same one together.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards. The same in a logical warp, its own in each.
{% for entry in entries %}
  // {{ entry.words }}
{%- for call in entry.calls %}
  __device__ __forceinline__ void {{ entry.name }}(Keys& keys{% if has_values %}, Values& values{% endif %}{{ call.parameters }}) const {
    sort<Arrangement::{{ input }}, Arrangement::{{ entry.output }}>(keys{% if has_values %}, values{% endif %}{% if !(tile_values_break_ties && call.parameters.is_empty()) %}, {{ call.arguments }}{% endif %});
  }
{%- endfor %}
{% endfor %}
{% include "warp/bitonic/tile_member.cuh" %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- if marks_negative_zero %}
{%- include "fragments/compared_bits.cuh" %}
{%- endif %}

{% include "fragments/words.cuh" %}
{%- if tile_values_break_ties %}

{% include "warp/bitonic/pairs.cuh" %}
{%- endif %}
{%- if reads_values %}

{% include "warp/bitonic/items.cuh" %}
{%- endif %}

{% include "warp/bitonic/network.cuh" %}

{% include "warp/bitonic/arrangements.cuh" %}

{% include "warp/bitonic/sort.cuh" %}

{% include "warp/bitonic/memory.cuh" %}

  // In the logical warp.
  const unsigned int lane_;
};

}  // namespace {{ version_namespace }}
}  // namespace sortsmith
#endif
{%- if tile_kernel %}
{% include "warp/bitonic/tile_kernel.cuh" %}
{%- endif %}
