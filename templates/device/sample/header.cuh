// {{ name }}
//
// {{ title }}: an array of few items, in two or three launches. Stable: equal keys
// keep their input order.
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
// Words: a splitter is the first item of a bucket, a piece of a bucket its items in one tile. Sub-buckets and windows are how a block
// sorts a bucket.
//
// Items of a few sampled positions are the splitters of all items, equal keys by the tiles that they are in, so that no input
// makes a bucket large but by chance. The first kernel sorts samples (_samples), the second partitions each tile by bucket
// (_split), the third gathers each bucket from all tiles, sorts it, and writes it to the result (_buckets). Of few items the
// second finds the samples too, and there is no first:
//
//   if (samples_come_first(n))
//     {{ name }}_samples<<<{{ sample_blocks }}, {{ sample_threads }}, {{ sample_shared_bytes }}, stream>>>(arguments);
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
  // As many buckets as _split finds splitters for, and as many as there are at most.
  static constexpr unsigned int kFewBuckets = {{ few_buckets }};
  static constexpr unsigned int kMaxBuckets = kBlockThreads;
  // The blocks of _samples, and the threads of each.
  static constexpr unsigned int kSampleBlocks = {{ sample_blocks }};
  static constexpr unsigned int kSampleThreads = {{ sample_threads }};
  // The shared memory of a block of _samples, of one of _split, and of one of _buckets.
  static constexpr unsigned int kSampleSharedBytes = {{ sample_shared_bytes }};
  static constexpr unsigned int kSplitSharedBytes = {{ split_shared_bytes }};
  static constexpr unsigned int kBucketSharedBytes = {{ bucket_shared_bytes }};
  // As many tiles as a block has threads.
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;

{% include "fragments/device_arguments.cuh" %}

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  // In memory they take no more bytes than the keys.
  using StoredBits = {{ key.stored_bits }};
  static constexpr unsigned int kWarps = kBlockThreads / 32;
  static constexpr unsigned int kSamplesPerBucket = {{ samples_per_bucket }};
  static constexpr unsigned int kSamplesOfSmallerBucket = {{ samples_of_smaller_bucket }};
  static constexpr unsigned int kMaxSamples = kSamplesPerBucket * kMaxBuckets;
  static constexpr unsigned int kMaxSamplesPerThread = kMaxSamples / kSampleThreads;
  static constexpr unsigned int kMaxOwnSamples = kMaxSamples / kSampleBlocks;

  // The least item of each bucket but the first: its key's order, and its tile.
  struct __align__(16) Splitters {
    Bits orders[kMaxBuckets];
    unsigned int tiles[kMaxBuckets];
  };

 public:
  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  // Whether so many items need more samples than a block sorts at ease.
  static __host__ __device__ constexpr bool samples_come_first(unsigned long long n) {
    return n > 2ull * kFewBuckets * kBlockThreads;
  }
  // A power of two: buckets of about as many items as a block has threads, or twice as many, if that many buckets may be.
  static __host__ __device__ constexpr unsigned int bucket_count(unsigned long long n) {
    const unsigned int most = samples_come_first(n) ? kMaxBuckets : kFewBuckets;
    const unsigned int items = samples_come_first(n) ? 2 * kBlockThreads : kBlockThreads;
    const unsigned long long last = n == 0 ? 0 : (n - 1) / items;
    // All bits below the highest one.
    unsigned int bits = last < most ? static_cast<unsigned int>(last) : most - 1;
    for (int shift = 1; shift < 16; shift *= 2) bits |= bits >> shift;
    return bits + 1;
  }
  // Nothing has to be zero when a sort begins.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return sizeof(Splitters) + (2ull * bucket_count(n) * tile_count(n) + 15) / 16 * 16;
  }

 private:
{% include "device/sample/split.cuh" %}

{% include "device/sample/samples.cuh" %}

{% include "device/sample/buckets.cuh" %}

{% include "device/sample/windows.cuh" %}

{% include "device/sample/large_bucket.cuh" %}

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}
{%- include "fragments/digit_of.cuh" %}

  // The workspace begins with the splitters.
  static __device__ __forceinline__ Splitters& splitters_of(const Arguments& arguments) {
    return *reinterpret_cast<Splitters*>(arguments.workspace);
  }

  // Then, for each bucket and tile, bucket by bucket: where in the tile the bucket begins, once that is partitioned.
  static __device__ __forceinline__ unsigned short* starts_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned short*>(arguments.workspace + sizeof(Splitters));
  }

  static __device__ __forceinline__ unsigned int items_of_tile(const Arguments& arguments, unsigned int tile) {
    const unsigned long long left = arguments.n - static_cast<unsigned long long>(tile) * kTileItems;
    return left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
  }

  // The sum over the threads before this one, and over all. Each warp adds up the sums of warps, which is less work than to
  // read one after the other where there are many. One barrier.
  static __device__ __forceinline__ unsigned int exclusive_sum(unsigned int (&sums)[kWarps], unsigned int value, unsigned int& total) {
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int to_here = inclusive_sum_in_warp(value, ~0u);
    if (lane == 31) sums[warp] = to_here;
    __syncthreads();
    const unsigned int own = lane < kWarps ? sums[lane] : 0;
    const unsigned int of_warps = inclusive_sum_in_warp(own, ~0u);
    total = __shfl_sync(~0u, of_warps, kWarps - 1);
    return __shfl_sync(~0u, of_warps - own, warp) + to_here - value;
  }

  // Sets an array in shared memory to zeros, by all of the block's threads.
  template <int kBytes>
  static __device__ __forceinline__ void clear_words(void* array) {
    struct __align__(16) Words {
      unsigned int words[4];
    };
    static_assert(kBytes % sizeof(Words) == 0, "the array has no other bytes");
    // A few rounds, for which the compiler's unrolled loop takes more instructions to begin than there are.
#pragma unroll 1
    for (unsigned int i = threadIdx.x; i < kBytes / sizeof(Words); i += kBlockThreads) static_cast<Words*>(array)[i] = Words{};
  }

  // The position in a block's items of the ones that a thread has: a warp has neighbouring items, row by row.
  template <int kItems>
  static __device__ __forceinline__ unsigned int warp_striped(int item) {
    return threadIdx.x / 32 * (32 * kItems) + item * 32 + threadIdx.x % 32;
  }
};

}  // namespace {{ version_namespace }}
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__({{ sample_threads }})
{{ name }}_samples(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::find_splitters(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_blocks }})
{{ name }}_split(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::split(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_blocks }})
{{ name }}_buckets(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::sort_bucket(arguments, sortsmith_shared);
}
#endif
