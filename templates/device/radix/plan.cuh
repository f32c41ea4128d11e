  // Makes each digit's counts the place of its first key, and decides which passes there are to do: none for a digit that
  // all keys share. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / 32];
{%- if mends %}
    __shared__ float warp_agreements[kBins / 32];
{%- endif %}
{%- if sorts_prefixes %}
    __shared__ float warp_greatest[kBins / 32];
    __shared__ DigitShares shares[kCountedDigits];
{%- endif %}
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const unsigned int lane = bin % 32;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
{%- if spreads %}
    // Read once: thread 0 may take the map back when it has passed the last barrier.
    const int counted = control.spread.parts != 0 ? kCountedDigits : passes;
    for (int pass = 0; pass < counted; ++pass) {
{%- else %}
    for (int pass = 0; pass < passes; ++pass) {
{%- endif %}
      const Count count = control.bins[pass][bin];
      Count inclusive = count;
#pragma unroll
      for (unsigned int distance = 1; distance < 32; distance *= 2) {
        const Count below = __shfl_up_sync(~0u, inclusive, distance);
        if (lane >= distance) inclusive += below;
      }
      if (lane == 31) warp_totals[bin / 32] = inclusive;
{%- if sorts_prefixes %}
      const float share = static_cast<float>(count) / static_cast<float>(arguments.n);
{%- if mends %}
      float agreement = share * share;
{%- endif %}
      float greatest = share;
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
{%- if mends %}
        agreement += __shfl_xor_sync(~0u, agreement, distance);
{%- endif %}
        const float other = __shfl_xor_sync(~0u, greatest, distance);
        greatest = other > greatest ? other : greatest;
      }
      if (lane == 0) {
{%- if mends %}
        warp_agreements[bin / 32] = agreement;
{%- endif %}
        warp_greatest[bin / 32] = greatest;
      }
{%- endif %}
      // Also orders the totals before their readers.
      const bool is_constant = __syncthreads_or(count == arguments.n);  //~ constant-digit
      Count start = inclusive - count;
      for (unsigned int warp = 0; warp < bin / 32; ++warp) start += warp_totals[warp];  //~ digits-of-warps-below
      control.bins[pass][bin] = start;
      if (!is_constant{% if spreads %} && pass < passes{% endif %}) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;  //~ counted-pass
      }
{%- if sorts_prefixes %}
      if (bin == 0) {
        DigitShares& own = shares[pass];
        own = {};
        for (unsigned int warp = 0; warp < kBins / 32; ++warp) {
{%- if mends %}
          own.agreement += warp_agreements[warp];
{%- endif %}
          if (warp_greatest[warp] > own.greatest) own.greatest = warp_greatest[warp];
        }
      }
{%- endif %}
      // All have read the totals.
      __syncthreads();
    }
    if (bin != 0) return;
    control.executed[0] = executed;
{%- if sorts_prefixes %}
    if (passes < kMinPrefixPasses{% if sorts_parts %} || !arguments.sorts_parts{% endif %}) return;
{%- if spreads %}
    Prefix prefix = choose_prefix(arguments, control, shares, executed);
    if (prefix.executed == 0) prefix = choose_spread(arguments, control, shares, executed);
{%- else %}
    const Prefix prefix = choose_prefix(arguments, control, shares, executed);
{%- endif %}
    if (prefix.executed == 0) return;
    control.executed[0] = prefix.executed;
    control.executed[1] = executed;
    control.prefix_bit = prefix.bit;
{%- if spreads %}
    if (!prefix.spreads) control.spread.parts = 0;
{%- endif %}
    control.sorts_prefixes = 1;
{%- endif %}
  }
{%- if sorts_prefixes %}

 private:
  struct DigitShares {
    // The share of keys that have the digit's most frequent value.
    float greatest;
{%- if mends %}
    // How probable it is that two keys agree in it.
    float agreement;
{%- endif %}
  };

  // What the first phase sorts by.
  struct Prefix {
    // How many passes move anything; 0 if there is to be no such phase.
    int executed;
    // From this bit up, keys agree where there is something left to sort.
    int bit;
{%- if spreads %}
    // Whether not by the keys' digits, but by those of parts that keys are spread over.
    bool spreads;
{%- endif %}
  };
{%- if mends %}

  // The upper digits that let few keys agree, and not many in the same, as if digits were independent: if they are not,
  // _mend finds out.
  static __device__ __forceinline__ Prefix choose_prefix(const Arguments& arguments, const Control& control,
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
      longest *= shares[digit].greatest;
    }
    // To look for those that agree takes as long as a pass, nearly.
    if (!is_enough() || chosen + kSparedPasses > executed) return {};
    return {chosen, digit_of_pass(arguments, control.digits[executed - chosen]).bit};
  }
{%- else %}

  // The most items that a part is expected to have: six times the deviation of such a number fewer than a block holds.
  static constexpr float kMostExpected = {{ most_in_part }};

  // The upper two digits, if they part keys so evenly that a block holds each part, and the digits below so evenly that
  // few are in a cell: as if digits were independent. If they are not, _parts finds out.
  static __device__ __forceinline__ Prefix choose_prefix(const Arguments& arguments, const Control&,
                                                         const DigitShares* shares, int executed) {
    static_assert(kMinPrefixPasses == 4 && kMaxPasses == 4, "two digits part keys, two are left");
    // What is left in a part to sort by are the lower two digits, at least, of which the lower one may say nothing.
    if (executed < kMaxPasses) return {};
{%- if !places_items %}
    // A part's keys are known by what they are sorted by only if that is all bits.
    if (arguments.end_bit - arguments.begin_bit < kKeyBits) return {};
{%- endif %}
    constexpr float kFewPerCell = 4;
    // The part of a digit's values that its upper bits tell apart.
    const auto share_of = [&](int pass, int upper_bits) {
      const int values = 1 << (kRadixBits - upper_bits);
      const float share = shares[pass].greatest * static_cast<float>(values);
      return share < 1 ? share : 1.0f;
    };
    // A part is as much of the second digit's bits as are needed.
    const float of_first = static_cast<float>(arguments.n) * shares[3].greatest;
    int bits = 0;
    while (bits < kRadixBits && of_first * share_of(2, bits) > kMostExpected) ++bits;
    const Prefix prefix{2, digit_of_pass(arguments, 3).bit - bits{% if spreads %}, false{% endif %}};
    if (of_first * share_of(2, bits) > kMostExpected || 1u << (arguments.end_bit - prefix.bit) > max_parts(arguments.n)) return {};
    // Cells tell 12 bits more apart, and a little.
    const int bits_of_lower = bits + 4;
    const float in_cell = of_first * shares[2].greatest * share_of(1, bits_of_lower < kRadixBits ? bits_of_lower : kRadixBits) *
                          share_of(0, bits_of_lower < kRadixBits ? 0 : bits_of_lower - kRadixBits);
    return in_cell <= kFewPerCell ? prefix : Prefix{};
  }
{%- if spreads %}

  // The parts that keys are spread over, if a block holds each, and no key is likely to be there often: as if digits were
  // independent. If they are not, _parts finds out.
  static __device__ __forceinline__ Prefix choose_spread(const Arguments& arguments, const Control& control,
                                                         const DigitShares* shares, int executed) {
    constexpr float kOften = 96;
    if (control.spread.parts == 0 || executed < kMaxPasses) return {};
    const float n = static_cast<float>(arguments.n);
    const float in_part = n * shares[kMaxPasses].greatest * shares[kMaxPasses + 1].greatest;
    float of_key = n;
    for (int pass = 0; pass < kMaxPasses; ++pass) of_key *= shares[pass].greatest;
    return in_part <= kMostExpected && of_key <= kOften ? Prefix{kSpreadDigits, 0, true} : Prefix{};
  }
{%- endif %}
{%- endif %}

 public:
{%- endif %}
