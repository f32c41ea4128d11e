 public:
  // After _msd_buckets: counts the digits of the items in overflowing buckets, if the second phase sorts these alone. Items that the first
  // phase has left side by side are copied to the arrays of the result, at their offsets, so that nothing in the scratch arrays is
  // wanted any more.
  static __device__ __forceinline__ void count_overflow(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!sorts_overflow(arguments, control)) return;
    __shared__ unsigned int counters[kMaxPasses * kBins];
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
#pragma unroll 1
    for (unsigned int i = threadIdx.x; i < passes * kBins; i += blockDim.x) counters[i] = 0;
    __syncthreads();
    const unsigned int lane = lane_of(threadIdx.x);
    Run run{};
    for_rows_of_warp(overflowing_items(control), [&](Count first, Count end) {
      Key keys[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const Count offset = offset_of_queued(arguments, control, run, at_or_before(first + 32 * row, end));
        keys[row] = remaining_key(arguments, offset);
{%- if interleaves %}
        if (first + 32 * row < end && leaves_items(arguments)) {
          arguments.keys_out[offset] = keys[row];
          arguments.values_out[offset] = remaining_items(arguments)[offset].value;  //~ copied-overflow
        }
{%- endif %}
      }
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const bool is_there = first + 32 * row < end;
        const unsigned int there = __popc(__ballot_sync(~0u, is_there));
#pragma unroll 1
        for (int pass = 0; pass < passes; ++pass) {
          const unsigned int digit = digit_of_pass(arguments, pass).of(keys[row]);
          unsigned int* const counter = &counters[pass * kBins + digit];
          // Keys of a bucket agree in their upper digits, and heavy hitters in all.
          if (__all_sync(~0u, digit == __shfl_sync(~0u, digit, 0))) {
            if (lane == 0) atomicAdd(counter, there);  //~ overflow-of-one-digit
          } else if (is_there) {
            atomicAdd(counter, 1u);
          }
        }
      }
    });
    __syncthreads();
    Count* const bins = &control.overflow_bins[0][0];
#pragma unroll 1
    for (unsigned int i = threadIdx.x; i < passes * kBins; i += blockDim.x) {
      if (counters[i] > 0) atomicAdd(&bins[i], static_cast<Count>(counters[i]));
    }
  }

  // Gathers the items of overflowing buckets in the scratch arrays, one bucket behind the other, plans the passes over them, and finds
  // where each bucket begins when all are sorted. Blocks of kBins threads.
  static __device__ __forceinline__ void gather_overflow(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!sorts_overflow(arguments, control)) return;
    __shared__ typename BinScan::Storage scan;
    if (blockIdx.x == 0) plan_overflow(arguments, control, scan);
    find_sorted_offsets(arguments, control, scan);
    Run run{};
    for_rows_of_warp(overflowing_items(control), [&](Count first, Count end) {
      Count from[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        from[row] = offset_of_queued(arguments, control, run, at_or_before(first + 32 * row, end));
      }
      Key keys[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) keys[row] = arguments.keys_out[from[row]];
{%- if value.exists %}
      Value values[kRowsAtOnce];
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) values[row] = arguments.values_out[from[row]];
{%- endif %}
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const Count to = first + 32 * row;
        if (to >= end) break;
{%- if interleaves %}
        if (arguments.interleaves) {
          reinterpret_cast<Item*>(overflow_keys(arguments, 0))[to] = {bits_as<StoredBits>(keys[row]), values[row]};
          continue;
        }
{%- endif %}
        overflow_keys(arguments, 0)[to] = keys[row];
{%- if value.exists %}
        overflow_values(arguments, 0)[to] = values[row];
{%- endif %}
      }
    });
  }

 private:
  using BinScan = WarpScans<kBins>;

  // An overflowing bucket, and the offset of its first item when buckets are gathered.
  struct QueuedBucket {
    unsigned int number;
    Count first;
  };

  // The overflowing buckets, as Control::overflow has them:
  //
  //   | buckets: 32 bits | their items: 32 bits |
  struct OverflowTotals {
    unsigned long long word;

    static __device__ __forceinline__ OverflowTotals pack(unsigned int buckets, Count items) {
      return {static_cast<unsigned long long>(buckets) << 32 | items};
    }
    __device__ __forceinline__ unsigned int buckets() const { return static_cast<unsigned int>(word >> 32); }
    __device__ __forceinline__ Count items() const { return static_cast<Count>(word); }
  };

  // How many items overflowing buckets have.
  static __device__ __forceinline__ Count overflowing_items(const Control& control) { return OverflowTotals{control.overflow}.items(); }

  // The scratch arrays have room for as many of these twice: passes alternate between both.
  static __device__ __forceinline__ Count overflow_room(const Arguments& arguments) {
    return static_cast<Count>(arguments.n / 32 * 16);  //~ overflow-room
  }

  // Behind the offsets of buckets, for each bucket: the items that are left, or overflow; then how many of those of buckets before it. Behind that, the
  // overflowing buckets as blocks have found them.
  static __device__ __forceinline__ Count* sorted_offsets_of(const Arguments& arguments) {
    return bucket_offsets_of(arguments) + max_msd_buckets(arguments.{{ layout_items }}) + 1;
  }

  static __device__ __forceinline__ QueuedBucket* queue_of(const Arguments& arguments) {
    return reinterpret_cast<QueuedBucket*>(sorted_offsets_of(arguments) + max_msd_buckets(arguments.{{ layout_items }}));
  }

  // Queues a bucket that overflows, by one thread of a block: at an offset behind those that were queued before.
  static __device__ __forceinline__ void queue_bucket(const Arguments& arguments, Control& control, Bucket bucket) {
    const OverflowTotals before{atomicAdd(&control.overflow, OverflowTotals::pack(1, bucket.size).word)};
    const unsigned int queued = before.buckets();
    queue_of(arguments)[queued] = {bucket.number, before.items()};  //~ queued-bucket
    atomicAdd(&control.overflow_segments[bucket.number / kBins], bucket.size);  //~ items-of-segment
  }

  // Items of one bucket by their offsets among all that overflow, and the offset in the array of the first of them.
  struct Run {
    Count first;
    Count end;
    Count to;
  };

  // The offset in the array of an item by its offset in the queue. The offsets of one `run` ascend.
  static __device__ __forceinline__ Count offset_of_queued(const Arguments& arguments, const Control& control, Run& run, Count offset) {
    if (offset >= run.end) {
      const QueuedBucket* const queue = queue_of(arguments);
      const unsigned int count = OverflowTotals{control.overflow}.buckets();
      const unsigned int found = last_at_most(count, offset, [&](unsigned int i) { return queue[i].first; });
      const Count end = found + 1 < count ? queue[found + 1].first : overflowing_items(control);  //~ end-of-queued-run
      run = {queue[found].first, end, bucket_offsets_of(arguments)[queue[found].number]};
    }
    return run.to + (offset - run.first);
  }

  // The same by its offset when all of them are sorted.
  static __device__ __forceinline__ Count offset_of_sorted(const Arguments& arguments, const Control& control, Run& run, Count offset) {
    if (offset >= run.end) {
      const Count* const firsts = sorted_offsets_of(arguments);
      const unsigned int buckets = bucket_count(arguments, control);
      const unsigned int found = last_at_most(buckets, offset, [&](unsigned int i) { return firsts[i]; });
      const Count end = found + 1 < buckets ? firsts[found + 1] : overflowing_items(control);  //~ end-of-sorted-run
      run = {firsts[found], end, bucket_offsets_of(arguments)[found]};
    }
    return run.to + (offset - run.first);
  }

  // A warp has one share of the items, of full rows but for the last one. Does `work` for some rows at once: for the lane's item in the
  // first of them, and the end of the share. All lanes call it together.
  static constexpr unsigned int kRowsAtOnce = 2;

  template <typename Work>
  static __device__ __forceinline__ void for_rows_of_warp(Count items, const Work& work) {
    const unsigned int warps = gridDim.x * (blockDim.x / kWarpThreads);
    const Count share = (items / kWarpThreads / warps + 1) * kWarpThreads;  //~ share-of-warp
    // Where shares are few, they are those of different blocks.
    const Count begin = (warp_of(threadIdx.x) * gridDim.x + blockIdx.x) * share;
    const Count end = at_or_before(begin + share, items + 1);
#pragma unroll 1
    for (Count first = begin; first < end; first += 32 * kRowsAtOnce) work(first + lane_of(threadIdx.x), end);
  }

  static __device__ __forceinline__ Count at_or_before(Count offset, Count end) { return offset < end ? offset : end - 1; }

  // The last of `count` ascending numbers that is `most` or less, of which the first one is zero.
  template <typename At>
  static __device__ __forceinline__ unsigned int last_at_most(unsigned int count, Count most, const At& at) {
    unsigned int from = 0;
#pragma unroll 1
    while (count > 1) {
      const unsigned int half = count / 2;
      if (at(from + half) <= most) from += half;  //~ search-of-overflow
      count -= half;
    }
    return from;
  }

  // As _plan does for all items. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_overflow(const Arguments& arguments, Control& control, typename BinScan::Storage& scan) {
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
      const Count count = control.overflow_bins[pass][threadIdx.x];
      unsigned int total;
      control.bins[pass][threadIdx.x] = BinScan::exclusive_sum(scan, threadIdx.x, count, total);
      // Also orders the storage before it is written again.
      if (__syncthreads_or(count == total)) continue;  //~ constant-digit-of-overflow
      if (threadIdx.x == 0) control.digits[executed] = pass;
      ++executed;
    }
    if (threadIdx.x == 0) control.executed[1] = executed;
  }

  // How many of the overflowing items are in buckets before each one: by the segments of kBins buckets, of which the items are known.
  static __device__ __forceinline__ void find_sorted_offsets(const Arguments& arguments, const Control& control, typename BinScan::Storage& scan) {
    const unsigned int buckets = bucket_count(arguments, control);
#pragma unroll 1
    for (unsigned int segment = blockIdx.x; segment * kBins < buckets; segment += gridDim.x) {
      unsigned int before;
      BinScan::exclusive_sum(scan, threadIdx.x, threadIdx.x < segment ? control.overflow_segments[threadIdx.x] : 0, before);  //~ segments-before
      __syncthreads();
      Count* const at = sorted_offsets_of(arguments) + segment * kBins + threadIdx.x;
      const bool is_there = segment * kBins + threadIdx.x < buckets;
      unsigned int total;
      const Count first = BinScan::exclusive_sum(scan, threadIdx.x, is_there ? *at : 0, total);
      if (is_there) *at = before + first;  //~ sorted-offset
      __syncthreads();  //~ next-segment
    }
  }

  // Where the passes of the second phase have overflowing items: in the one half of the scratch arrays, or in the other.
  static __device__ __forceinline__ Key* overflow_keys(const Arguments& arguments, int half) {
    const Count first = half * overflow_room(arguments);
{%- if interleaves %}
    if (arguments.interleaves) return reinterpret_cast<Key*>(reinterpret_cast<Item*>(arguments.keys_alternate) + first);
{%- endif %}
    return arguments.keys_alternate + first;
  }
{%- if value.exists %}

  static __device__ __forceinline__ Value* overflow_values(const Arguments& arguments, int half) {
    return arguments.values_alternate + half * overflow_room(arguments);
  }
{%- endif %}

  // Copies the sorted items of overflowing buckets to where these are.
  static __device__ __forceinline__ void scatter_overflow(const Arguments& arguments, const Control& control) {
    const int half = control.executed[1] % 2;  //~ half-of-sorted-overflow
    const Key* const keys = overflow_keys(arguments, half);
    Run run{};
    for_rows_of_warp(overflowing_items(control), [&](Count first, Count end) {
#pragma unroll
      for (unsigned int row = 0; row < kRowsAtOnce; ++row) {
        const Count from = first + 32 * row;
        if (from >= end) break;
        const Count to = offset_of_sorted(arguments, control, run, from);
{%- if interleaves %}
        if (arguments.interleaves) {
          const Item item = reinterpret_cast<const Item*>(keys)[from];
          if (arguments.writes_keys) arguments.keys_out[to] = bits_as<Key>(item.key);  //~ scattered-key
          arguments.values_out[to] = item.value;
          continue;
        }
{%- endif %}
        if (arguments.writes_keys) arguments.keys_out[to] = keys[from];  //~ scattered-key
{%- if value.exists %}
        arguments.values_out[to] = overflow_values(arguments, half)[from];
{%- endif %}
      }
    });
  }
