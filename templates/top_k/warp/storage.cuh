  // The lanes of a row are those of a warp.
  static constexpr int kRowLanes = 32;

  using Slot = unsigned int;

  // A survivor.
  struct __align__({{ item_align }}) Item {
    Bits bits;
    unsigned int position;
  };

  // What a warp has in shared memory: survivors, and slots in the order of their keys.
  struct WarpStorage {
    Item items[kSlots];
    Slot order[kSlots];
  };

  // A warp has one row.
  using RowStorage = WarpStorage;

  static __device__ __forceinline__ Bits bits_in(const RowStorage& row, unsigned int slot) { return row.items[slot].bits; }
