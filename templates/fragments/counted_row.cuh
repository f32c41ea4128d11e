  // Whether the block's row is not among those that the count in memory says. The block ends at once then, and waits all the same, so that
  // the kernel ends after those before it.
  static __device__ __forceinline__ bool is_row_left_out(const Arguments& arguments) {
    const unsigned long long row = static_cast<unsigned long long>(arguments.rows_before) + blockIdx.y;  //~ row-of-all
    if (row < number_at(arguments.count, arguments.count_bytes, 0)) return false;  //~ counted-row
    wait_for_previous_grid();  //~ grid-of-no-row
    return true;
  }
