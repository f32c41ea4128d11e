  static constexpr int kPositionBits = {{ truncated.position_bits }};
  static constexpr int kTruncatedBits = 32 - kPositionBits;

  // How far a key is from the tile's minimum, in as many bits as there is room for, and below them the item's position in the tile's
  // input order:
  //
  //   | truncated key: kTruncatedBits | position: kPositionBits |
  struct TruncatedComposite {
    unsigned int bits;
    static __device__ __forceinline__ TruncatedComposite pack(unsigned int truncated, unsigned int position) {
      return {truncated << kPositionBits | position};
    }
    __device__ __forceinline__ unsigned int truncated_key() const { return bits >> kPositionBits; }
    __device__ __forceinline__ unsigned int position() const { return bits & ((1u << kPositionBits) - 1u); }
  };

  // What the network compares, in one register. No two composite keys are equal, and items past valid_items, with all bits set, come
  // last. Keys that agree in their truncated bits come out by position: these are put in order afterwards.
  static constexpr int kCompositeLimbs = 1;
  using CompositeKey = Limbs<kCompositeLimbs>;

  static __device__ __forceinline__ CompositeKey composite_of(unsigned int truncated, unsigned int position) {
    CompositeKey composite;
    composite.limb[0] = TruncatedComposite::pack(truncated, position).bits;
    return composite;
  }

  static __device__ __forceinline__ unsigned int truncated_key_of(const CompositeKey& composite) {
    return TruncatedComposite{composite.limb[0]}.truncated_key();
  }

  static __device__ __forceinline__ unsigned int position_of(const CompositeKey& composite) {
    return TruncatedComposite{composite.limb[0]}.position();
  }