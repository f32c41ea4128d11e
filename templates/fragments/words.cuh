  // What the network compares: a key's ordered bits{% if tags_are_values %} and, below them, its value{% else if has_tag %} and, below them, its item's tag{% endif %}.
{%- if tags_are_values %} Equal keys come out by their
  // values{% if key.is_float %}, and -0.0 is less than +0.0{% endif %}. Items past {{ words.end }} have all bits set: should an item have them too, it does not matter which of the
  // two comes out as it.
{%- else if marks_negative_zero %}
  //
  // A tag is the item's position in the {{ words.of }}'s input order, and a bit that says that the key is -0.0, which has +0.0's bits
  // here. So no two words are equal: equal keys keep their order, and items past {{ words.end }}, whose bits are all set, come
  // last.
{%- else if has_tag %}
  //
  // A tag is the item's position in the {{ words.of }}'s input order. So no two words are equal: equal keys keep their order, and items
  // past {{ words.end }}, whose bits are all set, come last.
{%- else if words.carried_parts > 0 %} Items past {{ words.end }} have
  // all bits set, and stay there: a comparison moves nothing where two are equal.
{%- else %} Items past {{ words.end }} have all bits set: should a
  // key have them too, it does not matter which of the two comes out as it.
{%- endif %}
{%- if joins %}
  static constexpr int {{ words.compared_parts }} = 1;
  static constexpr int kTagBits = {{ tag_bits }};
{%- else if has_tag %}
  static constexpr int {{ words.compared_parts }} = 1 + sizeof(Bits) / 4;
{%- else %}
  static constexpr int {{ words.compared_parts }} = sizeof(Bits) / 4;
{%- endif %}
{%- if tags_are_values %}
  static constexpr unsigned int kAllTagBits = {% if joins %}(1u << kTagBits) - 1u{% else %}~0u{% endif %};
{%- else if has_tag %}
  static constexpr int kMarkBits = {% if marks_negative_zero %}1{% else %}0{% endif %};
{%- endif %}
{%- if words.carried_parts > 0 %}
  // The value that goes with the key lies above what is compared.
  static constexpr int kValueParts = {{ words.carried_parts }};
  static constexpr int kWordParts = kComparedParts + kValueParts;
{%- endif %}
  using Word = Parts<kWordParts>;
{%- if has_tag %}

  static __device__ __forceinline__ Word word_of(Bits bits, unsigned int tag) {
    Word word;
{%- if joins %}
    word.part[0] = bits << kTagBits | tag;
{%- else %}
    word.part[0] = tag;
#pragma unroll
    for (int i = 1; i < {{ words.compared_parts }}; ++i) word.part[i] = static_cast<unsigned int>(bits >> (32 * (i - 1)));
{%- endif %}
    return word;
  }

  static __device__ __forceinline__ Word word_of(Key key, {% if tags_are_values %}Value value{% else %}unsigned int position{% endif %}, bool is_valid) {
    if (!is_valid) return word_of(kAllBits, {% if tags_are_values %}kAllTagBits{% else %}position << kMarkBits{% endif %});  //~ padding
{%- if tags_are_values %}
    return word_of(to_ordered_bits(key), static_cast<unsigned int>(value));  //~ key-and-value
{%- else if marks_negative_zero %}
    const Bits ordered = to_ordered_bits(key);
    const Bits compared = compared_bits(ordered);
    return word_of(compared, position << kMarkBits | (compared != ordered ? 1u : 0u));
{%- else %}
    return word_of(to_ordered_bits(key), position);
{%- endif %}
  }

  static __device__ __forceinline__ unsigned int tag_of(const Word& word) { return word.part[0]{% if joins %} & ((1u << kTagBits) - 1u){% endif %}; }
{% if tags_are_values %}
  static __device__ __forceinline__ Value value_of(const Word& word) { return static_cast<Value>(tag_of(word)); }
{%- else %}
  static __device__ __forceinline__ unsigned int position_of(const Word& word) { return tag_of(word) >> kMarkBits; }
{%- endif %}
{%- else %}

  static __device__ __forceinline__ Word word_of(Key key, unsigned int, bool is_valid) {
    const Bits bits = is_valid ? to_ordered_bits(key) : kAllBits;  //~ key-or-padding
    Word word;
#pragma unroll
    for (int i = 0; i < {{ words.compared_parts }}; ++i) word.part[i] = static_cast<unsigned int>(bits >> (32 * i));
    return word;
  }
{%- endif %}

  static __device__ __forceinline__ Bits bits_of(const Word& word) {
{%- if joins %}
    return word.part[0] >> kTagBits;
{%- else %}
    Bits bits = 0;
#pragma unroll
    for (int i = {% if has_tag %}1{% else %}0{% endif %}; i < {{ words.compared_parts }}; ++i) bits |= static_cast<Bits>(word.part[i]) << (32 * {% if has_tag %}(i - 1){% else %}i{% endif %});
    return bits;
{%- endif %}
  }

  static __device__ __forceinline__ Key key_of(const Word& word) {
{%- if marks_negative_zero %}
    // -0.0 is next to +0.0.
    return to_key(tag_of(word) & 1u ? bits_of(word) {% if key.descending %}+{% else %}-{% endif %} 1u : bits_of(word));  //~ key-of-negative-zero
{%- else %}
    return to_key(bits_of(word));
{%- endif %}
  }
