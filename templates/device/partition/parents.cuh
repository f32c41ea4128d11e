 private:
  static constexpr unsigned int kScanSegments = kListThreads / kParents;

  // What the block of _scan_pieces keeps in shared memory: each parent's items in each segment of the spans.
  struct ScanStorage {
    unsigned int segments[kScanSegments][kParents];
    typename WarpScans<kListThreads>::Storage sums;
  };
  static_assert(sizeof(ScanStorage) == kScanSharedBytes, "the storage is laid out as planned");

  // Tiles of which pieces are written at once.
  static constexpr unsigned int kTilesAtOnce = 32;

  // Tiles of which a thread reads the pieces before it uses the first of them.
  static constexpr unsigned int kTilesOnTheirWay = 8;

  // A piece on its way through shared memory:
  //
  //   | items of the parent in the tiles before, of those written at once: 18 bits | offset in the tile: 14 bits |
  struct LocatedPiece {
    unsigned int bits;
    static constexpr int kOffsetBits = 14;
    static_assert(kTileItems < 1 << kOffsetBits && kTilesAtOnce * kTileItems <= 1u << (32 - kOffsetBits), "both have room");
    static __device__ __forceinline__ LocatedPiece pack(unsigned int items_before, unsigned int offset) {
      return {items_before << kOffsetBits | offset};
    }
    __device__ __forceinline__ unsigned int items_before() const { return bits >> kOffsetBits; }
    __device__ __forceinline__ unsigned int offset() const { return bits & ((1u << kOffsetBits) - 1u); }
  };

  // What a block of _locate_pieces keeps in shared memory; a column more than parents, so that lanes that read a column are in
  // different banks.
  struct LocateStorage {
    LocatedPiece pieces[kTilesAtOnce][kParents + 1];
    unsigned int positions[kParents];
  };
  static_assert(sizeof(LocateStorage) == kLocateSharedBytes, "the storage is laid out as planned");

  // The items of the thread's parent in a tile.
  static __device__ __forceinline__ unsigned int parent_piece(const Arguments& arguments, const unsigned short* offsets, unsigned int tile) {
    return piece_size(offsets, threadIdx.x, kParents, tile_items(static_cast<unsigned int>(arguments.n), tile));
  }

 public:
  // Counts each parent's items in one span of tiles: a thread for each parent.
  static __device__ __forceinline__ void sum_pieces(const Arguments& arguments, unsigned char*) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int end = minimum((blockIdx.x + 1) * kSpanTiles, tile_count(arguments.n));
    unsigned int sum = 0;
#pragma unroll 8
    for (unsigned int tile = blockIdx.x * kSpanTiles; tile < end; ++tile) {
      sum += parent_piece(arguments, scratch.tile_offsets() + static_cast<unsigned long long>(tile) * kParents, tile);
    }
    scratch.span_sums()[blockIdx.x * kParents + threadIdx.x] = sum;
  }

  // Makes the sums of spans the items in all spans before, and says where parents and their gathered tiles begin. One block: each
  // segment of its threads has a thread for each parent, and a share of the spans.
  static __device__ __forceinline__ void scan_pieces(const Arguments& arguments, unsigned char* shared) {
    ScanStorage& storage = *reinterpret_cast<ScanStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int parent = threadIdx.x % kParents;
    const unsigned int segment = threadIdx.x / kParents;
    const unsigned int spans = span_count(arguments.n);
    const unsigned int begin = segment * spans / kScanSegments;
    const unsigned int end = (segment + 1) * spans / kScanSegments;
    unsigned int* const sums = scratch.span_sums() + parent;
    unsigned int sum = 0;
#pragma unroll 8
    for (unsigned int span = begin; span < end; ++span) sum += sums[span * kParents];
    storage.segments[segment][parent] = sum;
    __syncthreads();
    unsigned int before = 0;
    unsigned int items = 0;
    for (unsigned int other = 0; other < kScanSegments; ++other) {
      if (other < segment) before += storage.segments[other][parent];  //~ segments-before
      items += storage.segments[other][parent];
    }
#pragma unroll 8
    for (unsigned int span = begin; span < end; ++span) {
      const unsigned int of_span = sums[span * kParents];
      sums[span * kParents] = before;
      before += of_span;
    }
    begin_parents(arguments, scratch, storage, segment == 0 ? items : 0);
  }

  // Writes for each parent its pieces in one span of tiles, side by side, and for each of its gathered tiles the tile with its first piece.
  static __device__ __forceinline__ void locate_pieces(const Arguments& arguments, unsigned char* shared) {
    LocateStorage& storage = *reinterpret_cast<LocateStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int parent = threadIdx.x;
    GatheredTile* const gathered = scratch.gathered_tiles() + scratch.parents().tiles[parent];
    const unsigned int span_end = minimum((blockIdx.x + 1) * kSpanTiles, tile_count(arguments.n));
    unsigned int position = scratch.span_sums()[blockIdx.x * kParents + parent];
    for (unsigned int begin = blockIdx.x * kSpanTiles; begin < span_end; begin += kTilesAtOnce) {
      const unsigned int end = minimum(begin + kTilesAtOnce, span_end);
      const unsigned int first_position = position;
      storage.positions[parent] = first_position;
      for (unsigned int first = begin; first < end; first += kTilesOnTheirWay) {
        unsigned int sizes[kTilesOnTheirWay];
        unsigned int offsets[kTilesOnTheirWay];
#pragma unroll
        for (unsigned int i = 0; i < kTilesOnTheirWay; ++i) {
          const unsigned int tile = minimum(first + i, end - 1);
          const unsigned short* const of_tile = scratch.tile_offsets() + static_cast<unsigned long long>(tile) * kParents;
          sizes[i] = parent_piece(arguments, of_tile, tile);
          offsets[i] = of_tile[parent];
        }
#pragma unroll
        for (unsigned int i = 0; i < kTilesOnTheirWay; ++i) {
          const unsigned int tile = first + i;
          if (tile >= end) break;
          storage.pieces[tile - begin][parent] = LocatedPiece::pack(position - first_position, offsets[i]);
          const unsigned int number = tiles_of(position);
          if (number * kTileItems < position + sizes[i]) gathered[number] = GatheredTile{parent, tile};  //~ first-piece-of-gathered-tile
          position += sizes[i];
        }
      }
      __syncthreads();
      write_pieces(arguments, scratch, storage, begin, end);
      __syncthreads();
    }
  }

 private:
  // Says where the parents of the first kParents threads begin, of which each gives its items. All threads of the block call it.
  static __device__ __forceinline__ void begin_parents(const Arguments& arguments, const Scratch& scratch, ScanStorage& storage, unsigned int items) {
    Parents& parents = scratch.parents();
    const bool has_parent = threadIdx.x < kParents;
    unsigned int all_items;
    const unsigned int begin = WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, items, all_items);
    __syncthreads();
    unsigned int all_tiles;
    const unsigned int tile = WarpScans<kListThreads>::exclusive_sum(storage.sums, threadIdx.x, tiles_of(items), all_tiles);
    if (has_parent) {
      parents.begins[threadIdx.x] = begin;
      parents.tiles[threadIdx.x] = tile;
      // Behind the parent's last piece.
      scratch.piece_positions()[threadIdx.x * piece_stride(arguments.n) + tile_count(arguments.n)] = items;
    }
    if (threadIdx.x == 0) {
      parents.begins[kParents] = all_items;
      parents.tiles[kParents] = all_tiles;
    }
  }

  // Writes the pieces of tiles, at most a lane's each: a warp those of one parent after the other.
  static __device__ __forceinline__ void write_pieces(const Arguments& arguments, const Scratch& scratch, const LocateStorage& storage,
                                                      unsigned int begin, unsigned int end) {
    const unsigned int tile = begin + lane_of(threadIdx.x);
    if (tile >= end) return;
    for (unsigned int parent = warp_of(threadIdx.x); parent < kParents; parent += kParents / kWarpThreads) {
      const LocatedPiece piece = storage.pieces[tile - begin][parent];
      const unsigned long long index = parent * piece_stride(arguments.n) + tile;
      scratch.piece_positions()[index] = storage.positions[parent] + piece.items_before();
      scratch.piece_offsets()[index] = static_cast<unsigned short>(piece.offset());
    }
  }
