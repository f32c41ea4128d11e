  // Histograms of digits do not tell whether keys agree in several of them at once, as copies of a key do. Samples tell:{% if fixes_up_ties %} how many keys agree in
  // their upper digits and not in all{% else %} how many
  // keys have copies{% endif %}. The first warps of a block of _count have one a lane, each at some offset in its own share of the keys, and hash tables find those that agree.
  // Whatever they tell, the keys are sorted: they decide only by which digits first.
  struct KeySamples {
{%- if fixes_up_ties %}
    // The digits from the lowest of which up keys may agree.
    static constexpr int kFirstLevel = 2;
    static constexpr int kLevels = {{ sample_levels }};
    static constexpr unsigned int kWarpsOfBlock = 1;
{%- else %}
    static constexpr int kLevels = {{ sample_levels }};
    static constexpr unsigned int kWarpsOfBlock = 2;
{%- endif %}
    static constexpr int kSlotsLog2 = {{ sample_slots_log2 }};
    // Fewer samples than this tell too little.
    static constexpr unsigned int kMinCount = 1024;
    struct Counts {
      // 0 if no keys are sampled.
      unsigned int all;
      // Of each level: samples that agree with one before, by whether they are the second one or a further one.
      unsigned int second[kLevels];
      unsigned int further[kLevels];
    };
    Counts counts;
    // Of each slot: the hash of what agrees but for the slot's number,{% if fixes_up_ties %} that of all of the key,{% endif %} and in the lowest bit whether there is a second one.
    unsigned int slots[kLevels][1u << kSlotsLog2];
  };

  // A thread's sample.
  struct KeySample {
    bool is_there;
    Key key;
    // Of each level: what its slot had before, and samples of the warp that have the same entry, if the lane is the first of those.
    unsigned int before[KeySamples::kLevels];
    unsigned int same[KeySamples::kLevels];

    static __device__ __forceinline__ unsigned int hash_of(unsigned long long number) {
      number = (number ^ 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
      return static_cast<unsigned int>((number ^ number >> 32) * 0x94d049bb133111ebull >> 32);
    }

    static __device__ __forceinline__ unsigned int slot_of(unsigned int hash) { return hash >> (32 - KeySamples::kSlotsLog2); }

    static __device__ __forceinline__ unsigned int hash_at(const Arguments& arguments, Key key, [[maybe_unused]] int level) {
      const int bit = arguments.begin_bit{% if fixes_up_ties %} + (KeySamples::kFirstLevel + level) * kRadixBits{% endif %};
      return hash_of(range_of(arguments, key, bit));
    }

    // What the key's slot has if no other key has it.
    static __device__ __forceinline__ unsigned int entry_of([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] Key key, unsigned int hash) {
      unsigned int entry = hash << KeySamples::kSlotsLog2;
{%- if fixes_up_ties %}
      entry |= hash_of(range_of(arguments, key, arguments.begin_bit)) >> (32 - KeySamples::kSlotsLog2) & ~1u;
{%- endif %}
      return entry;
    }

    // Whether two entries of a slot are of keys that agree{% if fixes_up_ties %}, and are not the same{% endif %}.
    static __device__ __forceinline__ bool agree(unsigned int a, unsigned int b) {
      const unsigned int difference = (a ^ b) >> 1;
{%- if fixes_up_ties %}
      return difference != 0 && difference >> (KeySamples::kSlotsLog2 - 1) == 0;
{%- else %}
      return difference == 0;
{%- endif %}
    }

    // Loads the thread's sample of a grid of _count.
    static __device__ __forceinline__ KeySample of_thread(const Arguments& arguments) {
      KeySample sample{};
      const unsigned int of_block = 32 * KeySamples::kWarpsOfBlock;
      const unsigned int all = gridDim.x * of_block;
      const unsigned long long share = arguments.n / all;
      sample.is_there = threadIdx.x < of_block && share > 0 && may_sort_upper_digits(arguments);
      if (!sample.is_there) return sample;
      const unsigned int number = blockIdx.x * of_block + threadIdx.x;
      sample.key = arguments.keys_in[number * share + (share * hash_of(number) >> 32)];
      if (number == 0) control_of(arguments).samples.counts.all = all;
      return sample;
    }

    // Puts the sample into slots that are empty, one for all samples of the warp that have the same entry. Nothing waits for what slots had before
    // but note().
    __device__ __forceinline__ void add(const Arguments& arguments) {
      if (!is_there) return;
#pragma unroll
      for (int level = 0; level < KeySamples::kLevels; ++level) {
        const unsigned int hash = hash_at(arguments, key, level);
        const unsigned int entry = entry_of(arguments, key, hash);
        const unsigned int lanes = __match_any_sync(~0u, static_cast<unsigned long long>(hash) << 32 | entry);
        const bool is_first = lane_of(threadIdx.x) + 1 == static_cast<unsigned int>(__ffs(static_cast<int>(lanes)));
        same[level] = is_first ? __popc(lanes) : 0;
        if (is_first) {
          const bool has_second = agree(entry, entry) && same[level] > 1;
          before[level] = atomicCAS(&control_of(arguments).samples.slots[level][slot_of(hash)], 0u, entry | (has_second ? 1u : 0u));  //~ sample
        }
      }
    }

    // Counts those that agree with others.
    __device__ __forceinline__ void note(const Arguments& arguments) const {
      if (!is_there) return;
      KeySamples& samples = control_of(arguments).samples;
#pragma unroll
      for (int level = 0; level < KeySamples::kLevels; ++level) {
        const unsigned int hash = hash_at(arguments, key, level);
        const unsigned int entry = entry_of(arguments, key, hash);
        bool has_second = false;
        unsigned int found = 0;
        if (same[level] > 0 && before[level] == 0) {
          has_second = agree(entry, entry) && same[level] > 1;
          found = has_second ? same[level] - 1 : 0;
        } else if (same[level] > 0 && agree(before[level], entry)) {
          has_second = (before[level] & 1u) == 0 && (atomicOr(&samples.slots[level][slot_of(hash)], 1u) & 1u) == 0;  //~ second-sample
          found = same[level];
        }
        const unsigned int second = __popc(__ballot_sync(~0u, has_second));
#pragma unroll
        for (unsigned int distance = 16; distance > 0; distance /= 2) found += __shfl_xor_sync(~0u, found, distance);
        if (lane_of(threadIdx.x) != 0 || found == 0) continue;
        atomicAdd(&samples.counts.second[level], second);  //~ second-samples
        atomicAdd(&samples.counts.further[level], found - second);  //~ further-samples
      }
    }
  };
