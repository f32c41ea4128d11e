// shard_merge_f64_index_b256_i12_desc_nanlast
//
// Merges ranks' f64 keys with their positions: finds where sorted runs
// are cut, and merges two ranges of them at a time. Stable: of equal keys those of the first range come first, and those of a range keep
// their order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs come last, in their input order.
//
//   run        sorted items of one rank
//   range      a part of a run
//   compared bits
//              what keys are compared by: their ordered bits in a range of bits, and zeros elsewhere
//   border     between the shares of two ranks, or two pieces of a share, in the order of all runs
//   splitter   of a border: the largest compared bits with no more items of all runs below them than are to be in front of the border
//   candidate  what a splitter may be: its known upper bits, a value of the next digit but zero, and zeros
//   tile       the merged items that a block makes at once: 3072
//
// Borders are found digit by digit from the upper end down, by all ranks in lock step: a round searches each run for all candidates, and the sums
// over the runs decide. Then ranges travel, and are merged two by two:
//
//   shard_merge_f64_index_b256_i12_desc_nanlast_positions<<<any, 256, 0, stream>>>(arguments);  // values of a shard, before it is sorted
//
//   splitters = 0
//   for each digit
//     shard_merge_f64_index_b256_i12_desc_nanlast_search<<<any, 256, 0, stream>>>(arguments);
//     sums = below, added over all ranks
//     shard_merge_f64_index_b256_i12_desc_nanlast_narrow<<<any, 256, 0, stream>>>(arguments);
//   shard_merge_f64_index_b256_i12_desc_nanlast_around<<<any, 256, 0, stream>>>(arguments);
//   shard_merge_f64_index_b256_i12_desc_nanlast_merge <<<any, 256, 31688, stream>>>(arguments);  // for each two ranges
//
// Each is given what it works on, and the bits that are compared. A digit does not begin below begin_bit. Merged items overlap no range.
//
// Made by sortsmith 0.1.0 from the template shard_merge; to make it again:
//   sortsmith emit --name shard_merge_f64_index_b256_i12_desc_nanlast --out .
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

// The threads of a warp.
constexpr unsigned int kWarpThreads = 32;

// A thread's number in its block:
//
//   | warp: all other bits | lane: 5 bits |
__device__ __forceinline__ unsigned int warp_of(unsigned int thread) { return thread / kWarpThreads; }
__device__ __forceinline__ unsigned int lane_of(unsigned int thread) { return thread % kWarpThreads; }

// The thread's lane in its warp, in blocks of any shape.
__device__ __forceinline__ unsigned int lane_of_thread() {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#else
  return lane_of(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
#endif
}

// The position of a thread's item where warps have neighbouring items, row by row:
//
//   | warp: kWarpThreads * kItems positions | item: kWarpThreads positions | lane |
template <int kItems>
__device__ __forceinline__ unsigned int warp_striped(unsigned int thread, int item) {
  return warp_of(thread) * (kWarpThreads * kItems) + item * kWarpThreads + lane_of(thread);
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_MERGE_PATH
#define SORTSMITH_V0_1_0_MERGE_PATH
namespace sortsmith {
inline namespace v0_1_0 {

// Of the first `count` items of two merged runs, how many are of the first run: a search along the diagonal of these (Odeh, Green, Mwassi,
// Shmueli, Birk: Merge path, 2012). `comes_first(i, j)` says whether item i of the first run comes before item j of the second one.
template <typename ComesFirst>
__device__ __forceinline__ unsigned int items_of_first_run(unsigned int first_items, unsigned int second_items, unsigned int count,
                                                           const ComesFirst& comes_first) {
  unsigned int least = count > second_items ? count - second_items : 0;
  unsigned int most = count < first_items ? count : first_items;
  while (least < most) {
    const unsigned int half = least + (most - least) / 2;
    if (comes_first(half, count - 1 - half)) {
      least = half + 1;
    } else {
      most = half;
    }
  }
  return least;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_GAPPED_SLOTS
#define SORTSMITH_V0_1_0_GAPPED_SLOTS
namespace sortsmith {
inline namespace v0_1_0 {

// The slots of a tile's positions in an array of shared memory. kGap slots are left out after every kPeriod, so that threads
// that read or write their own neighbouring items do not meet in a bank.
template <unsigned int kPeriod, unsigned int kGap>
struct GappedSlots {
  static __device__ __forceinline__ unsigned int of(unsigned int position) {
    return position + position / kPeriod * kGap;
  }

  // Slots of an array that holds `items` items.
  static __host__ __device__ constexpr unsigned int count(unsigned int items) { return items + (items - 1) / kPeriod * kGap; }

  // The slot a number of steps behind a position. Steps over complete gaps are all as long.
  template <unsigned int kStep>
  static __device__ __forceinline__ unsigned int of_step(unsigned int from, unsigned int steps) {
    if constexpr (kStep % kPeriod == 0) return of(from) + steps * of(kStep);
    return of(from + steps * kStep);
  }

  // The slot of a run's item i, of runs of kLength items that follow each other from the tile's beginning. Runs that divide
  // what is between two gaps have none within.
  template <unsigned int kLength>
  static __device__ __forceinline__ unsigned int of_run(unsigned int start, unsigned int i) {
    if constexpr (kPeriod % kLength == 0) return of(start) + i;
    return of(start + i);
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_SHARD_MERGE_F64_INDEX_B256_I12_DESC_NANLAST
#define SORTSMITH_V0_1_0_SHARD_MERGE_F64_INDEX_B256_I12_DESC_NANLAST
namespace sortsmith {
inline namespace v0_1_0 {

struct shard_merge_f64_index_b256_i12_desc_nanlast {
  using Key = double;
  using Value = unsigned long long;
  // Compared bits, and the bits of a key in memory.
  using Bits = unsigned long long;
  using StoredBits = unsigned long long;

  static constexpr unsigned int kBlockThreads = 256;
  static constexpr unsigned int kItemsPerThread = 12;
  static constexpr unsigned int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 64;
  // Values that a thread loads before it stores the first of them.
  static constexpr unsigned int kLoadedValues = 8;
  // The dynamic shared memory of a block of _merge.
  static constexpr unsigned int kSharedBytes = 31688;

  // What all kernels are given.
  struct Arguments {
    // The run's keys.
    const Key* keys;
    // Items of the run, or of the shard for _positions.
    unsigned long long n;
    // Where the positions of the shard's items go.
    Value* positions;
    // The position of the first of them over all ranks.
    unsigned long long first_position;
    // How many items of all runs are to be in front of each border.
    const unsigned long long* targets;
    // The known upper bits of each border's splitter.
    Bits* splitters;
    // For each candidate the run's items below it; those of a border lie together.
    unsigned long long* below;
    // The same, added over all runs.
    const unsigned long long* sums;
    // For each border the run's items below its splitter, and those equal to it.
    unsigned long long* around;
    // Borders.
    unsigned int borders;
    // Values of the digit but zero: candidates of a border.
    unsigned int digit_values;
    // The lowest bit of the digit.
    unsigned int shift;
    // The first of the bits that are compared.
    int begin_bit;
    // One past the last of them.
    int end_bit;
    // The keys of the first range: its items come first where keys are equal.
    const Key* first_keys;
    // The keys of the second range.
    const Key* second_keys;
    // The values of the first range.
    const Value* first_values;
    // The values of the second range.
    const Value* second_values;
    // Items of the first range.
    unsigned long long first_items;
    // Items of the second one.
    unsigned long long second_items;
    // Where the merged keys go.
    Key* merged_keys;
    // Where their values go.
    Value* merged_values;
  };

 private:
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: all bits of a negative key flipped, the sign of any other. Descending order is ascending order of
  // their complement: so equal keys keep their order here too.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    const Bits bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? kAllBits : kSign) ^ kAllBits;
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    const Bits bits = ordered ^ kAllBits;
    return bits_as<Key>(static_cast<StoredBits>(bits ^ (bits & kSign ? kSign : kAllBits)));
  }
  // Ordered bits of zeros, which are next to each other.
  static constexpr Bits kPositiveZero = kSign ^ kAllBits;
  static constexpr Bits kNegativeZero = (kSign - 1) ^ kAllBits;

  // What is compared of ordered bits: -0.0 as if it were +0.0, and a NaN as if it were greater than all numbers.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    // NaNs are beyond the infinities on either side.
    constexpr Bits kMaxNumber = 0xfff0000000000000;
    constexpr Bits kMinNumber = kMaxNumber ^ kAllBits;
    if (ordered > kMaxNumber || ordered < kMinNumber) return kAllBits;
    return ordered == kNegativeZero ? kPositiveZero : ordered;
  }

  // Neighbouring items of a thread and those of its neighbours lie in different banks.
  using Slots = GappedSlots<32, 1>;

  // A thread's items, one after the other in the order of the range that is sorted.
  template <unsigned int kItems>
  struct Items {
    Bits bits[kItems];
    unsigned int sources[kItems];
  };

  // The bits that are compared.
  static __device__ __forceinline__ Bits mask_of(const Arguments& arguments) {
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return 0;
    return bits == kKeyBits ? ~Bits(0) : ((Bits(1) << bits) - 1) << arguments.begin_bit;
  }

  static __device__ __forceinline__ bool is_less(Bits a, Bits b, Bits mask) {
    return (compared_bits(a) & mask) < (compared_bits(b) & mask);
  }

  template <unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void put_own(Storage& storage, unsigned int thread, const Items<kItems>& items) {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int slot = Slots::of(thread * kItems + i);
      storage.bits[slot] = static_cast<StoredBits>(items.bits[i]);
      storage.sources[slot] = static_cast<unsigned short>(items.sources[i]);
    }
  }

  // Merges two runs of the storage, the second one directly behind the first, from the diagonal on.
  template <unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void merge_own(const Storage& storage, unsigned int start, unsigned int first_items, unsigned int second_items,
                                                   unsigned int diagonal, Items<kItems>& items, Bits mask) {
    const auto bits_at = [&](unsigned int position) -> Bits { return storage.bits[Slots::of(position)]; };
    const auto comes_first = [&](unsigned int i, unsigned int j) {
      return !is_less(bits_at(start + first_items + j), bits_at(start + i), mask);
    };
    const unsigned int before = items_of_first_run(first_items, second_items, diagonal, comes_first);
    const unsigned int end = start + first_items;
    const unsigned int second_end = end + second_items;
    // What is past both runs is not used. It is read from where there is something.
    const unsigned int last = second_end - 1;
    unsigned int first = start + before;
    unsigned int second = end + diagonal - before;
    Bits first_bits = bits_at(first < last ? first : last);
    Bits second_bits = bits_at(second < last ? second : last);
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const bool is_first = second >= second_end || (first < end && !is_less(second_bits, first_bits, mask));
      const unsigned int taken = is_first ? first : second;
      items.bits[i] = is_first ? first_bits : second_bits;
      items.sources[i] = taken < last ? taken : last;
      const Bits next = bits_at(taken < last ? taken + 1 : last);
      first_bits = is_first ? next : first_bits;
      second_bits = is_first ? second_bits : next;
      first += is_first ? 1 : 0;
      second += is_first ? 0 : 1;
    }
  }

 public:
  // Finds the run's items below each candidate.
  static __device__ __forceinline__ void search_candidates(const Arguments& arguments) {
    const Bits mask = mask_of(arguments);
    const unsigned long long candidates = static_cast<unsigned long long>(arguments.borders) * arguments.digit_values;
    for (unsigned long long i = thread_of_grid(); i < candidates; i += threads_of_grid()) {
      const Bits upper = arguments.splitters[i / arguments.digit_values];
      const Bits bound = upper + (Bits(value_of(i, arguments.digit_values)) << arguments.shift);
      arguments.below[i] = items_before(arguments.keys, arguments.n, mask, [bound](Bits compared) { return compared < bound; });
    }
  }

  // Adds the digit to each splitter: the largest value of a candidate with no more items below it than the target. The sums of a border
  // ascend. So at most one thread finds itself the last one within the target, and it alone reads and writes the border's splitter.
  static __device__ __forceinline__ void narrow_splitters(const Arguments& arguments) {
    const unsigned long long candidates = static_cast<unsigned long long>(arguments.borders) * arguments.digit_values;
    for (unsigned long long i = thread_of_grid(); i < candidates; i += threads_of_grid()) {
      const unsigned long long border = i / arguments.digit_values;
      const unsigned long long target = arguments.targets[border];
      const unsigned int value = value_of(i, arguments.digit_values);
      if (arguments.sums[i] > target) continue;
      if (value < arguments.digit_values && arguments.sums[i + 1] <= target) continue;
      arguments.splitters[border] += Bits(value) << arguments.shift;
    }
  }

  // Finds the run's items below each splitter, and those equal to it.
  static __device__ __forceinline__ void find_around(const Arguments& arguments) {
    const Bits mask = mask_of(arguments);
    for (unsigned long long border = thread_of_grid(); border < arguments.borders; border += threads_of_grid()) {
      const Bits splitter = arguments.splitters[border];
      const unsigned long long below = items_before(arguments.keys, arguments.n, mask, [splitter](Bits compared) { return compared < splitter; });
      arguments.around[2 * border] = below;
      arguments.around[2 * border + 1] =
          items_before(arguments.keys + below, arguments.n - below, mask, [splitter](Bits compared) { return compared == splitter; });
    }
  }

  // Writes the positions of the shard's items over all ranks.
  static __device__ __forceinline__ void write_positions(const Arguments& arguments) {
    for (unsigned long long i = thread_of_grid(); i < arguments.n; i += threads_of_grid()) {
      arguments.positions[i] = arguments.first_position + i;
    }
  }

 private:
  // What a key is compared by.
  static __device__ __forceinline__ Bits compared_of(Key key, Bits mask) { return compared_bits(to_ordered_bits(key)) & mask; }

  static __device__ __forceinline__ unsigned long long thread_of_grid() {
    return static_cast<unsigned long long>(blockIdx.x) * kBlockThreads + threadIdx.x;
  }

  static __device__ __forceinline__ unsigned long long threads_of_grid() { return static_cast<unsigned long long>(gridDim.x) * kBlockThreads; }

  // The value of a candidate's digit. Candidates have numbers border * digit_values + value - 1.
  static __device__ __forceinline__ unsigned int value_of(unsigned long long candidate, unsigned int digit_values) {
    return static_cast<unsigned int>(candidate % digit_values) + 1;
  }

  // How many of n items come in front of the first one that is_before(compared) is false of: a search by halves in a sorted run.
  template <typename IsBefore>
  static __device__ __forceinline__ unsigned long long items_before(const Key* keys, unsigned long long n, Bits mask, const IsBefore& is_before) {
    unsigned long long least = 0, most = n;
    while (least < most) {
      const unsigned long long half = least + (most - least) / 2;
      if (is_before(compared_of(keys[half], mask))) {
        least = half + 1;
      } else {
        most = half;
      }
    }
    return least;
  }

 public:
  struct ItemStorage {
    StoredBits bits[Slots::count(kTileItems)];
    // For each merged item, where in the tile it came from.
    unsigned short sources[Slots::count(kTileItems)];
  };
  struct TempStorage {
    ItemStorage items;
    // How many items of the first range come before the tile, and before its end.
    unsigned long long splits[2];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // Merges the ranges, a tile of merged items at a time.
  static __device__ __forceinline__ void merge_ranges(const Arguments& arguments, TempStorage& storage) {
    const unsigned long long items = arguments.first_items + arguments.second_items;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kTileItems;
    for (unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems; start < items; start += stride) {
      const unsigned long long left = items - start;
      merge_tile(arguments, storage, start, left < kTileItems ? static_cast<unsigned int>(left) : kTileItems);
    }
  }

 private:
  // Of the first `count` items of two merged runs of an array, how many are of the first run: items_of_first_run for long runs, by all
  // lanes of a warp, which call it together. Each takes one of 32 probes that divide what is left, so that a few loads follow each other,
  // where a search by halves waits for memory some twenty times.
  static __device__ __forceinline__ unsigned long long split_of(const Key* first_run, unsigned long long first_items, const Key* second_run,
                                                                unsigned long long second_items, unsigned long long count, Bits mask) {
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned long long least = count > second_items ? count - second_items : 0;
    unsigned long long most = count < first_items ? count : first_items;
    while (least < most) {
      const unsigned long long step = (most - least + kWarpThreads - 1) / kWarpThreads;
      const unsigned long long probe = least + (lane + 1) * step - 1;
      const bool is_of_first = probe < most && !is_less(to_ordered_bits(second_run[count - 1 - probe]), to_ordered_bits(first_run[probe]), mask);
      // Items of the first run come first up to some probe.
      least += __popc(__ballot_sync(~0u, is_of_first)) * step;
      most = least + step - 1 < most ? least + step - 1 : most;
    }
    return least;
  }

  // Makes a tile: `count` merged items from item `start` on.
  static __device__ __forceinline__ void merge_tile(const Arguments& arguments, TempStorage& storage, unsigned long long start, unsigned int count) {
    const Bits mask = mask_of(arguments);
    // The first two warps, one for each end of the tile.
    const unsigned int warp = warp_of(threadIdx.x);
    if (warp < 2) {
      const unsigned long long split = split_of(arguments.first_keys, arguments.first_items, arguments.second_keys, arguments.second_items,
                                                start + (warp == 0 ? 0 : count), mask);
      if (lane_of(threadIdx.x) == 0) storage.splits[warp] = split;
    }
    // It is also behind the reads of the previous tile from the storage.
    __syncthreads();
    const unsigned long long first_items = arguments.first_items, second_items = arguments.second_items;
    const unsigned long long first_begin = storage.splits[0];
    const unsigned long long second_begin = start - first_begin;
    // A range that has arrived in part, for its rank has ended, is not sorted: whatever was found, nothing past a range's end is read.
    const unsigned long long second_rest = second_items - second_begin;
    const unsigned int least = count > second_rest ? count - static_cast<unsigned int>(second_rest) : 0;
    const unsigned long long first_rest = first_items - first_begin;
    const unsigned int most = count < first_rest ? count : static_cast<unsigned int>(first_rest);
    const unsigned long long found = storage.splits[1] < first_begin ? 0 : storage.splits[1] - first_begin;
    const unsigned int first_count = found < least ? least : found < most ? static_cast<unsigned int>(found) : most;
    load_tile(storage.items, arguments.first_keys + first_begin, arguments.second_keys + second_begin, first_count, count);
    __syncthreads();
    Items<kItemsPerThread> items;
    const unsigned int own = threadIdx.x * kItemsPerThread;
    merge_own(storage.items, 0, first_count, count - first_count, own < count ? own : count, items, mask);
    put_sources(storage.items, items);
    __syncthreads();
    Key* const keys_to = arguments.merged_keys + start;
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      const unsigned int slot = Slots::of(storage.items.sources[slot_of_row(i)]);
      if (position < count) keys_to[position] = to_key(storage.items.bits[slot]);
    }
    move_values(storage.items, arguments.first_values + first_begin, arguments.second_values + second_begin, first_count,
                arguments.merged_values + start, count);
  }

  // The item at a position of the tile, in which those of the first range lie in front.
  template <typename Item>
  static __device__ __forceinline__ Item item_at(const Item* first, const Item* second, unsigned int first_count, unsigned int position) {
    const bool is_first = position < first_count;
    return (is_first ? first : second)[is_first ? position : position - first_count];
  }

  // The slot of position row * kBlockThreads + threadIdx.x.
  static __device__ __forceinline__ unsigned int slot_of_row(unsigned int row) { return Slots::of_step<kBlockThreads>(threadIdx.x, row); }

  // Loads the ordered bits of a tile. All loads of a thread are under way before it stores the first of them. Past the end the last item is
  // loaded again, so that no load waits for a branch.
  static __device__ __forceinline__ void load_tile(ItemStorage& storage, const Key* first, const Key* second, unsigned int first_count,
                                                   unsigned int count) {
    Key keys[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      keys[i] = item_at(first, second, first_count, position < count ? position : count - 1);
    }
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      storage.bits[slot_of_row(i)] = static_cast<StoredBits>(to_ordered_bits(keys[i]));
    }
  }

  // Writes where a thread's merged items came from. Their bits stay where they are.
  static __device__ __forceinline__ void put_sources(ItemStorage& storage, const Items<kItemsPerThread>& items) {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      storage.sources[Slots::of(threadIdx.x * kItemsPerThread + i)] = static_cast<unsigned short>(items.sources[i]);
    }
  }

  // Moves the values of a merged tile, some of a thread's at once. What is past its end has the source of some item.
  static __device__ __forceinline__ void move_values(const ItemStorage& storage, const Value* first, const Value* second,
                                                     unsigned int first_count, Value* values_to, unsigned int count) {
#pragma unroll
    for (unsigned int begin = 0; begin < kItemsPerThread; begin += kLoadedValues) {
      Value values[kLoadedValues];
#pragma unroll
      for (unsigned int i = 0; i < kLoadedValues; ++i) {
        if (begin + i >= kItemsPerThread) continue;
        values[i] = item_at(first, second, first_count, storage.sources[slot_of_row(begin + i)]);
      }
#pragma unroll
      for (unsigned int i = 0; i < kLoadedValues; ++i) {
        if (begin + i >= kItemsPerThread) continue;
        const unsigned int position = (begin + i) * kBlockThreads + threadIdx.x;
        if (position < count) values_to[position] = values[i];
      }
    }
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(256)
shard_merge_f64_index_b256_i12_desc_nanlast_positions(sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::Arguments arguments) {
  sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::write_positions(arguments);
}

extern "C" __global__ void __launch_bounds__(256)
shard_merge_f64_index_b256_i12_desc_nanlast_search(sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::Arguments arguments) {
  sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::search_candidates(arguments);
}

extern "C" __global__ void __launch_bounds__(256)
shard_merge_f64_index_b256_i12_desc_nanlast_narrow(sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::Arguments arguments) {
  sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::narrow_splitters(arguments);
}

extern "C" __global__ void __launch_bounds__(256)
shard_merge_f64_index_b256_i12_desc_nanlast_around(sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::Arguments arguments) {
  sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::find_around(arguments);
}

// Merges wait for memory most of the time, the less the more blocks there are. No multiprocessor of sm_75 has as many threads.
extern "C" __global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
__launch_bounds__(256)
#else
__launch_bounds__(256, 4)
#endif
shard_merge_f64_index_b256_i12_desc_nanlast_merge(sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Merge = sortsmith::shard_merge_f64_index_b256_i12_desc_nanlast;
  Merge::merge_ranges(arguments, *reinterpret_cast<Merge::TempStorage*>(sortsmith_shared));
}
#endif
