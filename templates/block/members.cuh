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
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned int valid_items = n - start < kTileItems ? static_cast<unsigned int>(n - start) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start,{% if value.is_read %} values_in + start,{% endif %}{% if value.exists %} {{ value.out }} + start,{% endif %} valid_items{% if tile.takes_bits %}, begin_bit, end_bit{% endif %});
  }

  // Sorts the block's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and columns <= stride,
  // and block b's is row b. In place or not; items between rows are not touched.
{%- if value.is_position %}
  // Positions are those within the row. keys_out may be null: then positions alone are written.
{%- endif %}
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out,
{%- if value.is_read %} const Value* values_in,{% endif %}{% if value.exists %} Value* {{ value.out }},{% endif %}
                                          unsigned long long rows, unsigned int columns, unsigned long long stride{% if tile.takes_bits %},
                                          int begin_bit, int end_bit{% endif %}) {
    if (blockIdx.x >= rows) return;
    const unsigned long long start = blockIdx.x * stride;  //~ start-of-row
    sort_in_memory(keys_in + start, {% if value.is_position %}keys_out != nullptr ? keys_out + start : nullptr{% else %}keys_out + start{% endif %},{% if value.is_read %} values_in + start,{% endif %}{% if value.exists %} {{ value.out }} + start,{% endif %} columns{% if tile.takes_bits %}, begin_bit, end_bit{% endif %});
  }
