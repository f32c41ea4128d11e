{%- if key.is_signed_or_float %}
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
{%- endif %}
  static constexpr Bits kAllBits = {% if key.is_bool %}1{% else %}StoredBits(~StoredBits(0)){% endif %};

{% if key.descending -%}
{#- Both directions of the transform end, or begin, with the complement. #}  // Ordered bits of a key{% if key.is_float %}: all bits of a negative key flipped, the sign of any other{% else if key.is_signed %}: the sign bit flipped{% endif %}. Descending order is ascending order of
  // their complement: so equal keys keep their order here too.
{%- else %}  // Ordered bits of a key{% if key.is_float %}: all bits of a negative key flipped, the sign of any other{% else if key.is_signed %}: the sign bit flipped{% endif %}.
{%- endif %}
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
{%- if key.is_float %}
    const Bits bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? kAllBits : kSign){% if key.descending %} ^ kAllBits{% endif %};
{%- else %}
    return bits_as<StoredBits>(key){% if key.is_signed %} ^ kSign{% endif %}{% if key.descending %} ^ kAllBits{% endif %};
{%- endif %}
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
{%- if key.is_float %}
    const Bits bits = ordered{% if key.descending %} ^ kAllBits{% endif %};
    return bits_as<Key>(static_cast<StoredBits>(bits ^ (bits & kSign ? kSign : kAllBits)));
{%- else %}
    return bits_as<Key>(static_cast<StoredBits>(ordered{% if key.descending %} ^ kAllBits{% endif %}{% if key.is_signed %} ^ kSign{% endif %}));
{%- endif %}
  }

{%- if key.is_float %}

  // What is compared of ordered bits: -0.0 as if it were +0.0{% if key.nan_last %}, and a NaN as if it were greater than all numbers{% endif %}.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    constexpr Bits kPositiveZero = kSign{% if key.descending %} ^ kAllBits{% endif %};
    constexpr Bits kNegativeZero = {% if key.descending %}(kSign - 1) ^ kAllBits{% else %}kSign - 1{% endif %};
{%- if key.nan_last %}
    // NaNs are beyond the infinities on either side.
    constexpr Bits kGreatestNumber = {{ key.greatest_number }};
    constexpr Bits kLeastNumber = kGreatestNumber ^ kAllBits;
    if (ordered > kGreatestNumber || ordered < kLeastNumber) return kAllBits;
{%- endif %}
    return ordered == kNegativeZero ? kPositiveZero : ordered;
  }
{%- endif %}

  // The digit of `count` bits, at most kRadixBits, from `bit` up{% if key.relative %}, of what is above the base{% endif %}.
  {% if !key.relative %}static {% endif %}__device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count){% if key.relative %} const{% endif %} {
    return static_cast<unsigned int>({% if key.relative %}({% endif %}{% if key.is_float %}compared_bits(ordered){% else %}ordered{% endif %}{% if key.relative %} - base_){% endif %} >> bit) & ((1u << count) - 1u);
  }
