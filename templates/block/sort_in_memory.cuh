  // Sorts the first valid_items items of arrays, at most a tile, to other arrays or in place.{% if value.is_position %} Where keys_out is null, positions
  // alone are written.{% endif %}
  __device__ __forceinline__ void sort_in_memory(const Key* keys_in, Key* keys_out,
{%- if value.is_read %} const Value* values_in,{% endif %}{% if value.exists %} Value* {{ value.out }},{% endif %}
                                                 unsigned int valid_items{% if tile.takes_bits %}, int begin_bit, int end_bit{% endif %}) {
    constexpr Arrangement kLoaded = Arrangement::{{ tile.loaded }};
    constexpr Arrangement kStored = Arrangement::{{ tile.stored }};
    // The thread's first item; the others follow, kStride<kLoaded> apart.
    const unsigned int first = position<kLoaded>(0);
    Keys keys;
    load<kStride<kLoaded>>(keys, keys_in, first, valid_items);
{%- if value.exists %}
    Values values;
{%- endif %}
{%- if value.is_read %}
    load<kStride<kLoaded>>(values, values_in, first, valid_items);
{%- endif %}
    sort<kLoaded, kStored>(keys, {% if value.exists %}values, {% endif %}{% if tile.takes_bits %}begin_bit, end_bit, {% endif %}valid_items);
    const unsigned int first_stored = kStored == kLoaded ? first : position<kStored>(0);
    {% if value.is_position %}if (keys_out != nullptr) {% endif %}store<kStride<kStored>>(keys, keys_out, first_stored, valid_items);{% if value.is_position %}  //~ keys-wanted{% endif %}
{%- if value.exists %}
    store<kStride<kStored>>(values, {{ value.out }}, first_stored, valid_items);
{%- endif %}
  }
