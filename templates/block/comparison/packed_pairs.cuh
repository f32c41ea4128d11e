  // What the network compares: two keys' ordered bits, one of each half of the tile, at once. What is lower in all words is a sequence
  // of its own, and what is upper another, of complements: so the one is sorted to rise as the other one falls.
  static constexpr int kWordsPerThread = kItemsPerThread / 2;
  static constexpr unsigned int kTileWords = kTileItems / 2;
  static constexpr int kWordLimbs = 1;
  using Word = Limbs<kWordLimbs>;

  static __device__ __forceinline__ Word word_of(unsigned int lower, unsigned int upper) {
    Word word;
    word.limb[0] = lower | ~upper << 16;  //~ complement
    return word;
  }

  // The smaller of both keys comes to be the lower one. Of two sequences, of which one rises and the other one falls, that makes two,
  // each of which is bitonic, and no key of the lower one is greater than one of the upper one.
  static __device__ __forceinline__ void pack_pairs(Word (&words)[kWordsPerThread]) {
#pragma unroll
    for (int i = 0; i < kWordsPerThread; ++i) {
      const unsigned int lower = words[i].limb[0] & 0xffffu;
      const unsigned int upper = ~words[i].limb[0] >> 16;
      words[i].limb[0] = min(lower, upper) | max(lower, upper) << 16;  //~ order-within-a-register
    }
  }
