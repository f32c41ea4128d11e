  // What the network compares: a key's ordered bits{% if has_position %} and, below them, its item's tag{% endif %}.
{%- if marks_negative_zero %}
  //
  // A tag is the item's position in the tile's input order, and a bit that says that the key is -0.0, which has +0.0's bits
  // here. So no two words are equal: equal keys keep their order, and items past valid_items, whose bits are all set, come
  // last.
{%- else if has_position %}
  //
  // A tag is the item's position in the tile's input order. So no two words are equal: equal keys keep their order, and items
  // past valid_items, whose bits are all set, come last.
{%- else %} Items past valid_items have all bits set: should a
  // key have them too, it does not matter which of the two comes out as it.
{%- endif %}
{%- if joins %}
  static constexpr int kWordParts = 1;
  static constexpr int kTagBits = {{ tag_bits }};
{%- else if has_position %}
  static constexpr int kWordParts = 1 + sizeof(Bits) / 4;
{%- else %}
  static constexpr int kWordParts = sizeof(Bits) / 4;
{%- endif %}
{%- if has_position %}
  static constexpr int kMarkBits = {% if marks_negative_zero %}1{% else %}0{% endif %};
{%- endif %}
  using Word = Parts<kWordParts>;
{%- if reads_values %}
  // A value moves with its word.
  static constexpr int kValueParts = (sizeof(Value) + 3) / 4;
  using Item = Parts<kWordParts + kValueParts>;
{%- endif %}
{%- if has_position %}

  static __device__ __forceinline__ Word word_of(Bits bits, unsigned int tag) {
    Word word;
{%- if joins %}
    word.part[0] = bits << kTagBits | tag;
{%- else %}
    word.part[0] = tag;
#pragma unroll
    for (int i = 1; i < kWordParts; ++i) word.part[i] = static_cast<unsigned int>(bits >> (32 * (i - 1)));
{%- endif %}
    return word;
  }

  static __device__ __forceinline__ Word word_of(Key key, unsigned int position, bool is_valid) {
    if (!is_valid) return word_of(kAllBits, position << kMarkBits);
{%- if marks_negative_zero %}
    const Bits ordered = to_ordered_bits(key);
    const Bits compared = compared_bits(ordered);
    return word_of(compared, position << kMarkBits | (compared != ordered ? 1u : 0u));
{%- else %}
    return word_of(to_ordered_bits(key), position);
{%- endif %}
  }

  static __device__ __forceinline__ unsigned int tag_of(const Word& word) { return word.part[0]{% if joins %} & ((1u << kTagBits) - 1u){% endif %}; }

  static __device__ __forceinline__ unsigned int position_of(const Word& word) { return tag_of(word) >> kMarkBits; }
{%- else %}

  static __device__ __forceinline__ Word word_of(Key key, unsigned int, bool is_valid) {
    const Bits bits = is_valid ? to_ordered_bits(key) : kAllBits;
    Word word;
#pragma unroll
    for (int i = 0; i < kWordParts; ++i) word.part[i] = static_cast<unsigned int>(bits >> (32 * i));
    return word;
  }
{%- endif %}

  static __device__ __forceinline__ Bits bits_of(const Word& word) {
{%- if joins %}
    return word.part[0] >> kTagBits;
{%- else %}
    Bits bits = 0;
#pragma unroll
    for (int i = {% if has_position %}1{% else %}0{% endif %}; i < kWordParts; ++i) bits |= static_cast<Bits>(word.part[i]) << (32 * {% if has_position %}(i - 1){% else %}i{% endif %});
    return bits;
{%- endif %}
  }

  static __device__ __forceinline__ Key key_of(const Word& word) {
{%- if marks_negative_zero %}
    // -0.0 is next to +0.0.
    return to_key(tag_of(word) & 1u ? bits_of(word) {% if key.descending %}+{% else %}-{% endif %} 1u : bits_of(word));
{%- else %}
    return to_key(bits_of(word));
{%- endif %}
  }
{%- if values_are_tags %}

  // In a whole tile nothing has to come last, and values take the places of the tags: equal keys come out by their values{% if key.is_float %},
  // and -0.0 is less than +0.0{% endif %}.
  static __device__ __forceinline__ Word pair_of(Key key, Value value) {
    return word_of(to_ordered_bits(key), static_cast<unsigned int>(value));
  }
  static __device__ __forceinline__ Key key_of_pair(const Word& pair) { return to_key(bits_of(pair)); }
  static __device__ __forceinline__ Value value_of_pair(const Word& pair) { return static_cast<Value>(tag_of(pair)); }
{%- endif %}
{%- if reads_values %}

  static __device__ __forceinline__ Item item_of(const Word& word, const Value& value) {
    Item item;
#pragma unroll
    for (int i = 0; i < kWordParts; ++i) item.part[i] = word.part[i];
{%- if value_bytes < 4 %}
    item.part[kWordParts] = value;
{%- else %}
    const auto parts = bits_as<Parts<kValueParts>>(value);
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
{%- endif %}
