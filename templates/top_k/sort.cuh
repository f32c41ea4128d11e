  // Sorts the buffer by bits and, among equal ones, by positions: a bitonic network of ascending comparators. Behind the
  // end of the buffer it has items that are greater than all others; no comparator moves them, so they are not there. The
  // caller has passed a barrier behind the last write to the buffer. It ends with a barrier.
  __device__ __forceinline__ void sort() {
    for (unsigned int half = 1; half < count_; half *= 2) {
      // Two sorted runs are merged: the first comparators are between the upper run's items and the lower's in reverse.
      for (unsigned int distance = half; distance > 0; distance /= 2) {
        for (unsigned int pair = thread_; 2 * (pair - pair % half) < count_; pair += kBlockThreads) {
          const unsigned int low = pair / distance * distance + pair;
          const unsigned int high = distance == half ? low ^ (2 * half - 1) : low + distance;  //~ mirrored-item
          if (high < count_) order(low, high);  //~ items-that-are-there
        }
        __syncthreads();
      }
    }
  }

  // Puts two items of the buffer in order.
  __device__ __forceinline__ void order(unsigned int low, unsigned int high) {
    const Bits low_bits = storage_.bits[low];
    const Bits high_bits = storage_.bits[high];
    const unsigned int low_position = storage_.positions[low];
    const unsigned int high_position = storage_.positions[high];
    if (high_bits < low_bits || (high_bits == low_bits && high_position < low_position)) {  //~ order-of-items
      storage_.bits[low] = high_bits;
      storage_.bits[high] = low_bits;
      storage_.positions[low] = high_position;
      storage_.positions[high] = low_position;
    }
  }
