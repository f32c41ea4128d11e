  // What the network compares: a key's ordered bits{% if words.values_break_ties %} and, below them, its value{% else if words.has_tie_break %} and, below them, its item's tie-break index{% endif %}.
{%- if words.values_break_ties %} Equal keys come out by their
  // values{% if key.is_float %}, and -0.0 is less than +0.0{% endif %}. Items past {{ words.end }} have all bits set: should an item have them too, it does not matter which of the
  // two comes out as it.
{%- else if words.marks_negative_zero %}
  //
  // A tie-break index is the item's position in the {{ words.of }}'s input order, and a bit that says that the key is -0.0, which has +0.0's bits
  // here:
  //
  //   | position | is_negative_zero: 1 bit |
  //
  // So no two words are equal: equal keys keep their order, and items past {{ words.end }}, with all bits set, come last.
{%- else if words.has_tie_break %}
  //
  // A tie-break index is the item's position in the {{ words.of }}'s input order. So no two words are equal: equal keys keep their order, and items
  // past {{ words.end }}, with all bits set, come last.
{%- else if words.carried_limbs > 0 %} Items past {{ words.end }} have
  // all bits set, and stay there: a comparison moves nothing where two are equal.
{%- else %} Items past {{ words.end }} have all bits set: should a
  // key have them too, it does not matter which of the two comes out as it.
{%- endif %}
{%- if words.joins %}
  //
  //   | ordered bits: all others | tie-break index: kTieBreakBits |
  static constexpr int {{ words.compared_limbs }} = 1;
  static constexpr int kTieBreakBits = {{ words.tie_break_bits }};
{%- else if words.has_tie_break %}
  static constexpr int {{ words.compared_limbs }} = 1 + sizeof(Bits) / 4;
{%- else %}
  static constexpr int {{ words.compared_limbs }} = sizeof(Bits) / 4;
{%- endif %}
{%- if words.values_break_ties %}
  static constexpr unsigned int kAllTieBreakBits = {% if words.joins %}(1u << kTieBreakBits) - 1u{% else %}~0u{% endif %};
{%- else if words.has_tie_break %}
  static constexpr int kMarkBits = {% if words.marks_negative_zero %}1{% else %}0{% endif %};
{%- endif %}
{%- if words.carried_limbs > 0 %}
  // The value that goes with the key lies above what is compared.
  static constexpr int kValueLimbs = {{ words.carried_limbs }};
  static constexpr int kWordLimbs = kComparedLimbs + kValueLimbs;
{%- endif %}
  using Word = Limbs<kWordLimbs>;
{%- if words.has_tie_break %}

  static __device__ __forceinline__ Word word_of(Bits bits, unsigned int tie_break) {
    Word word;
{%- if words.joins %}
    word.limb[0] = bits << kTieBreakBits | tie_break;
{%- else %}
    word.limb[0] = tie_break;
#pragma unroll
    for (int i = 1; i < {{ words.compared_limbs }}; ++i) word.limb[i] = static_cast<unsigned int>(bits >> (32 * (i - 1)));
{%- endif %}
    return word;
  }

  static __device__ __forceinline__ Word word_of(Key key, {% if words.values_break_ties %}Value value{% else %}unsigned int position{% endif %}, bool is_valid) {
    if (!is_valid) return word_of(kAllBits, {% if words.values_break_ties %}kAllTieBreakBits{% else %}position << kMarkBits{% endif %});  //~ padding
{%- if words.values_break_ties %}
    return word_of(to_ordered_bits(key), static_cast<unsigned int>(value));  //~ key-and-value
{%- else if words.marks_negative_zero %}
    const Bits ordered = to_ordered_bits(key);
    const Bits compared = compared_bits(ordered);
    return word_of(compared, position << kMarkBits | (compared != ordered ? 1u : 0u));
{%- else %}
    return word_of(to_ordered_bits(key), position);
{%- endif %}
  }

  static __device__ __forceinline__ unsigned int tie_break_of(const Word& word) { return word.limb[0]{% if words.joins %} & ((1u << kTieBreakBits) - 1u){% endif %}; }
{% if words.values_break_ties %}
  static __device__ __forceinline__ Value value_of(const Word& word) { return static_cast<Value>(tie_break_of(word)); }
{%- else %}
  static __device__ __forceinline__ unsigned int position_of(const Word& word) { return tie_break_of(word) >> kMarkBits; }
{%- endif %}
{%- else %}

  static __device__ __forceinline__ Word word_of(Key key, unsigned int, bool is_valid) {
    const Bits bits = is_valid ? to_ordered_bits(key) : kAllBits;  //~ key-or-padding
    Word word;
#pragma unroll
    for (int i = 0; i < {{ words.compared_limbs }}; ++i) word.limb[i] = static_cast<unsigned int>(bits >> (32 * i));
    return word;
  }
{%- endif %}

  static __device__ __forceinline__ Bits bits_of(const Word& word) {
{%- if words.joins %}
    return word.limb[0] >> kTieBreakBits;
{%- else %}
    Bits bits = 0;
#pragma unroll
    for (int i = {% if words.has_tie_break %}1{% else %}0{% endif %}; i < {{ words.compared_limbs }}; ++i) bits |= static_cast<Bits>(word.limb[i]) << (32 * {% if words.has_tie_break %}(i - 1){% else %}i{% endif %});
    return bits;
{%- endif %}
  }
{%- if words.marks_negative_zero %}

  static __device__ __forceinline__ bool is_negative_zero(const Word& word) { return (tie_break_of(word) & 1u) != 0; }
{%- endif %}

  static __device__ __forceinline__ Key key_of(const Word& word) {
{%- if words.marks_negative_zero %}
    // -0.0 is next to +0.0.
    return to_key(is_negative_zero(word) ? bits_of(word) {% if key.descending %}+{% else %}-{% endif %} 1u : bits_of(word));  //~ key-of-negative-zero
{%- else %}
    return to_key(bits_of(word));
{%- endif %}
  }
