 private:
  // The bits that are compared.
  static __device__ __forceinline__ Bits mask_of(const Arguments& arguments) {
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return 0;
    return bits == kKeyBits ? Bits(kAllBits) : ((Bits(1) << bits) - 1) << arguments.begin_bit;  //~ mask
  }

  // What a key is compared by.
  static __device__ __forceinline__ Bits order_of(Key key, Bits mask) { return compared_bits(to_ordered_bits(key)) & mask; }

  // A number that neighbouring samples do not share.
  static __device__ __forceinline__ unsigned int mixed(unsigned int number) {
    number = (number ^ (number >> 16)) * 0x7feb352du;
    number = (number ^ (number >> 15)) * 0x846ca68bu;
    return number ^ (number >> 16);
  }

 public:
  // Reads a key of each of as many equal ranges of the shard as there are samples, at a position that the seed decides. Slots behind the last
  // sample get the max order.
  static __device__ __forceinline__ void take_samples(const Arguments& arguments) {
    const unsigned int slot = blockIdx.x * kBlockThreads + threadIdx.x;
    if (slot >= arguments.sample_slots) return;
    Bits order = ~Bits(0);
    if (slot < arguments.sample_count) {  //~ sampled-slots
      const unsigned long long begin = slot * arguments.n / arguments.sample_count;
      const unsigned long long end = (slot + 1ull) * arguments.n / arguments.sample_count;
      const unsigned long long position = begin + mixed(slot + arguments.seed) % (end - begin);  //~ sampled-position
      order = order_of(arguments.keys[position], mask_of(arguments));
    }
    arguments.samples[slot] = order;
  }

  // Writes the splitters, and which buckets are of equal keys. One block.
  //
  // A splitter that is the one before it again is increased by the least that makes a difference: from the one before to it, there is a
  // bucket of equal keys. Behind the last bucket splitters have the max order.
  static __device__ __forceinline__ void pick_splitters(const Arguments& arguments) {
    const unsigned int bucket = threadIdx.x;
    if (bucket >= kMaxBuckets) return;
    const Bits max = mask_of(arguments);
    const Bits step = Bits(1) << (max == 0 ? 0 : arguments.begin_bit);
    const auto sample_of = [&](unsigned int other) { return arguments.sorted_samples[arguments.targets[other - 1]]; };
    const auto splitter_of = [&](unsigned int other) {
      if (other == 0) return Bits(0);
      if (other >= arguments.buckets) return ~Bits(0);
      const Bits sample = sample_of(other);
      const Bits before = other == 1 ? Bits(0) : sample_of(other - 1);
      return sample == before && sample < max ? sample + step : sample;  //~ equal-splitters
    };
    const Bits begin = splitter_of(bucket);
    arguments.splitters[bucket] = begin;
    const bool is_last = bucket + 1 == arguments.buckets;
    const bool is_equal = is_last ? begin == max : splitter_of(bucket + 1) - begin <= step;  //~ equal-keys
    if (bucket >= arguments.buckets) arguments.totals[bucket] = 0;
    arguments.totals[kMaxBuckets + bucket] = bucket < arguments.buckets && is_equal;
  }

 private:
  // The bucket of each order, the last one with a splitter that is not above it.
  static __device__ __forceinline__ unsigned int bucket_of(const Bits* splitters, Bits order, unsigned int buckets) {
    unsigned int bucket = 0;
#pragma unroll
    for (unsigned int step = kMaxBuckets / 2; step > 0; step /= 2) {
      if (order >= splitters[bucket + step]) bucket += step;  //~ search
    }
    // The max order is that of the splitters behind the last bucket, too.
    return bucket < buckets ? bucket : buckets - 1;  //~ last-bucket
  }

  // A thread's keys, of neighbouring items of its warp row by row, and their buckets. Items behind the last one are of no bucket.
  template <typename Visit>
  static __device__ __forceinline__ void for_each_key(const Arguments& arguments, const Bits* splitters, const Visit& visit) {
    const unsigned long long tile_begin = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
    const unsigned long long left = arguments.n - tile_begin;
    const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
    const unsigned int first = warp_striped<kItemsPerThread>(threadIdx.x, 0);
    const Key* const keys = arguments.keys + tile_begin + first;
    const Bits mask = mask_of(arguments);
    Key loaded[kItemsPerThread] = {};
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      if (first + 32 * item < valid_items) loaded[item] = keys[32 * item];  //~ valid-items
    }
#pragma unroll
    for (int item = 0; item < kItemsPerThread; ++item) {
      visit(item, loaded[item], bucket_of(splitters, order_of(loaded[item], mask), arguments.buckets), first + 32 * item < valid_items);
    }
  }
