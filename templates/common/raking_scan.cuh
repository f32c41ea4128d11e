// A block-wide exclusive sum: every thread leaves its value in shared memory, one warp rakes over them.
// Two barriers, in exchange for fewer instructions in all other warps.
// kMemoize keeps the raked values in registers between the two sweeps in place of reading them twice.
template <int kThreads, bool kMemoize>
struct RakingScan {
  static constexpr int kLanes = kThreads < 32 ? kThreads : 32;
  static constexpr int kRow = (kThreads + kLanes - 1) / kLanes;
  // Odd, so that lanes that rake along their rows hit different banks.
  static constexpr int kStride = kRow | 1;

  struct Storage {
    unsigned int rows[kLanes * kStride];
    unsigned int total;
  };

  // Returns the sum over the threads below this one; `total` becomes the sum over all.
  static __device__ __forceinline__ unsigned int exclusive_sum(Storage& storage, unsigned int thread, unsigned int value,
                                                               unsigned int& total) {
    unsigned int& mine = storage.rows[thread / kRow * kStride + thread % kRow];
    mine = value;
    __syncthreads();
    if (thread < kLanes) rake(storage, thread);
    __syncthreads();
    total = storage.total;
    return mine;
  }

 private:
  static __device__ __forceinline__ void rake(Storage& storage, unsigned int lane) {
    unsigned int* const row = storage.rows + lane * kStride;
    // The last rows may be short, or empty.
    const int filled = kThreads - static_cast<int>(lane) * kRow;
    unsigned int kept[kRow];
    unsigned int sum = 0;
#pragma unroll
    for (int i = 0; i < kRow; ++i) {
      kept[i] = i < filled ? row[i] : 0u;
      sum += kept[i];
    }
    const unsigned int inclusive = inclusive_sum_in_warp(sum, ~0u >> (32 - kLanes));
    unsigned int below = inclusive - sum;
#pragma unroll
    for (int i = 0; i < kRow; ++i) {
      if (i < filled) {
        const unsigned int here = kMemoize ? kept[i] : row[i];
        row[i] = below;
        below += here;
      }
    }
    if (lane == kLanes - 1) storage.total = inclusive;
  }
};
