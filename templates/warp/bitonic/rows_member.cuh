  // Sorts the logical warp's own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and
  // columns <= stride. In a grid of one-dimensional blocks of kBlockThreads threads, the r-th logical warp's is row r. In place or not;
  // items between rows are not touched. All threads of the block call it.
{%- if value.is_position %}
  // Positions are those within the row. keys_out may be null: then positions alone are written.
{%- endif %}
  __device__ __forceinline__ void SortRow(const Key* keys_in, Key* keys_out,
{%- if value.is_read %} const Value* values_in,{% endif %}{% if value.exists %} Value* {{ value.out }},{% endif %}
                                          unsigned long long rows, unsigned int columns, unsigned long long stride) const {
    const unsigned long long first_of_block = static_cast<unsigned long long>(blockIdx.x) * kTilesPerBlock;
    if (first_of_block >= rows) return;
    // Vectors are moved where each row begins at one.
    const bool is_full = rows - first_of_block >= kTilesPerBlock &&  //~ full-block
                         columns == kTileItems && stride % kReadItems == 0 && stride % kWrittenItems == 0 &&
                         are_aligned(keys_in, keys_out{% if tile_values_break_ties %}, values_in{% endif %}{% if value.exists %}, {{ value.out }}{% endif %});
{%- if stages_rows %}
    const Rows of_array = {keys_in, keys_out,{% if value.is_read %} values_in,{% endif %}{% if value.exists %} {{ value.out }},{% endif %} rows, columns, stride};
    __shared__ __align__(16) unsigned char s_staged[kBlockThreads / 32 * sizeof(StagedRows)];
    static_assert(sizeof(s_staged) == {{ staged_bytes }}, "rows are laid out as planned");
    StagedRows& staged = reinterpret_cast<StagedRows*>(s_staged)[threadIdx.x / 32];
    const unsigned long long start = (first_of_block + threadIdx.x / kLanes) * stride;  //~ start-of-row
    Word words[kItemsPerThread];
    if (is_full) {
      load_full(keys_in + start, {% if tile_values_break_ties %}values_in + start, {% endif %}words);
    } else {
      load_staged(of_array, staged, words);
    }
    // All lanes have read before one writes.
    __syncwarp();
    sort_items(words);
    if (is_full) {
{%- if is_paired %}
      pair_vectors(words);
{%- elif is_striped %}
      blocked_to_striped(words);
{%- endif %}
      store_full(words, {% if value.is_position %}keys_out != nullptr ? keys_out + start : nullptr{% else %}keys_out + start{% endif %}{% if value.is_read && !tile_values_break_ties %}, values_in + start{% endif %}{% if value.exists %}, {{ value.out }} + start{% endif %});
    } else {
      store_staged(words, of_array, staged);
    }
{%- else %}
    const unsigned long long row = first_of_block + threadIdx.x / kLanes;
    const unsigned long long start = row * stride;  //~ start-of-row
    const unsigned int valid_items = row < rows ? columns : 0;  //~ row-is-there
    sort_in_memory(keys_in + start, {% if value.is_position %}keys_out != nullptr ? keys_out + start : nullptr{% else %}keys_out + start{% endif %},{% if value.is_read %} values_in + start,{% endif %}{% if value.exists %} {{ value.out }} + start,{% endif %} valid_items, is_full);
{%- endif %}
  }
