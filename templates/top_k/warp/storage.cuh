  // A survivor.
  struct __align__({{ item_align }}) Item {
    Bits bits;
    unsigned int position;
  };

  // What a warp has in shared memory: survivors, and slots in the order of their keys.
  struct WarpStorage {
    Item items[kSlots];
    unsigned int order[kSlots];
  };

  __device__ __forceinline__ Bits bits_in(unsigned int slot) const { return storage_.items[slot].bits; }
  __device__ __forceinline__ unsigned int position_in(unsigned int slot) const { return storage_.items[slot].position; }
