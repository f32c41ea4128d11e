  // Floats that are even as values are not so in their upper digits, which are exponents. A linear map of the values spreads
  // them evenly over parts instead, whose numbers have two digits.
  struct Spread {
    // How many parts there are; 0 if keys are not spread.
    unsigned int parts;
    float scale;
    // A whole number, so that a part's number and it make one without error.
    float offset;

    // Where a number is among the parts, in parts from the middle of the first one on; `more` is added before it is rounded.
    __device__ __forceinline__ float place_of(Key key, float more) const { return fmaf(key, scale, offset + more); }

    // A NaN that is behind all numbers. One that is before them is in the first part, for so the minimum and the maximum
    // below take it. What fills a tile up behind the last key is such a NaN, too, whose place is to be behind all keys of the tile.
    static __device__ __forceinline__ bool comes_last(Key key) {
{%- if key.nan_last %}
      return key != key;
{%- else if key.descending %}
      return bits_as<unsigned int>(key) > 0xff800000u;
{%- else %}
      return bits_as<int>(key) > 0x7f800000;
{%- endif %}
    }

    // The last bit of a float from 2^23 on is worth 1: rounded to it, the place is the part's number.
    __device__ __forceinline__ unsigned int part_of(Key key) const {
      constexpr float kFirst = 1 << 23;
      const float last = kFirst + static_cast<float>(parts - 1);
      const float place = fminf(fmaxf(place_of(key, kFirst), kFirst), last);  //~ linear-map
      return bits_as<unsigned int>(comes_last(key) ? last : place) & 0xffffu;  //~ bucket-of-nan
    }

    // A number that orders as the keys of a part do, but for those that are too close together.
    __device__ __forceinline__ unsigned int order_within(unsigned int part, Key key) const {
      // From 1 to 2, between which all floats have one exponent.
      constexpr float kLast = 2 - 1.0f / (1 << 23);
      const float place = fminf(fmaxf(place_of(key, 1.5f - static_cast<float>(part)), 1), kLast);
      return bits_as<unsigned int>(comes_last(key) ? kLast : place) << 9;  //~ sub-bucket-of-nan
    }
  };

  static constexpr int kSpreadDigits = 2;

  // So many keys tell the range of all. Some keys are beyond theirs: of even ones one in as many is to be expected at either
  // end, and twelve times that is room enough.
  static constexpr unsigned int kRangeSamples = 4096;
  static constexpr float kRoomBeyond = 12.0f / kRangeSamples;

  // Parts are to have so many keys or fewer, if there can be as many parts; of each upper digit there are all lower ones.
  static constexpr unsigned int kSpreadItems = {{ spread_items }};
  static constexpr unsigned int kLeastUpperDigits = {{ least_upper_digits }};

  static __host__ __device__ constexpr unsigned int spread_parts(unsigned long long n) {
    const unsigned long long digits = (n + kBins * kSpreadItems - 1) / (kBins * kSpreadItems);
    return kBins * (digits < kLeastUpperDigits ? kLeastUpperDigits : digits < kBins ? static_cast<unsigned int>(digits) : kBins);
  }

  // The map for these keys, by samples of them. All threads of a block call it, with room for two words a warp; every block
  // finds the same.
  static __device__ __forceinline__ Spread find_spread(const Arguments& arguments, Bits* ends) {
    Bits least = kAllBits;
    Bits greatest = 0;
    for (unsigned int sample = threadIdx.x; sample < kRangeSamples; sample += blockDim.x) {
      const Key key = arguments.keys_in[sample * arguments.n / kRangeSamples];
      // All bits of the exponent are set in the infinities and in NaNs.
      if ((bits_as<StoredBits>(key) & ~kSign) >= 0x7f800000u) continue;  //~ sampled-nan
      const Bits ordered = to_ordered_bits(key);
      if (ordered < least) least = ordered;
      if (ordered > greatest) greatest = ordered;
    }
    const auto agree = [&] {
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
        const Bits other_least = __shfl_xor_sync(~0u, least, distance);
        const Bits other_greatest = __shfl_xor_sync(~0u, greatest, distance);
        if (other_least < least) least = other_least;
        if (other_greatest > greatest) greatest = other_greatest;
      }
    };
    agree();  //~ range-of-block
    const unsigned int warps = blockDim.x / 32;
    const unsigned int lane = threadIdx.x % 32;
    if (lane == 0) {
      ends[threadIdx.x / 32] = least;
      ends[warps + threadIdx.x / 32] = greatest;
    }
    __syncthreads();
    least = ends[lane < warps ? lane : 0];
    greatest = ends[warps + (lane < warps ? lane : 0)];
    agree();
    // All have read what the counters take the place of.
    __syncthreads();
    return least < greatest ? spread_between(arguments, to_key(least), to_key(greatest)) : Spread{};
  }

  // The map for keys between these values, of which the first comes first.
  static __device__ __forceinline__ Spread spread_between(const Arguments& arguments, float first, float last) {
    const float room = (last - first) * kRoomBeyond;
    const float begin = first - room;
    const float end = last + room;
    Spread spread{};
    spread.parts = spread_parts(arguments.n);
    // All keys between are in a part, however they are rounded.
    spread.scale = static_cast<float>(spread.parts - 2) / (end - begin);
    spread.offset = -floorf(begin * spread.scale);
    // Keys far from zero, beside how far they are apart, are too close together to be told apart.
    constexpr float kGreatestOffset = 1 << 22;
    const bool is_precise = fabsf(spread.scale) > 1e-30f && fabsf(spread.scale) < 1e30f && fabsf(spread.offset) <= kGreatestOffset;
    return is_precise ? spread : Spread{};
  }
