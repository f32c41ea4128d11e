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
{%- let moves_vectors = !stages_rows || !is_striped %}
{%- if moves_vectors %}
    // Vectors are moved where each row begins at one.
    const bool is_full = rows - first_of_block >= kTilesPerBlock &&  //~ full-block
                         columns == kTileItems && stride % kReadItems == 0 && stride % kWrittenItems == 0 &&
                         are_aligned(keys_in, keys_out{% if tile_values_break_ties %}, values_in{% endif %}{% if value.exists %}, {{ value.out }}{% endif %});
{%- endif %}
    const unsigned long long row = first_of_block + threadIdx.x / kLanes;
    const unsigned long long start = row * stride;  //~ start-of-row
    const unsigned int valid_items = row < rows ? columns : 0;  //~ row-is-there
{%- if stages_rows %}
    __shared__ __align__(16) unsigned char s_staged[kBlockThreads / kWarpThreads * sizeof(StagedRows)];
    static_assert(sizeof(s_staged) == {{ staged_bytes }}, "rows are laid out as planned");
    StagedRows& staged = reinterpret_cast<StagedRows*>(s_staged)[warp_of(threadIdx.x)];
    CompositeKey composites[kItemsPerThread];
{%- if moves_vectors %}
    if (is_full) {
      load_full(keys_in + start, {% if tile_values_break_ties %}values_in + start, {% endif %}composites);
      // All lanes have read before one writes.
      __syncwarp();  //~ loaded-composites
    } else {
      load_row(keys_in + start, {% if value.is_read %}values_in + start, staged, {% endif %}composites, valid_items);
    }
{%- else %}
    load_row(keys_in + start, {% if value.is_read %}values_in + start, staged, {% endif %}composites, valid_items);
{%- endif %}
{%- if orders_zeros %}
    const SignsOfZeros signs = {% if moves_vectors %}is_full ? signs_of_zeros<kReadItems>(composites) : {% endif %}signs_of_zeros<1>(composites);
{%- endif %}
    sort_items(composites);
{%- if orders_zeros %}
    put_signs(composites, signs);
{%- endif %}
{%- if value.is_position %}
    Key* const row_out = keys_out != nullptr ? keys_out + start : nullptr;
{%- else %}
    Key* const row_out = keys_out + start;
{%- endif %}
{%- if moves_vectors %}
    if (is_full) {
{%- if is_paired %}
      pair_vectors(composites);
{%- endif %}
      store_full(composites, row_out{% if value.is_read && !tile_values_break_ties %}, values_in + start{% endif %}{% if value.exists %}, {{ value.out }} + start{% endif %});
    } else {
      store_row(composites, row_out, {% if value.exists %}{{ value.out }} + start, {% endif %}staged, valid_items);
    }
{%- else %}
    store_row(composites, row_out, {% if value.exists %}{{ value.out }} + start, {% endif %}staged, valid_items);
{%- endif %}
{%- else %}
    sort_in_memory(keys_in + start, {% if value.is_position %}keys_out != nullptr ? keys_out + start : nullptr{% else %}keys_out + start{% endif %},{% if value.is_read %} values_in + start,{% endif %}{% if value.exists %} {{ value.out }} + start,{% endif %} valid_items, is_full);
{%- endif %}
  }
