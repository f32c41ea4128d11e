{% extends "fragments/file.cuh" %}

{% block summary %}the items of each segment of an
// array. Stable: equal keys of a segment keep their input order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
{%- if value.is_position %}
//
// No values are read. The sort makes them: each key's position within its segment or, where `absolute_positions` is not 0, within the
// array, of which items outside of the segments have theirs too.
{%- endif %}
//
//   segment  the items begins[s] ... ends[s] - 1. Offsets past the end of the array count as its end, and a segment that ends before
//            it begins is empty. Segments that overlap leave unspecified items; no access is outside of the arrays either way.
//            Rows of a matrix have neither begins nor ends: row s is the `segment_items` items from s * `segment_stride` on. The first items of an array,
//            as many as a number on the device says, are one segment without begins and with the stride 0 that ends there.
//   count    a number on the device, if not all segments are to be sorted: it is that of the first ones that are
//   tile     {{ tile_items }} items, which a block sorts
//   run      sorted items of a segment that is longer than a tile: a tile at first, two runs after each round of merges
//
// Kernel _classify lists the segments by their lengths. _ranks sorts those of at most {{ group_lanes }} items, each by as many lanes, and those
// of at most 32, each by a warp, _warps those of at most {{ warp_items }}, each by a warp, and _tiles those of at most a tile and each tile of longer ones, each by a block{% if !tile_networks.is_empty() %}: all bits of keys by
// networks, fewer by merges{% endif %}. A round of _merge merges the runs of longer segments, two by
// two: an output tile is a block's, which finds its part of both runs by merge path. A segment's rounds end in the output array; which
// array each one reads follows from how many rounds the segment takes. So the launches depend on n and on the number of segments alone:
//
//   cudaMemsetAsync(arguments.workspace, 0, kZeroedBytes, stream);
//   {{ base.name }}_classify<<<any, {{ threads }}, {{ classify_shared_bytes }}, stream>>>(arguments, {{ count.names }});
//   {{ base.name }}_ranks<<<any, {{ threads }}, {{ rank_shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_warps<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_tiles<<<any, {{ threads }}, {{ tile_shared_bytes }}, stream>>>(arguments);
//   for round = 0 ... rounds_of(n) - 1
//     {{ base.name }}_merge<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments, round);
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

  static constexpr unsigned int kBlockThreads = {{ threads }};
  static constexpr unsigned int kItemsPerThread = {{ items }};
  static constexpr unsigned int kTileItems = kBlockThreads * kItemsPerThread;
  // Lanes that sort a segment of at most as many items: several segments are a warp's at a time.
  static constexpr unsigned int kGroupLanes = {{ group_lanes }};
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kWarpItems = kWarpThreads * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr bool kMakesPositions = {{ value.is_position }};
  // The dynamic shared memory of a block of _classify, of one of _ranks, of one of _warps and of _merge, and of one of _tiles.
  static constexpr unsigned int kClassifySharedBytes = {{ classify_shared_bytes }};
  static constexpr unsigned int kRankSharedBytes = {{ rank_shared_bytes }};
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
  static constexpr unsigned int kTileSharedBytes = {{ tile_shared_bytes }};

{% include "fragments/arguments.cuh" %}
  // What _classify is given beside these.
  struct Count {
{%- for argument in count_members %}
{%- for line in argument.comment %}
    // {{ line }}
{%- endfor %}
    {{ argument.cuda }} {{ argument.name }};
{%- endfor %}
  };

{% include "segments/lists.cuh" %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

  // Neighbouring items of a thread and those of its neighbours lie in different banks.
  using Slots = GappedSlots<32, 1>;

 public:
  // What a warp or a block sorts: ordered bits, and where each item came from.
  template <unsigned int kCapacity>
  struct ItemStorage {
    StoredBits bits[Slots::count(kCapacity)];
{%- if value.exists %}
    unsigned short sources[Slots::count(kCapacity)];
{%- endif %}
  };
  struct TileStorage {
    ItemStorage<kTileItems> items;
    // How many items of the first run come before the output tile, and before its end.
    unsigned long long splits[2];
  };
  union TempStorage {
    ItemStorage<kWarpItems> warps[kWarps];
    TileStorage tile;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");
  // What a block of _tiles has.
  union TileTempStorage {
    TempStorage merges;
{%- for network in tile_networks %}
    {{ network }}::TempStorage network_of_{{ network.items }};
{%- endfor %}
  };
  static_assert(sizeof(TileTempStorage) == kTileSharedBytes, "the storage is laid out as planned");

{% include "segments/classify.cuh" %}

{% include "segments/items.cuh" %}

{%- if !tile_networks.is_empty() %}
{% include "segments/networks.cuh" %}
{%- endif %}

{% include "segments/sort.cuh" %}

{% include "segments/merge.cuh" %}
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_classify(sortsmith::{{ base.name }}::Arguments arguments,{{ count.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort::classify(arguments, { {{ count.names }} }, *reinterpret_cast<Sort::ClassifyStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_ranks(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort::sort_by_ranks(arguments, *reinterpret_cast<Sort::RankTempStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_warp_sorts }})
{{ base.name }}_warps(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort::sort_by_warps(arguments, *reinterpret_cast<Sort::TempStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_blocks }})
{{ base.name }}_tiles(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort::sort_tiles(arguments, *reinterpret_cast<Sort::TileTempStorage*>(sortsmith_shared));
}

{% include "fragments/merge_bounds.cuh" %}
{{ base.name }}_merge(sortsmith::{{ base.name }}::Arguments arguments, int round) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort::merge_runs(arguments, *reinterpret_cast<Sort::TempStorage*>(sortsmith_shared), round);
}
{% endblock %}
