  // Which cell of a bucket's range an order is in: cells are equally wide, and a greater order is in no lesser cell.
  struct CellMap {
    // The least order.
    Bits base;
    // How far left to shift what is above it so that of the greatest, at least, the first bit is a one.
    int shift;
    // Cells for each 2^32 of the upper 32 bits of that.
    unsigned int scale;

    // The cell, and behind the point where in its range the order is.
    __device__ __forceinline__ unsigned long long cell_of(Bits order) const {
      const unsigned int above = static_cast<unsigned int>((order - base) << shift >> (8 * sizeof(Bits) - 32));
      return static_cast<unsigned long long>(above) * scale;
    }

    // Whether so many bits behind the point tell any two orders apart.
    __device__ __forceinline__ bool tells_apart(int fraction_bits) const {
      const int step = shift - static_cast<int>(8 * sizeof(Bits) - 32);
      return step >= 0 && static_cast<unsigned long long>(scale) << step >> (32 - fraction_bits) != 0;  //~ keys-apart
    }
  };

  static __device__ __forceinline__ CellMap map_of(OrderRange range, unsigned int cells) {
    const int shift = static_cast<int>(8 * sizeof(Bits)) - bit_length((range.most - range.least) | 1);
    const Bits greatest = (range.most - range.least) << shift;
    // Rounded so that the greatest order has a cell.
    const unsigned int upper = static_cast<unsigned int>(greatest >> (8 * sizeof(Bits) - 16)) + 1;
    return {range.least, shift, (cells << 16) / upper};  //~ scale-of-cells
  }

  // Of the first and the last bucket one end of the range is not known from splitters. The items themselves tell how far from
  // the other end they are, to the next power of two.
  template <int kItems>
  static __device__ __forceinline__ OrderRange known_range(BucketStorage& storage, OrderRange range, const Bits (&orders)[kItems],
                                                           unsigned int size) {
    const bool is_first = bucket_of_block() == 0;
    if (is_first == is_last_bucket()) return range;
    Bits distances = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const Bits distance = is_first ? range.most - orders[i] : orders[i] - range.least;
      distances |= position_of(i) < size ? distance : 0;
    }
    atomicMax(&storage.distance_bits, bit_length(distances));  //~ range-bits
    __syncthreads();
    const Bits most = storage.distance_bits == 0 ? 0 : ~Bits(0) >> (8 * sizeof(Bits) - storage.distance_bits);  //~ range-width
    if (is_first) return {range.most < most ? 0 : range.most - most, range.most};
    return {range.least, range.least + most < most ? ~Bits(0) : range.least + most};
  }

  // The position in the bucket of the items that a thread has.
  static __device__ __forceinline__ unsigned int position_of(int item) { return item * kBlockThreads + threadIdx.x; }

  // How a bucket of at most so many items for each thread is sorted by cells and windows: by so many cells for each thread,
  // whose numbers have so many bits.
  template <int kRowsOfItems, unsigned int kOwnCells, int kCellBits>
  struct Windows {
    static constexpr int kRows = kRowsOfItems;
    static constexpr unsigned int kCellsPerThread = kOwnCells;
    static constexpr unsigned int kCells = kCellsPerThread * kBlockThreads;
    // Places of a window.
    static constexpr int kPlaces = kRows <= 6 ? 8 : 16;
    // Windows are half a window apart. Two of them hold any cell of so many items.
    static constexpr unsigned int kHalf = kPlaces / 2;
    static constexpr unsigned int kFewInCell = kHalf + 1;
    // A word has an item's position in the bucket, before that where in its cell's range it is, and before that where the
    // cell starts: as many bits of it as tell it from the others near by.
    static constexpr int kPositionBits = kCellBits;
    static constexpr int kFractionBits = 32 - kStartBits - kPositionBits;
    static constexpr unsigned int kPositionMask = (1u << kPositionBits) - 1u;
    static constexpr unsigned int kFractionMask = (1u << kFractionBits) - 1u;
    using Merge = OddEvenMerge<kPlaces>;
    static_assert(kRows <= kMostRows && kRows <= kOwnCells && kCells <= kMaxCells, "there is room for items and cells");
    static_assert(kCells <= 1u << kPositionBits, "a cell, a place and a position have room");
    static_assert(kMostInCell + 2 * kPlaces <= 1u << kStartBits, "starts tell cells apart");

    static __device__ __forceinline__ unsigned int slot_of_cell(unsigned int cell) { return slot_of<kCellsPerThread>(cell); }
    static __device__ __forceinline__ unsigned int slot_of_place(unsigned int place) { return slot_of<kPlaces>(place); }
  };

  // Sorts a bucket whose keys are spread about evenly over its range, as those of a small part of any smooth distribution are.
  // Each item goes to one of as many cells as there may be items, which nearly sorts them; then windows of places are sorted,
  // overlapping ones by turns. Returns whether it was so; if a cell is crowded, nothing is written.
  template <typename Plan>
  static __device__ __forceinline__ bool sort_in_windows(const Arguments& arguments, BucketStorage& storage, OrderRange range,
                                                         unsigned int first, unsigned int size) {
    constexpr int kRows = Plan::kRows;
    WindowItems& items = storage.windows;
    // First all reads, so that they take the time of one: where there is no item, of any other. Items take the place of marks
    // when all have been found by them.
    unsigned int sources[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) sources[row] = source_of(storage, position_of(row), size);
    // The compiler would begin with some reads before it has found the rest, and wait for them.
    __syncwarp();
    Key keys[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      keys[row] = arguments.keys_alternate[sources[row]];
{%- if has_values %}
      copy_async(&items.values[position_of(row)], &arguments.values_alternate[sources[row]]);
{%- endif %}
    }
    __syncthreads();
    Bits orders[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      items.keys[position_of(row)] = bits_as<StoredBits>(keys[row]);
      orders[row] = order_of(arguments, keys[row]);
    }
    range = known_range(storage, range, orders, size);
    const CellMap map = map_of(range, Plan::kCells);

    // Of each item its number in its cell, the cell's slot, and where in the cell's range it is. A number that has no room is
    // one in a crowd, and not used.
    unsigned int numbers[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const bool is_there = position_of(row) < size;
      const unsigned long long cell = map.cell_of(orders[row]);
      const unsigned int slot = opaque(is_there ? Plan::slot_of_cell(static_cast<unsigned int>(cell >> 32)) : 0);
      const unsigned int fraction = static_cast<unsigned int>(cell) >> (32 - Plan::kFractionBits);
      unsigned int number = 0;
      if (is_there) number = atomicAdd(&items.starts[slot], 1u);  //~ counted-item
      numbers[row] = number << (32 - kStartBits) | slot << Plan::kFractionBits | fraction;
    }
    __syncthreads();
    find_starts<Plan>(storage);
    __syncthreads();
    const unsigned int most = storage.most;
{%- if has_values %}
    if (most > kMostInCell) wait_for_copies();
{%- endif %}
    if (most > kMostInCell) return false;  //~ heavy-cell-of-bucket
    // Then its place, and the word but for the position.
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned int start = items.starts[numbers[row] >> Plan::kFractionBits & Plan::kPositionMask];
      const unsigned int place = start + (numbers[row] >> (32 - kStartBits));
      numbers[row] = place << (32 - Plan::kPositionBits) | (start & kStartMask) << Plan::kFractionBits | (numbers[row] & Plan::kFractionMask);
    }
    // Words are where the starts were.
    __syncthreads();
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned int position = position_of(row);
      const unsigned int slot = opaque(Plan::slot_of_place(numbers[row] >> (32 - Plan::kPositionBits)));
      if (position < size) items.words[slot] = numbers[row] << Plan::kPositionBits | position;  //~ composite-of-item
    }
    // Behind the last item there are greater words to the end of its window.
    const unsigned int behind = size + threadIdx.x;
    if (threadIdx.x < Plan::kPlaces) items.words[Plan::slot_of_place(behind)] = behind << (32 - kStartBits) | ~0u >> kStartBits;  //~ padding-of-bucket
    {% if has_values %}wait_for_copies();
    {% endif %}__syncthreads();
    sort_windows<Plan>(storage, size, most);
    if (!map.tells_apart(Plan::kFractionBits) && !sort_ties<Plan>(arguments, storage, size)) return false;  //~ ties-of-composites
    const unsigned int keys_to_write = arguments.writes_keys ? size : 0;  //~ keys-of-windows
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned int place = position_of(row);
      const unsigned int word = items.words[Plan::slot_of_place(place)];
      const unsigned int position = opaque(place < size ? word & Plan::kPositionMask : 0);
      const Key key = bits_as<Key>(items.keys[position]);
      if (place < keys_to_write) arguments.keys_out[first + place] = key;
{%- if has_values %}
      const Value value = items.values[position];
      if (place < size) arguments.values_out[first + place] = value;  //~ value-of-window
{%- endif %}
    }
    return true;
  }

  // The same by the fewest items per thread that hold the bucket.
  static __device__ __forceinline__ bool sort_by_windows(const Arguments& arguments, BucketStorage& storage, OrderRange range,
                                                         unsigned int first, unsigned int size) {
{%- for window in windows %}
    if (size <= {{ window.rows }} * kBlockThreads) {
      return sort_in_windows<Windows<{{ window.rows }}, {{ window.cells_per_thread }}, {{ window.cell_bits }}>>(arguments, storage, range, first, size);
    }
{%- endfor %}
    return false;
  }

  // Makes counts of cells the places where they start, and finds the most of them, if a cell has many.
  template <typename Plan>
  static __device__ __forceinline__ void find_starts(BucketStorage& storage) {
    constexpr unsigned int kOwn = Plan::kCellsPerThread;
    FourWords* const starts = reinterpret_cast<FourWords*>(storage.windows.starts);
    FourWords counts[kOwn / 4];
    unsigned int sum = 0;
    unsigned int most = 0;
#pragma unroll
    for (unsigned int i = 0; i < kOwn; ++i) {
      if (i % 4 == 0) counts[i / 4] = starts[Plan::slot_of_cell(threadIdx.x * kOwn + i) / 4];
      const unsigned int count = counts[i / 4].words[i % 4];
      sum += count;
      most = count > most ? count : most;
    }
    if (most > Plan::kFewInCell) atomicMax(&storage.most, most);  //~ largest-cell-of-bucket
    unsigned int total;
    unsigned int start = exclusive_sum(storage.item_sums, sum, total);
#pragma unroll
    for (unsigned int i = 0; i < kOwn; ++i) {
      const unsigned int count = counts[i / 4].words[i % 4];
      counts[i / 4].words[i % 4] = start;
      start += count;
      if (i % 4 == 3) starts[Plan::slot_of_cell(threadIdx.x * kOwn + i) / 4] = counts[i / 4];
    }
  }

  // Sorts the windows that begin at each thread's places, then by turns merges the halves of those that begin half a window later
  // and of these. A cell that lies in two halves is sorted by the first merge, one that lies in more of them by as many rounds at
  // most. A round that finds all in order is the last one.
  template <typename Plan>
  static __device__ __forceinline__ void sort_windows(BucketStorage& storage, unsigned int size, unsigned int most) {
    const unsigned int first = threadIdx.x * Plan::kPlaces;
    if (first < size) sort_window<Plan, true>(storage, first);
    __syncthreads();
    const unsigned int halves = most <= Plan::kFewInCell ? 2 : (most + Plan::kHalf - 2) / Plan::kHalf + 1;  //~ number-of-halves
    bool is_sorted = false;
    for (unsigned int round = 1; round < halves && !is_sorted; ++round) {  //~ rounds-of-windows
      const unsigned int start = first + round % 2 * Plan::kHalf;  //~ alternating-halves
      is_sorted = !__syncthreads_or(start + Plan::kHalf < size && sort_window<Plan, false>(storage, start));
    }
  }

  // Sorts a window, or only merges its halves. Returns whether they were in the wrong order.
  template <typename Plan, bool kSortsAll>
  static __device__ __forceinline__ bool sort_window(BucketStorage& storage, unsigned int first) {
    // Cells that reach into the window start so far before it at most; from there on starts ascend.
    const unsigned int shift = (kMostInCell - first) << (32 - kStartBits);  //~ shift-of-window
    unsigned int* const all = storage.windows.words;
    if constexpr (!kSortsAll) {
      const unsigned int last = all[Plan::slot_of_place(first + Plan::kHalf - 1)];
      if (last + shift < all[Plan::slot_of_place(first + Plan::kHalf)] + shift) return false;
    }
    unsigned int words[Plan::kPlaces];
#pragma unroll
    for (int i = 0; i < Plan::kPlaces; i += 4) {
      const FourWords four = *reinterpret_cast<const FourWords*>(all + Plan::slot_of_place(first + i));
#pragma unroll
      for (int k = 0; k < 4; ++k) words[i + k] = four.words[k] + shift;
    }
    if constexpr (kSortsAll) {
      Plan::Merge::sort(words);
    } else {
      Plan::Merge::merge_halves(words);
    }
#pragma unroll
    for (int i = 0; i < Plan::kPlaces; i += 4) {
      FourWords four;
#pragma unroll
      for (int k = 0; k < 4; ++k) four.words[k] = words[i + k] - shift;
      *reinterpret_cast<FourWords*>(all + Plan::slot_of_place(first + i)) = four;
    }
    return true;
  }

  // Words that differ in their positions alone may be of keys that differ: neighbours that are in the wrong order change
  // places until there are none. Returns false if that takes too long.
  template <typename Plan>
  static __device__ __forceinline__ bool sort_ties(const Arguments& arguments, BucketStorage& storage, unsigned int size) {
    for (unsigned int round = 0; round < kTieRounds; ++round) {
      bool is_done = true;
#pragma unroll
      for (unsigned int parity = 0; parity < 2; ++parity) {
        for (unsigned int place = 2 * threadIdx.x + parity; place + 1 < size; place += 2 * kBlockThreads) {
          unsigned int& lower = storage.windows.words[Plan::slot_of_place(place)];
          unsigned int& upper = storage.windows.words[Plan::slot_of_place(place + 1)];
          const unsigned int word = lower;
          const unsigned int next = upper;
          if ((word ^ next) >> Plan::kPositionBits != 0) continue;
          const Bits order = order_of(arguments, bits_as<Key>(storage.windows.keys[word & Plan::kPositionMask]));
          if (order <= order_of(arguments, bits_as<Key>(storage.windows.keys[next & Plan::kPositionMask]))) continue;  //~ tied-neighbours
          lower = next;
          upper = word;
          is_done = false;
        }
        __syncthreads();
      }
      if (!is_done) atomicMax(&storage.ties_round, round + 1);
      __syncthreads();
      if (storage.ties_round != round + 1) return true;  //~ ties-in-next-round
    }
    return false;
  }
