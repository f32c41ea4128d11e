 private:
  // Where the items of a run of positions come from, in shared memory. A piece marks its first position in `marks`, and says there
  // in `differences` what to add to its positions. So an item finds its piece by the last mark at or before it.
  struct PieceMap {
    unsigned int* marks;
    unsigned int* differences;

    // The items from `position` on are those from `source` on, up to the next mark.
    __device__ __forceinline__ void mark(unsigned int position, unsigned int source) const {
      atomicOr(&marks[MarkSlot{position}.row()], MarkSlot{position}.mask());
      differences[position] = source - position;
    }

    // The last mark before a row of 32 positions. Position 0 is always marked. All lanes of the warp call it.
    __device__ __forceinline__ unsigned int last_mark_before(unsigned int row) const {
      const unsigned int lane = lane_of(threadIdx.x);
      for (unsigned int end = row; end != 0; end = end > 32 ? end - 32 : 0) {
        const unsigned int bits = lane < end ? marks[end - 1 - lane] : 0;
        const unsigned int found = __ballot_sync(~0u, bits != 0);
        if (found == 0) continue;  //~ marks-before
        const unsigned int nearest = __ffs(static_cast<int>(found)) - 1;
        return 32 * (end - 1 - nearest) + 31 - __clz(static_cast<int>(__shfl_sync(~0u, bits, nearest)));
      }
      return 0;
    }

    // Calls `visit(i, position, source)` for the warp's kRows rows of 32 positions each, from `first_row` on, as far as positions are
    // below `size`. All lanes of the warp call it, with a barrier since the last mark.
    template <int kRows, typename Visit>
    __device__ __forceinline__ void for_each(unsigned int first_row, unsigned int size, const Visit& visit) const {
      if (32 * first_row >= size) return;
      unsigned int last = last_mark_before(first_row);
      const unsigned int lanes_to_here = ~0u >> (31 - lane_of(threadIdx.x));  //~ lanes-to-here-of-piece
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const unsigned int base = 32 * (first_row + i);
        const unsigned int bits = marks[first_row + i];
        const unsigned int own = bits & lanes_to_here;
        const unsigned int mark = own != 0 ? base + 31 - __clz(static_cast<int>(own)) : last;
        if (bits != 0) last = base + 31 - __clz(static_cast<int>(bits));  //~ last-mark
        const unsigned int position = base + lane_of(threadIdx.x);
        if (position < size) visit(i, position, position + differences[mark]);
      }
    }
  };

  // Marks the pieces of a chunk's items among the alternate ones. All of the block's kThreads threads call it, with a barrier since marks
  // were read. Before it writes the differences and when it ends there is a barrier.
  template <int kThreads>
  static __device__ __forceinline__ void mark_pieces(const Arguments& arguments, const Scratch& scratch, const Chunk& chunk,
                                                     const PieceMap& map, typename WarpScans<kThreads>::Storage& sums) {
    for (unsigned int row = threadIdx.x; row * MarkSlot::kRowPositions < chunk.size; row += kThreads) map.marks[row] = 0;
    if (chunk.bucket == kAllOfParent) {
      // Tiles have the parent's items in their order. The thread has cleared the row itself.
      if (threadIdx.x == 0) map.mark(0, chunk.begin);
      __syncthreads();
      return;
    }
    const Parents& parents = scratch.parents();
    const unsigned int parent_begin = parents.begins[chunk.parent];
    const unsigned int parent_items = parents.begins[chunk.parent + 1] - parent_begin;
    const unsigned int tiles = tiles_of(parent_items);
    const unsigned int buckets = has_two_levels(arguments.n) ? kBuckets : kOnlyBuckets;
    const unsigned short* const offsets = scratch.tile_offsets() + static_cast<unsigned long long>(parents.tiles[chunk.parent]) * buckets;
    const unsigned int end = chunk.from + chunk.size;
    unsigned int before = 0;
    for (unsigned int first = 0; first < tiles && before < end; first += kThreads) {
      const unsigned int tile = first + threadIdx.x;
      unsigned int size = 0;
      unsigned int offset = 0;
      if (tile < tiles) {
        const unsigned short* const of_tile = offsets + static_cast<unsigned long long>(tile) * buckets;
        offset = of_tile[chunk.bucket];
        size = piece_size(of_tile, chunk.bucket, buckets, tile_items(parent_items, tile));
      }
      unsigned int total;
      // All marks are cleared behind the sum's barrier.
      const unsigned int position = before + WarpScans<kThreads>::exclusive_sum(sums, threadIdx.x, size, total);
      before += total;
      if (size != 0 && position < end && position + size > chunk.from) {  //~ pieces-of-chunk
        const unsigned int begin = maximum(position, chunk.from);
        map.mark(begin - chunk.from, parent_begin + tile * kTileItems + offset + (begin - position));  //~ source-of-piece
      }
      // The sums are written again.
      __syncthreads();
    }
  }
