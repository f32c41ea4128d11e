  // Whether all arrays begin at a boundary of the vectors that lanes move.{% if value.is_position %} An array that is not there does.{% endif %}
  static __device__ __forceinline__ bool are_aligned(const Key* keys_in, const Key* keys_out
{%- if tile_values_break_ties %}, const Value* values_in{% endif %}{% if value.exists %}, const Value* {{ value.out }}{% endif %}) {
    return is_aligned<ReadKeys>(keys_in) && is_aligned<WrittenKeys>(keys_out)
{%- if tile_values_break_ties %} && is_aligned<ReadValues>(values_in){% endif %}{% if value.exists %} && is_aligned<WrittenValues>({{ value.out }}){% endif %};
  }

  // Sorts a tile of each logical warp, the first valid_items items of arrays, to other arrays or in place. Where is_full, which
  // is the same in all lanes of a warp, they are all of the tile's, at boundaries of vectors.{% if value.is_position %} Where keys_out is null, positions alone
  // are written.{% endif %}
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out,
{%- if value.is_read %} const Value* values_in,{% endif %}{% if value.exists %} Value* {{ value.out }},{% endif %}
                                                 unsigned int valid_items, bool is_full) const {
    CompositeKey composites[kItemsPerThread];
    if (is_full) {
      load_full(keys_in, {% if tile_values_break_ties %}values_in, {% endif %}composites);
    } else {
      load_partial(keys_in, composites, valid_items);
    }
    // The outputs may be the inputs: all lanes have read before one writes.
    __syncwarp();  //~ loaded-composites
{%- if orders_zeros %}
    const SignsOfZeros signs = signs_of_zeros<kReadItems>(composites);
{%- endif %}
    sort_items(composites);
{%- if orders_zeros %}
    put_signs(composites, signs);
{%- endif %}
{%- if is_paired %}
    pair_vectors(composites);
{%- elif is_striped %}
    blocked_to_striped(composites);
{%- endif %}
    if (is_full) {
      store_full(composites, keys_out{% if value.is_read && !tile_values_break_ties %}, values_in{% endif %}{% if value.exists %}, {{ value.out }}{% endif %});
    } else {
      store_partial(composites, keys_out, {% if value.is_read %}values_in, {% endif %}{% if value.exists %}{{ value.out }}, {% endif %}valid_items);
    }
  }
