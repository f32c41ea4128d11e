  // Writes the tile, in the order of its slots, to where its digits begin. Returns whether that order was right: by
  // digit, and within a digit as the items came.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ bool write(const Arguments& arguments, const Route& route, const DigitOf& digit,
                                               PassStorage& storage, Count tile_start, unsigned int valid_items, unsigned int gap) {
    const auto place = [&](unsigned int slot) {
      const unsigned int own = digit.of(key_at<kFromItems>(storage, slot));
      return static_cast<int>(own << 16 | slot);
    };
    const unsigned int lane = threadIdx.x % 32;
    bool in_order = true;
    // The place of the item before the row.
    int last = threadIdx.x < 32 ? -1 : place(storage.sources[own_position(0) - lane - 1]);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const unsigned int slot = storage.sources[position];
      const int own = place(slot);
      if (i == 0 && threadIdx.x < 32) find_regularity<kFromItems>(storage, slot);
      const int below = __shfl_up_sync(~0u, own, 1);
      in_order &= (lane == 0 ? last : below) < own;
      last = __shfl_sync(~0u, own, 31);
      if (position >= valid_items) continue;
      write_item<kFromItems>(arguments, route, storage, slot, tile_start, gap, storage.offsets[own >> 16] + position);
    }
    return in_order;
  }

  // Whether many of these items, which a warp reads together, are in one bank.
  template <bool kFromItems>
  static __device__ __forceinline__ void find_regularity(PassStorage& storage, unsigned int slot) {
{%- if interleaves %}
    constexpr unsigned int kBytes = kFromItems ? sizeof(Item) : sizeof(Key);
{%- else %}
    constexpr unsigned int kBytes = sizeof(Key);
{%- endif %}
    const unsigned int bank = slot * kBytes / 4 % 32;
    const bool is_regular = __popc(__ballot_sync(~0u, bank == __shfl_sync(~0u, bank, 0))) >= 8;
    if (threadIdx.x == 0) storage.is_regular = is_regular;
  }

  template <bool kFromItems>
  static __device__ __forceinline__ void write_item([[maybe_unused]] const Arguments& arguments, const Route& route, const PassStorage& storage,
                                                    unsigned int slot, [[maybe_unused]] Count tile_start,
                                                    [[maybe_unused]] unsigned int gap, Count to) {
{%- if interleaves %}
    Item item;
    if (kFromItems) {
      item = storage.items[slot];
    } else {
      item.key = storage.arrays.keys[slot];
      item.value = {% if makes_positions %}route.makes_values ? static_cast<Value>(tile_start + position_of_slot<kFromItems>(slot, gap)) : {% endif %}storage.arrays.values[slot];
    }
    if (route.to_items) {
      *item_to(arguments, route, to) = item;
    } else {
      if (route.writes_keys) route.keys_to[to] = bits_as<Key>(item.key);
      route.values_to[to] = item.value;
    }
{%- else %}
    if (route.writes_keys) route.keys_to[to] = bits_as<Key>(storage.arrays.keys[slot]);
{%- if makes_positions %}
    route.values_to[to] = route.makes_values ? static_cast<Value>(tile_start + position_of_slot<kFromItems>(slot, gap)) : storage.arrays.values[slot];
{%- else if has_values %}
    route.values_to[to] = storage.arrays.values[slot];
{%- endif %}
{%- endif %}
  }
