 private:
  static __device__ __forceinline__ unsigned int upper_product(unsigned int left, unsigned int right) {
    return static_cast<unsigned int>(static_cast<unsigned long long>(left) * right >> 32);
  }

  // An offset in the share of the items that one of kSamples has.
  template <unsigned int kSamples>
  static __device__ __forceinline__ unsigned int offset_in_share(unsigned int sample, unsigned int items, unsigned int random) {
    const unsigned int start = static_cast<unsigned int>(static_cast<unsigned long long>(sample) * items / kSamples);
    return start + upper_product(random, items / kSamples);
  }

  // The rank of a thread's sample among those of the block's threads, and equal ones in the order of threads.
  static __device__ __forceinline__ unsigned int rank_of_sample(Bits (&samples)[2][kBlockThreads], Bits own) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int warp = warp_of(threadIdx.x);
    samples[0][threadIdx.x] = own;
    __syncwarp();
    // Each warp ranks its own by comparing each with all.
    unsigned int rank = 0;
#pragma unroll 8
    for (unsigned int other = 0; other < kWarpThreads; ++other) {
      const Bits compared = samples[0][warp * kWarpThreads + other];
      if (compared < own || (compared == own && other < lane)) ++rank;  //~ rank-in-warp
    }
    samples[1][warp * kWarpThreads + rank] = own;
    __syncthreads();  //~ ranked-samples
    // Then among those of each other warp, several searches at once: each alone would wait for one read after the other.
    // Equal ones of the warps below come before.
#pragma unroll 4
    for (unsigned int other = 0; other < warp; ++other) {  //~ warps-below
      rank += run_before(samples[1] + other * kWarpThreads, [own](Bits compared) { return compared <= own; });
    }
#pragma unroll 4
    for (unsigned int other = warp + 1; other < kWarps; ++other) {
      rank += run_before(samples[1] + other * kWarpThreads, [own](Bits compared) { return compared < own; });  //~ warps-above
    }
    return rank;
  }

  // How many of a warp's sorted samples come before.
  template <typename ComesBefore>
  static __device__ __forceinline__ unsigned int run_before(const Bits* run, ComesBefore comes_before) {
    unsigned int before = 0;
#pragma unroll
    for (unsigned int step = 16; step > 0; step /= 2) {
      if (comes_before(run[before + step - 1])) before += step;
    }
    return before + comes_before(run[before]);  //~ last-sample
  }

  // Few splitters: sorts a sample of each thread and takes them at equal distances. All blocks find the same. Returns whether
  // the thread's own is one that nothing of this tile is after; see set_bound.
  static __device__ __forceinline__ bool make_splitters(const Arguments& arguments, SplitStorage& storage, unsigned int buckets,
                                                        Bits own, unsigned int tile) {
    const unsigned int rank = rank_of_sample(storage.samples, own);
    const unsigned int stride = kBlockThreads / buckets;
    if (rank % stride != 0) return false;
    const unsigned int bucket = rank / stride;
    // For _buckets.
    if (blockIdx.x == 0) splitters_of(arguments)[bucket].compared = own;
    return set_bound(storage, buckets, bucket, own, tile);  //~ splitter-tile
  }

  // A sample where they come first. Its number is
  //
  //   | round | thread: log2(kSampleThreads) bits |
  //
  // and its thread
  //
  //   | pair: log2(kSamplePairs) bits | second of the pair: 1 bit |
  static constexpr unsigned int kSamplePairs = kSampleThreads / 2;
  // Samples of a thread that are read and searched for at once.
  static constexpr unsigned int kRoundsAtOnce = kSamplesPerBucket * kBlockThreads / kSampleThreads;
  struct Sample {
    unsigned int round;
    unsigned int thread;
    static __device__ __forceinline__ Sample unpack(unsigned int number) { return {number / kSampleThreads, number % kSampleThreads}; }
    __device__ __forceinline__ unsigned int pack() const { return round * kSampleThreads + thread; }
    __device__ __forceinline__ unsigned int pair() const { return thread / 2; }
    __device__ __forceinline__ bool is_second() const { return thread % 2 != 0; }
    // Pairs of all rounds.
    __device__ __forceinline__ unsigned int pair_number() const { return round * kSamplePairs + pair(); }
  };

  // The offset of a sample where they come first: rounds of as many as a block has threads, each from as much of the array. Two
  // threads share a sector of memory, which halves what all blocks read. They are now so, now so far apart in it: if all were
  // neighbours, half of the samples would say nothing of inputs with neighbours that are alike.
  static __device__ __forceinline__ unsigned int paired_offset(const Arguments& arguments, unsigned int rounds, Sample sample) {
    constexpr unsigned int kSectorItems = {% if key.is_odd_size %}{{ sector_items }}{% else %}32 / sizeof(Key){% endif %};
    // There is a power of two of rounds. Behind the last offset there is a complete sector.
    const unsigned int items = (static_cast<unsigned int>(arguments.n) - (kSectorItems - 1)) >> (31 - __clz(rounds));
    const unsigned int random = random_of(arguments, sample.pair_number());
    const unsigned int offset = sample.round * items + offset_in_share<kSamplePairs>(sample.pair(), items, random);
    return offset ^ (sample.is_second() ? 1 + upper_product(random << 16, kSectorItems - 1) : 0);
  }

  // What a block of _samples keeps in shared memory.
  struct SampleStorage {
    // The block's own samples as they are read, and in order, with the maximum compared bits behind them.
    Bits read[kMaxOwnSamples];
    Bits compared_keys[kMaxOwnSamples];
    // How many of the own come before each as it is read; and of those in order, which one each was.
    unsigned int ranks[kMaxOwnSamples];
    unsigned int numbers[kMaxOwnSamples];
    // For each number of own samples: how many of the other blocks' samples come behind as many; and what is not counted.
    unsigned int counts[kMaxOwnSamples + 4];
  };
  static_assert(sizeof(SampleStorage) == kSampleSharedBytes, "the storage is laid out as planned");
  static_assert(kMaxOwnSamples == 32, "a warp has the own samples");

 public:
  // Many splitters: every block reads all samples and ranks some of them, its own: it sorts these, and searches among them for
  // all others.
  static __device__ __forceinline__ void find_splitters(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();  //~ grid-before-samples
    let_next_grid_start();
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    // Powers of two; a thread has one of each round.
    const unsigned int samples = bucket_count(arguments.n) * kSamplesPerBucket;
    const unsigned int rounds = samples / kSampleThreads;
    const unsigned int own_samples = samples / sample_blocks(arguments.n);
    const unsigned int first = blockIdx.x * own_samples;
    // First all reads, so that they take the time of one.
    Key own_key;
    const Sample own = Sample::unpack(first + threadIdx.x);
    if (threadIdx.x < own_samples) own_key = arguments.keys_in[paired_offset(arguments, rounds, own)];
    Key keys[kRoundsAtOnce];
    read_samples(arguments, rounds, 0, keys);
    if (threadIdx.x < kMaxOwnSamples) storage.ranks[threadIdx.x] = storage.counts[threadIdx.x] = 0;
    if (threadIdx.x < own_samples) storage.read[threadIdx.x] = compared_of(arguments, own_key);
    __syncthreads();
    sort_own_samples(storage, own_samples);
    __syncthreads();
    count_other_samples(arguments, storage, own_samples, rounds, 0, keys);
{%- if buckets_per_thread > 1 %}
    for (unsigned int round = kRoundsAtOnce; round < rounds; round += kRoundsAtOnce) {  //~ rounds-at-once
      read_samples(arguments, rounds, round, keys);
      count_other_samples(arguments, storage, own_samples, rounds, round, keys);
    }
{%- endif %}
    __syncthreads();
    if (threadIdx.x >= kMaxOwnSamples) return;
    // The rank among all samples of the thread's own one.
    const unsigned int rank = threadIdx.x + inclusive_sum_in_warp(storage.counts[threadIdx.x], ~0u);  //~ own-rank
    unsigned int bucket;
    if (threadIdx.x >= own_samples || !is_splitter(samples, rank, bucket)) return;
    Splitter& splitter = splitters_of(arguments)[bucket];
    splitter.compared = storage.compared_keys[threadIdx.x];
    splitter.tile = paired_offset(arguments, rounds, Sample::unpack(first + storage.numbers[threadIdx.x])) / {{ tile_items }};  //~ first-splitter-tile
  }

 private:
  // Whether the sample of this rank is a bucket's least item. Of each two buckets the second is the larger one where there are
  // many.
  static __device__ __forceinline__ bool is_splitter(unsigned int samples, unsigned int rank, unsigned int& bucket) {
    const unsigned int of_first = samples < kSamplesPerBucket * kBlockThreads ? kSamplesPerBucket : kSamplesOfSmallerBucket;
    const unsigned int in_two = rank % (2 * kSamplesPerBucket);
    bucket = rank / (2 * kSamplesPerBucket) * 2 + (in_two != 0);
    return in_two == 0 || in_two == of_first;
  }

  // A thread's samples of some rounds: all are read at once, so that they take the time of one.
  static __device__ __forceinline__ void read_samples(const Arguments& arguments, unsigned int rounds, unsigned int first_round,
                                                      Key (&keys)[kRoundsAtOnce]) {
#pragma unroll
    for (unsigned int i = 0; i < kRoundsAtOnce; ++i) {
      if (first_round + i < rounds) keys[i] = arguments.keys_in[paired_offset(arguments, rounds, {first_round + i, threadIdx.x})];
    }
  }

  // By comparing each with each. Of equal ones, those of lower numbers come before.
  static __device__ __forceinline__ void sort_own_samples(SampleStorage& storage, unsigned int own_samples) {
    const int own_log2 = 31 - __clz(own_samples);
    for (unsigned int pair = threadIdx.x; pair >> own_log2 < own_samples; pair += kSampleThreads) {
      const unsigned int own = pair & (own_samples - 1);
      const unsigned int other = pair >> own_log2;
      const bool is_before = storage.read[other] < storage.read[own] || (storage.read[other] == storage.read[own] && other < own);  //~ order-of-own-samples
      if (is_before) atomicAdd(&storage.ranks[own], 1u);
    }
    __syncthreads();
    if (threadIdx.x >= kMaxOwnSamples) return;
    const bool is_there = threadIdx.x < own_samples;
    const unsigned int rank = is_there ? storage.ranks[threadIdx.x] : threadIdx.x;
    storage.compared_keys[rank] = is_there ? storage.read[threadIdx.x] : ~Bits(0);
    storage.numbers[rank] = threadIdx.x;
  }

  // All of a thread's are searched for at once, and then all are counted: each alone would wait for one read after the other.
  static __device__ __forceinline__ void count_other_samples(const Arguments& arguments, SampleStorage& storage, unsigned int own_samples,
                                                             unsigned int rounds, unsigned int first_round, const Key (&keys)[kRoundsAtOnce]) {
    const unsigned int first = blockIdx.x * own_samples;
    // Of a thread's samples, the maximum compared bits of the own ones that come before: of equal ones, those of lower numbers.
    Bits limits[kRoundsAtOnce];
    // How many of the own ones come before.
    ComparedIndex before[kRoundsAtOnce];
    // The first two steps are the same reads for all.
    constexpr unsigned int kQuarter = kMaxOwnSamples / 4;
    const Bits quarters[3] = {storage.compared_keys[kQuarter - 1], storage.compared_keys[2 * kQuarter - 1], storage.compared_keys[3 * kQuarter - 1]};
#pragma unroll
    for (unsigned int i = 0; i < kRoundsAtOnce; ++i) {
      limits[i] = compared_of(arguments, first_round + i < rounds ? keys[i] : keys[0]);
      if (Sample{first_round + i, threadIdx.x}.pack() < first) --limits[i];  //~ equal-samples-below
      const bool is_upper = quarters[1] <= limits[i];
      before[i] = ComparedIndex::of(is_upper ? 2 * kQuarter : 0);
      if ((is_upper ? quarters[2] : quarters[0]) <= limits[i]) before[i] += kQuarter;  //~ first-step
    }
#pragma unroll
    for (unsigned int step = kQuarter / 2; step > 0; step /= 2) {
#pragma unroll
      for (unsigned int i = 0; i < kRoundsAtOnce; ++i) {
        if (before[i].in(storage.compared_keys + (step - 1)) <= limits[i]) before[i] += step;
      }
    }
    // The counters of these numbers.
    unsigned int counters[kRoundsAtOnce];
#pragma unroll
    for (unsigned int i = 0; i < kRoundsAtOnce; ++i) {
      const bool is_behind = before[i].in(storage.compared_keys) <= limits[i];
      counters[i] = before[i].index() + is_behind;  //~ last-step
      const unsigned int number = Sample{first_round + i, threadIdx.x}.pack();
      // The least compared bits have none before them.
      if (number < first && limits[i] == ~Bits(0)) counters[i] = 0;  //~ minimum-sample
      if (first_round + i >= rounds || number - first < own_samples) counters[i] = kMaxOwnSamples;  //~ foreign-rounds
    }
#pragma unroll
    for (unsigned int i = 0; i < kRoundsAtOnce; ++i) atomicAdd(&storage.counts[counters[i]], 1u);
  }
