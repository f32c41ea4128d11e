{% include "block/comparison/sort_composites.cuh" %}
{%- if merging.merges_by_path %}

  // The end of the warps that have valid items, which is that of the tile where all warps have some of any.
  template <Arrangement kFrom>
  static __device__ __forceinline__ unsigned int end_of_warps(unsigned int valid_items) {
    constexpr unsigned int kWarpItems = 32 * kItemsPerThread;
    if constexpr (kFrom == Arrangement::kStriped || kTileItems % kWarpItems != 0) {
      return kTileItems;
    } else {
      return (valid_items + kWarpItems - 1) / kWarpItems * kWarpItems;  //~ warps-with-items
    }
  }
{%- endif %}
{%- if let Some(truncated) = truncated %}

{% include "block/comparison/truncated_keys.cuh" %}
{%- else %}

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys{% if value.exists %}, Values& values{% endif %}, unsigned int valid_items) {
    CompositeKey composites[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) composites[i] = composite_of(keys[i], {% if composites.values_break_ties %}values[i]{% else %}position<kFrom>(i){% endif %}, true);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) composites[i] = composite_of(Key(), {% if composites.values_break_ties %}Value(){% else %}position<kFrom>(i){% endif %}, false);  //~ valid-items
      }
    }
{%- if orders_zeros %}
    Bits ordered[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) ordered[i] = bits_of(composites[i]);
    const SignsOfZeros signs = signs_of_zeros<kFrom>(ordered);
{%- endif %}
    sort_composites(composites{% if merging.merges_by_path %}, end_of_warps<kFrom>(valid_items){% endif %});
    rearrange<kTo>(composites);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = key_of(composites[i]);
{%- if composites.values_break_ties %}
      values[i] = value_of(composites[i]);
{%- else if value.is_position %}
      values[i] = position_of(composites[i]);
{%- endif %}
    }
{%- if orders_zeros %}
    put_signs<kTo>(keys, signs);
{%- endif %}
{%- if fetched_words > 0 %}
    fetch_values<kFrom>(values, composites);
{%- endif %}
  }
{%- if fetched_words > 0 %}

  // Brings each item's value from its position in the input, a word at a time.
  template <Arrangement kFrom>
  __device__ __forceinline__ void fetch_values(Values& values, const CompositeKey (&composites)[kItemsPerThread]) {
    Limbs<kValueWords> value_limbs[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) value_limbs[i] = limbs_of<kValueWords>(values[i]);
#pragma unroll
    for (int w = 0; w < kValueWords; ++w) {
      // The tile, or the word before, has been read.
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) storage_.composites[0][Slots::of(position<kFrom>(i))] = value_limbs[i].limb[w];
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) value_limbs[i].limb[w] = storage_.composites[0][Slots::of(position_of(composites[i]))];  //~ gathered-by-position
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = value_of_limbs<Value>(value_limbs[i]);
  }
{%- endif %}
{%- endif %}
