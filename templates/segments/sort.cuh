 public:
  // What the lanes of a warp rank, an item each.
  struct RankStorage {
    StoredBits bits[Slots::count(kWarpThreads)];
  };
  struct RankTempStorage {
    RankStorage warps[kWarps];
  };
  static_assert(sizeof(RankTempStorage) == kRankSharedBytes, "the storage is laid out as planned");

  // Each warp sorts segments of at most as many items as it has lanes, and each kGroupLanes lanes those of as many.
  static __device__ __forceinline__ void sort_by_ranks(const Arguments& arguments, RankTempStorage& storage) {
    wait_for_previous_grid();  //~ grid-before-ranks
    const TileList list = list_of(arguments, kOfRanks);
    const unsigned long long items = list.items();
    const unsigned int warp = warp_of(threadIdx.x);
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kWarps;
    const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * kWarps + warp;
    for (unsigned long long i = first; i < items; i += stride) {  //~ next-of-ranks
      rank_items<kWarpThreads>(arguments, storage.warps[warp], lane, list.tiles[i], arguments.keys_out{% if value.exists %}, arguments.values_out{% endif %});
    }
    const TileList list_of_groups = list_of(arguments, kOfLanes);
    const unsigned long long group_items = list_of_groups.items();
    constexpr unsigned int kGroups = kWarpThreads / kGroupLanes;
    for (unsigned long long i = first * kGroups; i < group_items; i += stride * kGroups) {  //~ next-of-groups
      const unsigned long long own = i + lane / kGroupLanes;
      const Tile tile = own < group_items ? list_of_groups.tiles[own] : Tile{0, 0, 0};  //~ last-of-groups
      rank_items<kGroupLanes>(arguments, storage.warps[warp], lane, tile, arguments.keys_out{% if value.exists %}, arguments.values_out{% endif %});
    }
  }

  // Each warp sorts segments of at most kWarpItems items.
  static __device__ __forceinline__ void sort_by_warps(const Arguments& arguments, TempStorage& storage) {
    wait_for_previous_grid();  //~ grid-before-warps
    const TileList list = list_of(arguments, kOfWarps);
    const unsigned long long items = list.items();
    const unsigned int warp = warp_of(threadIdx.x);
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kWarps;
    for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * kWarps + warp; i < items; i += stride) {  //~ next-of-warp
      const Tile tile = list.tiles[i];
{%- if !warp_networks.is_empty() %}
      if (takes_all_bits(arguments)) {
{%- for network in warp_networks %}
        {% if !loop.first %}} else {% endif %}if (tile.items() <= kWarpThreads * {{ network.items }}) {
          sort_by_network<kWarpThreads>(arguments, {{ network }}(), lane, tile, arguments.keys_out{% if value.exists %}, arguments.values_out{% endif %});
{%- endfor %}
        }
      } else
{%- endif %}
{%- for items in warp_classes %}
      {% if !loop.first %}} else {% endif %}if (tile.items() <= kWarpThreads * {{ items }}) {
        sort_items<kWarpThreads, {{ items }}>(arguments, storage.warps[warp], lane, tile, arguments.keys_out{% if value.exists %}, arguments.values_out{% endif %});
{%- endfor %}
      }
    }
  }

  // Each block sorts segments of at most a tile, and tiles of longer ones: these to where the first round of merges reads them.
  static __device__ __forceinline__ void sort_tiles(const Arguments& arguments, TileTempStorage& storage) {
    wait_for_previous_grid();  //~ grid-before-tiles
    const TileList short_segments = list_of(arguments, kOfBlocks);
    const TileList long_segments = list_of(arguments, kOfLongSegments);
    const unsigned long long short_items = short_segments.items();
    const unsigned long long all_items = short_items + long_segments.items();
    for (unsigned long long i = blockIdx.x; i < all_items; i += gridDim.x) {  //~ next-of-block
      // Tiles of long segments are full, but for the last ones; so they come first.
      const unsigned long long long_items = all_items - short_items;
      const Tile tile = i < long_items ? long_segments.tiles[i] : short_segments.tiles[i - long_items];
      const bool ends_in_output = rounds_of(tile.end - tile.begin) % 2 == 0;  //~ first-array
      Key* const keys_to = ends_in_output ? arguments.keys_out : arguments.keys_alternate;
{%- if value.exists %}
      Value* const values_to = ends_in_output ? arguments.values_out : arguments.values_alternate;
{%- endif %}
{%- if !tile_networks.is_empty() %}
      if (takes_all_bits(arguments)) {
{%- for network in tile_networks %}
        {% if !loop.first %}} else {% endif %}if (tile.items() <= kBlockThreads * {{ network.items }}) {
          sort_by_network<kBlockThreads>(arguments, {{ network }}(storage.network_of_{{ network.items }}), threadIdx.x, tile, keys_to{% if value.exists %}, values_to{% endif %});
{%- endfor %}
        }
      } else
{%- endif %}
{%- for items in tile_classes %}
      {% if !loop.first %}} else {% endif %}if (tile.items() <= kBlockThreads * {{ items }}) {
        sort_items<kBlockThreads, {{ items }}>(arguments, storage.merges.tile.items, threadIdx.x, tile, keys_to{% if value.exists %}, values_to{% endif %});
{%- endfor %}
      }
    }
  }

 private:
  // Puts a tile's ordered bits into slots from which the thread alone still reads the previous tile.
  template <unsigned int kThreads, unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void put_keys(Storage& storage, unsigned int thread, const Key* keys, unsigned int valid_items) {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      // What is past the end has the maximum of bits, and stays behind equal ones for it comes last.
      storage.bits[Slots::of(position)] =
          static_cast<StoredBits>(position < valid_items ? to_ordered_bits(keys[position]) : kAllBits);  //~ padding
    }
  }

  // Sorts a tile by kThreads threads of kItems items each, to the same positions of other arrays or in place.
  template <unsigned int kThreads, unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void sort_items(const Arguments& arguments, Storage& storage, unsigned int thread, const Tile& tile,
                                                    Key* keys_to{% if value.exists %}, Value* values_to{% endif %}) {
    const unsigned int valid_items = tile.items();
    const unsigned long long start = tile.begin + tile.offset;
    const Bits mask = mask_of(arguments);
    put_keys<kThreads, kItems>(storage, thread, arguments.keys_in + start, valid_items);
    wait_for_group<kThreads>();  //~ loaded
    Items<kItems> items;
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      items.bits[i] = storage.bits[Slots::of(thread * kItems + i)];
{%- if value.exists %}
      items.sources[i] = thread * kItems + i;
{%- endif %}
    }
    sort_own(items, mask);
#pragma unroll 1
    for (unsigned int width = 1; width < kThreads; width *= 2) {
      wait_for_group<kThreads>();  //~ runs-read
      put_own(storage, thread, items);
      wait_for_group<kThreads>();  //~ runs-written
      const unsigned int first_thread = thread / (2 * width) * (2 * width);
      merge_own(storage, first_thread * kItems, width * kItems, width * kItems, (thread - first_thread) * kItems, items, mask);
    }
    wait_for_group<kThreads>();  //~ last-runs-read
    put_own(storage, thread, items);
    wait_for_group<kThreads>();  //~ sorted
{%- if value.is_read %}
    Value values[kItems];
{%- else if value.is_position %}
    const unsigned long long base = tile.offset + (arguments.absolute_positions != 0 ? tile.begin : 0);  //~ base-of-positions
{%- endif %}
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
{%- if value.is_read %}
      values[i] = position < valid_items ? arguments.values_in[start + storage.sources[Slots::of(position)]] : Value();
{%- endif %}
      if (position < valid_items) {  //~ valid-item
        keys_to[start + position] = to_key(storage.bits[Slots::of(position)]);
{%- if value.is_position %}
        values_to[start + position] = static_cast<Value>(base + storage.sources[Slots::of(position)]);
{%- endif %}
      }
    }
{%- if value.is_read %}
    // In place, values are overwritten that other threads read.
    wait_for_group<kThreads>();  //~ values-read
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      if (position < valid_items) values_to[start + position] = values[i];  //~ valid-value
    }
{%- endif %}
  }

  // Sorts at most kLanes items by as many lanes of a warp, to the same positions of other arrays or in place: an item's rank is the number
  // of items before it. All lanes of the warp call it together, each kLanes of them with a tile of their own, which may be empty.
  template <unsigned int kLanes, typename Storage>
  static __device__ __forceinline__ void rank_items(const Arguments& arguments, Storage& storage, unsigned int lane, const Tile& tile,
                                                    Key* keys_to{% if value.exists %}, Value* values_to{% endif %}) {
    const unsigned int first = lane / kLanes * kLanes;
    const unsigned int own = lane - first;
    const unsigned int valid_items = tile.items();
    const Bits mask = mask_of(arguments);
    const bool has_item = own < valid_items;
    const Bits bits = has_item ? to_ordered_bits(arguments.keys_in[tile.begin + own]) : kAllBits;
{%- if value.is_read %}
    const Value value = has_item ? arguments.values_in[tile.begin + own] : Value();
{%- else if value.is_position %}
    const Value value = static_cast<Value>(own + (arguments.absolute_positions != 0 ? tile.begin : 0));
{%- endif %}
    storage.bits[Slots::of(lane)] = static_cast<StoredBits>(bits);
    // All keys and values are read, and may be overwritten.
    __syncwarp();
    unsigned int rank = 0;
    for (unsigned int i = 0; i < valid_items; ++i) {
      const Bits other = storage.bits[Slots::of(first + i)];  //~ other-of-group
      const bool is_before = i < own ? !is_less(bits, other, mask) : is_less(other, bits, mask);  //~ rank-of-equal
      rank += is_before ? 1 : 0;
    }
    // The next tile goes to the same slots.
    __syncwarp();
    if (has_item) {
      keys_to[tile.begin + rank] = to_key(bits);
{%- if value.exists %}
      values_to[tile.begin + rank] = value;
{%- endif %}
    }
  }
