  // Histograms of digits do not tell whether keys agree in several of them at once. Samples tell how many keys agree in their upper
  // digits and not in all. The first warps of a block of _count have one a lane, and hash tables find those that agree. Whatever they tell, the keys are sorted: they decide only by which digits first.
  struct KeySamples {
    // The digits from the lowest of which up keys may agree.
    static constexpr int kFirstLevel = 2;
    static constexpr int kLevels = {{ ties.sample_levels }};
    // The slots of a level's hash table for one warp a block, about twice as many as samples.
    static constexpr int kSlotsLog2OfWarp = {{ ties.sample_slots_log2 }};
    // Fewer samples than this tell too little.
    static constexpr unsigned int kMinCount = 1024;
    struct Counts {
      // 0 if no keys are sampled.
      unsigned int all;
      // Of each level: samples that agree with one before, by whether they are the second one or a further one.
      unsigned int second[kLevels];
      unsigned int further[kLevels];
      // Of the first level: samples that found an empty slot. No more than differ in all of its digits.
      unsigned int distinct;
    };
    Counts counts;

    // Warps of a block that sample, as a logarithm to base 2: twice as many for four times as many keys. For keys that agree with a given number of
    // others, the expected pairs of samples that agree are as the square of the number of samples, divided by n.
    static __host__ __device__ constexpr int warps_log2(unsigned long long n) {
      int log2 = 0;
      while (log2 < {{ ties.max_sample_warps_log2 }} && n >> ({{ ties.one_sample_warp_log2 }} + 2 * log2) > 0) ++log2;
      return log2;
    }

    static __host__ __device__ constexpr int slots_log2(unsigned long long n) { return kSlotsLog2OfWarp + warps_log2(n); }

    // The hash tables of all levels.
    static __host__ __device__ constexpr unsigned long long slot_bytes(unsigned long long n) {
      return kLevels * sizeof(unsigned int) << slots_log2(n);
    }
  };

  // What a slot of a hash table holds:
  //
  //   | hash of the digits that agree: 19 bits | hash of the complete key: 12 bits | has_second: 1 bit |
  //
  // The first one goes without the upper bits of the hash, of which some number the slot. The last one says that a second sample has these digits.
  struct SlotEntry {
    unsigned int bits;
    static constexpr unsigned int kHasSecond = 1;
    static constexpr int kLowerBits = 13;

    static __device__ __forceinline__ SlotEntry pack(unsigned int hash_of_digits, unsigned int hash_of_all) {
      return {hash_of_digits << kLowerBits | (hash_of_all >> (32 - kLowerBits) & ~kHasSecond)};
    }
    __device__ __forceinline__ bool is_empty() const { return bits == 0; }
    __device__ __forceinline__ bool has_second() const { return (bits & kHasSecond) != 0; }

    // Whether the entry and another one of the same slot are of keys that agree, and are not the same.
    __device__ __forceinline__ bool agrees_with(SlotEntry other) const {
      const unsigned int difference = (bits ^ other.bits) >> 1;
      return difference != 0 && difference >> (kLowerBits - 1) == 0;
    }
  };

  // What lanes compare, to find those with the same entry for the same slot:
  //
  //   | hash of the digits that agree: 32 bits | entry: 32 bits |
  struct HashAndEntry {
    unsigned long long word;
    static __device__ __forceinline__ HashAndEntry pack(unsigned int hash, SlotEntry entry) {
      return {static_cast<unsigned long long>(hash) << 32 | entry.bits};
    }
  };

  // A thread's sample.
  struct KeySample {
    bool is_there;
    Key key;
    // Of each level: what its slot had before, and samples of the warp that have the same entry, if the lane is the first of those.
    SlotEntry before[KeySamples::kLevels];
    unsigned int same[KeySamples::kLevels];

    static __device__ __forceinline__ unsigned int hash_of(unsigned long long number) {
      number = (number ^ 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
      return static_cast<unsigned int>((number ^ number >> 32) * 0x94d049bb133111ebull >> 32);
    }

    // A level's slot of a hash, which its upper bits number. It holds the bits of a SlotEntry.
    static __device__ __forceinline__ unsigned int& slot_of(const Arguments& arguments, int level, unsigned int hash) {
      const int slots_log2 = KeySamples::slots_log2(arguments.n);
      return sample_slots_of(arguments)[(static_cast<unsigned int>(level) << slots_log2) + (hash >> (32 - slots_log2))];
    }

    static __device__ __forceinline__ int bit_of(const Arguments& arguments, int level) {
      return arguments.begin_bit + (KeySamples::kFirstLevel + level) * kRadixBits;
    }

    static __device__ __forceinline__ unsigned int hash_at(const Arguments& arguments, Key key, int level) {
      return hash_of(range_of(arguments, key, bit_of(arguments, level)));
    }

    // What the key's slot has if no other key has it.
    static __device__ __forceinline__ SlotEntry entry_of(const Arguments& arguments, Key key, unsigned int hash) {
      return SlotEntry::pack(hash, hash_of(range_of(arguments, key, arguments.begin_bit)));
    }

    // Loads the thread's sample of a grid of _count.
    static __device__ __forceinline__ KeySample of_thread(const Arguments& arguments) {
      KeySample sample{};
      const unsigned int own = 32u << KeySamples::warps_log2(arguments.n);
      const unsigned int all = gridDim.x * own;
      const unsigned long long share = arguments.n / all;
      sample.is_there = threadIdx.x < own && share > 0 && pass_count(arguments.begin_bit, arguments.end_bit) >= kMinUpperPasses;
      if (!sample.is_there) return sample;
      const unsigned int number = blockIdx.x * own + threadIdx.x;
      sample.key = arguments.keys_in[sample_position(number, share)];
      if (number == 0) control_of(arguments).samples.counts.all = all;
      return sample;
    }

    // Puts the sample into slots that are empty, one for all samples of the warp that have the same entry. Nothing waits for what slots had before
    // but note().
    __device__ __forceinline__ void add(const Arguments& arguments) {
      if (!is_there) return;
#pragma unroll
      for (int level = 0; level < KeySamples::kLevels; ++level) {
        if (bit_of(arguments, level) >= arguments.end_bit) break;
        const unsigned int hash = hash_at(arguments, key, level);
        const SlotEntry entry = entry_of(arguments, key, hash);
        const unsigned int lanes = __match_any_sync(~0u, HashAndEntry::pack(hash, entry).word);
        const bool is_first = lane_of(threadIdx.x) + 1 == static_cast<unsigned int>(__ffs(static_cast<int>(lanes)));
        same[level] = is_first ? __popc(lanes) : 0;
        if (is_first) before[level] = {atomicCAS(&slot_of(arguments, level, hash), 0u, entry.bits)};
      }
    }

    // Counts those that agree with others, and those that are distinct.
    __device__ __forceinline__ void note(const Arguments& arguments) const {
      if (!is_there) return;
      KeySamples& samples = control_of(arguments).samples;
#pragma unroll
      for (int level = 0; level < KeySamples::kLevels; ++level) {
        if (bit_of(arguments, level) >= arguments.end_bit) break;
        const unsigned int hash = hash_at(arguments, key, level);
        const bool agrees = same[level] > 0 && !before[level].is_empty() && before[level].agrees_with(entry_of(arguments, key, hash));
        unsigned int found = agrees ? same[level] : 0;
        if (level == 0) {
          const unsigned int distinct = __popc(__ballot_sync(~0u, same[level] > 0 && before[level].is_empty()));
          if (lane_of(threadIdx.x) == 0 && distinct > 0) atomicAdd(&samples.counts.distinct, distinct);  //~ distinct-samples
        }
        const bool is_second = agrees && !before[level].has_second() &&
                               !SlotEntry{atomicOr(&slot_of(arguments, level, hash), SlotEntry::kHasSecond)}.has_second();
        const unsigned int second = __popc(__ballot_sync(~0u, is_second));
#pragma unroll
        for (unsigned int distance = 16; distance > 0; distance /= 2) found += __shfl_xor_sync(~0u, found, distance);
        if (lane_of(threadIdx.x) != 0 || found == 0) continue;
        atomicAdd(&samples.counts.second[level], second);  //~ second-samples
        atomicAdd(&samples.counts.further[level], found - second);  //~ further-samples
      }
    }
  };
