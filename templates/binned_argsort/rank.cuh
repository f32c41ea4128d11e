  // Sorts columns of a row, tile by tile. `first_of` is called once, behind the first tile's sort, with the number of the tile's items in
  // slots below the thread's; it returns where in the row the thread's slot begins for these columns.
  template <typename FirstOf>
  __device__ __forceinline__ void sort_columns(const Row& row, unsigned long long begin, unsigned long long end, bool writes_offsets,
                                               const FirstOf& first_of) {
    unsigned int next = 0;
#pragma unroll 1
    for (unsigned long long start = begin;; start += kTileItems) {
      const unsigned int items = end - start < kTileItems ? static_cast<unsigned int>(end - start) : kTileItems;  //~ items-of-sorted-tile
      const SlotOfTile slot = sort_tile(row.keys + start, items, row.bins, [] {}, [](unsigned int) {});
      if (start == begin) {
        next = first_of(slot.first);
        if (writes_offsets && thread_ <= row.bins) row.offsets[thread_] = next;  //~ offsets-of-bins
      }
      if (thread_ < kSlots) storage_.shifts[thread_] = next - slot.first;  //~ shift-of-slot
      next += slot.count;  //~ next-tile-of-slot
      __syncthreads();
      write_tile(row, static_cast<unsigned int>(start), items);
      if (end - start <= kTileItems) break;  //~ last-tile
    }
  }

  // The items of a tile in slots below the thread's, and those in its slot.
  struct SlotOfTile {
    unsigned int first, count;
  };

  // An item of a warp, with its number among the warp's items of its slot:
  //
  //   | slot: 16 bits | rank: 16 bits |
  struct RankedItem {
    unsigned int word;

    static __device__ __forceinline__ RankedItem pack(unsigned int slot, unsigned int rank) { return {slot << 16 | rank}; }
    __device__ __forceinline__ unsigned int slot() const { return word >> 16; }
    __device__ __forceinline__ unsigned int rank() const { return word & 0xffffu; }
  };

  __device__ __forceinline__ unsigned int lanes_below() const { return (1u << lane_of(thread_)) - 1; }

  // Sorts items by slots, in shared memory. What is behind the last item has the last slot, and comes last. The sorted tile may be read
  // behind the next barrier, and it may be called again then. `while_loading` is called before its first barrier, and `counted` behind it,
  // with the number of the tile's items in the thread's slot.
  template <typename WhileLoading, typename Counted>
  __device__ __forceinline__ SlotOfTile sort_tile(const Key* keys, unsigned int items, unsigned int bins, const WhileLoading& while_loading,
                                                  const Counted& counted) {
    // Each warp has neighbouring items, this number of rows of an item for each lane.
    const unsigned int rows = (items + kBlockThreads - 1) / kBlockThreads;
    const unsigned int own_first = warp_of(thread_) * (kWarpThreads * rows) + lane_of(thread_);
    // Of these, the ones in which the thread has an item.
    const unsigned int rows_to_end = own_first < items ? (items - own_first + kWarpThreads - 1) / kWarpThreads : 0;
    const unsigned int own_rows = rows_to_end < rows ? rows_to_end : rows;  //~ own-rows
    const Key* const own_keys = keys + own_first;
    Key loaded[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      loaded[i] = i < own_rows ? own_keys[32 * i] : Key();
    }
    while_loading();
    unsigned int slots[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      slots[i] = i < own_rows ? slot_of(loaded[i], bins) : bins;  //~ items-behind-the-last
    }
    RankedItem ranked[kItemsPerThread];
    rank_in_warp(rows, slots, ranked);
    __syncthreads();  //~ ranked-in-warps
    const SlotOfTile slot = scan_histograms(counted);
    __syncthreads();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      if (i >= rows) break;
      const unsigned int own = ranked[i].slot();
      const unsigned int offset = storage_.histograms[warp_of(thread_)][own] + ranked[i].rank();
      storage_.sorted[offset] = SlottedItem::pack(own, own_first + 32 * i);
    }
    return slot;
  }

  // Ranks each of the warp's items among those of its slot. Items behind the last row are left with a value that nothing reads: without
  // one the compiler takes more registers.
  __device__ __forceinline__ void rank_in_warp(unsigned int rows, const unsigned int (&slots)[kItemsPerThread],
                                               RankedItem (&ranked)[kItemsPerThread]) {
    unsigned int (&histogram)[kSlots] = storage_.histograms[warp_of(thread_)];
    for (unsigned int slot = lane_of(thread_); slot < kSlots; slot += 32) histogram[slot] = 0;
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) ranked[i] = {slots[i]};
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      if (i >= rows) break;
      const unsigned int slot = slots[i];
      const unsigned int same = lanes_of_same_slot(slot);
      // The counter has the items of the slot in rows before.
      const unsigned int rank = histogram[slot] + __popc(same & lanes_below());  //~ rank-in-warp
      __syncwarp();
      if (same >> lane_of(thread_) == 1) histogram[slot] = rank + 1;
      __syncwarp();
      ranked[i] = RankedItem::pack(slot, rank);
    }
  }

  // Adds up the values of the slots below the thread's. One barrier; it may be called again behind the next one.
  __device__ __forceinline__ unsigned int sum_of_slots_below(unsigned int value) {
    const unsigned int inclusive = inclusive_sum_in_warp(value, ~0u);
    if (lane_of(thread_) == 31 && warp_of(thread_) < kSlotWarps) storage_.warp_sums[warp_of(thread_)] = inclusive;
    __syncthreads();  //~ sums-of-warps
    unsigned int below = inclusive - value;
#pragma unroll
    for (unsigned int warp = 0; warp < kSlotWarps; ++warp) below += warp < warp_of(thread_) ? storage_.warp_sums[warp] : 0;
    return below;
  }

  // Makes each warp's count of a slot the offset in the tile of the first of these items. One barrier, and the caller's before the
  // offsets are read.
  template <typename Counted>
  __device__ __forceinline__ SlotOfTile scan_histograms(const Counted& counted) {
    const bool has_slot = thread_ < kSlots;
    unsigned int of_warps[kWarps];
    unsigned int count = 0;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      of_warps[warp] = has_slot ? storage_.histograms[warp][thread_] : 0;
      count += of_warps[warp];
    }
    counted(count);
    const unsigned int first = sum_of_slots_below(count);
    if (has_slot) {
      unsigned int offset = first;
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        storage_.histograms[warp][thread_] = offset;
        offset += of_warps[warp];  //~ offset-in-next-warp
      }
    }
    return {first, count};
  }

  // Writes the positions of the sorted tile, the first item of which is the row's of this number. The tile may be overwritten behind the next
  // barrier.
  __device__ __forceinline__ void write_tile(const Row& row, unsigned int start, unsigned int items) {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int offset = i * kBlockThreads + thread_;
      if (offset >= items) break;  //~ written-items
      const SlottedItem item = storage_.sorted[offset];
      row.positions[storage_.shifts[item.slot()] + offset] = start + item.number();
    }
  }
