 public:
  // The pass of a pass slot: takes tiles, ranks their items by its digit, finds where the digits begin in the array, and writes the
  // items there. Where fewer digits differ than there are pass slots, the last ones do nothing.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int pass_slot, unsigned char* shared) {
    wait_for_previous_grid();
    const Pass pass = pass_of_slot(arguments, pass_slot);
    if (pass.ordinal == 0) return;
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const PassBuffers buffers = buffers_of(arguments, pass);
{%- if maps_values %}
    if (pass.digit >= kMaxPasses) {
      const BucketDigit digit{control_of(arguments).linear_map, (pass.digit - kMaxPasses) * kRadixBits};
      sort_tiles_by(arguments, pass_slot, buffers, digit, storage);
      return;
    }
{%- endif %}
    sort_tiles_by(arguments, pass_slot, buffers, digit_of_pass(arguments, pass.digit), storage);
  }

 private:
{% include "device/radix/pass_buffers.cuh" %}

{% include "device/radix/load.cuh" %}

{% include "device/radix/rank.cuh" %}

{% include "device/radix/look_back.cuh" %}
{%- if key.is_struct %}

{% include "device/radix/store_key.cuh" %}
{%- endif %}

{% include "device/radix/write.cuh" %}

  template <typename DigitOf>
  static __device__ __forceinline__ void sort_tiles_by(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                       const DigitOf& digit, PassStorage& storage) {
{%- if interleaves %}
    if (buffers.from_items) {
      sort_tiles<true>(arguments, pass_slot, buffers, digit, storage);
      return;
    }
{%- endif %}
    sort_tiles<false>(arguments, pass_slot, buffers, digit, storage);
  }

  // The block takes one tile after the other, in order, so that those before its own are done or being worked on: waiting
  // for them ends.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tiles(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                    const DigitOf& digit, PassStorage& storage) {
    const unsigned int tiles = static_cast<unsigned int>((items_of(arguments, buffers) + kTileItems - 1) / kTileItems);
    if (threadIdx.x == 0) {
      storage.copies.prepare();
      BulkCopies::acquire_stores();
      storage.is_regular = 0;
    }
    // The same thread uses what it has prepared; racecheck takes that for other lanes' work, and this tells it better.
    __syncwarp();  //~ prepared-copies
    unsigned int round = 0;
    TileSlots slots{0};
    for (;;) {
      if (threadIdx.x == 0) {
        const unsigned int tile = atomicAdd(&control_of(arguments).tickets[pass_slot], 1u);
        storage.tile = tile;
        const Count tile_start = static_cast<Count>(tile) * kTileItems;
        if (tile < tiles && loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
          request_tile<kFromItems>(arguments, buffers, storage, tile_start);
        }
      }
      clear_histogram(storage);
      __syncthreads();
      const unsigned int tile = storage.tile;
      if (tile >= tiles) return;
      const Count tile_start = static_cast<Count>(tile) * kTileItems;
      const Count left = items_of(arguments, buffers) - tile_start;
      const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;  //~ tile-size
      if (loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
        storage.copies.wait(round++);
      } else {
        load<kFromItems>(arguments, buffers, storage, tile_start, valid_items, slots);
      }
      sort_tile<kFromItems>(arguments, buffers, digit, storage, tile, valid_items, slots);
      // The next tile is likely to be as regular as this one.
      if constexpr (TileSlots::kMayPad) slots.padding = storage.is_regular;
    }
  }

  // Ranks by one atomic an item, which are right if the lanes that meet at a counter are served in order; writing the tile
  // shows whether they were. If not, ballots rank its items, and it is written over.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                   PassStorage& storage, unsigned int tile, unsigned int valid_items,
                                                   TileSlots slots) {
    PackedItems<kItemsPerThread, 16> ranks;
    PackedItems<kItemsPerThread, kRadixBits> counters;
    const unsigned int count = count_tile<kFromItems>(arguments, buffers, digit, storage, tile, slots, ranks, counters);
    if (DigitOf::kMayBeOne && storage.only_digit < kBins) {
      if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
      __syncthreads();
{%- if interleaves %}
      buffers.to_items ? write_tile_of_one_digit<kFromItems, true>(arguments, buffers, storage, valid_items, slots)
                       : write_tile_of_one_digit<kFromItems, false>(arguments, buffers, storage, valid_items, slots);
{%- else %}
      write_tile_of_one_digit<kFromItems>(arguments, buffers, storage, valid_items, slots);
{%- endif %}
      __syncthreads();  //~ written-tile-of-one-digit
      return;
    }
    if (threadIdx.x < kBins) make_positions(storage);
    __syncthreads();
    const unsigned int first_slot = slots.own_first();
    for_each_batch([&](int first, int end) {
      unsigned int positions[kBatch];
#pragma unroll
      for (int i = first; i < end; ++i) positions[i - first] = storage.histograms[warp_of(threadIdx.x)][counters.get(i)] + ranks.get(i);
#pragma unroll
      for (int i = first; i < end; ++i) storage.sources[positions[i - first]] = static_cast<unsigned short>(first_slot + i * slots.row());
    });
    if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
    for (bool is_second_try = false;; is_second_try = true) {
      __syncthreads();
{%- if interleaves %}
      const bool in_order = buffers.to_items ? write<kFromItems, true>(arguments, buffers, digit, storage, valid_items, slots)
                                           : write<kFromItems, false>(arguments, buffers, digit, storage, valid_items, slots);
{%- else %}
      const bool in_order = write<kFromItems>(arguments, buffers, digit, storage, valid_items, slots);
{%- endif %}
      // A vote of the block would do, but not for a compiler that fails where a function is left by one.
      if (!in_order) atomicOr(&storage.is_out_of_order, 1u);
      __syncthreads();
      if (is_second_try || storage.is_out_of_order == 0) return;  //~ order-check
      scatter_by_ballots<kFromItems>(storage, digit, slots);  //~ second-try
    }
  }

  // Ranks the items within their warps, counts the tile's digits, publishes the counts and begins their scan. Each of the first kBins
  // threads gets the count of its digit. Ends with a barrier of the block.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ unsigned int count_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                            PassStorage& storage, unsigned int tile, TileSlots slots,
                                                            PackedItems<kItemsPerThread, 16>& ranks,
                                                            PackedItems<kItemsPerThread, kRadixBits>& counters) {
    if (threadIdx.x == 0) {
      storage.is_out_of_order = 0;
      storage.only_digit = kBins;
    }
    rank_by_atomics<kFromItems>(storage, digit, slots, ranks, counters);
    __syncthreads();
    unsigned int count = 0;
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.histograms[warp][counter_of(threadIdx.x)];
      publish_count(arguments, tile, count, buffers.epoch);
      if (DigitOf::kMayBeOne && count == kTileItems) storage.only_digit = threadIdx.x;  //~ only-digit
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      storage.first_positions[threadIdx.x] = inclusive - count;
      if (lane_of(threadIdx.x) == 31) storage.warp_totals[warp_of(threadIdx.x)] = inclusive;
    }
    __syncthreads();
    return count;
  }

  // Finds what to add to the positions of the thread's digit in the sorted tile, from the tiles before.
  static __device__ __forceinline__ void find_offset(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                                     unsigned int tile, unsigned int count) {
    const Count before = sum_of_tiles_before(arguments, tile, count, buffers.epoch);
    // Opaque: else the address would take registers all the time.
    const Count first = buffers.bins[opaque(threadIdx.x)];
    storage.offsets[threadIdx.x] = first + before - storage.first_positions[threadIdx.x];  //~ offset-of-a-digit
  }
