 private:
  static constexpr unsigned int kMaxSamples = {{ max_samples }};

  // Equal shares of items: share i begins at begin(i). One division does for all of them.
  struct Shares {
    // With 32 bits behind the point.
    unsigned long long step;

    __device__ __forceinline__ Shares(unsigned int items, unsigned int count) : step((static_cast<unsigned long long>(items) << 32) / count) {}
    __device__ __forceinline__ unsigned int begin(unsigned int share) const { return static_cast<unsigned int>(share * step >> 32); }
  };

  // A permutation of 64 bits, which scatters successive numbers.
  static __device__ __forceinline__ unsigned long long mixed(unsigned long long bits) {
    bits += 0x9e3779b97f4a7c15ull;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31;
  }

  // What the positions of a launch's samples follow from:
  //
  //   | sorts that have begun, as far as they are counted: 32 bits | seed of the launch: 32 bits |
  struct SortSeed {
    unsigned long long word;

    static __device__ __forceinline__ SortSeed pack(unsigned int sorts, unsigned int seed) {
      return {static_cast<unsigned long long>(sorts) << 32 | seed};
    }
    // Sorts of other streams count at the same time: threads may see different numbers, which are as good.
    static __device__ __forceinline__ SortSeed of_launch(const Arguments& arguments, unsigned int seed) {
      const unsigned int* const counter = arguments.sort_counter;
      return pack(counter == nullptr ? 0 : racing_load(counter), seed);
    }
  };

  // A sample among those of all parents:
  //
  //   | parent: 32 bits | sample of the parent: 32 bits |
  struct SampleNumber {
    unsigned long long word;

    static __device__ __forceinline__ SampleNumber pack(unsigned int parent, unsigned int sample) {
      return {static_cast<unsigned long long>(parent) << 32 | sample};
    }
    __device__ __forceinline__ unsigned int random(SortSeed seed) const { return static_cast<unsigned int>(mixed(word ^ mixed(seed.word))); }
  };

  // A random position in the share of a sample.
  static __device__ __forceinline__ unsigned int sample_position(const Shares& shares, unsigned int sample, unsigned int parent,
                                                                 SortSeed seed) {
    const unsigned int random = SampleNumber::pack(parent, sample).random(seed);
    const unsigned int begin = shares.begin(sample);
    return begin + __umulhi(random, shares.begin(sample + 1) - begin);
  }

  // Of 2^kLevels buckets the least compared bits of all but the first are the nodes of a tree. The nodes of a level lie side by side, level l from index
  // 2^l on; a node's index in its level has the outcomes of the comparisons above it as bits, the first one lowest. So a step of a
  // search adds a constant or not, and the first steps have no bank conflicts.
  static __device__ __forceinline__ unsigned int node_of(unsigned int bucket, unsigned int levels) {
    const unsigned int steps_below = __ffs(static_cast<int>(bucket)) - 1;
    const unsigned int level = levels - 1 - steps_below;
    const unsigned int in_level = bucket >> steps_below >> 1;
    return (1u << level) + (level == 0 ? 0 : __brev(in_level) >> (32 - level));  //~ node-in-level
  }

  static constexpr __host__ __device__ unsigned int log2_of(unsigned int power) {
    unsigned int log2 = 0;
    while (power >> log2 > 1) ++log2;
    return log2;
  }

  // How the keys that a tree is for are compared. Where no two splitters have the same truncated bits, the nodes are truncated bits
  // of 32 bits, and splitters are rounded down to these.
  //
  // In global memory such a tree begins with the shift and the least compared bits, and the nodes take its second half. Another one
  // begins with kNone.
  struct Truncation {
    Bits min;
    // How far right to shift the distance of compared bits to the least ones.
    unsigned int shift;
    static constexpr unsigned int kNone = ~0u;

    static __device__ __forceinline__ Truncation of_tree(const Bits* tree) { return {tree[1], static_cast<unsigned int>(tree[0])}; }
    __device__ __forceinline__ bool is_none() const { return shift == kNone; }
    // Compared bits that are far above all samples' are the max truncated bits.
    __device__ __forceinline__ unsigned int truncated(Bits compared) const {
      const Bits bits = (compared - min) >> shift;
      return bits >> 32 != 0 ? ~0u : static_cast<unsigned int>(bits);  //~ order-above-samples
    }
    // The least compared bits with truncated bits that are not zero. One past the max ones is zero.
    __device__ __forceinline__ Bits least_compared(unsigned int truncated) const {
      const Bits distance = static_cast<Bits>(truncated) << shift;
      return distance > ~Bits(0) - min ? 0 : min + distance;
    }
    __device__ __forceinline__ Bits rounded(Bits compared) const { return is_none() ? compared : least_compared(truncated(compared)); }
  };

  static __device__ __forceinline__ const unsigned int* truncated_nodes(const Bits* tree, unsigned int buckets) {
    return reinterpret_cast<const unsigned int*>(tree) + buckets;
  }

  // The least compared bits of a bucket behind the first.
  static __device__ __forceinline__ Bits splitter_at(const Bits* tree, unsigned int bucket, unsigned int buckets) {
    const Truncation truncation = Truncation::of_tree(tree);
    const unsigned int node = node_of(bucket, log2_of(buckets));
    return truncation.is_none() ? tree[node] : truncation.least_compared(truncated_nodes(tree, buckets)[node]);
  }

  // Finds the bucket of each key's compared bits, truncated or not: the last one of which the least ones are not above them. The searches run side by side.
  template <unsigned int kBucketCount, typename Compared, int kKeys>
  static __device__ __forceinline__ void find_buckets(const Compared* tree, const Compared (&compared_keys)[kKeys], unsigned int (&buckets)[kKeys]) {
    constexpr unsigned int kLevels = log2_of(kBucketCount);
    // In bytes, which saves the multiplication.
    const char* const nodes = reinterpret_cast<const char*>(tree);
#pragma unroll
    for (int i = 0; i < kKeys; ++i) buckets[i] = 0;
#pragma unroll
    for (unsigned int level = 0; level < kLevels; ++level) {
      constexpr unsigned int kNodeBytes = sizeof(Compared);
      const unsigned int step = kNodeBytes << level;
#pragma unroll
      for (int i = 0; i < kKeys; ++i) {
        if (compared_keys[i] >= *reinterpret_cast<const Compared*>(nodes + buckets[i] + step)) buckets[i] += step;
      }
    }
#pragma unroll
    for (int i = 0; i < kKeys; ++i) buckets[i] = __brev(buckets[i] / sizeof(Compared)) >> (32 - kLevels);
  }

  // What a block that makes splitters keeps in shared memory: the samples' compared bits as they are read, and their sorted positions.
  struct SampleStorage {
    Bits compared_keys[kMaxSamples];
    unsigned short positions[kMaxSamples];
  };
  static_assert(sizeof(SampleStorage) == kSampleSharedBytes, "the storage is laid out as planned");

  // The least and the max compared bits that a parent's keys may have.
  struct ComparedRange {
    Bits min;
    Bits max;
  };

  static __device__ __forceinline__ ComparedRange range_of_parent(const Arguments& arguments, const Parents& parents, unsigned int parent) {
    const bool is_last = parent + 1 == parent_count(arguments.n);
    return {parents.minima[parent], is_last ? ~Bits(0) : parents.minima[parent + 1] - 1};
  }

  // The same of the keys of a bucket. One of equal keys has both equal.
  static __device__ __forceinline__ ComparedRange range_of_bucket(const Arguments& arguments, const Scratch& scratch, unsigned int parent,
                                                               unsigned int bucket) {
    const bool two_levels = has_two_levels(arguments.n);
    const unsigned int buckets = two_levels ? kBuckets : kOnlyBuckets;
    const Bits* const tree = two_levels ? scratch.parent_splitters(parent) : scratch.splitters();
    const ComparedRange range = range_of_parent(arguments, scratch.parents(), parent);
    const Bits max = bucket + 1 < buckets ? splitter_at(tree, bucket + 1, buckets) - 1 : range.max;
    return {bucket == 0 ? range.min : splitter_at(tree, bucket, buckets), max < range.max ? max : range.max};
  }

  // Sorted samples, as splitters of `used` buckets.
  //
  // A splitter that is the one before it again is increased by one: from the one before to it, there is a bucket of equal keys. The first
  // splitter's one before is the parent's least compared bits. From `used` on all splitters are the parent's max ones, which so has a bucket of
  // its own, the last one.
  struct SortedSamples {
    const SampleStorage& storage;
    ComparedRange range;
    Shares shares;
    unsigned int used;

    __device__ __forceinline__ Bits operator[](unsigned int rank) const {
      return storage.compared_keys[key_slot(storage.positions[position_slot(rank)])];
    }

    // The least compared bits of a bucket.
    __device__ __forceinline__ Bits splitter(unsigned int bucket) const {
      if (bucket == 0) return range.min;
      if (bucket >= used) return range.max;  //~ unused-splitter
      const Bits sample = (*this)[shares.begin(bucket)];
      const Bits before = bucket == 1 ? range.min : (*this)[shares.begin(bucket - 1)];
      return sample == before && sample < range.max ? sample + 1 : sample;
    }

    // Whether successive samples lie in so small a part of the bucket's range that a sub-bucket of it would overflow.
    __device__ __forceinline__ bool overflows(unsigned int bucket) const {
      constexpr unsigned int kClose = 3;
      const Bits close = (splitter(bucket + 1) - splitter(bucket)) >> 10;
      bool is_close = false;
      for (unsigned int rank = shares.begin(bucket); rank + kClose < shares.begin(bucket + 1); ++rank) {
        is_close |= (*this)[rank + kClose] - (*this)[rank] <= close;
      }
      return is_close;
    }
  };

  // How the keys of a bucket with these samples are compared. All threads of the block call it.
  template <unsigned int kBucketCount>
  static __device__ __forceinline__ Truncation truncation_of(const SortedSamples& sorted, unsigned int samples) {
    const int length = bit_length(sorted[samples - 1] - sorted.range.min);
    const Truncation truncation{sorted.range.min, length > 32 ? static_cast<unsigned int>(length - 32) : 0};
    bool is_distinct = true;
    for (unsigned int bucket = threadIdx.x + 1; bucket <= sorted.used && bucket < kBucketCount; bucket += kBlockThreads) {
      is_distinct &= truncation.truncated(sorted.splitter(bucket - 1)) != truncation.truncated(sorted.splitter(bucket));
    }
    const bool all_are_distinct = __syncthreads_and(is_distinct);  //~ distinct-splitters
    return all_are_distinct ? truncation : Truncation{sorted.range.min, Truncation::kNone};
  }

  // Writes the tree of splitters, and which buckets are to be sorted by merges. Returns whether any of the thread's buckets is. All threads
  // of the block call it, with a barrier since the compared bits were written; `minima` gets the least ones of each bucket, if it is not null.
  template <unsigned int kBucketCount>
  static __device__ __forceinline__ bool write_splitters(SampleStorage& storage, ComparedRange range, unsigned int samples, unsigned int used,
                                                         Bits* tree, unsigned char* overflows, Bits* minima) {
    sort_positions(storage.positions, samples, [&](unsigned int position) { return storage.compared_keys[key_slot(position)]; });
    const SortedSamples sorted{storage, range, Shares(samples, used), used};
    const Truncation truncation = truncation_of<kBucketCount>(sorted, samples);
    bool any_overflows = false;
    for (unsigned int bucket = threadIdx.x; bucket < kBucketCount; bucket += kBlockThreads) {
      const Bits splitter = truncation.rounded(sorted.splitter(bucket));
      if (minima != nullptr) minima[bucket] = splitter;
      const bool overflows_bucket = bucket < used && sorted.overflows(bucket);
      overflows[bucket] = overflows_bucket;
      any_overflows |= overflows_bucket;
      if (bucket == 0) {
        tree[0] = truncation.shift;
        continue;
      }
      const unsigned int node = node_of(bucket, log2_of(kBucketCount));
      if (truncation.is_none()) {
        tree[node] = splitter;
      } else {
        reinterpret_cast<unsigned int*>(tree)[kBucketCount + node] = truncation.truncated(splitter);
      }
      if (node == 1 && !truncation.is_none()) tree[1] = truncation.min;
    }
    return any_overflows;
  }

 public:
  // Makes the splitters of the first level or of the only one, by one block.
  static __device__ __forceinline__ void find_splitters(const Arguments& arguments, unsigned char* shared, unsigned int launch_seed) {
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    const SortSeed seed = SortSeed::of_launch(arguments, launch_seed);
    const Scratch scratch(arguments);
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int samples = minimum(n, kMaxSamples);
    const Shares shares(n, samples);
    for (unsigned int sample = threadIdx.x; sample < samples; sample += kBlockThreads) {
      storage.compared_keys[key_slot(sample)] = compared_of(arguments.keys_in[sample_position(shares, sample, 0, seed)]);
    }
    // All that was read was there before the sort began.
    wait_for_previous_grid();  //~ grid-before-partition
    let_next_grid_start();
    __syncthreads();
    // All threads have read it.
    if (threadIdx.x == 0 && arguments.sort_counter != nullptr) atomicAdd(arguments.sort_counter, 1u);  //~ sort-counter
    const ComparedRange range{0, ~Bits(0)};
    Parents& parents = scratch.parents();
    if (has_two_levels(n)) {
      write_splitters<kParents>(storage, range, samples, kParents, scratch.splitters(), scratch.overflows(0), parents.minima);
      return;
    }
    write_splitters<kOnlyBuckets>(storage, range, samples, kOnlyBuckets, scratch.splitters(), scratch.overflows(0), nullptr);
    if (threadIdx.x != 0) return;
    parents.begins[0] = 0;
    parents.begins[1] = n;
    parents.tiles[0] = 0;
    parents.tiles[1] = tile_count(n);
    parents.minima[0] = 0;
  }

  // Makes the splitters of one parent, as far as it needs any. Its items are found in its pieces.
  static __device__ __forceinline__ void find_splitters_of_parent(const Arguments& arguments, unsigned char* shared, unsigned int launch_seed) {
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const SortSeed seed = SortSeed::of_launch(arguments, launch_seed);
    const Scratch scratch(arguments);
    const Parents& parents = scratch.parents();
    const unsigned int parent = blockIdx.x;
    const unsigned int items = parents.begins[parent + 1] - parents.begins[parent];
    if (items == 0) return;
    const unsigned int used = minimum((items + kTargetItems - 1) / kTargetItems, kBuckets);
    const unsigned int samples = minimum(minimum(items, kSamplesPerBucket * used), kMaxSamples);
    const Shares shares(items, samples);
    const unsigned int tiles = tile_count(arguments.n);
    const unsigned int* const positions = scratch.piece_positions() + parent * piece_stride(arguments.n);
    const unsigned short* const offsets = scratch.piece_offsets() + parent * piece_stride(arguments.n);
    for (unsigned int first = threadIdx.x; first < samples; first += kSearches * kBlockThreads) {
      // Searches run side by side, that of the last sample again where there are fewer.
      unsigned int items[kSearches];
      unsigned int in_tiles[kSearches] = {};
#pragma unroll
      for (unsigned int i = 0; i < kSearches; ++i) {
        items[i] = sample_position(shares, minimum(first + i * kBlockThreads, samples - 1), parent + 1, seed);
      }
      for (unsigned int step = 1u << (31 - __clz(static_cast<int>(tiles))); step != 0; step /= 2) {
#pragma unroll
        for (unsigned int i = 0; i < kSearches; ++i) {
          const unsigned int tile = in_tiles[i] + step;
          if (positions[minimum(tile, tiles - 1)] <= items[i] && tile < tiles) in_tiles[i] = tile;
        }
      }
      Key keys[kSearches];
#pragma unroll
      for (unsigned int i = 0; i < kSearches; ++i) {
        const unsigned int tile = in_tiles[i];
        const unsigned long long source = static_cast<unsigned long long>(tile) * kTileItems + offsets[tile] + (items[i] - positions[tile]);
        keys[i] = arguments.keys_out[source];
      }
#pragma unroll
      for (unsigned int i = 0; i < kSearches; ++i) {
        const unsigned int sample = first + i * kBlockThreads;
        if (sample < samples) storage.compared_keys[key_slot(sample)] = compared_of(keys[i]);
      }
    }
    __syncthreads();
    unsigned char* const overflows = scratch.overflows(parent);
    const bool overflows_any = write_splitters<kBuckets>(storage, range_of_parent(arguments, parents, parent), samples, used,
                                                         scratch.parent_splitters(parent), overflows, nullptr);
    // Of the buckets of all parents a few have such samples by chance, but rarely two of one parent. Each thread has written those that it
    // clears.
    if (__syncthreads_count(overflows_any) > 1) return;  //~ close-samples-of-parent
    for (unsigned int bucket = threadIdx.x; bucket < kBuckets; bucket += kBlockThreads) overflows[bucket] = 0;
  }

 private:
  // Samples of a parent for each of its buckets.
  static constexpr unsigned int kSamplesPerBucket = {{ samples_per_bucket }};

  // Samples that a thread finds side by side.
  static constexpr unsigned int kSearches = 3;
