  // Counts how often each key occurs: {{ key.bits }} bits have that few values. Two counters share a word of shared memory. One
  // that gets to 2^15 hands these over to the count in memory; between two barriers, {{ tally_round_keys }} keys at most are counted, so
  // none gets to 2^16.
  static __device__ __forceinline__ void tally(const Arguments& arguments, unsigned int* counters) {
    wait_for_previous_grid();
    let_next_grid_start();
    constexpr unsigned int kWords = kKeyValues / 2;
    Count* const tallies = tallies_of(arguments);
    Count* const segments = segment_tallies_of(arguments);
    // The barrier before the first keys is that of their round.
    for (unsigned int i = threadIdx.x; i < kWords; i += blockDim.x) counters[i] = 0;

    const auto add = [&](unsigned int value, unsigned int keys) {
      const unsigned int shift = value % 2 * 16;
      unsigned int& counter = counters[counter_slot(value / 2)];
      const unsigned int before = atomicAdd(&counter, keys << shift) >> shift & 0xffffu;
      if (before < 0x8000u && before + keys >= 0x8000u) {
        atomicSub(&counter, 0x8000u << shift);
        atomicAdd(&tallies[value], static_cast<Count>(0x8000));
        atomicAdd(&segments[value / kSegmentValues], static_cast<Count>(0x8000));
      }
    };
    // Lanes that meet at one counter take turns; where many do, one of them adds for all. All lanes of a warp call it,
    // those without a key too.
    const unsigned int lanes_below = (1u << threadIdx.x % 32) - 1u;
    unsigned int frequent = 0;
    const auto crowd_of = [&](bool is_key, unsigned int value) { return __ballot_sync(~0u, is_key && value == frequent); };
    const auto count_key = [&](bool is_key, unsigned int value, bool is_crowded) {
      if (!is_crowded) {
        if (is_key) add(value, 1);
        return;
      }
      const unsigned int crowd = crowd_of(is_key, value);
      const bool is_crowd = (crowd >> threadIdx.x % 32 & 1u) != 0;
      if (is_key && (!is_crowd || (crowd & lanes_below) == 0)) add(value, is_crowd ? __popc(crowd) : 1);
    };
    const auto value_of = [](Key key) { return static_cast<unsigned int>(to_ordered_bits(key)); };
    constexpr int kRoundChunks = {{ tally_round_keys }} / (kTallyThreads * kChunkKeys);
    const bool is_aligned = reinterpret_cast<unsigned long long>(arguments.keys_in) % sizeof(Chunk) == 0;
    const unsigned long long chunks = is_aligned ? arguments.n / kChunkKeys : 0;
    const Chunk* const from = reinterpret_cast<const Chunk*>(arguments.keys_in);
    // Blocks take turns by chunks, so that few keys are on all multiprocessors too.
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kTallyThreads;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * kTallyThreads + threadIdx.x;
    for (unsigned long long start = 0; start < chunks; start += stride * kRoundChunks) {
      Chunk loaded[kRoundChunks];
#pragma unroll
      for (int c = 0; c < kRoundChunks; ++c) {
        const unsigned long long i = start + c * stride + thread;
        loaded[c] = i < chunks ? from[i] : Chunk{};
      }
      __syncthreads();
#pragma unroll
      for (int c = 0; c < kRoundChunks; ++c) {
        const bool is_chunk = start + c * stride + thread < chunks;
        // One key of each lane tells of the others: what was frequent last may be so again, or else the first lane's may be.
        const unsigned int sample = value_of(bits_as<Key>(loaded[c].keys[0]));
        bool is_crowded = __popc(crowd_of(is_chunk, sample)) >= kCrowd;
        if (!is_crowded) {
          frequent = __shfl_sync(~0u, sample, 0);
          is_crowded = __popc(crowd_of(is_chunk, sample)) >= kCrowd;
        }
#pragma unroll
        for (int k = 0; k < kChunkKeys; ++k) count_key(is_chunk, value_of(bits_as<Key>(loaded[c].keys[k])), is_crowded);
      }
    }
    // The keys that no chunk holds.
    for (unsigned long long start = chunks * kChunkKeys; start < arguments.n; start += stride) {
      __syncthreads();
      const bool is_key = start + thread < arguments.n;
      if (is_key) add(value_of(arguments.keys_in[start + thread]), 1);
    }
    __syncthreads();
    // Each warp hands over segments, and what they hold in all.
    for (unsigned int segment = threadIdx.x / 32; segment < kSegments; segment += kTallyThreads / 32) {
      unsigned int sum = 0;
#pragma unroll 8
      for (unsigned int word = threadIdx.x % 32; word < kSegmentValues / 2; word += 32) {
        const unsigned int value = segment * kSegmentValues + 2 * word;
        const unsigned int both = counters[counter_slot(value / 2)];
        const unsigned int even = both & 0xffffu;
        const unsigned int odd = both >> 16;
{%- if counts_widely %}
        if (even) atomicAdd(&tallies[value], static_cast<Count>(even));
        if (odd) atomicAdd(&tallies[value + 1], static_cast<Count>(odd));
{%- else %}
        // Both at once: neither count gets to 2^32.
        if (both) {
          atomicAdd(reinterpret_cast<unsigned long long*>(&tallies[value]),
                    static_cast<unsigned long long>(odd) << 32 | even);
        }
{%- endif %}
        sum += even + odd;
      }
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
      if (threadIdx.x % 32 == 0 && sum) atomicAdd(&segments[segment], static_cast<Count>(sum));
    }
  }

  // Makes the tallies the place of each key's first one: a block for each segment, a thread for two values.
  static __device__ __forceinline__ void make_starts(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    static_assert(kSegments * kSegmentValues == kKeyValues, "segments are all values");
    static_assert(kSegments <= 32, "a lane for each segment before");
    __shared__ Count warp_totals[kTallyThreads / 32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int warp = threadIdx.x / 32;
    Count* const tallies = tallies_of(arguments) + blockIdx.x * kSegmentValues + 2 * threadIdx.x;
    const Count even = tallies[0];
    const Count odd = tallies[1];
    // The segments before this one: a lane for each.
    Count start = lane < blockIdx.x ? segment_tallies_of(arguments)[lane] : 0;
    Count inclusive = even + odd;
#pragma unroll
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
      const Count below = __shfl_up_sync(~0u, inclusive, distance);
      if (lane >= distance) inclusive += below;
    }
    if (lane == 31) warp_totals[warp] = inclusive;
    __syncthreads();
    if (lane < warp) start += warp_totals[lane];
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2) start += __shfl_xor_sync(~0u, start, distance);
    start += inclusive - even - odd;
    tallies[0] = start;
    tallies[1] = start + even;
  }

 private:
  // Where the word of a counter is: its bank is made of all bits, for values that differ in their upper bits alone.
  static __device__ __forceinline__ unsigned int counter_slot(unsigned int word) {
    return word ^ ((word >> 5 ^ word >> 10) & 31u);
  }

  static constexpr int kTallyThreads = {{ count_threads }};

  // Values whose counts are also added up as the keys are counted, so that a block for each can make them places.
  static constexpr unsigned int kSegmentValues = 2 * kTallyThreads;
  static constexpr unsigned int kSegments = {{ tally_segments }};

  // In the workspace, where the descriptors of passes would be.
  static __device__ __forceinline__ Count* tallies_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + sizeof(Control));
  }
  static __device__ __forceinline__ Count* segment_tallies_of(const Arguments& arguments) {
    return tallies_of(arguments) + kKeyValues;
  }

 public:
