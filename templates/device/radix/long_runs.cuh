  // Runs of tied keys that are too long for a warp are queued by _fix_up, and _finish sorts them, each by a block: digit by digit, by way of the
  // scratch arrays, which no one needs any more.

  // A run in the queue:
  //
  //   | offset of its first key: 48 bits | keys: 16 bits |
  struct QueuedRun {
    unsigned long long word;
    static __device__ __forceinline__ QueuedRun pack(unsigned long long first, unsigned int count) { return {first << 16 | count}; }
    __device__ __forceinline__ unsigned long long first() const { return word >> 16; }
    __device__ __forceinline__ unsigned int count() const { return static_cast<unsigned int>(word & 0xffffu); }
  };

  // The most keys of a run in the queue: a small part of all, for which a block takes less time than all of them do for another pass.
  static __device__ __forceinline__ unsigned int max_queued_keys(const Arguments& arguments) {
    constexpr unsigned int kLeast = 2 * kMaxRunKeys;
    constexpr unsigned int kMost = 1u << 14;
    const unsigned long long part = arguments.n / 64;
    return part < kLeast ? kLeast : part < kMost ? static_cast<unsigned int>(part) : kMost;
  }

  // Queues the run that begins at this offset. If it has too many keys, or too many are queued, the second phase is to do. All lanes call it.
  static __device__ __forceinline__ void queue_run(const Arguments& arguments, int bit, unsigned long long first) {
    const unsigned int count = 1 + count_agreeing<true>(arguments, bit, first);
    if (lane_of(threadIdx.x) != 0) return;
    Control& control = control_of(arguments);
    const bool has_room = count <= max_queued_keys(arguments);
    const unsigned int queued = has_room ? atomicAdd(&control.queued_run_count, 1u) : kMaxQueuedRuns;
    if (queued < kMaxQueuedRuns) {
      control.queued_runs[queued] = QueuedRun::pack(first, count).word;
    } else {
      needs_second_phase(arguments);  //~ not-queued
    }
  }

  // The number of keys just behind an offset, or just before it, that agree with the one there, up to as many as a run in the queue has. All lanes call it, and
  // search together: keys are in order of what they agree in.
  template <bool kIsBehind>
  static __device__ __forceinline__ unsigned int count_agreeing(const Arguments& arguments, int bit, unsigned long long offset) {
    const auto upper_at = [&](unsigned long long i) { return range_of(arguments, racing_load(&arguments.keys_out[i]), bit); };
    const Bits upper = upper_at(offset);
    const unsigned long long there = kIsBehind ? arguments.n - 1 - offset : offset;
    unsigned int agreeing = 0;
    const unsigned int limit = max_queued_keys(arguments);
    unsigned int most = there < limit ? static_cast<unsigned int>(there) : limit;
#pragma unroll 1
    while (agreeing < most) {
      // Each lane looks at the last key of a share.
      const unsigned int share = (most - agreeing + kWarpThreads - 1) / kWarpThreads;
      const unsigned int last = agreeing + share * (lane_of(threadIdx.x) + 1);
      const bool agrees = last <= most && upper_at(kIsBehind ? offset + last : offset - last) == upper;  //~ search-of-run
      const unsigned int shares = __popc(__ballot_sync(~0u, agrees));
      agreeing += share * shares;
      const unsigned int end = agreeing + share - 1;
      if (end < most) most = end;
    }
    return agreeing;
  }

  // What a block of _finish keeps in shared memory.
  struct RunStorage {
    static constexpr unsigned int kMaxWarps = 32;
    // For each warp and digit: items, then the offset in the run of the next one.
    unsigned int histograms[kMaxWarps][kBins];
    unsigned int totals[kBins];
  };

  // Sorts the runs of the queue. All threads of all blocks call it.
  static __device__ __forceinline__ void sort_queued_runs(const Arguments& arguments, const Control& control) {
    __shared__ RunStorage storage;
    const unsigned int count = control.queued_run_count;
#pragma unroll 1
    for (unsigned int i = blockIdx.x; i < count; i += gridDim.x) {
      const QueuedRun run{control.queued_runs[i]};
      bool is_in_scratch = false;
#pragma unroll 1
      for (int pass = 0; digit_of_pass(arguments, pass).bit < control.upper_bit; ++pass) {
        if (sort_run_by_digit(arguments, storage, run, pass, is_in_scratch)) is_in_scratch = !is_in_scratch;  //~ passes-of-run
      }
      if (!is_in_scratch) continue;
#pragma unroll 1
      for (unsigned long long at = run.first() + threadIdx.x; at < run.first() + run.count(); at += blockDim.x) {
        arguments.keys_out[at] = arguments.keys_alternate[at];  //~ key-of-queued-run
{%- if value.exists %}
        arguments.values_out[at] = arguments.values_alternate[at];  //~ value-of-queued-run
{%- endif %}
      }
    }
  }

  // Sorts a run by a digit, from the arrays of the result to the scratch arrays or back, unless all of its keys share the digit. Returns whether they
  // do not. All threads of the block call it; a barrier lies at the end.
  static __device__ __forceinline__ bool sort_run_by_digit(const Arguments& arguments, RunStorage& storage, QueuedRun run, int pass, bool from_scratch) {
    const Key* const from = (from_scratch ? arguments.keys_alternate : arguments.keys_out) + run.first();
    const Digit digit = digit_of_pass(arguments, pass);
    const unsigned int warps = blockDim.x / kWarpThreads;
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned int (&histogram)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    // Full rows, but for the last one of all.
    const unsigned int share = (run.count() / kWarpThreads / warps + 1) * kWarpThreads;
    const unsigned int begin = warp_of(threadIdx.x) * share;
    const unsigned int end = begin + share < run.count() ? begin + share : run.count();
#pragma unroll 1
    for (unsigned int bin = lane; bin < kBins; bin += 32) histogram[bin] = 0;
    __syncwarp();
#pragma unroll 1
    for (unsigned int i = begin + lane; i < end; i += 32) atomicAdd(&histogram[digit.of(from[i])], 1u);
    __syncthreads();
    if (!scan_run_histograms(storage, run.count())) return false;
    const unsigned int lanes_below = (1u << lane) - 1u;
    Key* const to = (from_scratch ? arguments.keys_out : arguments.keys_alternate) + run.first();
#pragma unroll 1
    for (unsigned int first = begin; first < end; first += 32) {
      const bool is_there = first + lane < end;
      const Key key = from[is_there ? first + lane : first];
      const unsigned int own = digit.of(key);
      // Lanes past the end are above all others, and in the last row.
      const unsigned int same = lanes_of_same_digit<kRadixBits>(own);
      const unsigned int next = histogram[own];
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if (is_there && (same & lanes_below) == 0) histogram[own] = next + __popc(same);  //~ next-row-of-run
      __syncwarp();  //~ counted-row-of-run
      if (!is_there) continue;
      const unsigned int at = next + __popc(same & lanes_below);
      to[at] = key;
{%- if value.exists %}
      const Value* const values_from = from_scratch ? arguments.values_alternate : arguments.values_out;
      Value* const values_to = from_scratch ? arguments.values_out : arguments.values_alternate;
      values_to[run.first() + at] = values_from[run.first() + first + lane];
{%- endif %}
    }
    __syncthreads();
    return true;
  }

  // Makes the warps' counts of each digit the offsets of their first items. Returns whether there is more than one digit: else they stay as they are. All
  // threads of the block call it; barriers lie before the first read by others and at the end.
  static __device__ __forceinline__ bool scan_run_histograms(RunStorage& storage, unsigned int count) {
    const unsigned int warps = blockDim.x / kWarpThreads;
    bool is_only = false;
#pragma unroll 1
    for (unsigned int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
      unsigned int total = 0;
#pragma unroll 1
      for (unsigned int warp = 0; warp < warps; ++warp) total += storage.histograms[warp][bin];
      storage.totals[bin] = total;
      is_only |= total == count;
    }
    if (__syncthreads_or(is_only)) return false;  //~ only-digit-of-run
    if (threadIdx.x < 32) {
      constexpr unsigned int kBinsOfThread = kBins / kWarpThreads;
      unsigned int* const own = storage.totals + threadIdx.x * kBinsOfThread;
      unsigned int sum = 0;
#pragma unroll
      for (unsigned int i = 0; i < kBinsOfThread; ++i) sum += own[i];
      unsigned int before = inclusive_sum_in_warp(sum, ~0u) - sum;
#pragma unroll
      for (unsigned int i = 0; i < kBinsOfThread; ++i) {
        const unsigned int total = own[i];
        own[i] = before;
        before += total;
      }
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
      unsigned int offset = storage.totals[bin];
#pragma unroll 1
      for (unsigned int warp = 0; warp < warps; ++warp) {
        const unsigned int of_warp = storage.histograms[warp][bin];
        storage.histograms[warp][bin] = offset;
        offset += of_warp;
      }
    }
    __syncthreads();
    return true;
  }
