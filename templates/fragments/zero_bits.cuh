
  // Ordered bits of zeros, which are next to each other.
  static constexpr Bits kPositiveZero = kSign{% if key.descending %} ^ kAllBits{% endif %};
  static constexpr Bits kNegativeZero = {% if key.descending %}(kSign - 1) ^ kAllBits{% else %}kSign - 1{% endif %};
