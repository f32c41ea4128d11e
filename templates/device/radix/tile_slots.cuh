  // Where the items of a tile lie in shared memory, warp by warp, each warp's in rows of 32. In a padded tile a slot is unused behind each
  // row, and one more behind each warp. Without padding, items at equal distances, as those of one digit of regular keys are, meet in
  // a bank; with padding, the copy engine cannot load the tile.
  struct TileSlots {
    static constexpr bool kMayPad = {{ pads_rows }};
    // The slots of a row and of a warp in a padded tile.
    static constexpr unsigned int kPaddedRow = 33;
    static constexpr unsigned int kPaddedWarp = kPaddedRow * kItemsPerThread + 1;
    // Each array of them ends at a multiple of 16 bytes, where the copy engine can write another.
    static constexpr unsigned int kCount = {{ slots }};
    static_assert(kCount <= 65536, "a slot's number has 16 bits");
    static_assert(kCount >= (kMayPad ? kWarps * kPaddedWarp : kTileItems), "a tile has room");

    // Unused slots behind a row, one or none.
    unsigned int padding;

    __device__ __forceinline__ unsigned int row() const { return 32 + padding; }

    // Where the first item is that a thread ranks; each next one is a row on. Of two items, the earlier one has the lower slot.
    __device__ __forceinline__ unsigned int own_first() const {
      return warp_of(threadIdx.x) * (row() * kItemsPerThread + padding) + lane_of(threadIdx.x);
    }

    // The position in the tile of the item in a slot.
    __device__ __forceinline__ unsigned int position_of(unsigned int slot) const {
      // Without padding a slot is a position, whatever it is divided by.
      const unsigned int warp = slot / kPaddedWarp;
      const unsigned int rows = warp * (kItemsPerThread + 1) + (slot - warp * kPaddedWarp) / kPaddedRow;
      return slot - rows * padding;  //~ slot-without-padding
    }
  };

  // The counter of a digit in a warp's histogram. Digits that agree in their lower bits, as those of keys of few bits do, have counters
  // in other banks.
  static __device__ __forceinline__ unsigned int counter_of(unsigned int digit) {
    constexpr unsigned int kBankBits = 5;
    return digit ^ digit >> kBankBits;
  }
