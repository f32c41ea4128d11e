  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr unsigned int kBins = 1 << kRadixBits;
{%- if radix.scan_groups > 1 %}
  // A histogram's bins, and a gap so that threads which scan a bin of several histograms do not meet in a bank.
{%- endif %}
  static constexpr unsigned int kHistogramWords = {{ radix.histogram_words }};

  struct RankStorage {
    // Of each warp: first how many of its items fall in a bin, then the position in the tile at which they start.
    unsigned int histograms[kWarps][kHistogramWords];
{%- if radix.uses_masks %}
    // Of each warp: the lanes with an item of the current row in a bin; zero between rows.
    unsigned int masks[kWarps][kBins];
{%- endif %}
    typename BlockScan::Storage scan;
  };
