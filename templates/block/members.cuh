{% for entry in entries %}
  // {{ entry.words }}
{%- for call in entry.calls %}
  __device__ __forceinline__ void {{ entry.name }}(Keys& keys{% if value.exists %}, Values& values{% endif %}{{ call.parameters }}) {
    sort<Arrangement::{{ input }}, Arrangement::{{ entry.output }}>(keys, {% if value.exists %}values, {% endif %}{{ call.arguments }});
  }
{%- endfor %}
{% endfor %}
  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  // Neighbouring lanes read and write neighbouring items.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
{%- if value.is_read %} const Value* values_in,{% endif %}{% if value.exists %} Value* {{ value.out }},{% endif %}
                                           unsigned long long n{% if tile.takes_bits %}, int begin_bit, int end_bit{% endif %}) {
    constexpr Arrangement kLoaded = Arrangement::{{ tile.loaded }};
    constexpr Arrangement kStored = Arrangement::{{ tile.stored }};
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    // The thread's first item; the others follow, kStride<kLoaded> apart.
    const unsigned int first = position<kLoaded>(0);
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in + start, first, valid_items);
{%- if value.exists %}
    Values values;
{%- endif %}
{%- if value.is_read %}
    load<kStride<kLoaded>>(values, values_in + start, first, valid_items);
{%- endif %}
    sort<kLoaded, kStored>(keys, {% if value.exists %}values, {% endif %}{% if tile.takes_bits %}begin_bit, end_bit, {% endif %}valid_items);
    const unsigned int first_stored = kStored == kLoaded ? first : position<kStored>(0);
    store<kStride<kStored>>(keys, keys_out + start, first_stored, valid_items);
{%- if value.exists %}
    store<kStride<kStored>>(values, {{ value.out }} + start, first_stored, valid_items);
{%- endif %}
  }
