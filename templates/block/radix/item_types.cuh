  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using BitsItems = Bits[kItemsPerThread];
  // In shared memory they take no more bytes than the keys.
  using StoredBits = {{ key.stored_bits }};
  using Positions = unsigned int[kItemsPerThread];
{%- if radix.carries %}
  // What goes through shared memory with each key: {{ radix.carry_words }}.
  using Carried = {{ radix.carried }};
  using CarriedItems = {{ radix.carried_register }}[kItemsPerThread];
{%- endif %}
