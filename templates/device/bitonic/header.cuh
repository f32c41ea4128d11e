{% extends "fragments/file.cuh" %}

{% block summary %}an array of any length, by a network of comparisons over
// all of the device. {% if is_stable %}Stable: equal keys keep their input order.{% else %}Not stable: equal keys come out in any order.{% endif %}
//
// Which items are compared, in which order, and which addresses are read and written depends on the number of items
// alone, never on what they are; so do all branches. Values move with their keys.
{%- let zeros_are_equal = composites.marks_negative_zero %}
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the input" %}
{%- include "fragments/made_positions.cuh" %}
//
//   tile           the items that a block sorts
//   run            a power of two of tiles, sorted
//   step           comparisons of items that are equally far apart: a merge begins with the longest distance, and halves it
//   composite key  what is compared: a key's ordered bits, with the index in the input below them where equal keys are told apart
//
// First each block sorts a tile (kernel _tiles). Then runs of tiles are merged, two by two. A merge begins with the
// comparisons that are further apart than a tile is long, some steps of them in each launch (_stride), and ends within
// tiles (_merge). Behind the end of the array the network has items that are greater than all others. No comparison
// moves them, so nothing of them is read or written. The host's launches, with the functions below:
//
//   {{ base.name }}_tiles<<<tile_count(n), {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);
//   for run_log2 = kTileLog2 + 1, ... while two to the power of run_log2 - 1 is less than n
//     for number = 0, 1, ... stride_count(run_log2) - 1, with steps = steps_of(run_log2, number)
//       {{ base.name }}_stride<<<stride_blocks(n, run_log2, steps), {{ threads }}, 0, stream>>>(arguments, steps.bits);
//     {{ base.name }}_merge<<<tile_count(merged_items(n, run_log2)), {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
{% include "fragments/device_constants.cuh" %}
  static constexpr int kTileLog2 = {{ tile_log2 }};
  // The most steps of a merge that one launch of _stride takes.
  static constexpr int kMaxSteps = {{ max_steps }};
  // The shared memory of a block of _tiles, and of one of _merge.
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;

{% include "fragments/arguments.cuh" %}

 private:
{% include "fragments/arrangement.cuh" %}

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- if composites.marks_negative_zero %}
{%- include "fragments/compared_bits.cuh" %}
{%- endif %}

{% include "fragments/composite_keys.cuh" %}
  using Slots = {{ merging.slots }};

 public:
  // The tile's composite keys, limb by limb.
  struct TempStorage {
    {% if merging.slots.has_gaps() %}alignas(8) {% endif %}unsigned int composites[kCompositeLimbs][Slots::count(kTileItems)];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

{% include "device/bitonic/launches.cuh" %}

  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x){% if merging.shuffles %}, lane_(lane_of(thread_)){% endif %} {}

{% include "device/bitonic/tiles.cuh" %}

{% include "device/bitonic/stride.cuh" %}

 private:
{% include "device/bitonic/items.cuh" %}

{% include "fragments/lane_network.cuh" %}
{%- if merging.shuffles %}

  // Lanes of a warp.
  static constexpr int kLanes = 32;

{% include "fragments/exchange_halves.cuh" %}
{%- endif %}

{% include "fragments/position.cuh" %}

{% include "block/comparison/shared.cuh" %}

{% include "block/comparison/rearrange.cuh" %}

{% include "block/comparison/columns.cuh" %}
{%- if merging.shuffles %}

{% include "block/comparison/lanes.cuh" %}
{%- endif %}

{% include "block/comparison/sort_composites.cuh" %}

  TempStorage& storage_;
  const unsigned int thread_;
{%- if merging.shuffles %}
  const unsigned int lane_;
{%- endif %}
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_tiles(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).sort_tile(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_stride(sortsmith::{{ base.name }}::Arguments arguments, int steps) {
  using Sort = sortsmith::{{ base.name }};
  Sort::merge_far(arguments, Sort::Steps{steps});
}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_merge(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).merge_tile(arguments);
}
{% endblock %}
