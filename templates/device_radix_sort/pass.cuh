  // Sorts by one digit: takes a tile, ranks its items, learns where its digits begin in the array, writes them there.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int pass, unsigned char* shared) {
    const Control& control = control_of(arguments);
    const int ordinal = control.ordinals[pass];
    if (ordinal == 0) return;
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const Route route = route_of(arguments, ordinal, control.executed);
{%- if interleaves %}
    if (route.from_items) {
      sort_tile<true>(arguments, pass, ordinal, route, storage);
    } else {
      sort_tile<false>(arguments, pass, ordinal, route, storage);
    }
{%- else %}
    sort_tile<false>(arguments, pass, ordinal, route, storage);
{%- endif %}
  }

 private:
{% include "device_radix_sort/route.cuh" %}

{% include "device_radix_sort/load.cuh" %}

{% include "device_radix_sort/rank.cuh" %}

{% include "device_radix_sort/look_back.cuh" %}

{% include "device_radix_sort/write.cuh" %}

  template <bool kFromItems>
  static __device__ __forceinline__ void sort_tile(const Arguments& arguments, int pass, int ordinal, const Route& route,
                                                   PassStorage& storage) {
    const Digit digit = digit_of_pass(arguments, pass);
    // Tiles are taken in order, so that those before this one are done or being worked on: waiting for them ends.
    if (threadIdx.x == 0) {
      storage.tile = atomicAdd(&control_of(arguments).tickets[pass], 1u);
      begin_to_load<kFromItems>(arguments, route, storage);
    }
    clear_histogram(storage);
    __syncthreads();
    const unsigned int tile = storage.tile;
    const Count tile_start = static_cast<Count>(tile) * kTileItems;
    const unsigned int valid_items =
        arguments.n - tile_start < kTileItems ? static_cast<unsigned int>(arguments.n - tile_start) : kTileItems;
    load<kFromItems>(arguments, route, storage, tile_start, valid_items);

    // Ranks by one atomic an item, which are right if the lanes that meet at a counter are served in order; writing the
    // tile shows whether they were. If not, the tile is ranked again by ballots, and written over.
    for (bool is_second_try = false;; is_second_try = true) {
      PackedItems<kItemsPerThread, 16> ranks;
      PackedItems<kItemsPerThread, kRadixBits> digits;
      if (is_second_try) {
        rank_by_ballots<kFromItems>(storage, digit, ranks, digits);
      } else {
        rank_by_atomics<kFromItems>(storage, digit, ranks, digits);
      }
      __syncthreads();
      // The first kBins threads have a digit each.
      unsigned int count = 0;
      if (threadIdx.x < kBins) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.histograms[warp][threadIdx.x];
        if (!is_second_try) publish_count(arguments, tile, count, ordinal);
        const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
        storage.starts[threadIdx.x] = inclusive - count;
        if (threadIdx.x % 32 == 31) storage.warp_totals[threadIdx.x / 32] = inclusive;
      }
      __syncthreads();
      if (threadIdx.x < kBins) make_positions(storage);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        const unsigned int position = storage.histograms[threadIdx.x / 32][digits.get(i)] + ranks.get(i);
        storage.sources[position] = static_cast<unsigned short>(own_position(i));
      }
      if (threadIdx.x < kBins && !is_second_try) {
        const Count before = sum_of_tiles_before(arguments, tile, count, ordinal);
        storage.offsets[threadIdx.x] =
            control_of(arguments).bins[pass][threadIdx.x] + before - storage.starts[threadIdx.x];
      }
      __syncthreads();
      const bool in_order = write<kFromItems>(arguments, route, storage, digit, tile_start, valid_items);
      if (!__syncthreads_or(!in_order)) return;
      clear_histogram(storage);
      __syncwarp();
    }
  }

 public:
