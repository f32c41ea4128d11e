
  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
{%- if reads_values %} const Value* values_in,{% endif %}{% if has_values %} Value* {{ values_out }},{% endif %}
                                           unsigned long long n, int begin_bit, int end_bit) {
    constexpr Arrangement kLoaded = Arrangement::{{ tile_input }};
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    Keys keys;
{%- if has_values %}
    Values values;
{%- endif %}
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      // Past the end the last item is read again: it does not count, but it is there.
      const unsigned int source = position<kLoaded>(i) < valid_items ? position<kLoaded>(i) : valid_items - 1;
      keys[i] = keys_in[start + source];
{%- if reads_values %}
      values[i] = values_in[start + source];
{%- endif %}
    }
    sort<kLoaded, Arrangement::kStriped>(keys, {% if has_values %}values, {% endif %}begin_bit, end_bit, valid_items);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int target = position<Arrangement::kStriped>(i);
      if (target < valid_items) {
        keys_out[start + target] = keys[i];
{%- if has_values %}
        {{ values_out }}[start + target] = values[i];
{%- endif %}
      }
    }
  }
