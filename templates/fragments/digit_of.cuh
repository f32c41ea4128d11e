

  // The digit of `count` bits, at most kRadixBits, from `bit` up{% if key.relative %}, of what is above the base{% endif %}.
  {% if !key.relative %}static {% endif %}__device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count){% if key.relative %} const{% endif %} {
    return static_cast<unsigned int>({% if key.relative %}({% endif %}{% if key.is_float %}compared_bits(ordered){% else %}ordered{% endif %}{% if key.relative %} - base_){% endif %} >> bit) & ((1u << count) - 1u);  //~ above-base
  }
