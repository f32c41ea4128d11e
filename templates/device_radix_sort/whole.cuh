  // All of a sort in one cooperative launch, for few items: what separate launches cost is more than what they do.
  static __device__ __forceinline__ void run_whole(const Arguments& arguments, unsigned char* shared) {
    Control& control = control_of(arguments);
    unsigned int rounds = 0;
    count_digits(arguments, reinterpret_cast<unsigned int*>(shared));
    wait_for_grid(&control.arrived, rounds);
    if (blockIdx.x == 0) plan_passes(arguments);
    wait_for_grid(&control.arrived, rounds);
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    for (int pass = 0; pass < passes; ++pass) run_pass_of_whole(arguments, pass, shared, rounds);
{%- if sorts_prefixes %}
    if (control.sorts_prefixes) {
      mend(arguments);
      wait_for_grid(&control.arrived, rounds);
      if (poll(&control.needs_all) != 0) {
        for (int pass = passes; pass < 2 * passes; ++pass) run_pass_of_whole(arguments, pass, shared, rounds);
      }
    }
{%- endif %}
    finish(arguments);
  }

 private:
  static __device__ __forceinline__ void run_pass_of_whole(const Arguments& arguments, int pass, unsigned char* shared,
                                                           unsigned int& rounds) {
    Control& control = control_of(arguments);
    if (control.ordinals[pass] == 0) return;
    run_pass(arguments, pass, shared);
    wait_for_grid(&control.arrived, rounds);
  }

 public:
