  // Sorts the logical warp's own tile of an array of n items: in a grid of one-dimensional blocks of kBlockThreads threads, the
  // t-th logical warp's is the tile from t * kTileItems on. In place or not. All threads of the block call it.
  __device__ __forceinline__ void SortTile(const Key* keys_in, Key* keys_out,
{%- if value.is_read %} const Value* values_in,{% endif %}{% if value.exists %} Value* {{ value.out }},{% endif %}
                                           unsigned long long n) const {
    constexpr unsigned int kBlockItems = kTilesPerBlock * kTileItems;
    const unsigned long long block_start = static_cast<unsigned long long>(blockIdx.x) * kBlockItems;
    if (block_start >= n) return;
    const unsigned long long start = block_start + threadIdx.x / kLanes * kTileItems;  //~ start-of-tile
    const bool is_full = n - block_start >= kBlockItems &&  //~ full-block
                          are_aligned(keys_in, keys_out{% if tile_values_break_ties %}, values_in{% endif %}{% if value.exists %}, {{ value.out }}{% endif %});
    const unsigned long long left = start < n ? n - start : 0;
    const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
    sort_in_memory(keys_in + start, keys_out + start,{% if value.is_read %} values_in + start,{% endif %}{% if value.exists %} {{ value.out }} + start,{% endif %} valid_items, is_full);
  }
