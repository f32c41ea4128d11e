// binned_argsort_i64_b96_i2_r5
//
// Sorts the positions of i64 keys that are the numbers of bins: an argsort of
// each row of a matrix, and the offsets of each row's bins. Stable: the positions of a bin are ascending. Keys that are not below the
// number of bins, negative ones too, are in no bin; their positions come last.
//
// bins is at most 32. Positions are those in the row, as many as columns. Offsets are bins + 1 a row: bin b has the positions
// from offsets[b] to offsets[b + 1], and offsets[bins] is the number of keys that are in bins. Columns are less than 2^32.
//
//   slot   a number by which keys are counted: a bin, or the number of bins for keys that are in none
//   tile   the items that a block holds, 192 at most
//   chunk  neighbouring columns of a row, which are one block's
//
// Each warp of a block ranks its items by slots: ballots find the lanes of a row of 32 items that have the same slot, and one of them
// adds their number to the slot's counter. A scan over slots and warps makes ranks in the tile of these, by which the tile is
// sorted in shared memory, so that it goes to memory in runs. Where the runs go is known when all of the row is counted. A row
// of at most a tile is:
//
//   binned_argsort_i64_b96_i2_r5_rows<<<any, 96, 1632, stream>>>(keys, positions, offsets, rows, columns, stride, bins);
//
// With chunks * chunk_columns >= columns, and chunks of at most a tile and less than 16384 columns, the blocks publish their counts:
//
//   binned_argsort_i64_b96_i2_r5_chunks<<<dim3(chunks, rows), 96, 1632, stream>>>(keys, exchange, positions, offsets, columns, stride, chunk_columns, capacity, group_bits, polls, bins);
//
// exchange is 16 + 2 * capacity words, zeros before the first launch, which only such launches change, one after the other and all with
// the same capacity. A launch takes 10 of these for each chunk of a row, and 20 for each group of 2^group_bits chunks, at most 2^7. A grid has
// less than 65536 blocks. They need not all have room on the device: a block that has polled a word this often counts the row by itself.
//
// Other rows are counted before, with chunks * chunk_columns >= columns, and room for rows * chunks * 40 counts of count_bytes bytes (2 or 4), aligned to
// 32 bytes, of which those of 2 take chunks of less than 65536 columns:
//
//   binned_argsort_i64_b96_i2_r5_count<<<rows * chunks, 96, 1632, stream>>>(keys, counts, columns, stride, chunks, chunk_columns, count_bytes, bins);
//   binned_argsort_i64_b96_i2_r5_rank<<<rows * chunks, 96, 1632, stream>>>(keys, counts, positions, offsets, columns, stride, chunks, chunk_columns, count_bytes, bins);
//
// stride is the distance between the first keys of two rows.
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template binned_argsort; to make it again:
//   sortsmith emit --name binned_argsort_i64_b96_i2_r5 --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

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

#ifndef SORTSMITH_V0_1_0_BINNED_ARGSORT_I64_B96_I2_R5
#define SORTSMITH_V0_1_0_BINNED_ARGSORT_I64_B96_I2_R5
namespace sortsmith {
inline namespace v0_1_0 {

struct binned_argsort_i64_b96_i2_r5 {
  using Key = long long;

  static constexpr unsigned int kBlockThreads = 96;
  static constexpr unsigned int kItemsPerThread = 2;
  static constexpr unsigned int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr unsigned int kBinBits = 5;
  static constexpr unsigned int kMaxBins = 1u << kBinBits;
  // Counts of a chunk in memory.
  static constexpr unsigned int kChunkCounts = 40;
  static constexpr unsigned int kSharedBytes = 1632;

 private:
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  // Bins, and the keys that are in none.
  static constexpr unsigned int kSlots = kMaxBins + 1;
  static_assert(kSlots <= kBlockThreads, "a thread for each slot");
  // Counts that a thread loads at once.
  static constexpr unsigned int kVectorCounts = 8;
  static constexpr unsigned int kVectors = kChunkCounts / kVectorCounts;
  static_assert(kChunkCounts <= kBlockThreads, "a thread for each count");
  // Warps with a thread for a slot.
  static constexpr unsigned int kSlotWarps = (kSlots + kWarpThreads - 1) / kWarpThreads;

  // What keys are compared as: a negative one is greater than any number of bins.
  using KeyBits = unsigned long long;

 public:
  // An item of a tile, as the sorted tile has it:
  //
  //   | slot: 16 bits | number in the tile: 16 bits |
  struct SlottedItem {
    unsigned int word;

    static __device__ __forceinline__ SlottedItem pack(unsigned int slot, unsigned int number) { return {slot << 16 | number}; }
    __device__ __forceinline__ unsigned int slot() const { return word >> 16; }
    __device__ __forceinline__ unsigned int number() const { return word & 0xffffu; }
  };

  struct TempStorage {
    // Each warp's items by slots; then where in the tile they begin.
    unsigned int histograms[kWarps][kSlots];
    // The tile's items by slots.
    SlottedItem sorted[kTileItems];
    // From an item's offset in the sorted tile to its offset in the row's positions.
    unsigned int shifts[kSlots];
    // Counts of the row, and of its chunks before this one: see count_slot.
    unsigned int row_counts[kChunkCounts];
    unsigned int counts_before[kChunkCounts];
    unsigned int warp_sums[kSlotWarps];
    // What the launch found in the exchange: words of the launch before, and whether it is an odd one.
    unsigned int words_before, is_odd;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // A row, and where its results go.
  struct Row {
    const Key* keys;
    unsigned int* positions;
    unsigned int* offsets;
    unsigned long long columns;
    unsigned int bins;
  };

  explicit __device__ __forceinline__ binned_argsort_i64_b96_i2_r5(TempStorage& storage) : storage_(storage), thread_(threadIdx.x) {}

  // How rows are split, and which chunk is the block's.
  struct Chunks {
    void* counts;
    unsigned int chunks;
    unsigned int own;
    unsigned long long columns;
    unsigned int count_bytes;

    __device__ __forceinline__ unsigned long long begin(const Row& row) const {
      const unsigned long long first = own * columns;
      return first < row.columns ? first : row.columns;
    }
    __device__ __forceinline__ unsigned long long end(const Row& row) const {
      const unsigned long long first = begin(row);
      return row.columns - first < columns ? row.columns : first + columns;
    }
  };

  // The counts that the blocks of a launch publish, in memory that begins with zeros and that nothing else changes:
  //
  //   | state, and 15 more words | words of even launches | words of odd ones |
  //   state  a LaunchState
  //   words  | of each row: of each chunk, a FourCounts for 4 slots each | of each group of chunks, a TwoSums for 2 slots each |
  //
  // A launch finds zeros in its words, and clears those of the launch before.
  struct Exchange {
    unsigned long long* words;
    // Of even launches, and of odd ones.
    unsigned int capacity;
    // Bits of the number of a chunk in its group: of neighbouring chunks, the counts of which are added up.
    unsigned int group_bits;
    // How often a word is polled before a block counts the row by itself.
    unsigned int polls;

    __device__ __forceinline__ unsigned int group_of(unsigned int chunk) const { return chunk >> group_bits; }
    // Groups of a row.
    __device__ __forceinline__ unsigned int groups() const { return group_of(gridDim.x - 1) + 1; }
  };

  // Sorts a row by one block. All threads call it. The storage may be used for another row at once.
  __device__ __forceinline__ void sort_row(const Row& row) {
    sort_columns(row, 0, row.columns, true, [&](unsigned int first_in_tile) {
      if (row.columns <= kTileItems) return first_in_tile;
      clear_counts();
      __syncthreads();
      count_columns(row, 0, row.columns);
      __syncthreads();
      return first_of_slot();
    });
  }

  // Counts the keys of the block's chunk.
  __device__ __forceinline__ void count_chunk(const Row& row, const Chunks& split) {
    let_next_grid_start();
    clear_counts();
    __syncthreads();
    count_columns(row, split.begin(row), split.end(row));
    __syncthreads();
    if (thread_ < kChunkCounts) {
      const unsigned int count = storage_.row_counts[count_slot(thread_)];
      const unsigned long long to = static_cast<unsigned long long>(blockIdx.x) * kChunkCounts + thread_;
      if (split.count_bytes == 2) {
        static_cast<unsigned short*>(split.counts)[to] = static_cast<unsigned short>(count);
      } else {
        static_cast<unsigned int*>(split.counts)[to] = count;
      }
    }
  }

  // Sorts the block's chunk to where the counts of all chunks say. Its first tile is sorted before the counts are there.
  __device__ __forceinline__ void sort_chunk(const Row& row, const Chunks& split) {
    clear_counts();
    sort_columns(row, split.begin(row), split.end(row), split.own == 0, [&](unsigned int) {
      wait_for_previous_grid();
      if (split.count_bytes == 2) {
        add_counts<unsigned short>(split);
      } else {
        add_counts<unsigned int>(split);
      }
      __syncthreads();
      return first_of_slot() + (thread_ < kSlots ? storage_.counts_before[count_slot(thread_)] : 0);
    });
  }

  // Sorts the block's chunk, which is a tile at most, in the one launch that there is: a row's chunks are along x. Blocks publish their
  // counts.
  __device__ __forceinline__ void sort_chunk_at_once(const Row& row, unsigned long long chunk_columns, const Exchange& exchange) {
    const Chunks split = {nullptr, gridDim.x, blockIdx.x, chunk_columns, 0};
    const unsigned long long begin = split.begin(row);
    const unsigned int items = static_cast<unsigned int>(split.end(row) - begin);
    const auto while_loading = [&] {
      unsigned long long state = 0;
      if (thread_ == 0) state = atomicAdd(exchange.words, 1ull);
      clear_counts();
      if (thread_ == 0) begin_launch(exchange, LaunchState{state});
    };
    // The tile has more items in the last slot than the chunk has.
    const unsigned int more = (items + kBlockThreads - 1) / kBlockThreads * kBlockThreads - items;
    const auto counted = [&](unsigned int count) {
      publish_count(exchange, thread_ == row.bins ? count - more : count);
    };
    const SlotOfTile slot = sort_tile(row.keys + begin, items, row.bins, while_loading, counted);
    const bool is_complete = add_published_counts(exchange);
    if (__syncthreads_or(!is_complete)) count_row_alone(row, split);
    const unsigned int first = first_of_slot();
    if (split.own == 0 && thread_ <= row.bins) row.offsets[thread_] = first;
    if (thread_ < kSlots) storage_.shifts[thread_] = first + storage_.counts_before[count_slot(thread_)] - slot.first;
    __syncthreads();
    write_tile(row, static_cast<unsigned int>(begin), items);
    clear_launch_before(exchange);
  }

 private:
  // The slot of a key.
  static __device__ __forceinline__ unsigned int slot_of(Key key, unsigned int bins) {
    const KeyBits bits = static_cast<KeyBits>(key);
    return bits < bins ? static_cast<unsigned int>(bits) : bins;
  }

  // The lanes of the warp with the same slot as this one.
  static __device__ __forceinline__ unsigned int lanes_of_same_slot(unsigned int slot) {
    return lanes_of_same_digit<kBinBits + 1>(slot);
  }

  // Where the count of a slot is. Counts that a thread loads at once are added to shared memory one by one; by this order those of a
  // warp's lanes are neighbours then, and in different banks.
  static __device__ __forceinline__ unsigned int count_slot(unsigned int slot) {
    return slot % kVectorCounts * kVectors + slot / kVectorCounts;
  }

  // The counts may be added to behind the next barrier.
  __device__ __forceinline__ void clear_counts() {
    if (thread_ < kChunkCounts) {
      storage_.row_counts[thread_] = 0;
      storage_.counts_before[thread_] = 0;
    }
  }

  // Keys of a thread that are on their way at a time.
  static constexpr unsigned int kCountedRows = kItemsPerThread < 8 ? kItemsPerThread : 8;

  // Adds some columns of a row to its counts, which may be read behind the next barrier.
  __device__ __forceinline__ void count_columns(const Row& row, unsigned long long begin, unsigned long long end) {
#pragma unroll 1
    for (unsigned long long start = begin; start < end; start += kCountedRows * kBlockThreads) {
      unsigned int slots[kCountedRows];
#pragma unroll
      for (unsigned int i = 0; i < kCountedRows; ++i) {
        const unsigned long long column = start + i * kBlockThreads + thread_;
        slots[i] = column < end ? slot_of(row.keys[column], row.bins) : row.bins;
      }
#pragma unroll
      for (unsigned int i = 0; i < kCountedRows; ++i) {
        const unsigned long long first = start + i * kBlockThreads;
        if (first >= end) break;
        const unsigned int columns = __ballot_sync(~0u, first + thread_ < end);
        const unsigned int same = lanes_of_same_slot(slots[i]);
        const unsigned int counted = same & columns;
        if ((same & lanes_below()) == 0) atomicAdd(&storage_.row_counts[count_slot(slots[i])], __popc(counted));
      }
    }
  }

  // Adds up the counts of the row's chunks, and of those before this block's, by vectors.
  template <typename Count>
  __device__ __forceinline__ void add_counts(const Chunks& split) {
    struct __align__(kVectorCounts * sizeof(Count)) Vector {
      Count counts[kVectorCounts];
    };
    constexpr unsigned int kGroups = kBlockThreads / kVectors;
    // Vectors of a thread that are on their way at a time. Threads of larger blocks have fewer registers for them.
    constexpr unsigned int kLoads = (kBlockThreads <= 512 ? 8 : 4) / sizeof(Count);
    const unsigned int own = split.own;
    const Vector* const of_row = static_cast<const Vector*>(split.counts) + static_cast<unsigned long long>(blockIdx.x - own) * kVectors;
    const unsigned int vector = thread_ % kVectors;
    const unsigned int group = thread_ / kVectors;
    if (group >= kGroups) return;
    unsigned int all[kVectorCounts] = {};
    unsigned int before[kVectorCounts] = {};
#pragma unroll kLoads
    for (unsigned int chunk = group; chunk < split.chunks; chunk += kGroups) {
      const Vector counts = of_row[static_cast<unsigned long long>(chunk) * kVectors + vector];
#pragma unroll
      for (unsigned int i = 0; i < kVectorCounts; ++i) {
        all[i] += counts.counts[i];
        before[i] += chunk < own ? counts.counts[i] : 0;
      }
    }
#pragma unroll
    for (unsigned int i = 0; i < kVectorCounts; ++i) {
      atomicAdd(&storage_.row_counts[i * kVectors + vector], all[i]);
      atomicAdd(&storage_.counts_before[i * kVectors + vector], before[i]);
    }
  }

  // The items of the row in slots below the thread's. One barrier.
  __device__ __forceinline__ unsigned int first_of_slot() {
    return sum_of_slots_below(thread_ < kSlots ? storage_.row_counts[count_slot(thread_)] : 0);
  }

  // What the exchange begins with:
  //
  //   | words of the launch before: 32 bits | 15 bits | is odd: 1 bit | blocks that have begun: 16 bits |
  struct LaunchState {
    unsigned long long word;
    static constexpr unsigned int kOdd = 1u << 16;

    // That of the next launch, before its first block begins.
    __device__ __forceinline__ LaunchState next(unsigned int used_words) const {
      return {static_cast<unsigned long long>(used_words) << 32 | (~word & kOdd)};
    }
    __device__ __forceinline__ unsigned long long begun() const { return word & (kOdd - 1); }
    __device__ __forceinline__ bool is_odd() const { return (word & kOdd) != 0; }
    __device__ __forceinline__ unsigned int words_before() const { return static_cast<unsigned int>(word >> 32); }
  };

  // A word that blocks publish: how many have, and numbers below.
  //
  //   | published: 8 bits | numbers: 56 bits |
  struct PublishedWord {
    unsigned long long word;
    static constexpr unsigned int kPublishedShift = 56;
    static constexpr unsigned long long kOne = 1ull << kPublishedShift;

    __device__ __forceinline__ unsigned long long published() const { return word >> kPublishedShift; }
    __device__ __forceinline__ unsigned long long numbers() const { return word & (kOne - 1); }
  };

  // A group's word, with sums of the counts of two slots:
  //
  //   | published: 8 bits | of the slot above: 28 bits | of the slot below: 28 bits |
  struct TwoSums {
    unsigned long long word;
    static constexpr unsigned int kSlots = 2;
    static constexpr unsigned int kBits = 28;

    // What one chunk adds.
    static __device__ __forceinline__ TwoSums pack_one(unsigned long long below, unsigned long long above) {
      return {PublishedWord::kOne | above << kBits | below};
    }
    // Of the numbers alone, without how many have published them.
    __device__ __forceinline__ unsigned int below() const { return static_cast<unsigned int>(word) & ((1u << kBits) - 1); }
    __device__ __forceinline__ unsigned int above() const { return static_cast<unsigned int>(word >> kBits); }
  };

  // A chunk's word, with the counts of four slots:
  //
  //   | published: 8 bits | slot 3: 14 bits | slot 2: 14 bits | slot 1: 14 bits | slot 0: 14 bits |
  struct FourCounts {
    unsigned long long word;
    static constexpr unsigned int kSlots = 4;
    static constexpr unsigned int kBits = 14;
    static constexpr unsigned long long kTwoCounts = (1ull << kBits) - 1 | ((1ull << kBits) - 1) << TwoSums::kBits;

    static __device__ __forceinline__ FourCounts pack_one(const unsigned long long (&counts)[kSlots]) {
      const unsigned long long low = counts[1] << kBits | counts[0];
      const unsigned long long high = counts[3] << kBits | counts[2];
      return {PublishedWord::kOne | high << 2 * kBits | low};
    }
    // The counts of slots 0 and 2, and those of slots 1 and 3, as TwoSums has them.
    __device__ __forceinline__ unsigned long long of_even_slots() const { return word & kTwoCounts; }
    __device__ __forceinline__ unsigned long long of_odd_slots() const { return word >> kBits & kTwoCounts; }
  };

  static constexpr unsigned int kStateWords = 16;
  // Words of a block and of a group.
  static constexpr unsigned int kCountWords = kChunkCounts / FourCounts::kSlots;
  static constexpr unsigned int kSumWords = kChunkCounts / TwoSums::kSlots;

  // Words of a launch.
  static __device__ __forceinline__ unsigned int used_words(const Exchange& exchange) {
    return gridDim.y * (gridDim.x * kCountWords + exchange.groups() * kSumWords);
  }

  // Notes the state, for all threads behind the next barrier. The last block to begin leaves that of the next launch.
  __device__ __forceinline__ void begin_launch(const Exchange& exchange, LaunchState state) {
    if (state.begun() == gridDim.x * gridDim.y - 1) {
      const unsigned long long next = state.next(used_words(exchange)).word;
      const unsigned long long begun = state.word + 1;
      atomicAdd(exchange.words, next - begun);
    }
    storage_.words_before = state.words_before();
    storage_.is_odd = state.is_odd();
  }

  // The words of this launch, or of the one before.
  __device__ __forceinline__ unsigned long long* words_of(const Exchange& exchange, bool is_before) const {
    return exchange.words + kStateWords + ((storage_.is_odd != 0) != is_before ? exchange.capacity : 0);
  }

  __device__ __forceinline__ void clear_launch_before(const Exchange& exchange) {
    unsigned long long* const words = words_of(exchange, true);
    const unsigned int used = storage_.words_before;
    const unsigned int block = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned int blocks = gridDim.y * gridDim.x;
    for (unsigned int i = block * kBlockThreads + thread_; i < used; i += blocks * kBlockThreads) words[i] = 0;
  }

  // The words of the first chunk of the block's row, and of its first group.
  __device__ __forceinline__ unsigned long long* counts_of_row(const Exchange& exchange) const {
    return words_of(exchange, false) + blockIdx.y * (gridDim.x * kCountWords + exchange.groups() * kSumWords);
  }
  __device__ __forceinline__ unsigned long long* sums_of_row(const Exchange& exchange) const {
    return counts_of_row(exchange) + gridDim.x * kCountWords;
  }

  // As many threads as the full warps have that hold these.
  static __host__ __device__ constexpr unsigned int threads_of_full_warps(unsigned int threads) {
    return (threads + kWarpThreads - 1) / kWarpThreads * kWarpThreads;
  }

  // Publishes the number of the tile's items in the thread's slot.
  __device__ __forceinline__ void publish_count(const Exchange& exchange, unsigned int count) {
    if (thread_ >= threads_of_full_warps(kChunkCounts)) return;
    unsigned long long counts[FourCounts::kSlots] = {count};
#pragma unroll
    for (unsigned int i = 1; i < FourCounts::kSlots; ++i) counts[i] = __shfl_down_sync(~0u, count, i);
    if (thread_ % FourCounts::kSlots != 0 || thread_ >= kChunkCounts) return;
    unsigned long long* const sums = sums_of_row(exchange) + exchange.group_of(blockIdx.x) * kSumWords + thread_ / TwoSums::kSlots;
    atomicAdd(&sums[0], TwoSums::pack_one(counts[0], counts[1]).word);
    atomicAdd(&sums[1], TwoSums::pack_one(counts[2], counts[3]).word);
    publish(&counts_of_row(exchange)[blockIdx.x * kCountWords + thread_ / FourCounts::kSlots], FourCounts::pack_one(counts).word);
  }

  // Polls rows of words, of which some threads have one of each; `wanted(row)` blocks have published the row's words when they are
  // complete, and their numbers go to `add(row, numbers)`. Says whether all are, and does not wait for ever.
  template <unsigned int kRowWords, unsigned int kThreads, typename Wanted, typename Add>
  static __device__ __forceinline__ bool poll_rows(const unsigned long long* first, unsigned int thread, unsigned int rows,
                                                   unsigned int polls, const Wanted& wanted, const Add& add) {
    constexpr unsigned int kRowsAtOnce = kThreads / kRowWords;
    static_assert(kRowsAtOnce > 0, "a thread for each word");
    // Words of a thread that are on their way at a time.
    constexpr unsigned int kPolled = 5;
    if (thread / kRowWords >= kRowsAtOnce) return true;
    for (unsigned int start = thread / kRowWords; start < rows; start += kRowsAtOnce * kPolled) {
      PublishedWord words[kPolled] = {};
      for (unsigned int left = polls;; --left) {
        bool are_ready = true;
#pragma unroll
        for (unsigned int i = 0; i < kPolled; ++i) {
          const unsigned int row = start + i * kRowsAtOnce;
          if (row < rows && words[i].published() != wanted(row)) words[i] = {poll(&first[row * kRowWords + thread % kRowWords])};
        }
#pragma unroll
        for (unsigned int i = 0; i < kPolled; ++i) {
          const unsigned int row = start + i * kRowsAtOnce;
          are_ready &= row >= rows || words[i].published() == wanted(row);
        }
        if (are_ready) break;
        if (left == 0) return false;
      }
#pragma unroll
      for (unsigned int i = 0; i < kPolled; ++i) {
        const unsigned int row = start + i * kRowsAtOnce;
        if (row < rows) add(row, words[i].numbers());
      }
    }
    return true;
  }

  // Adds up the counts of the row's chunks, and of those before this block's: of groups, and of the chunks before it in its group. Says
  // whether all were published in time.
  __device__ __forceinline__ bool add_published_counts(const Exchange& exchange) {
    // Groups are polled by some warps, and chunks by the others.
    constexpr unsigned int kSumsAtOnce = kBlockThreads * 9 / 16 / kSumWords;
    constexpr unsigned int kLeast = (kSumsAtOnce == 0 ? 1 : kSumsAtOnce) * kSumWords;
    constexpr unsigned int kOfFullWarps = threads_of_full_warps(kLeast);
    constexpr unsigned int kSumThreads = kOfFullWarps + kCountWords <= kBlockThreads ? kOfFullWarps : kLeast;
    const unsigned int own_group = exchange.group_of(blockIdx.x);
    const unsigned int first_of_group = own_group << exchange.group_bits;
    if (thread_ < kSumThreads) {
      unsigned long long all = 0;
      unsigned long long before = 0;
      const auto wanted = [&](unsigned int group) {
        const unsigned int chunks = gridDim.x - (group << exchange.group_bits);
        return chunks < 1u << exchange.group_bits ? chunks : 1u << exchange.group_bits;
      };
      const auto add = [&](unsigned int group, unsigned long long sums) {
        all += sums;
        before += group < own_group ? sums : 0;
      };
      const bool is_complete =
          poll_rows<kSumWords, kSumThreads>(sums_of_row(exchange), thread_, exchange.groups(), exchange.polls, wanted, add);
      const unsigned int slot = thread_ % kSumWords * TwoSums::kSlots;
      add_two_counts(storage_.row_counts, slot, slot + 1, TwoSums{all});
      if (own_group > 0) add_two_counts(storage_.counts_before, slot, slot + 1, TwoSums{before});
      return is_complete;
    }
    const unsigned int thread = thread_ - kSumThreads;
    unsigned long long even = 0;
    unsigned long long odd = 0;
    const auto add = [&](unsigned int, unsigned long long numbers) {
      const FourCounts counts{numbers};
      even += counts.of_even_slots();
      odd += counts.of_odd_slots();
    };
    const bool is_complete = poll_rows<kCountWords, kBlockThreads - kSumThreads>(
        counts_of_row(exchange) + first_of_group * kCountWords, thread, blockIdx.x - first_of_group, exchange.polls,
        [](unsigned int) { return 1u; }, add);
    const unsigned int slot = thread % kCountWords * FourCounts::kSlots;
    add_two_counts(storage_.counts_before, slot, slot + 2, TwoSums{even});
    add_two_counts(storage_.counts_before, slot + 1, slot + 3, TwoSums{odd});
    return is_complete;
  }

  // Adds the two sums of a word.
  static __device__ __forceinline__ void add_two_counts(unsigned int* counts, unsigned int below, unsigned int above, TwoSums sums) {
    atomicAdd(&counts[count_slot(below)], sums.below());
    atomicAdd(&counts[count_slot(above)], sums.above());
  }

  // Counts the row, and the chunks before this block's, where other blocks wait for room on the device. The counts may be read behind its
  // last barrier.
  __device__ __forceinline__ void count_row_alone(const Row& row, const Chunks& split) {
    clear_counts();
    __syncthreads();
    count_columns(row, 0, split.begin(row));
    __syncthreads();
    if (thread_ < kChunkCounts) storage_.counts_before[thread_] = storage_.row_counts[thread_];
    __syncthreads();
    count_columns(row, split.begin(row), row.columns);
    __syncthreads();
  }

  // Sorts columns of a row, tile by tile. `first_of` is called once, behind the first tile's sort, with the number of the tile's items in
  // slots below the thread's; it returns where in the row the thread's slot begins for these columns.
  template <typename FirstOf>
  __device__ __forceinline__ void sort_columns(const Row& row, unsigned long long begin, unsigned long long end, bool writes_offsets,
                                               const FirstOf& first_of) {
    unsigned int next = 0;
#pragma unroll 1
    for (unsigned long long start = begin;; start += kTileItems) {
      const unsigned int items = end - start < kTileItems ? static_cast<unsigned int>(end - start) : kTileItems;
      const SlotOfTile slot = sort_tile(row.keys + start, items, row.bins, [] {}, [](unsigned int) {});
      if (start == begin) {
        next = first_of(slot.first);
        if (writes_offsets && thread_ <= row.bins) row.offsets[thread_] = next;
      }
      if (thread_ < kSlots) storage_.shifts[thread_] = next - slot.first;
      next += slot.count;
      __syncthreads();
      write_tile(row, static_cast<unsigned int>(start), items);
      if (end - start <= kTileItems) break;
    }
  }

  // The items of a tile in slots below the thread's, and those in its slot.
  struct SlotOfTile {
    unsigned int first, count;
  };

  // An item of a warp, with its number among the warp's items of its slot:
  //
  //   | slot: 16 bits | rank: 16 bits |
  struct RankedItem {
    unsigned int word;

    static __device__ __forceinline__ RankedItem pack(unsigned int slot, unsigned int rank) { return {slot << 16 | rank}; }
    __device__ __forceinline__ unsigned int slot() const { return word >> 16; }
    __device__ __forceinline__ unsigned int rank() const { return word & 0xffffu; }
  };

  __device__ __forceinline__ unsigned int lanes_below() const { return (1u << lane_of(thread_)) - 1; }

  // Sorts items by slots, in shared memory. What is behind the last item has the last slot, and comes last. The sorted tile may be read
  // behind the next barrier, and it may be called again then. `while_loading` is called before its first barrier, and `counted` behind it,
  // with the number of the tile's items in the thread's slot.
  template <typename WhileLoading, typename Counted>
  __device__ __forceinline__ SlotOfTile sort_tile(const Key* keys, unsigned int items, unsigned int bins, const WhileLoading& while_loading,
                                                  const Counted& counted) {
    // Each warp has neighbouring items, this number of rows of an item for each lane.
    const unsigned int rows = (items + kBlockThreads - 1) / kBlockThreads;
    const unsigned int own_first = warp_of(thread_) * (kWarpThreads * rows) + lane_of(thread_);
    // Of these, the ones in which the thread has an item.
    const unsigned int rows_to_end = own_first < items ? (items - own_first + kWarpThreads - 1) / kWarpThreads : 0;
    const unsigned int own_rows = rows_to_end < rows ? rows_to_end : rows;
    const Key* const own_keys = keys + own_first;
    Key loaded[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      loaded[i] = i < own_rows ? own_keys[32 * i] : Key();
    }
    while_loading();
    unsigned int slots[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      slots[i] = i < own_rows ? slot_of(loaded[i], bins) : bins;
    }
    RankedItem ranked[kItemsPerThread];
    rank_in_warp(rows, slots, ranked);
    __syncthreads();
    const SlotOfTile slot = scan_histograms(counted);
    __syncthreads();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      if (i >= rows) break;
      const unsigned int own = ranked[i].slot();
      const unsigned int offset = storage_.histograms[warp_of(thread_)][own] + ranked[i].rank();
      storage_.sorted[offset] = SlottedItem::pack(own, own_first + 32 * i);
    }
    return slot;
  }

  // Ranks each of the warp's items among those of its slot. Items behind the last row are left with a value that nothing reads: without
  // one the compiler takes more registers.
  __device__ __forceinline__ void rank_in_warp(unsigned int rows, const unsigned int (&slots)[kItemsPerThread],
                                               RankedItem (&ranked)[kItemsPerThread]) {
    unsigned int (&histogram)[kSlots] = storage_.histograms[warp_of(thread_)];
    for (unsigned int slot = lane_of(thread_); slot < kSlots; slot += 32) histogram[slot] = 0;
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) ranked[i] = {slots[i]};
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      if (i >= rows) break;
      const unsigned int slot = slots[i];
      const unsigned int same = lanes_of_same_slot(slot);
      // The counter has the items of the slot in rows before.
      const unsigned int rank = histogram[slot] + __popc(same & lanes_below());
      __syncwarp();
      if (same >> lane_of(thread_) == 1) histogram[slot] = rank + 1;
      __syncwarp();
      ranked[i] = RankedItem::pack(slot, rank);
    }
  }

  // Adds up the values of the slots below the thread's. One barrier; it may be called again behind the next one.
  __device__ __forceinline__ unsigned int sum_of_slots_below(unsigned int value) {
    const unsigned int inclusive = inclusive_sum_in_warp(value, ~0u);
    if (lane_of(thread_) == 31 && warp_of(thread_) < kSlotWarps) storage_.warp_sums[warp_of(thread_)] = inclusive;
    __syncthreads();
    unsigned int below = inclusive - value;
#pragma unroll
    for (unsigned int warp = 0; warp < kSlotWarps; ++warp) below += warp < warp_of(thread_) ? storage_.warp_sums[warp] : 0;
    return below;
  }

  // Makes each warp's count of a slot the offset in the tile of the first of these items. One barrier, and the caller's before the
  // offsets are read.
  template <typename Counted>
  __device__ __forceinline__ SlotOfTile scan_histograms(const Counted& counted) {
    const bool has_slot = thread_ < kSlots;
    unsigned int of_warps[kWarps];
    unsigned int count = 0;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      of_warps[warp] = has_slot ? storage_.histograms[warp][thread_] : 0;
      count += of_warps[warp];
    }
    counted(count);
    const unsigned int first = sum_of_slots_below(count);
    if (has_slot) {
      unsigned int offset = first;
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        storage_.histograms[warp][thread_] = offset;
        offset += of_warps[warp];
      }
    }
    return {first, count};
  }

  // Writes the positions of the sorted tile, the first item of which is the row's of this number. The tile may be overwritten behind the next
  // barrier.
  __device__ __forceinline__ void write_tile(const Row& row, unsigned int start, unsigned int items) {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int offset = i * kBlockThreads + thread_;
      if (offset >= items) break;
      const SlottedItem item = storage_.sorted[offset];
      row.positions[storage_.shifts[item.slot()] + offset] = start + item.number();
    }
  }

  TempStorage& storage_;
  const unsigned int thread_;
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(96, 1)
binned_argsort_i64_b96_i2_r5_rows(
    const sortsmith::binned_argsort_i64_b96_i2_r5::Key* keys, unsigned int* positions, unsigned int* offsets,
    unsigned long long rows, unsigned long long columns, unsigned long long stride, unsigned int bins) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::binned_argsort_i64_b96_i2_r5;
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  for (unsigned long long row = blockIdx.x; row < rows; row += gridDim.x) {
    Argsort(storage).sort_row({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins});
  }
}

extern "C" __global__ void __launch_bounds__(96, 1)
binned_argsort_i64_b96_i2_r5_count(
    const sortsmith::binned_argsort_i64_b96_i2_r5::Key* keys, void* counts, unsigned long long columns,
    unsigned long long stride, unsigned int chunks, unsigned long long chunk_columns, unsigned int count_bytes,
    unsigned int bins) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::binned_argsort_i64_b96_i2_r5;
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.x / chunks;
  const Argsort::Chunks split = {counts, chunks, blockIdx.x % chunks, chunk_columns, count_bytes};
  Argsort(storage).count_chunk({keys + row * stride, nullptr, nullptr, columns, bins}, split);
}

extern "C" __global__ void __launch_bounds__(96, 1)
binned_argsort_i64_b96_i2_r5_rank(
    const sortsmith::binned_argsort_i64_b96_i2_r5::Key* keys, void* counts, unsigned int* positions,
    unsigned int* offsets, unsigned long long columns, unsigned long long stride, unsigned int chunks,
    unsigned long long chunk_columns, unsigned int count_bytes, unsigned int bins) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::binned_argsort_i64_b96_i2_r5;
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.x / chunks;
  const Argsort::Chunks split = {counts, chunks, blockIdx.x % chunks, chunk_columns, count_bytes};
  Argsort(storage).sort_chunk({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins}, split);
}

extern "C" __global__ void __launch_bounds__(96, 1)
binned_argsort_i64_b96_i2_r5_chunks(
    const sortsmith::binned_argsort_i64_b96_i2_r5::Key* keys, void* exchange, unsigned int* positions,
    unsigned int* offsets, unsigned long long columns, unsigned long long stride, unsigned long long chunk_columns,
    unsigned int capacity, unsigned int group_bits, unsigned int polls, unsigned int bins) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::binned_argsort_i64_b96_i2_r5;
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.y;
  Argsort(storage).sort_chunk_at_once({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins}, chunk_columns,
                                      {static_cast<unsigned long long*>(exchange), capacity, group_bits, polls});
}
#endif
