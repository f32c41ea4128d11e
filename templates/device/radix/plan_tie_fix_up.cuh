  // What samples tell of keys that agree.
  using UpperDigitSamples = KeySamples::Counts;

  // What some bins have.
  struct BinShares {
    float max;
    float agreement;

    // Of a thread's bin with its count of n keys, of which there are in as many bins.
    static __device__ __forceinline__ BinShares of(float count, float n, [[maybe_unused]] int occupied) {
      const float share = count / n;
      return {share, share * share};
    }

    // The shares of the lane at this distance.
    __device__ __forceinline__ BinShares of_other_lane(unsigned int distance) const {
      const auto of_other = [&](float share) { return __shfl_xor_sync(~0u, share, distance); };
      return {of_other(max), of_other(agreement)};
    }

    __device__ __forceinline__ void add(const BinShares& others) {
      max = fmaxf(max, others.max);
      agreement += others.agreement;
    }
  };

  struct DigitShares {
    // The share of keys that have the digit's most frequent value.
    float max;
    // How probable it is that two keys agree in it.
    float agreement;
    int values;

    static __device__ __forceinline__ DigitShares of(const BinShares& bins, int occupied) { return {bins.max, bins.agreement, occupied}; }
  };

{% include "device/radix/plan_upper_digits.cuh" %}

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
