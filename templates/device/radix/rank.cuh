  // The position in the tile of the item that a thread ranks.
  static __device__ __forceinline__ unsigned int own_position(int item) { return warp_striped<kItemsPerThread>(threadIdx.x, item); }

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

  // Gives each of the warp's items its counter and the number of its digit before it in the warp, and counts them.
  //
  // A counter that is added to says how many came before. Among the lanes of one row it says in which order they were
  // served, which no manual promises to be theirs: see sort_tile. Lanes that meet at one counter are served one after the
  // other; where many of a row do, one ballot numbers those of the heavy digit.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void rank_by_atomics(PassStorage& storage, const DigitOf& digit, TileSlots slots,
                                                         PackedItems<kItemsPerThread, 16>& ranks,
                                                         PackedItems<kItemsPerThread, kRadixBits>& counters) {
    unsigned int (&histogram)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const auto counter_at = [&](int item) {
      return counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, first_slot + item * slots.row()))));
    };
    const unsigned int heavy_lanes = __ballot_sync(~0u, __popc(lanes_of_same_digit<kRadixBits>(counter_at(0))) >= kHeavyLanes);
    if (heavy_lanes == 0) {
      for_each_batch([&](int first, int end) {
        unsigned int of_batch[kBatch];
#pragma unroll
        for (int i = first; i < end; ++i) of_batch[i - first] = counter_at(i);
#pragma unroll
        for (int i = first; i < end; ++i) {
          counters.set(i, of_batch[i - first]);
          ranks.set(i, atomicAdd(&histogram[of_batch[i - first]], 1u));
        }
      });
      return;
    }
    HeavyDigit heavy{__shfl_sync(~0u, counter_at(0), __ffs(heavy_lanes) - 1), 0};
    // As many rows at once as a loop has that is not unrolled; then the rest.
    constexpr int kInLoop = kItemsPerThread / kBatch * kBatch;
    constexpr int kRest = kInLoop < kItemsPerThread ? kItemsPerThread - kInLoop : 1;
    if constexpr (kInLoop > 0) {
#pragma unroll 1
      for (int first = 0; first < kInLoop; first += kBatch) {
        unsigned int of_counters[kBatch];
        unsigned int of_ranks[kBatch];
        rank_rows_of_heavy(histogram, counter_at, first, heavy, of_counters, of_ranks);
        counters.template push<kInLoop>(of_counters);
        ranks.template push<kInLoop>(of_ranks);
      }
    }
    if constexpr (kInLoop < kItemsPerThread) {
      unsigned int of_counters[kRest];
      unsigned int of_ranks[kRest];
      rank_rows_of_heavy(histogram, counter_at, kInLoop, heavy, of_counters, of_ranks);
#pragma unroll
      for (int i = 0; i < kRest; ++i) {
        counters.set(kInLoop + i, of_counters[i]);
        ranks.set(kInLoop + i, of_ranks[i]);
      }
    }
    if (lane_of(threadIdx.x) == 0) histogram[heavy.counter] = heavy.count;  //~ heavy-count-at-end
  }

  // A digit that many lanes of a row have: where its counter is, and what that would have, which is kept in a register.
  struct HeavyDigit {
    unsigned int counter;
    unsigned int count;
  };

  // Ranks some rows of the warp's items, from this one on.
  template <int kRows, typename CounterAt>
  static __device__ __forceinline__ void rank_rows_of_heavy(unsigned int (&histogram)[kBins], const CounterAt& counter_at, int first, HeavyDigit& heavy,
                                                            unsigned int (&counters)[kRows], unsigned int (&ranks)[kRows]) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int lanes_below = (1u << lane) - 1u;  //~ lanes-below
#pragma unroll
    for (int i = 0; i < kRows; ++i) counters[i] = counter_at(first + i);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const unsigned int own = counters[i];
      const unsigned int same = __ballot_sync(~0u, own == heavy.counter);
      ranks[i] = own == heavy.counter ? heavy.count + __popc(same & lanes_below) : atomicAdd(&histogram[own], 1u);
      heavy.count += __popc(same);
      if (__popc(same) < kHeavyLanes && first + i + 1 < kItemsPerThread) {
        // Perhaps another digit is heavy in the rows to come.
        const unsigned int next = __shfl_sync(~0u, own, 31);
        if (lane == 0) histogram[heavy.counter] = heavy.count;  //~ heavy-count-between-rows
        __syncwarp();
        heavy.counter = next;
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
    for (unsigned int warp = 0; warp < kBins / kWarpThreads; ++warp) {
      if (warp < warp_of(threadIdx.x)) position += storage.warp_totals[warp];
    }
    storage.first_positions[threadIdx.x] = position;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      unsigned int& counter = storage.histograms[warp][counter_of(threadIdx.x)];
      const unsigned int count = counter;
      counter = position;
      position += count;
    }
  }

  // Scatters the warp's items to the sorted tile by ballots, which no order of serving can change. It is seldom needed,
  // and not made fast.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void scatter_by_ballots(PassStorage& storage, const DigitOf& digit, TileSlots slots) {
    unsigned int (&positions)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll 1
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = first_slot + i * slots.row();
      const unsigned int own = counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, slot))));
      const unsigned int same = lanes_of_same_digit<kRadixBits>(own);
      const unsigned int first = positions[own];
      storage.sources[first + __popc(same & lanes_below)] = static_cast<unsigned short>(slot);  //~ ballot-rank
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if ((same & lanes_below) == 0) positions[own] = first + __popc(same);  //~ first-of-next-row
      __syncwarp();  //~ row-by-ballots
    }
  }
