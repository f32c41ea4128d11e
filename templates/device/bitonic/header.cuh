// {{ name }}
//
// {{ title }}: an array of any length, by a network of comparisons over
// the whole device. {% if is_stable %}Stable: equal keys keep their input order.{% else %}Not stable: equal keys come out in any order.{% endif %}
//
// Which items are compared, in which order, and which addresses are read and written depends on the number of items
// alone, never on what they are; so do all branches. Values move with their keys.
{%- if key.is_float %}
//
// Keys order by sign and magnitude. {% if marks_negative_zero %}-0.0 and +0.0 are equal.{% else %}-0.0 is less than +0.0.{% endif %} NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
{%- endif %}
{%- if makes_positions %}
//
// No values are read. The sort makes them: each key's position in the input.
{%- endif %}
//
// First each block sorts a tile (kernel _tiles). Then runs of tiles are merged, two by two. A merge begins with the
// comparisons that are further apart than a tile is long, some steps of them in each launch (_stride), and ends within
// tiles (_merge). Behind the end of the array the network has items that are greater than all others. No comparison
// moves them, so nothing of them is read or written. The host's launches, with the functions below:
//
//   {{ name }}_tiles<<<tile_count(n), {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);
//   for run_log2 = kTileLog2 + 1, ... while two to the power of run_log2 - 1 is less than n
//     for number = 0, 1, ... stride_count(run_log2) - 1, with steps = steps_of(run_log2, number)
//       {{ name }}_stride<<<stride_blocks(n, run_log2, steps), {{ threads }}, 0, stream>>>(arguments, steps.pack());
//     {{ name }}_merge<<<tile_count(merged_items(n, run_log2)), {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith {{ version }} from the template device_bitonic_sort; to make it again:
//   sortsmith emit --name {{ name }} --out .
{% include "fragments/parts.cuh" %}
#ifndef {{ struct_guard }}
#define {{ struct_guard }}
namespace sortsmith {
inline namespace {{ version_namespace }} {

struct {{ name }} {
  using Key = {{ key.cuda }};
  using Value = {{ value }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kTileLog2 = {{ tile_log2 }};
  static constexpr int kKeyBits = {{ key.bits }};
  // The most steps of a merge that one launch of _stride takes.
  static constexpr int kMaxSteps = {{ max_steps }};
  // The shared memory of a block of _tiles, and of one of _merge.
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;

{% include "fragments/device_arguments.cuh" %}

 private:
  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- if marks_negative_zero %}
{%- include "fragments/compared_bits.cuh" %}
{%- endif %}

{% include "fragments/words.cuh" %}

 public:
  // The tile's words, part by part.
  struct TempStorage {
    {% if gap > 0 %}alignas(8) {% endif %}unsigned int words[kWordParts][{{ slots }}];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

{% include "device/bitonic/launches.cuh" %}

  explicit __device__ __forceinline__ {{ name }}(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x){% if shuffles %}, lane_(thread_ % kLanes){% endif %} {}

{% include "device/bitonic/tiles.cuh" %}

{% include "device/bitonic/stride.cuh" %}

{% include "device/bitonic/items.cuh" %}

{% include "fragments/lane_network.cuh" %}
{%- if shuffles %}

  // Lanes of a warp.
  static constexpr int kLanes = 32;

{% include "fragments/exchange_halves.cuh" %}
{%- endif %}

{% include "fragments/position.cuh" %}

{% include "block/comparison/shared.cuh" %}

{% include "block/comparison/columns.cuh" %}
{%- if shuffles %}

{% include "block/comparison/lanes.cuh" %}
{%- endif %}

{% include "block/comparison/sort_words.cuh" %}

  TempStorage& storage_;
  const unsigned int thread_;
{%- if shuffles %}
  const unsigned int lane_;
{%- endif %}
};

}  // namespace {{ version_namespace }}
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ name }}_tiles(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).sort_tile(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ name }}_stride(sortsmith::{{ name }}::Arguments arguments, int steps) {
  using Sort = sortsmith::{{ name }};
  Sort::merge_far(arguments, Sort::Steps::unpack(steps));
}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ name }}_merge(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).merge_tile(arguments);
}
#endif
