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
    const bool from_scratch = executed > 0;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < arguments.n;
         i += stride) {
      if (arguments.writes_keys && (from_scratch || !in_place)) {
        arguments.keys_out[i] = from_scratch ? arguments.keys_alternate[i] : arguments.keys_in[i];
      }
{%- if value.is_position %}
      arguments.values_out[i] = from_scratch ? arguments.values_alternate[i] : static_cast<Value>(i);
{%- else if value.exists %}
      arguments.values_out[i] = from_scratch ? arguments.values_alternate[i] : arguments.values_in[i];
{%- endif %}
    }
  }

 private:
