{% include "block/constants.cuh" %}
  static constexpr bool kStable = true;
  // After as many rounds as there are items no pair is out of order.
  static constexpr unsigned int kRounds = {{ rounds }};
