  // Makes each digit's counts the place of its first key, and decides which passes there are to do: none for a digit that
  // all keys share. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / 32];
{%- if sorts_prefixes %}
    __shared__ float warp_agreements[kBins / 32];
    __shared__ float warp_greatest[kBins / 32];
    __shared__ float agreements[kMaxPasses];
    __shared__ float greatest_shares[kMaxPasses];
{%- endif %}
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const unsigned int lane = bin % 32;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    for (int pass = 0; pass < passes; ++pass) {
      const Count count = control.bins[pass][bin];
      Count inclusive = count;
#pragma unroll
      for (unsigned int distance = 1; distance < 32; distance *= 2) {
        const Count below = __shfl_up_sync(~0u, inclusive, distance);
        if (lane >= distance) inclusive += below;
      }
      if (lane == 31) warp_totals[bin / 32] = inclusive;
{%- if sorts_prefixes %}
      // How probable it is that two keys agree in this digit, and the share of its most frequent value.
      const float share = static_cast<float>(count) / static_cast<float>(arguments.n);
      float agreement = share * share;
      float greatest = share;
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
        agreement += __shfl_xor_sync(~0u, agreement, distance);
        const float other = __shfl_xor_sync(~0u, greatest, distance);
        greatest = other > greatest ? other : greatest;
      }
      if (lane == 0) {
        warp_agreements[bin / 32] = agreement;
        warp_greatest[bin / 32] = greatest;
      }
{%- endif %}
      // Also orders the totals before their readers.
      const bool is_constant = __syncthreads_or(count == arguments.n);
      Count start = inclusive - count;
      for (unsigned int warp = 0; warp < bin / 32; ++warp) start += warp_totals[warp];
      control.bins[pass][bin] = start;
      executed += !is_constant;
      if (bin == 0) control.ordinals[pass] = is_constant ? 0 : executed;
{%- if sorts_prefixes %}
      if (bin == 0) {
        float sum = 0;
        float most = 0;
        for (unsigned int warp = 0; warp < kBins / 32; ++warp) {
          sum += warp_agreements[warp];
          if (warp_greatest[warp] > most) most = warp_greatest[warp];
        }
        agreements[pass] = sum;
        greatest_shares[pass] = most;
      }
{%- endif %}
      // All have read the totals.
      __syncthreads();
    }
    if (bin != 0) return;
    control.executed[0] = executed;
{%- if sorts_prefixes %}
    if (passes < kMinPrefixPasses) return;

    // The upper digits that let few keys agree, and not many in the same, as if digits were independent: if they are not,
    // _mend finds out.
    constexpr float kFew = 0.25f;
    constexpr float kShort = 8;
    float agreeing = static_cast<float>(arguments.n);
    float longest = agreeing;
    int chosen = 0;
    int first_pass = passes;
    const bool in_place = arguments.keys_in == arguments.keys_out;
    const auto is_enough = [&] { return agreeing <= kFew && longest <= kShort && !(in_place && chosen % 2 == 1); };
    while (first_pass > 0 && !is_enough()) {
      --first_pass;
      if (control.ordinals[first_pass] == 0) continue;
      ++chosen;
      agreeing *= agreements[first_pass];
      longest *= greatest_shares[first_pass];
    }
    // To look for those that agree takes as long as a pass, nearly.
    if (!is_enough() || chosen + 2 > executed) return;
    control.executed[0] = chosen;
    control.executed[1] = executed;
    control.first_pass = first_pass;
    control.sorts_prefixes = 1;
    for (int pass = 0; pass < passes; ++pass) {
      const int ordinal = control.ordinals[pass];
      control.ordinals[passes + pass] = ordinal;
      if (ordinal > 0) control.ordinals[pass] = pass < first_pass ? 0 : ordinal - (executed - chosen);
    }
{%- endif %}
  }
