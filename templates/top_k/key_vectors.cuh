  // Neighbouring items of a thread, which one load brings.
  static constexpr int kVectorItems = {{ vector_items }};
  static constexpr int kVectors = kItemsPerThread / kVectorItems;

  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
  static constexpr int kBitsLimbs = sizeof(Bits) / 4;
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

  struct __align__({{ vector_bytes }}) KeyVector {
    Key keys[kVectorItems];
  };
