  // A value moves with its composite key.
  static constexpr int kValueLimbs = (sizeof(Value) + 3) / 4;
  using Item = Limbs<kCompositeLimbs + kValueLimbs>;

  static __device__ __forceinline__ Item item_of(const CompositeKey& composite, const Value& value) {
    Item item;
#pragma unroll
    for (int i = 0; i < kCompositeLimbs; ++i) item.limb[i] = composite.limb[i];
    const auto value_limbs = limbs_of<kValueLimbs>(value);  //~ value-of-item
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) item.limb[kCompositeLimbs + i] = value_limbs.limb[i];
    return item;
  }

  static __device__ __forceinline__ CompositeKey composite_of(const Item& item) {
    CompositeKey composite;
#pragma unroll
    for (int i = 0; i < kCompositeLimbs; ++i) composite.limb[i] = item.limb[i];
    return composite;
  }

  static __device__ __forceinline__ Value value_of(const Item& item) {
    Limbs<kValueLimbs> value_limbs;
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) value_limbs.limb[i] = item.limb[kCompositeLimbs + i];
    return value_of_limbs<Value>(value_limbs);
  }
