{% extends "fragments/file.cuh" %}

{% block summary %}a block of {{ tile.threads }} threads sorts a tile of {{ tile_items }} items {% if merging.merges_by_path %}by
// merging: each {% if merging.shuffles %}warp{% else %}thread{% endif %} sorts its own items by a network, and runs are merged in shared memory. {% else %}by a
// network of comparisons, in registers, {% if merging.shuffles %}by shuffles {% endif %}and in shared memory. {% endif %}{% if stable %}Stable: equal keys keep their input order.{% else %}Not stable: equal keys come out in any order.{% endif %}
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the tile's input order" %}
{%- include "fragments/made_positions.cuh" %}
{%- if fetched_words > 0 %}
//
// A value does not move with its key. Its source position does, and the value itself moves once, at the end.
{%- endif %}
//
//   tile           the items that the block sorts
//   composite key  what is compared: a key's ordered bits, with the index in the input below them where equal keys are told apart
//   run            sorted items of a tile, of which two are merged
//
{% include "block/usage.cuh" %}{% endblock %}

{% block constants %}
{% include "block/comparison/constants.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

{% include "block/comparison/constants.cuh" %}

  // One thread's items.
  using Keys = Key[kItemsPerThread];
{%- if value.exists %}
  using Values = Value[kItemsPerThread];
{%- endif %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- if composites.marks_negative_zero || truncated.is_some() %}
{%- include "fragments/compared_bits.cuh" %}
{%- endif %}
{%- if orders_zeros %}
{%- include "fragments/signed_zeros.cuh" %}
{%- endif %}

{% if let Some(truncated) = truncated %}{% include "block/comparison/truncated_composites.cuh" %}{% else if composites.are_packed_pairs %}{% include "block/comparison/packed_pairs.cuh" %}{% else %}{% include "fragments/composite_keys.cuh" %}{% endif %}
{%- if fetched_words > 0 %}

  // Values are fetched a word at a time.
  static constexpr int kValueWords = {{ fetched_words }};
{%- endif %}
  using Slots = {{ merging.slots }};

 public:
{%- if let Some(truncated) = truncated %}
  // The tile's composite keys; its keys and values by their positions in the input; and each warp's minimum and maximum of the keys.
  struct TempStorage {
    {% if merging.slots.has_gaps() %}alignas(8) {% endif %}unsigned int composites[kCompositeLimbs][Slots::count({{ composites.in_tile }})];
    Bits keys[Slots::count({{ composites.in_tile }})];
    unsigned int values[Slots::count({{ composites.in_tile }})];
    Bits min_bits[{{ truncated.warps }}];
    Bits max_bits[{{ truncated.warps }}];
  };
{%- else if orders_zeros %}
  static constexpr unsigned int kZeroWords = (kTileItems + MarkSlot::kRowPositions - 1) / MarkSlot::kRowPositions;
  static constexpr unsigned int kZeroRun = {{ zero_run }};
  static constexpr unsigned int kZeroRuns = (kZeroWords + kZeroRun - 1) / kZeroRun;
  // Which positions of the tile's input have zeros, a bit each, and how many of them there are in words before, and in runs of kZeroRun words.
  // Runs have all their words, since a compiler may read all of one at once.
  struct Zeros {
    unsigned int are_zero[kZeroRuns * kZeroRun];
    unsigned int before[kZeroWords];
    unsigned int of_runs[kZeroRuns];
  };
  // The tile's composite keys, limb by limb; zeros before there are composite keys; the zeros' signs, a bit each; and how many items come before zeros.
  struct TempStorage {
    union {
      {% if merging.slots.has_gaps() %}alignas(8) {% endif %}unsigned int composites[kCompositeLimbs][Slots::count({{ composites.in_tile }})];
      Zeros zeros;
    };
    unsigned int signs[kZeroWords];
    unsigned int items_before_zeros;
  };
{%- else %}
  // The tile's composite keys, limb by limb.
  struct TempStorage {
    {% if merging.slots.has_gaps() %}alignas(8) {% endif %}unsigned int composites[kCompositeLimbs][Slots::count({{ composites.in_tile }})];
  };
{%- endif %}
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)){% if merging.shuffles %}, lane_(lane_of(thread_)){% endif %} {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards.
{% include "block/members.cuh" %}

 private:
{% include "fragments/lane_network.cuh" %}
{%- if merging.shuffles %}

  // Lanes of a warp.
  static constexpr int kLanes = 32;

{% include "fragments/exchange_halves.cuh" %}
{%- endif %}

{% include "fragments/position.cuh" %}

{% include "block/comparison/shared.cuh" %}
{%- if truncated.is_none() && !composites.are_packed_pairs %}

{% include "block/comparison/rearrange.cuh" %}
{%- endif %}
{%- if orders_zeros %}

{% include "block/comparison/signed_zeros.cuh" %}
{%- endif %}
{%- if merging.has_paths %}

{% include "block/comparison/merge_path.cuh" %}
{%- else if merging.has_columns %}

{% include "block/comparison/columns.cuh" %}
{%- endif %}
{%- if merging.shuffles && merging.has_columns %}

{% include "block/comparison/lanes.cuh" %}
{%- endif %}

{% if composites.are_packed_pairs %}{% include "block/comparison/sort_packed_pairs.cuh" %}{% else %}{% include "block/comparison/sort.cuh" %}{% endif %}

{% include "block/tile_items.cuh" %}

{% include "block/sort_in_memory.cuh" %}

  TempStorage& storage_;
  {% if truncated.is_none() %}const {% endif %}unsigned int thread_;
{%- if merging.shuffles %}
  const unsigned int lane_;
{%- endif %}
{% endblock %}

{% block tile_kernel %}
{%- if base.has_tile_kernel %}
{% include "block/tile_kernel.cuh" %}
{%- endif %}
{%- if base.has_rows_kernel %}
{% include "block/rows_kernel.cuh" %}
{%- endif %}
{%- if base.has_counted_rows_kernel %}
{% include "block/counted_rows_kernel.cuh" %}
{%- endif %}
{%- endblock %}
