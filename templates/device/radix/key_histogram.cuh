 public:
  // Adds the block's keys to the key histogram: {{ key.bits }} bits have few values. Two counters of 16 bits share a word of shared memory.
  // One that reaches 2^15 is flushed: that many are added to the histogram in memory. Between two barriers at most
  // {{ histogram.barrier_keys }} keys are counted, so no counter reaches 2^16.
  static __device__ __forceinline__ void build_histogram(const Arguments& arguments, unsigned char* shared) {
    unsigned int* const counters = reinterpret_cast<unsigned int*>(shared);
    wait_for_previous_grid();  //~ grid-before-histogram
    let_next_grid_start();
    constexpr unsigned int kWords = kKeyValues / 2;
    // The barrier before the first keys is that of their round.
    for (unsigned int i = threadIdx.x; i < kWords; i += blockDim.x) counters[i] = 0;

    KeyValue frequent{0};
    constexpr int kRoundChunks = 2;
    constexpr int kRounds = {{ histogram.barrier_keys }} / (kRoundChunks * kHistogramThreads * kChunkKeys);
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
        find_heavy_and_count(arguments, counters, counted[c], is_chunk, frequent);
      }
    }
    // The keys that no chunk holds.
    for (unsigned long long start = chunks * kChunkKeys; start < arguments.n; start += stride) {  //~ remaining-keys-of-histogram
      __syncthreads();
      const bool is_key = start + thread < arguments.n;
      if (is_key) {
        const Key key = arguments.keys_in[start + thread];
        count_value(arguments, counters, value_of(bits_as<StoredBits>(key)), 1);
      }
    }
    __syncthreads();
    flush_segments(arguments, counters);
  }

  // Makes the histogram its exclusive scan, the offset of each key's first one: a block for each segment, a thread for two values.
  static __device__ __forceinline__ void scan_histogram(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    static_assert(kSegments * kSegmentValues == kKeyValues, "segments are all values");
    static_assert(kSegments <= 32, "a lane for each segment before");
    __shared__ Count warp_totals[kHistogramThreads / kWarpThreads];
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int warp = warp_of(threadIdx.x);
    Count* const own = histogram_of(arguments) + blockIdx.x * kSegmentValues + 2 * threadIdx.x;
    const Count even = own[0];
    const Count odd = own[1];
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
    own[0] = start;
    own[1] = start + even;
  }

 private:
  // The ordered bits of a key, which say where it is counted:
  //
  //   | pair: 15 bits | is_odd: 1 bit |
  //
  // Pairs of values are counted by segments of kSegmentValues values.
  struct KeyValue {
    unsigned int bits;
    __device__ __forceinline__ unsigned int pair() const { return bits >> 1; }
    __device__ __forceinline__ unsigned int is_odd() const { return bits & 1u; }
    __device__ __forceinline__ unsigned int segment() const { return bits / kSegmentValues; }
  };

  // The counters of an even value and of the next one, in a word of shared memory, or what is added to them:
  //
  //   | odd: 16 bits | even: 16 bits |
  struct CounterPair {
    unsigned int bits;
    // A counter that has become this or more is flushed.
    static constexpr unsigned int kFull = 0x8000;

    static __device__ __forceinline__ CounterPair pack(unsigned int even, unsigned int odd) { return {odd << 16 | even}; }
    // A number of keys of one value: a multiplication, in place of a shift by a number that is not known.
    static __device__ __forceinline__ CounterPair of(KeyValue value, unsigned int keys) {
      return {value.is_odd() * (0xffffu * keys) + keys};
    }
    __device__ __forceinline__ unsigned int even() const { return bits & 0xffffu; }
    __device__ __forceinline__ unsigned int odd() const { return bits >> 16; }
    // The topmost bit of each counter that becomes kFull or more by an addend.
    __device__ __forceinline__ unsigned int filled_by(CounterPair addend) const {
      return ~bits & (bits + addend.bits) & pack(kFull, kFull).bits;
    }
  };

  // The slot of the counters of a pair: its bank depends on all bits, for values that differ in their upper bits alone.
  static __device__ __forceinline__ unsigned int counter_slot(unsigned int pair) {
    constexpr unsigned int kBankBits = 5;
    return pair ^ ((pair >> kBankBits ^ pair >> 2 * kBankBits) & ((1u << kBankBits) - 1));
  }

  // A chunk as it is read ahead, two keys in a word:
  //
  //   | key 2 * i + 1: 16 bits | key 2 * i: 16 bits |
  struct __align__(16) Words {
    unsigned int words[kChunkKeys / 2];
    __device__ __forceinline__ StoredBits key(int k) const { return static_cast<StoredBits>(words[k / 2] >> k % 2 * 16); }
  };

  static __device__ __forceinline__ KeyValue value_of(StoredBits key) {
    return {static_cast<unsigned int>(to_ordered_bits(bits_as<Key>(key)))};
  }

  // Counts keys of one value.
  static __device__ __forceinline__ void count_value(const Arguments& arguments, unsigned int* counters, KeyValue value,
                                                     unsigned int keys) {
    const CounterPair addend = CounterPair::of(value, keys);
    const CounterPair before{atomicAdd(&counters[counter_slot(value.pair())], addend.bits)};
    if (before.filled_by(addend)) flush_counter(arguments, counters, value);  //~ full-counter-of-heavy-key
  }

  static __device__ __forceinline__ void flush_counter(const Arguments& arguments, unsigned int* counters, KeyValue value) {
    const CounterPair full = CounterPair::of(value, CounterPair::kFull);
    atomicSub(&counters[counter_slot(value.pair())], full.bits);  //~ counter-handed-over
    add_to_histogram(arguments, value.pair(), full);  //~ count-handed-over
    atomicAdd(&segment_sums_of(arguments)[value.segment()], static_cast<Count>(CounterPair::kFull));  //~ segment-handed-over
  }

  // Adds to the counts of a pair of values.
  static __device__ __forceinline__ void add_to_histogram(const Arguments& arguments, unsigned int pair, CounterPair keys) {
    Count* const counts = histogram_of(arguments) + 2 * pair;
    if constexpr (sizeof(Count) == 8) {
      if (keys.even()) atomicAdd(&counts[0], static_cast<Count>(keys.even()));
      if (keys.odd()) atomicAdd(&counts[1], static_cast<Count>(keys.odd()));
    } else {
      // Both at once: neither count gets to 2^32.
      atomicAdd(reinterpret_cast<unsigned long long*>(counts), static_cast<unsigned long long>(keys.odd()) << 32 | keys.even());  //~ both-counters
    }
  }

  // Counts a chunk of each lane; all lanes of a warp call it, those without a chunk too. Atomics of lanes that meet at one counter are
  // served one after the other; where many do, at that of a heavy hitter, the `frequent` value, one lane adds for all.
  template <bool kHasHeavy>
  static __device__ __forceinline__ void count_chunk(const Arguments& arguments, unsigned int* counters, const Words& chunk,
                                                     bool is_chunk, KeyValue frequent) {
    const unsigned int keys = is_chunk ? 1 : 0;  //~ keys-of-lane
    // Without a branch, and looked at afterwards, so that no addition waits for another one. Keys of the heavy hitter add nothing,
    // each at a bank of its own.
    CounterPair addends[kChunkKeys];
    CounterPair before[kChunkKeys];
    unsigned int heavy_keys = 0;
#pragma unroll
    for (int k = 0; k < kChunkKeys; ++k) {
      const KeyValue value = value_of(chunk.key(k));
      const bool is_heavy = kHasHeavy && value.bits == frequent.bits;
      if (kHasHeavy) heavy_keys += __popc(__ballot_sync(~0u, is_chunk && is_heavy));  //~ heavy-ballot
      addends[k] = {is_heavy ? 0 : CounterPair::of(value, keys).bits};  //~ heavy-addend
      before[k] = {atomicAdd(&counters[is_heavy ? lane_of(threadIdx.x) : counter_slot(value.pair())], addends[k].bits)};
    }
    unsigned int filled = 0;
#pragma unroll
    for (int k = 0; k < kChunkKeys; ++k) filled |= before[k].filled_by(addends[k]);
    if (filled) {  //~ full-counter
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) {
        if (before[k].filled_by(addends[k])) flush_counter(arguments, counters, value_of(chunk.key(k)));
      }
    }
    if (kHasHeavy && lane_of(threadIdx.x) == 0) count_value(arguments, counters, frequent, heavy_keys);  //~ heavy-count
  }

  // Counts a chunk of each lane, and finds whether its keys have a heavy hitter. All lanes of a warp call it.
  static __device__ __forceinline__ void find_heavy_and_count(const Arguments& arguments, unsigned int* counters, const Words& chunk,
                                                              bool is_chunk, KeyValue& frequent) {
    const auto is_heavy = [&](bool is_key, KeyValue value) {
      return __popc(__ballot_sync(~0u, is_key && value.bits == frequent.bits)) >= kHeavyLanes;
    };
    // One key of each lane tells of the others: what was frequent last may be so again, or else the first lane's may be.
    const KeyValue sample = value_of(chunk.key(0));
    bool has_heavy = is_heavy(is_chunk, sample);
    if (!has_heavy) {
      frequent = {__shfl_sync(~0u, sample.bits, 0)};
      has_heavy = is_heavy(is_chunk, sample);
    }
    if (has_heavy) {
      count_chunk<true>(arguments, counters, chunk, is_chunk, frequent);
    } else {
      count_chunk<false>(arguments, counters, chunk, is_chunk, frequent);
    }
  }

  // Each warp flushes segments, and adds up their sums.
  static __device__ __forceinline__ void flush_segments(const Arguments& arguments, const unsigned int* counters) {
    Count* const segments = segment_sums_of(arguments);
    for (unsigned int segment = warp_of(threadIdx.x); segment < kSegments; segment += kHistogramThreads / kWarpThreads) {
      unsigned int sum = 0;
#pragma unroll 8
      for (unsigned int word = lane_of(threadIdx.x); word < kSegmentValues / 2; word += 32) {
        const unsigned int pair = segment * (kSegmentValues / 2) + word;
        const CounterPair counts{counters[counter_slot(pair)]};
        if (counts.bits) add_to_histogram(arguments, pair, counts);
        sum += counts.even() + counts.odd();  //~ sum-of-segment
      }
#pragma unroll
      for (unsigned int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
      if (lane_of(threadIdx.x) == 0 && sum) atomicAdd(&segments[segment], static_cast<Count>(sum));
    }
  }

  static constexpr int kHistogramThreads = {{ count_threads }};

  // Values in a segment: their counts are also added up as the keys are counted, so that a block for each segment can scan them.
  static constexpr unsigned int kSegmentValues = 2 * kHistogramThreads;
  static constexpr unsigned int kSegments = {{ histogram.segments }};

  // In the workspace, where the descriptors of passes would be.
  static __device__ __forceinline__ Count* histogram_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + sizeof(Control));
  }
  static __device__ __forceinline__ Count* segment_sums_of(const Arguments& arguments) {
    return histogram_of(arguments) + kKeyValues;
  }
