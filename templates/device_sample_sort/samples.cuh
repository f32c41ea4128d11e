  // A sample for each thread, somewhere in its own share of the array: positions that no regular input meets regularly.
  static __device__ __forceinline__ unsigned int sample_position(const Arguments& arguments, unsigned int sample) {
    const unsigned int start = static_cast<unsigned int>(sample * arguments.n / kBlockThreads);
    const unsigned int end = static_cast<unsigned int>((sample + 1) * arguments.n / kBlockThreads);
    return start + (end > start ? (sample * 2654435761u >> 8) % (end - start) : 0);
  }

  // Sorts the samples and takes every so many of them. All blocks find the same. Equal samples are in the order of their
  // positions, and so of their tiles.
  static __device__ __forceinline__ void make_splitters(const Arguments& arguments, SplitStorage& storage, unsigned int buckets) {
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int position = sample_position(arguments, threadIdx.x);
    const Bits own = order_of(arguments, arguments.keys_in[position]);
    storage.samples[0][threadIdx.x] = own;
    __syncwarp();
    // Each warp ranks its own by comparing each with all.
    unsigned int rank = 0;
#pragma unroll 8
    for (unsigned int other = 0; other < 32; ++other) {
      const Bits order = storage.samples[0][warp * 32 + other];
      if (order < own || (order == own && other < lane)) ++rank;
    }
    storage.samples[1][warp * 32 + rank] = own;
    __syncthreads();
    // Then among those of each other warp. Equal ones of the warps below come before.
    // Several searches at once: each alone would wait for one read after the other.
#pragma unroll 8
    for (unsigned int other = 0; other < kWarps; ++other) {
      const Bits* const run = storage.samples[1] + other * 32;
      unsigned int before = 0;
#pragma unroll
      for (unsigned int step = 16; step > 0; step /= 2) {
        if (comes_before(run[before + step - 1], own, other < warp)) before += step;
      }
      before += comes_before(run[before], own, other < warp);
      if (other != warp) rank += before;
    }
    const unsigned int stride = kBlockThreads / buckets;
    if (rank % stride == 0) {
      storage.splitters[rank / stride] = own;
      storage.splitter_tiles[rank / stride] = position / kTileItems;
    }
    __syncthreads();
  }

  static __device__ __forceinline__ bool comes_before(Bits order, Bits other, bool if_equal) {
    return if_equal ? order <= other : order < other;
  }
