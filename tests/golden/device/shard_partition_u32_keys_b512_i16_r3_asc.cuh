// shard_partition_u32_keys_b512_i16_r3_asc
//
// Partitions a rank's u32 keys: into buckets
// that go to other ranks. Stable: the items of a bucket keep their order.
//
//   shard      the items of one rank
//   compared bits
//              what keys are compared by: their ordered bits in a range, and zeros elsewhere
//   splitter   the least compared bits of a bucket
//   tile       the items that a block counts or moves: 8192
//
// Samples of all ranks, sorted, give the splitters. Where successive ones are equal the second is increased, so that a bucket of equal keys
// lies between: such a bucket may be divided anywhere, since it is in order as it is. One kernel counts each tile's items of each bucket,
// and an exclusive scan of these counts says where the tile's items go, so that no block waits for another one:
//
//   shard_partition_u32_keys_b512_i16_r3_asc_samples  <<<any, 512, 0, stream>>>(arguments);
//   // The ranks exchange samples, and each sorts all of them.
//   shard_partition_u32_keys_b512_i16_r3_asc_splitters<<<1, 512, 0, stream>>>(arguments);
//   shard_partition_u32_keys_b512_i16_r3_asc_count    <<<tiles, 512, 4128, stream>>>(arguments);
//   shard_partition_u32_keys_b512_i16_r3_asc_scan     <<<buckets, 512, 0, stream>>>(arguments);
//   // The ranks exchange totals, and the hosts make destinations.
//   shard_partition_u32_keys_b512_i16_r3_asc_scatter  <<<tiles, 512, 41696, stream>>>(arguments);
//
// tiles = n / 8192, rounded up; offsets has buckets * tiles numbers. buckets is at most 8.
//
// Made by sortsmith 0.1.0 from the template shard_partition; to make it again:
//   sortsmith emit --name shard_partition_u32_keys_b512_i16_r3_asc --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#ifndef SORTSMITH_V0_1_0_NULL_TYPE
#define SORTSMITH_V0_1_0_NULL_TYPE
namespace sortsmith {
inline namespace v0_1_0 {

// The value type of a sort of keys alone.
struct NullType {};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BITS
#define SORTSMITH_V0_1_0_BITS
namespace sortsmith {
inline namespace v0_1_0 {

// The same bits as another type of the same size.
template <typename To, typename From>
__device__ __forceinline__ To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bits_as keeps the size");
  return __builtin_bit_cast(To, from);
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_WARP_LANES
#define SORTSMITH_V0_1_0_WARP_LANES
namespace sortsmith {
inline namespace v0_1_0 {

// A thread's number in its block:
//
//   | warp: all other bits | lane: 5 bits |
__device__ __forceinline__ unsigned int warp_of(unsigned int thread) { return thread / 32; }
__device__ __forceinline__ unsigned int lane_of(unsigned int thread) { return thread % 32; }

// The position of a thread's item where warps have neighbouring items, row by row:
//
//   | warp: 32 * kItems positions | item: 32 positions | lane |
template <int kItems>
__device__ __forceinline__ unsigned int warp_striped(unsigned int thread, int item) {
  return warp_of(thread) * (32 * kItems) + item * 32 + lane_of(thread);
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_WARP
#define SORTSMITH_V0_1_0_WARP
namespace sortsmith {
inline namespace v0_1_0 {

// Adds up `value` over the lanes at or below this one. All lanes of `lanes`, a mask without gaps from lane 0 up, call it.
__device__ __forceinline__ unsigned int inclusive_sum_in_warp(unsigned int value, unsigned int lanes) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // The shuffle's own predicate says whether there is a lane that far below.
    asm volatile(
        "{\n"
        "  .reg .u32 below;\n"
        "  .reg .pred exists;\n"
        "  shfl.sync.up.b32 below|exists, %0, %1, 0, %2;\n"
        "  @exists add.u32 %0, %0, below;\n"
        "}"
        : "+r"(value)
        : "r"(distance), "r"(lanes));
#else
    const unsigned int below = __shfl_up_sync(lanes, value, distance);
    const int lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
    if (lane >= distance) value += below;
#endif
  }
  return value;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BALLOT_MATCH
#define SORTSMITH_V0_1_0_BALLOT_MATCH
namespace sortsmith {
inline namespace v0_1_0 {

// The lanes of the warp with the same digit as this lane's, by one ballot for each bit. All 32 lanes call it.
template <int kBits>
__device__ __forceinline__ unsigned int lanes_of_same_digit(unsigned int digit) {
  unsigned int same = ~0u;
#pragma unroll
  for (int bit = 0; bit < kBits; ++bit) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // One predicate for both uses of the bit, which the compiler does not find by itself: 3 instructions a bit, not 7.
    asm volatile(
        "{\n"
        "  .reg .pred set;\n"
        "  .reg .b32 word;\n"
        "  and.b32 word, %1, %2;\n"
        "  setp.ne.u32 set, word, 0;\n"
        "  vote.sync.ballot.b32 word, set, 0xffffffff;\n"
        "  @!set not.b32 word, word;\n"
        "  and.b32 %0, %0, word;\n"
        "}"
        : "+r"(same)
        : "r"(digit), "r"(1u << bit));
#else
    const bool set = (digit >> bit) & 1u;
    const unsigned int votes = __ballot_sync(~0u, set);
    same &= set ? votes : ~votes;
#endif
  }
  return same;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_WARP_SCANS
#define SORTSMITH_V0_1_0_WARP_SCANS
namespace sortsmith {
inline namespace v0_1_0 {

// A block-wide exclusive sum: by shuffles within each warp, then over the totals of the warps below.
// One barrier where there is more than one warp. The storage may be written again after the next barrier.
template <int kThreads>
struct WarpScans {
  static constexpr unsigned int kWarps = (kThreads + 31) / 32;
  static constexpr unsigned int kLastWarpLanes = ~0u >> (kWarps * 32 - kThreads);

  struct Storage {
    unsigned int warp_totals[kWarps];
  };

  // Returns the sum over the threads below this one; `total` becomes the sum over all.
  static __device__ __forceinline__ unsigned int exclusive_sum(Storage& storage, unsigned int thread, unsigned int value,
                                                               unsigned int& total) {
    const unsigned int warp = warp_of(thread);
    const unsigned int inclusive = inclusive_sum_in_warp(value, warp == kWarps - 1 ? kLastWarpLanes : ~0u);
    if (lane_of(thread) == 31 || thread == kThreads - 1) storage.warp_totals[warp] = inclusive;
    if constexpr (kWarps > 1) {
      __syncthreads();
    } else {
      __syncwarp(kLastWarpLanes);
    }
    unsigned int below = 0;
    total = 0;
#pragma unroll
    for (unsigned int other = 0; other < kWarps; ++other) {
      if (other == warp) below = total;
      total += storage.warp_totals[other];
    }
    return below + inclusive - value;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_SHARD_PARTITION_U32_KEYS_B512_I16_R3_ASC
#define SORTSMITH_V0_1_0_SHARD_PARTITION_U32_KEYS_B512_I16_R3_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct shard_partition_u32_keys_b512_i16_r3_asc {
  using Key = unsigned int;
  using Value = NullType;

  static constexpr int kBlockThreads = 512;
  static constexpr int kItemsPerThread = 16;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  // Compared bits, and the bits of a key in memory.
  using Bits = unsigned int;
  using StoredBits = unsigned int;
  static constexpr unsigned int kBucketBits = 3;
  static constexpr unsigned int kMaxBuckets = 1u << kBucketBits;
  // The shared memory of blocks.
  static constexpr unsigned int kCountSharedBytes = 4128;
  static constexpr unsigned int kScatterSharedBytes = 41696;

 private:
  static constexpr unsigned int kWarps = kBlockThreads / 32;
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    return bits_as<StoredBits>(key);
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    return bits_as<Key>(static_cast<StoredBits>(ordered));
  }

  // What is compared of ordered bits: all of them.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) { return ordered; }

 public:
  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The shard's keys.
    const Key* keys;
    // Its values, where they are read.
    const Value* values;
    // Items of the shard.
    unsigned long long n;
    // The position of the first of them over all ranks.
    unsigned long long first_position;
    // Where the samples of the shard go.
    Bits* samples;
    // How many there is room for, the same on all ranks.
    unsigned int sample_slots;
    // How many of these are of the shard; the others are behind all of them.
    unsigned int sample_count;
    // Which positions are sampled.
    unsigned int seed;
    // Buckets.
    unsigned int buckets;
    // The samples of all ranks, sorted.
    const Bits* sorted_samples;
    // Which of these each bucket but the first begins with, ascending.
    const unsigned int* targets;
    // The least compared bits of each bucket.
    Bits* splitters;
    // For each bucket the items that each tile has, then those in front of each tile.
    unsigned long long* offsets;
    // The items of each bucket; behind those of kMaxBuckets, whether its keys are equal.
    unsigned long long* totals;
    // Where each bucket's first key goes; behind those of kMaxBuckets, where its first value goes.
    const unsigned long long* destinations;
    // The first of the bits that are compared.
    int begin_bit;
    // One past the last of them.
    int end_bit;
  };

 private:
  // The bits that are compared.
  static __device__ __forceinline__ Bits mask_of(const Arguments& arguments) {
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return 0;
    return bits == kKeyBits ? Bits(kAllBits) : ((Bits(1) << bits) - 1) << arguments.begin_bit;
  }

  // What a key is compared by.
  static __device__ __forceinline__ Bits order_of(Key key, Bits mask) { return compared_bits(to_ordered_bits(key)) & mask; }

  // A number that neighbouring samples do not share.
  static __device__ __forceinline__ unsigned int mixed(unsigned int number) {
    number = (number ^ (number >> 16)) * 0x7feb352du;
    number = (number ^ (number >> 15)) * 0x846ca68bu;
    return number ^ (number >> 16);
  }

 public:
  // Reads a key of each of as many equal ranges of the shard as there are samples, at a position that the seed decides. Slots behind the last
  // sample get the max order.
  static __device__ __forceinline__ void take_samples(const Arguments& arguments) {
    const unsigned int slot = blockIdx.x * kBlockThreads + threadIdx.x;
    if (slot >= arguments.sample_slots) return;
    Bits order = ~Bits(0);
    if (slot < arguments.sample_count) {
      const unsigned long long begin = slot * arguments.n / arguments.sample_count;
      const unsigned long long end = (slot + 1ull) * arguments.n / arguments.sample_count;
      const unsigned long long position = begin + mixed(slot + arguments.seed) % (end - begin);
      order = order_of(arguments.keys[position], mask_of(arguments));
    }
    arguments.samples[slot] = order;
  }

  // Writes the splitters, and which buckets are of equal keys. One block.
  //
  // A splitter that is the one before it again is increased by the least that makes a difference: from the one before to it, there is a
  // bucket of equal keys. Behind the last bucket splitters have the max order.
  static __device__ __forceinline__ void pick_splitters(const Arguments& arguments) {
    const unsigned int bucket = threadIdx.x;
    if (bucket >= kMaxBuckets) return;
    const Bits max = mask_of(arguments);
    const Bits step = Bits(1) << (max == 0 ? 0 : arguments.begin_bit);
    const auto sample_of = [&](unsigned int other) { return arguments.sorted_samples[arguments.targets[other - 1]]; };
    const auto splitter_of = [&](unsigned int other) {
      if (other == 0) return Bits(0);
      if (other >= arguments.buckets) return ~Bits(0);
      const Bits sample = sample_of(other);
      const Bits before = other == 1 ? Bits(0) : sample_of(other - 1);
      return sample == before && sample < max ? sample + step : sample;
    };
    const Bits begin = splitter_of(bucket);
    arguments.splitters[bucket] = begin;
    const bool is_last = bucket + 1 == arguments.buckets;
    const bool is_equal = is_last ? begin == max : splitter_of(bucket + 1) - begin <= step;
    if (bucket >= arguments.buckets) arguments.totals[bucket] = 0;
    arguments.totals[kMaxBuckets + bucket] = bucket < arguments.buckets && is_equal;
  }

 private:
  // The bucket of each order, the last one with a splitter that is not above it.
  static __device__ __forceinline__ unsigned int bucket_of(const Bits* splitters, Bits order, unsigned int buckets) {
    unsigned int bucket = 0;
#pragma unroll
    for (unsigned int step = kMaxBuckets / 2; step > 0; step /= 2) {
      if (order >= splitters[bucket + step]) bucket += step;
    }
    // The max order is that of the splitters behind the last bucket, too.
    return bucket < buckets ? bucket : buckets - 1;
  }

  // A thread's keys, of neighbouring items of its warp row by row, and their buckets. Items behind the last one are of no bucket.
  template <typename Visit>
  static __device__ __forceinline__ void for_each_key(const Arguments& arguments, const Bits* splitters, const Visit& visit) {
    const unsigned long long tile_begin = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    const unsigned long long left = arguments.n - tile_begin;
    const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
    const unsigned int first = warp_striped<kItemsPerThread>(threadIdx.x, 0);
    const Key* const keys = arguments.keys + tile_begin + first;
    const Bits mask = mask_of(arguments);
    Key loaded[kItemsPerThread] = {};
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      if (first + 32 * item < valid_items) loaded[item] = keys[32 * item];
    }
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      visit(item, loaded[item], bucket_of(splitters, order_of(loaded[item], mask), arguments.buckets), first + 32 * item < valid_items);
    }
  }

 private:
  // Items of four buckets, those of even and of odd ones side by side, which a word of four counters of a byte each adds to:
  //
  //   even: | bucket 2: 16 bits | bucket 0: 16 bits |
  //   odd:  | bucket 3: 16 bits | bucket 1: 16 bits |
  struct FourCounts {
    unsigned int even, odd;
    __device__ __forceinline__ void add(unsigned int counters) {
      even += counters & 0x00ff00ffu;
      odd += counters >> 8 & 0x00ff00ffu;
    }
    __device__ __forceinline__ unsigned int of(unsigned int bucket) const { return (bucket % 2 == 0 ? even : odd) >> (bucket / 2 * 16) & 0xffffu; }
  };

 public:
  // What a block that counts has in shared memory.
  struct CountStorage {
    Bits splitters[kMaxBuckets];
    // For each thread a byte for each bucket, four buckets in a word, so that no thread waits for another one whatever the keys are.
    unsigned int counters[(kMaxBuckets + 3) / 4][kBlockThreads];
  };
  static_assert(sizeof(CountStorage) == kCountSharedBytes, "the storage is laid out as planned");

  // Counts the tile's items of each bucket.
  static __device__ __forceinline__ void count_tile(const Arguments& arguments, CountStorage& storage) {
    constexpr unsigned int kRows = (kMaxBuckets + 3) / 4;
    if (threadIdx.x < kMaxBuckets) storage.splitters[threadIdx.x] = arguments.splitters[threadIdx.x];
#pragma unroll
    for (unsigned int row = 0; row < kRows; ++row) storage.counters[row][threadIdx.x] = 0;
    __syncthreads();
    unsigned char* const counters = reinterpret_cast<unsigned char*>(&storage.counters[0][threadIdx.x]);
    for_each_key(arguments, storage.splitters, [&](int, Key, unsigned int bucket, bool is_valid) {
      counters[bucket / 4 * (4 * kBlockThreads) + bucket % 4] += is_valid;
    });
    __syncthreads();
    // A warp adds up the counters of four buckets.
    static_assert(kTileItems < 1 << 16, "a count is half a word");
    for (unsigned int row = warp_of(threadIdx.x); row < kRows; row += kWarps) {
      FourCounts counts = {};
#pragma unroll
      for (unsigned int thread = 0; thread < kBlockThreads; thread += 32) counts.add(storage.counters[row][thread + lane_of(threadIdx.x)]);
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
        counts.even += __shfl_xor_sync(~0u, counts.even, distance);
        counts.odd += __shfl_xor_sync(~0u, counts.odd, distance);
      }
      const unsigned int lane = lane_of(threadIdx.x);
      const unsigned int bucket = 4 * row + lane;
      if (lane < 4 && bucket < arguments.buckets) {
        arguments.offsets[static_cast<unsigned long long>(bucket) * gridDim.x + blockIdx.x] = counts.of(lane);
      }
    }
  }

  // Makes the counts of a bucket, one for each tile, the numbers of its items in front of each tile.
  static __device__ __forceinline__ void scan_bucket(const Arguments& arguments) {
    constexpr unsigned int kColumns = 8;
    __shared__ typename WarpScans<kBlockThreads>::Storage sums;
    const unsigned int tiles = static_cast<unsigned int>((arguments.n + kTileItems - 1) / kTileItems);
    unsigned long long* const offsets = arguments.offsets + static_cast<unsigned long long>(blockIdx.x) * tiles;
    unsigned long long before = 0;
    for (unsigned int start = 0; start < tiles; start += kColumns * kBlockThreads) {
      const unsigned int first = start + threadIdx.x * kColumns;
      unsigned int counts[kColumns];
      unsigned int sum = 0;
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
        counts[i] = first + i < tiles ? static_cast<unsigned int>(offsets[first + i]) : 0;
        sum += counts[i];
      }
      unsigned int total;
      unsigned long long offset = before + WarpScans<kBlockThreads>::exclusive_sum(sums, threadIdx.x, sum, total);
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
        if (first + i < tiles) offsets[first + i] = offset;
        offset += counts[i];
      }
      before += total;
      // All have read the sums.
      __syncthreads();
    }
    if (threadIdx.x == 0) arguments.totals[blockIdx.x] = before;
  }

 private:

 private:
  // Of an item of a tile, its bucket, and how many of its warp's items in front of it are of the same:
  //
  //   | bucket: 16 bits | rank: 16 bits |
  struct RankedItem {
    unsigned int bits;
    static __device__ __forceinline__ RankedItem pack(unsigned int bucket, unsigned int rank) { return {bucket << 16 | rank}; }
    __device__ __forceinline__ unsigned int bucket() const { return bits >> 16; }
    __device__ __forceinline__ unsigned int rank() const { return bits & 0xffffu; }
  };

 public:
  // What a block that moves items has in shared memory.
  struct ScatterStorage {
    union {
      // The tile by buckets.
      Key keys[kTileItems];
    };
    Bits splitters[kMaxBuckets];
    // Where the item in front of all of the tile would go, if it were of the bucket.
    unsigned long long keys_to[kMaxBuckets];
    unsigned long long values_to[kMaxBuckets];
    // Each warp's items of a bucket, then the offset of its next one.
    unsigned int offsets[kWarps][kMaxBuckets];
    typename WarpScans<kBlockThreads>::Storage sums;
    unsigned char buckets[kTileItems];
  };
  static_assert(sizeof(ScatterStorage) == kScatterSharedBytes, "the storage is laid out as planned");

  // Moves the items of a tile to their buckets' destinations.
  static __device__ __forceinline__ void scatter_tile(const Arguments& arguments, ScatterStorage& storage) {
    if (threadIdx.x < kMaxBuckets) storage.splitters[threadIdx.x] = arguments.splitters[threadIdx.x];
    unsigned int* const of_warp = storage.offsets[warp_of(threadIdx.x)];
#pragma unroll 1
    for (unsigned int bucket = lane_of(threadIdx.x); bucket < kMaxBuckets; bucket += 32) of_warp[bucket] = 0;
    __syncthreads();
    Key keys[kItemsPerThread];
    RankedItem ranked[kItemsPerThread];
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1;
    for_each_key(arguments, storage.splitters, [&](int item, Key key, unsigned int bucket, bool is_valid) {
      keys[item] = key;
      // Items behind the last one are the last bucket's last ones.
      const unsigned int own = is_valid ? bucket : kMaxBuckets - 1;
      const unsigned int same = lanes_of_same_digit<kBucketBits>(own);
      const unsigned int before = of_warp[own];
      ranked[item] = RankedItem::pack(own, before + __popc(static_cast<int>(same & lanes_below)));
      // All lanes have read it.
      __syncwarp();
      if ((same & lanes_below) == 0) of_warp[own] = before + __popc(static_cast<int>(same));
      __syncwarp();
    });
    __syncthreads();
    find_offsets(arguments, storage);
    // In the tile by buckets.
    unsigned int offsets[kItemsPerThread];
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      offsets[item] = of_warp[ranked[item].bucket()] + ranked[item].rank();
      storage.keys[offsets[item]] = keys[item];
      storage.buckets[offsets[item]] = static_cast<unsigned char>(ranked[item].bucket());
    }
    __syncthreads();
    const unsigned long long tile_begin = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    const unsigned long long left = arguments.n - tile_begin;
    const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int offset = item * kBlockThreads + threadIdx.x;
      if (offset < valid_items) reinterpret_cast<Key*>(storage.keys_to[storage.buckets[offset]])[offset] = storage.keys[offset];
    }
  }

 private:
  // Makes the warps' counts the offsets of their first items of each bucket, and finds where buckets go. It ends with a barrier.
  static __device__ __forceinline__ void find_offsets(const Arguments& arguments, ScatterStorage& storage) {
    const unsigned int bucket = threadIdx.x;
    unsigned int size = 0;
    if (bucket < kMaxBuckets) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        const unsigned int count = storage.offsets[warp][bucket];
        storage.offsets[warp][bucket] = size;
        size += count;
      }
    }
    unsigned int total;
    const unsigned int offset = WarpScans<kBlockThreads>::exclusive_sum(storage.sums, bucket, size, total);
    if (bucket < kMaxBuckets) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) storage.offsets[warp][bucket] += offset;
      if (bucket < arguments.buckets) {
        // The difference may wrap, and the sum with an item's offset wraps back.
        const unsigned long long before = arguments.offsets[static_cast<unsigned long long>(bucket) * gridDim.x + blockIdx.x] - offset;
        storage.keys_to[bucket] = arguments.destinations[bucket] + before * sizeof(Key);
      }
    }
    __syncthreads();
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(512)
shard_partition_u32_keys_b512_i16_r3_asc_samples(sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::Arguments arguments) {
  sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::take_samples(arguments);
}

extern "C" __global__ void __launch_bounds__(512)
shard_partition_u32_keys_b512_i16_r3_asc_splitters(sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::Arguments arguments) {
  sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::pick_splitters(arguments);
}

extern "C" __global__ void __launch_bounds__(512)
shard_partition_u32_keys_b512_i16_r3_asc_count(sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Partition = sortsmith::shard_partition_u32_keys_b512_i16_r3_asc;
  Partition::count_tile(arguments, *reinterpret_cast<Partition::CountStorage*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(512)
shard_partition_u32_keys_b512_i16_r3_asc_scan(sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::Arguments arguments) {
  sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::scan_bucket(arguments);
}

extern "C" __global__ void __launch_bounds__(512, 2)
shard_partition_u32_keys_b512_i16_r3_asc_scatter(sortsmith::shard_partition_u32_keys_b512_i16_r3_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Partition = sortsmith::shard_partition_u32_keys_b512_i16_r3_asc;
  Partition::scatter_tile(arguments, *reinterpret_cast<Partition::ScatterStorage*>(sortsmith_shared));
}
#endif
