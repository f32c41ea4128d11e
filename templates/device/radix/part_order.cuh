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
    for_each_row(part, [&](int row) {
      const unsigned int slot = is_there(row, left) ? slot_of(__umulhi(orders[row], range.cells)) : gap;
      const unsigned int fraction = orders[row] * range.cells >> (32 - kFractionBits);
      numbers[row] = opaque(atomicAdd(&storage.starts[slot], 1u) << (32 - kStartBits) | slot << kFractionBits | fraction);
    });
{%- else %}
    for_each_row(part, [&](int row) {
      atomicAdd(&storage.starts[is_there(row, left) ? slot_of(__umulhi(orders[row], range.cells)) : gap], 1u);
    });
{%- endif %}
    __syncthreads();
    find_starts(storage);
    __syncthreads();
    if (storage.most > kMostInCell) return false;  //~ heavy-cell
{%- if places_items %}
    // Then its place, and the word but for the position.
    for_each_row(part, [&](int row) {
      const unsigned int start = storage.starts[numbers[row] >> kFractionBits & ((1u << kPositionBits) - 1u)];
      const unsigned int place = start + (numbers[row] >> (32 - kStartBits));
      numbers[row] = opaque(place << (32 - kPositionBits) | (start & kStartMask) << kFractionBits | (numbers[row] & kFractionMask));  //~ composite-of-a-cell
    });
    // Words are where the starts were.
    __syncthreads();
{%- endif %}
    left = items_from_here(part);
{%- if places_items %}
    for_each_row(part, [&](int row) {
      const unsigned int slot = is_there(row, left) ? slot_of(numbers[row] >> (32 - kPositionBits)) : gap;
      storage.words[slot] = numbers[row] << kPositionBits | (row * kPartThreads + threadIdx.x);
    });
{%- else %}
    // Items take their cell's places as they come. No atomic waits for what another one returns.
    for_rows(part, [&](int first, int end) {
      unsigned int places[kPlacesPerThread];
#pragma unroll
      for (int row = first; row < end; ++row) {
        places[row] = atomicAdd(&storage.starts[is_there(row, left) ? slot_of(__umulhi(orders[row], range.cells)) : gap], 1u);
      }
#pragma unroll
      for (int row = first; row < end; ++row) storage.words[is_there(row, left) ? slot_of(places[row]) : gap] = orders[row];
    });
{%- endif %}
    return true;
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
    if (most > kFewInCell) atomicMax(&storage.most, most);  //~ largest-cell
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
  // A cell that lies in two halves is sorted then. One that lies in more of them may take more rounds.
  static __device__ __forceinline__ void sort_windows(PartStorage& storage, unsigned int size, unsigned int most) {
    const unsigned int first = threadIdx.x * kPlacesPerThread;
    if (first < size) sort_window<true>(storage, first);
    __syncthreads();
    if (first + kPlacesPerThread < size) sort_window<false>(storage, first + kHalf);  //~ overlapping-windows
    __syncthreads();  //~ overlapping-windows
    if (most <= kFewInCell) return;  //~ two-merges
    const unsigned int halves = (most + kHalf - 2) / kHalf + 1;
    // So many halves are in order after as many merges; two there have been. Items that came in their order, as most do, take
    // fewer.
    for (unsigned int round = 0; round < (halves - 1) / 2; ++round) {
      if (!__syncthreads_or(first < size && !is_in_order(storage, first))) return;  //~ sorted-early
      if (first < size) sort_window<false>(storage, first);
      __syncthreads();
      if (first + kPlacesPerThread < size) sort_window<false>(storage, first + kHalf);
      __syncthreads();
    }
  }

  // What to add to words of a window so that they order as they should.
  static __device__ __forceinline__ unsigned int shift_of([[maybe_unused]] unsigned int first) {
{%- if places_items %}
    // Cells that reach into the window start so far before it at most; from there on starts ascend.
    return (kMostInCell - first) << (32 - kStartBits);
{%- else %}
    return 0;
{%- endif %}
  }

  // Whether the words of a window are in order, and the one behind.
  static __device__ __forceinline__ bool is_in_order(const PartStorage& storage, unsigned int first) {
    const FourWords* const own = reinterpret_cast<const FourWords*>(storage.words + slot_of(first));
    const unsigned int shift = shift_of(first);
    bool in_order = true;
    unsigned int last = own[0].words[0] + shift;
#pragma unroll
    for (int i = 0; i < kPlacesPerThread; i += 4) {
      const FourWords four = own[i / 4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        in_order &= last <= four.words[k] + shift;
        last = four.words[k] + shift;
      }
    }
    return in_order && last <= storage.words[slot_of(first + kPlacesPerThread)] + shift;  //~ order-of-windows
  }

  // A window, or only the merge of its halves.
  template <bool kSortsAll>
  static __device__ __forceinline__ void sort_window(PartStorage& storage, unsigned int first) {
    FourWords* const lower = reinterpret_cast<FourWords*>(storage.words + slot_of(first));
    FourWords* const upper = reinterpret_cast<FourWords*>(storage.words + slot_of(first + kHalf));
    const unsigned int shift = shift_of(first);
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
