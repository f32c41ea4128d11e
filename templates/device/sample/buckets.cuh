 private:
  // Sorts buckets by digits, of at most kItems items for each thread.
  template <int kItems>
  using BucketSort = {{ base.name }}_bucket_sort<kItems>;
  using LargestSort = BucketSort<{{ max_bucket_items }}>;

  // Of each tile's part of a bucket: the position in the bucket of its first item, and what to add to a position to make
  // it one in the array.
  struct Pieces {
    unsigned int positions[kBlockThreads];
    unsigned int offsets[kBlockThreads];
  };

  // Items that are sorted by sub-buckets and register windows have at most this number of rows, of one for each thread.
  static constexpr unsigned int kMaxRows = {{ max_register_window_rows }};
  static constexpr unsigned int kMaxRegisterWindowItems = kMaxRows * kBlockThreads;
  static constexpr unsigned int kMaxSubBuckets = {{ max_sub_buckets }};
  // A sub-bucket of more items overflows: it would take longer than a radix sort does.
  static constexpr unsigned int kMaxSubBucket = {{ max_sub_bucket }};
{%- if of_rows %}
  // Lanes with the same key as their warp's first one, at least, that tell that the bucket does without counting; the first lane is among them.
  static constexpr int kAlikeLanes = 6;
{%- else %}
  // Threads with the same key as their warp's first lane, at least, that tell that one does without counting; the first lanes are among them.
  static constexpr unsigned int kAlikeThreads = kWarps + (kBlockThreads / 16 < 16 ? 16 : kBlockThreads / 16);
{%- endif %}
  // Bits of a sub-bucket's first offset that tell it from others near by.
  static constexpr int kStartBits = 8;
  // One past a key's last bit.
  static constexpr unsigned int kNoBit = 8 * sizeof(Bits);
  // Rounds in which items are sorted that composite keys do not tell apart.
  static constexpr unsigned int kTieRounds = 16;

  // As many positions as the largest sort takes items.
  static constexpr unsigned int kMaxMarks = LargestSort::kTileItems;

  // Of a position: which piece begins there, or none.
  struct Mark {
    unsigned short piece_and_one;
    static __device__ __forceinline__ Mark of(unsigned int piece) { return {static_cast<unsigned short>(piece + 1)}; }
    __device__ __forceinline__ bool is_there() const { return piece_and_one != 0; }
    __device__ __forceinline__ unsigned int piece() const { return piece_and_one - 1u; }
  };

  // Where pieces are in the bucket: the mark of each position, and the piece of the first of each row of a warp's positions.
  struct Marks {
    static constexpr unsigned int kRowPositions = kWarpThreads;
    Mark at[kMaxMarks];
    unsigned short heads[kMaxMarks / kRowPositions];
  };

  // The items that are sorted by sub-buckets and register windows, by their positions in the bucket.
  struct RegisterWindowItems {
    union {
      // Items of each sub-bucket, then its first offset.
      __align__(16) unsigned int counters[kMaxSubBuckets];
      // At each offset what register windows compare; one register window's behind the last one.
      __align__(16) unsigned int composite_keys[kMaxSubBuckets + 32];
    };
    union {
      // For as long as items are not gathered.
      __align__(16) Marks marks;
      StoredBits keys[kMaxRegisterWindowItems];
    };
{%- if value.exists %}
    Value values[kMaxRegisterWindowItems];
{%- endif %}
  };

  // What a block of _buckets keeps in shared memory.
  struct BucketStorage {
    Pieces pieces;
    unsigned int item_sums[kWarps];
    // The bucket's offset in the array.
    unsigned int first;
    unsigned int distance_bits;
    // The lowest bit that is set in any key's distance from the least compared bits, and one past the highest one.
    unsigned int lowest_bit;
    unsigned int past_highest_bit;
    // The items of the largest sub-bucket, where one is not small.
    unsigned int max_count;
    // The last round in which ties were exchanged.
    unsigned int ties_round;
    union {
      RegisterWindowItems register_windows;
{%- for items in bucket_items %}
      __align__(16) BucketSort<{{ items }}>::TempStorage sort_of_{{ items }};
{%- endfor %}
    };
  };
  static_assert(sizeof(BucketStorage) == kBucketSharedBytes, "the storage is laid out as planned");

 public:
  // Sorts one bucket, by the smallest sort that holds it.
  static __device__ __forceinline__ void sort_bucket(const Arguments& arguments, unsigned char* shared) {
    BucketStorage& storage = *reinterpret_cast<BucketStorage*>(shared);
    wait_for_previous_grid();
    // First all reads, so that they take the time of one, in which the storage is cleared.
    const Piece piece = piece_of_tile(arguments, threadIdx.x);
    const ComparedRange range = range_of_bucket(arguments);
    clear(storage);
    unsigned int first = 0;
    const unsigned int size = find_pieces(arguments, storage, piece, first);
    // With more items than its compared bits have room for, a sub-bucket overflows.
    const bool overflows = size > kMaxSubBucket && range.max - range.min < (size - 1) / kMaxSubBucket;  //~ few-distinct
    if (size <= kMaxRegisterWindowItems && !overflows) {  //~ sorted-by-register-windows
      bool are_marked = true;
      if (sort_by_register_windows(arguments, storage, range, first, size, are_marked)) return;
      if (!are_marked) mark_pieces_again(storage, size);  //~ marks-again
    }
{%- for items in bucket_items %}
{%- if !loop.last || !shares_largest %}
    if (size <= BucketSort<{{ items }}>::kTileItems) {
      sort_items<BucketSort<{{ items }}>>(arguments, storage, storage.sort_of_{{ items }}, range, first, size, true);
      return;
    }
{%- endif %}
{%- endfor %}
    sort_by_largest(arguments, storage, range, first, size);
  }

 private:
  // The minimum and the maximum compared bits that a bucket's keys may have.
  struct ComparedRange {
    Bits min;
    Bits max;
  };

  // A block for each{% if counts_items %}, of those that have one: there may be more{% endif %}.
  static __device__ __forceinline__ unsigned int buckets_of([[maybe_unused]] const Arguments& arguments) {
    return {% if counts_items %}bucket_count(arguments.n){% else %}gridDim.x{% endif %};
  }

  // Where there are more buckets than a GPU's blocks at a time, the larger ones come first; see is_splitter. The others are done
  // sooner, so that few multiprocessors wait for the last ones.
  static __device__ __forceinline__ unsigned int bucket_of_block(const Arguments& arguments) {
    if (buckets_of(arguments) < kBlockThreads) return blockIdx.x;
    const unsigned int half = buckets_of(arguments) / 2;
    return blockIdx.x < half ? 2 * blockIdx.x + 1 : 2 * (blockIdx.x - half);  //~ bucket-of-block
  }

  static __device__ __forceinline__ bool is_last_bucket(const Arguments& arguments) { return bucket_of_block(arguments) + 1 == buckets_of(arguments); }  //~ last-bucket

  static __device__ __forceinline__ ComparedRange range_of_bucket(const Arguments& arguments) {
    const Splitter* const splitters = splitters_of(arguments);
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return {0, 0};
    const unsigned int bucket = bucket_of_block(arguments);
    // Equal items of the next splitter may be in the bucket.
    return {bucket == 0 ? 0 : splitters[bucket].compared,
            is_last_bucket(arguments) ? ~Bits(0) >> (8 * sizeof(Bits) - bits) : splitters[bucket + 1].compared};  //~ next-splitter
  }

  // The compared bits that the block sorts go by distances from.
  static __device__ __forceinline__ Bits base_of([[maybe_unused]] const Arguments& arguments, ComparedRange range) {
{%- if key.has_float_field %}
    // The block sorts pad with what is one below the base: with all bits, of which no field is -0.0.
    (void)range;
    return 0;
{%- else %}
    Bits min = range.min;  //~ base-of-range
{%- if key.is_float %}
    // The block sorts pad with what is one below the base: not with -0.0, which they would compare as another.
    const Bits below = (min << arguments.begin_bit) - 1;
    if (arguments.begin_bit != arguments.end_bit && compared_bits(below) != below) --min;  //~ base-below-zero
{%- endif %}
    return min;
{%- endif %}
  }

  // Which bits of keys the block sorts go by.
  struct Digits {
    int begin_bit;
    int end_bit;
  };

  // The bits from the lowest to the highest one in which any key differs from the base: few, where a bucket has few distinct keys. `distances`
  // has what is set in those of the thread's keys. All threads of the block call it.
  static __device__ __forceinline__ Digits digits_of(const Arguments& arguments, BucketStorage& storage, Bits distances) {
    const unsigned int lowest = distances == 0 ? kNoBit : static_cast<unsigned int>(bit_length(distances & (0 - distances)) - 1);
    const unsigned int lowest_of_warp = min_in_warp(lowest);
    const unsigned int past_highest_of_warp = max_in_warp(static_cast<unsigned int>(bit_length(distances)));
    if (lane_of(threadIdx.x) == 0) {
      atomicMin(&storage.lowest_bit, lowest_of_warp);  //~ lowest-bit
      atomicMax(&storage.past_highest_bit, past_highest_of_warp);  //~ highest-bit
    }
    __syncthreads();  //~ gathered-items
    const int end = static_cast<int>(storage.past_highest_bit);
    const int begin = end == 0 ? 0 : static_cast<int>(storage.lowest_bit);
    return {arguments.begin_bit + begin, arguments.begin_bit + end};
  }

  // What is counted in, and what is marked.
  static __device__ __forceinline__ void clear(BucketStorage& storage) {
    clear_words<sizeof(storage.register_windows.counters), kBlockThreads, 1>(storage.register_windows.counters);
    clear_words<sizeof(storage.register_windows.marks.at), kBlockThreads, 1>(storage.register_windows.marks.at);
    if (threadIdx.x != 0) return;
    storage.first = storage.distance_bits = storage.max_count = storage.ties_round = storage.past_highest_bit = 0;
    storage.lowest_bit = kNoBit;
  }

  // The bucket's part of a tile: where in it that begins, and its items; none of a tile that is not there.
  struct Piece {
    unsigned int start;
    unsigned int items;
  };

  static __device__ __forceinline__ Piece piece_of_tile(const Arguments& arguments, unsigned int tile) {
    const unsigned int tiles = tile_count(arguments.n);
    if (tile >= tiles) return {0, 0};
    const unsigned short* const offsets = tile_offsets_of(arguments) + bucket_of_block(arguments) * tiles + tile;
    const unsigned int start = offsets[0];
    const unsigned int end = is_last_bucket(arguments) ? items_of_tile(arguments, tile) : offsets[tiles];
    return {start, end - start};
  }

  // Finds where in the bucket each thread's piece is. Returns the bucket's size; `first` is its offset in the array.
  static __device__ __forceinline__ unsigned int find_pieces([[maybe_unused]] const Arguments& arguments, BucketStorage& storage, Piece piece,
                                                             unsigned int& first) {
    unsigned int size;
    const unsigned int position = exclusive_sum(storage.item_sums, piece.items, size);
    // What is before the bucket in all tiles is before it in the array.
    const unsigned int before = inclusive_sum_in_warp(piece.start, ~0u);
    if (lane_of(threadIdx.x) == 31) atomicAdd(&storage.first, before);  //~ bucket-offset
    // Behind the last tile these are the bucket's size.
    storage.pieces.positions[threadIdx.x] = position;
    storage.pieces.offsets[threadIdx.x] = threadIdx.x * {{ tile_items }} + piece.start - position;
    mark_piece(storage, position, position + piece.items);
    __syncthreads();
    first = storage.first;
    return size;
  }

  // What is behind is in a large bucket.
  static __device__ __forceinline__ void mark_piece(BucketStorage& storage, unsigned int start, unsigned int end) {
    Marks& marks = storage.register_windows.marks;
    if (end > kMaxMarks) end = kMaxMarks;
    if (start < end) marks.at[start] = Mark::of(threadIdx.x);  //~ mark-of-piece
#pragma unroll 1
    for (unsigned int row = (start + Marks::kRowPositions - 1) / Marks::kRowPositions; row * Marks::kRowPositions < end; ++row) {
      marks.heads[row] = static_cast<unsigned short>(threadIdx.x);
    }
  }

  // Items have taken the place of marks, and no thread reads them now.
  static __device__ __forceinline__ void mark_pieces_again(BucketStorage& storage, unsigned int size) {
    clear_words<sizeof(Marks::at), kBlockThreads, 1>(storage.register_windows.marks.at);  //~ cleared-marks
    __syncthreads();
    const unsigned int end = threadIdx.x + 1 < kBlockThreads ? storage.pieces.positions[threadIdx.x + 1] : size;
    mark_piece(storage, storage.pieces.positions[threadIdx.x], end);
    __syncthreads();
  }

  // The piece that a position of the bucket is in.
  static __device__ __forceinline__ unsigned int piece_at(const Arguments& arguments, const Pieces& pieces, unsigned int position) {
    // Half of the tiles, rounded up to a power of two.
    const unsigned int tiles = tile_count(arguments.n);
    unsigned int piece = 0;
    for (unsigned int step = tiles <= 2 ? 1 : 1u << (31 - __clz(tiles - 1)); step > 0; step /= 2) {
      if (pieces.positions[piece + step] <= position) piece += step;  //~ piece-search
    }
    return piece;
  }

  // Where the bucket's item of a position is among the alternate ones: in the piece with the last mark before. A warp
  // asks for neighbouring positions, of which the first is the first of a row. Behind the last item it is the first of all.
  static __device__ __forceinline__ unsigned int source_of(const BucketStorage& storage, unsigned int position, unsigned int size) {
    const Mark mark = storage.register_windows.marks.at[position];
    const unsigned int lanes_to_here = ~0u >> (31 - lane_of(threadIdx.x));  //~ lanes-to-here
    const unsigned int marked = __ballot_sync(~0u, mark.is_there()) & lanes_to_here;
    const unsigned int last = __shfl_sync(~0u, mark.piece(), 31 - __clz(marked));
    const unsigned int head = storage.register_windows.marks.heads[position / Marks::kRowPositions];  //~ head-of-row
    const unsigned int piece = position >= size ? 0 : marked != 0 ? last : head;
    const unsigned int offset = storage.pieces.offsets[piece];
    return position < size ? offset + position : 0;
  }

  // Sorts at most a tile of items: those of the bucket, or where it does not gather them, those that are in the result from `first` on.
  template <typename Sort>
  static __device__ __forceinline__ void sort_items(const Arguments& arguments, BucketStorage& storage,
                                                    typename Sort::TempStorage& sort_storage, ComparedRange range, unsigned int first,
                                                    unsigned int size, bool gathers) {
    typename Sort::Keys keys;
{%- if value.exists %}
    typename Sort::Values values;
{%- endif %}
    const Bits base = base_of(arguments, range);
    Bits distances = 0;
#pragma unroll
    for (int i = 0; i < Sort::kItemsPerThread; ++i) {
      const unsigned int position = warp_striped<Sort::kItemsPerThread>(threadIdx.x, i);
      unsigned int source = first + position;
      if (gathers) source = source_of(storage, position, size);
      keys[i] = {% if key.is_struct %}Key{}{% else %}bits_as<Key>(StoredBits(0)){% endif %};
      if (position >= size) continue;  //~ gathered-item
      keys[i] = (gathers ? arguments.keys_alternate : arguments.keys_out)[source];
{%- if value.exists %}
      values[i] = (gathers ? arguments.values_alternate : arguments.values_out)[source];
{%- endif %}
      distances |= compared_of(arguments, keys[i]) {% if key.has_float_field %}^ range.min{% else %}- base{% endif %};  //~ distances-of-keys
    }
    // Behind its barrier the sort's storage takes the place of the marks.
    const Digits digits = digits_of(arguments, storage, distances);
    Sort(sort_storage, arguments.begin_bit == arguments.end_bit ? 0 : base << arguments.begin_bit)
        .Sort(keys, {% if value.exists %}values, {% endif %}digits.begin_bit, digits.end_bit, size);
#pragma unroll
    for (int i = 0; i < Sort::kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position >= size) continue;
      if (arguments.writes_keys || !gathers) arguments.keys_out[first + position] = keys[i];  //~ written-key-of-bucket
{%- if value.exists %}
      arguments.values_out[first + position] = values[i];
{%- endif %}
    }
  }
