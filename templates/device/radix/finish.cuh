 public:
  // Copies the result to where it belongs, if no pass has written it there: in place after an odd number of passes, and
  // to other arrays after none.
  static __device__ __forceinline__ void finish(const Arguments& arguments) {
    wait_for_previous_grid();
    const Control& control = control_of(arguments);
{%- if fixes_up_ties %}
    if (control.queued_run_count > 0 && !needs_all(arguments, control)) {  //~ sorts-queue
      sort_queued_runs(arguments, control);
      return;
    }
{%- endif %}
{%- if sorts_msd_buckets %}
    if (sorts_overflow(arguments, control)) {
      scatter_overflow(arguments, control);
      return;
    }
{%- endif %}
    // A second phase sorts what the first one left in keys_out.
    const bool is_second = kSortsUpperDigits && needs_all(arguments, control);
    const bool in_place = is_second || arguments.keys_in == arguments.keys_out;
    // Items in the scratch arrays are there as if a pass had written them.
    const int executed = is_second ? control.executed[kPhases - 1] + (kLeavesItems && leaves_items(arguments)) : control.executed[0];  //~ executed-passes
    if (in_place ? executed % 2 == 0 && (!kMakesPositions || executed > 0) : executed > 0) return;  //~ result-in-place
    copy_result(arguments, executed > 0, executed > 0 || !in_place);
  }

 private:
  // Copies the items from the scratch arrays or the input to the result.
  static __device__ __forceinline__ void copy_result(const Arguments& arguments, bool from_scratch, bool moves_keys) {
    // Items of a thread that are read before the first of them is written: one does not wait for another.
    constexpr int kCopied = 2;
    const bool copies_keys = arguments.writes_keys && moves_keys;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (; first < arguments.n; first += kCopied * stride) {
      Key keys[kCopied];
{%- if value.exists %}
      Value values[kCopied];
{%- endif %}
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) keys[own] = from_scratch ? arguments.keys_alternate[i] : arguments.keys_in[i];
{%- if value.is_position %}
        values[own] = from_scratch ? arguments.values_alternate[i] : static_cast<Value>(i);
{%- else if value.exists %}
        values[own] = from_scratch ? arguments.values_alternate[i] : arguments.values_in[i];
{%- endif %}
      }
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) {% if key.is_struct %}store_key(&arguments.keys_out[i], bits_as<StoredBits>(keys[own])){% else %}arguments.keys_out[i] = keys[own]{% endif %};
{%- if value.exists %}
        arguments.values_out[i] = values[own];
{%- endif %}
      }
    }
  }
