  // Sorts parts where they lie, each block one after the other. Should one be too large for a block, or its items crowded, the
  // second phase does all.
  static __device__ __forceinline__ void sort_parts(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_prefixes) return;
    PartStorage& storage = *reinterpret_cast<PartStorage*>(shared);
    const int bits = control.prefix_bit - arguments.begin_bit;
    const PartRange range{arguments.begin_bit, bits, static_cast<unsigned int>((static_cast<unsigned long long>(kCells) << 32) >> bits)};
    const unsigned int parts = part_count(arguments, control);
    Part part = find_part(arguments, blockIdx.x, parts);
    while (part.number < parts) {
      // Where the next part is, is on its way while one is sorted.
      const Part next = find_part(arguments, part.number + gridDim.x, parts);
      if (part.size > kPartItems || (part.size > 1 && !sort_part(arguments, storage, range, part))) control.needs_all = 1;
      // All have read what the next part overwrites.
      __syncthreads();
      part = next;
    }
  }

 private:
  // Items that agree in the bits from prefix_bit up: all of one number.
  struct Part {
    unsigned int number;
    Count first;
    Count size;
  };

  // The bits that a part is sorted by.
  struct PartRange {
    int bit;
    int bits;
    // Cells for each 2^32 orders: of a product with it the upper half is the cell, the lower one where in that.
    unsigned int cells;
  };

  using Merge = OddEvenMerge<kPlacesPerThread>;
  using PartScan = WarpScans<kPartThreads>;
  // Windows of places are half a window apart. Two of them hold any cell of so many items.
  static constexpr unsigned int kHalf = kPlacesPerThread / 2;
  static constexpr unsigned int kFewInCell = kHalf + 1;
  // Above that, more rounds are made, but not for more items than this in a cell.
  static constexpr unsigned int kMostInCell = {{ most_in_cell }};
  // As many cells as items.
  static constexpr unsigned int kCells = kPartItems;
{%- if places_items %}
  // A word has an item's position in the part, before that where in its cell's range it is, a fraction that tells all keys
  // apart, and before that where the cell starts: as many bits of it as tell it from the others near by.
  static constexpr int kPositionBits = 13;
  static constexpr int kFractionBits = 13;
  static constexpr int kStartBits = 32 - kPositionBits - kFractionBits;
  static constexpr unsigned int kFractionMask = (1u << kFractionBits) - 1u;
  static constexpr unsigned int kStartMask = (1u << kStartBits) - 1u;
  // A place and a slot have as much room as a position.
  static_assert(kPartThreads * (kPlacesPerThread + 4) <= 1u << kPositionBits, "a slot has room");
  // Parts are told apart by the uppermost digit, at least; three are left.
  static_assert(static_cast<unsigned long long>(kCells) << kFractionBits >= 1ull << 3 * kRadixBits, "a fraction tells keys apart");
  static_assert(kMostInCell + 2 * kPlacesPerThread <= 1u << kStartBits, "starts tell cells apart");
{%- endif %}

  // Cells and places are in slots, with a gap behind each thread's own, so that threads are in different banks.
  static constexpr unsigned int kSlotsPerThread = kPlacesPerThread + 4;

  static __device__ __forceinline__ unsigned int slot_of(unsigned int place) {
    static_assert(kPlacesPerThread == 16, "four slots for sixteen");
    return place + (place & ~15u) / 4;
  }

  // What a block keeps of a part in shared memory.
  struct PartStorage {
{%- if places_items %}
    union {
{%- endif %}
      // Items that each cell has, then the place of the first of them.
      __align__(16) unsigned int starts[kPartThreads * kSlotsPerThread];
      // In the order of places, what items are compared by; one window's are behind the last place.
      __align__(16) unsigned int words[(kPartThreads + 1) * kSlotsPerThread];
{%- if places_items %}
    };
{%- endif %}
    typename PartScan::Storage scan;
    // The most items in a cell, where one has many.
    unsigned int most;
{%- if places_items %}
    StoredBits keys[kPartItems];
{%- endif %}
{%- if has_values %}
    Value values[kPartItems];
{%- endif %}
  };
  static_assert(sizeof(PartStorage) == kPartSharedBytes, "the storage is laid out as planned");

  // Four words are read at once.
  struct __align__(16) FourWords {
    unsigned int words[4];
  };

  static __device__ __forceinline__ Part find_part(const Arguments& arguments, unsigned int number, unsigned int parts) {
    if (number >= parts) return {number, 0, 0};
    const Count* const cuts = cuts_of(arguments) + number;
    return {number, cuts[0], cuts[1] - cuts[0]};
  }

  // Items go to cells, as many as items and equally wide, and so are nearly sorted; then windows of places are sorted,
  // overlapping ones by turns. Returns false, and has written nothing, if a cell is crowded.
  static __device__ __forceinline__ bool sort_part(const Arguments& arguments, PartStorage& storage, PartRange range, Part part) {
    unsigned int orders[kPlacesPerThread];
    load_part(arguments, storage, orders, part, range);
    FourWords* const own = reinterpret_cast<FourWords*>(storage.starts + threadIdx.x * kSlotsPerThread);
#pragma unroll
    for (unsigned int i = 0; i < kSlotsPerThread / 4; ++i) own[i] = FourWords{};
    if (threadIdx.x == 0) storage.most = 0;
    __syncthreads();
    if (!place_words(storage, orders, part, range)) return false;
    // Behind the last item there are greater words to the end of its window.
    const unsigned int behind = part.size + threadIdx.x;
    if (threadIdx.x < kPlacesPerThread) {
      storage.words[slot_of(behind)] = {% if places_items %}behind << (32 - kStartBits) | ~0u >> kStartBits{% else %}~0u{% endif %};
    }
    __syncthreads();
    {% if has_values %}wait_for_copies();
    {% endif %}sort_windows(storage, part.size, storage.most);
    write_part(arguments, storage, part, range);
    return true;
  }

  // Writes the words of items to places in the order of cells. Returns false if a cell is crowded.
  static __device__ __forceinline__ bool place_words(PartStorage& storage, const unsigned int (&orders)[kPlacesPerThread], Part part,
                                                     PartRange range) {
    // Where a row has no item for the thread, its gap is the slot.
    const unsigned int gap = threadIdx.x * kSlotsPerThread + kPlacesPerThread;
    int left = items_from_here(part);
{%- if places_items %}
    // Of each item its number in its cell, the cell's slot, and where in the cell's range it is. Numbers that have no room
    // are those of a crowd, and not used.
    unsigned int numbers[kPlacesPerThread];
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
      const unsigned int slot = is_there(row, left) ? slot_of(__umulhi(orders[row], range.cells)) : gap;
      const unsigned int fraction = orders[row] * range.cells >> (32 - kFractionBits);
      numbers[row] = opaque(atomicAdd(&storage.starts[slot], 1u) << (32 - kStartBits) | slot << kFractionBits | fraction);
    }
{%- else %}
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
      atomicAdd(&storage.starts[is_there(row, left) ? slot_of(__umulhi(orders[row], range.cells)) : gap], 1u);
    }
{%- endif %}
    __syncthreads();
    find_starts(storage);
    __syncthreads();
    if (storage.most > kMostInCell) return false;
{%- if places_items %}
    // Then its place, and the word but for the position.
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
      const unsigned int start = storage.starts[numbers[row] >> kFractionBits & ((1u << kPositionBits) - 1u)];
      const unsigned int place = start + (numbers[row] >> (32 - kStartBits));
      numbers[row] = opaque(place << (32 - kPositionBits) | (start & kStartMask) << kFractionBits | (numbers[row] & kFractionMask));
    }
    // Words are where the starts were.
    __syncthreads();
{%- endif %}
    left = items_from_here(part);
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
{%- if places_items %}
      const unsigned int slot = is_there(row, left) ? slot_of(numbers[row] >> (32 - kPositionBits)) : gap;
      storage.words[slot] = numbers[row] << kPositionBits | (row * kPartThreads + threadIdx.x);
{%- else %}
      const unsigned int cell = is_there(row, left) ? slot_of(__umulhi(orders[row], range.cells)) : gap;
      // Items take their cell's places as they come.
      const unsigned int place = atomicAdd(&storage.starts[cell], 1u);
      storage.words[is_there(row, left) ? slot_of(place) : gap] = orders[row];
{%- endif %}
    }
    return true;
  }

  // Rows of items have one for each thread. How many items there are from the thread's own in the first row on.
  static __device__ __forceinline__ int items_from_here(Part part) { return static_cast<int>(opaque(part.size) - threadIdx.x); }

  // Whether a row has an item for the thread.
  static __device__ __forceinline__ bool is_there(int row, int left) { return row * static_cast<int>(kPartThreads) < left; }

  // Brings the part to shared memory where its items are to be found by their positions, and what they are sorted by to registers.
  static __device__ __forceinline__ void load_part(const Arguments& arguments, {% if !places_items %}[[maybe_unused]] {% endif %}PartStorage& storage,
                                                   unsigned int (&orders)[kPlacesPerThread], Part part, PartRange range) {
    const Key* const keys = arguments.keys_out + part.first + threadIdx.x;
    int left = items_from_here(part);
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
      orders[row] = is_there(row, left) ? bits_as<StoredBits>(keys[row * kPartThreads]) : StoredBits(0);
    }
{%- if has_values %}
    // Where there is no item the last one is copied: that is less work than to ask.
    const Value* const values = arguments.values_out + part.first;
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
      const unsigned int position = row * kPartThreads + threadIdx.x;
      copy_async(&storage.values[position], &values[position < part.size ? position : part.size - 1]);
    }
{%- endif %}
    const unsigned int mask = (1u << range.bits) - 1u;
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
{%- if places_items %}
      storage.keys[row * kPartThreads + threadIdx.x] = orders[row];
{%- endif %}
      const Bits ordered = to_ordered_bits(bits_as<Key>(static_cast<StoredBits>(orders[row])));
      orders[row] = {% if key.is_float %}compared_bits(ordered){% else %}ordered{% endif %} >> range.bit & mask;
    }
  }

  // Makes counts of cells the places where they start, and finds the most of them, if a cell has many.
  static __device__ __forceinline__ void find_starts(PartStorage& storage) {
    FourWords* const own = reinterpret_cast<FourWords*>(storage.starts + slot_of(threadIdx.x * kPlacesPerThread));
    FourWords counts[kPlacesPerThread / 4];
    unsigned int sum = 0;
    unsigned int most = 0;
#pragma unroll
    for (int i = 0; i < kPlacesPerThread; ++i) {
      if (i % 4 == 0) counts[i / 4] = own[i / 4];
      const unsigned int count = counts[i / 4].words[i % 4];
      sum += count;
      most = count > most ? count : most;
    }
    if (most > kFewInCell) atomicMax(&storage.most, most);
    unsigned int total;
    unsigned int start = PartScan::exclusive_sum(storage.scan, threadIdx.x, sum, total);
#pragma unroll
    for (int i = 0; i < kPlacesPerThread; ++i) {
      const unsigned int count = counts[i / 4].words[i % 4];
      counts[i / 4].words[i % 4] = start;
      start += count;
      if (i % 4 == 3) own[i / 4] = counts[i / 4];
    }
  }

  // Sorts the windows that begin at each thread's places, then those that begin half a window later, whose halves are sorted.
  // A cell that lies in two halves is sorted then. One that lies in more of them takes more rounds.
  static __device__ __forceinline__ void sort_windows(PartStorage& storage, unsigned int size, unsigned int most) {
    const unsigned int first = threadIdx.x * kPlacesPerThread;
    if (first < size) sort_window<true>(storage, first);
    __syncthreads();
    if (first + kPlacesPerThread < size) sort_window<false>(storage, first + kHalf);
    __syncthreads();
    if (most <= kFewInCell) return;
    const unsigned int halves = (most + kHalf - 2) / kHalf + 1;
    // So many halves are in order after as many merges; two there have been.
    for (unsigned int round = 0; round < (halves - 1) / 2; ++round) {
      if (first < size) sort_window<false>(storage, first);
      __syncthreads();
      if (first + kPlacesPerThread < size) sort_window<false>(storage, first + kHalf);
      __syncthreads();
    }
  }

  // A window, or only the merge of its halves.
  template <bool kSortsAll>
  static __device__ __forceinline__ void sort_window(PartStorage& storage, unsigned int first) {
    FourWords* const lower = reinterpret_cast<FourWords*>(storage.words + slot_of(first));
    FourWords* const upper = reinterpret_cast<FourWords*>(storage.words + slot_of(first + kHalf));
{%- if places_items %}
    // Cells that reach into the window start so far before it at most; from there on starts ascend.
    const unsigned int shift = (kMostInCell - first) << (32 - kStartBits);
{%- else %}
    constexpr unsigned int shift = 0;
{%- endif %}
    unsigned int words[kPlacesPerThread];
#pragma unroll
    for (int i = 0; i < kPlacesPerThread; i += 4) {
      const FourWords four = i < static_cast<int>(kHalf) ? lower[i / 4] : upper[(i - kHalf) / 4];
#pragma unroll
      for (int k = 0; k < 4; ++k) words[i + k] = four.words[k] + shift;
    }
    if constexpr (kSortsAll) {
      Merge::sort(words);
    } else {
      Merge::merge_halves(words);
    }
#pragma unroll
    for (int i = 0; i < kPlacesPerThread; i += 4) {
      FourWords four;
#pragma unroll
      for (int k = 0; k < 4; ++k) four.words[k] = words[i + k] - shift;
      (i < static_cast<int>(kHalf) ? lower[i / 4] : upper[(i - kHalf) / 4]) = four;
    }
  }

  static __device__ __forceinline__ void write_part(const Arguments& arguments, const PartStorage& storage, Part part,
                                                    [[maybe_unused]] PartRange range) {
    Key* const keys = arguments.keys_out + part.first + threadIdx.x;
{%- if has_values %}
    Value* const values = arguments.values_out + part.first + threadIdx.x;
{%- endif %}
    // A row's slots follow the one before.
    constexpr unsigned int kRowSlots = kPartThreads / kPlacesPerThread * kSlotsPerThread;
    static_assert(kPartThreads % kPlacesPerThread == 0, "rows begin where a thread's places do");
    const unsigned int* const words = storage.words + slot_of(threadIdx.x);
    const int left = items_from_here(part);
#pragma unroll
    for (int row = 0; row < kPlacesPerThread; ++row) {
      if (!is_there(row, left)) continue;
      const unsigned int word = words[row * kRowSlots];
{%- if places_items %}
      const unsigned int position = word & ((1u << kPositionBits) - 1u);
      keys[row * kPartThreads] = bits_as<Key>(storage.keys[position]);
{%- if has_values %}
      values[row * kPartThreads] = storage.values[position];
{%- endif %}
{%- else %}
      // All bits of the key are known.
      keys[row * kPartThreads] = to_key(static_cast<Bits>(part.number) << range.bits | word);
{%- endif %}
    }
  }

 public:
