
  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
{%- if reads_values %} const Value* values_in,{% endif %}{% if has_values %} Value* {{ values_out }},{% endif %}
                                           unsigned long long n, int begin_bit, int end_bit) {
    constexpr Arrangement kLoaded = Arrangement::{{ tile_input }};
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    constexpr Arrangement kStored = Arrangement::kStriped;
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in + start, position<kLoaded>(0), valid_items);
{%- if has_values %}
    Values values;
{%- endif %}
{%- if reads_values %}
    load<kStride<kLoaded>>(values, values_in + start, position<kLoaded>(0), valid_items);
{%- endif %}
    sort<kLoaded, kStored>(keys, {% if has_values %}values, {% endif %}begin_bit, end_bit, valid_items);
    store<kStride<kStored>>(keys, keys_out + start, position<kStored>(0), valid_items);
{%- if has_values %}
    store<kStride<kStored>>(values, {{ values_out }} + start, position<kStored>(0), valid_items);
{%- endif %}
  }
