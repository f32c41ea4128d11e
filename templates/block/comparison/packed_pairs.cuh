  // Two numbers of 16 bits, which packed_min and packed_max compare at once:
  //
  //   | upper: 16 bits | lower: 16 bits |
  struct PackedPair {
    unsigned int bits;
    static __device__ __forceinline__ PackedPair pack(unsigned int lower, unsigned int upper) { return {lower | upper << 16}; }
    __device__ __forceinline__ unsigned int lower() const { return bits & 0xffffu; }
    __device__ __forceinline__ unsigned int upper() const { return bits >> 16; }
    __device__ __forceinline__ unsigned int either(bool is_upper) const { return bits >> (is_upper ? 16 : 0) & 0xffffu; }
    __device__ __forceinline__ PackedPair complement() const { return {~bits}; }
  };

  // What the network compares, until pack_pairs: two keys' ordered bits, one of each half of the tile. What is lower in all composite keys is a
  // sequence of its own, and what is upper another, of complements: so the one is sorted to rise as the other one falls.
  static constexpr int kCompositesPerThread = kItemsPerThread / 2;
  static constexpr unsigned int kTileComposites = kTileItems / 2;
  static constexpr int kCompositeLimbs = 1;
  using CompositeKey = Limbs<kCompositeLimbs>;

  static __device__ __forceinline__ CompositeKey composite_of(unsigned int lower, unsigned int upper) {
    CompositeKey composite;
    composite.limb[0] = PackedPair::pack(lower, ~upper).bits;  //~ complement
    return composite;
  }

  // The smaller of both keys comes to be the lower one. Of two sequences, of which one rises and the other one falls, that makes two,
  // each of which is bitonic, and no key of the lower one is greater than one of the upper one.
  static __device__ __forceinline__ void pack_pairs(CompositeKey (&composites)[kCompositesPerThread]) {
#pragma unroll
    for (int i = 0; i < kCompositesPerThread; ++i) {
      const PackedPair pair{composites[i].limb[0]};
      const unsigned int lower = pair.lower();
      const unsigned int upper = pair.complement().upper();
      composites[i].limb[0] = PackedPair::pack(min(lower, upper), max(lower, upper)).bits;  //~ order-within-a-register
    }
  }
