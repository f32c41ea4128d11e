{%- for bucket_sort in bucket_sorts %}
  using BucketSort{{ loop.index }} = {{ bucket_sort }};
{%- endfor %}
  using LargestSort = BucketSort{{ bucket_sorts.len() }};

  // Of each tile's part of a bucket: the position in the bucket of its first item, and what to add to a position to make
  // it one in the array.
  struct Pieces {
    unsigned int starts[kBlockThreads];
    unsigned int offsets[kBlockThreads];
  };

  // What a block of _buckets keeps in shared memory.
  struct BucketStorage {
    Pieces pieces;
    unsigned int warp_items[kWarps];
    unsigned int warp_starts[kWarps];
    union {
{%- for bucket_sort in bucket_sorts %}
      __align__(16) typename BucketSort{{ loop.index }}::TempStorage sort{{ loop.index }};
{%- endfor %}
    };
  };
  static_assert(sizeof(BucketStorage) == kBucketSharedBytes, "the storage is laid out as planned");

 public:
  // Sorts one bucket, by the smallest sort that holds it.
  static __device__ __forceinline__ void sort_bucket(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    BucketStorage& storage = *reinterpret_cast<BucketStorage*>(shared);
    // First all reads, so that they take the time of one.
    const Piece piece = piece_of_tile(arguments, threadIdx.x);
    const OrderRange range = range_of_bucket(arguments);
    unsigned int first = 0;
    const unsigned int size = find_pieces(storage, piece, first);
{%- for bucket_sort in bucket_sorts %}
    {% if !loop.first %}} else {% endif %}if (size <= BucketSort{{ loop.index }}::kTileItems) {
      sort_items<BucketSort{{ loop.index }}, true>(arguments, storage.pieces, storage.sort{{ loop.index }}, range, first, size);
{%- endfor %}
    } else {
      sort_large_bucket(arguments, storage, range, first, size);
    }
  }

 private:
  // What a bucket's keys are sorted by: how much their orders are above the least one, of which most often the upper bits
  // are zero.
  struct OrderRange {
    // The least order, shifted to where it is in ordered bits.
    Bits base;
    // One past the last bit in which a difference may have a one.
    int end_bit;
  };

  static __device__ __forceinline__ OrderRange range_of_bucket(const Arguments& arguments) {
    const Splitters& splitters = splitters_of(arguments);
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return {0, arguments.begin_bit};
    const unsigned int bucket = blockIdx.x;
    Bits least = bucket == 0 ? 0 : splitters.orders[bucket];
    // Equal items of the next splitter may be in the bucket.
    const Bits most = bucket + 1 < gridDim.x ? splitters.orders[bucket + 1] : ~Bits(0) >> (8 * sizeof(Bits) - bits);
{%- if key.is_float %}
    // The block sorts pad with what is one below the base: not with -0.0, which they would compare as another.
    const Bits below = (least << arguments.begin_bit) - 1;
    if (compared_bits(below) != below) --least;
{%- endif %}
    return {least << arguments.begin_bit, arguments.begin_bit + bit_length(most - least)};
  }

  // One past the highest bit that is set.
  static __device__ __forceinline__ int bit_length(Bits bits) {
    int length = 0;
#pragma unroll
    for (int step = 4 * sizeof(Bits); step > 0; step /= 2) {
      if (bits >> step == 0) continue;
      bits >>= step;
      length += step;
    }
    return length + static_cast<int>(bits);
  }

  // The bucket's part of a tile: where in it that begins, and its items; none of a tile that is not there.
  struct Piece {
    unsigned int start;
    unsigned int items;
  };

  static __device__ __forceinline__ Piece piece_of_tile(const Arguments& arguments, unsigned int tile) {
    const unsigned int tiles = tile_count(arguments.n);
    if (tile >= tiles) return {0, 0};
    const unsigned short* const starts = starts_of(arguments) + blockIdx.x * tiles + tile;
    const unsigned int start = starts[0];
    const unsigned int end = blockIdx.x + 1 < gridDim.x ? starts[tiles] : items_of_tile(arguments, tile);
    return {start, end - start};
  }

  // Finds where in the bucket each thread's piece is. Returns the bucket's size; `first` is its place in the array.
  static __device__ __forceinline__ unsigned int find_pieces(BucketStorage& storage, Piece piece, unsigned int& first) {
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int items_to_here = inclusive_sum_in_warp(piece.items, ~0u);
    const unsigned int starts_to_here = inclusive_sum_in_warp(piece.start, ~0u);
    if (threadIdx.x % 32 == 31) {
      storage.warp_items[warp] = items_to_here;
      storage.warp_starts[warp] = starts_to_here;
    }
    __syncthreads();
    unsigned int before = 0;
    unsigned int size = 0;
    for (unsigned int other = 0; other < kWarps; ++other) {
      if (other < warp) before += storage.warp_items[other];
      size += storage.warp_items[other];
      // What is before the bucket in all tiles is before it in the array.
      first += storage.warp_starts[other];
    }
    // Behind the last tile these are the bucket's size.
    const unsigned int position = before + items_to_here - piece.items;
    storage.pieces.starts[threadIdx.x] = position;
    storage.pieces.offsets[threadIdx.x] = threadIdx.x * kTileItems + piece.start - position;
    __syncthreads();
    return size;
  }

  // The first step of a search among pieces: half of the tiles, rounded up to a power of two.
  static __device__ __forceinline__ unsigned int half_of_pieces(const Arguments& arguments) {
    const unsigned int tiles = tile_count(arguments.n);
    return tiles <= 2 ? 1 : 1u << (31 - __clz(tiles - 1));
  }

  // Where the bucket's items of a thread's positions are among the alternate ones. All are searched for at once: each alone
  // would wait for one read after the other.
  template <int kItems>
  static __device__ __forceinline__ void find_sources(const Arguments& arguments, const Pieces& pieces, unsigned int (&sources)[kItems]) {
    unsigned int piece[kItems] = {};
    for (unsigned int step = half_of_pieces(arguments); step > 0; step /= 2) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (pieces.starts[piece[i] + step] <= warp_striped<kItems>(i)) piece[i] += step;
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) sources[i] = pieces.offsets[piece[i]] + warp_striped<kItems>(i);
  }

  // Sorts at most a tile of items that the bucket has, or that already are in the result: from `first` on.
  template <typename Sort, bool kGathers>
  static __device__ __forceinline__ void sort_items(const Arguments& arguments, [[maybe_unused]] const Pieces& pieces,
                                                    typename Sort::TempStorage& sort_storage, OrderRange range, unsigned int first,
                                                    unsigned int size) {
    typename Sort::Keys keys;
{%- if has_values %}
    typename Sort::Values values;
{%- endif %}
    [[maybe_unused]] unsigned int sources[Sort::kItemsPerThread];
    if constexpr (kGathers) find_sources(arguments, pieces, sources);
#pragma unroll
    for (int i = 0; i < Sort::kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<Sort::kItemsPerThread>(i);
      keys[i] = bits_as<Key>(StoredBits(0));
      if (position >= size) continue;
      keys[i] = kGathers ? arguments.keys_alternate[sources[i]] : arguments.keys_out[first + position];
{%- if has_values %}
      values[i] = kGathers ? arguments.values_alternate[sources[i]] : arguments.values_out[first + position];
{%- endif %}
    }
    Sort(sort_storage, range.base)
        .SortWarpStripedToStriped(keys, {% if has_values %}values, {% endif %}arguments.begin_bit, range.end_bit, static_cast<int>(size));
#pragma unroll
    for (int i = 0; i < Sort::kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position >= size) continue;
      if (arguments.writes_keys || !kGathers) arguments.keys_out[first + position] = keys[i];
{%- if has_values %}
      arguments.values_out[first + position] = values[i];
{%- endif %}
    }
  }
