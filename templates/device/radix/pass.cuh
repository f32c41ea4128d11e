  // Sorts by one digit, the one whose turn it is: takes tiles, ranks their items, learns where their digits begin in the
  // array, writes them there. Where fewer digits differ than there are turns, the last ones do nothing.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int turn, unsigned char* shared) {
    wait_for_previous_grid();
    const Pass pass = pass_of_turn(arguments, turn);
    if (pass.ordinal == 0) return;
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const Route route = route_of(arguments, pass);
{%- if spreads %}
    if (pass.digit >= kMaxPasses) {
      const PartDigit digit{control_of(arguments).spread, (pass.digit - kMaxPasses) * kRadixBits};
      sort_tiles_by(arguments, turn, route, digit, storage);
      return;
    }
{%- endif %}
    sort_tiles_by(arguments, turn, route, digit_of_pass(arguments, pass.digit), storage);
  }

 private:
{% include "device/radix/route.cuh" %}

{% include "device/radix/load.cuh" %}

{% include "device/radix/rank.cuh" %}

{% include "device/radix/look_back.cuh" %}

{% include "device/radix/write.cuh" %}

  template <typename DigitOf>
  static __device__ __forceinline__ void sort_tiles_by(const Arguments& arguments, int turn, const Route& route,
                                                       const DigitOf& digit, PassStorage& storage) {
{%- if interleaves %}
    if (route.from_items) {
      sort_tiles<true>(arguments, turn, route, digit, storage);
      return;
    }
{%- endif %}
    sort_tiles<false>(arguments, turn, route, digit, storage);
  }

  // The block takes one tile after the other, in order, so that those before its own are done or being worked on: waiting
  // for them ends.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tiles(const Arguments& arguments, int turn, const Route& route,
                                                    const DigitOf& digit, PassStorage& storage) {
    const unsigned int tiles = static_cast<unsigned int>((arguments.n + kTileItems - 1) / kTileItems);
    if (threadIdx.x == 0) {
      storage.copies.prepare();
      BulkCopies::acquire_stores();
    }
    // The same thread uses what it has prepared; racecheck takes that for other lanes' work, and this tells it better.
    __syncwarp();
    unsigned int round = 0;
    unsigned int gap = 0;
    for (;;) {
      if (threadIdx.x == 0) {
        const unsigned int tile = atomicAdd(&control_of(arguments).tickets[turn], 1u);
        storage.tile = tile;
        const Count tile_start = static_cast<Count>(tile) * kTileItems;
        if (tile < tiles && loads_in_bulk<kFromItems>(arguments, route, tile_start)) {
          ask_for_tile<kFromItems>(arguments, route, storage, tile_start, gap);
        }
      }
      clear_histogram(storage);
      __syncthreads();
      const unsigned int tile = storage.tile;
      if (tile >= tiles) return;
      const Count tile_start = static_cast<Count>(tile) * kTileItems;
      const unsigned int valid_items =
          arguments.n - tile_start < kTileItems ? static_cast<unsigned int>(arguments.n - tile_start) : kTileItems;  //~ tile-size
      if (loads_in_bulk<kFromItems>(arguments, route, tile_start)) {
        storage.copies.wait(round++);
      } else {
        load<kFromItems>(arguments, route, storage, tile_start, valid_items, own_first_slot<kFromItems>(gap));
      }
      sort_tile<kFromItems>(arguments, route, digit, storage, tile, valid_items, gap);
      // Tiles to come are likely to be as regular.
      if (storage.is_regular) gap = Slots<kFromItems>::kGap;
    }
  }

  // Ranks by one atomic an item, which are right if the lanes that meet at a counter are served in order; writing the tile
  // shows whether they were. If not, ballots place its items, and it is written over.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tile(const Arguments& arguments, const Route& route, const DigitOf& digit,
                                                   PassStorage& storage, unsigned int tile, unsigned int valid_items,
                                                   unsigned int gap) {
    const unsigned int first_slot = own_first_slot<kFromItems>(gap);
    if (threadIdx.x == 0) storage.is_out_of_order = 0;
    PackedItems<kItemsPerThread, 16> ranks;
    PackedItems<kItemsPerThread, kRadixBits> digits;
    rank_by_atomics<kFromItems>(storage, digit, first_slot, ranks, digits);
    __syncthreads();
    // The first kBins threads have a digit each.
    unsigned int count = 0;
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.histograms[warp][threadIdx.x];
      publish_count(arguments, tile, count, route.epoch);
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      storage.starts[threadIdx.x] = inclusive - count;
      if (threadIdx.x % 32 == 31) storage.warp_totals[threadIdx.x / 32] = inclusive;
    }
    __syncthreads();
    if (threadIdx.x < kBins) make_positions(storage);
    __syncthreads();
    for_each_batch([&](int first, int end) {
      unsigned int positions[kBatch];
#pragma unroll
      for (int i = first; i < end; ++i) positions[i - first] = storage.histograms[threadIdx.x / 32][digits.get(i)] + ranks.get(i);
#pragma unroll
      for (int i = first; i < end; ++i) storage.sources[positions[i - first]] = static_cast<unsigned short>(first_slot + 32 * i);
    });
    if (threadIdx.x < kBins) {
      const Count before = sum_of_tiles_before(arguments, tile, count, route.epoch);
      // Opaque: else the address would take registers all the time.
      const Count first = route.bins[opaque(threadIdx.x)];
      storage.offsets[threadIdx.x] = first + before - storage.starts[threadIdx.x];  //~ offset-of-a-digit
    }
    const Count tile_start = static_cast<Count>(tile) * kTileItems;
    for (bool is_second_try = false;; is_second_try = true) {
      __syncthreads();
{%- if interleaves %}
      const bool in_order = route.to_items ? write<kFromItems, true>(arguments, route, digit, storage, tile_start, valid_items, gap)
                                           : write<kFromItems, false>(arguments, route, digit, storage, tile_start, valid_items, gap);
{%- else %}
      const bool in_order = write<kFromItems>(arguments, route, digit, storage, tile_start, valid_items, gap);
{%- endif %}
      // A vote of the block would do, but not for a compiler that fails where a function is left by one.
      if (!in_order) atomicOr(&storage.is_out_of_order, 1u);
      __syncthreads();
      if (is_second_try || storage.is_out_of_order == 0) return;  //~ order-check
      place_by_ballots<kFromItems>(storage, digit, first_slot);  //~ second-try
    }
  }

 public:
