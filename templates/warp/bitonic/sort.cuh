  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys{% if value.exists %}, Values& values{% endif %}, unsigned int valid_items) const {
    {{ item }} items[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
{%- if value.is_read %}
      items[i] = item_of(composite_of(keys[i], position<kFrom>(i), position<kFrom>(i) < valid_items), values[i]);  //~ valid-pairs
{%- else %}
      items[i] = composite_of(keys[i], position<kFrom>(i), position<kFrom>(i) < valid_items);  //~ valid-pairs
{%- endif %}
    }
{%- if orders_zeros %}
    const SignsOfZeros signs = signs_of_zeros<kFrom == Arrangement::kBlocked ? kItemsPerThread : 1>(items);
{%- endif %}
    sort_items(items);
{%- if orders_zeros %}
    put_signs(items, signs);
{%- endif %}
    if constexpr (kTo == Arrangement::kStriped) blocked_to_striped(items);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
{%- if value.is_read %}
      keys[i] = key_of(composite_of(items[i]));
      values[i] = value_of(items[i]);
{%- else %}
      keys[i] = key_of(items[i]);
{%- if value.is_position %}
      values[i] = position_of(items[i]);
{%- endif %}
{%- endif %}
    }
  }
{%- if tile_values_break_ties %}

  // The same of a full tile.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values) const {
    CompositeKey pairs[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) pairs[i] = pair_of(keys[i], values[i]);  //~ pair-of-members
    sort_items(pairs);
    if constexpr (kTo == Arrangement::kStriped) blocked_to_striped(pairs);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = key_of_pair(pairs[i]);
      values[i] = value_of_pair(pairs[i]);
    }
  }
{%- endif %}
