{% extends "fragments/file.cuh" %}

{% block summary %}an array of many items, by one or two levels of buckets. Stable:
// equal keys keep their input order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the input" %}
{%- include "fragments/made_positions.cuh" %}
//
//   splitter   a sampled key that bounds a bucket
//   piece      the run of a bucket's items within one tile
//   parent     a bucket of the first of two levels; the array, where there is one level
//   chunk      what one block moves or sorts of a bucket: all of it, unless the bucket is of equal keys, or oversized
//   oversized  of more items than a block has room for
//
// A tile is partitioned by bucket where it lies, and a later kernel gathers the items of a bucket from their pieces. So nothing is
// counted beforehand, and no block waits for another one. The order of tiles and the order within tiles are kept. A wrong guess of the samples
// costs the buckets that it concerns and nothing else. A block maps the keys of a chunk linearly, by the bucket's two splitters, to as
// many sub-buckets as there is room for items, and sorts overlapping register windows. A chunk that this does not suit is sorted
// by merges, and what blocks leave of an oversized bucket is merged where it lies.
//
// Up to kOneLevelItems items:
//
//   {{ base.name }}_samples<<<1, {{ threads }}, {{ storage.samples }}, stream>>>(arguments, seed);
//   {{ base.name }}_split  <<<tile_count(n), {{ threads }}, {{ storage.split }}, stream>>>(arguments);
//
// More of them:
//
//   {{ base.name }}_samples       <<<1, {{ threads }}, {{ storage.samples }}, stream>>>(arguments, seed);
//   {{ base.name }}_split_parents <<<tile_count(n), {{ threads }}, {{ storage.split_parents }}, stream>>>(arguments);
//   {{ base.name }}_sum_pieces    <<<span_count(n), {{ parents }}, 0, stream>>>(arguments);
//   {{ base.name }}_scan_pieces   <<<1, {{ list_threads }}, {{ storage.scan }}, stream>>>(arguments);
//   {{ base.name }}_locate_pieces <<<span_count(n), {{ parents }}, {{ storage.locate }}, stream>>>(arguments);
//   {{ base.name }}_parent_samples<<<{{ parents }}, {{ threads }}, {{ storage.samples }}, stream>>>(arguments, seed);
//   {{ base.name }}_split_buckets <<<tile_count(n) + {{ parents }}, {{ threads }}, {{ storage.split_buckets }}, stream>>>(arguments);
//
// And in both cases, with any number of blocks where it is not said:
//
//   {{ base.name }}_list_buckets<<<parent_count(n), {{ list_threads }}, {{ storage.list }}, stream>>>(arguments);
{%- for class in classes %}
//   {{ base.name }}_{{ class.name }}_chunks<<<blocks, {{ class.threads }}, {{ class.shared_bytes }}, stream>>>(arguments);
{%- endfor %}
{%- for class in classes %}
//   {{ base.name }}_{{ class.name }}_merges<<<blocks, {{ class.threads }}, {{ class.shared_bytes }}, stream>>>(arguments);
{%- endfor %}
//   {{ base.name }}_equal_keys<<<blocks, {{ threads }}, {{ storage.equal }}, stream>>>(arguments);
//   {{ base.name }}_oversized_buckets<<<blocks, {{ threads }}, 0, stream>>>(arguments);
//
// The seed, with sort_counter if there is one, says which positions are sampled. Keys that were chosen with knowledge of it may make
// buckets oversized. The result is the same for all seeds.
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
{% include "fragments/device_constants.cuh" %}
  // Whether items with equal keys may differ, so that their order counts.
  static constexpr bool kEqualItemsDiffer = {{ value.exists || key.is_float }};
  // Buckets of the only level; parents, and the most buckets of each, where there are two.
  static constexpr unsigned int kOnlyBuckets = {{ only_buckets }};
  static constexpr unsigned int kParents = {{ parents }};
  static constexpr unsigned int kBuckets = {{ buckets }};
  // The most items that have one level.
  static constexpr unsigned long long kOneLevelItems = {{ one_level_items }}ull;
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;
  // Tiles that one block of _sum_pieces and _locate_pieces goes over.
  static constexpr unsigned int kSpanTiles = {{ span_tiles }};
  // Threads of a block of _list_buckets and of _scan_pieces.
  static constexpr unsigned int kListThreads = {{ list_threads }};
  // The shared memory of blocks.
  static constexpr unsigned int kSampleSharedBytes = {{ storage.samples }};
  static constexpr unsigned int kSplitSharedBytes = {{ storage.split }};
  static constexpr unsigned int kSplitParentsSharedBytes = {{ storage.split_parents }};
  static constexpr unsigned int kSplitBucketsSharedBytes = {{ storage.split_buckets }};
  static constexpr unsigned int kScanSharedBytes = {{ storage.scan }};
  static constexpr unsigned int kLocateSharedBytes = {{ storage.locate }};
  static constexpr unsigned int kListSharedBytes = {{ storage.list }};
  static constexpr unsigned int kEqualSharedBytes = {{ storage.equal }};
{%- for class in classes %}
  static constexpr unsigned int k{{ class.title }}Threads = {{ class.threads }};
  static constexpr unsigned int k{{ class.title }}SharedBytes = {{ class.shared_bytes }};
{%- endfor %}

{% include "fragments/arguments.cuh" %}

{% include "device/partition/workspace.cuh" %}

{% include "device/partition/pieces.cuh" %}

{% include "device/partition/position_sort.cuh" %}

{% include "device/partition/splitters.cuh" %}

{% include "device/partition/split.cuh" %}

{% include "device/partition/parents.cuh" %}

{% include "device/partition/lists.cuh" %}

{% include "device/partition/chunks.cuh" %}

{% include "device/partition/finish.cuh" %}

{% include "device/partition/merges.cuh" %}

{% include "device/partition/equal_keys.cuh" %}

{% include "device/partition/oversized.cuh" %}

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

  // What keys are compared by.
  static __device__ __forceinline__ Bits compared_of(Key key) { return compared_bits(to_ordered_bits(key)); }
{% endblock %}

{% block kernels %}
{%- for kernel in kernels %}

extern "C" __global__ void __launch_bounds__({{ kernel.threads }}, {{ kernel.resident_blocks }})
{{ base.name }}{{ kernel.suffix }}(sortsmith::{{ base.name }}::Arguments arguments{% if kernel.takes_seed %}, int seed{% endif %}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ base.name }}::{{ kernel.call }}(arguments, sortsmith_shared{% if kernel.takes_seed %}, static_cast<unsigned int>(seed){% endif %});
}
{%- endfor %}
{% endblock %}
