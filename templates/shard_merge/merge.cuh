 public:
  struct ItemStorage {
    StoredBits bits[Slots::count(kTileItems)];
{%- if value.exists %}
    // For each merged item, where in the tile it came from.
    unsigned short sources[Slots::count(kTileItems)];
{%- endif %}
  };
  struct TempStorage {
    ItemStorage items;
    // How many items of the first range come before the tile, and before its end.
    unsigned long long splits[2];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // Merges the ranges, a tile of merged items at a time.
  static __device__ __forceinline__ void merge_ranges(const Arguments& arguments, TempStorage& storage) {
    const unsigned long long items = arguments.first_items + arguments.second_items;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kTileItems;
    for (unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems; start < items; start += stride) {  //~ next-of-ranges
      const unsigned long long left = items - start;
      merge_tile(arguments, storage, start, left < kTileItems ? static_cast<unsigned int>(left) : kTileItems);  //~ items-of-merged-tile
    }
  }

 private:
{% include "fragments/split_of_runs.cuh" %}

  // Makes a tile: `count` merged items from item `start` on.
  static __device__ __forceinline__ void merge_tile(const Arguments& arguments, TempStorage& storage, unsigned long long start, unsigned int count) {
    const Bits mask = mask_of(arguments);
    // The first two warps, one for each end of the tile.
    const unsigned int warp = warp_of(threadIdx.x);
    if (warp < 2) {
      const unsigned long long split = split_of(arguments.first_keys, arguments.first_items, arguments.second_keys, arguments.second_items,
                                                start + (warp == 0 ? 0 : count), mask);
      if (lane_of(threadIdx.x) == 0) storage.splits[warp] = split;
    }
    // It is also behind the reads of the previous tile from the storage.
    __syncthreads();
    const unsigned long long first_items = arguments.first_items, second_items = arguments.second_items;
    const unsigned long long first_begin = storage.splits[0];
    const unsigned long long second_begin = start - first_begin;
    // A range that has arrived in part, for its rank has ended, is not sorted: whatever was found, nothing past a range's end is read.
{% include "fragments/first_of_tile.cuh" %}
    load_tile(storage.items, arguments.first_keys + first_begin, arguments.second_keys + second_begin, first_count, count);
    __syncthreads();
    Items<kItemsPerThread> items;
    const unsigned int own = threadIdx.x * kItemsPerThread;
    merge_own(storage.items, 0, first_count, count - first_count, own < count ? own : count, items, mask);
{%- if value.exists %}
    put_sources(storage.items, items);
    __syncthreads();
{%- else %}
    __syncthreads();
    put_own(storage.items, threadIdx.x, items);
    __syncthreads();
{%- endif %}
    Key* const keys_to = arguments.merged_keys + start;
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      const unsigned int slot = {% if value.exists %}Slots::of(storage.items.sources[slot_of_row(i)]){% else %}slot_of_row(i){% endif %};
      if (position < count) keys_to[position] = to_key(storage.items.bits[slot]);  //~ merged-key
    }
{%- if value.exists %}
    move_values(storage.items, arguments.first_values + first_begin, arguments.second_values + second_begin, first_count,
                arguments.merged_values + start, count);
{%- endif %}
  }

  // The item at a position of the tile, in which those of the first range lie in front.
  template <typename Item>
  static __device__ __forceinline__ Item item_at(const Item* first, const Item* second, unsigned int first_count, unsigned int position) {
    const bool is_first = position < first_count;  //~ range-of-item
    return (is_first ? first : second)[is_first ? position : position - first_count];
  }

  // The slot of position row * kBlockThreads + threadIdx.x.
  static __device__ __forceinline__ unsigned int slot_of_row(unsigned int row) { return Slots::of_step<kBlockThreads>(threadIdx.x, row); }

  // Loads the ordered bits of a tile. All loads of a thread are under way before it stores the first of them. Past the end the last item is
  // loaded again, so that no load waits for a branch.
  static __device__ __forceinline__ void load_tile(ItemStorage& storage, const Key* first, const Key* second, unsigned int first_count,
                                                   unsigned int count) {
    Key keys[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      keys[i] = item_at(first, second, first_count, position < count ? position : count - 1);  //~ loaded-key
    }
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      storage.bits[slot_of_row(i)] = static_cast<StoredBits>(to_ordered_bits(keys[i]));
    }
  }
{%- if value.exists %}

  // Writes where a thread's merged items came from. Their bits stay where they are.
  static __device__ __forceinline__ void put_sources(ItemStorage& storage, const Items<kItemsPerThread>& items) {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      storage.sources[Slots::of(threadIdx.x * kItemsPerThread + i)] = static_cast<unsigned short>(items.sources[i]);
    }
  }

  // Moves the values of a merged tile, some of a thread's at once. What is past its end has the source of some item.
  static __device__ __forceinline__ void move_values(const ItemStorage& storage, const Value* first, const Value* second,
                                                     unsigned int first_count, Value* values_to, unsigned int count) {
#pragma unroll
    for (unsigned int begin = 0; begin < kItemsPerThread; begin += kLoadedValues) {
      Value values[kLoadedValues];
#pragma unroll
      for (unsigned int i = 0; i < kLoadedValues; ++i) {
        if (begin + i >= kItemsPerThread) continue;
        values[i] = item_at(first, second, first_count, storage.sources[slot_of_row(begin + i)]);
      }
#pragma unroll
      for (unsigned int i = 0; i < kLoadedValues; ++i) {
        if (begin + i >= kItemsPerThread) continue;
        const unsigned int position = (begin + i) * kBlockThreads + threadIdx.x;
        if (position < count) values_to[position] = values[i];  //~ merged-value
      }
    }
  }
{%- endif %}
