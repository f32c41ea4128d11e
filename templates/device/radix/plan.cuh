 public:
  // Makes each digit's histogram its exclusive scan, and decides which passes there are to do: none for a digit that all keys
  // share{% if finds_determined_digits %}, or that the digit above determines{% endif %}. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / kWarpThreads];
    // Each thread reads what it has written itself.
    __shared__ Count counts[kCountedDigits][kBins];
{%- if sorts_upper_digits %}
    __shared__ BinShares warp_shares[kBins / kWarpThreads];
    __shared__ DigitShares shares[kCountedDigits];
{%- endif %}
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    // Read once: thread 0 may take {% if maps_values %}the map{% else %}shared bits{% endif %} back when it has passed the last barrier.
    const int counted = has_other_digits(control) ? kCountedDigits : passes;
    // All are on their way before the first barrier: else each digit would wait for memory.
#pragma unroll
    for (int pass = 0; pass < kCountedDigits; ++pass) counts[pass][bin] = control.bins[pass][bin];
{%- if fixes_up_ties %}
    __shared__ UpperDigitSamples samples;  // indexed by digits; thread 0 reads what it has written itself
    if (bin == 0) samples = control.samples.counts;
{%- endif %}
{%- if finds_determined_digits %}
    // The last digit has none above it.
    const unsigned int independent_digits = control.independent_digits | 1u << passes >> 1;  //~ last-digit
{%- endif %}
{%- if sorts_msd_buckets %}
    const UpperDigitSamples samples = control.repeated_samples;
{%- endif %}
    for (int pass = 0; pass < counted; ++pass) {
      const Count count = counts[pass][bin];
      int occupied;
      control.bins[pass][bin] = offset_of_bin(warp_totals, count, occupied);
      const bool is_constant = occupied <= 1;
      if (!is_constant && pass < passes{% if finds_determined_digits %} && (independent_digits >> pass & 1u) != 0{% endif %}) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;  //~ counted-pass
      }
{%- if sorts_upper_digits %}
      // Has a barrier behind the last read of the totals.
      const DigitShares own = find_shares(warp_shares, static_cast<float>(count), static_cast<float>(arguments.n), occupied);
      if (bin == 0) shares[pass] = own;
{%- else %}
      // All have read the totals.
      __syncthreads();
{%- endif %}
    }
{%- if sorts_msd_buckets && !maps_values %}
    check_shared_bits(control, counts[kMaxPasses - 1][bin]);
{%- endif %}
    if (bin != 0) return;
    control.executed[0] = executed;
{%- if sorts_upper_digits %}
    if (passes >= kMinUpperPasses{% if sorts_msd_buckets %} && arguments.sorts_msd_buckets && !has_copies(arguments, samples){% endif %}) plan_upper_digits(arguments, control, samples, shares, executed);
{%- endif %}
  }

 private:
{%- if sorts_msd_buckets && !maps_values %}
  // Takes shared bits back if keys with other ones were counted, which samples may have missed. A thread for each value of the uppermost digit,
  // with the number of its keys. One barrier, behind which thread 0 may read what is left.
  static __device__ __forceinline__ void check_shared_bits(Control& control, Count keys) {
    const SharedBits shared_bits = control.shared_bits;
    const bool all_share = !__syncthreads_or(shared_bits.count != 0 && keys > 0 && shared_bits.differ_in(threadIdx.x));  //~ keys-with-other-upper-bits
    if (!all_share && threadIdx.x == 0) control.shared_bits.count = 0;
  }

{%- endif %}
  // The offset of the first key of the thread's bin, which has `count` keys, and how many bins have keys. One barrier, and the caller's before the totals are
  // written again.
  static __device__ __forceinline__ Count offset_of_bin(Count (&warp_totals)[kBins / kWarpThreads], Count count, int& occupied) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int own_warp = warp_of(threadIdx.x);
    const Count inclusive = inclusive_count_in_warp(count, lane);
    if (lane == 31) warp_totals[own_warp] = inclusive;
    // Also orders the totals before their readers.
    occupied = __syncthreads_count(count > 0);  //~ occupied-bins
    Count offset = inclusive - count;
    for (unsigned int warp = 0; warp < own_warp; ++warp) offset += warp_totals[warp];  //~ digits-of-warps-below
    return offset;
  }

  // The sum of the counts of all lanes up to this one.
  static __device__ __forceinline__ Count inclusive_count_in_warp(Count count, unsigned int lane) {
#pragma unroll
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
      const Count below = __shfl_up_sync(~0u, count, distance);
      if (lane >= distance) count += below;
    }
    return count;
  }
{%- if fixes_up_ties %}

{% include "device/radix/plan_tie_fix_up.cuh" %}
{%- else if sorts_msd_buckets %}

{% include "device/radix/plan_msd_buckets.cuh" %}
{%- endif %}
