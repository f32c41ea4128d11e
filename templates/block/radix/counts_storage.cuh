  static constexpr unsigned int kBins = 1 << kRadixBits;

  struct RankStorage {
    // Of each key: how many there are, then the position in the tile of the first of them.
    unsigned int counts[kBins];
    typename BlockScan::Storage scan;
  };
