  // Writes the tile, in the order of its sources, to where its digits begin. Returns whether that order was right: by
  // digit, and within a digit as the items came.
  template <bool kFromItems>
  static __device__ __forceinline__ bool write(const Arguments& arguments, const Route& route, const PassStorage& storage,
                                               const Digit& digit, Count tile_start, unsigned int valid_items) {
    const auto place = [&](unsigned int source) {
      const unsigned int own = digit_of(ordered_bits_at<kFromItems>(storage, source), digit.bit, digit.bits);
      return static_cast<int>(own << 16 | source);
    };
    const unsigned int lane = threadIdx.x % 32;
    bool in_order = true;
    // The place of the item before the row.
    int last = threadIdx.x < 32 ? -1 : place(storage.sources[own_position(0) - lane - 1]);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const unsigned int source = storage.sources[position];
      const int own = place(source);
      const int below = __shfl_up_sync(~0u, own, 1);
      in_order &= (lane == 0 ? last : below) < own;
      last = __shfl_sync(~0u, own, 31);
      if (position >= valid_items) continue;
      write_item<kFromItems>(arguments, route, storage, source, tile_start, storage.offsets[own >> 16] + position);
    }
    return in_order;
  }

  template <bool kFromItems>
  static __device__ __forceinline__ void write_item(const Arguments& arguments, const Route& route, const PassStorage& storage,
                                                    unsigned int source, Count tile_start, Count to) {
{%- if interleaves %}
    Item item;
    if (kFromItems) {
      item = storage.items[source];
    } else {
      item.key = storage.arrays.keys[source];
      item.value = {% if makes_positions %}route.makes_values ? static_cast<Value>(tile_start + source) : {% endif %}storage.arrays.values[source];
    }
    if (route.to_items) {
      *item_to(arguments, route, to) = item;
    } else {
      if (route.writes_keys) route.keys_to[to] = bits_as<Key>(item.key);
      route.values_to[to] = item.value;
    }
{%- else %}
    if (route.writes_keys) route.keys_to[to] = bits_as<Key>(storage.arrays.keys[source]);
{%- if makes_positions %}
    route.values_to[to] = route.makes_values ? static_cast<Value>(tile_start + source) : storage.arrays.values[source];
{%- else if has_values %}
    route.values_to[to] = storage.arrays.values[source];
{%- endif %}
{%- endif %}
  }
