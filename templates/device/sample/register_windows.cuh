{% include "fragments/sub_bucket_map.cuh" %}

  // Of the first and the last bucket one end of the range is not known from splitters. The items themselves tell how far from
  // the other end they are, to the next power of two.
  template <int kItems>
  static __device__ __forceinline__ ComparedRange known_range(const Arguments& arguments, BucketStorage& storage, ComparedRange range, const Bits (&compared_keys)[kItems],
                                                           unsigned int size) {
    const bool is_first = bucket_of_block(arguments) == 0;
    if (is_first == is_last_bucket(arguments)) return range;
    Bits distances = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const Bits distance = is_first ? range.max - compared_keys[i] : compared_keys[i] - range.min;
      distances |= position_of(i) < size ? distance : 0;
    }
    atomicMax(&storage.distance_bits, bit_length(distances));  //~ range-bits
    __syncthreads();
    const Bits most = storage.distance_bits == 0 ? 0 : ~Bits(0) >> (8 * sizeof(Bits) - storage.distance_bits);  //~ range-width
    if (is_first) return {range.max < most ? 0 : range.max - most, range.max};
    return {range.min, range.min + most < most ? ~Bits(0) : range.min + most};
  }

  // The position in the bucket of the items that a thread has.
  static __device__ __forceinline__ unsigned int position_of(int item) { return item * kBlockThreads + threadIdx.x; }

  // How items that lie in the order of their sub-buckets are sorted, at most kMostRows for each thread: by register windows of kItems. The
  // numbers of sub-buckets have kSubBucketBits bits.
  template <int kMostRows, int kItems, int kSubBucketBits>
  struct RegisterWindowSort {
    static constexpr int kRows = kMostRows;
    static constexpr int kRegisterWindowItems = kItems;
    using KeySlots = SwizzledSlots<kItems>;
    using Composite = CompositeKeys<kSubBucketBits, kStartBits>;
    using Windows = RegisterWindows<kItems, KeySlots, Composite, kMaxSubBucket>;
  };

  // How a bucket of at most kRowsOfItems items for each thread gets to that order: by kPerThread sub-buckets for each thread.
  template <int kRowsOfItems, unsigned int kPerThread, int kSubBucketBits, typename OfRegisterWindows>
  struct SubBucketSort {
    static constexpr int kRows = kRowsOfItems;
    static constexpr unsigned int kSubBucketsPerThread = kPerThread;
    static constexpr unsigned int kSubBuckets = kPerThread * kBlockThreads;
    static constexpr int kRegisterWindowItems = OfRegisterWindows::kRegisterWindowItems;
    using CounterSlots = SwizzledSlots<kPerThread>;
    using KeySlots = typename OfRegisterWindows::KeySlots;
    using Composite = typename OfRegisterWindows::Composite;
    using Windows = typename OfRegisterWindows::Windows;
    static_assert(kRows <= kMaxRows && kRows <= kPerThread && kSubBuckets <= kMaxSubBuckets, "there is room for items and sub-buckets");
    static_assert(kSubBuckets <= 1u << kSubBucketBits, "a sub-bucket, an offset and a position have room");
    static_assert(kMaxSubBucket + 2 * kRegisterWindowItems <= 1u << kStartBits, "the start bits tell sub-buckets apart");
  };

  // Whether compared bits are those of the warp's first lane.
  static __device__ __forceinline__ bool is_like_first(Bits compared) {
    bool is_like = true;
#pragma unroll
    for (int shift = 0; shift < static_cast<int>(8 * sizeof(Bits)); shift += 32) {
      const unsigned int word = static_cast<unsigned int>(compared >> shift);
      is_like &= word == __shfl_sync(~0u, word, 0);
    }
    return is_like;
  }

{%- if of_rows %}

  // Whether many lanes of the warp have the same key, by their first ones. A warp's vote, for which no other warp's reads are waited for.
  static __device__ __forceinline__ bool are_alike(Bits compared, unsigned int size) {
    const bool is_like = is_like_first(compared) && position_of(0) < size;
    return __popc(__ballot_sync(~0u, is_like)) >= kAlikeLanes;
  }
{%- endif %}

  // Loads a bucket's items into storage, the values by copies that are on their way behind its barrier, and the keys into registers.
{%- if !of_rows %}
  // Returns whether many are alike, as far as the first row of each warp tells.
{%- endif %}
  template <int kRows>
  static __device__ __forceinline__ {% if of_rows %}void{% else %}bool{% endif %} load_items(const Arguments& arguments, BucketStorage& storage, unsigned int size,
                                                    Key (&keys)[kRows]) {
    // First all reads, so that they take the time of one: where there is no item, of any other. Items take the place of marks
    // when all have been found by them.
    unsigned int sources[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) sources[row] = source_of(storage, position_of(row), size);
    // The compiler would begin with some reads before it has found the rest, and wait for them.
    __syncwarp();  //~ found-sources
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      keys[row] = arguments.keys_alternate[sources[row]];
{%- if value.exists %}
      copy_async(&storage.register_windows.values[position_of(row)], &arguments.values_alternate[sources[row]]);
{%- endif %}
    }
{%- if of_rows %}
    __syncthreads();  //~ copied-items
{%- else %}
    const bool is_like = is_like_first(compared_of(arguments, keys[0])) && position_of(0) < size;
    const bool are_alike = static_cast<unsigned int>(__syncthreads_count(is_like)) >= kAlikeThreads;  //~ copied-items
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
    // All threads have the same count, but the compiler knows it of a warp's vote alone. Otherwise it makes ballots of the radix sort for split
    // warps too, where the predicates of a digit's 7 bits and one more are live, of 7 that there are; nvcc 13.5 stops at that.
    return __any_sync(~0u, are_alike);
#else
    return are_alike;
#endif
{%- endif %}
  }

  // Counts each item in its sub-bucket.
  template <typename Sort>
  static __device__ __forceinline__ void count_items(RegisterWindowItems& items, const SubBucketMap& map, const Bits (&compared_keys)[Sort::kRows],
                                                     unsigned int size, typename Sort::Composite::Counted (&counted)[Sort::kRows]) {
    using Composite = typename Sort::Composite;
#pragma unroll
    for (int row = 0; row < Sort::kRows; ++row) {
      const bool is_there = position_of(row) < size;
      const SubBucketMap::Point point = map.point_of(compared_keys[row]);
      const unsigned int slot = opaque(is_there ? Sort::CounterSlots::of(point.sub_bucket) : 0);
      const unsigned int fraction = point.within >> (32 - Composite::kFractionBits);
      unsigned int rank = 0;
      if (is_there) rank = atomicAdd(&items.counters[slot], 1u);  //~ counted-item
      counted[row] = Composite::Counted::pack(rank, slot, fraction);
    }
  }

  // Writes the items in the order of their composite keys.
  template <typename Sort>
  static __device__ __forceinline__ void write_register_windows(const Arguments& arguments, const RegisterWindowItems& items,
                                                                unsigned int first, unsigned int size) {
    const unsigned int keys_to_write = arguments.writes_keys ? size : 0;  //~ keys-of-register-windows
#pragma unroll
    for (int row = 0; row < Sort::kRows; ++row) {
      const unsigned int offset = position_of(row);
      const typename Sort::Composite::Compared composite{items.composite_keys[Sort::KeySlots::of(offset)]};
      const unsigned int position = opaque(offset < size ? composite.position() : 0);
      const Key key = bits_as<Key>(items.keys[position]);
      if (offset < keys_to_write) arguments.keys_out[first + offset] = key;
{%- if value.exists %}
      const Value value = items.values[position];
      if (offset < size) arguments.values_out[first + offset] = value;  //~ value-of-register-window
{%- endif %}
    }
  }

  // Items in the order of their sub-buckets.
  struct OfSubBuckets {
    // Whether they are in it: not if a sub-bucket overflows.
    bool are_scattered;
    // The items of the largest sub-bucket.
    unsigned int max_count;
    // Whether composite keys tell all keys apart.
    bool tells_apart;
  };
{%- if of_rows %}

  // Counts items, or where many of the warp's keys are alike takes the bucket for one that overflows: atomics on a few counters would wait for
  // each other.
  template <typename Sort>
  static __device__ __forceinline__ void count_items_unless_alike(BucketStorage& storage, const SubBucketMap& map,
                                                                  const Bits (&compared_keys)[Sort::kRows], unsigned int size,
                                                                  typename Sort::Composite::Counted (&counted)[Sort::kRows]) {
    if (are_alike(compared_keys[0], size)) {
      if (lane_of(threadIdx.x) == 0) atomicMax(&storage.max_count, kMaxSubBucket + 1);  //~ alike-keys
    } else {
      count_items<Sort>(storage.register_windows, map, compared_keys, size, counted);
    }
  }
{%- endif %}

  // Brings the items of a bucket to the order of their sub-buckets, about two for each item. Register windows are to be sorted then. All
  // threads of the block call it.
  template <typename Sort>
  static __device__ __forceinline__ OfSubBuckets scatter_to_sub_buckets(const Arguments& arguments, BucketStorage& storage, ComparedRange range,
                                                                      unsigned int size, bool& are_marked) {
    using Composite = typename Sort::Composite;
    constexpr int kRows = Sort::kRows;
    RegisterWindowItems& items = storage.register_windows;
    Key keys[kRows];
{%- if of_rows %}
    load_items<kRows>(arguments, storage, size, keys);
{%- else %}
    if (load_items<kRows>(arguments, storage, size, keys)) {
      {% if value.exists %}wait_for_copies();
      {% endif %}return {};
    }
{%- endif %}
    are_marked = false;
    Bits compared_keys[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      items.keys[position_of(row)] = bits_as<StoredBits>(keys[row]);
      compared_keys[row] = compared_of(arguments, keys[row]);
    }
    range = known_range(arguments, storage, range, compared_keys, size);
    const SubBucketMap map = map_of(range, Sort::kSubBuckets);

    typename Composite::Counted counted[kRows]{% if of_rows %} = {}{% endif %};
    count_items{% if of_rows %}_unless_alike{% endif %}<Sort>({% if of_rows %}storage{% else %}items{% endif %}, map, compared_keys, size, counted);
    __syncthreads();
    scan_sub_buckets<Sort::kSubBucketsPerThread, typename Sort::CounterSlots, Sort::Windows::kSmallSubBucket>(
        items.counters, &storage.max_count, [&](unsigned int sum) {
          unsigned int total;
          return exclusive_sum(storage.item_sums, sum, total);
        });
    __syncthreads();
    const unsigned int max_count = storage.max_count;
{%- if value.exists %}
    if (max_count > kMaxSubBucket) wait_for_copies();
{%- endif %}
    if (max_count > kMaxSubBucket) return {};  //~ overflow-of-bucket
    typename Composite::Placed placed[kRows];
#pragma unroll
    for (int row = 0; row < kRows; ++row) placed[row] = Composite::Placed::pack(counted[row], items.counters[counted[row].slot()]);
    // The composite keys take the place of the counters.
    __syncthreads();
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned int position = position_of(row);
      const unsigned int slot = opaque(Sort::KeySlots::of(placed[row].offset()));
      if (position < size) items.composite_keys[slot] = Composite::Compared::pack(placed[row], position).bits;  //~ composite-of-item
    }
    const unsigned int behind = size + threadIdx.x;
    if (threadIdx.x < Sort::kRegisterWindowItems) items.composite_keys[Sort::KeySlots::of(behind)] = Composite::Compared::behind_last(behind).bits;  //~ padding-of-bucket
    {% if value.exists %}wait_for_copies();
    {% endif %}__syncthreads();
    return {true, max_count, map.tells_apart(Composite::kFractionBits)};
  }

  // Sorts items that are in the order of their sub-buckets, and writes them. Returns whether it did; otherwise nothing is written. All
  // threads of the block call it.
  template <typename Sort>
  static __device__ __forceinline__ bool sort_and_write(const Arguments& arguments, BucketStorage& storage, OfSubBuckets placed,
                                                        unsigned int first, unsigned int size) {
    RegisterWindowItems& items = storage.register_windows;
    if (!placed.are_scattered) return false;
    sort_register_windows<typename Sort::Windows>(items.composite_keys, size, placed.max_count);
    if (!placed.tells_apart && !sort_ties<Sort>(arguments, storage, size)) return false;  //~ ties-of-composites
    write_register_windows<Sort>(arguments, items, first, size);
    return true;
  }

  // Sorts a bucket of keys that are about evenly distributed over its range, as those of a narrow range of any smooth distribution
  // are: by sub-buckets and overlapping register windows, by the fewest items per thread that hold the bucket. Returns whether it did;
  // items may have taken the place of marks then, or otherwise.
  static __device__ __forceinline__ bool sort_by_register_windows(const Arguments& arguments, BucketStorage& storage, ComparedRange range,
                                                                  unsigned int first, unsigned int size, bool& are_marked) {
{%- for register_window in register_windows %}
    if (size <= {{ register_window.rows }} * kBlockThreads) {
      using OfRegisterWindows = RegisterWindowSort<{{ register_window.rows }}, {{ register_window.items }}, {{ register_window.sub_bucket_bits }}>;
      OfSubBuckets placed{};
{%- for sub_buckets in register_window.sub_buckets %}
      {% if !loop.first %}} else {% endif %}{% if loop.first || !loop.last %}if (size <= {{ sub_buckets.rows }} * kBlockThreads) {% endif %}{
        placed = scatter_to_sub_buckets<SubBucketSort<{{ sub_buckets.rows }}, {{ sub_buckets.per_thread }}, {{ register_window.sub_bucket_bits }}, OfRegisterWindows>>(arguments, storage, range, size, are_marked);
{%- endfor %}
      }
      return sort_and_write<OfRegisterWindows>(arguments, storage, placed, first, size);
    }
{%- endfor %}
    return false;
  }

{% include "fragments/register_window_rounds.cuh" %}

  // Sorts items with composite keys that differ in their positions alone by all of their keys: neighbours in the wrong order are
  // exchanged until there are none. Returns false if that takes too many rounds. All threads call it.
  template <typename Sort>
  static __device__ __forceinline__ bool sort_ties(const Arguments& arguments, BucketStorage& storage, unsigned int size) {
    using Compared = typename Sort::Composite::Compared;
    const auto compared_at = [&](Compared item) {
      return compared_of(arguments, bits_as<Key>(storage.register_windows.keys[item.position()]));
    };
    for (unsigned int round = 0; round < kTieRounds; ++round) {
      bool is_done = true;
#pragma unroll
      for (unsigned int parity = 0; parity < 2; ++parity) {
        for (unsigned int offset = 2 * threadIdx.x + parity; offset + 1 < size; offset += 2 * kBlockThreads) {
          unsigned int& lower = storage.register_windows.composite_keys[Sort::KeySlots::of(offset)];
          unsigned int& upper = storage.register_windows.composite_keys[Sort::KeySlots::of(offset + 1)];
          const Compared own{lower};
          const Compared next{upper};
          if (!own.is_tied_with(next)) continue;
          if (compared_at(own) <= compared_at(next)) continue;  //~ tied-neighbours
          lower = next.bits;
          upper = own.bits;
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
