  // Writes the first k of a row's list, which are at least as many and at most kBufferItems: sorted, or in the order of their positions. All threads
  // call it. The storage may be used for another list at once: a thread first writes positions that it has read itself, and bits are read before the
  // last barrier.
  __device__ __forceinline__ void find_in_list(const Key* row, const Bits* bits, const unsigned int* positions, unsigned int count, unsigned int k,
                                               bool sorted, Key* keys_out, {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) {
    load_items(bits, positions, count);
    __syncthreads();
#pragma unroll 1
    for (bool is_last = sorted;; is_last = true) {
      sort();
      if (is_last) break;  //~ unsorted-items
      // Once more, by positions.
      for (unsigned int slot = thread_; slot < k; slot += kBlockThreads) storage_.bits[slot] = storage_.positions[slot];
      count_ = k;
      __syncthreads();
    }
    write_first(row, k, keys_out, {% if found.is_more %}output{% else %}positions_out{% endif %});
  }
