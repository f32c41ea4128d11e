  // What samples tell of keys that agree.
  using UpperDigitSamples = RepeatedSamples;

  // A bin is heavy that has more keys than chance gives one of as many, by this many deviations. Where a digit has no more than the
  // share below in such bins, the buckets of those alone overflow, and the others decide.
  static constexpr float kDeviations = 5;
  static constexpr float kFewHeavy = 1.0f / 32;

  // What some bins have.
  struct BinShares {
    float max;
    float upper_half_max;
    // Of bins that are not heavy; and the share of those that are.
    float light_max;
    float light_upper_half_max;
    float heavy;

    // Of a thread's bin with its count of n keys, of which there are in as many bins.
    static __device__ __forceinline__ BinShares of(float count, float n, int occupied) {
      const float share = count / n;
      const float mean = n / static_cast<float>(occupied);
      const bool is_heavy = count > mean + kDeviations * sqrtf(mean);
      const float light = is_heavy ? 0 : share;
      return {share, of_upper_half(share), light, of_upper_half(light), is_heavy ? share : 0};
    }

    // The sum of the shares of lanes with bins of one value of the upper half.
    static __device__ __forceinline__ float of_upper_half(float share) {
#pragma unroll
      for (unsigned int distance = 1; distance < 1u << (kRadixBits / 2); distance *= 2) share += __shfl_xor_sync(~0u, share, distance);
      return share;
    }

    // The shares of the lane at this distance.
    __device__ __forceinline__ BinShares of_other_lane(unsigned int distance) const {
      const auto of_other = [&](float share) { return __shfl_xor_sync(~0u, share, distance); };
      return {of_other(max), of_other(upper_half_max), of_other(light_max), of_other(light_upper_half_max), of_other(heavy)};
    }

    __device__ __forceinline__ void add(const BinShares& others) {
      max = fmaxf(max, others.max);
      upper_half_max = fmaxf(upper_half_max, others.upper_half_max);
      light_max = fmaxf(light_max, others.light_max);
      light_upper_half_max = fmaxf(light_upper_half_max, others.light_upper_half_max);
      heavy += others.heavy;
    }
  };

  struct DigitShares {
    // The share of keys that have the digit's most frequent value; if heavy hitters are a small part, that of the others.
    float max;
    // Likewise, of the values of its upper half.
    float upper_half_max;

    static __device__ __forceinline__ DigitShares of(const BinShares& bins, [[maybe_unused]] int occupied) {
      const bool has_few_heavy = bins.heavy <= kFewHeavy;
      return {has_few_heavy ? bins.light_max : bins.max, has_few_heavy ? bins.light_upper_half_max : bins.upper_half_max};
    }
  };

{% include "device/radix/plan_upper_digits.cuh" %}

  // The most items that a bucket is expected to have: six times the deviation of such a number fewer than a block holds.
  static constexpr float kMaxExpected = {{ max_expected_items }};

  // The upper two digits{% if !maps_values %}, or those below shared bits{% endif %}, if they distribute keys so evenly that a block holds each bucket, and the digits below so evenly that
  // few are in a sub-bucket: as if digits were independent. If they are not, _msd_buckets finds out.
  static __device__ __forceinline__ UpperDigits choose_two_digits(const Arguments& arguments{% if !maps_values %}, int shared{% endif %},
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

  // The digits of the first phase: two of the keys' if they are fit for it{% if maps_values %}, else those of the linear map's buckets{% else %}, below shared bits or from the uppermost bit down{% endif %}.
  static __device__ __forceinline__ UpperDigits choose_upper_digits(const Arguments& arguments, Control& control,
                                                                    [[maybe_unused]] const UpperDigitSamples& samples,
                                                                    const DigitShares* shares, int executed) {
{%- if maps_values %}
    UpperDigits upper = choose_two_digits(arguments, shares, executed);
    if (upper.executed == 0 && !has_full_sub_buckets(arguments, samples)) upper = choose_linear_map(arguments, control, shares, executed);
{%- else %}
    UpperDigits upper{};
    if (control.shared_bits.count != 0) upper = choose_two_digits(arguments, control.shared_bits.count, shares, executed);
    if (upper.executed == 0) {
      control.shared_bits.count = 0;
      upper = choose_two_digits(arguments, 0, shares, executed);
    }
{%- endif %}
    return upper;
  }
