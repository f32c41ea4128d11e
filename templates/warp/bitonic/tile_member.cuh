  // Sorts the logical warp's own tile of an array of n items: in a grid of one-dimensional blocks of kBlockThreads threads, the
  // t-th logical warp's is the tile from t * kTileItems on. In place or not. All threads of the block call it.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
{%- if reads_values %} const Value* values_in,{% endif %}{% if has_values %} Value* {{ values_out }},{% endif %}
                                           unsigned long long n) const {
    constexpr unsigned int kBlockItems = kTilesPerBlock * kTileItems;
    const unsigned long long block_start = static_cast<unsigned long long>(blockIdx.x) * kBlockItems;
    if (block_start >= n) return;
    const unsigned long long start = block_start + threadIdx.x / kLanes * kTileItems;  //~ start-of-tile
    const bool is_whole = n - block_start >= kBlockItems &&  //~ whole-block
                          is_aligned<ReadKeys>(keys_in) && is_aligned<WrittenKeys>(keys_out)
{%- if tile_values_break_ties %} &&
                          is_aligned<ReadValues>(values_in){% endif %}{% if has_values %} &&
                          is_aligned<WrittenValues>({{ values_out }}){% endif %};
    const unsigned long long left = start < n ? n - start : 0;
    const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
    Word words[kItemsPerThread];
    if (is_whole) {
      load_whole(keys_in + start, {% if tile_values_break_ties %}values_in + start, {% endif %}words);
    } else {
      load_part(keys_in + start, words, valid_items);
    }
    // The outputs may be the inputs: all lanes have read before one writes.
    __syncwarp();
    sort_items(words);
{%- if is_paired %}
    pair_vectors(words);
{%- elif is_striped %}
    blocked_to_striped(words);
{%- endif %}
    if (is_whole) {
      store_whole(words, keys_out + start{% if reads_values && !tile_values_break_ties %}, values_in + start{% endif %}{% if has_values %}, {{ values_out }} + start{% endif %});
    } else {
      store_part(words, keys_out + start, {% if reads_values %}values_in + start, {% endif %}{% if has_values %}{{ values_out }} + start, {% endif %}valid_items);
    }
  }
