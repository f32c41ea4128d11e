 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;

  // Chunks are sorted by blocks of three sizes, by sub-buckets or by merges: a list for each size and way. The last list is of those
  // that have equal keys.
  static constexpr unsigned int kClasses = {{ classes.len() }};
  static constexpr unsigned int kEqualList = 2 * kClasses;
  static constexpr unsigned int kLists = 2 * kClasses + 1;
  // The most items of a chunk of each class.
  static __device__ __forceinline__ unsigned int class_items(unsigned int size_class) {
    return {% for class in classes %}{% if !loop.last %}size_class == {{ loop.index0 }} ? {{ class.capacity }} : {% else %}{{ class.capacity }}{% endif %}{% endfor %};
  }
  static constexpr unsigned int kMaxChunkItems = {{ max_chunk_items }};
  // Items of a bucket of the second level, on average.
  static constexpr unsigned int kTargetItems = {{ target_items }};

  // What is zero when a sort begins: how many chunks lists have, how many buckets are oversized, and the items of each bucket of the
  // only level.
  struct __align__(16) Counts {
    unsigned int chunks[kLists];
    unsigned int oversized;
    unsigned int sizes[kOnlyBuckets];
  };

  // Where in the array each parent begins, which of the gathered tiles are its, and its least compared bits. Behind the last one there are the
  // ends.
  struct __align__(16) Parents {
    unsigned int begins[kParents + 1];
    unsigned int tiles[kParents + 1];
    Bits minima[kParents];
  };

  // A tile of the second level has items of one parent, gathered from their pieces. The first of these is in `first_tile`.
  struct GatheredTile {
    unsigned int parent;
    unsigned int first_tile;
  };

  // Items of a bucket from number `from` on, and where in the result they begin.
  struct __align__(16) Chunk {
    unsigned int begin;
    unsigned int from;
    unsigned int size;
    unsigned short parent;
    // kAllOfParent where the parent's keys are all equal.
    unsigned short bucket;
  };
  static constexpr unsigned short kAllOfParent = 0xffff;

  struct OversizedBucket {
    unsigned int begin;
    unsigned int size;
  };

 public:
  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  static __host__ __device__ constexpr bool has_two_levels(unsigned long long n) { return n > kOneLevelItems; }
  static __host__ __device__ constexpr unsigned int parent_count(unsigned long long n) { return has_two_levels(n) ? kParents : 1; }
  static __host__ __device__ constexpr unsigned int span_count(unsigned long long n) {
    return (tile_count(n) + kSpanTiles - 1) / kSpanTiles;
  }
  // The most chunks of one list.
  static __host__ __device__ constexpr unsigned long long max_chunks(unsigned long long n) {
    // Of the second level, each parent has two buckets that are not as large as wanted.
    const unsigned long long wanted = n / kTargetItems + 2 * kParents;
    const unsigned long long most = static_cast<unsigned long long>(kParents) * kBuckets;
    const unsigned long long buckets = !has_two_levels(n) ? kOnlyBuckets : wanted < most ? wanted : most;
    return buckets + tile_count(n);
  }

 private:
  // Where in the workspace each array begins.
  struct Workspace {
    unsigned long long parents;
    // Splitters of the only level or of the first one, then of each parent.
    unsigned long long splitters;
    unsigned long long parent_splitters;
    // Of each bucket of the last level: whether its samples say that sub-buckets would overflow.
    unsigned long long overflows;
    // Where buckets begin in their tile, of the last level of which tiles are partitioned.
    unsigned long long tile_offsets;
    // Of two levels: the items of each parent in each span; then each parent's pieces, by tile: its items before that tile, and where in the tile
    // they begin.
    unsigned long long span_sums;
    unsigned long long piece_positions;
    unsigned long long piece_offsets;
    unsigned long long gathered_tiles;
    unsigned long long chunks;
    unsigned long long oversized;
    unsigned long long bytes;
  };

  static __host__ __device__ constexpr unsigned long long aligned(unsigned long long bytes) { return (bytes + 15) / 16 * 16; }
  // Pieces of a parent, and behind them its size.
  static __host__ __device__ constexpr unsigned long long piece_stride(unsigned long long n) { return (tile_count(n) + 1ull + kWarpThreads - 1) / kWarpThreads * kWarpThreads; }

  static __host__ __device__ constexpr Workspace workspace_of(unsigned long long n) {
    const bool two_levels = has_two_levels(n);
    const unsigned long long tiles = tile_count(n);
    const unsigned long long gathered = two_levels ? tiles + kParents : 0;
    const unsigned long long buckets_of_tiles = two_levels ? gathered * kBuckets : tiles * kOnlyBuckets;
    const unsigned long long pieces = two_levels ? kParents * piece_stride(n) : 0;
    Workspace workspace{};
    workspace.parents = sizeof(Counts);
    workspace.splitters = workspace.parents + sizeof(Parents);
    workspace.parent_splitters = workspace.splitters + sizeof(Bits) * (two_levels ? kParents : kOnlyBuckets);
    workspace.overflows = workspace.parent_splitters + (two_levels ? sizeof(Bits) * kParents * kBuckets : 0);
    workspace.tile_offsets = workspace.overflows + (two_levels ? kParents * kBuckets : kOnlyBuckets);
    workspace.span_sums = workspace.tile_offsets + aligned(2 * buckets_of_tiles);
    workspace.piece_positions = workspace.span_sums + (two_levels ? aligned(4ull * span_count(n) * kParents) : 0);
    workspace.piece_offsets = workspace.piece_positions + 4 * pieces;
    workspace.gathered_tiles = workspace.piece_offsets + 2 * pieces;
    workspace.chunks = workspace.gathered_tiles + aligned(sizeof(GatheredTile) * gathered);
    workspace.oversized = workspace.chunks + aligned(sizeof(Chunk) * kLists * max_chunks(n));
    workspace.bytes = workspace.oversized + aligned(sizeof(OversizedBucket) * (n / kMaxChunkItems + 1));
    return workspace;
  }

 public:
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return sizeof(Counts); }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) { return workspace_of(n).bytes; }

 private:
  // The workspace's arrays.
  struct Scratch {
    unsigned char* bytes;
    Workspace at;
    unsigned long long chunks_of_list;

    explicit __device__ __forceinline__ Scratch(const Arguments& arguments)
        : bytes(arguments.workspace), at(workspace_of(arguments.n)), chunks_of_list(max_chunks(arguments.n)) {}

    __device__ __forceinline__ Counts& counts() const { return *reinterpret_cast<Counts*>(bytes); }
    __device__ __forceinline__ Parents& parents() const { return *reinterpret_cast<Parents*>(bytes + at.parents); }
    __device__ __forceinline__ Bits* splitters() const { return reinterpret_cast<Bits*>(bytes + at.splitters); }
    __device__ __forceinline__ Bits* parent_splitters(unsigned int parent) const {
      return reinterpret_cast<Bits*>(bytes + at.parent_splitters) + parent * kBuckets;
    }
    __device__ __forceinline__ unsigned char* overflows(unsigned int parent) const { return bytes + at.overflows + parent * kBuckets; }
    __device__ __forceinline__ unsigned short* tile_offsets() const {
      return reinterpret_cast<unsigned short*>(bytes + at.tile_offsets);
    }
    __device__ __forceinline__ unsigned int* span_sums() const { return reinterpret_cast<unsigned int*>(bytes + at.span_sums); }
    __device__ __forceinline__ unsigned int* piece_positions() const {
      return reinterpret_cast<unsigned int*>(bytes + at.piece_positions);
    }
    __device__ __forceinline__ unsigned short* piece_offsets() const {
      return reinterpret_cast<unsigned short*>(bytes + at.piece_offsets);
    }
    __device__ __forceinline__ GatheredTile* gathered_tiles() const {
      return reinterpret_cast<GatheredTile*>(bytes + at.gathered_tiles);
    }
    __device__ __forceinline__ Chunk* chunks(unsigned int list) const {
      return reinterpret_cast<Chunk*>(bytes + at.chunks) + list * chunks_of_list;
    }
    __device__ __forceinline__ OversizedBucket* oversized() const {
      return reinterpret_cast<OversizedBucket*>(bytes + at.oversized);
    }
  };

  static __device__ __forceinline__ unsigned int tile_items(unsigned int items, unsigned int tile) {
    const unsigned int left = items - tile * kTileItems;
    return left < kTileItems ? left : kTileItems;
  }

  // The tiles that a number of items needs.
  static __device__ __forceinline__ unsigned int tiles_of(unsigned int items) { return (items + kTileItems - 1) / kTileItems; }

  // The items of a tile that are in a bucket, by the tile's bucket offsets.
  static __device__ __forceinline__ unsigned int piece_size(const unsigned short* offsets, unsigned int bucket, unsigned int buckets,
                                                            unsigned int valid_items) {
    return (bucket + 1 < buckets ? offsets[bucket + 1] : valid_items) - offsets[bucket];  //~ piece-of-last-bucket
  }

  static __device__ __forceinline__ unsigned int minimum(unsigned int a, unsigned int b) { return a < b ? a : b; }
  static __device__ __forceinline__ unsigned int maximum(unsigned int a, unsigned int b) { return a > b ? a : b; }
