// A block-wide exclusive sum: by shuffles within each warp, then over the totals of the warps below.
// One barrier where there is more than one warp. The storage may be written again after the next barrier.
template <int kThreads>
struct WarpScans {
  static constexpr unsigned int kWarps = (kThreads + kWarpThreads - 1) / kWarpThreads;
  static constexpr unsigned int kLastWarpLanes = ~0u >> (kWarps * kWarpThreads - kThreads);

  struct Storage {
    unsigned int warp_totals[kWarps];
  };

  // Returns the sum over the threads below this one; `total` becomes the sum over all.
  static __device__ __forceinline__ unsigned int exclusive_sum(Storage& storage, unsigned int thread, unsigned int value,
                                                               unsigned int& total) {
    const unsigned int warp = warp_of(thread);
    const unsigned int inclusive = inclusive_sum_in_warp(value, warp == kWarps - 1 ? kLastWarpLanes : ~0u);
    if (lane_of(thread) == 31 || thread == kThreads - 1) storage.warp_totals[warp] = inclusive;
    if constexpr (kWarps > 1) {
      __syncthreads();
    } else {
      __syncwarp(kLastWarpLanes);  //~ totals-of-one-warp
    }
    unsigned int below = 0;
    total = 0;
#pragma unroll
    for (unsigned int other = 0; other < kWarps; ++other) {
      if (other == warp) below = total;
      total += storage.warp_totals[other];
    }
    return below + inclusive - value;
  }
};
