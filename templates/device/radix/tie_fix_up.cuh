 public:

  // After a first phase by the upper digits: sorts the runs of keys that tie in them, each by the warp that has its first key.
  // A run of more than kMaxRunKeys keys that differ is queued for _finish; where the queue has no room for one, the second phase sorts all.
  //
  // A warp looks at keys that another one may be moving: so keys are read by racing_load, and moved by
  // racing_store. It does not matter which key of those that were ever at an offset is read there:
  //
  // - A key moves within its run alone, so all of them agree from `bit` up, which are the run's upper digits. These alone decide
  //   where a run begins and ends, and so which one warp sorts it, and whether it has more than kMaxRunKeys.
  // - Whether a key is greater than the next one counts in a run of more, to which no warp writes, and in a warp's own runs.
  //
  // Each load has all of a key. Half of one and half of another would not do: the order of a float is made of its sign and its
  // other bits, and two halves may have a prefix that no key has.
  static __device__ __forceinline__ void fix_up_ties(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    const int bit = control.upper_bit;
    const unsigned int warps = blockDim.x / kWarpThreads;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * warps * kWarpKeys;
    // A warp's keys lie side by side, row after row. Full warps go on together, the last one past the end.
    unsigned long long first = (static_cast<unsigned long long>(blockIdx.x) * warps + warp_of(threadIdx.x)) * kWarpKeys;
    for (; first < arguments.n; first += stride) {
      const WarpKeys keys = read_warp_keys(arguments, bit, first);
      if (!keys.has_ties()) continue;
      // Most runs have two keys: their warp exchanges these.
      if (keys.has_longer_run()) {
        sort_runs(arguments, bit, keys);  //~ sorted-runs
      } else {
        exchange_pairs(arguments, keys);
      }
    }
  }

 private:
  // The number of keys that each lane of _fix_up reads at a time.
  static constexpr int kFixUpRows = 4;

  // The number of keys, side by side, that a warp of _fix_up reads at a time. A run of more keys is long.
  static constexpr unsigned int kWarpKeys = 32 * kFixUpRows;

  // The most keys of a run that a warp sorts. It compares each with all others; samples tell where many runs have this many. Longer ones
  // are queued for _finish.
  static constexpr unsigned int kMaxRunKeys = 4 * kWarpKeys;

  // Keys side by side, row after row of a warp.
  struct WarpKeys {
    // The offset of the first one.
    unsigned long long first;
    Key own[kFixUpRows];
    // Of the last lane: the key behind them.
    Key behind;
    // For each row, the lanes with a key that agrees with the next one.
    unsigned int tied[kFixUpRows];
    // Whether the first key agrees with the one before.
    bool is_tied_before;

    __device__ __forceinline__ bool has_ties() const {
      unsigned int any = is_tied_before;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) any |= tied[row];
      return any != 0;
    }

    // Whether there is a run of more than two keys, or one that goes on before or behind these keys.
    __device__ __forceinline__ bool has_longer_run() const {
      unsigned int any = is_tied_before;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const bool is_last = row + 1 == kFixUpRows;
        any |= tied[row] & (tied[row] >> 1 | (is_last ? 1u : tied[is_last ? row : row + 1]) << 31);  //~ run-of-two
      }
      return any != 0;
    }

    // The offset among these keys of a lane's key of a row.
    static __device__ __forceinline__ unsigned int at(int row) { return row * 32 + lane_of(threadIdx.x); }

    // The key behind a lane's own: the last lane of a row comes before the first one of the next.
    __device__ __forceinline__ Key next(int row) const {
      const unsigned int lane = lane_of(threadIdx.x);
      const bool is_last = row + 1 == kFixUpRows;
      const Key key = __shfl_sync(~0u, !is_last && lane == 0 ? own[is_last ? row : row + 1] : own[row], lane + 1);
      return is_last && lane == 31 ? behind : key;  //~ key-of-next-warp
    }

    // The first key of the run that a key is in, or 0 where that is before these keys.
    __device__ __forceinline__ unsigned int run_begin(unsigned int key) const {
      unsigned int begin = 0;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        if (key < row * 32u) continue;
        const unsigned int before = key - row * 32 < 32 ? (1u << (key - row * 32)) - 1 : ~0u;
        const unsigned int ends = ~tied[row] & before;
        if (ends != 0) begin = row * 32 + 32 - __clz(static_cast<int>(ends));
      }
      return begin;
    }

    // The end of the run that a key is in, or kWarpKeys + 1 where there are more of it behind these keys.
    __device__ __forceinline__ unsigned int run_end(unsigned int key) const {
      unsigned int end = kWarpKeys + 1;
#pragma unroll
      for (int row = kFixUpRows - 1; row >= 0; --row) {
        if (key >= row * 32u + 32) continue;
        const unsigned int from = key > row * 32u ? ~0u << (key - row * 32) : ~0u;
        const unsigned int ends = ~tied[row] & from;
        if (ends != 0) end = row * 32 + __ffs(static_cast<int>(ends));
      }
      return end;
    }
  };

  // Reads a warp's keys. All lanes call it.
  static __device__ __forceinline__ WarpKeys read_warp_keys(const Arguments& arguments, int bit, unsigned long long first) {
    const Key* const keys = arguments.keys_out;
    const unsigned long long n = arguments.n;
    const unsigned int lane = lane_of(threadIdx.x);
    WarpKeys result;
    result.first = first;
    // All are read before the first of them is looked at: no read waits for another. The first lane reads the key before
    // the warp's, the last one the key behind them.
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned long long i = first + WarpKeys::at(row);
      result.own[row] = racing_load(&keys[i < n ? i : n - 1]);
    }
    Key outer = result.own[0];
    if (lane == 0 && first > 0) outer = racing_load(&keys[first - 1]);
    if (lane == 31 && first + kWarpKeys < n) outer = racing_load(&keys[first + kWarpKeys]);
    result.behind = outer;
    const auto agree = [&](Key a, Key b) { return range_of(arguments, a, bit) == range_of(arguments, b, bit); };
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      result.tied[row] = __ballot_sync(~0u, agree(result.own[row], result.next(row)) && first + WarpKeys::at(row) + 1 < n);
    }
    result.is_tied_before = __any_sync(~0u, lane == 0 && first > 0 && agree(outer, result.own[0]));  //~ key-of-previous-warp
    return result;
  }

  // Exchanges the keys of runs of two, of which no other ones are there, if they are not in order.
  static __device__ __forceinline__ void exchange_pairs(const Arguments& arguments, const WarpKeys& keys) {
    const unsigned int lane = lane_of(threadIdx.x);
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned int tied = keys.tied[row];
      if (tied == 0) continue;
      const Key next = keys.next(row);
      if ((tied >> lane & 1) == 0) continue;
      if (descends(arguments, keys.own[row], next)) exchange(arguments, keys.first + WarpKeys::at(row), keys.own[row], next);  //~ exchange
    }
  }

  static __device__ __forceinline__ bool descends(const Arguments& arguments, Key key, Key next) {
    return range_of(arguments, key, arguments.begin_bit) > range_of(arguments, next, arguments.begin_bit);
  }

  // Exchanges the two keys of a run, of which `first` is at offset i, and their values.
  static __device__ __forceinline__ void exchange(const Arguments& arguments, unsigned long long i, Key first, Key second) {
    racing_store(&arguments.keys_out[i], second);
    racing_store(&arguments.keys_out[i + 1], first);
{%- if value.exists %}
    Value* const values = arguments.values_out;
    const Value value = values[i];
    values[i] = values[i + 1];
    values[i + 1] = value;  //~ exchanged-value
{%- endif %}
  }

  // Sorts the runs that begin among a warp's keys, and looks whether a longer one that begins before them is in order here. What is rare comes last,
  // and reads again what it needs, so that no registers are kept for it.
  static __device__ __forceinline__ void sort_runs(const Arguments& arguments, int bit, const WarpKeys& keys) {
    const unsigned long long first = keys.first;
    // Keys in front that are of a run that begins before them.
    const unsigned int continued = keys.is_tied_before ? keys.run_end(0) : 0;
    const bool goes_on = keys.run_end(kWarpKeys - 1) > kWarpKeys;
    const unsigned int last = goes_on ? keys.run_begin(kWarpKeys - 1) : kWarpKeys;
    // Sorted keys, and copies of some, do not.
    const bool descends_here = has_descent(arguments, keys, 0, kWarpKeys);
    const bool descends_before = descends_here && has_descent(arguments, keys, 0, continued);
    if (descends_here && continued < last) sort_runs_inside(arguments, bit, keys, continued, last);  //~ runs-of-warp
    if (descends_before) note_descent(arguments, bit, first, continued);  //~ long-run-before
    if (goes_on && last >= continued) sort_last_run(arguments, bit, first + last);  //~ run-behind
  }

  // Sorts a run that goes on behind the warp's keys that its first one is among: by itself if it has at most kMaxRunKeys.
  static __device__ __forceinline__ void sort_last_run(const Arguments& arguments, int bit, unsigned long long first) {
    WarpKeys keys = read_warp_keys(arguments, bit, first);
    unsigned int end = keys.run_end(0);
    if (end > kWarpKeys && has_equal_keys(arguments, bit, first)) return;
    unsigned int count = 0;
    bool is_descent = false;
#pragma unroll 1
    for (;;) {
      // The last key of kMaxRunKeys is compared with the one behind it by the warp that has it.
      is_descent |= has_descent(arguments, keys, 0, end < kMaxRunKeys - 1 - count ? end : kMaxRunKeys - 1 - count);  //~ descent-of-long-run
      count += end <= kWarpKeys ? end : kWarpKeys;
      if (end <= kWarpKeys || count == kMaxRunKeys) break;
      keys = read_warp_keys(arguments, bit, first + count);
      end = keys.run_end(0);
    }
    if (!is_descent) return;
    if (end <= kWarpKeys) {
      sort_long_run(arguments, first, count);  //~ long-run
    } else {
      queue_run(arguments, bit, first);  //~ too-long-run
    }
  }

  // Queues a run of more than kMaxRunKeys that goes on into these keys from before, if it descends here first, but not among the keys
  // that the warp of its first one has seen.
  static __device__ __forceinline__ void note_descent(const Arguments& arguments, int bit, unsigned long long offset, unsigned int continued) {
    const WarpKeys keys = read_warp_keys(arguments, bit, offset);
    if (count_before(arguments, bit, keys) + continued <= kMaxRunKeys) return;
    const unsigned long long first = keys.first - count_agreeing<false>(arguments, bit, keys.first);
    if (keys.first - first == max_queued_keys(arguments)) {
      needs_second_phase(arguments);
      return;
    }
    const unsigned long long seen = first + kMaxRunKeys - 1;
    if (!has_descent(arguments, keys, seen > keys.first ? static_cast<unsigned int>(seen - keys.first) : 0, continued)) return;
    const unsigned long long before = seen > keys.first ? seen : keys.first;
#pragma unroll 1
    for (unsigned long long i = first; i < before; i += kWarpKeys) {
      if (has_descent(arguments, read_warp_keys(arguments, bit, i), 0, before - i < kWarpKeys ? static_cast<unsigned int>(before - i) : kWarpKeys)) return;  //~ descent-before
    }
    queue_run(arguments, bit, first);
  }

  // Whether all keys are equal of the run that begins at offset `first`, or the first kMaxRunKeys of them. All lanes call it.
  static __device__ __forceinline__ bool has_equal_keys(const Arguments& arguments, int bit, unsigned long long first) {
    const Key key = arguments.keys_out[first];
    const unsigned long long left = arguments.n - first;
#pragma unroll 1
    for (unsigned int row = 0; row < kMaxRunKeys; row += kWarpKeys) {
      Key own[kFixUpRows];
      bool is_other = false;
#pragma unroll
      for (int i = 0; i < kFixUpRows; ++i) {
        const unsigned int at = row + WarpKeys::at(i);
        own[i] = racing_load(&arguments.keys_out[first + (at < left ? at : 0)]);
        is_other |= at >= left || own[i] != key;
      }
      if (!__any_sync(~0u, is_other)) continue;
      // Keys behind the run do not agree, and end it.
      bool is_of_run = false;
#pragma unroll
      for (int i = 0; i < kFixUpRows; ++i) {
        is_of_run |= own[i] != key && range_of(arguments, own[i], bit) == range_of(arguments, key, bit);  //~ another-key-of-run
      }
      return !__any_sync(~0u, is_of_run);
    }
    return true;
  }

  // Sorts the `count` keys of a run from offset `first` on, by way of the scratch arrays, which no one needs between the phases. No other warp writes to the
  // run, so plain loads have its keys. All lanes call it.
  static __device__ __forceinline__ void sort_long_run(const Arguments& arguments, unsigned long long first, unsigned int count) {
    const Key* const from = arguments.keys_out + first;
    Key* const to = arguments.keys_alternate + first;
#pragma unroll 1
    for (unsigned int row = 0; row < count; row += kWarpKeys) {
      Bits ranges[kFixUpRows];
      unsigned int before[kFixUpRows];
#pragma unroll
      for (int own = 0; own < kFixUpRows; ++own) {
        const unsigned int at = row + WarpKeys::at(own);
        ranges[own] = range_of(arguments, from[at < count ? at : 0], arguments.begin_bit);
        before[own] = 0;
      }
#pragma unroll 4
      for (unsigned int other = 0; other < count; ++other) {
        const Bits other_range = range_of(arguments, from[other], arguments.begin_bit);
#pragma unroll
        for (int own = 0; own < kFixUpRows; ++own) {
          before[own] += other_range < ranges[own] || (other_range == ranges[own] && other < row + WarpKeys::at(own));  //~ order-in-long-run
        }
      }
#pragma unroll
      for (int own = 0; own < kFixUpRows; ++own) {
        const unsigned int at = row + WarpKeys::at(own);
        if (at >= count) continue;
        to[before[own]] = from[at];
{%- if value.exists %}
        arguments.values_alternate[first + before[own]] = arguments.values_out[first + at];
{%- endif %}
      }
    }
    __syncwarp();
    for (unsigned int at = lane_of(threadIdx.x); at < count; at += 32) {
      racing_store(&arguments.keys_out[first + at], to[at]);
{%- if value.exists %}
      arguments.values_out[first + at] = arguments.values_alternate[first + at];  //~ value-of-long-run
{%- endif %}
    }
  }

  // Whether a key of offsets from `begin` to `end` is greater than the next one of its run. All lanes call it.
  static __device__ __forceinline__ bool has_descent(const Arguments& arguments, const WarpKeys& keys, unsigned int begin, unsigned int end) {
    bool has = false;
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const Key next = keys.next(row);
      const bool is_tied = (keys.tied[row] >> lane_of(threadIdx.x) & 1) != 0;
      has |= is_tied && keys.at(row) >= begin && keys.at(row) < end && descends(arguments, keys.own[row], next);
    }
    return __any_sync(~0u, has);
  }

  // The number of keys just before a warp's that agree with its first one, up to kMaxRunKeys. All lanes call it.
  static __device__ __forceinline__ unsigned int count_before(const Arguments& arguments, int bit, const WarpKeys& keys) {
    const Bits upper = range_of(arguments, __shfl_sync(~0u, keys.own[0], 0), bit);
    unsigned int count = 0;
#pragma unroll 1
    for (int row = 0; row * 32u < kMaxRunKeys && count == row * 32u; ++row) {
      const unsigned int back = keys.at(row) + 1;
      const bool agrees = back <= keys.first && range_of(arguments, racing_load(&arguments.keys_out[keys.first - back]), bit) == upper;
      const unsigned int others = __ballot_sync(~0u, !agrees);
      count += others == 0 ? 32 : __ffs(static_cast<int>(others)) - 1;  //~ keys-before
    }
    return count;
  }

  // All store the same.
  static __device__ __forceinline__ void needs_second_phase(const Arguments& arguments) { racing_store(&control_of(arguments).needs_all, 1); }

  // The composite key of a key of a run, which orders as the key does and then by where it is:
  //
  //   | bits of the key that runs differ in | offset among the keys: 7 bits |
  struct RunComposite {
    static constexpr int kOffsetBits = 7;
    static_assert(kWarpKeys == 1u << kOffsetBits && 8 * sizeof(Bits) == 64, "a composite key has what runs differ in, and an offset");
    static __device__ __forceinline__ Bits pack(Bits compared, unsigned int offset) { return compared << kOffsetBits | offset; }
    static __device__ __forceinline__ unsigned int offset_of(Bits composite) { return static_cast<unsigned int>(composite) % kWarpKeys; }
  };

  // Sorts the runs among these keys from `begin` to `end`: neighbours are exchanged until none of a run descend. All lanes call it.
  static __device__ __forceinline__ void sort_runs_inside(const Arguments& arguments, int bit, const WarpKeys& keys, unsigned int begin,
                                                         unsigned int end) {
    const unsigned int lane = lane_of(threadIdx.x);
    const Bits lower = (Bits(1) << (bit - arguments.begin_bit)) - 1;
    Bits composites[kFixUpRows];
    // Whether the composite key is of a run with the one before, or with the next one: a bit for each row.
    unsigned int tied_before = 0;
    unsigned int tied_next = 0;
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned int at = WarpKeys::at(row);
      composites[row] = RunComposite::pack(range_of(arguments, keys.own[row], arguments.begin_bit) & lower, at);
      const unsigned int of_row = keys.tied[row];
      const unsigned int before = of_row << 1 | (row > 0 ? keys.tied[row > 0 ? row - 1 : 0] >> 31 : 0);
      if (at >= begin && at + 1 < end && (of_row >> lane & 1) != 0) tied_next |= 1u << row;
      if (at > begin && at < end && (before >> lane & 1) != 0) tied_before |= 1u << row;
    }
    // Lanes are in pairs. The even rounds exchange with the lane beside in the pair, the odd ones with the lane of the pair beside.
    const bool is_upper_of_pair = lane % 2 == 1;
    const unsigned int tied_even = is_upper_of_pair ? tied_before : tied_next;
    const unsigned int tied_odd = is_upper_of_pair ? tied_next : tied_before;
    bool moves;
    do {
      moves = false;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const Bits other = __shfl_xor_sync(~0u, composites[row], 1);
        const bool is_exchanged = (tied_even >> row & 1) != 0 && (other > composites[row]) == is_upper_of_pair;  //~ even-round
        composites[row] = is_exchanged ? other : composites[row];
        moves |= is_exchanged;
      }
      Bits others[kFixUpRows];
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const int above = row + 1 < kFixUpRows ? row + 1 : row;
        const int below = row > 0 ? row - 1 : row;
        const Bits given = lane == 0 ? composites[above] : lane == 31 ? composites[below] : composites[row];  //~ composites-of-next-rows
        others[row] = __shfl_sync(~0u, given, is_upper_of_pair ? lane + 1 : lane + 31);
      }
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const bool is_exchanged = (tied_odd >> row & 1) != 0 && (others[row] < composites[row]) == is_upper_of_pair;  //~ odd-round
        composites[row] = is_exchanged ? others[row] : composites[row];
        moves |= is_exchanged;
      }
    } while (__any_sync(~0u, moves));
    move_keys(arguments, keys.first, composites);
  }

  // Moves to each offset among a warp's keys the one that its composite key names. All lanes call it.
  static __device__ __forceinline__ void move_keys(const Arguments& arguments, unsigned long long first, const Bits (&composites)[kFixUpRows]) {
    Key keys[kFixUpRows];
{%- if value.exists %}
    Value values[kFixUpRows];
{%- endif %}
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned int from = RunComposite::offset_of(composites[row]);
      if (from == WarpKeys::at(row)) continue;
      keys[row] = racing_load(&arguments.keys_out[first + from]);
{%- if value.exists %}
      values[row] = arguments.values_out[first + from];
{%- endif %}
    }
    __syncwarp();
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      if (RunComposite::offset_of(composites[row]) == WarpKeys::at(row)) continue;
      racing_store(&arguments.keys_out[first + WarpKeys::at(row)], keys[row]);
{%- if value.exists %}
      arguments.values_out[first + WarpKeys::at(row)] = values[row];  //~ value-of-run
{%- endif %}
    }
  }
