
  // After a first phase by the upper digits: sorts the runs of keys that tie in them, each by the thread that has its first key.
  // Runs are short, or else of equal keys; where one is neither, the second phase sorts all.
  //
  // A thread looks at keys that another one may be moving: so other runs are read by racing_load, and keys are moved by
  // racing_store. It does not matter which key of those that were ever at an offset is read there:
  //
  // - A key moves within its run alone, so all of them agree from `bit` up, which is the prefix. Prefixes alone decide
  //   where a run begins and ends, and so which one thread sorts it, and whether it is long.
  // - Whether a key is greater than the next one counts in a long run alone, and nobody writes to that.
  //
  // Each load has all of a key. Half of one and half of another would not do: the order of a float is made of its sign and its
  // other bits, and two halves may have a prefix that no key has.
  static __device__ __forceinline__ void fix_up_ties(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    const int bit = control.upper_bit;
    const int lower_bits = bit - arguments.begin_bit;
    Key* const keys = arguments.keys_out;
    const unsigned long long n = arguments.n;
    const auto range_at = [&](unsigned long long i) { return range_of(arguments, racing_load(&keys[i]), arguments.begin_bit); };

    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warps = blockDim.x / 32;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * warps * kWarpKeys;
    // A warp's keys lie side by side, row after row. Whole warps go on together, the last one past the end.
    unsigned long long warp_first = (static_cast<unsigned long long>(blockIdx.x) * warps + threadIdx.x / 32) * kWarpKeys;
    for (; warp_first < n; warp_first += stride) {
      // All are read before the first of them is looked at: no read waits for another. The first lane reads the key before
      // the warp's, the last one the key behind them.
      Bits ranges[kFixUpRows];
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const unsigned long long i = warp_first + row * 32 + lane;
        ranges[row] = i < n ? range_at(i) : 0;
      }
      Bits outer = 0;
      if (lane == 0 && warp_first > 0) outer = range_at(warp_first - 1);
      if (lane == 31 && warp_first + kWarpKeys < n) outer = range_at(warp_first + kWarpKeys);
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const unsigned long long i = warp_first + row * 32 + lane;
        const Bits range = ranges[row];
        // The last lane of a row comes before the first one of the next.
        Bits before = __shfl_sync(~0u, row > 0 && lane == 31 ? ranges[row > 0 ? row - 1 : 0] : range, lane + 31);
        Bits after = __shfl_sync(~0u, row + 1 < kFixUpRows && lane == 0 ? ranges[row + 1 < kFixUpRows ? row + 1 : row] : range, lane + 1);
        if (row == 0 && lane == 0) before = outer;
        if (row + 1 == kFixUpRows && lane == 31) after = outer;  //~ key-of-next-warp
        if (i + 1 < n) {
          const Bits upper = range >> lower_bits;
          if (upper == after >> lower_bits) {
            if (i == 0 || upper != before >> lower_bits) sort_run(arguments, i, bit);  //~ start-of-run
            // To look at the flag spares work alone, and all store the same.
            if (range > after && !racing_load(&control.needs_all) && is_long_run(arguments, i, bit)) racing_store(&control.needs_all, 1);  //~ descent
          }
        }
      }
    }
  }

 private:
  // So many keys each thread of _fix_up reads at a time.
  static constexpr int kFixUpRows = 4;

  // So many keys, side by side, a warp of _fix_up reads at a time.
  static constexpr int kWarpKeys = 32 * kFixUpRows;

  // A run of more keys is long.
  static constexpr unsigned int kMaxTies = 32;

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
{%- if has_values %}
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
{%- if has_values %}
      const Value value = values[next];
{%- endif %}
      for (unsigned long long i = next; i > offset; --i) {
        racing_store(&keys[i], keys[i - 1]);
{%- if has_values %}
        values[i] = values[i - 1];
{%- endif %}
      }
      racing_store(&keys[offset], key);
{%- if has_values %}
      values[offset] = value;  //~ value-of-run
{%- endif %}
    }
  }

 public:
