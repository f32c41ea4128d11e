  // Makes each pass's counts the place of the digit's first key, and finds the passes that move nothing because all
  // keys have the same digit. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    __shared__ Count warp_totals[kBins / 32];
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const unsigned int lane = bin % 32;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    for (int pass = 0; pass < passes; ++pass) {
      const Count count = control.bins[pass][bin];
      Count inclusive = count;
#pragma unroll
      for (unsigned int distance = 1; distance < 32; distance *= 2) {
        const Count below = __shfl_up_sync(~0u, inclusive, distance);
        if (lane >= distance) inclusive += below;
      }
      if (lane == 31) warp_totals[bin / 32] = inclusive;
      // Also orders the totals before their readers.
      const bool is_constant = __syncthreads_or(count == arguments.n);
      Count start = inclusive - count;
      for (unsigned int warp = 0; warp < bin / 32; ++warp) start += warp_totals[warp];
      control.bins[pass][bin] = start;
      executed += !is_constant;
      if (bin == 0) control.ordinals[pass] = is_constant ? 0 : executed;
      // All have read the totals.
      __syncthreads();
    }
    if (bin == 0) control.executed = executed;
  }
