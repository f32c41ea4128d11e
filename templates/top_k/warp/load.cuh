  // The position of this lane's item i in its row: the vectors of a row's lanes lie side by side.
  __device__ __forceinline__ unsigned int position_of(int i) const {
    return (i / kVectorItems * kRowLanes + lane_ % kRowLanes) * kVectorItems + i % kVectorItems;
  }

  // Loads this lane's keys of a row. In place of those past the end it has the first one.
  __device__ __forceinline__ void load(const Key* row, unsigned int columns, Key (&keys)[kItemsPerThread]) const {
    // A load may lie behind a predicate, and address what is a constant distance away; none waits for a branch.
    const Key first = row[0];
    const bool is_aligned = reinterpret_cast<unsigned long long>(row) % sizeof(KeyVector) == 0;
    if (is_aligned && columns % kVectorItems == 0) {  //~ loads-of-vectors
#pragma unroll
      for (int i = 0; i < kItemsPerThread; i += kVectorItems) {
        KeyVector vector;
#pragma unroll
        for (int j = 0; j < kVectorItems; ++j) vector.keys[j] = first;
        if (position_of(i) < columns) vector = *reinterpret_cast<const KeyVector*>(row + position_of(i));  //~ vector-in-row
#pragma unroll
        for (int j = 0; j < kVectorItems; ++j) keys[i + j] = vector.keys[j];
      }
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        keys[i] = first;
        if (position_of(i) < columns) keys[i] = row[position_of(i)];  //~ column-in-row
      }
    }
  }
