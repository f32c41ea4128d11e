{% include "block/constants.cuh" %}
  static constexpr int kRadixBits = {{ radix.radix_bits }};
  static constexpr bool kStaticBits = {{ is_static }};
  static constexpr int kBeginBit = {{ begin_bit }};
  static constexpr int kEndBit = {{ end_bit }};
