 public:
  // Makes each digit's histogram its exclusive scan, and decides which passes there are to do: none for a digit that all keys
  // share. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / 32];
{%- if fixes_up_ties %}
    __shared__ float warp_agreements[kBins / 32];
{%- endif %}
{%- if sorts_upper_digits %}
    __shared__ float warp_max_shares[kBins / 32];
    __shared__ DigitShares shares[kCountedDigits];
{%- endif %}
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const unsigned int lane = lane_of(bin);
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    // Read once: if there is a map, thread 0 may take it back when it has passed the last barrier.
    const int counted = is_mapped(control) ? kCountedDigits : passes;
    for (int pass = 0; pass < counted; ++pass) {
      const Count count = control.bins[pass][bin];
      Count inclusive = count;
#pragma unroll
      for (unsigned int distance = 1; distance < 32; distance *= 2) {
        const Count below = __shfl_up_sync(~0u, inclusive, distance);
        if (lane >= distance) inclusive += below;
      }
      if (lane == 31) warp_totals[warp_of(bin)] = inclusive;
{%- if sorts_upper_digits %}
      const float share = static_cast<float>(count) / static_cast<float>(arguments.n);
{%- if fixes_up_ties %}
      float agreement = share * share;
{%- endif %}
      float max = share;
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
{%- if fixes_up_ties %}
        agreement += __shfl_xor_sync(~0u, agreement, distance);
{%- endif %}
        const float other = __shfl_xor_sync(~0u, max, distance);
        max = other > max ? other : max;
      }
      if (lane == 0) {
{%- if fixes_up_ties %}
        warp_agreements[warp_of(bin)] = agreement;
{%- endif %}
        warp_max_shares[warp_of(bin)] = max;
      }
{%- endif %}
      // Also orders the totals before their readers.
      const bool is_constant = __syncthreads_or(count == arguments.n);  //~ constant-digit
      Count start = inclusive - count;
      for (unsigned int warp = 0; warp < warp_of(bin); ++warp) start += warp_totals[warp];  //~ digits-of-warps-below
      control.bins[pass][bin] = start;
      if (!is_constant && pass < passes) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;  //~ counted-pass
      }
{%- if sorts_upper_digits %}
      if (bin == 0) {
        DigitShares& own = shares[pass];
        own = {};
        for (unsigned int warp = 0; warp < kBins / 32; ++warp) {
{%- if fixes_up_ties %}
          own.agreement += warp_agreements[warp];
{%- endif %}
          if (warp_max_shares[warp] > own.max) own.max = warp_max_shares[warp];
        }
      }
{%- endif %}
      // All have read the totals.
      __syncthreads();
    }
    if (bin != 0) return;
    control.executed[0] = executed;
{%- if sorts_upper_digits %}
    if (passes < kMinUpperPasses{% if sorts_msd_buckets %} || !arguments.sorts_msd_buckets{% endif %}) return;
{%- if maps_values %}
    UpperDigits upper = choose_upper_digits(arguments, control, shares, executed);
    if (upper.executed == 0) upper = choose_linear_map(arguments, control, shares, executed);
{%- else %}
    const UpperDigits upper = choose_upper_digits(arguments, control, shares, executed);
{%- endif %}
    if (upper.executed == 0) return;
    control.executed[0] = upper.executed;
    control.executed[1] = executed;
    control.upper_bit = upper.bit;
{%- if maps_values %}
    if (!upper.is_mapped) control.linear_map.buckets = 0;
{%- endif %}
    control.sorts_upper_digits = 1;
{%- endif %}
  }
{%- if sorts_upper_digits %}

 private:
  struct DigitShares {
    // The share of keys that have the digit's most frequent value.
    float max;
{%- if fixes_up_ties %}
    // How probable it is that two keys agree in it.
    float agreement;
{%- endif %}
  };

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
{%- if fixes_up_ties %}

  // The upper digits in which equal ones are rare, and not many agree in the same, as if digits were independent: if they are not,
  // _fix_up finds out.
  static __device__ __forceinline__ UpperDigits choose_upper_digits(const Arguments& arguments, const Control& control,
                                                                    const DigitShares* shares, int executed) {
    constexpr float kFew = 0.25f;
    constexpr float kShort = 8;
    float agreeing = static_cast<float>(arguments.n);
    float longest = agreeing;
    int chosen = 0;
    const bool in_place = arguments.keys_in == arguments.keys_out;
    const auto is_enough = [&] { return agreeing <= kFew && longest <= kShort && !(in_place && chosen % 2 == 1); };  //~ even-number-of-passes
    while (chosen < executed && !is_enough()) {
      ++chosen;
      const int digit = control.digits[executed - chosen];
      agreeing *= shares[digit].agreement;
      longest *= shares[digit].max;
    }
    // To look for ties takes as long as a pass, nearly.
    if (!is_enough() || chosen + kSparedPasses > executed) return {};
    return {chosen, digit_of_pass(arguments, control.digits[executed - chosen]).bit};
  }
{%- else %}

  // The most items that a bucket is expected to have: six times the deviation of such a number fewer than a block holds.
  static constexpr float kMaxExpected = {{ max_expected_items }};

  // The upper two digits, if they distribute keys so evenly that a block holds each bucket, and the digits below so evenly that
  // few are in a sub-bucket: as if digits were independent. If they are not, _msd_buckets finds out.
  static __device__ __forceinline__ UpperDigits choose_upper_digits(const Arguments& arguments, const Control&,
                                                                    const DigitShares* shares, int executed) {
    static_assert(kMinUpperPasses == 4 && kMaxPasses == 4, "two digits make buckets, two are left");
    // What is left in a bucket to sort by are the lower two digits, at least, of which the lower one may say nothing.
    if (executed < kMaxPasses) return {};
    // A bucket's keys are known by what they are sorted by only if that is all bits.
    if (!kSortsPositions && arguments.end_bit - arguments.begin_bit < kKeyBits) return {};
    constexpr float kFewPerSubBucket = 4;
    // The share of the most frequent value of a digit's upper bits, at most.
    const auto share_of = [&](int pass, int upper_bits) {
      const int values = 1 << (kRadixBits - upper_bits);
      const float share = shares[pass].max * static_cast<float>(values);
      return share < 1 ? share : 1.0f;
    };
    // A bucket is as much of the second digit's bits as are needed.
    const float of_first = static_cast<float>(arguments.n) * shares[3].max;
    int bits = 0;
    while (bits < kRadixBits && of_first * share_of(2, bits) > kMaxExpected) ++bits;
    const UpperDigits upper{2, digit_of_pass(arguments, 3).bit - bits};
    if (of_first * share_of(2, bits) > kMaxExpected || 1u << (arguments.end_bit - upper.bit) > max_msd_buckets(arguments.n)) return {};
    // Sub-buckets tell 12 bits more apart, and a little.
    const int bits_of_lower = bits + 4;
    const float in_sub_bucket = of_first * shares[2].max * share_of(1, bits_of_lower < kRadixBits ? bits_of_lower : kRadixBits) *
                          share_of(0, bits_of_lower < kRadixBits ? 0 : bits_of_lower - kRadixBits);
    return in_sub_bucket <= kFewPerSubBucket ? upper : UpperDigits{};
  }
{%- if maps_values %}

  // The linear map's buckets, if a block holds each, and no key is likely to be there often: as if digits were independent. If they are not, _msd_buckets finds out.
  static __device__ __forceinline__ UpperDigits choose_linear_map(const Arguments& arguments, const Control& control,
                                                                  const DigitShares* shares, int executed) {
    constexpr float kOften = 96;
    if (control.linear_map.buckets == 0 || executed < kMaxPasses) return {};
    const float n = static_cast<float>(arguments.n);
    const float in_bucket = n * shares[kMaxPasses].max * shares[kMaxPasses + 1].max;
    float of_key = n;
    for (int pass = 0; pass < kMaxPasses; ++pass) of_key *= shares[pass].max;
    return in_bucket <= kMaxExpected && of_key <= kOften ? UpperDigits{kMapDigits, 0, true} : UpperDigits{};
  }
{%- endif %}
{%- endif %}
{%- endif %}
