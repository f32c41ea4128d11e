  // The position in the tile of a thread's item: a warp reads neighbouring items, row by row.
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
{%- if has_values %}

  static __device__ __forceinline__ void load_values(Value (&values)[kItemsPerThread], const Value* from, unsigned int valid_items) {
    if (valid_items == kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) values[i] = from[loaded_position(i)];
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        // Past the end the last item is read again: it is not written, but it is there.
        values[i] = from[loaded_position(i) < valid_items ? loaded_position(i) : valid_items - 1];
      }
    }
  }
{%- endif %}

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
