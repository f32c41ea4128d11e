  // A sample of this number, somewhere in its own share of the array: positions that no regular input meets regularly.
  // There is a power of two of samples.
  static __device__ __forceinline__ unsigned int sample_position(const Arguments& arguments, unsigned int sample, unsigned int samples) {
    const int samples_log2 = 31 - __clz(samples);
    const unsigned int start = static_cast<unsigned int>(sample * arguments.n >> samples_log2);
    const unsigned int end = static_cast<unsigned int>((sample + 1) * arguments.n >> samples_log2);
    const unsigned long long spread = sample * 2654435761u;
    return start + static_cast<unsigned int>(spread * (end - start) >> 32);
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
      rank += samples_before(samples[1] + other * 32, [own](Bits order) { return order <= own; });
    }
#pragma unroll 4
    for (unsigned int other = warp + 1; other < kWarps; ++other) {
      rank += samples_before(samples[1] + other * 32, [own](Bits order) { return order < own; });
    }
    return rank;
  }

  // How many of a warp's sorted samples come before.
  template <typename ComesBefore>
  static __device__ __forceinline__ unsigned int samples_before(const Bits* run, ComesBefore comes_before) {
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
    return set_bound(storage, bucket, own, tile);
  }

  // What a block of _samples keeps in shared memory.
  struct SampleStorage {
    // One of each thread, as they are read, and sorted by each warp.
    Bits samples[2][kBlockThreads];
    // The block's own range of the samples: from the first to before the second, if there is one.
    Bits bounds[2];
    unsigned int bound_numbers[2];
    // How many come before the range, and how many are in it: these.
    unsigned int before;
    unsigned int count;
    __align__(16) Bits orders[kMaxSamples];
    unsigned short numbers[kMaxSamples];
  };
  static_assert(sizeof(SampleStorage) == kSampleSharedBytes, "the storage is laid out as planned");

 public:
  // Many splitters: every block reads all samples, finds by one sample of each thread where its own share of their order
  // begins and ends, and ranks the samples that are there.
  static __device__ __forceinline__ void find_splitters(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    let_next_grid_start();
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    const unsigned int samples = bucket_count(arguments.n) * kSamplesPerBucket;
    const unsigned int samples_per_thread = samples / kBlockThreads;
    // First all reads, so that they take the time of one.
    Key keys[kMaxSamplesPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kMaxSamplesPerThread; ++i) {
      if (i < samples_per_thread) keys[i] = arguments.keys_in[sample_position(arguments, threadIdx.x * samples_per_thread + i, samples)];
    }
    Bits orders[kMaxSamplesPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kMaxSamplesPerThread; ++i) {
      if (i < samples_per_thread) orders[i] = order_of(arguments, keys[i]);
    }
    if (threadIdx.x == 0) storage.before = storage.count = 0;
    const unsigned int rank = rank_of_sample(storage.samples, orders[0]);
    constexpr unsigned int kShare = kBlockThreads / kSampleBlocks;
    if (rank % kShare == 0 && rank / kShare - blockIdx.x < 2) {
      storage.bounds[rank / kShare - blockIdx.x] = orders[0];
      storage.bound_numbers[rank / kShare - blockIdx.x] = threadIdx.x * samples_per_thread;
    }
    __syncthreads();

    unsigned int before = 0;
#pragma unroll
    for (unsigned int i = 0; i < kMaxSamplesPerThread; ++i) {
      if (i >= samples_per_thread) break;
      const unsigned int number = threadIdx.x * samples_per_thread + i;
      if (blockIdx.x > 0 && sample_comes_before(orders[i], number, storage.bounds[0], storage.bound_numbers[0])) {
        ++before;
      } else if (blockIdx.x + 1 == kSampleBlocks ||
                 sample_comes_before(orders[i], number, storage.bounds[1], storage.bound_numbers[1])) {
        const unsigned int slot = atomicAdd(&storage.count, 1u);
        storage.orders[slot] = orders[i];
        storage.numbers[slot] = static_cast<unsigned short>(number);
      }
    }
    before = inclusive_sum_in_warp(before, ~0u);
    if (threadIdx.x % 32 == 31) atomicAdd(&storage.before, before);
    __syncthreads();
    rank_range(arguments, storage, samples);
  }

 private:
  static __device__ __forceinline__ bool sample_comes_before(Bits order, unsigned int number, Bits other, unsigned int other_number) {
    return order < other || (order == other && number < other_number);
  }

  // Ranks the samples of the block's range by comparing each with all, and takes every so many of them.
  static __device__ __forceinline__ void rank_range(const Arguments& arguments, const SampleStorage& storage, unsigned int samples) {
    Splitters& splitters = splitters_of(arguments);
    for (unsigned int slot = threadIdx.x; slot < storage.count; slot += kBlockThreads) {
      const Bits own = storage.orders[slot];
      const unsigned int number = storage.numbers[slot];
      unsigned int rank = storage.before;
#pragma unroll 8
      for (unsigned int other = 0; other < storage.count; ++other) {
        rank += sample_comes_before(storage.orders[other], storage.numbers[other], own, number);
      }
      if (rank % kSamplesPerBucket == 0) {
        splitters.orders[rank / kSamplesPerBucket] = own;
        splitters.tiles[rank / kSamplesPerBucket] = sample_position(arguments, number, samples) / kTileItems;
      }
    }
  }
