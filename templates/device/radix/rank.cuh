  // The position in the tile of the item that a thread ranks.
  static __device__ __forceinline__ unsigned int own_position(int item) { return warp_striped<kItemsPerThread>(threadIdx.x, item); }

  // Where the first of those items is in shared memory; each next one is 32 slots on. Of two items, the earlier one has the
  // lower slot.
  static __device__ __forceinline__ unsigned int own_first_slot() { return warp_of(threadIdx.x) * kWarpItems + lane_of(threadIdx.x); }

  // Shared memory is read for this number of items before it is written for the first of them: no read waits for another then.
  static constexpr int kBatch = 8;

  template <typename Work>
  static __device__ __forceinline__ void for_each_batch(const Work& work) {
#pragma unroll
    for (int first = 0; first < kItemsPerThread; first += kBatch) {
      work(first, first + kBatch < kItemsPerThread ? first + kBatch : kItemsPerThread);
    }
  }

  // A digit is heavy if at least this number of lanes of a row have it.
  static constexpr int kHeavyLanes = 5;

  // Each warp its own.
  static __device__ __forceinline__ void clear_histogram(PassStorage& storage) {
    for (unsigned int bin = lane_of(threadIdx.x); bin < kBins; bin += 32) storage.histograms[warp_of(threadIdx.x)][bin] = 0;
    __syncwarp();  //~ cleared-histogram
  }

  // Gives each of the warp's items the number of its digit before it in the warp, and counts them.
  //
  // A counter that is added to says how many came before. Among the lanes of one row it says in which order they were
  // served, which no manual promises to be theirs: see sort_tile. Lanes that meet at one counter are served one after the
  // other; where many of a row do, one ballot numbers those of the heavy digit.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void rank_by_atomics(PassStorage& storage, const DigitOf& digit, unsigned int first_slot,
                                                         PackedItems<kItemsPerThread, 16>& ranks,
                                                         PackedItems<kItemsPerThread, kRadixBits>& digits) {
    unsigned int (&histogram)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const auto digit_at = [&](int item) {
      return digit.of(bits_as<Key>(key_at<kFromItems>(storage, first_slot + 32 * item)));
    };
    const unsigned int heavy_lanes = __ballot_sync(~0u, __popc(lanes_of_same_digit<kRadixBits>(digit_at(0))) >= kHeavyLanes);
    if (heavy_lanes == 0) {
      for_each_batch([&](int first, int end) {
        unsigned int digits_of_batch[kBatch];
#pragma unroll
        for (int i = first; i < end; ++i) digits_of_batch[i - first] = digit_at(i);
#pragma unroll
        for (int i = first; i < end; ++i) {
          digits.set(i, digits_of_batch[i - first]);
          ranks.set(i, atomicAdd(&histogram[digits_of_batch[i - first]], 1u));
        }
      });
      return;
    }
    HeavyDigit heavy{__shfl_sync(~0u, digit_at(0), __ffs(heavy_lanes) - 1), 0};
    // As many rows at once as a loop has that is not unrolled; then the rest.
    constexpr int kInLoop = kItemsPerThread / kBatch * kBatch;
    constexpr int kRest = kInLoop < kItemsPerThread ? kItemsPerThread - kInLoop : 1;
    if constexpr (kInLoop > 0) {
#pragma unroll 1
      for (int first = 0; first < kInLoop; first += kBatch) {
        unsigned int of_digits[kBatch];
        unsigned int of_ranks[kBatch];
        rank_rows_of_heavy(histogram, digit_at, first, heavy, of_digits, of_ranks);
        digits.template push<kInLoop>(of_digits);
        ranks.template push<kInLoop>(of_ranks);
      }
    }
    if constexpr (kInLoop < kItemsPerThread) {
      unsigned int of_digits[kRest];
      unsigned int of_ranks[kRest];
      rank_rows_of_heavy(histogram, digit_at, kInLoop, heavy, of_digits, of_ranks);
#pragma unroll
      for (int i = 0; i < kRest; ++i) {
        digits.set(kInLoop + i, of_digits[i]);
        ranks.set(kInLoop + i, of_ranks[i]);
      }
    }
    if (lane_of(threadIdx.x) == 0) histogram[heavy.digit] = heavy.count;  //~ heavy-count-at-end
  }

  // A digit that many lanes of a row have; its counter is kept in a register.
  struct HeavyDigit {
    unsigned int digit;
    unsigned int count;
  };

  // Ranks some rows of the warp's items, from this one on.
  template <int kRows, typename DigitAt>
  static __device__ __forceinline__ void rank_rows_of_heavy(unsigned int (&histogram)[kBins], const DigitAt& digit_at, int first, HeavyDigit& heavy,
                                                            unsigned int (&digits)[kRows], unsigned int (&ranks)[kRows]) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int lanes_below = (1u << lane) - 1u;  //~ lanes-below
#pragma unroll
    for (int i = 0; i < kRows; ++i) digits[i] = digit_at(first + i);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const unsigned int own = digits[i];
      const unsigned int same = __ballot_sync(~0u, own == heavy.digit);
      ranks[i] = own == heavy.digit ? heavy.count + __popc(same & lanes_below) : atomicAdd(&histogram[own], 1u);
      heavy.count += __popc(same);
      if (__popc(same) < kHeavyLanes && first + i + 1 < kItemsPerThread) {
        // Perhaps another digit is heavy in the rows to come.
        const unsigned int next = __shfl_sync(~0u, own, 31);
        if (lane == 0) histogram[heavy.digit] = heavy.count;  //~ heavy-count-between-rows
        __syncwarp();
        heavy.digit = next;
        heavy.count = histogram[next];  //~ next-heavy-digit
        // All lanes have read what one of them writes later.
        __syncwarp();  //~ read-heavy-count
      }
    }
  }

  // Makes every warp's count of the thread's digit the position in the tile of the first of those items: behind all items
  // of lower digits, and behind those of the same digit in the warps below.
  static __device__ __forceinline__ void make_positions(PassStorage& storage) {
    unsigned int position = storage.first_positions[threadIdx.x];
#pragma unroll
    for (unsigned int warp = 0; warp < kBins / 32; ++warp) {
      if (warp < warp_of(threadIdx.x)) position += storage.warp_totals[warp];
    }
    storage.first_positions[threadIdx.x] = position;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      const unsigned int count = storage.histograms[warp][threadIdx.x];
      storage.histograms[warp][threadIdx.x] = position;
      position += count;
    }
  }

  // Scatters the warp's items to the sorted tile by ballots, which no order of serving can change. It is seldom needed,
  // and not made fast.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void scatter_by_ballots(PassStorage& storage, const DigitOf& digit, unsigned int first_slot,
                                                            unsigned int permuted) {
    unsigned int (&positions)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll 1
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = first_slot + 32 * i;
      const unsigned int own = digit.of(bits_as<Key>(key_at<kFromItems>(storage, slot, permuted)));
      const unsigned int same = lanes_of_same_digit<kRadixBits>(own);
      const unsigned int first = positions[own];
      storage.sources[first + __popc(same & lanes_below)] = static_cast<unsigned short>(slot);  //~ ballot-rank
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if ((same & lanes_below) == 0) positions[own] = first + __popc(same);  //~ first-of-next-row
      __syncwarp();  //~ row-by-ballots
    }
  }
