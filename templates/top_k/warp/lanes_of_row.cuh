  // Lanes of a row, and the rows of a warp.
  static constexpr int kRowLanes = {{ row_lanes }};
  static constexpr int kRowsOfWarp = kWarpThreads / kRowLanes;
  // Items of a lane that may be among the first k, and the lanes that have these after all merges.
  static constexpr int kRunItems = {{ run_items }};
  static constexpr int kRunLanes = kMaxK / kRunItems;

  // The position of an item is its slot.
  using Slot = unsigned char;

  struct __align__({{ run_items }}) SlotVector {
    Slot slots[kRunItems];
  };

  // A byte for each of a lane's neighbouring positions.
  struct __align__(16) Flags {
    unsigned int words[kItemsPerThread / 4];
  };

  // What a row has in shared memory: keys by position, slots in the order of their keys, and which slots these are.
  struct __align__(16) RowStorage {
    KeyVector vectors[kMaxColumns / kVectorItems];
    Slot order[kMaxColumns];
    Flags found[kRowLanes];
  };

  struct WarpStorage {
    RowStorage rows[kRowsOfWarp];
  };

  static __device__ __forceinline__ Key key_in(const RowStorage& row, unsigned int slot) {
    return row.vectors[slot / kVectorItems].keys[slot % kVectorItems];
  }
  static __device__ __forceinline__ Bits bits_in(const RowStorage& row, unsigned int slot) {
    return compared_bits(to_ordered_bits(key_in(row, slot)));
  }

  // What keys exceed the least one of a row by is at most as many bits long; composite keys have the upper ones of these.
  struct Excess {
    Bits least;
    int length;

    __device__ __forceinline__ unsigned int composite_of(Bits bits, unsigned int slot) const {
{%- if is_of_one_limb %}
      const unsigned int factor = length > 0 ? 1u << (32 - length) : 1u;
      return ((bits - least) * factor & ~(kMaxColumns - 1)) | slot;  //~ composite-of-factor
{%- else %}
      const int shift = leaves_bits_out() ? length - (32 - kSlotBits) : 0;
      return static_cast<unsigned int>((bits - least) >> shift) << kSlotBits | slot;  //~ composite-of-shift
{%- endif %}
    }

    // Whether composite keys have no room for some of the bits.
    __device__ __forceinline__ bool leaves_bits_out() const { return length > 32 - kSlotBits; }
  };
