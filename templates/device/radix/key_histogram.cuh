 public:
  // Adds the block's keys to the key histogram: {{ key.bits }} bits have few values. Two counters of 16 bits share a word of shared memory.
  // One that reaches 2^15 is flushed: that many are added to the histogram in memory. Between two barriers at most
  // {{ histogram_barrier_keys }} keys are counted, so no counter reaches 2^16.
  static __device__ __forceinline__ void build_histogram(const Arguments& arguments, unsigned int* counters) {
    wait_for_previous_grid();  //~ grid-before-histogram
    let_next_grid_start();
    constexpr unsigned int kWords = kKeyValues / 2;
    Count* const segments = segment_sums_of(arguments);
    // The barrier before the first keys is that of their round.
    for (unsigned int i = threadIdx.x; i < kWords; i += blockDim.x) counters[i] = 0;

    unsigned int frequent = 0;
    const auto is_heavy = [&](bool is_key, unsigned int value) {
      return __popc(__ballot_sync(~0u, is_key && value == frequent)) >= kHeavyLanes;
    };
    constexpr int kRoundChunks = 2;
    constexpr int kRounds = {{ histogram_barrier_keys }} / (kRoundChunks * kHistogramThreads * kChunkKeys);
    const bool is_aligned = reinterpret_cast<unsigned long long>(arguments.keys_in) % sizeof(Chunk) == 0;
    const unsigned long long chunks = is_aligned ? arguments.n / kChunkKeys : 0;
    const Words* const from = reinterpret_cast<const Words*>(arguments.keys_in);
    // Chunks go round the blocks, so that all multiprocessors take part for small n too.
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kHistogramThreads;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * kHistogramThreads + threadIdx.x;
    Words loaded[kRoundChunks] = {};
    const auto load = [&](unsigned long long start) {
#pragma unroll
      for (int c = 0; c < kRoundChunks; ++c) {
        const unsigned long long i = start + c * stride + thread;
        if (i < chunks) loaded[c] = from[i];
      }
    };
    load(0);
    int round = 0;
    for (unsigned long long start = 0; start < chunks; start += stride * kRoundChunks) {
      if (round == 0) __syncthreads();
      round = round + 1 < kRounds ? round + 1 : 0;
      // The next ones are on their way while these are counted.
      Words counted[kRoundChunks];
#pragma unroll
      for (int c = 0; c < kRoundChunks; ++c) counted[c] = loaded[c];
      load(start + stride * kRoundChunks);
#pragma unroll
      for (int c = 0; c < kRoundChunks; ++c) {
        const bool is_chunk = start + c * stride + thread < chunks;
        // One key of each lane tells of the others: what was frequent last may be so again, or else the first lane's may be.
        const unsigned int sample = value_of(counted[c], 0);
        bool has_heavy = is_heavy(is_chunk, sample);
        if (!has_heavy) {
          frequent = __shfl_sync(~0u, sample, 0);
          has_heavy = is_heavy(is_chunk, sample);
        }
        if (has_heavy) {
          count_chunk<true>(arguments, counters, counted[c], is_chunk, frequent);
        } else {
          count_chunk<false>(arguments, counters, counted[c], is_chunk, frequent);
        }
      }
    }
    // The keys that no chunk holds.
    for (unsigned long long start = chunks * kChunkKeys; start < arguments.n; start += stride) {  //~ remaining-keys-of-histogram
      __syncthreads();
      const bool is_key = start + thread < arguments.n;
      if (is_key) {
        const Key key = arguments.keys_in[start + thread];
        count_value(arguments, counters, static_cast<unsigned int>(to_ordered_bits(key)), 1);
      }
    }
    __syncthreads();
    // Each warp flushes segments, and adds up their sums.
    for (unsigned int segment = threadIdx.x / 32; segment < kSegments; segment += kHistogramThreads / 32) {
      unsigned int sum = 0;
#pragma unroll 8
      for (unsigned int word = threadIdx.x % 32; word < kSegmentValues / 2; word += 32) {
        const unsigned int value = segment * kSegmentValues + 2 * word;
        const unsigned int both = counters[counter_slot(value / 2)];
        const unsigned int even = both & 0xffffu;
        const unsigned int odd = both >> 16;
        if (both) add_to_histogram(arguments, value, even, odd);
        sum += even + odd;  //~ sum-of-segment
      }
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
      if (threadIdx.x % 32 == 0 && sum) atomicAdd(&segments[segment], static_cast<Count>(sum));
    }
  }

  // Makes the histogram its exclusive scan, the offset of each key's first one: a block for each segment, a thread for two values.
  static __device__ __forceinline__ void scan_histogram(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    static_assert(kSegments * kSegmentValues == kKeyValues, "segments are all values");
    static_assert(kSegments <= 32, "a lane for each segment before");
    __shared__ Count warp_totals[kHistogramThreads / 32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warp = threadIdx.x / 32;
    Count* const has_key_histogram = histogram_of(arguments) + blockIdx.x * kSegmentValues + 2 * threadIdx.x;
    const Count even = has_key_histogram[0];
    const Count odd = has_key_histogram[1];
    // The segments before this one: a lane for each.
    Count start = lane < blockIdx.x ? segment_sums_of(arguments)[lane] : 0;  //~ start-of-segment
    Count inclusive = even + odd;
#pragma unroll
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
      const Count below = __shfl_up_sync(~0u, inclusive, distance);
      if (lane >= distance) inclusive += below;
    }
    if (lane == 31) warp_totals[warp] = inclusive;
    __syncthreads();
    if (lane < warp) start += warp_totals[lane];  //~ start-of-warp
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2) start += __shfl_xor_sync(~0u, start, distance);
    start += inclusive - even - odd;
    has_key_histogram[0] = start;
    has_key_histogram[1] = start + even;
  }

 private:
  // The slot of a counter's word: its bank depends on all bits, for values that differ in their upper bits alone.
  static __device__ __forceinline__ unsigned int counter_slot(unsigned int word) {
    return word ^ ((word >> 5 ^ word >> 10) & 31u);
  }

  // Two counters of 16 bits in a word: the even value's in the lower half, the odd one's in the upper half. What to add to the word
  // for a number of keys of a value:
  static __device__ __forceinline__ unsigned int addend_of(unsigned int value, unsigned int keys) {
    return value % 2 * (0xffffu * keys) + keys;
  }

  // The bits of counters that become 2^15 or more by an addend: the topmost one of each half.
  static __device__ __forceinline__ unsigned int filled_by(unsigned int addend, unsigned int word) {
    return ~word & (word + addend) & 0x80008000u;
  }

  // A chunk as it is read ahead: two keys in a word.
  struct __align__(16) Words {
    unsigned int words[kChunkKeys / 2];
  };

  static __device__ __forceinline__ unsigned int value_of(const Words& chunk, int k) {
    const StoredBits bits = static_cast<StoredBits>(chunk.words[k / 2] >> k % 2 * 16);
    return static_cast<unsigned int>(to_ordered_bits(bits_as<Key>(bits)));
  }

  // Counts keys of one value.
  static __device__ __forceinline__ void count_value(const Arguments& arguments, unsigned int* counters, unsigned int value,
                                                     unsigned int keys) {
    const unsigned int addend = addend_of(value, keys);
    const unsigned int word = atomicAdd(&counters[counter_slot(value / 2)], addend);
    if (filled_by(addend, word)) flush_counter(arguments, counters, value);  //~ full-counter-of-heavy-key
  }

  static __device__ __forceinline__ void flush_counter(const Arguments& arguments, unsigned int* counters, unsigned int value) {
    const unsigned int odd = value % 2;
    atomicSub(&counters[counter_slot(value / 2)], addend_of(value, 0x8000u));  //~ counter-handed-over
    add_to_histogram(arguments, value - odd, 0x8000u * (1 - odd), 0x8000u * odd);  //~ count-handed-over
    atomicAdd(&segment_sums_of(arguments)[value / kSegmentValues], static_cast<Count>(0x8000));  //~ segment-handed-over
  }

  // Adds to the counts of an even value and of the next one.
  static __device__ __forceinline__ void add_to_histogram(const Arguments& arguments, unsigned int value, unsigned int even, unsigned int odd) {
    Count* const has_key_histogram = histogram_of(arguments) + value;
{%- if counts_widely %}
    if (even) atomicAdd(&has_key_histogram[0], static_cast<Count>(even));
    if (odd) atomicAdd(&has_key_histogram[1], static_cast<Count>(odd));
{%- else %}
    // Both at once: neither count gets to 2^32.
    atomicAdd(reinterpret_cast<unsigned long long*>(has_key_histogram), static_cast<unsigned long long>(odd) << 32 | even);  //~ both-counters
{%- endif %}
  }

  // Counts a chunk of each lane; all lanes of a warp call it, those without a chunk too. Atomics of lanes that meet at one counter are
  // served one after the other; where many do, at that of a heavy hitter, the `frequent` value, one lane adds for all.
  template <bool kHasHeavy>
  static __device__ __forceinline__ void count_chunk(const Arguments& arguments, unsigned int* counters, const Words& chunk,
                                                     bool is_chunk, unsigned int frequent) {
    const unsigned int keys = is_chunk ? 1 : 0;  //~ keys-of-lane
    // Without a branch, and looked at afterwards, so that no addition waits for another one. Keys of the heavy hitter add nothing,
    // each at a bank of its own.
    unsigned int addends[kChunkKeys];
    unsigned int words[kChunkKeys];
    unsigned int heavy_keys = 0;
#pragma unroll
    for (int k = 0; k < kChunkKeys; ++k) {
      const unsigned int value = value_of(chunk, k);
      const bool is_heavy = kHasHeavy && value == frequent;
      if (kHasHeavy) heavy_keys += __popc(__ballot_sync(~0u, is_chunk && is_heavy));  //~ heavy-ballot
      addends[k] = is_heavy ? 0 : addend_of(value, keys);  //~ heavy-addend
      words[k] = atomicAdd(&counters[is_heavy ? threadIdx.x % 32 : counter_slot(value / 2)], addends[k]);
    }
    unsigned int filled = 0;
#pragma unroll
    for (int k = 0; k < kChunkKeys; ++k) filled |= filled_by(addends[k], words[k]);
    if (filled) {  //~ full-counter
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) {
        if (filled_by(addends[k], words[k])) flush_counter(arguments, counters, value_of(chunk, k));
      }
    }
    if (kHasHeavy && threadIdx.x % 32 == 0) count_value(arguments, counters, frequent, heavy_keys);  //~ heavy-count
  }

  static constexpr int kHistogramThreads = {{ count_threads }};

  // Values in a segment: their counts are also added up as the keys are counted, so that a block for each segment can scan them.
  static constexpr unsigned int kSegmentValues = 2 * kHistogramThreads;
  static constexpr unsigned int kSegments = {{ histogram_segments }};

  // In the workspace, where the descriptors of passes would be.
  static __device__ __forceinline__ Count* histogram_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + sizeof(Control));
  }
  static __device__ __forceinline__ Count* segment_sums_of(const Arguments& arguments) {
    return histogram_of(arguments) + kKeyValues;
  }
