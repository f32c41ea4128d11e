  // What the network compares: a key's ordered bits{% if composites.values_break_ties %} and, below them, its value{% else if composites.has_tie_break %} and, below them, its item's tie-break index{% endif %}.
{%- if composites.values_break_ties %} Equal keys come out by their
  // values{% if key.is_float %}, and -0.0 is less than +0.0{% endif %}. Items past {{ composites.end }} have all bits set: should an item have them too, it does not matter which of the
  // two comes out as it.
{%- else if composites.marks_negative_zero %}
  //
  // A tie-break index is the item's position in the {{ composites.of }}'s input order, and a bit that says that the key is -0.0, which has +0.0's bits
  // here:
  //
  //   | position | is_negative_zero: 1 bit |
  //
  // So no two composite keys are equal: equal keys keep their order, and items past {{ composites.end }}, with all bits set, come last.
{%- else if composites.has_tie_break %}
  //
  // A tie-break index is the item's position in the {{ composites.of }}'s input order. So no two composite keys are equal: equal keys keep their order, and items
  // past {{ composites.end }}, with all bits set, come last.
{%- else if composites.carried_limbs > 0 %} Items past {{ composites.end }} have
  // all bits set, and stay there: a comparison moves nothing where two are equal.
{%- else %} Items past {{ composites.end }} have all bits set: should a
  // key have them too, it does not matter which of the two comes out as it.
{%- endif %}
{%- if composites.joins %}
  //
  //   | ordered bits: all others | tie-break index: kTieBreakBits |
  static constexpr int {{ composites.compared_limbs }} = 1;
  static constexpr int kTieBreakBits = {{ composites.tie_break_bits }};
{%- else %}
  static constexpr int kTieBreakLimbs = {{ composites.has_tie_break as u8 }};
  static constexpr int {{ composites.compared_limbs }} = kTieBreakLimbs + sizeof(Bits) / 4;
{%- endif %}
{%- if composites.values_break_ties %}
  static constexpr unsigned int kAllTieBreakBits = {% if composites.joins %}(1u << kTieBreakBits) - 1u{% else %}~0u{% endif %};
{%- else if composites.has_tie_break %}
  static constexpr int kMarkBits = {{ composites.marks_negative_zero as u8 }};
{%- endif %}
{%- if composites.carried_limbs > 0 %}
  // The value that goes with the key lies above what is compared.
  static constexpr int kValueLimbs = {{ composites.carried_limbs }};
  static constexpr int kCompositeLimbs = kComparedLimbs + kValueLimbs;
{%- endif %}
  using CompositeKey = Limbs<kCompositeLimbs>;
{%- if composites.has_tie_break %}

  static __device__ __forceinline__ CompositeKey composite_of(Bits bits, unsigned int tie_break) {
    CompositeKey composite;
{%- if composites.joins %}
    composite.limb[0] = bits << kTieBreakBits | tie_break;
{%- else %}
    composite.limb[0] = tie_break;
#pragma unroll
    for (int i = kTieBreakLimbs; i < {{ composites.compared_limbs }}; ++i) composite.limb[i] = static_cast<unsigned int>(bits >> (32 * (i - kTieBreakLimbs)));
{%- endif %}
    return composite;
  }

  static __device__ __forceinline__ CompositeKey composite_of(Key key, {% if composites.values_break_ties %}Value value{% else %}unsigned int position{% endif %}, bool is_valid) {
    if (!is_valid) return composite_of(kAllBits, {% if composites.values_break_ties %}kAllTieBreakBits{% else %}position << kMarkBits{% endif %});  //~ padding
{%- if composites.values_break_ties %}
    return composite_of(to_ordered_bits(key), static_cast<unsigned int>(value));  //~ key-and-value
{%- else if composites.marks_negative_zero %}
    const Bits ordered = to_ordered_bits(key);
    const Bits compared = compared_bits(ordered);
    return composite_of(compared, position << kMarkBits | (compared != ordered ? 1u : 0u));
{%- else %}
    return composite_of(to_ordered_bits(key), position);
{%- endif %}
  }

  static __device__ __forceinline__ unsigned int tie_break_of(const CompositeKey& composite) { return composite.limb[0]{% if composites.joins %} & ((1u << kTieBreakBits) - 1u){% endif %}; }
{% if composites.values_break_ties %}
  static __device__ __forceinline__ Value value_of(const CompositeKey& composite) { return static_cast<Value>(tie_break_of(composite)); }
{%- else %}
  static __device__ __forceinline__ unsigned int position_of(const CompositeKey& composite) { return tie_break_of(composite) >> kMarkBits; }
{%- endif %}
{%- else %}

  static __device__ __forceinline__ CompositeKey composite_of(Key key, unsigned int, bool is_valid) {
    const Bits bits = is_valid ? to_ordered_bits(key) : kAllBits;  //~ key-or-padding
    CompositeKey composite;
#pragma unroll
    for (int i = 0; i < {{ composites.compared_limbs }}; ++i) composite.limb[i] = static_cast<unsigned int>(bits >> (32 * i));
    return composite;
  }
{%- endif %}

  static __device__ __forceinline__ Bits bits_of(const CompositeKey& composite) {
{%- if composites.joins %}
    return composite.limb[0] >> kTieBreakBits;
{%- else %}
    Bits bits = 0;
#pragma unroll
    for (int i = kTieBreakLimbs; i < {{ composites.compared_limbs }}; ++i) bits |= static_cast<Bits>(composite.limb[i]) << (32 * (i - kTieBreakLimbs));
    return bits;
{%- endif %}
  }
{%- if composites.marks_negative_zero %}

  static __device__ __forceinline__ bool is_negative_zero(const CompositeKey& composite) { return (tie_break_of(composite) & 1u) != 0; }
{%- endif %}

  static __device__ __forceinline__ Key key_of(const CompositeKey& composite) {
{%- if composites.marks_negative_zero %}
    // -0.0 is next to +0.0.
    return to_key(is_negative_zero(composite) ? bits_of(composite) {% if key.descending %}+{% else %}-{% endif %} 1u : bits_of(composite));  //~ key-of-negative-zero
{%- else %}
    return to_key(bits_of(composite));
{%- endif %}
  }
