{% extends "fragments/file.cuh" %}

{% block summary %}{% if of_rows %}each row of a matrix, in three launches for all rows. Stable: equal
// keys keep their input order.
{%- else %}an array of small n, in two or three launches. Stable: equal keys
// keep their input order.
{%- endif %}
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
{%- include "fragments/made_positions.cuh" %}
//
//   splitter         the first item of a bucket
//   piece            the items of a bucket in one tile
//   sub-bucket       a small range of a bucket's keys, which a block counts
//   register window  neighbouring items of a thread, which overlap those of the next one
//
// Items of a few sampled positions, which follow from the seed, are the splitters of all items, equal keys by the tiles that they are in,
// so that a bucket is large by chance alone, or for keys that were laid out for the seed. The first kernel sorts samples (_samples), the second partitions each tile by bucket
// (_split), the third gathers each bucket from all tiles, sorts it, and writes it to the result (_buckets).
{%- if of_rows %} Each block is of
// one row, which its number along y says; what a row has of scratch lies behind that of the rows before:
//
//   {{ base.name }}_samples<<<dim3(1, rows), {{ samples.threads }}, {{ samples.shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_split  <<<dim3(tile_count(n), rows), {{ threads }}, {{ split_shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_buckets<<<dim3(bucket_count(n), rows), {{ threads }}, {{ bucket_shared_bytes }}, stream>>>(arguments);
{%- else %} For small n the
// second finds the samples too, and there is no first:
//
//   if (samples_come_first(n))
//     {{ base.name }}_samples<<<sample_blocks(n), {{ samples.threads }}, {{ samples.shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_split  <<<tile_count(n), {{ threads }}, {{ split_shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_buckets<<<bucket_count(n), {{ threads }}, {{ bucket_shared_bytes }}, stream>>>(arguments);
{%- endif %}
{%- if counted %}
{%- if of_rows %}
//
// How many rows there are, the kernels read from memory, at arguments.count. The launches are for the most.
{%- else %}
{%- include "fragments/counted_items.cuh" %}
{%- endif %}
{%- endif %}
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block before_struct %}
{%- if !leaves_buckets %}
{% include "device/sample/bucket_sort.cuh" %}
{% endif %}
{%- endblock %}

{% block members %}
{% include "fragments/device_constants.cuh" %}
{%- if of_rows %}
  // A bucket's items on average, and as many buckets as there are at most.
  static constexpr unsigned int kBucketItems = {{ bucket_mean }};
  static constexpr unsigned int kMaxBuckets = kBlockThreads;
{%- else %}
  // As many buckets as _split finds splitters for, and as many as there are at most.
  static constexpr unsigned int kFewBuckets = {{ few_buckets }};
  static constexpr unsigned int kMaxBuckets = {% if buckets_per_thread > 1 %}{{ buckets_per_thread }} * {% endif %}kBlockThreads;
{%- endif %}
  // The threads of a block of _samples.
  static constexpr unsigned int kSampleThreads = {{ samples.threads }};
{%- if buckets_per_thread > 1 %}
  // Blocks of _samples that a multiprocessor is to hold at least: two, where it holds 2,048 threads.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || __CUDA_ARCH__ == 1030)
  static constexpr unsigned int kResidentSampleBlocks = 2;
#else
  static constexpr unsigned int kResidentSampleBlocks = 1;
#endif
{%- endif %}
  // The shared memory of a block of _samples, of one of _split, and of one of _buckets.
  static constexpr unsigned int kSampleSharedBytes = {{ samples.shared_bytes }};
  static constexpr unsigned int kSplitSharedBytes = {{ split_shared_bytes }};
  static constexpr unsigned int kBucketSharedBytes = {{ bucket_shared_bytes }};
{%- if of_rows %}
  // As many as the most tiles and the most buckets have.
{%- else %}
  // As many tiles as a block has threads.
{%- endif %}
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;
{%- if counted && !of_rows %}
  using Count = unsigned int;
{%- endif %}

{% include "fragments/arguments.cuh" %}

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  // In memory they take no more bytes than the keys.
  using StoredBits = {{ key.in_memory }};
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kSamplesPerBucket = {{ samples.per_bucket }};
{%- if of_rows %}
  static constexpr unsigned int kMaxSamples = {{ samples.max }};
{%- else %}
  static constexpr unsigned int kSamplesOfSmallerBucket = {{ samples.of_smaller_bucket }};
  // Samples that a block ranks, at most: a lane of a warp each.
  static constexpr unsigned int kMaxOwnSamples = {{ samples.own }};
{%- endif %}

  // The least item of a bucket, but of the first: its key's compared bits, and its tile.
  struct Splitter {
    Bits compared;
    unsigned int tile;
  };

 public:
{%- if !smaller_tiles.is_empty() %}
  // The items of a tile: of small n those of another sort, for which this one sorts samples and buckets.
  static __host__ __device__ constexpr unsigned int tile_items(unsigned long long n) {
    return {% for tile in smaller_tiles %}n <= {{ tile.most }}ull ? {{ tile.items }} : {% endfor %}kTileItems;
  }
{%- endif %}
  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
{%- for tile in smaller_tiles %}
    if (n <= {{ tile.most }}ull) return static_cast<unsigned int>((n + {{ tile.items - 1 }}) / {{ tile.items }});
{%- endfor %}
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
{%- if of_rows %}
  // Samples come first whatever n is: one block sorts those of a row.
  static __host__ __device__ constexpr bool samples_come_first(unsigned long long n) { return n > 0; }
  // A power of two: buckets of kBucketItems items at most on average.
  static __host__ __device__ constexpr unsigned int bucket_count(unsigned long long n) {
    const unsigned int most = kMaxBuckets;
    const unsigned int items = kBucketItems;
{%- else %}
  // Whether n items need more samples than a block sorts at ease.
  static __host__ __device__ constexpr bool samples_come_first(unsigned long long n) {
    return n > 2ull * kFewBuckets * kBlockThreads;
  }
  // A power of two: buckets of about as many items as a block has threads{% if buckets_per_thread > 1 %}, twice or four times as many{% else %}, or twice as many, if that many buckets may be{% endif %}.
  static __host__ __device__ constexpr unsigned int bucket_count(unsigned long long n) {
{%- if buckets_per_thread > 1 %}
    if (n > 4ull * kBlockThreads * kBlockThreads) return kMaxBuckets;
{%- endif %}
    const unsigned int most = samples_come_first(n) ? kBlockThreads : kFewBuckets;
    const unsigned int items = samples_come_first(n) ? 2 * kBlockThreads : kBlockThreads;
{%- endif %}
    const unsigned long long last = n == 0 ? 0 : (n - 1) / items;
    // All bits below the highest one.
    unsigned int bits = last < most ? static_cast<unsigned int>(last) : most - 1;
    for (int shift = 1; shift < 16; shift *= 2) bits |= bits >> shift;
    return bits + 1;
  }
{%- if of_rows %}
  // The blocks of _samples for a row.
  static __host__ __device__ constexpr unsigned int sample_blocks(unsigned long long) { return 1; }
{%- else %}
  // The blocks of _samples.
  static __host__ __device__ constexpr unsigned int sample_blocks(unsigned long long n) {
    return {{ samples.per_bucket }} * (bucket_count(n) < kBlockThreads ? kBlockThreads : bucket_count(n)) / {{ samples.own }};
  }
{%- endif %}
  // Nothing has to be zero when a sort begins.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return splitter_bytes(n) + (2ull * bucket_count(n) * tile_count(n) + 15) / 16 * 16;
  }

{%- if of_rows %}

  // The arguments of the block's row.
  static __device__ __forceinline__ Arguments of_row(Arguments arguments) {
    const unsigned long long row = blockIdx.y;
    const unsigned long long first = row * arguments.row_stride;  //~ first-of-row
    const unsigned long long first_of_scratch = row * arguments.n;  //~ first-of-scratch
    arguments.keys_in += first;
    arguments.keys_out += arguments.writes_keys ? first : first_of_scratch;  //~ scratch-of-keys
    arguments.keys_alternate += first_of_scratch;
{%- if value.is_read %}
    arguments.values_in += first;
{%- endif %}
{%- if value.exists %}
    arguments.values_out += first;
    arguments.values_alternate += first_of_scratch;
{%- endif %}
    arguments.workspace += row * workspace_bytes(arguments.n);  //~ workspace-of-row
    return arguments;
  }
{%- endif %}

{%- let counts_items = counted && !of_rows %}
{%- if counted %}
{%- if of_rows %}

{% include "fragments/counted_row.cuh" %}
{%- else %}

{% include "fragments/of_count.cuh" %}

  // Whether a block is none of as many as sort the items that there are. It ends at once then, and waits all the same, so that the kernel
  // ends after those before it.
  static __device__ __forceinline__ bool is_left_out(unsigned int blocks) {
    if (blockIdx.x < blocks) return false;  //~ blocks-of-count
    wait_for_previous_grid();  //~ grid-of-no-items
    return true;
  }
{%- endif %}
{%- endif %}

 private:
  // What the position of a sample follows from: without the seed, no keys can be laid out by it.
  static __device__ __forceinline__ unsigned int random_of(const Arguments& arguments, unsigned int number) {
    const unsigned int product = (number ^ static_cast<unsigned int>(arguments.seed)) * 2654435761u;
    return (product ^ product >> 15) * 2246822519u;
  }

{% include "device/sample/split.cuh" %}

{%- if of_rows %}

{% include "device/sample/row_samples.cuh" %}
{%- else %}

{% include "device/sample/samples.cuh" %}
{%- endif %}

{%- if !leaves_buckets %}

{% include "device/sample/buckets.cuh" %}
{%- endif %}

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

{%- if !leaves_buckets %}

{% include "device/sample/register_windows.cuh" %}

{% include "device/sample/large_bucket.cuh" %}
{%- endif %}

  // An index of an array of compared bits, in bytes: a search by such does not multiply in each step.
  struct ComparedIndex {
    unsigned int bytes;
    static __device__ __forceinline__ ComparedIndex of(unsigned int index) { return {index * static_cast<unsigned int>(sizeof(Bits))}; }
    __device__ __forceinline__ ComparedIndex& operator+=(unsigned int indices) {
      bytes += of(indices).bytes;
      return *this;
    }
    __device__ __forceinline__ unsigned int index() const { return bytes / static_cast<unsigned int>(sizeof(Bits)); }
    __device__ __forceinline__ Bits in(const Bits* compared_keys) const {
      return *reinterpret_cast<const Bits*>(reinterpret_cast<const char*>(compared_keys) + bytes);
    }
  };

  // The workspace begins with the splitters.
  static __host__ __device__ constexpr unsigned long long splitter_bytes(unsigned long long n) {
    return (bucket_count(n) * sizeof(Splitter) + 15) / 16 * 16;
  }

  static __device__ __forceinline__ Splitter* splitters_of(const Arguments& arguments) {
    return reinterpret_cast<Splitter*>(arguments.workspace);
  }

  // Then, for each bucket and tile, bucket by bucket: where in the tile the bucket begins, once that is partitioned.
  static __device__ __forceinline__ unsigned short* tile_offsets_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned short*>(arguments.workspace + splitter_bytes(arguments.n));
  }

  static __device__ __forceinline__ unsigned int items_of_tile(const Arguments& arguments, unsigned int tile) {
    const unsigned long long left = arguments.n - static_cast<unsigned long long>(tile) * {{ tile_items }};
    return left < {{ tile_items }} ? static_cast<unsigned int>(left) : {{ tile_items }};
  }

  // The sum over the threads before this one, and over all. Each warp adds up the sums of warps, which is less work than to
  // read one after the other where there are many. One barrier.
{#- Not WarpScans: each thread of that reads the sums of all warps one after the other, which is other machine code, as fast where warps are few. #}
  static __device__ __forceinline__ unsigned int exclusive_sum(unsigned int (&sums)[kWarps], unsigned int value, unsigned int& total) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int warp = warp_of(threadIdx.x);
    const unsigned int to_here = inclusive_sum_in_warp(value, ~0u);
    if (lane == 31) sums[warp] = to_here;
    __syncthreads();
    const unsigned int own = lane < kWarps ? sums[lane] : 0;
    const unsigned int of_warps = inclusive_sum_in_warp(own, ~0u);
    total = __shfl_sync(~0u, of_warps, kWarps - 1);
    return __shfl_sync(~0u, of_warps - own, warp) + to_here - value;
  }
{% endblock %}

{% block kernels %}
{%- if !leaves_buckets %}

extern "C" __global__ void __launch_bounds__({{ samples.threads }}{% if buckets_per_thread > 1 %}, sortsmith::{{ base.name }}::kResidentSampleBlocks{% endif %})
{{ base.name }}_samples(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
{%- if counted && of_rows %}
  if (sortsmith::{{ base.name }}::is_row_left_out(arguments)) return;
{%- else if counted %}
  const sortsmith::{{ base.name }}::Arguments counted = sortsmith::{{ base.name }}::of_count(arguments);
  if (sortsmith::{{ base.name }}::is_left_out(sortsmith::{{ base.name }}::samples_come_first(counted.n) ? sortsmith::{{ base.name }}::sample_blocks(counted.n) : 0)) return;
{%- endif %}
  sortsmith::{{ base.name }}::find_splitters({% if of_rows %}sortsmith::{{ base.name }}::of_row(arguments){% else if counted %}counted{% else %}arguments{% endif %}, sortsmith_shared);
}
{%- endif %}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_blocks }})
{{ base.name }}_split(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
{%- if counted && of_rows %}
  if (sortsmith::{{ base.name }}::is_row_left_out(arguments)) return;
{%- else if counted %}
  const sortsmith::{{ base.name }}::Arguments counted = sortsmith::{{ base.name }}::of_count(arguments);
  if (sortsmith::{{ base.name }}::is_left_out(sortsmith::{{ base.name }}::tile_count(counted.n))) return;
{%- endif %}
  sortsmith::{{ base.name }}::split({% if of_rows %}sortsmith::{{ base.name }}::of_row(arguments){% else if counted %}counted{% else %}arguments{% endif %}, sortsmith_shared);
}
{%- if !leaves_buckets %}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_blocks }})
{{ base.name }}_buckets(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
{%- if counted && of_rows %}
  if (sortsmith::{{ base.name }}::is_row_left_out(arguments)) return;
{%- else if counted %}
  const sortsmith::{{ base.name }}::Arguments counted = sortsmith::{{ base.name }}::of_count(arguments);
  if (sortsmith::{{ base.name }}::is_left_out(counted.n > 0 ? sortsmith::{{ base.name }}::bucket_count(counted.n) : 0)) return;
{%- endif %}
  sortsmith::{{ base.name }}::sort_bucket({% if of_rows %}sortsmith::{{ base.name }}::of_row(arguments){% else if counted %}counted{% else %}arguments{% endif %}, sortsmith_shared);
}
{%- endif %}
{% endblock %}
