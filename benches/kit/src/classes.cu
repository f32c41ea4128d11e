// Keys as they occur and keys that are hard for sorts: the i-th of n keys of each class. classes.rs numbers the classes (`kNormal`
// and so on) and says what each one is. A key depends on its class, i and n alone, so any thread makes any of them. The text
// compiles as CUDA and, with __device__ defined as nothing, as C++.

namespace input_classes {

typedef unsigned long long u64;

// Any number, scrambled.
__device__ inline u64 mixed(u64 number) {
  number += 0x9e3779b97f4a7c15ull;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
  number = (number ^ number >> 27) * 0x94d049bb133111ebull;
  return number ^ number >> 31;
}

// The random number of this ordinal that belongs to i.
__device__ inline u64 random(u64 i, int ordinal) { return mixed(i * 8 + ordinal); }

// Random from above 0 to below 1.
__device__ inline double uniform(u64 i, int ordinal) { return ((random(i, ordinal) >> 11) + 0.5) * (1.0 / (1ull << 53)); }

// Of the standard normal distribution.
__device__ inline double normal(u64 i, int ordinal) {
  return sqrt(-2 * log(uniform(i, ordinal))) * cos(6.283185307179586 * uniform(i, ordinal + 1));
}

__device__ inline u64 low_mask(int bits) { return ~0ull >> (64 - bits); }

// The upper `bits` bits of a random number.
__device__ inline u64 upper(u64 number, int bits) { return number >> (64 - bits); }

// A number of ids, at least one.
__device__ inline u64 at_least_one(u64 number) { return number > 0 ? number : 1; }

// The key at this position of n sorted keys of `bits` bits: the k-th of equal shares of all keys.
__device__ inline u64 sorted_key(u64 position, u64 n, int bits) {
  const double share = static_cast<double>(position) / static_cast<double>(n);
  // A double has 53 bits; those below are random.
  if (bits <= 53) return static_cast<u64>(share * static_cast<double>(1ull << bits));
  return static_cast<u64>(share * static_cast<double>(1ull << 53)) << (bits - 53) | upper(mixed(position), bits - 53);
}

// The rank from 1 on that a share of 1/rank each gives.
__device__ inline u64 zipf_rank(u64 i, int ordinal, u64 ranks) {
  const u64 rank = static_cast<u64>(exp(uniform(i, ordinal) * log(ranks + 1.0)));
  return rank < ranks ? rank : ranks;
}

// Every other bit of a coordinate's lower `bits` bits, or every third one.
__device__ inline u64 spaced(u64 coordinate, int bits, int distance) {
  u64 result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= (coordinate >> bit & 1) << (bit * distance);
  return result;
}

// Morton code of a point on a sphere.
__device__ inline u64 morton(u64 i, int bits) {
  const double z = 2 * uniform(i, 0) - 1, angle = 6.283185307179586 * uniform(i, 1), radius = sqrt(1 - z * z);
  const int each = bits / 3;
  const double scale = 0.5 * static_cast<double>(low_mask(each));
  const u64 x = static_cast<u64>((radius * cos(angle) + 1) * scale), y = static_cast<u64>((radius * sin(angle) + 1) * scale);
  return spaced(x, each, 3) << 2 | spaced(y, each, 3) << 1 | spaced(static_cast<u64>((z + 1) * scale), each, 3);
}

// The first letters of a word out of 50,000, as frequent as words of a text are, the first one uppermost.
__device__ inline u64 text(u64 i, int bits) {
  const char letters[] = "eeeeeetttttaaaaoooiiinnnsssrrhhlldducmfwgypbvk  ";
  const u64 word = zipf_rank(i, 0, 50000);
  u64 key = 0;
  for (int letter = 0; letter < bits / 8; ++letter) key = key << 8 | letters[mixed(word * 8 + letter) % 48];
  return key;
}

// A hash in the upper half, which `items` keys share on average, and a payload in the lower half.
__device__ inline u64 composite(u64 i, u64 n, int bits, u64 items) {
  const u64 hash = mixed(random(i, 0) % at_least_one(n / items));
  return upper(hash, bits / 2) << (bits / 2) | upper(random(i, 1), bits / 2);
}

// A tile of 120 × 68, and the depth as a float: what splatting sorts by.
__device__ inline u64 splat(u64 i, int bits) {
  const u64 tile = random(i, 0) % (120 * 68);
  // The upper bits of a float between 1 and 256 that is denser at its lower end.
  const double depth = exp(5.5 * uniform(i, 1) * uniform(i, 2));
  const u64 float_bits = static_cast<u64>((127 + floor(log2(depth))) * (1 << 23) + (depth / exp2(floor(log2(depth))) - 1) * (1 << 23));
  return bits >= 46 ? tile << 32 | float_bits : tile << 16 | float_bits >> 16;
}

// Microseconds since 1970, or seconds where bits are few: a day's events in order.
__device__ inline u64 time(u64 i, u64 n, int bits) {
  const double day = static_cast<double>(i) / static_cast<double>(n);
  if (bits < 64) return 1760000000ull + static_cast<u64>(86400 * day);
  return 1760000000000000ull + static_cast<u64>(86400e6 * day);
}

// Whether a sort by samples with a seed of 0 looks at offset i of n: each thread of a block has a share of the array. Of the numbers of
// samples that there may be, those that leave most keys alone.
__device__ inline bool is_sampled(unsigned int i, unsigned int n) {
  const auto random_of = [](unsigned int number) {
    const unsigned int scrambled = number * 2654435761u;
    return (scrambled ^ scrambled >> 15) * 2246822519u;
  };
  const auto product = [](unsigned int a, unsigned int b) { return static_cast<unsigned int>(static_cast<u64>(a) * b >> 32); };
  // A few samples of all, one a thread.
  for (unsigned int threads = 128; threads <= 1024 && threads <= n / 64; threads *= 2) {
    const unsigned int guess = static_cast<unsigned int>(static_cast<u64>(i) * threads / n);
    for (unsigned int sample = guess > 0 ? guess - 1 : 0; sample < threads && sample <= guess + 1; ++sample) {
      const unsigned int start = static_cast<unsigned int>(static_cast<u64>(sample) * n / threads);
      if (start + product(random_of(sample), n / threads) == i) return true;
    }
  }
  // Rounds of them, in pairs that share a sector, of keys of 4 bytes.
  for (unsigned int rounds = 1; rounds <= 16 && n > 7; rounds *= 2) {
    const unsigned int items = (n - 7) / rounds, round = items > 0 ? i / items : rounds;
    for (unsigned int pairs = 128; pairs <= 512 && round < rounds && 2 * rounds * pairs <= n / 64; pairs *= 2) {
      const unsigned int guess = static_cast<unsigned int>(static_cast<u64>(i - round * items) * pairs / items);
      for (unsigned int pair = guess > 0 ? guess - 1 : 0; pair < pairs && pair <= guess + 1; ++pair) {
        const unsigned int random = random_of(round * pairs + pair);
        const unsigned int start = static_cast<unsigned int>(static_cast<u64>(pair) * items / pairs);
        const unsigned int offset = round * items + start + product(random, items / pairs);
        if (offset == i || (offset ^ (1 + product(random << 16, 7))) == i) return true;
      }
    }
  }
  return false;
}

// A key of a class that integers have.
__device__ inline u64 integer_key(int of, u64 i, u64 n, int bits) {
  const u64 any = upper(random(i, 0), bits);
  switch (of) {
    case kNearlySorted: return random(i, 1) % 100 == 0 ? any : sorted_key(i, n, bits);
    case kOrganPipe: return sorted_key(i < n / 2 ? 2 * i : 2 * (n - 1 - i), n, bits);
    case kSaw: return sorted_key(i % 10000, 10000, bits);
    case kSortedBlocks: return sorted_key(i % 4096, 4096, bits) ^ (bits > 16 ? upper(mixed(i / 4096), bits - 12) : 0);
    case kMerged: return i % 2 == 0 ? sorted_key(i, n, bits) : sorted_key(n - i, n, bits);
    case kTwoValues: return random(i, 0) % 2 == 0 ? 1 : low_mask(bits) - 1;
    case kThousandValues: return upper(mixed(random(i, 0) % 1000), bits);
    case kSixtyCopies: return random(i, 1) % at_least_one(n / 60) == 0 ? low_mask(bits) / 3 : any;
    case kMillionCopies: return random(i, 1) % at_least_one(n / 1000000 + 3) == 0 ? low_mask(bits) / 3 : any;
    case kHalfEqual: return random(i, 1) % 2 == 0 ? low_mask(bits) / 3 : any;
    case kTwoOfEach: return upper(mixed(random(i, 0) % at_least_one(n / 2)), bits);
    case kSixtyFourOfEach: return upper(mixed(random(i, 0) % at_least_one(n / 64)), bits);
    case kIds: return random(i, 0) % at_least_one(n / 4) & low_mask(bits);
    case kClusters: return (random(i, 1) % 2 == 0 ? low_mask(bits) / 7 : low_mask(bits) / 7 * 6) + (any >> (bits / 2));
    case kOutliers: return random(i, 1) % 1024 == 0 ? low_mask(bits) : random(i, 0) % 100000 & low_mask(bits);
    case kScales: return low_mask(bits) >> (random(i, 1) % bits) & any;
    case kStrided: return random(i, 0) % n * 64 & low_mask(bits);
    // A prime, which divides no other length than itself: each id once.
    case kConsecutive: return i * 4294967291ull % n & low_mask(bits);
    case kSkewedBytes: return any & upper(random(i, 1), bits) & upper(random(i, 2), bits);
    case kCompositeOfTwo: return composite(i, n, bits, 2);
    case kCompositeOfEight: return composite(i, n, bits, 8);
    case kCompositeOfThirty: return composite(i, n, bits, 30);
    case kCompositeOfSixtyFour: return composite(i, n, bits, 64);
    case kEvents: return time(i, n, bits) + random(i, 0) % 1000;
    case kShuffledEvents: return time(random(i, 1) % n, n, bits) + random(i, 0) % 1000;
    case kMorton: return morton(i, bits);
    case kText: return text(i, bits);
    case kPrices: return static_cast<u64>(exp(3 + 1.5 * normal(i, 0)) + 1) * 100 - 1;
    case kSplats: return splat(i, bits);
    case kAddresses: return upper(mixed(zipf_rank(i, 0, 1 << 14)), 16) << (bits - 16) | upper(random(i, 1), bits - 16);
    case kSampledMinimum: return n < (1ull << 31) && is_sampled(static_cast<unsigned int>(i), static_cast<unsigned int>(n)) ? 0 : any;
    case kRepeatedByte: return (low_mask(bits) / 255) * upper(random(i, 0), 8);
    case kRepeatedNibble: return (low_mask(bits) / 15) * upper(random(i, 0), 4);
    case kOneLargeBucket: return random(i, 1) % 512 == 0 ? (low_mask(bits) / 5 & ~low_mask(bits / 2)) | any >> (bits / 2) : any;
    case kTwoUpperBytes: return (random(i, 1) % 2 == 0 ? 0x11ull : 0xeeull) << (bits - 8) | any >> 8;
    case kLongRuns: return upper(mixed(i / 160), bits / 2) << (bits / 2) | ((i % 160 == 159 ? 0 : i % 160) & low_mask(bits / 2));
    default: return any;
  }
}

// A key of a class that floats alone have.
__device__ inline double float_key(int of, u64 i, u64 n) {
  const double infinity = 1e300 * 1e300;
  switch (of) {
    case kUnitFloats: return uniform(i, 0);
    case kNormal: return normal(i, 0);
    case kExponential: return -log(uniform(i, 0));
    case kLogNormal: return exp(2 * normal(i, 0));
    case kCauchy: return tan(3.141592653589793 * (uniform(i, 0) - 0.5));
    case kMixture: return (random(i, 2) % 2 == 0 ? -1000.0 : 1000.0) + normal(i, 0);
    case kFewNans: return random(i, 2) % at_least_one(n / 64) == 0 ? infinity - infinity : uniform(i, 0);
    case kInfinities: return random(i, 2) % 100 == 0 ? (i % 2 == 0 ? infinity : -infinity) : normal(i, 0);
    case kMasked: return random(i, 2) % 2 == 0 ? -infinity : normal(i, 0);
    case kRectified: return normal(i, 0) < 0.5 ? (random(i, 2) % 2 == 0 ? 0.0 : -0.0) : normal(i, 0);
    case kProbabilities: return exp(4 * normal(i, 0) - 20);
    case kRounded: return floor(normal(i, 0) * 64) / 64;
    case kMaximumOnce: return random(i, 2) % 512 == 0 ? 3.4e38 : normal(i, 0);
    case kDenseZero: return random(i, 2) % 2 == 0 ? uniform(i, 0) : 1e-30 * normal(i, 0);
    default: return 0;
  }
}

template <typename Integer>
struct KeyOf {
  static __device__ Integer make(int of, u64 i, u64 n) { return static_cast<Integer>(integer_key(of, i, n, 8 * sizeof(Integer))); }
};

// Floats of a class of integers are those integers, as near as may be.
template <>
struct KeyOf<float> {
  static __device__ float make(int of, u64 i, u64 n) {
    return static_cast<float>(of >= kFirstOfFloats ? float_key(of, i, n) : static_cast<double>(integer_key(of, i, n, 32)));
  }
};
template <>
struct KeyOf<double> {
  static __device__ double make(int of, u64 i, u64 n) {
    return of >= kFirstOfFloats ? float_key(of, i, n) : static_cast<double>(integer_key(of, i, n, 52));
  }
};

}  // namespace input_classes
