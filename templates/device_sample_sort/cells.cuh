  // Which cell of a bucket's range an order is in: cells are equally wide, and a greater order is in no lesser cell.
  struct CellMap {
    // The least order.
    Bits base;
    // How far left to shift what is above it so that of the greatest, at least, the first bit is a one.
    int shift;
    // Cells for each 2^32 of the upper 32 bits of that.
    unsigned int scale;

    __device__ __forceinline__ unsigned int cell_of(Bits order) const {
      const unsigned int above = static_cast<unsigned int>((order - base) << shift >> (8 * sizeof(Bits) - 32));
      return static_cast<unsigned int>(static_cast<unsigned long long>(above) * scale >> 32);
    }
  };

  static __device__ __forceinline__ CellMap map_of(OrderRange range, unsigned int cells) {
    const int shift = static_cast<int>(8 * sizeof(Bits)) - bit_length((range.most - range.least) | 1);
    const Bits greatest = (range.most - range.least) << shift;
    // Rounded so that the greatest order has a cell.
    const unsigned int upper = static_cast<unsigned int>(greatest >> (8 * sizeof(Bits) - 16)) + 1;
    return {range.least, shift, (cells << 16) / upper};
  }

  // Of the first and the last bucket one end of the range is not known from splitters. The items themselves tell how far from
  // the other end they are, to the next power of two.
  template <int kItems>
  static __device__ __forceinline__ OrderRange known_range(BucketStorage& storage, OrderRange range, const Bits (&orders)[kItems],
                                                           unsigned int size) {
    const bool is_first = blockIdx.x == 0;
    if (is_first == (blockIdx.x + 1 == gridDim.x)) return range;
    Bits distances = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (position_of(i) < size) distances |= is_first ? range.most - orders[i] : orders[i] - range.least;
    }
    atomicMax(&storage.distance_bits, bit_length(distances));
    __syncthreads();
    const Bits most = storage.distance_bits == 0 ? 0 : ~Bits(0) >> (8 * sizeof(Bits) - storage.distance_bits);
    if (is_first) return {range.most < most ? 0 : range.most - most, range.most};
    return {range.least, range.least + most < most ? ~Bits(0) : range.least + most};
  }

  // The position in the bucket of the items that a thread has.
  static __device__ __forceinline__ unsigned int position_of(int item) { return item * kBlockThreads + threadIdx.x; }

  // Sorts a bucket whose keys are spread about evenly over its range, as those of a small part of any smooth distribution are:
  // each item goes to one of as many cells as there may be items, and is compared with those that are in its cell. Returns
  // whether it was so; if a cell is crowded, nothing is written.
  template <int kItems>
  static __device__ __forceinline__ bool sort_in_cells(const Arguments& arguments, BucketStorage& storage, OrderRange range,
                                                       unsigned int first, unsigned int size) {
    constexpr unsigned int kCells = kItems * kBlockThreads;
    unsigned int sources[kItems];
    Bits orders[kItems] = {};
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      sources[i] = source_of(storage, position_of(i), size);
      if (position_of(i) < size) orders[i] = order_of(arguments, arguments.keys_alternate[sources[i]]);
    }
    range = known_range(storage, range, orders, size);
    const CellMap map = map_of(range, kCells);
    // Within a cell, orders and positions together must differ by less than half of what their type holds.
    if (map.shift == 0) return false;

    // The number of each item in its cell, and the cell's slot.
    unsigned int numbers[kItems];
    bool is_crowded = false;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (position_of(i) >= size) continue;
      const unsigned int slot = slot_of_cell(map.cell_of(orders[i]));
      const unsigned int before = atomicAdd(&storage.cells.starts[slot], 1u);
      numbers[i] = before << 16 | slot;
      if (before >= kCrowd) is_crowded = true;
    }
    // Not by a vote at the barrier: to leave by its result is more than the assembler of CUDA 13 can do for sm_100.
    if (is_crowded) atomicOr(&storage.is_crowded, 1u);
    __syncthreads();
    if (storage.is_crowded != 0) return false;
    find_starts<kItems>(storage);
    __syncthreads();

    // An order's lower bits are enough within a cell, and make room for what tells equal ones apart.
    Bits entries[kItems];
    // Items of the cell, and where they begin.
    unsigned int cells[kItems] = {};
    unsigned int most = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned int position = position_of(i);
      if (position >= size) continue;
      const unsigned int slot = numbers[i] & 0xffff;
      const unsigned int start = storage.cells.starts[slot];
      const unsigned int count = storage.cells.starts[slot + 1] - start;
      entries[i] = orders[i] * kCells + position;
      storage.cells.entries[start + (numbers[i] >> 16)] = entries[i];
      cells[i] = count << 16 | start;
      if (count > most) most = count;
    }
    __syncthreads();
    // All items at once: each alone would wait for one read after the other.
    unsigned int places[kItems] = {};
    for (unsigned int other = 0; other < most; ++other) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (other < cells[i] >> 16) places[i] += comes_before(storage.cells.entries[(cells[i] & 0xffff) + other], entries[i]);
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (position_of(i) >= size) continue;
      const unsigned int place = (cells[i] & 0xffff) + places[i];
      storage.sorted.keys[place] = bits_as<StoredBits>(arguments.keys_alternate[sources[i]]);
{%- if has_values %}
      storage.sorted.values[place] = arguments.values_alternate[sources[i]];
{%- endif %}
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned int position = position_of(i);
      if (position >= size) continue;
      if (arguments.writes_keys) arguments.keys_out[first + position] = bits_as<Key>(storage.sorted.keys[position]);
{%- if has_values %}
      arguments.values_out[first + position] = storage.sorted.values[position];
{%- endif %}
    }
    return true;
  }

  // The same by the fewest items per thread that hold the bucket.
  static __device__ __forceinline__ bool sort_by_cells(const Arguments& arguments, BucketStorage& storage, OrderRange range,
                                                       unsigned int first, unsigned int size) {
{%- for items in cell_items %}
    if (size <= {{ items }} * kBlockThreads) return sort_in_cells<{{ items }}>(arguments, storage, range, first, size);
{%- endfor %}
    return false;
  }

  // Makes counts of cells the places where they begin.
  template <int kItems>
  static __device__ __forceinline__ void find_starts(BucketStorage& storage) {
    const unsigned int first = threadIdx.x * kItems;
    unsigned int counts[kItems];
    unsigned int sum = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      counts[i] = storage.cells.starts[slot_of_cell(first + i)];
      sum += counts[i];
    }
    unsigned int total;
    unsigned int start = exclusive_sum(storage.item_sums, sum, total);
    // The slot behind a cell's is the next one's, or a gap that says the same.
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if ((first + i) % 32 == 0 && first + i > 0) storage.cells.starts[slot_of_cell(first + i) - 1] = start;
      storage.cells.starts[slot_of_cell(first + i)] = start;
      start += counts[i];
    }
    if (threadIdx.x == kBlockThreads - 1) storage.cells.starts[slot_of_cell(kItems * kBlockThreads) - 1] = start;
  }

  // Of entries in one cell, which are less than half of what their type holds apart.
  static __device__ __forceinline__ bool comes_before(Bits entry, Bits own) {
    return (entry - own) >> (8 * sizeof(Bits) - 1) != 0;
  }
