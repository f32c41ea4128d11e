  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo, bool kPartial>
  __device__ __forceinline__ void sort(Keys& keys{% if has_values %}, Values& values{% endif %}, int begin_bit, int end_bit,
                                       int valid_items) {
    BitsItems bits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
{%- if carries_positions %}
    CarriedItems carried;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) carried[i] = position<kFrom>(i);
{%- elif carries %}
    CarriedItems& carried = values;
{%- endif %}
    if (begin_bit < end_bit) {
      turn<kFrom, kRanked>(bits{% if carries %}, carried{% endif %});
{%- if overlaps %}
      // Ranking takes the bytes that the turn has read.
      if constexpr (kFrom != kRanked) __syncthreads();
{%- endif %}
      for (int bit = begin_bit;;) {
        Positions ranks;
        const int bits_left = end_bit - bit;
        rank_items<kPartial>(bits, ranks, bit, bits_left < kRadixBits ? bits_left : kRadixBits, valid_items);
{%- if overlaps %}
        // The exchange takes the bytes of the ranks.
        __syncthreads();
{%- endif %}
        items_to_shared(bits, {% if carries %}carried, {% endif %}ranks);
        __syncthreads();
        bit += kRadixBits;
        if (bit >= end_bit) break;
        shared_to_items<kRanked>(bits{% if carries %}, carried{% endif %});
{%- if overlaps %}
        // And the ranks take them back.
        __syncthreads();
{%- endif %}
      }
      shared_to_items<kTo>(bits{% if carries %}, carried{% endif %});
    } else {
      turn<kFrom, kTo>(bits{% if carries %}, carried{% endif %});
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) keys[i] = to_key(bits[i]);
{%- if makes_positions %}
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = carried[i];
{%- elif fetches_values %}
    fetch_values<kFrom>(values, carried);
{%- endif %}
  }
