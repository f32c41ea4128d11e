  // How many items of a mask are before each of this lane's vectors among those that lie beside it, and how many are in all lanes'
  // vectors side by side. Returns how many there are in all.
  static __device__ __forceinline__ unsigned int count_beside(unsigned int mask, PackedItems<kVectors, 8>& before,
                                                              PackedItems<kVectors, 8>& totals) {
    constexpr int kWords = sizeof(before.words) / sizeof(before.words[0]);
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      before.set(vector, __popc(mask >> vector * kVectorItems & ((1u << kVectorItems) - 1)));  //~ items-of-vector
    }
#pragma unroll
    for (int word = 0; word < kWords; ++word) {
      // At most 128 for each vector, so no sum reaches the next one's bits.
      const unsigned int inclusive = inclusive_sum_in_warp(before.words[word], ~0u);
      before.words[word] = inclusive - before.words[word];
      totals.words[word] = __shfl_sync(~0u, inclusive, 31);
    }
    unsigned int total = 0;
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) total += totals.get(vector);
    return total;
  }
