{% extends "fragments/file.cuh" %}

{% block summary %}a block of {{ tile.threads }} threads sorts a tile of {{ tile_items }} items in shared
// memory, {{ radix.radix_bits }} bits a pass, {{ passes }} {% if passes == 1 %}pass{% else %}passes{% endif %} over {{ range_words }}. Stable: equal keys keep their input order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the tile's input order" %}
{%- include "fragments/made_positions.cuh" %}
{%- if radix.fetches_values %}
//
// A value of {{ value.bytes }} bytes does not move with its key. Its source position does, in two bytes, and the value itself
// moves once, after the last pass.
{%- endif %}
//
//   tile   the items that the block sorts
//   digit  the bits of a key that one pass sorts by; a bin has the items of one digit
//   rank   where in the tile, by the digits so far, an item goes
//
{% include "block/usage.cuh" %}{% endblock %}

{% block constants %}
{% include "block/radix/constants.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

{% include "block/radix/constants.cuh" %}

  // One thread's items.
  using Keys = Key[kItemsPerThread];
{%- if value.exists %}
  using Values = Value[kItemsPerThread];
{%- endif %}

 private:
{% include "block/radix/item_types.cuh" %}
{%- if !radix.counts_keys %}

  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order{% if radix.is_match %} within a
  // warp, row by row{% endif %}.
  static constexpr Arrangement kRanked = Arrangement::{{ ranked }};
{%- endif %}
  using BlockScan = {{ radix.block_scan }};

{% if radix.counts_keys -%}
{% include "block/radix/counts_storage.cuh" %}
{%- else if radix.is_match -%}
{% include "block/radix/match_storage.cuh" %}
{%- else -%}
{% include "block/radix/packed_storage.cuh" %}
{%- endif %}

{% include "block/radix/exchange_storage.cuh" %}
  static constexpr bool kOverlaps = {{ overlaps }};

 public:
{%- let storage = "TempStorage" %}
{%- if overlaps %}
{% include "block/radix/overlapping_storage.cuh" %}
{%- else %}
{% include "block/radix/storage_apart.cuh" %}
{%- endif %}
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same{% if is_static %} valid_items.
{%- else %} scalars.
  //   begin_bit, end_bit: the bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits; an empty
  //                       range leaves the input order.
{%- endif %}
  //   valid_items:        the first valid_items items of the tile are sorted and come out in front. What the others hold
  //                       does not matter, and is unspecified afterwards.
{% include "block/members.cuh" %}

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- if !radix.counts_keys %}
{%- include "fragments/compared_bits.cuh" %}
{%- include "fragments/digit_of.cuh" %}
{%- endif %}

{% include "block/radix/exchange.cuh" %}

{% include "block/tile_items.cuh" %}

{% include "block/sort_in_memory.cuh" %}

{% if radix.counts_keys -%}
{% include "block/radix/counts.cuh" %}
{%- else -%}
{% if radix.is_match -%}
{% include "block/radix/match_rank.cuh" %}
{%- else -%}
{% include "block/radix/packed_rank.cuh" %}
{%- endif %}

{% include "block/radix/passes.cuh" %}
{%- endif %}


  TempStorage& storage_;
  const unsigned int thread_;
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
