  // Keys that have many copies leave MSD buckets of few distinct keys, which take longer than passes over all digits. Histograms of digits do
  // not tell, so the last block of _count looks at samples in place of counting. Whatever they tell, the keys are sorted.
  static __device__ __forceinline__ unsigned int counting_blocks(const Arguments& arguments) {
    return arguments.sorts_msd_buckets && gridDim.x > 1 ? gridDim.x - 1 : gridDim.x;
  }

  // Samples of a thread.
  static constexpr unsigned int kThreadSamples = 4;

  // The slots of a hash table in the memory of counters, as a logarithm to base 2; and the number of samples, few of which share a slot.
  static __device__ __forceinline__ int copy_slots_log2(const Arguments& arguments) { return min(kRadixBits + 2 + arguments.count_columns_log2, 14); }

  static __device__ __forceinline__ unsigned int copy_samples(const Arguments& arguments) {
    const unsigned int most = 1u << (copy_slots_log2(arguments) - 2);
    const unsigned long long some = arguments.n / 256;
    return some < most ? static_cast<unsigned int>(some) : most;
  }

  // Counts the sampled keys that are there twice or more, each of them once. All threads of the block call it.
  static __device__ __forceinline__ void sample_copies(const Arguments& arguments, unsigned int* slots) {
    const int slots_log2 = copy_slots_log2(arguments);
    const unsigned int samples = copy_samples(arguments);
    const unsigned long long share = samples > 0 ? arguments.n / samples : 0;
    Key keys[kThreadSamples];
#pragma unroll
    for (unsigned int k = 0; k < kThreadSamples; ++k) {
      const unsigned int sample = threadIdx.x + k * blockDim.x;
      const unsigned int number = sample < samples ? sample : 0;
      keys[k] = arguments.keys_in[sample_position(number, share)];
    }
    for (unsigned int i = threadIdx.x; i < 1u << slots_log2; i += blockDim.x) slots[i] = 0;
    __syncthreads();  //~ cleared-slots
    unsigned int repeated = 0;
#pragma unroll
    for (unsigned int k = 0; k < kThreadSamples; ++k) {
      const bool is_there = threadIdx.x + k * blockDim.x < samples;
      repeated += repeats_key(slots, slots_log2, is_there, compared_bits(to_ordered_bits(keys[k])));
    }
    if (repeated > 0) atomicAdd(&control_of(arguments).repeated_samples, repeated);  //~ repeated-samples
  }

  // Puts samples of a warp into the slots of their hashes. Returns whether the lane's is the one that shows that its key is there twice. The slot
  // and what is in it say all of a hash, and so of a key:
  //
  //   | the hash's other bits | zeros | whether the key is there twice: 1 bit | 1: 1 bit |
  static __device__ __forceinline__ bool repeats_key(unsigned int* slots, int slots_log2, bool is_there, Bits key) {
    constexpr unsigned int kIsRepeated = 2;
    // Where neighbours are equal the first one is put there: all samples may be equal.
    const Bits below = __shfl_up_sync(~0u, key, 1);
    const bool is_above_equal = is_there && lane_of(threadIdx.x) > 0 && below == key;
    const unsigned int equal_lanes = __ballot_sync(~0u, is_above_equal);
    if (!is_there || is_above_equal) return false;
    const bool has_equal_above = (equal_lanes >> lane_of(threadIdx.x) & 2u) != 0;
    const unsigned int hash = static_cast<unsigned int>(key) * 0x9e3779b1u;
    unsigned int* const slot = &slots[hash >> (32 - slots_log2)];
    const unsigned int entry = hash << slots_log2 | 1u;
    const unsigned int there = atomicCAS(slot, 0u, entry);  //~ sample-slot
    if (there == 0 ? !has_equal_above : there != entry) return false;
    return (atomicOr(slot, kIsRepeated) & kIsRepeated) == 0;  //~ repeated-sample
  }

  // Whether samples show that most keys have many copies. Each heavy hitter is one repeated sample.
  static __device__ __forceinline__ bool has_copies(const Arguments& arguments, unsigned int repeated_samples) {
    constexpr unsigned int kMinRepeated = 5;
    constexpr float kManyCopies = {{ many_copies }};
    const float samples = static_cast<float>(copy_samples(arguments));
    const float repeated = static_cast<float>(repeated_samples);
    // How many other keys are like one: of two samples' chance to be like each other.
    return repeated_samples >= kMinRepeated && 2 * repeated * static_cast<float>(arguments.n) > kManyCopies * samples * samples;
  }
