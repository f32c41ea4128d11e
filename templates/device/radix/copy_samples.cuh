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

  // Counts the sampled keys that are there twice or more, each of them once{% if maps_values %}, and likewise sub-buckets of the linear map's buckets, if it has some{% endif %}.
  // All threads of the block call it.
  static __device__ __forceinline__ void sample_copies(const Arguments& arguments, unsigned int* slots) {
    const unsigned int samples = copy_samples(arguments);
    const unsigned long long share = samples > 0 ? arguments.n / samples : 0;
    Key keys[kThreadSamples];
#pragma unroll
    for (unsigned int k = 0; k < kThreadSamples; ++k) {
      const unsigned int sample = threadIdx.x + k * blockDim.x;
      const unsigned int number = sample < samples ? sample : 0;
      keys[k] = arguments.keys_in[sample_position(number, share)];
    }
    const auto bits_of_key = [](Key key) { return compared_bits(to_ordered_bits(key)); };
    const unsigned int repeated = repeated_samples_of(arguments, slots, keys, bits_of_key);
    if (repeated > 0) atomicAdd(&control_of(arguments).repeated_samples.keys, repeated);  //~ repeated-samples
{%- if maps_values %}
    __syncthreads();  //~ slots-of-keys
    const LinearMap linear_map = find_linear_map(arguments, slots);
    if (linear_map.buckets == 0) return;
    const auto sub_bucket_of_key = [&](Key key) {
      const unsigned int bucket = linear_map.bucket_of(key);
      return bucket << kSampledSubBucketBits | linear_map.number_within(bucket, key) >> (32 - kSampledSubBucketBits);
    };
    const unsigned int repeated_sub_buckets = repeated_samples_of(arguments, slots, keys, sub_bucket_of_key);
    if (repeated_sub_buckets > 0) atomicAdd(&control_of(arguments).repeated_samples.sub_buckets, repeated_sub_buckets);  //~ repeated-sub-buckets
{%- endif %}
  }

  // A number stands for what a sample is compared by. Returns how many of the thread's samples are the second one with their number.
  template <typename NumberOf>
  static __device__ __forceinline__ unsigned int repeated_samples_of(const Arguments& arguments, unsigned int* slots, const Key (&keys)[kThreadSamples],
                                                                     const NumberOf& number_of) {
    const int slots_log2 = copy_slots_log2(arguments);
    const unsigned int samples = copy_samples(arguments);
    for (unsigned int i = threadIdx.x; i < 1u << slots_log2; i += blockDim.x) slots[i] = 0;
    __syncthreads();  //~ cleared-slots
    unsigned int repeated = 0;
#pragma unroll
    for (unsigned int k = 0; k < kThreadSamples; ++k) {
      const bool is_there = threadIdx.x + k * blockDim.x < samples;
      repeated += repeats_number(slots, slots_log2, is_there, number_of(keys[k]));
    }
    return repeated;
  }

  // What a slot of the hash table holds. The upper bits of the hash number the slot: with them, this says all of a hash, and so of a number:
  //
  //   | the hash's other bits: 32 - slots_log2 bits | zeros | is_repeated: 1 bit | is_taken: 1 bit |
  //
  // The last but one says that the number is there twice.
  struct NumberEntry {
    unsigned int bits;
    static constexpr unsigned int kIsTaken = 1;
    static constexpr unsigned int kIsRepeated = 2;

    static __device__ __forceinline__ NumberEntry pack(unsigned int hash, int slots_log2) { return {hash << slots_log2 | kIsTaken}; }
    __device__ __forceinline__ bool is_empty() const { return bits == 0; }
    __device__ __forceinline__ bool is_repeated() const { return (bits & kIsRepeated) != 0; }
  };

  static __device__ __forceinline__ unsigned int hash_of_number(unsigned int number) { return number * 0x9e3779b1u; }

  // The slot of a hash. It holds the bits of a NumberEntry.
  static __device__ __forceinline__ unsigned int& number_slot_of(unsigned int* slots, int slots_log2, unsigned int hash) {
    return slots[hash >> (32 - slots_log2)];
  }

  // Puts numbers of a warp's samples into the slots of their hashes. Returns whether the lane's is the one that shows that its number is there
  // twice.
  static __device__ __forceinline__ bool repeats_number(unsigned int* slots, int slots_log2, bool is_there, unsigned int number) {
    // Where neighbours are equal the first one is put there: all samples may be equal.
    const unsigned int below = __shfl_up_sync(~0u, number, 1);
    const bool is_above_equal = is_there && lane_of(threadIdx.x) > 0 && below == number;
    const unsigned int equal_lanes = __ballot_sync(~0u, is_above_equal);
    if (!is_there || is_above_equal) return false;
    const bool has_equal_above = (equal_lanes >> lane_of(threadIdx.x) & 2u) != 0;
    const unsigned int hash = hash_of_number(number);
    unsigned int* const slot = &number_slot_of(slots, slots_log2, hash);
    const NumberEntry entry = NumberEntry::pack(hash, slots_log2);
    const unsigned int there = atomicCAS(slot, 0u, entry.bits);  //~ sample-slot
    if (NumberEntry{there}.is_empty() ? !has_equal_above : there != entry.bits) return false;
    return !NumberEntry{atomicOr(slot, NumberEntry::kIsRepeated)}.is_repeated();  //~ repeated-sample
  }

  // How many other keys have a number like one, by how many numbers of samples are there twice: of the chance that two samples are alike.
  static __device__ __forceinline__ float others_alike(const Arguments& arguments, unsigned int repeated) {
    const float samples = static_cast<float>(copy_samples(arguments));
    return 2 * static_cast<float>(repeated) * static_cast<float>(arguments.n) / (samples * samples);
  }

  // Fewer may be so by chance. Each heavy hitter is one repeated sample.
  static constexpr unsigned int kMinRepeated = 5;

  // Whether samples show that most keys have many copies.
  static __device__ __forceinline__ bool has_copies(const Arguments& arguments, const RepeatedSamples& repeated) {
    constexpr float kManyCopies = {{ many_copies }};
    return repeated.keys >= kMinRepeated && others_alike(arguments, repeated.keys) > kManyCopies;
  }
{%- if maps_values %}

  // Of the number of a linear map's sub-bucket: the bits below those of the bucket, nearly as many as there are sub-buckets.
  static constexpr int kSampledSubBucketBits = 12;

  // Whether samples show that sub-buckets of the linear map have more keys that differ than their composite keys have room to rank.
  static __device__ __forceinline__ bool has_full_sub_buckets(const Arguments& arguments, const RepeatedSamples& repeated) {
    constexpr float kManyInSubBucket = 24;
    // Copies of a key are one number of either kind.
    const unsigned int of_others = repeated.sub_buckets > repeated.keys ? repeated.sub_buckets - repeated.keys : 0;
    return of_others >= kMinRepeated && others_alike(arguments, of_others) > kManyInSubBucket;
  }
{%- endif %}
