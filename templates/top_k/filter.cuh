  // Appends the survivors of some columns of a row to a list, in any order: items up to the limit, of which those with its bits are at positions up to
  // its own. `count` has how many the list has; where that is more than there is room for, some are not in it. All threads call it. The storage may be
  // used for other columns at once: a thread first writes bits and positions that it has read itself.
  __device__ __forceinline__ void append_to_list(const Items& items, unsigned int room, Bits* bits_out, unsigned int* positions_out,
                                                 unsigned int* count) {
    unsigned int& buffered = storage_.bin_counts[0];
    if (thread_ == 0) buffered = 0;
    __syncthreads();
    filter(items, buffered);
    __syncthreads();
    const unsigned int survivors = buffered;
    if (thread_ == 0) storage_.selection.bin = survivors > 0 ? atomicAdd(count, survivors) : 0;
    __syncthreads();
    const unsigned int first = storage_.selection.bin;
    if (survivors > room) return;
    for (unsigned int slot = thread_; slot < survivors && first + slot < room; slot += kBlockThreads) {  //~ slots-of-list
      bits_out[first + slot] = storage_.bits[slot];
      positions_out[first + slot] = storage_.positions[slot];
    }
  }

  // Appends the survivors to the buffer, which `buffered` has the number of, until they are more than it has room for. They are there behind the next barrier.
  // Warps do not wait for each other.
  __device__ __forceinline__ void filter(const Items& items, unsigned int& buffered) {
    unsigned long long start = items.begin;
    unsigned int tile_items = tile_items_of(items, start);
    Key next_keys[kItemsPerThread];
    if constexpr (kLoadsAhead) load_tile<false>(items, start, tile_items, next_keys);
    while (start < items.end) {
      const unsigned long long next = start + tile_items;
      const unsigned int next_items = next < items.end ? tile_items_of(items, next) : 0;
      Key keys[kItemsPerThread];
      if constexpr (kLoadsAhead) {
#pragma unroll
        for (int i = 0; i < kItemsPerThread; ++i) keys[i] = next_keys[i];
        if (next_items > 0) load_tile<false>(items, next, next_items, next_keys);
      } else {
        load_tile<false>(items, start, tile_items, keys);
      }
      if (!append_in_any_order(start, tile_items, keys, buffered)) break;
      start = next;
      tile_items = next_items;
    }
  }

  // Appends the survivors of a warp's items of a tile. Returns whether there was room.
  __device__ __forceinline__ bool append_in_any_order(unsigned long long start, unsigned int tile_items, const Key (&keys)[kItemsPerThread],
                                                      unsigned int& buffered) {
    // Behind the last tie no item with the limit's bits survives, so there many of them cost no more than others.
    const bool is_behind_ties = start > last_tie_;
    if (is_behind_ties && limit_ == 0) return true;
    const Bits limit = is_behind_ties ? limit_ - 1 : limit_;
    unsigned int mask = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool survives = item_of(i) < tile_items && bits_of(keys[i]) <= limit;  //~ filtered-item
      mask |= survives ? 1u << i : 0u;
    }
    if (!__any_sync(~0u, mask != 0)) return true;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = static_cast<unsigned int>(start) + item_of(i);
      if (position > last_tie_ && bits_of(keys[i]) == limit_) mask &= ~(1u << i);  //~ late-ties
    }
    const unsigned int own = __popc(mask);
    const unsigned int inclusive = inclusive_sum_in_warp(own, ~0u);
    unsigned int first = 0;
    if (lane_ == 31) first = atomicAdd(&buffered, inclusive);
    const unsigned int end = __shfl_sync(~0u, first + inclusive, 31);
    if (end > kBufferItems) return false;
    unsigned int slot = __shfl_sync(~0u, first, 31) + inclusive - own;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (!(mask >> i & 1)) continue;
      storage_.bits[slot] = bits_of(keys[i]);
      storage_.positions[slot] = static_cast<unsigned int>(start) + item_of(i);
      ++slot;
    }
    return true;
  }
