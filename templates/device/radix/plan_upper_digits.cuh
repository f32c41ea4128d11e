  // What thread 0 gets is of all bins, each of which is a thread's, with its count of n keys. A barrier lies within; the storage may be
  // written again behind the next one.
  static __device__ __forceinline__ DigitShares find_shares(BinShares (&of_warps)[kBins / kWarpThreads], float count, float n, int occupied) {
    BinShares bins = BinShares::of(count, n, occupied);
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2) bins.add(bins.of_other_lane(distance));
    if (lane_of(threadIdx.x) == 0) of_warps[warp_of(threadIdx.x)] = bins;
    __syncthreads();
    if (threadIdx.x != 0) return {};
    for (unsigned int warp = 1; warp < kBins / kWarpThreads; ++warp) bins.add(of_warps[warp]);
    return DigitShares::of(bins, occupied);
  }

  // What the first phase sorts by.
  struct UpperDigits {
    // How many passes move anything; 0 if there is to be no such phase.
    int executed;
    // Keys that are still to be sorted agree from this bit up.
    int bit;
{%- if maps_values %}
    // Whether by the digits of the linear map's buckets, and not by the keys'.
    bool is_mapped = false;
{%- endif %}
  };

  // Plans a first phase by upper digits if those of the keys' digits are fit for it, of which `executed` would move something. One thread.
  static __device__ __forceinline__ void plan_upper_digits(const Arguments& arguments, Control& control, const UpperDigitSamples& samples,
                                                           const DigitShares* shares, int executed) {
    const UpperDigits upper = choose_upper_digits(arguments, control, samples, shares, executed);
    if (upper.executed == 0) return;
    control.executed[0] = upper.executed;
    control.executed[1] = executed;
    control.upper_bit = upper.bit;
{%- if maps_values %}
    if (!upper.is_mapped) control.linear_map.buckets = 0;
{%- endif %}
    control.sorts_upper_digits = 1;
  }
