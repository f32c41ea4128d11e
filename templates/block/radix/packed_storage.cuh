  // A digit says which of the thread's 16-bit counters is its own:
  //
  //   | half of the word: all other bits | lane: log2(kLanes) bits |
  //
  // The words of one lane lie side by side, thread by thread, so that a warp that counts never meets itself in a bank; read in
  // memory order, lane by lane and thread by thread, their prefix sums are the ranks.
  static constexpr int kLanes = {{ radix.counter_lanes }};
  struct DigitCounter {
    unsigned int digit;
    __device__ __forceinline__ unsigned int lane() const { return digit % kLanes; }
    __device__ __forceinline__ unsigned int half() const { return digit / kLanes; }
  };
  // A word of two counters, or of sums of them:
  //
  //   | half 1: 16 bits | half 0: 16 bits |
  struct CounterPair {
    unsigned int bits;
    static __device__ __forceinline__ CounterPair pack(unsigned int half_0, unsigned int half_1) { return {half_1 << 16 | half_0}; }
    __device__ __forceinline__ unsigned int half_0() const { return bits & 0xffffu; }
  };
  // Each thread scans as many words in a row, an odd number, again for the banks; words past the last lane stay zero.
  static constexpr int kSegment = {{ radix.counter_segment }};
  // Whether a thread keeps them in registers from one sweep of its scan to the next.
  static constexpr bool kMemoize = {{ radix.memoize }};

  struct RankStorage {
    union {
      unsigned short counters[kSegment][kBlockThreads][2];
      unsigned int words[kSegment][kBlockThreads];
      unsigned int segments[kBlockThreads][kSegment];
    };
    typename BlockScan::Storage scan;
  };
