  // What a tile's items are ordered by, as a number that is not negative:
  //
  //   | digit: 16 bits | slot: 16 bits |
  //
  // Slots ascend in the order in which items were read.
  struct DigitSlot {
    int bits;
    static __device__ __forceinline__ DigitSlot pack(unsigned int digit, unsigned int slot) { return {static_cast<int>(digit << 16 | slot)}; }
    __device__ __forceinline__ unsigned int digit() const { return bits >> 16; }
  };

  // Writes the tile, in the order of its slots, to where its digits begin. Returns whether that order was right: by
  // digit, and within a digit as the items came.
  //
  // Nothing here takes a branch for an item: so that the reads of many can be under way at once. Four are enough, and less code.
  template <bool kFromItems, {% if interleaves %}bool kToItems, {% endif %}typename DigitOf>
  static __device__ __forceinline__ bool write(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                               PassStorage& storage, unsigned int valid_items, TileSlots slots) {
    const auto digit_slot_of = [&](StoredBits key, unsigned int slot) { return DigitSlot::pack(digit.of(bits_as<Key>(key)), slot); };
    const unsigned int lane = lane_of(threadIdx.x);
    // Opaque where positions are made: else those of all items would take registers, from tile to tile.
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    bool in_order = true;
    // In lane 0, the digit and slot of the item before the row.
    int before_row = -1;
    if (threadIdx.x >= kWarpThreads) {
      const unsigned int slot = storage.sources[first_position - lane - 1];
      before_row = digit_slot_of(key_at<kFromItems>(storage, slot), slot).bits;
    }
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = storage.sources[position];
{%- if interleaves %}
      const Item item = item_at<kFromItems>(buffers, storage, slot, slots);
      const DigitSlot own = digit_slot_of(item.key, slot);
{%- else %}
      const StoredBits key = key_at<kFromItems>(storage, slot);
      const DigitSlot own = digit_slot_of(key, slot);
{%- endif %}
      if (TileSlots::kMayPad && i == 0 && threadIdx.x < kWarpThreads) find_regularity<kFromItems>(storage, slots.position_of(slot));
      // That of the lane below, and for lane 0 that of the last one, which comes before the next row.
      const int below = __shfl_sync(~0u, own.bits, lane_of(lane + kWarpThreads - 1));
      in_order &= (lane == 0 ? before_row : below) < own.bits;  //~ row-order
      before_row = below;
      // Positions take registers, and then there are not enough for the reads of many items at once.
      if constexpr (kMakesPositions && !kFromItems) {
        if (position >= valid_items) continue;
      }
      const Count to = storage.offsets[own.digit()] + position;
{%- if interleaves %}
      write_item<kToItems>(arguments, buffers, item, to, position, valid_items);
{%- else %}
      write_item(buffers, storage, key, slot, slots, to, position, valid_items);
{%- endif %}
    }
    return in_order;
  }

  // Writes a tile of one digit: its items are in order as they were read.
  template <bool kFromItems{% if interleaves %}, bool kToItems{% endif %}>
  static __device__ __forceinline__ void write_tile_of_one_digit(const Arguments& arguments, const PassBuffers& buffers, const PassStorage& storage,
                                                                 unsigned int valid_items, TileSlots slots) {
    const Count offset = storage.offsets[storage.only_digit];
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    const unsigned int first_slot = slots.own_first();
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = first_slot + i * slots.row();
{%- if interleaves %}
      const Item item = item_at<kFromItems>(buffers, storage, slot, slots);
      write_item<kToItems>(arguments, buffers, item, offset + position, position, valid_items);
{%- else %}
      write_item(buffers, storage, key_at<kFromItems>(storage, slot), slot, slots, offset + position, position, valid_items);
{%- endif %}
    }
  }
{%- if interleaves %}

  // Writes an item, if its position in the sorted tile is one of those that are there.
  template <bool kToItems>
  static __device__ __forceinline__ void write_item(const Arguments& arguments, const PassBuffers& buffers, const Item& item, Count to,
                                                    unsigned int position, unsigned int valid_items) {
    if constexpr (kToItems) {
      // Opaque: else the compiler would find it out only where there is an item, and that takes a branch.
      Item* const item_there = opaque(item_to(arguments, buffers, to));
      if (position < valid_items) *item_there = item;  //~ written-item
    } else {
      if (position < valid_keys(buffers, valid_items)) {% if key.is_struct %}store_key(&buffers.keys_to[to], item.key){% else %}buffers.keys_to[to] = bits_as<Key>(item.key){% endif %};
      if (position < valid_items) buffers.values_to[to] = item.value;  //~ written-value
    }
  }
{%- else %}

  // Writes the item in a slot, with this key, if its position in the sorted tile is one of those that are there.
  static __device__ __forceinline__ void write_item(const PassBuffers& buffers, [[maybe_unused]] const PassStorage& storage, StoredBits key,
                                                    [[maybe_unused]] unsigned int slot, [[maybe_unused]] TileSlots slots, Count to,
                                                    unsigned int position, unsigned int valid_items) {
    if (position < valid_keys(buffers, valid_items)) {% if key.is_struct %}store_key(&buffers.keys_to[to], key){% else %}buffers.keys_to[to] = bits_as<Key>(key){% endif %};
{%- if value.exists %}
    const Value value = value_at(buffers, storage, slot, slots);
    if (position < valid_items) buffers.values_to[to] = value;  //~ written-value
{%- endif %}
  }
{%- endif %}

  // How many of the valid items have their keys written: all or none.
  static __device__ __forceinline__ unsigned int valid_keys(const PassBuffers& buffers, unsigned int valid_items) {
    return buffers.writes_keys ? valid_items : 0;  //~ keys-to-write
  }

  // Lanes of a row in one bank that make a tile regular. Fewer meet by chance, and then ordinary loads cost more than they spare.
  static constexpr int kRegularLanes = 12;

  // Whether many of these items, which a warp reads together, would be in one bank without padding, by their positions before the sort.
  template <bool kFromItems>
  static __device__ __forceinline__ void find_regularity(PassStorage& storage, unsigned int position) {
{%- if interleaves %}
    constexpr unsigned int kBytes = kFromItems ? sizeof(Item) : sizeof(Key);
{%- else %}
    constexpr unsigned int kBytes = sizeof(Key);
{%- endif %}
    constexpr unsigned int kBankBytes = 4;
    constexpr unsigned int kBanks = 32;
    const unsigned int bank = position * kBytes / kBankBytes % kBanks;
    const bool is_regular = __popc(__ballot_sync(~0u, bank == __shfl_sync(~0u, bank, 0))) >= kRegularLanes;
    if (threadIdx.x == 0) storage.is_regular = is_regular;
  }
{%- if value.exists %}

  // The value in a slot of the arrays{% if value.is_position %}, or the position that it is{% endif %}.
  static __device__ __forceinline__ Value value_at([[maybe_unused]] const PassBuffers& buffers, const PassStorage& storage, unsigned int slot,
                                                   [[maybe_unused]] TileSlots slots) {
    const Value value = storage.arrays.values[slot];
{%- if value.is_position %}
    // The tile is read again: else its start takes a register for each of many items.
    const Value made = static_cast<Value>(static_cast<Count>(storage.tile) * kTileItems + slots.position_of(slot));  //~ made-position
    return buffers.makes_values ? made : value;
{%- else %}
    return value;
{%- endif %}
  }
{%- endif %}
{%- if interleaves %}

  template <bool kFromItems>
  static __device__ __forceinline__ Item item_at(const PassBuffers& buffers, const PassStorage& storage, unsigned int slot,
                                                 TileSlots slots) {
    if constexpr (kFromItems) return storage.items[slot];
    return {storage.arrays.keys[slot], value_at(buffers, storage, slot, slots)};
  }
{%- endif %}
