  // A value moves with its word.
  static constexpr int kValueParts = (sizeof(Value) + 3) / 4;
  using Item = Parts<kWordParts + kValueParts>;

  static __device__ __forceinline__ Item item_of(const Word& word, const Value& value) {
    Item item;
#pragma unroll
    for (int i = 0; i < kWordParts; ++i) item.part[i] = word.part[i];
    const auto value_parts = parts_of<kValueParts>(value);  //~ value-of-item
#pragma unroll
    for (int i = 0; i < kValueParts; ++i) item.part[kWordParts + i] = value_parts.part[i];
    return item;
  }

  static __device__ __forceinline__ Word word_of(const Item& item) {
    Word word;
#pragma unroll
    for (int i = 0; i < kWordParts; ++i) word.part[i] = item.part[i];
    return word;
  }

  static __device__ __forceinline__ Value value_of(const Item& item) {
    Parts<kValueParts> value_parts;
#pragma unroll
    for (int i = 0; i < kValueParts; ++i) value_parts.part[i] = item.part[kWordParts + i];
    return value_of_parts<Value>(value_parts);
  }
