
{%- if key.is_float %}
{%- include "fragments/zero_bits.cuh" %}

  // What is compared of ordered bits: -0.0 as if it were +0.0{% if key.nan_last %}, and a NaN as if it were greater than all numbers{% endif %}.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
{%- if key.nan_last %}
    // NaNs are beyond the infinities on either side.
    constexpr Bits kMaxNumber = {{ key.max_number }};
    constexpr Bits kMinNumber = kMaxNumber ^ kAllBits;
    if (ordered > kMaxNumber || ordered < kMinNumber) return kAllBits;  //~ nan-bits
{%- endif %}
    return ordered == kNegativeZero ? kPositiveZero : ordered;  //~ negative-zero
  }
{%- else if key.has_float_field %}

  // What is compared of ordered bits: -0.0 in a field as if it were +0.0, which is next to it.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
{%- for field in key.fields %}
{%- if field.is_float %}
    if (Field{{ field.number }}::is_negative_zero(static_cast<{{ field.stored_bits }}>({% if key.descending %}~(ordered >> {{ field.bit }}){% else %}ordered >> {{ field.bit }}{% endif %}))) ordered {% if key.descending %}-{% else %}+{% endif %}= Bits(1) << {{ field.bit }};  //~ negative-zero-of-field
{%- endif %}
{%- endfor %}
    return ordered;
  }
{%- else %}

  // What is compared of ordered bits: all of them.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) { return ordered; }
{%- endif %}
