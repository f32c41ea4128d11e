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
{%- if sorts_upper_digits %}

  // What samples tell of keys that agree.
{%- if fixes_up_ties %}
  using UpperDigitSamples = KeySamples::Counts;
{%- else %}
  using UpperDigitSamples = RepeatedSamples;
{%- endif %}

  struct DigitShares {
    // The share of keys that have the digit's most frequent value{% if sorts_msd_buckets %}; if heavy hitters are a small part, that of the others{% endif %}.
    float max;
{%- if sorts_msd_buckets %}
    // Likewise, of the values of its upper half.
    float upper_half_max;
{%- endif %}
{%- if fixes_up_ties %}
    // How probable it is that two keys agree in it.
    float agreement;
    int values;
{%- endif %}
  };
{%- if sorts_msd_buckets %}

  // A bin is heavy that has more keys than chance gives one of as many, by this many deviations. Where a digit has no more than the
  // share below in such bins, the buckets of those alone overflow, and the others decide.
  static constexpr float kDeviations = 5;
  static constexpr float kFewHeavy = 1.0f / 32;
{%- endif %}

  // What some bins have.
  struct BinShares {
    float max;
{%- if fixes_up_ties %}
    float agreement;
{%- else %}
    float upper_half_max;
    // Of bins that are not heavy; and the share of those that are.
    float light_max;
    float light_upper_half_max;
    float heavy;
{%- endif %}

    // Of a thread's bin with its count of n keys, of which there are in as many bins.
    static __device__ __forceinline__ BinShares of(float count, float n, [[maybe_unused]] int occupied) {
      const float share = count / n;
{%- if fixes_up_ties %}
      return {share, share * share};
{%- else %}
      const float mean = n / static_cast<float>(occupied);
      const bool is_heavy = count > mean + kDeviations * sqrtf(mean);
      const float light = is_heavy ? 0 : share;
      return {share, of_upper_half(share), light, of_upper_half(light), is_heavy ? share : 0};
{%- endif %}
    }
{%- if sorts_msd_buckets %}

    // The sum of the shares of lanes with bins of one value of the upper half.
    static __device__ __forceinline__ float of_upper_half(float share) {
#pragma unroll
      for (unsigned int distance = 1; distance < 1u << (kRadixBits / 2); distance *= 2) share += __shfl_xor_sync(~0u, share, distance);
      return share;
    }
{%- endif %}

    // The shares of the lane at this distance.
    __device__ __forceinline__ BinShares of_other_lane(unsigned int distance) const {
      const auto of_other = [&](float share) { return __shfl_xor_sync(~0u, share, distance); };
{%- if fixes_up_ties %}
      return {of_other(max), of_other(agreement)};
{%- else %}
      return {of_other(max), of_other(upper_half_max), of_other(light_max), of_other(light_upper_half_max), of_other(heavy)};
{%- endif %}
    }

    __device__ __forceinline__ void add(const BinShares& others) {
      max = fmaxf(max, others.max);
{%- if fixes_up_ties %}
      agreement += others.agreement;
{%- else %}
      upper_half_max = fmaxf(upper_half_max, others.upper_half_max);
      light_max = fmaxf(light_max, others.light_max);
      light_upper_half_max = fmaxf(light_upper_half_max, others.light_upper_half_max);
      heavy += others.heavy;
{%- endif %}
    }
  };

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
{%- if fixes_up_ties %}
    return {bins.max, bins.agreement, occupied};
{%- else %}
    const bool has_few_heavy = bins.heavy <= kFewHeavy;
    return {has_few_heavy ? bins.light_max : bins.max, has_few_heavy ? bins.light_upper_half_max : bins.upper_half_max};
{%- endif %}
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
{%- if fixes_up_ties %}

  // Whether samples show that many keys differ below this digit alone.
  static __device__ __forceinline__ bool has_many_ties(const Arguments& arguments, const KeySamples::Counts& samples, int digit) {
    // One may be so by chance. Three of one run are as many as keys have in long ones alone.
    constexpr unsigned int kMinFound = 2;
    constexpr unsigned int kMinFurther = 4;
    const int level = digit - KeySamples::kFirstLevel;
    if (samples.all < KeySamples::kMinCount || level < 0 || level >= KeySamples::kLevels) return false;
    const unsigned int further = samples.further[level];
    const unsigned int found = samples.second[level] + further;
    if (further >= kMinFurther) return true;
    // How many other keys agree with one.
    const float count = static_cast<float>(samples.all);
    return found >= kMinFound && 2 * static_cast<float>(found) * static_cast<float>(arguments.n) / (count * count) > 1;
  }

  // Whether keys of which samples tell nothing are few: if many samples are distinct, or as many as there are values of any digit. Samples
  // of one key in an array of others tell nothing.
  static __device__ __forceinline__ bool are_typical(const Control& control, const KeySamples::Counts& samples, const DigitShares* shares,
                                                     int executed) {
    constexpr unsigned int kMany = 1024;
    if (samples.all < KeySamples::kMinCount) return false;
    unsigned int most_values = 0;
    for (int i = 0; i < executed; ++i) most_values = max(most_values, static_cast<unsigned int>(shares[control.digits[i]].values));
    return samples.distinct >= (most_values < kMany ? most_values : kMany);
  }

  // Whether samples that agree from this digit up are copies of a key. As a margin, those that agree from the next digit up have to be.
  static __device__ __forceinline__ bool has_copies_alone(const KeySamples::Counts& samples, int digit) {
    const int level = digit + 1 - KeySamples::kFirstLevel;
    return level > 0 && level < KeySamples::kLevels && samples.second[level] + samples.further[level] == 0;
  }

  // The upper digits in which equal ones are rare, and not many agree in the same, as if digits were independent: if they are not,
  // samples tell, or _fix_up finds out. Copies of keys may be many, for they are in order whatever they are sorted by: where samples show that
  // keys that agree are copies, histograms do not matter.
  static __device__ __forceinline__ UpperDigits choose_upper_digits(const Arguments& arguments, const Control& control,
                                                                    const UpperDigitSamples& samples, const DigitShares* shares, int executed) {
    constexpr float kFew = 0.25f;
    constexpr float kShort = 8;
    float agreeing = static_cast<float>(arguments.n);
    float longest = agreeing;
    int chosen = 0;
    const bool in_place = arguments.keys_in == arguments.keys_out;
    const bool copies_are_known = are_typical(control, samples, shares, executed);
    bool is_enough = false;
    while (chosen < executed && !is_enough) {
      ++chosen;
      const int digit = control.digits[executed - chosen];
      agreeing *= shares[digit].agreement;
      longest *= shares[digit].max;
      const bool is_rare = agreeing <= kFew && longest <= kShort;
      const bool are_ties_few = is_rare || (copies_are_known && has_copies_alone(samples, digit));
      is_enough = are_ties_few && !(in_place && chosen % 2 == 1) &&  //~ even-number-of-passes
                  !has_many_ties(arguments, samples, digit);
    }
    // To look for ties takes as long as a pass, nearly.
    if (!is_enough || chosen + kSparedPasses > executed) return {};
    return {chosen, digit_of_pass(arguments, control.digits[executed - chosen]).bit};
  }
{%- else %}

  // The most items that a bucket is expected to have: six times the deviation of such a number fewer than a block holds.
  static constexpr float kMaxExpected = {{ max_expected_items }};

  // The upper two digits{% if !maps_values %}, or those below shared bits{% endif %}, if they distribute keys so evenly that a block holds each bucket, and the digits below so evenly that
  // few are in a sub-bucket: as if digits were independent. If they are not, _msd_buckets finds out.
  static __device__ __forceinline__ UpperDigits choose_upper_digits(const Arguments& arguments{% if maps_values %}, const Control&{% else %}, int shared{% endif %},
                                                                    const DigitShares* shares, int executed) {
    static_assert(kMinUpperPasses == 4 && kMaxPasses == 4, "two digits make buckets, two are left");
    // What is left in a bucket to sort by are the lower two digits, at least, of which the lower one may say nothing.
    if (executed < kMaxPasses) return {};
    // A bucket's keys are known by what they are sorted by only if that is all bits.
    if (!kSortsPositions && arguments.end_bit - arguments.begin_bit < kKeyBits) return {};
    constexpr float kFewPerSubBucket = 4;
    // The share of the most frequent value of a digit's upper bits, at most.
    const auto share_of = [&](int pass, int upper_bits) {
      const int not_of_half = kRadixBits / 2 - upper_bits;
      const float by_half = shares[pass].upper_half_max * static_cast<float>(not_of_half > 0 ? 1 << not_of_half : 1);
      const float by_values = shares[pass].max * static_cast<float>(1 << (kRadixBits - upper_bits));
      return fminf(fminf(by_half, by_values), 1.0f);
    };
    // A bucket is as much of the second digit's bits as are needed.
{%- if maps_values %}
    constexpr int first = kMaxPasses - 1;
    constexpr int shared = 0;
{%- else %}
    const int first = (shared != 0 ? kCountedDigits : kMaxPasses) - 1;
{%- endif %}
    const int second = first - 1;
    const float of_first = static_cast<float>(arguments.n) * shares[first].max;
    int bits = 0;
    while (bits < kRadixBits && of_first * share_of(second, bits) > kMaxExpected) ++bits;
    const UpperDigits upper{2, digit_of_pass(arguments, kMaxPasses - 1).bit - shared - bits};
    if (of_first * share_of(second, bits) > kMaxExpected || 1u << (arguments.end_bit - shared - upper.bit) > max_msd_buckets(arguments.n)) return {};
    // Sub-buckets tell 12 bits more apart, and a little. Of the keys' own digits the second one from below has some of them, of its lower ones if
    // keys share bits.
    const int bits_of_lower = bits + 4;
    const int bits_of_second = bits_of_lower < kRadixBits - shared ? bits_of_lower : kRadixBits - shared;
    const int bits_of_last = min(bits_of_lower - bits_of_second, kRadixBits);
{%- if maps_values %}
    const float share_of_second = share_of(1, bits_of_second);
{%- else %}
    const float by_values = fminf(shares[1].max * static_cast<float>(1 << (kRadixBits - bits_of_second)), 1.0f);
    const float share_of_second = shared != 0 ? by_values : share_of(1, bits_of_second);
{%- endif %}
    const float in_sub_bucket = of_first * shares[second].max * share_of_second * share_of(0, bits_of_last);
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

  // Plans a first phase by upper digits if those of the keys' digits are fit for it, of which `executed` would move something. One thread.
  static __device__ __forceinline__ void plan_upper_digits(const Arguments& arguments, Control& control, [[maybe_unused]] const UpperDigitSamples& samples,
                                                           const DigitShares* shares, int executed) {
{%- if maps_values %}
    UpperDigits upper = choose_upper_digits(arguments, control, shares, executed);
    if (upper.executed == 0 && !has_full_sub_buckets(arguments, samples)) upper = choose_linear_map(arguments, control, shares, executed);
{%- else %}
{%- if fixes_up_ties %}
    const UpperDigits upper = choose_upper_digits(arguments, control, samples, shares, executed);
{%- else %}
    UpperDigits upper{};
    if (control.shared_bits.count != 0) upper = choose_upper_digits(arguments, control.shared_bits.count, shares, executed);
    if (upper.executed == 0) {
      control.shared_bits.count = 0;
      upper = choose_upper_digits(arguments, 0, shares, executed);
    }
{%- endif %}
{%- endif %}
    if (upper.executed == 0) return;
    control.executed[0] = upper.executed;
    control.executed[1] = executed;
    control.upper_bit = upper.bit;
{%- if maps_values %}
    if (!upper.is_mapped) control.linear_map.buckets = 0;
{%- endif %}
    control.sorts_upper_digits = 1;
  }
{%- endif %}
