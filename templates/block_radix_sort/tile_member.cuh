
  // Sorts the block's own tile of an array of n items: the tile from kTileItems * blockIdx.x on. In place or not.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
{%- if reads_values %} const Value* values_in,{% endif %}{% if has_values %} Value* {{ values_out }},{% endif %}
                                           unsigned long long n, int begin_bit, int end_bit) {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    if (start >= n) return;
    const unsigned long long left = n - start;
    keys_in += start;
    keys_out += start;
{%- if reads_values %}
    values_in += start;
{%- endif %}
{%- if has_values %}
    {{ values_out }} += start;
{%- endif %}
    if (left >= kTileItems) {
      sort_tile<false>(keys_in, keys_out{% if reads_values %}, values_in{% endif %}{% if has_values %}, {{ values_out }}{% endif %}, begin_bit, end_bit, kTileItems);
    } else {
      sort_tile<true>(keys_in, keys_out{% if reads_values %}, values_in{% endif %}{% if has_values %}, {{ values_out }}{% endif %}, begin_bit, end_bit,
                      static_cast<int>(left));
    }
  }

 private:
  // Neighbouring lanes read and write neighbouring items.
  template <bool kPartial>
  __device__ __forceinline__ void sort_tile(const Key* keys_in, Key* keys_out,
{%- if reads_values %} const Value* values_in,{% endif %}{% if has_values %} Value* {{ values_out }},{% endif %}
                                            int begin_bit, int end_bit, int valid_items) {
    constexpr Arrangement kLoaded = Arrangement::{{ tile_input }};
    Keys keys;
{%- if has_values %}
    Values values;
{%- endif %}
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      // Past the end the last item is read again: it does not count, but it is there.
      const int last = valid_items - 1;
      const int source = kPartial && position<kLoaded>(i) > last ? last : position<kLoaded>(i);
      keys[i] = keys_in[source];
{%- if reads_values %}
      values[i] = values_in[source];
{%- endif %}
    }
    sort<kLoaded, Arrangement::kStriped, kPartial>(keys, {% if has_values %}values, {% endif %}begin_bit, end_bit, valid_items);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const int target = position<Arrangement::kStriped>(i);
      if (!kPartial || target < valid_items) {
        keys_out[target] = keys[i];
{%- if has_values %}
        {{ values_out }}[target] = values[i];
{%- endif %}
      }
    }
  }
