{% include "block/constants.cuh" %}
  static constexpr bool kStable = {{ stable }};
