  // Writes the first k items of each of `count` rows, 1 to kRowsOfWarp, which have at least as many, and their positions: sorted, or in
  // the order of their positions. `keys_out` may be null. All lanes of the warp call it with the same arguments.
  __device__ __forceinline__ void find(const Key* rows, unsigned int count, unsigned int columns, unsigned long long stride,
                                       unsigned int k, bool sorted, Key* keys_out, {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) {
    const unsigned int row = lane_ / kRowLanes;
    // Lanes without a row have the last one once more.
    order_rows(rows + (row < count ? row : count - 1) * stride, columns, k);
    __syncwarp();
    if (!sorted) order_by_positions(k);
    write(count, k, keys_out, {% if found.is_more %}output{% if found.is_read %}, stride{% endif %}{% else %}positions_out{% endif %});
    // The next rows' keys are written there.
    __syncwarp();
  }
