 public:
{%- for class in classes %}
  static __device__ __forceinline__ void finish_{{ class.name }}_chunks(const Arguments& arguments, unsigned char* shared) {
    finish_chunks<{{ class.title }}Class>(arguments, shared);
  }
{%- endfor %}

 private:
{% include "fragments/sub_bucket_map.cuh" %}

{% include "fragments/register_window_rounds.cuh" %}

  // How a class sorts chunks by sub-buckets, one for each item that there is room for.
  template <typename Class>
  struct SubBucketSort {
    static constexpr int kRows = Class::kRowsOfThread;
    // A sub-bucket of more items overflows.
    static constexpr unsigned int kMaxSubBucket = 64;
    // Bits of a sub-bucket's first offset that tell it from others near by.
    static constexpr int kStartBits = 7;
    // Items of a register window.
    static constexpr int kRegisterWindowItems = 16;
    using Composite = CompositeKeys<static_cast<int>(log2_of(2 * Class::kItems - 1)), kStartBits>;
    using CounterSlots = SwizzledSlots<kRows>;
    using KeySlots = SwizzledSlots<kRegisterWindowItems>;
    using Windows = RegisterWindows<kRegisterWindowItems, KeySlots, Composite, kMaxSubBucket>;
    static_assert(kMaxSubBucket + 2 * kRegisterWindowItems <= 1u << kStartBits, "the start bits tell sub-buckets apart");
    static_assert(Class::kItems % kRegisterWindowItems == 0, "the last register window has room");
  };

  // A run of more items that composite keys do not tell apart is left to merges, unless it is in order.
  static constexpr unsigned int kMaxTies = 8;

  // Sorts a chunk of keys that are about evenly distributed over its range: writes composite keys in the order of the items. Returns
  // false where it is not: where a sub-bucket overflows, or many keys are closer together than composite keys tell. Then the
  // chunk's items are still there. All threads of the block call it; barriers lie within.
  template <typename Class>
  static __device__ __forceinline__ bool sort_by_sub_buckets(typename Class::Storage& storage, const SubBucketMap& map, unsigned int size) {
    using Sort = SubBucketSort<Class>;
    using Composite = typename Sort::Composite;
    constexpr int kRows = Sort::kRows;
    // The thread has copied these items itself.
    const unsigned int first = opaque(warp_of(threadIdx.x) * (32 * kRows) + lane_of(threadIdx.x));
    typename Composite::Counted counted[kRows] = {};
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (first + 32 * row >= size) continue;
      const SubBucketMap::Point point = map.point_of(compared_of(Class::key_at(storage, first + 32 * row)));
      const unsigned int slot = Sort::CounterSlots::of(point.sub_bucket);
      const unsigned int rank = atomicAdd(&storage.counters[slot], 1u);
      counted[row] = Composite::Counted::pack(rank, slot, point.within >> (32 - Composite::kFractionBits));
    }
    __syncthreads();
    scan_sub_buckets<kRows, typename Sort::CounterSlots, Sort::Windows::kSmallSubBucket>(
        storage.counters, &storage.max_count, [&](unsigned int sum) {
          unsigned int total;
          return WarpScans<Class::kBlock>::exclusive_sum(storage.sums, threadIdx.x, sum, total);
        });
    __syncthreads();
    const unsigned int max_count = storage.max_count;
    if (max_count > Sort::kMaxSubBucket) return false;
    typename Composite::Placed placed[kRows] = {};
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      if (first + 32 * row < size) placed[row] = Composite::Placed::pack(counted[row], storage.counters[counted[row].slot()]);
    }
    // The composite keys take the place of the counters.
    __syncthreads();
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const unsigned int position = first + 32 * row;
      if (position < size) storage.composite_keys[Sort::KeySlots::of(placed[row].offset())] = Composite::Compared::pack(placed[row], position).bits;  //~ composite-of-chunk
    }
    const unsigned int behind = size + threadIdx.x;
    if (threadIdx.x < Sort::kRegisterWindowItems && behind < Class::kItems) {
      storage.composite_keys[Sort::KeySlots::of(behind)] = Composite::Compared::behind_last(behind).bits;  //~ padding-of-chunk
    }
    __syncthreads();
    sort_register_windows<typename Sort::Windows>(storage.composite_keys, size, max_count);
    if (map.tells_apart(Composite::kFractionBits)) return true;
    return fix_up_ties<Class>(storage, size);  //~ ties-of-chunk
  }

  // Sorts items with composite keys that differ in their positions alone by all of their keys: runs of at most kMaxTies by one thread
  // each. Returns false if a longer one is not in order. All threads call it, with a barrier since the last one was written.
  template <typename Class>
  static __device__ __forceinline__ bool fix_up_ties(typename Class::Storage& storage, unsigned int size) {
    using Sort = SubBucketSort<Class>;
    using Compared = typename Sort::Composite::Compared;
    const auto composite_at = [&](unsigned int offset) -> unsigned int& { return storage.composite_keys[Sort::KeySlots::of(offset)]; };
    const auto compared_at = [&](unsigned int offset) {
      return compared_of(Class::key_at(storage, Compared{composite_at(offset)}.position()));
    };
    bool descends = false;
#pragma unroll 4
    for (int row = 0; row < Sort::kRows; ++row) {
      const unsigned int offset = row * Class::kBlock + threadIdx.x;
      bool is_tied = false;
      if (offset + 1 < size) {
        is_tied = Compared{composite_at(offset)}.is_tied_with(Compared{composite_at(offset + 1)});
        descends |= is_tied && compared_at(offset) > compared_at(offset + 1);
      }
      const unsigned int tied = __ballot_sync(~0u, is_tied);
      if (lane_of(threadIdx.x) == 0) storage.marks[MarkSlot{offset}.row()] = tied;
    }
    if (!__syncthreads_or(descends)) return true;
    const auto is_tied_with_next = [&](unsigned int offset) { return MarkSlot{offset}.is_set(storage.marks); };
    bool is_long = false;
#pragma unroll 1
    for (unsigned int begin = threadIdx.x; begin < size; begin += Class::kBlock) {
      if (!is_tied_with_next(begin) || (begin != 0 && is_tied_with_next(begin - 1))) continue;  //~ run-of-ties
      unsigned int last = begin + 1;
      while (is_tied_with_next(last)) ++last;
      for (unsigned int next = begin + 1; next <= last; ++next) {
        const unsigned int moved = composite_at(next);
        const Bits compared = compared_at(next);
        if (last - begin >= kMaxTies) {
          is_long |= compared_at(next - 1) > compared;  //~ long-run-of-ties
          continue;
        }
        unsigned int offset = next;
        while (offset > begin) {
          if (compared_at(offset - 1) <= compared) break;  //~ insertion-in-ties
          composite_at(offset) = composite_at(offset - 1);
          --offset;
        }
        composite_at(offset) = moved;
      }
    }
    return !__syncthreads_or(is_long);
  }

  // Sorts the chunks of a class by sub-buckets and register windows, and lists those for merges which that does not suit.
  template <typename Class>
  static __device__ __forceinline__ void finish_chunks(const Arguments& arguments, unsigned char* shared) {
    using Sort = SubBucketSort<Class>;
    typename Class::Storage& storage = *reinterpret_cast<typename Class::Storage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int chunks = scratch.counts().chunks[Class::kFinishList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {  //~ chunks-of-block
      const Chunk chunk = scratch.chunks(Class::kFinishList)[number];
      const SubBucketMap map = map_of(range_of_bucket(arguments, scratch, chunk.parent, chunk.bucket), Class::kItems);
      gather<Class>(arguments, scratch, chunk, storage);
      // Counters take the place of the differences.
      __syncthreads();
      for (unsigned int four = threadIdx.x; four < Class::kItems / 4; four += Class::kBlock) {
        reinterpret_cast<FourWords*>(storage.counters)[four] = FourWords{};
      }
      if (threadIdx.x == 0) storage.max_count = 0;
      wait_for_copies();
      __syncthreads();
      if (!sort_by_sub_buckets<Class>(storage, map, chunk.size)) {
        if (threadIdx.x == 0) scratch.chunks(Class::kMergeList)[atomicAdd(&scratch.counts().chunks[Class::kMergeList], 1u)] = chunk;  //~ chunk-for-merges
        continue;
      }
      const unsigned int keys_to_write = arguments.writes_keys ? chunk.size : 0;  //~ keys-of-finish
#pragma unroll 4
      for (int row = 0; row < Sort::kRows; ++row) {
        const unsigned int offset = row * Class::kBlock + threadIdx.x;
        if (offset >= chunk.size) break;
        const typename Sort::Composite::Compared composite{storage.composite_keys[Sort::KeySlots::of(offset)]};
        if (offset < keys_to_write) arguments.keys_out[chunk.begin + offset] = Class::key_at(storage, composite.position());
{%- if value.exists %}
        arguments.values_out[chunk.begin + offset] = storage.values[composite.position()];
{%- endif %}
      }
      // Composite keys are overwritten behind the next barrier of mark_pieces.
    }
  }
