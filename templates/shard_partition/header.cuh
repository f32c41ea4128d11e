{% extends "fragments/file.cuh" %}

{% block summary %}into buckets
// that go to other ranks. Stable: the items of a bucket keep their order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
//
//   shard      the items of one rank
//   compared bits
//              what keys are compared by: their ordered bits in a range, and zeros elsewhere
//   splitter   the least compared bits of a bucket
//   tile       the items that a block counts or moves: {{ threads * items }}
//
// Samples of all ranks, sorted, give the splitters. Where successive ones are equal the second is increased, so that a bucket of equal keys
// lies between: such a bucket may be divided anywhere, since it is in order as it is. One kernel counts each tile's items of each bucket,
// and an exclusive scan of these counts says where the tile's items go, so that no block waits for another one:
//
//   {{ base.name }}_samples  <<<any, {{ threads }}, 0, stream>>>(arguments);
//   // The ranks exchange samples, and each sorts all of them.
//   {{ base.name }}_splitters<<<1, {{ threads }}, 0, stream>>>(arguments);
//   {{ base.name }}_count    <<<tiles, {{ threads }}, {{ count_shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_scan     <<<buckets, {{ threads }}, 0, stream>>>(arguments);
//   // The ranks exchange totals, and the hosts make destinations.
//   {{ base.name }}_scatter  <<<tiles, {{ threads }}, {{ scatter_shared_bytes }}, stream>>>(arguments);
//
// tiles = n / {{ threads * items }}, rounded up; offsets has buckets * tiles numbers. buckets is at most {{ max_buckets }}.{% endblock %}

{% block members %}
{% include "fragments/device_constants.cuh" %}
  // Compared bits, and the bits of a key in memory.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
  static constexpr unsigned int kBucketBits = {{ bits }};
  static constexpr unsigned int kMaxBuckets = 1u << kBucketBits;
  // The shared memory of blocks.
  static constexpr unsigned int kCountSharedBytes = {{ count_shared_bytes }};
  static constexpr unsigned int kScatterSharedBytes = {{ scatter_shared_bytes }};

 private:
  static constexpr unsigned int kWarps = kBlockThreads / 32;
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

 public:
{% include "fragments/arguments.cuh" %}

{% include "shard_partition/splitters.cuh" %}

{% include "shard_partition/count.cuh" %}

{% include "shard_partition/scatter.cuh" %}
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_samples(sortsmith::{{ base.name }}::Arguments arguments) {
  sortsmith::{{ base.name }}::take_samples(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_splitters(sortsmith::{{ base.name }}::Arguments arguments) {
  sortsmith::{{ base.name }}::pick_splitters(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_count(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Partition = sortsmith::{{ base.name }};
  Partition::count_tile(arguments, *reinterpret_cast<Partition::CountStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_scan(sortsmith::{{ base.name }}::Arguments arguments) {
  sortsmith::{{ base.name }}::scan_bucket(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_scatters }})
{{ base.name }}_scatter(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Partition = sortsmith::{{ base.name }};
  Partition::scatter_tile(arguments, *reinterpret_cast<Partition::ScatterStorage*>(sortsmith_shared));
}
{% endblock %}
