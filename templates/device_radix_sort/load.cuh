  // Whether the copy engine can load the tile: all of it is there, in one piece, on a boundary of 16 bytes.
  template <bool kFromItems>
  static __device__ __forceinline__ bool loads_in_bulk(const Arguments& arguments, const Route& route, Count tile_start) {
    if (!SORTSMITH_HAS_BULK_COPY || arguments.n - tile_start < kTileItems) return false;
{%- if interleaves %}
    if (kFromItems) {
      const Count tile_end = tile_start + kTileItems;
      const bool is_one_piece =
          tile_end <= route.split_from || (tile_start >= route.split_from && tile_end <= 2 * route.split_from);
      return is_one_piece && reinterpret_cast<unsigned long long>(item_from(arguments, route, tile_start)) % 16 == 0;
    }
{%- endif %}
    unsigned long long addresses = reinterpret_cast<unsigned long long>(route.keys_from);
{%- if reads_values %}
    addresses |= reinterpret_cast<unsigned long long>(route.values_from);
{%- endif %}
{%- if makes_positions %}
    if (!route.makes_values) addresses |= reinterpret_cast<unsigned long long>(route.values_from);
{%- endif %}
    return addresses % 16 == 0;
  }

  // One thread asks for the tile that it has taken.
  template <bool kFromItems>
  static __device__ __forceinline__ void begin_to_load(const Arguments& arguments, const Route& route, PassStorage& storage) {
    const Count tile_start = static_cast<Count>(storage.tile) * kTileItems;
    if (!loads_in_bulk<kFromItems>(arguments, route, tile_start)) return;
{%- if interleaves %}
    if (kFromItems) {
      storage.copies.begin(sizeof(storage.items));
      storage.copies.copy(storage.items, item_from(arguments, route, tile_start), sizeof(storage.items));
      return;
    }
{%- endif %}
{%- if makes_positions %}
    storage.copies.begin(sizeof(storage.arrays.keys) + (route.makes_values ? 0 : sizeof(storage.arrays.values)));
    storage.copies.copy(storage.arrays.keys, route.keys_from + tile_start, sizeof(storage.arrays.keys));
    if (!route.makes_values) {
      storage.copies.copy(storage.arrays.values, route.values_from + tile_start, sizeof(storage.arrays.values));
    }
{%- else %}
    storage.copies.begin(sizeof(storage.arrays));
    storage.copies.copy(storage.arrays.keys, route.keys_from + tile_start, sizeof(storage.arrays.keys));
{%- if reads_values %}
    storage.copies.copy(storage.arrays.values, route.values_from + tile_start, sizeof(storage.arrays.values));
{%- endif %}
{%- endif %}
  }

  // Brings the tile to shared memory, the part that each warp ranks before that warp goes on. Positions past the array's
  // end get the greatest key, and so come last in the tile.
  template <bool kFromItems>
  static __device__ __forceinline__ void load(const Arguments& arguments, const Route& route, PassStorage& storage,
                                              Count tile_start, unsigned int valid_items) {
    if (loads_in_bulk<kFromItems>(arguments, route, tile_start)) {
      storage.copies.wait();
      return;
    }
    const StoredBits greatest = bits_as<StoredBits>(to_key(kAllBits));
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const bool is_valid = position < valid_items;
{%- if interleaves %}
      if (kFromItems) {
        Item item;
        item.key = greatest;
        if (is_valid) item = *item_from(arguments, route, tile_start + position);
        storage.items[position] = item;
        continue;
      }
{%- endif %}
      storage.arrays.keys[position] = is_valid ? bits_as<StoredBits>(route.keys_from[tile_start + position]) : greatest;
{%- if reads_values %}
      if (is_valid) storage.arrays.values[position] = route.values_from[tile_start + position];
{%- endif %}
{%- if makes_positions %}
      if (is_valid && !route.makes_values) storage.arrays.values[position] = route.values_from[tile_start + position];
{%- endif %}
    }
    __syncwarp();
  }

  template <bool kFromItems>
  static __device__ __forceinline__ Bits ordered_bits_at(const PassStorage& storage, unsigned int position) {
{%- if interleaves %}
    if (kFromItems) return to_ordered_bits(bits_as<Key>(storage.items[position].key));
{%- endif %}
    return to_ordered_bits(bits_as<Key>(storage.arrays.keys[position]));
  }
