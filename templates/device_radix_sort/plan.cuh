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
    __shared__ DigitShares shares[kMaxPasses];
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
      const bool is_constant = __syncthreads_or(count == arguments.n);
      Count start = inclusive - count;
      for (unsigned int warp = 0; warp < bin / 32; ++warp) start += warp_totals[warp];
      control.bins[pass][bin] = start;
      executed += !is_constant;
      if (bin == 0) control.ordinals[pass] = is_constant ? 0 : executed;
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
    const Prefix prefix = choose_prefix(arguments, control, shares, passes, executed);
    if (prefix.executed == 0) return;
    control.executed[0] = prefix.executed;
    control.executed[1] = executed;
    control.prefix_bit = prefix.bit;
    control.sorts_prefixes = 1;
    for (int pass = 0; pass < passes; ++pass) {
      const int ordinal = control.ordinals[pass];
      control.ordinals[passes + pass] = ordinal;
      if (ordinal > 0) control.ordinals[pass] = pass < prefix.first_pass ? 0 : ordinal - (executed - prefix.executed);
    }
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
    int first_pass;
    // From this bit up, keys agree where there is something left to sort.
    int bit;
  };
{%- if mends %}

  // The upper digits that let few keys agree, and not many in the same, as if digits were independent: if they are not,
  // _mend finds out.
  static __device__ __forceinline__ Prefix choose_prefix(const Arguments& arguments, const Control& control,
                                                         const DigitShares (&shares)[kMaxPasses], int passes, int executed) {
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
      agreeing *= shares[first_pass].agreement;
      longest *= shares[first_pass].greatest;
    }
    // To look for those that agree takes as long as a pass, nearly.
    if (!is_enough() || chosen + 2 > executed) return {0, 0, 0};
    return {chosen, first_pass, digit_of_pass(arguments, first_pass).bit};
  }
{%- else %}

  // The upper two digits, if they part keys so evenly that a block holds each part, and the digits below so evenly that
  // few are in a cell: as if digits were independent. If they are not, _parts finds out.
  static __device__ __forceinline__ Prefix choose_prefix(const Arguments& arguments, const Control&,
                                                         const DigitShares (&shares)[kMaxPasses], int passes, int executed) {
    static_assert(kMinPrefixPasses == 4 && kMaxPasses == 4, "two digits part keys, two are left");
    // What is left in a part to sort by are the lower two digits, at least, of which the lower one may say nothing.
    if (executed < passes) return {0, 0, 0};
{%- if !places_items %}
    // A part's keys are known by what they are sorted by only if that is all bits.
    if (arguments.end_bit - arguments.begin_bit < kKeyBits) return {0, 0, 0};
{%- endif %}
    constexpr float kMostInPart = {{ most_in_part }};
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
    while (bits < kRadixBits && of_first * share_of(2, bits) > kMostInPart) ++bits;
    const Prefix prefix{2, 2, digit_of_pass(arguments, 3).bit - bits};
    if (of_first * share_of(2, bits) > kMostInPart || 1u << (arguments.end_bit - prefix.bit) > max_parts(arguments.n)) return {0, 0, 0};
    // Cells tell 12 bits more apart, and a little.
    const int bits_of_lower = bits + 4;
    const float in_cell = of_first * shares[2].greatest * share_of(1, bits_of_lower < kRadixBits ? bits_of_lower : kRadixBits) *
                          share_of(0, bits_of_lower < kRadixBits ? 0 : bits_of_lower - kRadixBits);
    return in_cell <= kFewPerCell ? prefix : Prefix{0, 0, 0};
  }
{%- endif %}

 public:
{%- endif %}
