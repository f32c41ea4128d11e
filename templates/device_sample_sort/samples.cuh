  // A sample of this number, somewhere in its own share of the array: positions that no regular input meets regularly.
  // There is a power of two of samples.
  static __device__ __forceinline__ unsigned int sample_position(const Arguments& arguments, unsigned int sample, unsigned int samples) {
    const int samples_log2 = 31 - __clz(samples);
    const unsigned int start = static_cast<unsigned int>(sample * arguments.n >> samples_log2);
    const unsigned int share = static_cast<unsigned int>(arguments.n >> samples_log2);
    return start + static_cast<unsigned int>(static_cast<unsigned long long>(sample * 2654435761u) * share >> 32);
  }

  // The rank of a thread's sample among those of the block's threads, and equal ones in the order of threads.
  static __device__ __forceinline__ unsigned int rank_of_sample(Bits (&samples)[2][kBlockThreads], Bits own) {
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warp = threadIdx.x / 32;
    samples[0][threadIdx.x] = own;
    __syncwarp();
    // Each warp ranks its own by comparing each with all.
    unsigned int rank = 0;
#pragma unroll 8
    for (unsigned int other = 0; other < 32; ++other) {
      const Bits order = samples[0][warp * 32 + other];
      if (order < own || (order == own && other < lane)) ++rank;
    }
    samples[1][warp * 32 + rank] = own;
    __syncthreads();
    // Then among those of each other warp, several searches at once: each alone would wait for one read after the other.
    // Equal ones of the warps below come before.
#pragma unroll 4
    for (unsigned int other = 0; other < warp; ++other) {
      rank += run_before(samples[1] + other * 32, [own](Bits order) { return order <= own; });
    }
#pragma unroll 4
    for (unsigned int other = warp + 1; other < kWarps; ++other) {
      rank += run_before(samples[1] + other * 32, [own](Bits order) { return order < own; });
    }
    return rank;
  }

  // How many of a warp's sorted samples come before.
  template <typename ComesBefore>
  static __device__ __forceinline__ unsigned int run_before(const Bits* run, ComesBefore comes_before) {
    unsigned int before = 0;
#pragma unroll
    for (unsigned int step = 16; step > 0; step /= 2) {
      if (comes_before(run[before + step - 1])) before += step;
    }
    return before + comes_before(run[before]);
  }

  // Few splitters: sorts a sample of each thread and takes every so many of them. All blocks find the same. Returns whether
  // the thread's own is one that nothing of this tile is after; see set_bound.
  static __device__ __forceinline__ bool make_splitters(const Arguments& arguments, SplitStorage& storage, unsigned int buckets,
                                                        Bits own, unsigned int tile) {
    const unsigned int rank = rank_of_sample(storage.samples, own);
    const unsigned int stride = kBlockThreads / buckets;
    if (rank % stride != 0) return false;
    const unsigned int bucket = rank / stride;
    // For _buckets.
    if (blockIdx.x == 0) splitters_of(arguments).orders[bucket] = own;
    return set_bound(storage, buckets, bucket, own, tile);
  }

  // Samples that are read at once.
  static constexpr unsigned int kSampleGroup = 16 / sizeof(Bits);
  struct __align__(16) SampleGroup {
    Bits orders[kSampleGroup];
  };

  // What a block of _samples keeps in shared memory: all samples, and the ranks of its own.
  struct SampleStorage {
    __align__(16) Bits samples[kMaxSamples];
    unsigned int ranks[kMaxOwnSamples];
  };
  static_assert(sizeof(SampleStorage) == kSampleSharedBytes, "the storage is laid out as planned");

 public:
  // Many splitters: every block reads all samples and ranks some of them by comparing each with all; of those it takes every
  // so many.
  static __device__ __forceinline__ void find_splitters(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    let_next_grid_start();
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    const unsigned int samples = bucket_count(arguments.n) * kSamplesPerBucket;
    // First all reads, so that they take the time of one: where there are fewer samples, some again. A power of two, as the
    // blocks are.
    Key keys[kMaxSamplesPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kMaxSamplesPerThread; ++i) {
      const unsigned int number = i * kSampleThreads + threadIdx.x;
      keys[i] = arguments.keys_in[sample_position(arguments, number & (samples - 1), samples)];
    }
#pragma unroll
    for (unsigned int i = 0; i < kMaxSamplesPerThread; ++i) {
      const unsigned int number = i * kSampleThreads + threadIdx.x;
      if (number < samples) storage.samples[number] = order_of(arguments, keys[i]);
    }
    // A power of two, as the number of samples is.
    const unsigned int own_samples = samples / kSampleBlocks;
    if (threadIdx.x < own_samples) storage.ranks[threadIdx.x] = 0;
    __syncthreads();
    const unsigned int first = blockIdx.x * own_samples;
    const unsigned int own = threadIdx.x % own_samples;
    const unsigned int number = first + own;
    const Bits order = storage.samples[number];
    // Each thread compares with as many. Of equal ones, those of lower numbers come before.
    const unsigned int count = samples * own_samples / kSampleThreads;
    const unsigned int start = threadIdx.x / own_samples * count;
    const unsigned int end = start + count;
    const unsigned int behind = first + own_samples;
    unsigned int before = count_samples(storage, start, end < first ? end : first, [order](Bits it) { return it <= order; }) +
                          count_samples(storage, start > behind ? start : behind, end, [order](Bits it) { return it < order; });
    if (start <= first && first < end) {
      for (unsigned int other = first; other < behind; ++other) {
        before += storage.samples[other] < order || (storage.samples[other] == order && other < number);
      }
    }
    atomicAdd(&storage.ranks[own], before);
    __syncthreads();
    if (threadIdx.x >= own_samples) return;
    const unsigned int rank = storage.ranks[own];
    if (rank % kSamplesPerBucket != 0) return;
    Splitters& splitters = splitters_of(arguments);
    splitters.orders[rank / kSamplesPerBucket] = order;
    splitters.tiles[rank / kSamplesPerBucket] = sample_position(arguments, number, samples) / kTileItems;
  }

 private:
  // Of whole groups.
  template <typename IsCounted>
  static __device__ __forceinline__ unsigned int count_samples(const SampleStorage& storage, unsigned int start, unsigned int end,
                                                               IsCounted is_counted) {
    unsigned int count = 0;
#pragma unroll 4
    for (unsigned int first = start; first < end; first += kSampleGroup) {
      const SampleGroup group = *reinterpret_cast<const SampleGroup*>(storage.samples + first);
#pragma unroll
      for (unsigned int i = 0; i < kSampleGroup; ++i) {
        count += is_counted(group.orders[i]);
      }
    }
    return count;
  }

