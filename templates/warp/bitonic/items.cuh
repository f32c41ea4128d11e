  // A value moves with its word.
  static constexpr int kValueLimbs = (sizeof(Value) + 3) / 4;
  using Item = Limbs<kWordLimbs + kValueLimbs>;

  static __device__ __forceinline__ Item item_of(const Word& word, const Value& value) {
    Item item;
#pragma unroll
    for (int i = 0; i < kWordLimbs; ++i) item.limb[i] = word.limb[i];
    const auto value_limbs = limbs_of<kValueLimbs>(value);  //~ value-of-item
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) item.limb[kWordLimbs + i] = value_limbs.limb[i];
    return item;
  }

  static __device__ __forceinline__ Word word_of(const Item& item) {
    Word word;
#pragma unroll
    for (int i = 0; i < kWordLimbs; ++i) word.limb[i] = item.limb[i];
    return word;
  }

  static __device__ __forceinline__ Value value_of(const Item& item) {
    Limbs<kValueLimbs> value_limbs;
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) value_limbs.limb[i] = item.limb[kWordLimbs + i];
    return value_of_limbs<Value>(value_limbs);
  }
