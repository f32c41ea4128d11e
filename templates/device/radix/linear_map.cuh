  // Floats that are even as values are not so in their upper digits, which are exponents. A linear map of the values distributes
  // them evenly over buckets. The number of a bucket has two digits.
  struct LinearMap {
    static constexpr bool kHasBuckets = true;
    // How many buckets there are; 0 if the map is not used.
    unsigned int buckets;
    float scale;
    // An integer, so that its sum with a bucket's number has no error.
    float offset;

    // The map, in buckets from the middle of the first one on; `more` is added before rounding.
    __device__ __forceinline__ float image_of(Key key, float more) const { return fmaf(key, scale, offset + more); }

    // A NaN that is behind all numbers. One that is before them is in the first bucket, for so the minimum and the maximum
    // below take it. What pads a tile behind the last key is such a NaN, too, and has to come behind all keys of the tile.
    static __device__ __forceinline__ bool comes_last(Key key) {
      if constexpr (kNanLast) {
        return key != key;
      } else if constexpr (kDescending) {
        return bits_as<unsigned int>(key) > 0xff800000u;
      } else {
        return bits_as<int>(key) > 0x7f800000;
      }
    }

    // The last bit of a float from 2^23 on is worth 1: rounded to it, the image is the bucket's number.
    __device__ __forceinline__ unsigned int bucket_of(Key key) const {
      constexpr float kFirst = 1 << 23;
      const float last = kFirst + static_cast<float>(buckets - 1);
      const float image = fminf(fmaxf(image_of(key, kFirst), kFirst), last);  //~ linear-map
      return bits_as<unsigned int>(comes_last(key) ? last : image) & 0xffffu;  //~ bucket-of-nan
    }

    // A number that orders as the keys of a bucket do, but for those that are too close together.
    __device__ __forceinline__ unsigned int number_within(unsigned int bucket, Key key) const {
      // From 1 to 2, between which all floats have one exponent.
      constexpr float kLast = 2 - 1.0f / (1 << 23);
      const float image = fminf(fmaxf(image_of(key, 1.5f - static_cast<float>(bucket)), 1), kLast);
      return bits_as<unsigned int>(comes_last(key) ? kLast : image) << 9;  //~ sub-bucket-of-nan
    }
  };

  static constexpr int kMapDigits = 2;

  // The number of sampled keys that give the range of all. Some keys are beyond theirs: of even ones one in as many is to be expected at either
  // end, and twelve times that is room enough.
  static constexpr unsigned int kRangeSamples = 4096;
  static constexpr float kRoomBeyond = 12.0f / kRangeSamples;

  // Buckets are to have this number of keys or fewer, if there can be as many buckets; of each upper digit there are all lower ones.
  static constexpr unsigned int kMappedBucketItems = {{ mapped_bucket_items }};
  static constexpr unsigned int kMinUpperDigits = {{ min_upper_digits }};

  static __host__ __device__ constexpr unsigned int mapped_buckets(unsigned long long n) {
    const unsigned long long digits = (n + kBins * kMappedBucketItems - 1) / (kBins * kMappedBucketItems);
    return kBins * (digits < kMinUpperDigits ? kMinUpperDigits : digits < kBins ? static_cast<unsigned int>(digits) : kBins);
  }

  // The map for these keys, by samples of them. All threads of a block call it, with room for two words a warp; every block
  // finds the same.
  static __device__ __forceinline__ LinearMap find_linear_map(const Arguments& arguments, Bits* ends) {
    Bits min_bits = kAllBits;
    Bits max_bits = 0;
    for (unsigned int sample = threadIdx.x; sample < kRangeSamples; sample += blockDim.x) {
      const Key key = arguments.keys_in[sample * arguments.n / kRangeSamples];
      // All bits of the exponent are set in the infinities and in NaNs.
      if ((bits_as<StoredBits>(key) & ~kSign) >= 0x7f800000u) continue;  //~ sampled-nan
      const Bits ordered = to_ordered_bits(key);
      if (ordered < min_bits) min_bits = ordered;
      if (ordered > max_bits) max_bits = ordered;
    }
    const auto agree = [&] {
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) {
        const Bits other_min = __shfl_xor_sync(~0u, min_bits, distance);
        const Bits other_max = __shfl_xor_sync(~0u, max_bits, distance);
        if (other_min < min_bits) min_bits = other_min;
        if (other_max > max_bits) max_bits = other_max;
      }
    };
    agree();  //~ range-of-block
    const unsigned int warps = blockDim.x / kWarpThreads;
    const unsigned int lane = lane_of(threadIdx.x);
    if (lane == 0) {
      ends[warp_of(threadIdx.x)] = min_bits;
      ends[warps + warp_of(threadIdx.x)] = max_bits;
    }
    __syncthreads();
    min_bits = ends[lane < warps ? lane : 0];
    max_bits = ends[warps + (lane < warps ? lane : 0)];
    agree();
    // All have read what the counters take the place of.
    __syncthreads();
    return min_bits < max_bits ? linear_map_between(arguments, to_key(min_bits), to_key(max_bits)) : LinearMap{};
  }

  // The map for keys between these values, of which the first comes first.
  static __device__ __forceinline__ LinearMap linear_map_between(const Arguments& arguments, float first, float last) {
    const float room = (last - first) * kRoomBeyond;
    const float begin = first - room;
    const float end = last + room;
    LinearMap linear_map{};
    linear_map.buckets = mapped_buckets(arguments.n);
    // All keys between are in a bucket, however they are rounded.
    linear_map.scale = static_cast<float>(linear_map.buckets - 2) / (end - begin);
    linear_map.offset = -floorf(begin * linear_map.scale);
    // Keys far from zero, beside how far they are apart, are too close together to be told apart.
    constexpr float kMaxOffset = 1 << 22;
    const bool is_precise = fabsf(linear_map.scale) > 1e-30f && fabsf(linear_map.scale) < 1e30f && fabsf(linear_map.offset) <= kMaxOffset;
    return is_precise ? linear_map : LinearMap{};
  }
