 public:

  // After a first phase by the upper digits: sorts the runs of keys that tie in them, each by the thread that has its first key.
  // Runs are short, or else of equal keys; where one is neither, the second phase sorts all.
  //
  // A thread looks at keys that another one may be moving: so other runs are read by racing_load, and keys are moved by
  // racing_store. It does not matter which key of those that were ever at an offset is read there:
  //
  // - A key moves within its run alone, so all of them agree from `bit` up, which are the run's upper digits. These alone decide
  //   where a run begins and ends, and so which one thread sorts it, and whether it is long.
  // - Whether a key is greater than the next one counts in a long run alone, and no thread writes to that.
  //
  // Each load has all of a key. Half of one and half of another would not do: the order of a float is made of its sign and its
  // other bits, and two halves may have a prefix that no key has.
  static __device__ __forceinline__ void fix_up_ties(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    const int bit = control.upper_bit;
    Key* const keys = arguments.keys_out;
    const unsigned long long n = arguments.n;

    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int warps = blockDim.x / 32;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * warps * kWarpKeys;
    // A warp's keys lie side by side, row after row. Full warps go on together, the last one past the end.
    unsigned long long warp_first = (static_cast<unsigned long long>(blockIdx.x) * warps + warp_of(threadIdx.x)) * kWarpKeys;
    for (; warp_first < n; warp_first += stride) {
      // All are read before the first of them is looked at: no read waits for another. The first lane reads the key before
      // the warp's, the last one the key behind them.
      Key own[kFixUpRows];
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const unsigned long long i = warp_first + row * 32 + lane;
        own[row] = racing_load(&keys[i < n ? i : n - 1]);
      }
      Key outer = own[0];
      if (lane == 0 && warp_first > 0) outer = racing_load(&keys[warp_first - 1]);
      if (lane == 31 && warp_first + kWarpKeys < n) outer = racing_load(&keys[warp_first + kWarpKeys]);
      sort_warp_ties(arguments, bit, warp_first, own, outer);
    }
  }

 private:
  // The number of keys that each thread of _fix_up reads at a time.
  static constexpr int kFixUpRows = 4;

  // The number of keys, side by side, that a warp of _fix_up reads at a time.
  static constexpr int kWarpKeys = 32 * kFixUpRows;

  // A run of more keys is long.
  static constexpr unsigned int kMaxTies = 32;

  // Sorts the runs that begin among a warp's keys. The first lane has the key before these in `outer`, the last one the key
  // behind them. Most runs have two keys, which the warp has read: it exchanges these, and reads the keys of the others again.
  static __device__ __forceinline__ void sort_warp_ties(const Arguments& arguments, int bit, unsigned long long warp_first,
                                                        const Key (&own)[kFixUpRows], Key outer) {
    const unsigned int lane = lane_of(threadIdx.x);
    const auto agree = [&](Key a, Key b) { return range_of(arguments, a, bit) == range_of(arguments, b, bit); };
    // The key behind a lane's own: the last lane of a row comes before the first one of the next.
    const auto next_key = [&](int row) {
      const Key key = __shfl_sync(~0u, row + 1 < kFixUpRows && lane == 0 ? own[row + 1 < kFixUpRows ? row + 1 : row] : own[row], lane + 1);
      return row + 1 == kFixUpRows && lane == 31 ? outer : key;  //~ key-of-next-warp
    };
    // For each row, the lanes with a key that agrees with the next one.
    unsigned int tied[kFixUpRows];
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      tied[row] = __ballot_sync(~0u, agree(own[row], next_key(row)) && warp_first + row * 32 + lane + 1 < arguments.n);
    }
    const unsigned int tied_before = __ballot_sync(~0u, lane == 0 && warp_first > 0 && agree(outer, own[0]));  //~ key-of-previous-warp
    // A bit for each row in which there begins a run to read again, and in which a key of such a run is greater than the next.
    unsigned int begins = 0;
    unsigned int descends = 0;
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      if (tied[row] == 0) continue;
      const Key next = next_key(row);
      if ((tied[row] >> lane & 1) == 0) continue;
      const unsigned int previous = tied[row] << 1 | (row > 0 ? tied[row > 0 ? row - 1 : 0] >> 31 : tied_before);
      // Whether the key behind the warp's agrees with the one behind that is not known.
      const unsigned int following = tied[row] >> 1 | (row + 1 < kFixUpRows ? tied[row + 1 < kFixUpRows ? row + 1 : row] : 1u) << 31;  //~ run-of-two
      const bool is_first = (previous >> lane & 1) == 0;  //~ start-of-run
      const bool is_descent = range_of(arguments, own[row], arguments.begin_bit) > range_of(arguments, next, arguments.begin_bit);
      if (is_first && (following >> lane & 1) == 0) {
        if (is_descent) exchange(arguments, warp_first + row * 32 + lane, own[row], next);  //~ exchange
      } else {
        begins |= static_cast<unsigned int>(is_first) << row;
        descends |= static_cast<unsigned int>(is_descent) << row;  //~ descent
      }
    }
#pragma unroll 1
    for (int row = 0; (begins | descends) >> row != 0; ++row) {
      const unsigned long long i = warp_first + row * 32 + lane;
      if (begins >> row & 1) sort_run(arguments, i, bit);  //~ sorted-run
      // To look at the flag spares work alone, and all store the same.
      int& needs_all = control_of(arguments).needs_all;
      if (descends >> row & 1 && !racing_load(&needs_all) && is_long_run(arguments, i, bit)) racing_store(&needs_all, 1);  //~ long-run
    }
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

  // Whether the run that a key is in is long.
  static __device__ __forceinline__ bool is_long_run(const Arguments& arguments, unsigned long long i, int bit) {
    const auto prefix_of = [&](unsigned long long offset) { return range_of(arguments, racing_load(&arguments.keys_out[offset]), bit); };
    const Bits upper = prefix_of(i);
    unsigned int found = 1;
    for (unsigned long long first = i; found <= kMaxTies && first > 0 && prefix_of(first - 1) == upper; --first) ++found;
    for (unsigned long long last = i; found <= kMaxTies && last + 1 < arguments.n && prefix_of(last + 1) == upper; ++last) ++found;
    return found > kMaxTies;
  }

  // Sorts the run of keys that agree from `bit` up and begin at `first`, by insertion. Not if it is long. No other thread
  // writes to the run, or calls this for it: what is its own the thread reads by plain loads, keys and values.
  static __device__ __forceinline__ void sort_run(const Arguments& arguments, unsigned long long first, int bit) {
    Key* const keys = arguments.keys_out;
{%- if value.exists %}
    Value* const values = arguments.values_out;
{%- endif %}
    const Bits upper = range_of(arguments, keys[first], bit);
    unsigned long long last = first + 1;
    // The key behind the run is another's.
    const auto goes_on = [&] { return range_of(arguments, racing_load(&keys[last + 1]), bit) == upper; };
    while (last + 1 < arguments.n && last - first < kMaxTies && goes_on()) ++last;
    if (last - first >= kMaxTies) return;
    for (unsigned long long next = first + 1; next <= last; ++next) {  //~ keys-of-run
      const Key key = keys[next];
      const Bits range = range_of(arguments, key, arguments.begin_bit);
      unsigned long long offset = next;
      while (offset > first && range_of(arguments, keys[offset - 1], arguments.begin_bit) > range) --offset;  //~ insertion-in-run
      if (offset == next) continue;
{%- if value.exists %}
      const Value value = values[next];
{%- endif %}
      for (unsigned long long i = next; i > offset; --i) {
        racing_store(&keys[i], keys[i - 1]);
{%- if value.exists %}
        values[i] = values[i - 1];
{%- endif %}
      }
      racing_store(&keys[offset], key);
{%- if value.exists %}
      values[offset] = value;  //~ value-of-run
{%- endif %}
    }
  }
