
  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
{%- if reads_values %} const Value* values_in,{% endif %}{% if has_values %} Value* {{ values_out }},{% endif %}
                                           unsigned long long n) {
    constexpr Arrangement kMoved = Arrangement::{{ tile_arrangement }};
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    // The thread's first item; the others follow, kStride<kMoved> apart.
    const unsigned int first = position<kMoved>(0);
    Keys keys;
    load<kStride<kMoved>>(keys, keys_in + start, first, valid_items);
{%- if has_values %}
    Values values;
{%- endif %}
{%- if reads_values %}
    load<kStride<kMoved>>(values, values_in + start, first, valid_items);
{%- endif %}
    sort<kMoved, kMoved>(keys, {% if has_values %}values, {% endif %}valid_items);
    store<kStride<kMoved>>(keys, keys_out + start, first, valid_items);
{%- if has_values %}
    store<kStride<kMoved>>(values, {{ values_out }} + start, first, valid_items);
{%- endif %}
  }
