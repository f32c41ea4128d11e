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
    unsigned int first = 0;
    const unsigned int size = find_pieces(arguments, storage, first);
{%- for bucket_sort in bucket_sorts %}
    {% if !loop.first %}} else {% endif %}if (size <= BucketSort{{ loop.index }}::kTileItems) {
      sort_items<BucketSort{{ loop.index }}, true>(arguments, storage.pieces, storage.sort{{ loop.index }}, first, size);
{%- endfor %}
    } else {
      sort_large_bucket(arguments, storage, first, size);
    }
  }

 private:
  // Finds the bucket's part of each tile, a thread each. Returns the bucket's size; `first` is its place in the array.
  static __device__ __forceinline__ unsigned int find_pieces(const Arguments& arguments, BucketStorage& storage, unsigned int& first) {
    const unsigned int tiles = tile_count(arguments.n);
    const unsigned int bucket = blockIdx.x;
    const unsigned int tile = threadIdx.x;
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int* const starts = starts_of(arguments) + bucket * tiles;
    unsigned int start = 0;
    unsigned int items = 0;
    if (tile < tiles) {
      start = starts[tile];
      items = (bucket + 1 < gridDim.x ? starts[tiles + tile] : items_of_tile(arguments, tile)) - start;
    }
    const unsigned int items_to_here = inclusive_sum_in_warp(items, ~0u);
    const unsigned int starts_to_here = inclusive_sum_in_warp(start, ~0u);
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
    const unsigned int piece_start = before + items_to_here - items;
    storage.pieces.starts[tile] = piece_start;
    storage.pieces.offsets[tile] = tile * kTileItems + start - piece_start;
    __syncthreads();
    return size;
  }

  // The first step of a search among pieces: half of the tiles, rounded up to a power of two.
  static __device__ __forceinline__ unsigned int half_of_pieces(const Arguments& arguments) {
    const unsigned int tiles = tile_count(arguments.n);
    return tiles <= 2 ? 1 : 1u << (31 - __clz(tiles - 1));
  }

  // Where the bucket's item of this position is among the alternate ones.
  static __device__ __forceinline__ unsigned int source_of(const Pieces& pieces, unsigned int half, unsigned int position) {
    unsigned int piece = 0;
    for (unsigned int step = half; step > 0; step /= 2) {
      if (pieces.starts[piece + step] <= position) piece += step;
    }
    return pieces.offsets[piece] + position;
  }

  // Sorts at most a tile of items that the bucket has, or that already are in the result: from `first` on.
  template <typename Sort, bool kGathers>
  static __device__ __forceinline__ void sort_items(const Arguments& arguments, [[maybe_unused]] const Pieces& pieces,
                                                    typename Sort::TempStorage& sort_storage, unsigned int first, unsigned int size) {
    typename Sort::Keys keys;
{%- if has_values %}
    typename Sort::Values values;
{%- endif %}
    const unsigned int half = half_of_pieces(arguments);
#pragma unroll
    for (int i = 0; i < Sort::kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<Sort::kItemsPerThread>(i);
      keys[i] = bits_as<Key>(StoredBits(0));
      if (position >= size) continue;
      const unsigned int from = kGathers ? source_of(pieces, half, position) : first + position;
      keys[i] = kGathers ? arguments.keys_alternate[from] : arguments.keys_out[from];
{%- if has_values %}
      values[i] = kGathers ? arguments.values_alternate[from] : arguments.values_out[from];
{%- endif %}
    }
    Sort(sort_storage)
        .SortWarpStripedToStriped(keys, {% if has_values %}values, {% endif %}arguments.begin_bit, arguments.end_bit, static_cast<int>(size));
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
