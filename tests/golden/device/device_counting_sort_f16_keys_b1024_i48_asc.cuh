// device_counting_sort_f16_keys_b1024_i48_asc
//
// Sorts f16 keys, ascending: each row of a matrix, by counting how often each key is
// there. Stable: equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
//   bin       the keys of the same bits; it is numbered by their ordered bits
//   mark      the number of a bin at the position of its first key in the sorted row
//   line      neighbouring positions that a warp writes at once
//   overflow  kOverflow keys of a bin, which its counter has handed over to a list
//
// One block sorts a row. It reads the row once and counts the keys of each bin, in shared memory. Then it makes the sorted row from the
// counts, tile by tile: threads that have neighbouring bins mark where these begin, and the bin of a position is the largest mark up
// to it. A bin that goes on in another line has a mark there too, so that each line is written by itself. The host's launch:
//
//   device_counting_sort_f16_keys_b1024_i48_asc_rows<<<dim3(1, rows), 1024, 230592, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_counting_sort; to make it again:
//   sortsmith emit --name device_counting_sort_f16_keys_b1024_i48_asc --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#include <cuda_fp16.h>

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

#ifndef SORTSMITH_V0_1_0_WARP
#define SORTSMITH_V0_1_0_WARP
namespace sortsmith {
inline namespace v0_1_0 {

// Adds up `value` over the lanes at or below this one. All lanes of `lanes`, a mask without gaps from lane 0 up, call it.
__device__ __forceinline__ unsigned int inclusive_sum_in_warp(unsigned int value, unsigned int lanes) {
#pragma unroll
  for (unsigned int distance = 1; distance < kWarpThreads; distance *= 2) {
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
    if (lane_of_thread() >= distance) value += below;
#endif
  }
  return value;
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
  static constexpr unsigned int kWarps = (kThreads + kWarpThreads - 1) / kWarpThreads;
  static constexpr unsigned int kLastWarpLanes = ~0u >> (kWarps * kWarpThreads - kThreads);

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

#ifndef SORTSMITH_V0_1_0_WARP_SUM
#define SORTSMITH_V0_1_0_WARP_SUM
namespace sortsmith {
inline namespace v0_1_0 {

// The sum over the lanes of a full warp, which all call it and all get it.
__device__ __forceinline__ unsigned int sum_in_warp(unsigned int value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(~0u, value, bit);
  return value;
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_GRID_ORDER
#define SORTSMITH_V0_1_0_GRID_ORDER
namespace sortsmith {
inline namespace v0_1_0 {

// On Hopper and later GPUs a kernel may be launched so that it begins before the one before it in the stream has ended.
// After any other launch, and on other GPUs, these calls do nothing.

// Returns once the kernel before has ended and all that it wrote can be read. Each kernel calls it, before it writes anything
// and before it reads more than what was there when the sort began. One that did not call it could end before those before it,
// and the kernel behind would wait for it alone.
__device__ __forceinline__ void wait_for_previous_grid() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

// Once all blocks have called it or ended, blocks of the next kernel take what room there is, and wait there.
__device__ __forceinline__ void let_next_grid_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_CLEAR_WORDS
#define SORTSMITH_V0_1_0_CLEAR_WORDS
namespace sortsmith {
inline namespace v0_1_0 {

// Sets an array in shared memory to zeros, 16 bytes at a time, by all threads of a block of kThreads. The loop is unrolled kUnrolled times:
// once where it has few rounds, for which an unrolled one takes more instructions to begin than there are.
template <int kBytes, int kThreads, int kUnrolled>
__device__ __forceinline__ void clear_words(void* array) {
  struct __align__(16) Words {
    unsigned int words[4];
  };
  static_assert(kBytes % sizeof(Words) == 0, "the array has no other bytes");
#pragma unroll kUnrolled
  for (unsigned int i = threadIdx.x; i < kBytes / sizeof(Words); i += kThreads) static_cast<Words*>(array)[i] = Words{};
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_MARK_SLOT
#define SORTSMITH_V0_1_0_MARK_SLOT
namespace sortsmith {
inline namespace v0_1_0 {

// A position among marks, which are a bit each in rows of 32:
//
//   | row: all other bits | bit of the row: 5 bits |
struct MarkSlot {
  static constexpr unsigned int kRowPositions = 32;
  unsigned int position;

  __device__ __forceinline__ unsigned int row() const { return position / kRowPositions; }
  __device__ __forceinline__ unsigned int mask() const { return 1u << position % kRowPositions; }
  // The marks of its row from this position on: bit 0 is its own.
  __device__ __forceinline__ unsigned int from_here(const unsigned int* rows) const { return rows[row()] >> position % kRowPositions; }
  __device__ __forceinline__ bool is_set(const unsigned int* rows) const { return (from_here(rows) & 1u) != 0; }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_COUNTING_SORT_F16_KEYS_B1024_I48_ASC
#define SORTSMITH_V0_1_0_DEVICE_COUNTING_SORT_F16_KEYS_B1024_I48_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct device_counting_sort_f16_keys_b1024_i48_asc {
  using Key = __half;
  using Value = NullType;

  static constexpr int kBlockThreads = 1024;
  static constexpr int kItemsPerThread = 48;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 16;
  // The shared memory of a block.
  static constexpr unsigned int kSharedBytes = 230592;
  static constexpr unsigned long long kMaxItems = 786432ull;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Not used by this sort.
    Key* keys_alternate;
    // The same of values, where the sort has any; values_in is not read.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n), aligned to 16; the first zeroed_bytes(n) of them zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // Not used by this sort: all of the key takes part.
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // Not used by this sort.
    int unused[3];
    // Not used by this sort.
    unsigned int* sort_counter;
    // Items from the start of a row, of n items, to that of the next one.
    unsigned long long row_stride;
  };

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned short;
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: all bits of a negative key flipped, the sign of any other.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    const Bits bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? kAllBits : kSign);
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    const Bits bits = ordered;
    return bits_as<Key>(static_cast<StoredBits>(bits ^ (bits & kSign ? kSign : kAllBits)));
  }
  // Ordered bits of zeros, which are next to each other.
  static constexpr Bits kPositiveZero = kSign;
  static constexpr Bits kNegativeZero = kSign - 1;

  static constexpr unsigned int kBins = 1u << kKeyBits;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  // Keys, counters or marks that a thread moves at once, and those of a warp: a line.
  static constexpr unsigned int kVectorKeys = 8;
  static constexpr unsigned int kLineKeys = 32 * kVectorKeys;
  // Lines of bins.
  static constexpr unsigned int kBinLines = kBins / kLineKeys;
  // The most that a counter counts.
  static constexpr unsigned int kMaxCount = 0xffff;
  static constexpr unsigned int kOverflow = 32768;
  static constexpr unsigned int kMaxOverflows = 25;
  static_assert(kOverflow + kVectorKeys * kBlockThreads <= kMaxCount, "counters do not overflow between two barriers");

  // kVectorKeys of 2 bytes, two in a word:
  //
  //   | odd key: 16 bits | even key: 16 bits |
  struct __align__(16) Vector {
    unsigned int words[4];
    static __device__ __forceinline__ unsigned int pack(unsigned int even, unsigned int odd) { return even | odd << 16; }
    // An odd key has no mask: with one, compilers choose among shifts where they are to choose between keys.
    __device__ __forceinline__ unsigned int key(unsigned int number) const {
      const unsigned int word = words[number / 2];
      return number % 2 != 0 ? word >> 16 : word & 0xffffu;
    }
  };

  // Where the counter of keys of these bits is, two in a word:
  //
  //   | odd bits: 16 bits | even bits: 16 bits |
  struct CounterSlot {
    unsigned int bits;
    __device__ __forceinline__ unsigned int word() const { return bits / 2; }
    __device__ __forceinline__ unsigned int pack(unsigned int keys) const { return keys << bits % 2 * 16; }
    __device__ __forceinline__ unsigned int of(unsigned int word) const { return word >> bits % 2 * 16 & kMaxCount; }
  };

  using Scans = WarpScans<kBlockThreads>;

  struct __align__(16) Storage {
    // The counters of two keys in a word, by the bits of the keys.
    unsigned int counters[kBins / 2];
    union {
      // By position in the tile.
      unsigned short marks[kTileItems];
      // By position among the zeros of the row, a bit for each: whether it is -0.0.
      unsigned int signs[kTileItems / 2];
    };
    // Here, where vectors of 16 bytes begin: a load of all sums takes nothing else, which threads might write meanwhile.
    Scans::Storage sums;
    // The position of the first key of each line of bins, and the one behind the last key.
    unsigned int lines[kBinLines + 1];
    unsigned int overflow_count;
    unsigned short overflows[kMaxOverflows];
  };
  static_assert(sizeof(Storage) == kSharedBytes, "the storage is laid out as planned");

 public:
  // The sort has no workspace.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long) { return 0; }

  // The arguments of the block's row.
  static __device__ __forceinline__ Arguments of_row(Arguments arguments) {
    const unsigned long long first = blockIdx.y * arguments.row_stride;
    arguments.keys_in += first;
    arguments.keys_out += first;
    return arguments;
  }

  // Sorts the row. All of it is read before any of it is written.
  static __device__ __forceinline__ void sort(const Arguments& arguments, unsigned char* shared) {
    Storage& storage = *reinterpret_cast<Storage*>(shared);
    clear_words<sizeof(storage.counters), kBlockThreads, 4>(storage.counters);
    clear_words<sizeof(storage.marks), kBlockThreads, 4>(storage.marks);
    if (threadIdx.x == 0) storage.overflow_count = 0;
    wait_for_previous_grid();
    let_next_grid_start();
    // Counters are clear.
    __syncthreads();
    count_keys(arguments, storage);
    // All keys are counted.
    __syncthreads();
    add_up_bins(storage);
    if (arguments.n > kMaxCount && storage.lines[kBinLines] != arguments.n) {
      clear_words<sizeof(storage.counters), kBlockThreads, 4>(storage.counters);
      // Counters are clear again, and all have read the sum.
      __syncthreads();
      count_to_overflows(arguments, storage);
      add_up_bins(storage);
    }
    const unsigned int first_zeros = keys_of(storage, kSign - 1);
    const bool has_both_zeros = first_zeros > 0 && keys_of(storage, kSign) > 0;
    if (has_both_zeros) {
      write_zeros(arguments, storage, first_zeros);
      clear_words<sizeof(storage.signs), kBlockThreads, 4>(storage.signs);
      __syncthreads();
    }
    // Positions are counted from the address of a vector at or before the row.
    const unsigned int start = vector_offset(arguments.keys_out);
    const unsigned int end = start + static_cast<unsigned int>(arguments.n);
    for (unsigned int tile = 0; tile < end; tile += kTileItems) {
      mark_bins(storage, tile, start);
      // The tile is marked.
      __syncthreads();
      write_tile(arguments, storage, tile, start, end, has_both_zeros);
      // Its marks are read. They may stay, for those of the next tile are larger.
      __syncthreads();
    }
  }

 private:
  // Adds keys of the same bits to their counter.
  static __device__ __forceinline__ unsigned int add_keys(Storage& storage, unsigned int bits, unsigned int keys) {
    const CounterSlot counter{bits};
    return counter.of(atomicAdd(&storage.counters[counter.word()], counter.pack(keys)));
  }

  static __device__ __forceinline__ void count_vector(Storage& storage, const Vector& keys) {
    const unsigned int first = keys.words[0];
    const bool is_of_one = keys.key(0) == keys.key(1) && first == keys.words[1] && first == keys.words[2] && first == keys.words[3];
    if (is_of_one) {
      add_keys(storage, keys.key(0), kVectorKeys);
      return;
    }
#pragma unroll
    for (unsigned int i = 0; i < kVectorKeys; ++i) add_keys(storage, keys.key(i), 1);
  }

  // Counts the keys of the row. Where a counter overflows, the sum of all is less than the number of keys: what is carried from it, if
  // it is, adds 1 to the counter beside it, and 65,536 are gone.
  static __device__ __forceinline__ void count_keys(const Arguments& arguments, Storage& storage) {
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int offset = vector_offset(arguments.keys_in);
    const unsigned int to_vector = offset == 0 ? 0 : kVectorKeys - offset;
    // Vectors begin and end within the row.
    const unsigned int first = to_vector < n ? to_vector : n;
    const unsigned int vectors = (n - first) / kVectorKeys;
    const unsigned int last = first + vectors * kVectorKeys;
    if (threadIdx.x < first) add_keys(storage, bits_as<StoredBits>(arguments.keys_in[threadIdx.x]), 1);
    if (last + threadIdx.x < n) add_keys(storage, bits_as<StoredBits>(arguments.keys_in[last + threadIdx.x]), 1);
    const Vector* const all = reinterpret_cast<const Vector*>(arguments.keys_in + first);
    constexpr unsigned int kLoads = 4;
    unsigned int next = threadIdx.x;
    for (; next + (kLoads - 1) * kBlockThreads < vectors; next += kLoads * kBlockThreads) {
      Vector loaded[kLoads];
#pragma unroll
      for (int load = 0; load < kLoads; ++load) loaded[load] = all[next + load * kBlockThreads];
#pragma unroll
      for (int load = 0; load < kLoads; ++load) count_vector(storage, loaded[load]);
    }
    for (; next < vectors; next += kBlockThreads) count_vector(storage, all[next]);
  }

  // The same where counters would overflow: a counter hands kOverflow keys over to the list of overflows as soon as it has them. Between
  // two barriers a thread adds kVectorKeys at most, for which it has room. A barrier follows the last key.
  static __device__ __forceinline__ void count_to_overflows(const Arguments& arguments, Storage& storage) {
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int lane = lane_of(threadIdx.x);
    for (unsigned int chunk = 0; chunk < n; chunk += kVectorKeys * kBlockThreads) {
#pragma unroll
      for (unsigned int i = 0; i < kVectorKeys; ++i) {
        const unsigned int position = chunk + i * kBlockThreads + threadIdx.x;
        const bool exists = position < n;
        const unsigned int bits = exists ? bits_as<StoredBits>(arguments.keys_in[position]) : 0;
        // One lane adds all keys like its own: where a counter overflows, most are.
        const unsigned int first = __shfl_sync(~0u, bits, 0);
        const bool is_as_first = exists && bits == first;
        const unsigned int as_first = __popc(__ballot_sync(~0u, is_as_first));
        const unsigned int keys = is_as_first ? (lane == 0 ? as_first : 0) : 1;
        if (!exists || keys == 0) continue;
        const unsigned int before = add_keys(storage, bits, keys);
        if (before < kOverflow && before + keys >= kOverflow) {
          const CounterSlot counter{bits};
          atomicAdd(&storage.counters[counter.word()], 0u - counter.pack(kOverflow));
          const unsigned int slot = atomicAdd(&storage.overflow_count, 1u);
          storage.overflows[slot] = static_cast<unsigned short>(to_ordered_bits(bits_as<Key>(static_cast<StoredBits>(bits))));
        }
      }
      // What counters had too many is handed over.
      __syncthreads();
    }
  }

  // The keys of the overflows of a bin.
  static __device__ __forceinline__ unsigned int overflowed_keys(const Storage& storage, unsigned int bin) {
    unsigned int keys = 0;
    for (unsigned int overflow = 0; overflow < storage.overflow_count; ++overflow) {
      if (storage.overflows[overflow] == bin) keys += kOverflow;
    }
    return keys;
  }

  // The keys of a bin.
  static __device__ __forceinline__ unsigned int keys_of(const Storage& storage, unsigned int bin) {
    const CounterSlot counter{bits_as<StoredBits>(to_key(bin))};
    return counter.of(storage.counters[counter.word()]) + overflowed_keys(storage, bin);
  }

  // The keys of each of the kVectorKeys bins from this one, a multiple of that.
  static __device__ __forceinline__ void load_bins(const Storage& storage, bool has_overflows, unsigned int bin,
                                                   unsigned int (&keys)[kVectorKeys]) {
    const unsigned int bits = bits_as<StoredBits>(to_key(bin));
    const Vector counters = reinterpret_cast<const Vector*>(storage.counters)[bits / kVectorKeys];
    // Counters lie in the order of the keys' bits, or in the opposite one.
    const bool is_reversed = bits % kVectorKeys != 0;
#pragma unroll
    for (unsigned int i = 0; i < kVectorKeys; ++i) keys[i] = is_reversed ? counters.key(kVectorKeys - 1 - i) : counters.key(i);
    if (!has_overflows) return;
#pragma unroll
    for (int i = 0; i < kVectorKeys; ++i) keys[i] += overflowed_keys(storage, bin + i);
  }

  // The thread's first bin of a line.
  static __device__ __forceinline__ unsigned int first_bin(unsigned int line) { return line * kLineKeys + lane_of(threadIdx.x) * kVectorKeys; }

  // Adds up the keys of each line of bins, and makes these sums positions.
  static __device__ __forceinline__ void add_up_bins(Storage& storage) {
    const bool has_overflows = storage.overflow_count > 0;
#pragma unroll 2
    for (unsigned int line = warp_of(threadIdx.x); line < kBinLines; line += kWarps) {
      unsigned int keys[kVectorKeys];
      load_bins(storage, has_overflows, first_bin(line), keys);
      unsigned int own = 0;
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) own += keys[i];
      const unsigned int all = sum_in_warp(own);
      if (lane_of(threadIdx.x) == 0) storage.lines[line] = all;
    }
    // All lines are added up.
    __syncthreads();
    constexpr unsigned int kLinesOfThread = kBinLines < kBlockThreads ? 1 : kBinLines / kBlockThreads;
    const unsigned int first = threadIdx.x * kLinesOfThread;
    unsigned int keys[kLinesOfThread];
    unsigned int own = 0;
#pragma unroll
    for (unsigned int i = 0; i < kLinesOfThread; ++i) {
      keys[i] = first + i < kBinLines ? storage.lines[first + i] : 0;
      own += keys[i];
    }
    unsigned int all;
    unsigned int before = Scans::exclusive_sum(storage.sums, threadIdx.x, own, all);
#pragma unroll
    for (unsigned int i = 0; i < kLinesOfThread; ++i) {
      if (first + i < kBinLines) storage.lines[first + i] = before;
      before += keys[i];
    }
    if (threadIdx.x == 0) storage.lines[kBinLines] = all;
    // The positions are there.
    __syncthreads();
  }

  // Vectors that a lane loads at once for their zeros. The lanes of a warp load a chunk, and a warp's share of the row has at most 32 chunks.
  static constexpr unsigned int kZeroLoads = 4;
  static constexpr unsigned int kChunkVectors = 32 * kZeroLoads;
  static_assert(kMaxItems <= 32ull * kChunkVectors * kVectorKeys * kWarps, "a bit says of each chunk whether there are zeros");

  // A bit for each key of a vector that is a zero, and kVectorKeys bits further up whether it is -0.0.
  struct Zeros {
    unsigned int bits;
    __device__ __forceinline__ void add(unsigned int key, unsigned int bits_of_key) {
      bits |= (bits_of_key % kSign == 0 ? 1u : 0u) << key;
      bits |= (bits_of_key == kSign ? 1u : 0u) << (key + kVectorKeys);
    }
    __device__ __forceinline__ unsigned int all() const { return bits % (1u << kVectorKeys); }
    __device__ __forceinline__ unsigned int negative() const { return bits >> kVectorKeys; }
    __device__ __forceinline__ unsigned int count() const { return __popc(all()); }
  };

  // Finds the zeros of the lane's vectors of a chunk, which ends before a vector. Vectors are counted from the address of one at or before
  // the row, which begins `start` keys behind that.
  static __device__ __forceinline__ void find_zeros(const Arguments& arguments, unsigned int chunk, unsigned int last, unsigned int start,
                                                    Zeros (&zeros)[kZeroLoads]) {
    const unsigned int end = start + static_cast<unsigned int>(arguments.n);
    const unsigned int first_full = start == 0 ? 0 : 1;
    const unsigned int last_full = end / kVectorKeys < last ? end / kVectorKeys : last;
    Vector keys[kZeroLoads];
#pragma unroll
    for (unsigned int load = 0; load < kZeroLoads; ++load) {
      const unsigned int vector = chunk + load * 32 + lane_of(threadIdx.x);
      if (vector >= first_full && vector < last_full) {
        keys[load] = *reinterpret_cast<const Vector*>(arguments.keys_in + (vector * kVectorKeys - start));
      }
    }
#pragma unroll
    for (unsigned int load = 0; load < kZeroLoads; ++load) {
      const unsigned int vector = chunk + load * 32 + lane_of(threadIdx.x);
      zeros[load] = Zeros{0};
      if (vector >= first_full && vector < last_full) {
#pragma unroll
        for (unsigned int i = 0; i < kVectorKeys; ++i) zeros[load].add(i, keys[load].key(i));
      } else if (vector < last) {
        for (unsigned int i = 0; i < kVectorKeys; ++i) {
          const unsigned int position = vector * kVectorKeys + i;
          if (position < start || position >= end) continue;
          zeros[load].add(i, bits_as<StoredBits>(arguments.keys_in[position - start]));
        }
      }
    }
  }

  // Writes zeros of both signs in their input order; first_zeros of them come first by their bits. The row is read once more, before any of
  // it is written: each warp counts the zeros of its share, and ranks those of chunks that have some.
  static __device__ __forceinline__ void write_zeros(const Arguments& arguments, Storage& storage, unsigned int first_zeros) {
    const unsigned int start = vector_offset(arguments.keys_in);
    const unsigned int vectors = (start + static_cast<unsigned int>(arguments.n) + kVectorKeys - 1) / kVectorKeys;
    const unsigned int share = (vectors + kWarps - 1) / kWarps;
    const unsigned int first = warp_of(threadIdx.x) * share;
    const unsigned int last = first + share < vectors ? first + share : vectors;
    unsigned int own = 0;
    unsigned int chunks_with_zeros = 0;
    for (unsigned int chunk = first, number = 0; chunk < last; chunk += kChunkVectors, ++number) {
      Zeros zeros[kZeroLoads];
      find_zeros(arguments, chunk, last, start, zeros);
#pragma unroll
      for (unsigned int load = 0; load < kZeroLoads; ++load) {
        own += zeros[load].count();
        if (zeros[load].all() != 0) chunks_with_zeros |= 1u << number;
      }
    }
    unsigned int all;
    const unsigned int before = Scans::exclusive_sum(storage.sums, threadIdx.x, own, all);
    unsigned int rank = __shfl_sync(~0u, before, 0);
    for (unsigned int chunk = first, number = 0; chunk < last; chunk += kChunkVectors, ++number) {
      if (__ballot_sync(~0u, chunks_with_zeros >> number & 1) == 0) continue;
      Zeros zeros[kZeroLoads];
      find_zeros(arguments, chunk, last, start, zeros);
#pragma unroll
      for (unsigned int load = 0; load < kZeroLoads; ++load) {
        const unsigned int to_here = inclusive_sum_in_warp(zeros[load].count(), ~0u);
        set_signs(storage, zeros[load], rank + to_here - zeros[load].count());
        rank += __shfl_sync(~0u, to_here, 31);
      }
    }
    // All signs are there, and all of the row has been read.
    __syncthreads();
    // Zeros are the last bin of one line and the first one of the next.
    Key* const out = arguments.keys_out + (storage.lines[kBinLines / 2] - first_zeros);
    for (unsigned int zero = threadIdx.x; zero < all; zero += kBlockThreads) {
      const bool is_negative = MarkSlot{zero}.is_set(storage.signs);
      out[zero] = to_key(is_negative ? kNegativeZero : kPositiveZero);
    }
    // Signs are read.
    __syncthreads();
  }

  // Sets the signs of zeros of which the first has a rank.
  static __device__ __forceinline__ void set_signs(Storage& storage, Zeros zeros, unsigned int rank) {
    for (unsigned int left = zeros.all(); left != 0; left &= left - 1, ++rank) {
      const unsigned int lowest = left & (0u - left);
      const MarkSlot sign{rank};
      if ((zeros.negative() & lowest) != 0) atomicOr(&storage.signs[sign.row()], sign.mask());
    }
  }

  // Marks the positions of the tile where bins begin, and lines that begin within a bin.
  static __device__ __forceinline__ void mark_bins(Storage& storage, unsigned int tile, unsigned int start) {
    const bool has_overflows = storage.overflow_count > 0;
    // Each warp has lines of all tiles.
    for (unsigned int line = warp_of(threadIdx.x); line < kBinLines; line += kWarps) {
      const unsigned int first = storage.lines[line] + start;
      const unsigned int end = storage.lines[line + 1] + start;
      if (first == end || first >= tile + kTileItems || end <= tile) continue;
      const unsigned int bin = first_bin(line);
      unsigned int keys[kVectorKeys];
      load_bins(storage, has_overflows, bin, keys);
      unsigned int own = 0;
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) own += keys[i];
      const unsigned int to_here = inclusive_sum_in_warp(own, ~0u);
      // Positions in the tile, which are negative before it.
      int position = static_cast<int>(first + to_here - own - tile);
      const bool crosses_lines = own > 0 && line_of(position) != line_of(position + static_cast<int>(own) - 1);
      if (crosses_lines) mark_lines(storage, bin, keys, position);
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) {
        const bool is_in_tile = static_cast<unsigned int>(position) < kTileItems;
        if (keys[i] > 0 && is_in_tile) storage.marks[position] = static_cast<unsigned short>(bin + i);
        position += static_cast<int>(keys[i]);
      }
    }
  }

  // The line of a position in the tile; lines before the tile are negative.
  static __device__ __forceinline__ int line_of(int position) { return position >> 8; }

  // Marks the lines that begin within the thread's bins, the first of which begins at a position.
  static __device__ __forceinline__ void mark_lines(Storage& storage, unsigned int bin, const unsigned int (&keys)[kVectorKeys],
                                                    int position) {
#pragma unroll
    for (int i = 0; i < kVectorKeys; ++i) {
      const int end = position + static_cast<int>(keys[i]);
      const int most = end < kTileItems ? end : kTileItems;
      const int next = line_of(position) + 1;
      for (int line = (next > 0 ? next : 0) * static_cast<int>(kLineKeys); line < most; line += kLineKeys) {
        storage.marks[line] = static_cast<unsigned short>(bin + i);
      }
      position = end;
    }
  }

  // Writes the tile, line by line, of a row that has the positions from start to end.
  static __device__ __forceinline__ void write_tile(const Arguments& arguments, const Storage& storage, unsigned int tile, unsigned int start,
                                                    unsigned int end, bool has_both_zeros) {
    const unsigned int left = end - tile < kTileItems ? end - tile : kTileItems;
    for (unsigned int line = warp_of(threadIdx.x); line * kLineKeys < left; line += kWarps) {
      const unsigned int vector = line * 32 + lane_of(threadIdx.x);
      const Vector own = reinterpret_cast<const Vector*>(storage.marks)[vector];
      unsigned int bins[kVectorKeys];
      unsigned int largest = 0;
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) {
        const unsigned int mark = own.key(i);
        largest = mark > largest ? mark : largest;
        bins[i] = largest;
      }
      const unsigned int before = largest_before(largest);
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) bins[i] = bins[i] > before ? bins[i] : before;
      write_vector(arguments, bins, tile + vector * kVectorKeys, start, end, has_both_zeros);
    }
  }

  // The largest number of the lanes below.
  static __device__ __forceinline__ unsigned int largest_before(unsigned int largest) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const unsigned int below = __shfl_up_sync(~0u, largest, distance);
      largest = below > largest ? below : largest;
    }
    const unsigned int before = __shfl_up_sync(~0u, largest, 1);
    return lane_of(threadIdx.x) == 0 ? 0 : before;
  }

  // Writes the keys of bins at neighbouring positions, but for zeros that are there already.
  static __device__ __forceinline__ void write_vector(const Arguments& arguments, const unsigned int (&bins)[kVectorKeys],
                                                      unsigned int position, unsigned int start,
                                                      unsigned int end, bool has_both_zeros) {
    unsigned int bits[kVectorKeys];
#pragma unroll
    for (int i = 0; i < kVectorKeys; ++i) bits[i] = bits_as<StoredBits>(to_key(bins[i]));
    const bool is_full = position >= start && position + kVectorKeys <= end;
    const bool has_zeros = has_both_zeros && bins[0] <= kSign && bins[kVectorKeys - 1] >= kSign - 1;
    if (is_full && !has_zeros) {
      Vector vector;
#pragma unroll
      for (int word = 0; word < 4; ++word) vector.words[word] = Vector::pack(bits[2 * word], bits[2 * word + 1]);
      *reinterpret_cast<Vector*>(arguments.keys_out + (position - start)) = vector;
      return;
    }
#pragma unroll
    for (unsigned int i = 0; i < kVectorKeys; ++i) {
      if (position + i < start || position + i >= end) continue;
      if (has_zeros && bits[i] % kSign == 0) continue;
      arguments.keys_out[position + i - start] = bits_as<Key>(static_cast<StoredBits>(bits[i]));
    }
  }

  // Keys from the address of a vector to this one.
  static __device__ __forceinline__ unsigned int vector_offset(const Key* keys) {
    return static_cast<unsigned int>(reinterpret_cast<unsigned long long>(keys) % sizeof(Vector) / sizeof(Key));
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(1024, 1)
device_counting_sort_f16_keys_b1024_i48_asc_rows(sortsmith::device_counting_sort_f16_keys_b1024_i48_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::device_counting_sort_f16_keys_b1024_i48_asc;
  Sort::sort(Sort::of_row(arguments), sortsmith_shared);
}
#endif
