  // Moves the sorted tile from blocked to another arrangement.
  template <Arrangement kTo>
  __device__ __forceinline__ void rearrange(CompositeKey (&composites)[{{ composites.per_thread }}]) {
    if constexpr (kTo != Arrangement::kBlocked) {
      run_to_shared(composites);
      if constexpr (kTo == Arrangement::kWarpStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
#pragma unroll
      for (int i = 0; i < {{ composites.per_thread }}; ++i) composites[i] = composite_at(Slots::of_step<kStride<kTo>>(position<kTo>(0), i));
    }
  }
