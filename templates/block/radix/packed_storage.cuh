  // A digit's 16-bit counter is in half `digit / kLanes` of the thread's word `digit % kLanes`. The words of one lane lie
  // side by side, thread by thread, so that a warp that counts never meets itself in a bank; read in memory order, lane by
  // lane and thread by thread, their prefix sums are the ranks.
  static constexpr int kLanes = {{ radix.counter_lanes }};
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
