// Sorts words in registers by Batcher's odd-even merges, or merges two sorted halves: comparisons of fixed slots, so that
// all threads do the same.
template <int kWords>
struct OddEvenMerge {
  static __device__ __forceinline__ void sort(unsigned int (&words)[kWords]) { merge_from<0, 0>(words); }
  static __device__ __forceinline__ void merge_halves(unsigned int (&words)[kWords]) { merge_from<kLog2 - 1, kLog2 - 1>(words); }

 private:
  static constexpr int kLog2 = kWords == 8 ? 3 : kWords == 16 ? 4 : 5;
  static_assert(kWords == 1 << kLog2, "8, 16 or 32 words");

  // The steps that are left of a merge of runs of 2^kRun words, then merges of longer runs. A step compares words 2^kStep apart.
  template <int kRun, int kStep>
  static __device__ __forceinline__ void merge_from(unsigned int (&words)[kWords]) {
    constexpr int kDistance = 1 << kStep;
    // First each word of one run meets the other run's; later steps leave out both ends.
    constexpr int kFrom = kStep == kRun ? 0 : kDistance;
#pragma unroll
    for (int i = kFrom; i + kDistance < kWords; ++i) {
      const bool is_lower = ((i - kFrom) >> kStep) % 2 == 0;
      const bool is_same_merge = i >> (kRun + 1) == (i + kDistance) >> (kRun + 1);
      if (is_lower && is_same_merge) order(words[i], words[i + kDistance]);
    }
    if constexpr (kStep > 0) {  //~ odd-even-steps
      merge_from<kRun, kStep - 1>(words);
    } else if constexpr (kRun + 1 < kLog2) {
      merge_from<kRun + 1, kRun + 1>(words);
    }
  }

  static __device__ __forceinline__ void order(unsigned int& first, unsigned int& second) {
    const unsigned int smaller = first < second ? first : second;
    second = first < second ? second : first;
    first = smaller;
  }
};
