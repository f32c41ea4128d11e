 private:
  // Items of four buckets, those of even and of odd ones side by side, which a word of four counters of a byte each adds to:
  //
  //   even: | bucket 2: 16 bits | bucket 0: 16 bits |
  //   odd:  | bucket 3: 16 bits | bucket 1: 16 bits |
  struct FourCounts {
    unsigned int even, odd;
    __device__ __forceinline__ void add(unsigned int counters) {
      even += counters & 0x00ff00ffu;
      odd += counters >> 8 & 0x00ff00ffu;
    }
    __device__ __forceinline__ unsigned int of(unsigned int bucket) const { return (bucket % 2 == 0 ? even : odd) >> (bucket / 2 * 16) & 0xffffu; }
  };

 public:
  // What a block that counts has in shared memory.
  struct CountStorage {
    Bits splitters[kMaxBuckets];
    // For each thread a byte for each bucket, four buckets in a word, so that no thread waits for another one whatever the keys are.
    unsigned int counters[(kMaxBuckets + 3) / 4][kBlockThreads];
  };
  static_assert(sizeof(CountStorage) == kCountSharedBytes, "the storage is laid out as planned");

  // Counts the tile's items of each bucket.
  static __device__ __forceinline__ void count_tile(const Arguments& arguments, CountStorage& storage) {
    constexpr unsigned int kRows = (kMaxBuckets + 3) / 4;
    if (threadIdx.x < kMaxBuckets) storage.splitters[threadIdx.x] = arguments.splitters[threadIdx.x];
#pragma unroll
    for (unsigned int row = 0; row < kRows; ++row) storage.counters[row][threadIdx.x] = 0;
    __syncthreads();
    unsigned char* const counters = reinterpret_cast<unsigned char*>(&storage.counters[0][threadIdx.x]);
    for_each_key(arguments, storage.splitters, [&](int, Key, unsigned int bucket, bool is_valid) {
      counters[bucket / 4 * (4 * kBlockThreads) + bucket % 4] += is_valid;  //~ counted-key
    });
    __syncthreads();
    // A warp adds up the counters of four buckets.
    static_assert(kTileItems < 1 << 16, "a count is half a word");
    for (unsigned int row = warp_of(threadIdx.x); row < kRows; row += kWarps) {
      FourCounts counts = {};
#pragma unroll
      for (unsigned int thread = 0; thread < kBlockThreads; thread += 32) counts.add(storage.counters[row][thread + lane_of(threadIdx.x)]);
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
        counts.even += __shfl_xor_sync(~0u, counts.even, distance);
        counts.odd += __shfl_xor_sync(~0u, counts.odd, distance);
      }
      const unsigned int lane = lane_of(threadIdx.x);
      const unsigned int bucket = 4 * row + lane;
      if (lane < 4 && bucket < arguments.buckets) {
        arguments.offsets[static_cast<unsigned long long>(bucket) * gridDim.x + blockIdx.x] = counts.of(lane);
      }
    }
  }

  // Makes the counts of a bucket, one for each tile, the numbers of its items in front of each tile.
  static __device__ __forceinline__ void scan_bucket(const Arguments& arguments) {
    constexpr unsigned int kColumns = 8;
    __shared__ typename WarpScans<kBlockThreads>::Storage sums;
    const unsigned int tiles = static_cast<unsigned int>((arguments.n + kTileItems - 1) / kTileItems);
    unsigned long long* const offsets = arguments.offsets + static_cast<unsigned long long>(blockIdx.x) * tiles;
    unsigned long long before = 0;
    for (unsigned int start = 0; start < tiles; start += kColumns * kBlockThreads) {
      const unsigned int first = start + threadIdx.x * kColumns;
      unsigned int counts[kColumns];
      unsigned int sum = 0;
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
        counts[i] = first + i < tiles ? static_cast<unsigned int>(offsets[first + i]) : 0;
        sum += counts[i];
      }
      unsigned int total;
      unsigned long long offset = before + WarpScans<kBlockThreads>::exclusive_sum(sums, threadIdx.x, sum, total);
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
        if (first + i < tiles) offsets[first + i] = offset;
        offset += counts[i];
      }
      before += total;
      // All have read the sums.
      __syncthreads();
    }
    if (threadIdx.x == 0) arguments.totals[blockIdx.x] = before;
  }

 private:
