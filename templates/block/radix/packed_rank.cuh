  // This thread's counter of a digit.
  __device__ __forceinline__ unsigned short& counter_of(unsigned int digit) {
    const DigitCounter counter{digit};
    return storage_.rank.counters[counter.lane()][thread_][counter.half()];
  }

  // Each item's rank by its digit: items of smaller digits, and items of the same digit before it, come first.
  __device__ __forceinline__ void rank_items(const BitsItems& bits, Positions& ranks, int bit, int bit_count) {
    // A thread's counters are its own until the barrier, and again after the scan.
#pragma unroll
    for (int lane = 0; lane < kSegment; ++lane) storage_.rank.words[lane][thread_] = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {  //~ items-in-order
      unsigned short& counter = counter_of(digit_of(bits[i], bit, bit_count));
      ranks[i] = counter;
      counter = static_cast<unsigned short>(ranks[i] + 1);
    }
    __syncthreads();
    scan_counters();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) ranks[i] += counter_of(digit_of(bits[i], bit, bit_count));
  }

  // Makes every counter the number of items counted before it: in the counters of smaller digits, or of the same digit in
  // the threads below. Both halves of a word are scanned at once; the items of all low halves come before any high half.
  __device__ __forceinline__ void scan_counters() {
    unsigned int (&segment)[kSegment] = storage_.rank.segments[thread_];
    [[maybe_unused]] unsigned int counts[kMemoize ? kSegment : 1];
    [[maybe_unused]] constexpr int kUnrolled = kMemoize ? kSegment : 8;
    unsigned int sum = 0;
#pragma unroll kUnrolled
    for (int word = 0; word < kSegment; ++word) {
      const unsigned int count = segment[word];
      if constexpr (kMemoize) counts[word] = count;
      sum += count;
    }
    CounterPair total;
    unsigned int before = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total.bits);
    before += CounterPair::pack(0, total.half_0()).bits;  //~ upper-counters
#pragma unroll kUnrolled
    for (int word = 0; word < kSegment; ++word) {
      const unsigned int count = kMemoize ? counts[kMemoize ? word : 0] : segment[word];
      segment[word] = before;
      before += count;
    }
  }
