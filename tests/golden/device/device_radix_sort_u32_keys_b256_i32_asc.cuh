// device_radix_sort_u32_keys_b256_i32_asc
//
// Sorts u32 keys, ascending: an array of any length, by a radix sort over the
// whole device, 8 bits a pass. Stable: equal keys keep their input order.
//
// One read of all keys counts every pass's digits (kernel _count); the counts become the first place of each digit, and
// a pass whose digit is the same in all keys is left out (_plan). Each pass then moves the items once (_pass): a block
// ranks a tile in shared memory, learns from the tiles before it where its digits begin, and writes them there. Where
// the result then lies elsewhere, it is copied (_finish). The host makes the same launches whatever the keys are:
//
//   cudaMemsetAsync(workspace, 0, zeroed_bytes(n), stream);
//   device_radix_sort_u32_keys_b256_i32_asc_count <<<any, 1024, 65536, stream>>>(arguments);
//   device_radix_sort_u32_keys_b256_i32_asc_plan  <<<1, 256, 0, stream>>>(arguments);
//   device_radix_sort_u32_keys_b256_i32_asc_pass  <<<ceil(n / 8192), 256, 33828, stream>>>(arguments, pass);  // pass = 0, 1, ... pass_count(begin_bit, end_bit) - 1
//   device_radix_sort_u32_keys_b256_i32_asc_finish<<<any, any, 0, stream>>>(arguments);
//
// Made by sortsmith 0.1.0 from the template device_radix_sort.
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

// The lanes of the warp whose digit is the same as this lane's, by one ballot for each bit. All 32 lanes call it.
template <int kBits>
__device__ __forceinline__ unsigned int lanes_of_same_digit(unsigned int digit) {
  unsigned int same = ~0u;
#pragma unroll
  for (int bit = 0; bit < kBits; ++bit) {
    const bool set = (digit >> bit) & 1u;
    const unsigned int votes = __ballot_sync(~0u, set);
    same &= set ? votes : ~votes;
  }
  return same;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_POLL
#define SORTSMITH_V0_1_0_POLL
namespace sortsmith {
inline namespace v0_1_0 {

// Reads a word that another block writes with `publish`, and nothing else with it: flag and number are one word.
__device__ __forceinline__ unsigned int poll(const unsigned int* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned int*>(word), 0u);
#endif
}

__device__ __forceinline__ unsigned long long poll(const unsigned long long* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned long long*>(word), 0ull);
#endif
}

// Writes a word that other blocks poll.
__device__ __forceinline__ void publish(unsigned int* word, unsigned int value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}

__device__ __forceinline__ void publish(unsigned long long* word, unsigned long long value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_PACKED_POSITIONS
#define SORTSMITH_V0_1_0_PACKED_POSITIONS
namespace sortsmith {
inline namespace v0_1_0 {

// Positions below 65,536 of a thread's items, two in a register. Indices are constants of unrolled loops.
template <int kItems>
struct PackedPositions {
  unsigned int words[(kItems + 1) / 2];

  __device__ __forceinline__ void set(int item, unsigned int position) {
    words[item / 2] = item % 2 ? words[item / 2] | position << 16 : position;
  }
  // The sum stays below 65,536.
  __device__ __forceinline__ void add(int item, unsigned int offset) {
    words[item / 2] += item % 2 ? offset << 16 : offset;
  }
  __device__ __forceinline__ unsigned int get(int item) const {
    return item % 2 ? words[item / 2] >> 16 : words[item / 2] & 0xffffu;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U32_KEYS_B256_I32_ASC
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U32_KEYS_B256_I32_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct device_radix_sort_u32_keys_b256_i32_asc {
  using Key = unsigned int;
  using Value = NullType;
  // Counts and places in the array.
  using Count = unsigned int;

  static constexpr int kBlockThreads = 256;
  static constexpr int kItemsPerThread = 32;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kRadixBits = 8;
  static constexpr int kKeyBits = 32;
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // The shared memory of a block of _pass and of _count.
  static constexpr unsigned int kSharedBytes = 33828;
  static constexpr unsigned int kCountSharedBytes = 65536;
  // More items than this need the sort of the same name with `_wide`.
  static constexpr unsigned long long kMaxItems = 1073741823ull;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // Read by the first pass, and written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Scratch.
    Key* keys_alternate;
    // The same of values, where the sort has any; values_in is not read.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n), aligned to 4; the first zeroed_bytes(n) of them zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.
    int begin_bit;
    int end_bit;
    // Whether the last pass writes keys: 1, or 0 where only values are wanted.
    int writes_keys;
  };

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned int;
  // In memory they take no more bytes than the keys.
  using StoredBits = unsigned int;
  static constexpr unsigned int kWarps = kBlockThreads / 32;

  // Which passes there are to do; all in the workspace's first bytes, zero to begin with.
  struct Control {
    // How many passes move anything.
    int executed;
    // Of each pass: its place among those, from 1 on; 0 for one that moves nothing.
    int ordinals[kMaxPasses];
    // Tiles that a block of the pass has taken.
    unsigned int tickets[kMaxPasses];
    // Of each pass: how many keys have each digit; then the place of the first of them.
    Count bins[kMaxPasses][kBins];
  };
  static_assert(sizeof(Control) == 4132, "the workspace is laid out as planned");

  // What a block of a pass keeps in shared memory.
  struct PassStorage {
    union {
      struct {
        // For each warp and digit: items so far, then the position of the next one in the tile.
        unsigned int histograms[kWarps][kBins];
        // For each warp and digit: lanes of the row that have it.
        unsigned int masks[kWarps][kBins];
      } rank;
      // The tile in the order of its digits.
      StoredBits keys[kTileItems];
    };
    // For each digit: what to add to a position in the tile to make it one in the array.
    Count offsets[kBins];
    unsigned int warp_totals[kBins / 32];
    unsigned int tile;
  };
  static_assert(sizeof(PassStorage) == kSharedBytes, "the storage is laid out as planned");

 public:
  // Passes over this range of bits.
  static __host__ __device__ constexpr int pass_count(int begin_bit, int end_bit) {
    return (end_bit - begin_bit + kRadixBits - 1) / kRadixBits;
  }
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return sizeof(Control) + (n + kTileItems - 1) / kTileItems * kBins * sizeof(Count);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) { return zeroed_bytes(n); }

  // Counts the digits of all passes in one read of the keys. Lanes have counters of their own, so that they do not meet
  // in a bank or at an address, whatever the digits are: 16 columns, lane l's being l % 16.
  static __device__ __forceinline__ void count_digits(const Arguments& arguments, unsigned int* counters) {
    constexpr unsigned int kColumns = 16;
    constexpr int kUnrolled = 16;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    const unsigned int column = threadIdx.x % kColumns;
    for (unsigned int i = threadIdx.x; i < passes * kBins * kColumns; i += blockDim.x) counters[i] = 0;
    __syncthreads();

    const auto count_key = [&](Key key) {
      const Bits bits = to_ordered_bits(key);
#pragma unroll
      for (int pass = 0; pass < kMaxPasses; ++pass) {
        if (pass < passes) {
          const int bit = arguments.begin_bit + pass * kRadixBits;
          const unsigned int digit = digit_of(bits, bit, digit_bits(arguments, pass));
          atomicAdd(&counters[(pass * kBins + digit) * kColumns + column], 1u);
        }
      }
    };
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + (kUnrolled - 1) * stride < arguments.n; i += kUnrolled * stride) {
      Key keys[kUnrolled];
#pragma unroll
      for (int k = 0; k < kUnrolled; ++k) keys[k] = arguments.keys_in[i + k * stride];
#pragma unroll
      for (int k = 0; k < kUnrolled; ++k) count_key(keys[k]);
    }
    for (; i < arguments.n; i += stride) count_key(arguments.keys_in[i]);
    __syncthreads();

    Count* bins = &control_of(arguments).bins[0][0];
    for (unsigned int bin = threadIdx.x; bin < passes * kBins; bin += blockDim.x) {
      unsigned int sum = 0;
      // Each lane begins at another column: neighbouring bins would meet in a bank.
      for (unsigned int c = 0; c < kColumns; ++c) sum += counters[bin * kColumns + (c + bin) % kColumns];
      if (sum > 0) atomicAdd(&bins[bin], static_cast<Count>(sum));
    }
  }

  // Makes each pass's counts the place of the digit's first key, and finds the passes that move nothing because all
  // keys have the same digit. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    __shared__ Count warp_totals[kBins / 32];
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const unsigned int lane = bin % 32;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    for (int pass = 0; pass < passes; ++pass) {
      const Count count = control.bins[pass][bin];
      Count inclusive = count;
#pragma unroll
      for (unsigned int distance = 1; distance < 32; distance *= 2) {
        const Count below = __shfl_up_sync(~0u, inclusive, distance);
        if (lane >= distance) inclusive += below;
      }
      if (lane == 31) warp_totals[bin / 32] = inclusive;
      // Also orders the totals before their readers.
      const bool is_constant = __syncthreads_or(count == arguments.n);
      Count start = inclusive - count;
      for (unsigned int warp = 0; warp < bin / 32; ++warp) start += warp_totals[warp];
      control.bins[pass][bin] = start;
      executed += !is_constant;
      if (bin == 0) control.ordinals[pass] = is_constant ? 0 : executed;
      // All have read the totals.
      __syncthreads();
    }
    if (bin == 0) control.executed = executed;
  }

  // Sorts by one digit: takes a tile, ranks its items, finds where its digits begin in the array, writes them there.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int pass, unsigned char* shared) {
    Control& control = control_of(arguments);
    const int ordinal = control.ordinals[pass];
    if (ordinal == 0) return;
    const int executed = control.executed;
    const bool is_first = ordinal == 1;
    const bool to_scratch = writes_scratch(arguments, ordinal, executed);
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const int bit = arguments.begin_bit + pass * kRadixBits;
    const int bit_count = digit_bits(arguments, pass);

    // Tiles are taken in order, so that those before this one are done or being worked on: waiting for them ends.
    if (threadIdx.x == 0) storage.tile = atomicAdd(&control.tickets[pass], 1u);
    clear_histograms(storage);
    __syncthreads();
    const unsigned int tile = storage.tile;
    const Count tile_start = static_cast<Count>(tile) * kTileItems;
    const unsigned int valid_items =
        arguments.n - tile_start < kTileItems ? static_cast<unsigned int>(arguments.n - tile_start) : kTileItems;

    Bits bits[kItemsPerThread];
    load_keys(bits, (is_first ? arguments.keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate) + tile_start,
              valid_items);

    PackedPositions<kItemsPerThread> positions;
    rank_in_warp(storage, bits, positions, bit, bit_count);
    __syncthreads();

    // The first kBins threads have a digit each.
    Count* const descriptors = reinterpret_cast<Count*>(arguments.workspace + sizeof(Control));
    unsigned int count = 0;
    unsigned int start = 0;
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.rank.histograms[warp][threadIdx.x];
      publish_count(descriptors, tile, count, ordinal);
      start = inclusive_sum_in_warp(count, ~0u) - count;
      if (threadIdx.x % 32 == 31) storage.warp_totals[threadIdx.x / 32] = start + count;
    }
    __syncthreads();
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kBins / 32; ++warp) {
        if (warp < threadIdx.x / 32) start += storage.warp_totals[warp];
      }
      unsigned int position = start;
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        const unsigned int items = storage.rank.histograms[warp][threadIdx.x];
        storage.rank.histograms[warp][threadIdx.x] = position;
        position += items;
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      positions.add(i, storage.rank.histograms[threadIdx.x / 32][digit_of(bits[i], bit, bit_count)]);
    }
    // The histograms have been read; their bytes become the tile's.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) storage.keys[positions.get(i)] = static_cast<StoredBits>(bits[i]);

    if (threadIdx.x < kBins) {
      const Count before = sum_of_tiles_before(descriptors, tile, count, ordinal);
      storage.offsets[threadIdx.x] = control.bins[pass][threadIdx.x] + before - start;
    }
    __syncthreads();

    Key* const keys_out = to_scratch ? arguments.keys_alternate : arguments.keys_out;
    const bool writes_keys = arguments.writes_keys || ordinal < executed;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      const Bits ordered = storage.keys[position];
      const unsigned int digit = digit_of(ordered, bit, bit_count);
      if (writes_keys && position < valid_items) keys_out[storage.offsets[digit] + position] = to_key(ordered);
    }
  }

 private:  // The position in the tile of a thread's item: a warp reads neighbouring items, row by row.
  static __device__ __forceinline__ unsigned int loaded_position(int item) {
    return threadIdx.x / 32 * (32 * kItemsPerThread) + item * 32 + threadIdx.x % 32;
  }

  // Positions past the array's end get the greatest key, and so come last in the tile.
  static __device__ __forceinline__ void load_keys(Bits (&bits)[kItemsPerThread], const Key* keys, unsigned int valid_items) {
    if (valid_items == kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[loaded_position(i)]);
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        bits[i] = loaded_position(i) < valid_items ? to_ordered_bits(keys[loaded_position(i)]) : kAllBits;
      }
    }
  }

  static __device__ __forceinline__ void clear_histograms(PassStorage& storage) {
    const unsigned int warp = threadIdx.x / 32;
    for (unsigned int bin = threadIdx.x % 32; bin < kBins; bin += 32) {
      storage.rank.histograms[warp][bin] = 0;
      storage.rank.masks[warp][bin] = 0;
    }
  }

  // Counts the warp's items by digit, row by row, and gives each the number of its digit before it in the warp.
  //
  // The lanes of a row that share a digit find each other in the digit's mask, where each sets its bit: the cheapest way
  // while digits differ, but lanes that meet at one mask take turns. A warp whose first row has a crowded digit takes
  // ballots instead, which cost the same whatever the digits are.
  static __device__ __forceinline__ void rank_in_warp(PassStorage& storage, const Bits (&bits)[kItemsPerThread],
                                                      PackedPositions<kItemsPerThread>& ranks, int bit, int bit_count) {
    constexpr int kCrowd = 6;
    unsigned int (&histogram)[kBins] = storage.rank.histograms[threadIdx.x / 32];
    unsigned int (&masks)[kBins] = storage.rank.masks[threadIdx.x / 32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int lanes_below = (1u << lane) - 1u;
    const unsigned int first_row = lanes_of_same_digit<kRadixBits>(digit_of(bits[0], bit, bit_count));
    if (__any_sync(~0u, __popc(first_row) > kCrowd)) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        const unsigned int digit = digit_of(bits[i], bit, bit_count);
        count_row(histogram[digit], lanes_of_same_digit<kRadixBits>(digit), lanes_below, ranks, i);
      }
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        const unsigned int digit = digit_of(bits[i], bit, bit_count);
        atomicOr(&masks[digit], 1u << lane);
        __syncwarp();
        count_row(histogram[digit], masks[digit], lanes_below, ranks, i, &masks[digit]);
      }
    }
  }

  // One row of a warp: `same` are the lanes with this lane's digit, `before` is how many the warp has had of it. A mask
  // is cleared for the next row.
  static __device__ __forceinline__ void count_row(unsigned int& before, unsigned int same, unsigned int lanes_below,
                                                   PackedPositions<kItemsPerThread>& ranks, int item,
                                                   unsigned int* mask = nullptr) {
    const unsigned int count = before;
    const unsigned int same_below = same & lanes_below;
    ranks.set(item, count + __popc(same_below));
    // All lanes have read; the lowest of each digit writes for the next row.
    __syncwarp();
    if (same_below == 0) {
      before = count + __popc(same);
      if (mask) *mask = 0;
    }
    __syncwarp();
  }

  // A descriptor says of a tile and a digit how many items there are in this tile (kOwn) or in all tiles up to it (kUpTo).
  // Passes use the same descriptors without clearing them: the word for kUpTo alternates, so what the last pass left
  // counts as not yet written.
  static constexpr int kStateShift = 8 * sizeof(Count) - 2;
  static constexpr Count kNumber = (Count(1) << kStateShift) - 1;
  static constexpr Count kOwn = Count(3) << kStateShift;

  static __device__ __forceinline__ Count up_to(int ordinal) { return Count(ordinal % 2 + 1) << kStateShift; }

  static __device__ __forceinline__ void publish_count(Count* descriptors, unsigned int tile, unsigned int count, int ordinal) {
    Count* const descriptor = descriptors + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
    publish(descriptor, (tile == 0 ? up_to(ordinal) : kOwn) | count);
  }

  // How many items of the thread's digit are in the tiles before this one. Tells the tiles behind it, too.
  static __device__ __forceinline__ Count sum_of_tiles_before(Count* descriptors, unsigned int tile, unsigned int count,
                                                              int ordinal) {
    if (tile == 0) return 0;
    // As many tiles are asked at once: what they answer takes the time of one.
    constexpr unsigned int kAsked = 4;
    const Count last_state = up_to(ordinal);
    Count* const own = descriptors + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
    const Count* next = own - kBins;
    unsigned int left = tile;
    Count sum = 0;
    for (bool is_done = false; !is_done;) {
      Count answers[kAsked];
#pragma unroll
      for (unsigned int k = 0; k < kAsked; ++k) answers[k] = k < left ? poll(next - k * kBins) : 0;
#pragma unroll
      for (unsigned int k = 0; k < kAsked; ++k) {
        const Count state = answers[k] & ~kNumber;
        if (is_done || (state != kOwn && state != last_state)) break;
        sum += answers[k] & kNumber;
        next -= kBins;
        --left;
        is_done = state == last_state;
      }
    }
    publish(own, last_state | (sum + count));
    return sum;
  }

 public:

  // Copies the result to where it belongs, if no pass has written it there: in place after an odd number of passes, and
  // to other arrays after none.
  static __device__ __forceinline__ void finish(const Arguments& arguments) {
    const int executed = control_of(arguments).executed;
    const bool in_place = arguments.keys_in == arguments.keys_out;
    if (in_place ? executed % 2 == 0 : executed > 0) return;
    const bool from_scratch = executed > 0;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < arguments.n;
         i += stride) {
      if (arguments.writes_keys && (from_scratch || !in_place)) {
        arguments.keys_out[i] = from_scratch ? arguments.keys_alternate[i] : arguments.keys_in[i];
      }
    }
  }

 private:
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    return bits_as<StoredBits>(key);
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    return bits_as<Key>(static_cast<StoredBits>(ordered));
  }

  // The digit of `count` bits, at most kRadixBits, from `bit` up.
  static __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) {
    return static_cast<unsigned int>(ordered >> bit) & ((1u << count) - 1u);
  }

  static __device__ __forceinline__ Control& control_of(const Arguments& arguments) {
    return *reinterpret_cast<Control*>(arguments.workspace);
  }

  // How many bits pass number `pass` sorts by, from arguments.begin_bit + pass * kRadixBits up.
  static __device__ __forceinline__ int digit_bits(const Arguments& arguments, int pass) {
    const int left = arguments.end_bit - arguments.begin_bit - pass * kRadixBits;
    return left < kRadixBits ? left : kRadixBits;
  }

  // Whether the executed pass of this ordinal, of `executed` in all, writes to the scratch arrays. They take turns so
  // that the last one writes the result; in place, the first one cannot write there.
  static __device__ __forceinline__ bool writes_scratch(const Arguments& arguments, int ordinal, int executed) {
    return arguments.keys_in == arguments.keys_out ? ordinal % 2 == 1 : (executed - ordinal) % 2 == 1;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(1024)
device_radix_sort_u32_keys_b256_i32_asc_count(sortsmith::device_radix_sort_u32_keys_b256_i32_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u32_keys_b256_i32_asc::count_digits(arguments, reinterpret_cast<unsigned int*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__(256)
device_radix_sort_u32_keys_b256_i32_asc_plan(sortsmith::device_radix_sort_u32_keys_b256_i32_asc::Arguments arguments) {
  sortsmith::device_radix_sort_u32_keys_b256_i32_asc::plan_passes(arguments);
}

extern "C" __global__ void __launch_bounds__(256, 3)
device_radix_sort_u32_keys_b256_i32_asc_pass(sortsmith::device_radix_sort_u32_keys_b256_i32_asc::Arguments arguments, int pass) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u32_keys_b256_i32_asc::run_pass(arguments, pass, sortsmith_shared);
}

extern "C" __global__ void device_radix_sort_u32_keys_b256_i32_asc_finish(sortsmith::device_radix_sort_u32_keys_b256_i32_asc::Arguments arguments) {
  sortsmith::device_radix_sort_u32_keys_b256_i32_asc::finish(arguments);
}
#endif
