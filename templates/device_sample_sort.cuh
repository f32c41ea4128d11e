// {{ name }}
//
// {{ title }}: an array of few items, in two launches. Stable: equal keys keep their
// input order.
{%- if key.is_float %}
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
{%- endif %}
{%- if makes_positions %}
//
// No values are read. The sort makes them: each key's position in the input.
{%- endif %}
//
// Items of a few sampled positions part all items into buckets, equal keys by the tiles that they are in, so that no input
// makes a bucket large but by chance. The first kernel partitions each tile by bucket (_split), the second gathers each
// bucket from all tiles, sorts it, and writes it to its place (_buckets):
//
//   {{ name }}_split  <<<tile_count(n), {{ threads }}, {{ split_shared_bytes }}, stream>>>(arguments);
//   {{ name }}_buckets<<<bucket_count(n), {{ threads }}, {{ bucket_shared_bytes }}, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith {{ version }} from the template device_sample_sort; to make it again:
//   sortsmith emit --name {{ name }} --out .
{% include "fragments/parts.cuh" %}
{%- for sorter in sorters %}
{{ sorter }}
{% endfor %}
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
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr unsigned int kMaxBuckets = 1u << {{ bucket_bits }};
  // The shared memory of a block of _split, and of one of _buckets.
  static constexpr unsigned int kSplitSharedBytes = {{ split_shared_bytes }};
  static constexpr unsigned int kBucketSharedBytes = {{ bucket_shared_bytes }};
  // As many tiles as a block has threads.
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;

{% include "fragments/device_arguments.cuh" %}

  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  // A power of two: buckets of about as many items as a block has threads, if that many buckets may be.
  static __host__ __device__ constexpr unsigned int bucket_count(unsigned long long n) {
    unsigned int buckets = 1;
    while (buckets < kMaxBuckets && static_cast<unsigned long long>(buckets) * kBlockThreads < n) buckets *= 2;
    return buckets;
  }
  // Nothing has to be zero when a sort begins.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return sizeof(unsigned int) * bucket_count(n) * tile_count(n);
  }

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  // In memory they take no more bytes than the keys.
  using StoredBits = {{ key.stored_bits }};
  static constexpr unsigned int kWarps = kBlockThreads / 32;

{% include "device_sample_sort/split.cuh" %}

{% include "device_sample_sort/samples.cuh" %}

{% include "device_sample_sort/buckets.cuh" %}

{% include "device_sample_sort/large_bucket.cuh" %}

 private:
{%- include "fragments/ordered_bits.cuh" %}

  // For each bucket and tile, bucket by bucket: where in the tile the bucket begins, once that is partitioned.
  static __device__ __forceinline__ unsigned int* starts_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned int*>(arguments.workspace);
  }

  static __device__ __forceinline__ unsigned int items_of_tile(const Arguments& arguments, unsigned int tile) {
    const unsigned long long left = arguments.n - static_cast<unsigned long long>(tile) * kTileItems;
    return left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
  }

  // The position in a block's items of the ones that a thread has: a warp has neighbouring items, row by row.
  template <int kItems>
  static __device__ __forceinline__ unsigned int warp_striped(int item) {
    return threadIdx.x / 32 * (32 * kItems) + item * 32 + threadIdx.x % 32;
  }
};

}  // namespace {{ version_namespace }}
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ name }}_split(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::split(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ name }}_buckets(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::sort_bucket(arguments, sortsmith_shared);
}
#endif
