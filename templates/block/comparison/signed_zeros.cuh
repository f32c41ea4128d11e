  // Keys are compared by all of their ordered bits, by which zeros of one sign come before those of the other. In a tile that has both,
  // the signs of zeros are put in input order afterwards.
  struct SignsOfZeros {
    bool are_mixed;
    // The number of items before the first zero of the sorted tile.
    unsigned int first;
  };

  // The signs, before the items are sorted: storage_.signs has a bit for each zero then.
  template <Arrangement kFrom>
  __device__ __forceinline__ SignsOfZeros signs_of_zeros(const Bits (&ordered)[kItemsPerThread]) {
    SignsOfZeros signs = {has_any(ordered, kNegativeZero) && has_any(ordered, kPositiveZero), 0};  //~ zeros-of-both-signs
    if (signs.are_mixed) {
      find_zeros<kFrom>(ordered);
      signs.first = keep_signs<kFrom>(ordered);
    }
    return signs;
  }

  // Whether the tile has a key of these ordered bits.
  static __device__ __forceinline__ bool has_any(const Bits (&keys)[kItemsPerThread], Bits ordered) {
    bool has = false;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) has |= keys[i] == ordered;
    return __syncthreads_or(has) != 0;  //~ vote-of-zeros
  }

  // Where in the tile's input zeros are, and how many there are before each word of that.
  template <Arrangement kFrom>
  __device__ __forceinline__ void find_zeros(const Bits (&ordered)[kItemsPerThread]) {
    Zeros& zeros = storage_.zeros;
    for (unsigned int w = thread_; w < kZeroRuns * kZeroRun; w += kBlockThreads) zeros.are_zero[w] = 0;
    for (unsigned int w = thread_; w < kZeroWords; w += kBlockThreads) storage_.signs[w] = 0;
    if (thread_ == 0) storage_.items_before_zeros = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const MarkSlot slot = {position<kFrom>(i)};
      if (is_zero(ordered[i])) atomicOr(&zeros.are_zero[slot.row()], slot.mask());
    }
    __syncthreads();
    for (unsigned int r = thread_; r < kZeroRuns; r += kBlockThreads) zeros.of_runs[r] = zeros_between(r * kZeroRun, (r + 1) * kZeroRun);
    __syncthreads();
    for (unsigned int w = thread_; w < kZeroWords; w += kBlockThreads) {
      const unsigned int run = w / kZeroRun;
      unsigned int before = zeros_between(run * kZeroRun, w);
      for (unsigned int r = 0; r < run; ++r) before += zeros.of_runs[r];  //~ zeros-of-runs-before
      zeros.before[w] = before;
    }
    __syncthreads();
  }

  __device__ __forceinline__ unsigned int zeros_between(unsigned int begin, unsigned int end) const {
    unsigned int count = 0;
    for (unsigned int w = begin; w < end; ++w) count += __popc(storage_.zeros.are_zero[w]);
    return count;
  }

  // Writes the signs of zeros in input order, and counts the items that come before all of them.
  template <Arrangement kFrom>
  __device__ __forceinline__ unsigned int keep_signs(const Bits (&ordered)[kItemsPerThread]) {
    const Zeros& zeros = storage_.zeros;
    unsigned int less = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      less += ordered[i] < kFirstZero ? 1u : 0u;
      if (ordered[i] != kNegativeZero) continue;
      const MarkSlot slot = {position<kFrom>(i)};
      const unsigned int zero = zeros.before[slot.row()] + __popc(zeros.are_zero[slot.row()] & (slot.mask() - 1u));  //~ zeros-before-this-one
      const MarkSlot sign = {zero};
      atomicOr(&storage_.signs[sign.row()], sign.mask());
    }
    if (less > 0) atomicAdd(&storage_.items_before_zeros, less);  //~ items-before-zeros
    // All have read where zeros are, too.
    __syncthreads();
    return storage_.items_before_zeros;
  }

  // Gives sorted zeros their signs.
  template <Arrangement kTo>
  __device__ __forceinline__ void put_signs(Keys& keys, const SignsOfZeros& signs) const {
    if (!signs.are_mixed) return;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (!is_zero(to_ordered_bits(keys[i]))) continue;
      const unsigned int zero = position<kTo>(i) - signs.first;
      keys[i] = to_key(MarkSlot{zero}.is_set(storage_.signs) ? kNegativeZero : kPositiveZero);  //~ sorted-zero
    }
  }
