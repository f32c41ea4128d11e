  // Whether the copy engine can load the tile: all of it is there, in one piece, on a boundary of 16 bytes.
  template <bool kFromItems>
  static __device__ __forceinline__ bool loads_in_bulk(const Arguments& arguments, const PassBuffers& buffers, Count tile_start) {
    if (!BulkCopies::kAreThere || items_of(arguments, buffers) - tile_start < kTileItems) return false;
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

  // Begins the copies of the tile that one thread has taken.
  template <bool kFromItems>
  static __device__ __forceinline__ void request_tile([[maybe_unused]] const Arguments& arguments, const PassBuffers& buffers,
                                                      PassStorage& storage, Count tile_start) {
{%- if interleaves %}
    if (kFromItems) {
      constexpr unsigned int kBytes = kTileItems * sizeof(Item);
      storage.copies.begin(kBytes);
      storage.copies.copy(storage.items, item_from(arguments, buffers, tile_start), kBytes);
      return;
    }
{%- endif %}
    constexpr unsigned int kKeyBytes = kTileItems * sizeof(Key);
{%- if value.exists %}
    const unsigned int value_bytes = buffers.makes_values ? 0 : kTileItems * static_cast<unsigned int>(sizeof(Value));
    storage.copies.begin(kKeyBytes + value_bytes);
{%- else %}
    storage.copies.begin(kKeyBytes);
{%- endif %}
    storage.copies.copy(storage.arrays.keys, buffers.keys_from + tile_start, kKeyBytes);
{%- if value.exists %}
    if (value_bytes > 0) storage.copies.copy(storage.arrays.values, buffers.values_from + tile_start, value_bytes);
{%- endif %}
  }

  // Brings the tile to shared memory without the copy engine, to each warp what it ranks. Positions past the array's
  // end get the maximum key, and so come last in the tile.
  template <bool kFromItems>
  static __device__ __forceinline__ void load(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                              Count tile_start, unsigned int valid_items, unsigned int first_slot) {
    const StoredBits max_key = bits_as<StoredBits>(to_key(kAllBits));  //~ padding-of-tile
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const unsigned int slot = first_slot + 32 * i;
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

  // Items at equal distances, as those of one digit of regular keys are, would meet in a bank. In a tile of such ones, where `permuted` has
  // all bits, the items of a line of shared memory are permuted as the line's number says: so items at distances of any power of
  // two lie in different banks.
  template <typename T>
  static __device__ __forceinline__ unsigned int permuted_slot(unsigned int slot, unsigned int permuted) {
    constexpr int kLineLog2 = sizeof(T) >= 16 ? 3 : sizeof(T) >= 8 ? 4 : 5;
    constexpr unsigned int kLine = 1u << kLineLog2;
    return slot ^ ((slot >> kLineLog2 ^ slot >> 2 * kLineLog2) & (permuted & (kLine - 1)));
  }

  template <bool kFromItems>
  static __device__ __forceinline__ StoredBits key_at(const PassStorage& storage, unsigned int slot, unsigned int permuted = 0) {
{%- if interleaves %}
    if constexpr (kFromItems) return storage.items[permuted_slot<Item>(slot, permuted)].key;
{%- endif %}
    return storage.arrays.keys[permuted_slot<StoredBits>(slot, permuted)];
  }

  // Permutes the warp's items in rows of 32, none of which another warp has. All lanes call it; a barrier of the block has to follow.
  template <bool kFromItems>
  static __device__ __forceinline__ void permute_items([[maybe_unused]] const PassBuffers& buffers, PassStorage& storage, unsigned int first_slot) {
{%- if interleaves %}
    if constexpr (kFromItems) {
      permute_rows(storage.items, first_slot);
      return;
    }
{%- endif %}
    permute_rows(storage.arrays.keys, first_slot);
{%- if value.exists %}
    if (!buffers.makes_values) permute_rows(storage.arrays.values, first_slot);
{%- endif %}
  }

  template <typename T>
  static __device__ __forceinline__ void permute_rows(T* items, unsigned int first_slot) {
    constexpr int kAtOnce = 2;
#pragma unroll 1
    for (int first = 0; first < kItemsPerThread; first += kAtOnce) {
      T rows[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce && first + i < kItemsPerThread; ++i) rows[i] = items[first_slot + 32 * (first + i)];
      // Others have read, and ranked before, what the lane writes to.
      __syncwarp();
#pragma unroll
      for (int i = 0; i < kAtOnce && first + i < kItemsPerThread; ++i) items[permuted_slot<T>(first_slot + 32 * (first + i), ~0u)] = rows[i];
    }
    BulkCopies::release_stores();  //~ stores-of-permuted-tile
  }
