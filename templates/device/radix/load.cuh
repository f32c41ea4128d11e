  // Whether the copy engine can load the tile: all of it is there, in one piece, on a boundary of 16 bytes, and without padding.
  template <bool kFromItems>
  static __device__ __forceinline__ bool loads_in_bulk(const Arguments& arguments, const PassBuffers& buffers, Count tile_start, TileSlots slots) {
    if (!BulkCopies::kAreThere || slots.padding != 0 || items_of(arguments, buffers) - tile_start < kTileItems) return false;
{%- if interleaves %}
    if (kFromItems) {
      const Count tile_end = tile_start + kTileItems;
      const bool is_one_piece =
          tile_end <= buffers.split_from || (tile_start >= buffers.split_from && tile_end <= 2 * buffers.split_from);
      return is_one_piece && reinterpret_cast<unsigned long long>(item_from(arguments, buffers, tile_start)) % 16 == 0;
    }
{%- endif %}
    unsigned long long addresses = reinterpret_cast<unsigned long long>(buffers.keys_from);
{%- if value.exists %}
    if (!buffers.makes_values) addresses |= reinterpret_cast<unsigned long long>(buffers.values_from);
{%- endif %}
    return addresses % 16 == 0;
  }

  // Begins the copies of the tile that one thread has taken, to rows that follow each other.
  template <bool kFromItems>
  static __device__ __forceinline__ void request_tile([[maybe_unused]] const Arguments& arguments, const PassBuffers& buffers,
                                                      PassStorage& storage, Count tile_start) {
{%- if interleaves %}
    if (kFromItems) {
      storage.copies.begin(kTileItems * sizeof(Item));
      request_items(storage, storage.items, item_from(arguments, buffers, tile_start));
      return;
    }
{%- endif %}
    const unsigned int value_bytes = kHasValues && !buffers.makes_values ? sizeof(Value) : 0;
    storage.copies.begin(kTileItems * (static_cast<unsigned int>(sizeof(Key)) + value_bytes));
    request_items(storage, storage.arrays.keys, reinterpret_cast<const StoredBits*>(buffers.keys_from + tile_start));
{%- if value.exists %}
    if (!buffers.makes_values) request_items(storage, storage.arrays.values, buffers.values_from + tile_start);
{%- endif %}
  }

  template <typename T>
  static __device__ __forceinline__ void request_items(PassStorage& storage, T* to, const T* from) {
    storage.copies.copy(to, from, kTileItems * static_cast<unsigned int>(sizeof(T)));
  }

  // Brings the tile to shared memory without the copy engine, to each warp what it ranks. Positions past the array's
  // end get the maximum key, and so come last in the tile.
  template <bool kFromItems>
  static __device__ __forceinline__ void load(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                              Count tile_start, unsigned int valid_items, TileSlots slots) {
    const unsigned int first_slot = slots.own_first();
    const StoredBits max_key = bits_as<StoredBits>(to_key(kAllBits));  //~ padding-of-tile
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const unsigned int slot = first_slot + i * slots.row();
      const bool is_valid = position < valid_items;  //~ loaded-position
{%- if interleaves %}
      if (kFromItems) {
        Item item;
        item.key = max_key;
        if (is_valid) item = *item_from(arguments, buffers, tile_start + position);
        storage.items[slot] = item;
        continue;
      }
{%- endif %}
      storage.arrays.keys[slot] = is_valid ? bits_as<StoredBits>(buffers.keys_from[tile_start + position]) : max_key;
{%- if value.exists %}
      if (is_valid && !buffers.makes_values) storage.arrays.values[slot] = buffers.values_from[tile_start + position];
{%- endif %}
    }
    BulkCopies::release_stores();  //~ stores-of-tile
    __syncwarp();  //~ loaded-tile
  }

  template <bool kFromItems>
  static __device__ __forceinline__ StoredBits key_at(const PassStorage& storage, unsigned int slot) {
{%- if interleaves %}
    if constexpr (kFromItems) return storage.items[slot].key;
{%- endif %}
    return storage.arrays.keys[slot];
  }
