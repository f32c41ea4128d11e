{# The splitters of rows: one block sorts the samples of a row. #}
 private:
  // A sample's offset in the row: at random in its share, of which all samples have one each. No two rows are sampled alike.
  static __device__ __forceinline__ unsigned int offset_of_sample(const Arguments& arguments, unsigned int sample, unsigned int samples_log2) {
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int start = static_cast<unsigned int>(static_cast<unsigned long long>(sample) * n >> samples_log2);
    const unsigned int random = random_of(arguments, (sample << 16) + blockIdx.y);
    return start + __umulhi(random, n >> samples_log2);
  }

  // What a block of _samples keeps in shared memory: the samples in sorted runs, and once more for the merge of two into one. Of each its
  // compared bits, and its number.
  struct SampleStorage {
    Bits compared_keys[2][kMaxSamples];
    unsigned short numbers[2][kMaxSamples];
  };
  static_assert(sizeof(SampleStorage) == kSampleSharedBytes, "the storage is laid out as planned");

 public:
  // Sorts the samples of a row, and takes the splitters at equal distances.
  static __device__ __forceinline__ void find_splitters(const Arguments& arguments, unsigned char* shared) {
    SampleStorage& storage = *reinterpret_cast<SampleStorage*>(shared);
    const unsigned int buckets = bucket_count(arguments.n);
    const unsigned int wanted = buckets * kSamplesPerBucket;
    const unsigned int samples = wanted < kMaxSamples ? wanted : kMaxSamples;
    const unsigned int samples_log2 = 31 - __clz(samples);
    for (unsigned int sample = threadIdx.x; sample < samples; sample += kSampleThreads) {
      storage.compared_keys[0][sample] = compared_of(arguments, arguments.keys_in[offset_of_sample(arguments, sample, samples_log2)]);
      storage.numbers[0][sample] = static_cast<unsigned short>(sample);
    }
    // All that was read was there before the sort began.
    wait_for_previous_grid();  //~ grid-before-samples
    let_next_grid_start();
    __syncthreads();
    unsigned int from = 0;
    for (unsigned int run = 1; run < samples; run *= 2) {  //~ runs-of-samples
      for (unsigned int sample = threadIdx.x; sample < samples; sample += kSampleThreads) merge_sample(storage, from, sample, run);
      from ^= 1;
      __syncthreads();
    }
    Splitter* const splitters = splitters_of(arguments);
    const unsigned int per_bucket = samples / buckets;
    for (unsigned int bucket = threadIdx.x; bucket < buckets; bucket += kSampleThreads) {
      const unsigned int rank = bucket * per_bucket;
      splitters[bucket].compared = storage.compared_keys[from][rank];
      splitters[bucket].tile = offset_of_sample(arguments, storage.numbers[from][rank], samples_log2) / kTileItems;  //~ splitter-tile
    }
  }

 private:
  // Brings a sample of a run to its slot in the run's merge with its neighbour: behind those of its own run that come before, and those
  // of the other. Of equal ones, those of the first run come before.
  static __device__ __forceinline__ void merge_sample(SampleStorage& storage, unsigned int from, unsigned int sample, unsigned int run) {
    const Bits own = storage.compared_keys[from][sample];
    const bool is_of_second = (sample & run) != 0;
    const Bits* const other = storage.compared_keys[from] + ((sample ^ run) & ~(run - 1));
    unsigned int before = 0;
    for (unsigned int step = run; step > 0; step /= 2) {  //~ steps-in-run
      if (before + step > run) continue;
      const Bits compared = other[before + step - 1];
      if (is_of_second ? compared <= own : compared < own) before += step;  //~ equal-samples
    }
    const unsigned int slot = (sample & ~(2 * run - 1)) + (sample & (run - 1)) + before;  //~ slot-in-merge
    storage.compared_keys[from ^ 1][slot] = own;
    storage.numbers[from ^ 1][slot] = storage.numbers[from][sample];
  }
