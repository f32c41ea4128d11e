  // A value moves with its word.
  static constexpr int kValueParts = (sizeof(Value) + 3) / 4;
  using Item = Parts<kWordParts + kValueParts>;

  static __device__ __forceinline__ Item item_of(const Word& word, const Value& value) {
    Item item;
#pragma unroll
    for (int i = 0; i < kWordParts; ++i) item.part[i] = word.part[i];
{%- if value_bytes < 4 %}
    item.part[kWordParts] = value;
{%- else %}
    const auto parts = bits_as<Parts<kValueParts>>(value);  //~ value-of-item
#pragma unroll
    for (int i = 0; i < kValueParts; ++i) item.part[kWordParts + i] = parts.part[i];
{%- endif %}
    return item;
  }

  static __device__ __forceinline__ Word word_of(const Item& item) {
    Word word;
#pragma unroll
    for (int i = 0; i < kWordParts; ++i) word.part[i] = item.part[i];
    return word;
  }

  static __device__ __forceinline__ Value value_of(const Item& item) {
{%- if value_bytes < 4 %}
    return static_cast<Value>(item.part[kWordParts]);
{%- else %}
    Parts<kValueParts> parts;
#pragma unroll
    for (int i = 0; i < kValueParts; ++i) parts.part[i] = item.part[kWordParts + i];
    return bits_as<Value>(parts);
{%- endif %}
  }
