  // Writes all slots of a row in the order of their items, of which there are `count`, by all bits and, where these are equal, by slots. All lanes of
  // the warp call it behind a barrier behind the last write to the slots; `order` may be read behind the next one.
  __device__ __forceinline__ void order_slots_by_all_bits(RowStorage& row, unsigned int count) const {
    constexpr int kLimbs = kBitsLimbs + 1;
    Limbs<kLimbs> items[kSlotsPerThread];
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const unsigned int slot = i * 32 + lane_;
      const Limbs<kBitsLimbs> bits = limbs_of<kBitsLimbs>(slot < count ? bits_in(row, slot) : static_cast<Bits>(kAllBits));
      items[i].limb[0] = slot < count ? slot : ~0u;  //~ slot-of-all-bits
#pragma unroll
      for (int limb = 0; limb < kBitsLimbs; ++limb) items[i].limb[limb + 1] = bits.limb[limb];
    }
    sort_in_warp(items);
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) row.order[lane_ * kSlotsPerThread + i] = static_cast<Slot>(items[i].limb[0]);
  }

  // One past the highest bit that is set.
  static __device__ __forceinline__ int length_of(Bits bits) {
    const Limbs<kBitsLimbs> limbs = limbs_of<kBitsLimbs>(bits);
    int length = 0;
#pragma unroll
    for (int i = 0; i < kBitsLimbs; ++i) {
      if (limbs.limb[i] != 0) length = 32 * (i + 1) - __clz(static_cast<int>(limbs.limb[i]));  //~ length-of-range
    }
    return length;
  }
