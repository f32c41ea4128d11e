{%- include "fragments/zero_bits.cuh" %}
  static constexpr Bits kFirstZero = {% if key.descending %}kPositiveZero{% else %}kNegativeZero{% endif %};

  static __device__ __forceinline__ bool is_zero(Bits ordered) { return ordered == kPositiveZero || ordered == kNegativeZero; }
