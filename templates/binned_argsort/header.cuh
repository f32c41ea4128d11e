{% extends "fragments/file.cuh" %}

{% block summary %}an argsort of
// each row of a matrix, and the offsets of each row's bins. Stable: the positions of a bin are ascending. Keys that are not below the
// number of bins, negative ones too, are in no bin; their positions come last.
//
// bins is at most {{ max_bins }}. Positions are those in the row, as many as columns. Offsets are bins + 1 a row: bin b has the positions
// from offsets[b] to offsets[b + 1], and offsets[bins] is the number of keys that are in bins. Columns are less than 2^32.
//
//   slot   a number by which keys are counted: a bin, or the number of bins for keys that are in none
//   tile   the items that a block holds, {{ threads * items }} at most
//   chunk  neighbouring columns of a row, which are one block's
//
// Each warp of a block ranks its items by slots: ballots find the lanes of a row of 32 items that have the same slot, and one of them
// adds their number to the slot's counter. A scan over slots and warps makes ranks in the tile of these, by which the tile is
// sorted in shared memory, so that it goes to memory in runs. Where the runs go is known when all of the row is counted. A row
// of at most a tile is:
//
//   {{ base.name }}_rows<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>({{ rows.names }});
//
// With chunks * chunk_columns >= columns, and chunks of at most a tile and less than 16384 columns, the blocks publish their counts:
//
//   {{ base.name }}_chunks<<<dim3(chunks, rows), {{ threads }}, {{ shared_bytes }}, stream>>>({{ chunks.names }});
//
// exchange is 16 + 2 * capacity words, zeros before the first launch, which only such launches change, one after the other and all with
// the same capacity. A launch takes {{ chunk_counts / 4 }} of these for each chunk of a row, and {{ chunk_counts / 2 }} for each group of 2^group_bits chunks, at most 2^7. A grid has
// less than 65536 blocks. They need not all have room on the device: a block that has polled a word this often counts the row by itself.
//
// Other rows are counted before, with chunks * chunk_columns >= columns, and room for rows * chunks * {{ chunk_counts }} counts of count_bytes bytes (2 or 4), aligned to
// 32 bytes, of which those of 2 take chunks of less than 65536 columns:
//
//   {{ base.name }}_count<<<rows * chunks, {{ threads }}, {{ shared_bytes }}, stream>>>({{ count.names }});
//   {{ base.name }}_rank<<<rows * chunks, {{ threads }}, {{ shared_bytes }}, stream>>>({{ rank.names }});
//
// stride is the distance between the first keys of two rows.
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key }};

  static constexpr unsigned int kBlockThreads = {{ threads }};
  static constexpr unsigned int kItemsPerThread = {{ items }};
  static constexpr unsigned int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr unsigned int kBinBits = {{ bits }};
  static constexpr unsigned int kMaxBins = 1u << kBinBits;
  // Counts of a chunk in memory.
  static constexpr unsigned int kChunkCounts = {{ chunk_counts }};
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};

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
  using KeyBits = {{ register_bits }};

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

  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage) : storage_(storage), thread_(threadIdx.x) {}

{% include "binned_argsort/kernels.cuh" %}

 private:
{% include "binned_argsort/count.cuh" %}

{% include "binned_argsort/exchange.cuh" %}

{% include "binned_argsort/rank.cuh" %}

  TempStorage& storage_;
  const unsigned int thread_;
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_rows({{ rows.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::{{ base.name }};
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  for (unsigned long long row = blockIdx.x; row < rows; row += gridDim.x) {  //~ next-binned-row
    Argsort(storage).sort_row({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins});
  }
}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_count({{ count.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::{{ base.name }};
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.x / chunks;
  const Argsort::Chunks split = {counts, chunks, blockIdx.x % chunks, chunk_columns, count_bytes};
  Argsort(storage).count_chunk({keys + row * stride, nullptr, nullptr, columns, bins}, split);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_rank({{ rank.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::{{ base.name }};
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.x / chunks;
  const Argsort::Chunks split = {counts, chunks, blockIdx.x % chunks, chunk_columns, count_bytes};
  Argsort(storage).sort_chunk({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins}, split);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_chunks({{ chunks.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Argsort = sortsmith::{{ base.name }};
  Argsort::TempStorage& storage = *reinterpret_cast<Argsort::TempStorage*>(sortsmith_shared);
  const unsigned long long row = blockIdx.y;
  Argsort(storage).sort_chunk_at_once({keys + row * stride, positions + row * columns, offsets + row * (bins + 1), columns, bins}, chunk_columns,
                                      {static_cast<unsigned long long*>(exchange), capacity, group_bits, polls});
}
{% endblock %}
