  // Sorts parts, each block one after the other. Should one be too large for a block, or its items crowded, the
  // second phase does all.
  static __device__ __forceinline__ void sort_parts(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_prefixes) return;
    PartStorage& storage = *reinterpret_cast<PartStorage*>(shared);
    const PartRange range = part_range(arguments, control);
    const unsigned int parts = part_count(arguments, control);
    Part part = find_part(arguments, blockIdx.x, parts);
    while (part.number < parts) {
      // The next part comes nearer while one is sorted.
      const Part next = find_part(arguments, part.number + gridDim.x, parts);
      if (threadIdx.x == 0) prefetch_part(arguments, next);
      if (part.size > kPartItems || (part.size > 0 && !sort_part(arguments, storage, range, part))) {  //~ bucket-left-to-passes
        // All threads of all such blocks store the same.
        racing_store(&control.needs_all, 1);
      }
      // All have read what the next part overwrites.
      __syncthreads();
      part = next;
    }
  }

 private:
  // The items of one number.
  struct Part {
    unsigned int number;
    Count first;
    Count size;
  };

  // What a part is sorted by: an order of so many bits, which are the key's from `bit` up{% if spreads %}, or where a spread key is in its part{% endif %}.
  struct PartRange {
    int bit;
    int bits;
    // Cells for each 2^32 orders: of a product with it the upper half is the cell, the lower one where in that.
    unsigned int cells;
{%- if spreads %}
    bool is_spread;
{%- endif %}
  };

  static __device__ __forceinline__ PartRange part_range(const Arguments& arguments, const Control& control) {
{%- if spreads %}
    const bool is_spread = control.spread.parts != 0;
    const int bits = is_spread ? 32 : control.prefix_bit - arguments.begin_bit;
{%- else %}
    const int bits = control.prefix_bit - arguments.begin_bit;
{%- endif %}
    const unsigned int cells = static_cast<unsigned int>((static_cast<unsigned long long>(kCells) << 32) >> bits);
    return {arguments.begin_bit, bits, cells{% if spreads %}, is_spread{% endif %}};
  }

  using Merge = OddEvenMerge<kPlacesPerThread>;
  using PartScan = WarpScans<kPartThreads>;
  // Windows of places are half a window apart. Two of them hold any cell of so many items.
  static constexpr unsigned int kHalf = kPlacesPerThread / 2;
  static constexpr unsigned int kFewInCell = kHalf + 1;
  // Above that, more rounds may be needed; they are not made for more items than this in a cell.
  static constexpr unsigned int kMostInCell = {{ most_in_cell }};
  // As many cells as items.
  static constexpr unsigned int kCells = kPartItems;
{%- if places_items %}
  // A word has an item's position in the part, before that where in its cell's range it is, a fraction that tells all {% if spreads %}orders
  // that are a key's bits apart{% else %}keys
  // apart{% endif %}, and before that where the cell starts: as many bits of it as tell it from the others near by.
  static constexpr int kPositionBits = 13;
  static constexpr int kFractionBits = 12;
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
{%- if interleaves %}
    Item items[kPartItems];
{%- else %}
{%- if places_items %}
    StoredBits keys[kPartItems];
{%- endif %}
{%- if has_values %}
    Value values[kPartItems];
{%- endif %}
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
{%- if has_values %}
    if (!place_words(storage, orders, part, range)) {
      // Copies land where those of the block's next part go.
      wait_for_copies();
      return false;
    }
{%- else %}
    if (!place_words(storage, orders, part, range)) return false;
{%- endif %}
    // Behind the last item there are greater words to the end of its window.
    const unsigned int behind = part.size + threadIdx.x;
    if (threadIdx.x < kPlacesPerThread) {  //~ padding-of-windows
      storage.words[slot_of(behind)] = {% if places_items %}behind << (32 - kStartBits) | ~0u >> kStartBits{% else %}~0u{% endif %};
    }
    __syncthreads();
    {% if has_values %}wait_for_copies();
    {% endif %}sort_windows(storage, part.size, storage.most);
{%- if spreads %}
    if (range.is_spread) {
      const bool in_order = write_part<true>(arguments, storage, part, range);
      if (!__syncthreads_or(!in_order)) return true;  //~ ties-left
      sort_ties(storage, part.size);
    }
    write_part<false>(arguments, storage, part, range);
{%- else %}
    write_part(arguments, storage, part, range);
{%- endif %}
    return true;
  }

{% include "device/radix/part_items.cuh" %}

{% include "device/radix/part_order.cuh" %}

 public:
