  // A thread's items, kApart apart from the first one on, from and to the tile's offset in an array. Full tiles, which most are, need no check of each item.
  template <unsigned int kApart, typename T>
  static __device__ __forceinline__ void load(T (&items)[kItemsPerThread], const T* from, unsigned int first, unsigned int valid_items) {
    const T* const mine = from + first;
    if (valid_items == kTileItems) {  //~ full-tile
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) items[i] = mine[i * kApart];
    } else {
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) {
        // What is past the end does not count, and is not there.
        items[i] = first + i * kApart < valid_items ? mine[i * kApart] : T();  //~ loaded-item
      }
    }
  }

  template <unsigned int kApart, typename T>
  static __device__ __forceinline__ void store(const T (&items)[kItemsPerThread], T* to, unsigned int first, unsigned int valid_items) {
    T* const mine = to + first;
    if (valid_items == kTileItems) {  //~ full-tile
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) mine[i * kApart] = items[i];  //~ stored-item-of-full-tile
    } else {
#pragma unroll
      for (unsigned int i = 0; i < kItemsPerThread; ++i) {
        if (first + i * kApart < valid_items) mine[i * kApart] = items[i];  //~ stored-item
      }
    }
  }
