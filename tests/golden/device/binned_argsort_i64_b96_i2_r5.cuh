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
// of at most a tile is, and a longer one is counted before:
//
//   binned_argsort_i64_b96_i2_r5_rows<<<any, 96, 1628, stream>>>(keys, positions, offsets, rows, columns, stride, bins);
//
// or, with chunks * chunk_columns >= columns, and room for rows * chunks * 40 counts of count_bytes bytes (2 or 4), aligned to
// 32 bytes, of which those of 2 take chunks of less than 65536 columns:
//
//   binned_argsort_i64_b96_i2_r5_count<<<rows * chunks, 96, 1628, stream>>>(keys, counts, columns, stride, chunks, chunk_columns, count_bytes, bins);
//   binned_argsort_i64_b96_i2_r5_rank<<<rows * chunks, 96, 1628, stream>>>(keys, counts, positions, offsets, columns, stride, chunks, chunk_columns, count_bytes, bins);
//
// stride is the distance between the first keys of two rows.
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template binned_argsort; to make it again:
//   sortsmith emit --name binned_argsort_i64_b96_i2_r5 --out .
#pragma once

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
  static constexpr unsigned int kSharedBytes = 1628;

 private:
  static constexpr unsigned int kWarps = kBlockThreads / 32;
  // Bins, and the keys that are in none.
  static constexpr unsigned int kSlots = kMaxBins + 1;
  static_assert(kSlots <= kBlockThreads, "a thread for each slot");
  // Counts that a thread loads at once.
  static constexpr unsigned int kVectorCounts = 8;
  static constexpr unsigned int kVectors = kChunkCounts / kVectorCounts;
  using BlockScan = WarpScans<kBlockThreads>;

  // What keys are compared as: a negative one is greater than any number of bins.
  using KeyBits = unsigned long long;

 public:
  struct TempStorage {
    // Each warp's items by slots; then where in the tile they begin.
    unsigned int histograms[kWarps][kSlots];
    // The tile's items by slots:
    //
    //   | slot: 16 bits | number in the tile: 16 bits |
    unsigned int sorted[kTileItems];
    // From an item's offset in the sorted tile to its offset in the row's positions.
    unsigned int shifts[kSlots];
    // Counts of the row, and of its chunks before this one: see count_slot.
    unsigned int row_counts[kChunkCounts];
    unsigned int counts_before[kChunkCounts];
    BlockScan::Storage scan;
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

  // How rows are split: a block has the chunk of its number, row by row.
  struct Chunks {
    void* counts;
    unsigned int chunks;
    unsigned long long columns;
    unsigned int count_bytes;

    __device__ __forceinline__ unsigned int own() const { return blockIdx.x % chunks; }
    __device__ __forceinline__ unsigned long long begin(const Row& row) const {
      const unsigned long long first = own() * columns;
      return first < row.columns ? first : row.columns;
    }
    __device__ __forceinline__ unsigned long long end(const Row& row) const {
      const unsigned long long first = begin(row);
      return row.columns - first < columns ? row.columns : first + columns;
    }
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
    sort_columns(row, split.begin(row), split.end(row), split.own() == 0, [&](unsigned int) {
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
    for (unsigned int i = thread_; i < kChunkCounts; i += kBlockThreads) {
      storage_.row_counts[i] = 0;
      storage_.counts_before[i] = 0;
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
    const unsigned int own = split.own();
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
    unsigned int total;
    const unsigned int count = thread_ < kSlots ? storage_.row_counts[count_slot(thread_)] : 0;
    return BlockScan::exclusive_sum(storage_.scan, thread_, count, total);
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
      const SlotOfTile slot = sort_tile(row.keys + start, items, row.bins);
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

  __device__ __forceinline__ unsigned int lanes_below() const { return (1u << lane_of(thread_)) - 1; }

  // Sorts items by slots, in shared memory. What is behind the last item has the last slot, and comes last. The sorted tile may be read
  // behind the next barrier, and it may be called again then.
  __device__ __forceinline__ SlotOfTile sort_tile(const Key* keys, unsigned int items, unsigned int bins) {
    // Each warp has neighbouring items, this number of rows of 32.
    const unsigned int rows = (items + kBlockThreads - 1) / kBlockThreads;
    const unsigned int own_first = warp_of(thread_) * (32 * rows) + lane_of(thread_);
    // | slot: 16 bits | number among the warp's items of the slot: 16 bits |
    unsigned int ranked[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int item = own_first + 32 * i;
      ranked[i] = i < rows && item < items ? slot_of(keys[item], bins) : bins;
    }
    rank_in_warp(rows, ranked);
    __syncthreads();
    const SlotOfTile slot = scan_histograms();
    __syncthreads();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      if (i >= rows) break;
      const unsigned int own = ranked[i] >> 16;
      const unsigned int offset = storage_.histograms[warp_of(thread_)][own] + (ranked[i] & 0xffffu);
      storage_.sorted[offset] = own << 16 | (own_first + 32 * i);
    }
    return slot;
  }

  // Gives each of the warp's items, of which `ranked` has the slots, its number among those of the slot.
  __device__ __forceinline__ void rank_in_warp(unsigned int rows, unsigned int (&ranked)[kItemsPerThread]) {
    unsigned int (&histogram)[kSlots] = storage_.histograms[warp_of(thread_)];
    for (unsigned int slot = lane_of(thread_); slot < kSlots; slot += 32) histogram[slot] = 0;
    __syncwarp();
    // What the lowest lane of an item's slot finds in the counter: items of the slot in rows before.
    unsigned int before[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      if (i >= rows) break;
      const unsigned int slot = ranked[i];
      const unsigned int same = lanes_of_same_slot(slot);
      const unsigned int below = __popc(same & lanes_below());
      before[i] = 0;
      // No two lanes meet. What the counter was is not needed before all rows are counted, and no row waits for the one before.
      if (below == 0) before[i] = atomicAdd(&histogram[slot], __popc(same));
      __syncwarp();
      // | slot: 16 bits | lowest lane: 8 bits | lanes below: 8 bits |
      ranked[i] = slot << 16 | (__ffs(static_cast<int>(same)) - 1) << 8 | below;
    }
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      if (i >= rows) break;
      const unsigned int of_rows_before = __shfl_sync(~0u, before[i], ranked[i] >> 8 & 0xff);
      ranked[i] = (ranked[i] & 0xffff0000u) | (of_rows_before + (ranked[i] & 0xffu));
    }
  }

  // Makes each warp's count of a slot the offset in the tile of the first of these items. One barrier, and the caller's before the
  // offsets are read.
  __device__ __forceinline__ SlotOfTile scan_histograms() {
    const bool has_slot = thread_ < kSlots;
    unsigned int count = 0;
    if (has_slot) {
#pragma unroll 8
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage_.histograms[warp][thread_];
    }
    unsigned int total;
    const unsigned int first = BlockScan::exclusive_sum(storage_.scan, thread_, count, total);
    if (has_slot) {
      unsigned int offset = first;
#pragma unroll 8
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        const unsigned int of_warp = storage_.histograms[warp][thread_];
        storage_.histograms[warp][thread_] = offset;
        offset += of_warp;
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
      const unsigned int item = storage_.sorted[offset];
      row.positions[storage_.shifts[item >> 16] + offset] = start + (item & 0xffffu);
    }
  }

  TempStorage& storage_;
  const unsigned int thread_;
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(96, 1)
binned_argsort_i64_b96_i2_r5_rows(const sortsmith::binned_argsort_i64_b96_i2_r5::Key* keys, unsigned int* positions, unsigned int* offsets,
    unsigned long long rows, unsigned long long columns, unsigned long long stride, unsigned int bins) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::binned_argsort_i64_b96_i2_r5;
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  for (unsigned long long row = blockIdx.x; row < rows; row += gridDim.x) {
    Argsort(storage).sort_row({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins});
  }
}

extern "C" __global__ void __launch_bounds__(96, 1)
binned_argsort_i64_b96_i2_r5_count(const sortsmith::binned_argsort_i64_b96_i2_r5::Key* keys, void* counts, unsigned long long columns,
    unsigned long long stride, unsigned int chunks, unsigned long long chunk_columns, unsigned int count_bytes,
    unsigned int bins) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::binned_argsort_i64_b96_i2_r5;
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.x / chunks;
  const Argsort::Chunks split = {counts, chunks, chunk_columns, count_bytes};
  Argsort(storage).count_chunk({keys + row * stride, nullptr, nullptr, columns, bins}, split);
}

extern "C" __global__ void __launch_bounds__(96, 1)
binned_argsort_i64_b96_i2_r5_rank(const sortsmith::binned_argsort_i64_b96_i2_r5::Key* keys, void* counts, unsigned int* positions,
    unsigned int* offsets, unsigned long long columns, unsigned long long stride, unsigned int chunks,
    unsigned long long chunk_columns, unsigned int count_bytes, unsigned int bins) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::binned_argsort_i64_b96_i2_r5;
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.x / chunks;
  const Argsort::Chunks split = {counts, chunks, chunk_columns, count_bytes};
  Argsort(storage).sort_chunk({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins}, split);
}
#endif
