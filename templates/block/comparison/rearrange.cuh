  // Moves the sorted tile from blocked to another arrangement.
  template <Arrangement kTo>
  __device__ __forceinline__ void rearrange(Word (&words)[{{ words.per_thread }}]) {
    if constexpr (kTo != Arrangement::kBlocked) {
      run_to_shared(words);
      if constexpr (kTo == Arrangement::kWarpStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
#pragma unroll
      for (int i = 0; i < {{ words.per_thread }}; ++i) words[i] = word_at(Slots::of_step<kStride<kTo>>(position<kTo>(0), i));
    }
  }
