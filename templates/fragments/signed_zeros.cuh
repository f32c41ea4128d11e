
  // -0.0 and +0.0 are equal, and next to each other by their ordered bits.
  static constexpr Bits kPositiveZero = kSign{% if key.descending %} ^ kAllBits{% endif %};
  static constexpr Bits kNegativeZero = {% if key.descending %}(kSign - 1) ^ kAllBits{% else %}kSign - 1{% endif %};
  static constexpr Bits kFirstZero = {% if key.descending %}kPositiveZero{% else %}kNegativeZero{% endif %};

  static __device__ __forceinline__ bool is_zero(Bits ordered) { return ordered == kPositiveZero || ordered == kNegativeZero; }
