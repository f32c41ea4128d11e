 private:
  // A number of 16 bits for each of a thread's items.
  using ItemNumbers = PackedItems<kItemsPerThread, 16>;

  // What a block that partitions a tile keeps in shared memory.
  template <unsigned int kBucketCount, bool kGathers>
  struct SplitStorage {
    union {
      // Each warp's count of its items in a bucket, then the offset of its next one.
      __align__(16) unsigned int counters[kWarps][kBucketCount];
      // By their new offsets: the positions at which items were read, their keys, their values.
      unsigned short positions[kTileItems];
      StoredBits keys[kTileItems];
{%- if value.exists %}
      Value values[kTileItems];
{%- endif %}
    };
    union {
      Bits tree[kBucketCount];
      unsigned int truncated_tree[kBucketCount];
    };
    // Marks at the offsets at which buckets begin.
    unsigned int heads[kTileItems / MarkSlot::kRowPositions];
    typename WarpScans<kBlockThreads>::Storage sums;
    unsigned int marks[kGathers ? kTileItems / MarkSlot::kRowPositions : 1];
    unsigned int differences[kGathers ? kTileItems : 1];
  };

  // The tile that a block partitions.
  struct Tile {
    // Where its items are written.
    unsigned int begin;
    unsigned int valid_items;
    // Where to write where each bucket begins in the tile.
    unsigned short* offsets;
    // Items of each bucket, to which the tile's are added; null where they are not wanted.
    unsigned int* sizes;
  };

  // The arrays that a level reads and writes.
  struct Level {
    const Key* keys_in;
    Key* keys_out;
{%- if value.exists %}
    const Value* values_in;
    Value* values_out;
{%- endif %}
  };

  // Calls `visit(item, source)` for each of the thread's items, where `source` is the item's index in the level's input.
  template <bool kGathers, typename Storage, typename Visit>
  static __device__ __forceinline__ void for_each_item(Storage& storage, const Tile& tile, const Visit& visit) {
    if constexpr (kGathers) {
      const PieceMap map{storage.marks, storage.differences};
      map.template for_each<kItemsPerThread>(opaque(warp_of(threadIdx.x) * kItemsPerThread), tile.valid_items,
                                             [&](int item, unsigned int, unsigned int source) { visit(item, source); });
    } else {
      const unsigned int first = opaque(warp_striped<kItemsPerThread>(threadIdx.x, 0));
#pragma unroll
      for (int item = 0; item < kItemsPerThread; ++item) {
        if (first + 32 * item < tile.valid_items) visit(item, tile.begin + first + 32 * item);
      }
    }
  }

  // Partitions a tile by bucket, stable. All threads of the block call it, with a barrier since pieces were marked.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void split_tile(SplitStorage<kBucketCount, kGathers>& storage, const Level& level, const Tile& tile,
                                                    const Bits* tree) {
    Key keys[kItemsPerThread] = {};
    for_each_item<kGathers>(storage, tile, [&](int item, unsigned int source) { keys[item] = level.keys_in[source]; });
    const Truncation truncation = Truncation::of_tree(tree);
    for (unsigned int node = threadIdx.x + 1; node < kBucketCount; node += kBlockThreads) {
      if (truncation.is_none()) {
        storage.tree[node] = tree[node];
      } else {
        storage.truncated_tree[node] = truncated_nodes(tree, kBucketCount)[node];
      }
    }
    // Buckets, then offsets.
    ItemNumbers numbers{};
    count_items(storage, tile, truncation, keys, numbers);
    find_offsets<true>(storage, tile);
    take_offsets_by_atomics(storage, tile, numbers);
    if constexpr (kEqualItemsDiffer) {
      if (!are_in_order(storage, numbers)) {  //~ order-of-atomics
        count_items(storage, tile, truncation, keys, numbers);
        find_offsets<false>(storage, tile);
        take_offsets_by_match(storage, numbers);
        __syncthreads();
      }
    }
    write_tile(storage, level, tile, keys, numbers);
  }

  // Counts each warp's items of each bucket, and finds the buckets. What is behind the last item has the max compared bits: it comes
  // behind all items of the last bucket. It ends with a barrier.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void count_items(SplitStorage<kBucketCount, kGathers>& storage, const Tile& tile, const Truncation& truncation,
                                                     const Key (&keys)[kItemsPerThread], ItemNumbers& numbers) {
    unsigned int* const counters = &storage.counters[0][0];
#pragma unroll 1
    for (unsigned int i = threadIdx.x; i < kWarps * kBucketCount; i += kBlockThreads) counters[i] = 0;
    for (unsigned int i = threadIdx.x; i < kTileItems / MarkSlot::kRowPositions; i += kBlockThreads) storage.heads[i] = 0;
    __syncthreads();
    unsigned int* const of_warp = storage.counters[warp_of(threadIdx.x)];
    const unsigned int first = opaque(warp_striped<kItemsPerThread>(threadIdx.x, 0));
    const auto compared_at = [&](int item) {
      return first + 32 * item < tile.valid_items ? compared_of(keys[item]) : ~Bits(0);  //~ behind-last-item
    };
    if (truncation.is_none()) {
      count_by_tree<kBucketCount>(storage.tree, of_warp, numbers, compared_at);
    } else {
      count_by_tree<kBucketCount>(storage.truncated_tree, of_warp, numbers, [&](int item) { return truncation.truncated(compared_at(item)); });
    }
    __syncthreads();
  }

  template <unsigned int kBucketCount, typename Compared, typename ComparedAt>
  static __device__ __forceinline__ void count_by_tree(const Compared* tree, unsigned int* of_warp, ItemNumbers& numbers, const ComparedAt& compared_at) {
    constexpr int kSearches = kItemsPerThread % 2 == 0 ? 2 : 1;
#pragma unroll
    for (int item = 0; item < kItemsPerThread; item += kSearches) {
      Compared compared_keys[kSearches];
      unsigned int buckets[kSearches];
#pragma unroll
      for (int i = 0; i < kSearches; ++i) compared_keys[i] = compared_at(item + i);
      find_buckets<kBucketCount>(tree, compared_keys, buckets);
#pragma unroll
      for (int i = 0; i < kSearches; ++i) {
        numbers.replace(item + i, buckets[i]);
        atomicAdd(&of_warp[buckets[i]], 1u);
      }
    }
  }

  // Makes the warps' counts the offset of each warp's first item of each bucket, and says where buckets begin. It ends with a barrier.
  template <bool kAddsSizes, unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void find_offsets(SplitStorage<kBucketCount, kGathers>& storage, const Tile& tile) {
    constexpr unsigned int kColumns = kBucketCount > kBlockThreads ? kBucketCount / kBlockThreads : 1;
    const unsigned int first = threadIdx.x * kColumns;
    const bool has_buckets = first < kBucketCount;
    unsigned int sizes[kColumns] = {};
    if (has_buckets) {
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) {
          const unsigned int count = storage.counters[warp][first + i];
          storage.counters[warp][first + i] = sizes[i];
          sizes[i] += count;
        }
      }
    }
    unsigned int sum = 0;
#pragma unroll
    for (unsigned int i = 0; i < kColumns; ++i) sum += sizes[i];
    unsigned int total;
    unsigned int offset = WarpScans<kBlockThreads>::exclusive_sum(storage.sums, threadIdx.x, sum, total);
    if (has_buckets) {
#pragma unroll
      for (unsigned int i = 0; i < kColumns; ++i) {
        tile.offsets[first + i] = static_cast<unsigned short>(offset);
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) storage.counters[warp][first + i] += offset;
        if (offset < kTileItems) atomicOr(&storage.heads[MarkSlot{offset}.row()], MarkSlot{offset}.mask());
        const bool is_last = first + i + 1 == kBucketCount;
        const unsigned int size = is_last ? sizes[i] - (kTileItems - tile.valid_items) : sizes[i];  //~ size-of-last-bucket
        if (kAddsSizes && tile.sizes != nullptr && size != 0) atomicAdd(&tile.sizes[first + i], size);
        offset += sizes[i];
      }
    }
    __syncthreads();
  }

  // Gives each item its offset: its warp's next one of its bucket. No manual promises the order in which lanes of a row are served: see
  // are_in_order. Where the order of items does not count, what is behind the last one keeps its position. Where lanes share the first
  // lane's bucket, one adds for all of them.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void take_offsets_by_atomics(SplitStorage<kBucketCount, kGathers>& storage, const Tile& tile,
                                                                 ItemNumbers& numbers) {
    constexpr int kManyLanes = 6;
    unsigned int* const of_warp = storage.counters[warp_of(threadIdx.x)];
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int first = warp_striped<kItemsPerThread>(threadIdx.x, 0);
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int bucket = numbers.get(item);
      const unsigned int position = first + 32 * item;
{%- if value.exists || key.is_float %}
      const bool takes_offset = true;
{%- else %}
      const bool takes_offset = position < tile.valid_items;  //~ offset-behind-last-item
{%- endif %}
      const unsigned int first_bucket = __shfl_sync(~0u, bucket, 0);
      const unsigned int peers = __ballot_sync(~0u, takes_offset && bucket == first_bucket);
      const bool is_shared = __popc(peers) >= kManyLanes && (peers >> lane & 1u) != 0;
      unsigned int offset = 0;
      if (takes_offset && (!is_shared || lane == 0)) offset = atomicAdd(&of_warp[bucket], is_shared ? static_cast<unsigned int>(__popc(peers)) : 1u);
      const unsigned int of_first_lane = __shfl_sync(~0u, offset, 0);
      const unsigned int taken = is_shared ? of_first_lane + __popc(peers & ((1u << lane) - 1u)) : offset;
      numbers.replace(item, takes_offset ? taken : position);
    }
    __syncthreads();
  }

  // The same in the order of lanes.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void take_offsets_by_match(SplitStorage<kBucketCount, kGathers>& storage, ItemNumbers& numbers) {
    unsigned int* const of_warp = storage.counters[warp_of(threadIdx.x)];
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int bucket = numbers.get(item);
      const unsigned int peers = lanes_of_same_digit<static_cast<int>(log2_of(kBucketCount))>(bucket);
      const unsigned int next = of_warp[bucket];
      numbers.replace(item, next + __popc(peers & lanes_below));  //~ offset-by-match
      // All lanes have read; the first one of each bucket writes for the next row.
      __syncwarp();
      if ((peers & lanes_below) == 0) of_warp[bucket] = next + __popc(peers);
      __syncwarp();  //~ row-of-tile
    }
  }

  // Whether the positions of each bucket's items ascend with their offsets. Counters are not used again.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ bool are_in_order(SplitStorage<kBucketCount, kGathers>& storage, const ItemNumbers& offsets) {
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) storage.positions[offsets.get(item)] = static_cast<unsigned short>(warp_striped<kItemsPerThread>(threadIdx.x, item));
    __syncthreads();
    // Positions that are read at once.
    constexpr int kRun = kItemsPerThread % 4 == 0 ? 4 : 1;
    struct __align__(2 * kRun) Run {
      unsigned short positions[kRun];
    };
    bool is_wrong = false;
    // One run after the other, since keys take the registers.
#pragma unroll 1
    for (int first = 0; first < kItemsPerThread; first += kRun) {
      const unsigned int offset = first * kBlockThreads + kRun * threadIdx.x;
      const Run run = *reinterpret_cast<const Run*>(storage.positions + offset);
      const unsigned int heads = MarkSlot{offset}.from_here(storage.heads);
      unsigned int before = storage.positions[offset - (offset != 0)];
#pragma unroll
      for (int i = 0; i < kRun; ++i) {
        is_wrong |= (heads >> i & 1u) == 0 && run.positions[i] < before;
        before = run.positions[i];
      }
    }
    return !__syncthreads_or(is_wrong);
  }

  // Writes the tile's items at their offsets, with a barrier since these were found.
  template <unsigned int kBucketCount, bool kGathers>
  static __device__ __forceinline__ void write_tile(SplitStorage<kBucketCount, kGathers>& storage, const Level& level, const Tile& tile,
                                                    const Key (&keys)[kItemsPerThread], const ItemNumbers& offsets) {
    const unsigned int thread = opaque(threadIdx.x);
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) storage.keys[offsets.get(item)] = bits_as<StoredBits>(keys[item]);
{%- if value.exists %}
    const unsigned int first = opaque(warp_striped<kItemsPerThread>(threadIdx.x, 0));
    Value values[kItemsPerThread];
    for_each_item<kGathers>(storage, tile, [&](int item, unsigned int source) {
{%- if value.is_position %}
      if constexpr (kGathers) {
        values[item] = level.values_in[source];
      } else {
        values[item] = static_cast<Value>(source);  //~ made-position-of-item
      }
{%- else %}
      values[item] = level.values_in[source];
{%- endif %}
    });
{%- endif %}
    __syncthreads();
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int offset = item * kBlockThreads + thread;
      if (offset < tile.valid_items) level.keys_out[tile.begin + offset] = bits_as<Key>(storage.keys[offset]);
    }
{%- if value.exists %}
    __syncthreads();
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      if (first + 32 * item < tile.valid_items) storage.values[offsets.get(item)] = values[item];
    }
    __syncthreads();
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      const unsigned int offset = item * kBlockThreads + thread;
      if (offset < tile.valid_items) level.values_out[tile.begin + offset] = storage.values[offset];
    }
{%- endif %}
  }

  // From the input to the alternate arrays or to the result.
  static __device__ __forceinline__ Level first_level(const Arguments& arguments, bool to_result) {
    return {arguments.keys_in, to_result ? arguments.keys_out : arguments.keys_alternate{% if value.exists %}, arguments.values_in,
            to_result ? arguments.values_out : arguments.values_alternate{% endif %}};
  }

 public:
  // Partitions one tile of the input by the buckets of the only level.
  static __device__ __forceinline__ void split(const Arguments& arguments, unsigned char* shared) {
    using Storage = SplitStorage<kOnlyBuckets, false>;
    static_assert(sizeof(Storage) == kSplitSharedBytes, "the storage is laid out as planned");
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Tile tile{blockIdx.x * kTileItems, tile_items(static_cast<unsigned int>(arguments.n), blockIdx.x),
                    scratch.tile_offsets() + blockIdx.x * kOnlyBuckets, scratch.counts().sizes};
    split_tile(*reinterpret_cast<Storage*>(shared), first_level(arguments, false), tile, scratch.splitters());
  }

  // Partitions one tile of the input by parents, into the result's array.
  static __device__ __forceinline__ void split_by_parents(const Arguments& arguments, unsigned char* shared) {
    using Storage = SplitStorage<kParents, false>;
    static_assert(sizeof(Storage) == kSplitParentsSharedBytes, "the storage is laid out as planned");
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Tile tile{blockIdx.x * kTileItems, tile_items(static_cast<unsigned int>(arguments.n), blockIdx.x),
                    scratch.tile_offsets() + static_cast<unsigned long long>(blockIdx.x) * kParents, nullptr};
    split_tile(*reinterpret_cast<Storage*>(shared), first_level(arguments, true), tile, scratch.splitters());
  }

  // Gathers one tile of a parent's items, and partitions it by the parent's buckets.
  static __device__ __forceinline__ void split_parent(const Arguments& arguments, unsigned char* shared) {
    using Storage = SplitStorage<kBuckets, true>;
    static_assert(sizeof(Storage) == kSplitBucketsSharedBytes, "the storage is laid out as planned");
    Storage& storage = *reinterpret_cast<Storage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const Parents& parents = scratch.parents();
    if (blockIdx.x >= parents.tiles[kParents]) return;  //~ gathered-tile-past-end
    const GatheredTile gathered = scratch.gathered_tiles()[blockIdx.x];
    if constexpr (!kEqualItemsDiffer) {
      // The key is written, and need not be gathered.
      const ComparedRange range = range_of_parent(arguments, parents, gathered.parent);
      if (range.min == range.max) return;
    }
    const unsigned int parent_begin = parents.begins[gathered.parent];
    const unsigned int number = blockIdx.x - parents.tiles[gathered.parent];
    const Tile tile{parent_begin + number * kTileItems, tile_items(parents.begins[gathered.parent + 1] - parent_begin, number),
                    scratch.tile_offsets() + static_cast<unsigned long long>(blockIdx.x) * kBuckets, nullptr};
    mark_gathered_tile(arguments, scratch, gathered, number * kTileItems, tile.valid_items, storage);
    const Level level{arguments.keys_out, arguments.keys_alternate{% if value.exists %}, arguments.values_out, arguments.values_alternate{% endif %}};
    split_tile(storage, level, tile, scratch.parent_splitters(gathered.parent));
  }

 private:
  // Marks the pieces of `size` items of a parent, from item `from` on. It ends with a barrier.
  template <typename Storage>
  static __device__ __forceinline__ void mark_gathered_tile(const Arguments& arguments, const Scratch& scratch, const GatheredTile& gathered,
                                                            unsigned int from, unsigned int size, Storage& storage) {
    const PieceMap map{storage.marks, storage.differences};
    for (unsigned int row = threadIdx.x; row < kTileItems / MarkSlot::kRowPositions; row += kBlockThreads) map.marks[row] = 0;
    __syncthreads();
    const unsigned int tiles = tile_count(arguments.n);
    const unsigned int* const positions = scratch.piece_positions() + gathered.parent * piece_stride(arguments.n);
    const unsigned short* const offsets = scratch.piece_offsets() + gathered.parent * piece_stride(arguments.n);
    bool goes_on = true;
    for (unsigned int first = gathered.first_tile; goes_on; first += kBlockThreads) {
      const unsigned int tile = first + threadIdx.x;
      bool ends_before = false;
      if (tile < tiles) {
        const unsigned int position = positions[tile];
        const unsigned int end = positions[tile + 1];
        if (end > maximum(position, from) && position < from + size) {  //~ pieces-of-gathered-tile
          const unsigned int begin = maximum(position, from);
          map.mark(begin - from, tile * kTileItems + offsets[tile] + (begin - position));
        }
        ends_before = threadIdx.x + 1 == kBlockThreads && end < from + size;  //~ more-pieces
      }
      goes_on = __syncthreads_or(ends_before);
    }
  }
