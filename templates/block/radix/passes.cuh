  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys{% if value.exists %}, Values& values{% endif %}, int begin_bit, int end_bit,
                                       unsigned int valid_items) {
    // Items past valid_items have all bits set{% if radix.has_base %} of what is sorted by{% endif %}: no digit is greater, and of equal digits those of the items before them
    // come first. So they stay behind, whatever the keys are.
    BitsItems bits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) bits[i] = {% if radix.has_base %}base_ - 1{% else %}kAllBits{% endif %};  //~ valid-items
      }
    }
{%- if radix.carries_positions %}
    CarriedItems carried;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) carried[i] = position<kFrom>(i);
{%- elif radix.carries %}
    CarriedItems& carried = values;
{%- endif %}
    rearrange<kFrom, kRanked>(bits{% if radix.carries %}, carried{% endif %});
    // Ranking takes the bytes that the exchange has read.
    if constexpr (kOverlaps && kFrom != kRanked) __syncthreads();
    // An empty range takes one pass too: over no bits, which keeps the order.
    int bit = begin_bit < kKeyBits ? begin_bit : kKeyBits - 1;
    int bits_left = end_bit - begin_bit;
    while (true) {
      Positions ranks;
      rank_items(bits, ranks, bit, bits_left < kRadixBits ? bits_left : kRadixBits);  //~ bits-of-digit
      // The exchange takes the bytes of the ranks.
      if constexpr (kOverlaps) __syncthreads();
      items_to_shared(bits, {% if radix.carries %}carried, {% endif %}ranks);
      __syncthreads();
      bit += kRadixBits;
      bits_left -= kRadixBits;
      if (bits_left <= 0) break;
      shared_to_items<kRanked>(bits{% if radix.carries %}, carried{% endif %});
      // And the ranks take them back.
      if constexpr (kOverlaps) __syncthreads();
    }
    shared_to_items<kTo>(bits{% if radix.carries %}, carried{% endif %});
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
{%- if value.is_position %}
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = carried[i];
{%- elif radix.fetches_values %}
    fetch_values<kFrom>(values, carried);
{%- endif %}
  }
