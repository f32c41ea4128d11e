  struct RankStorage {
    // Of each warp: first how many of its items fall in a bin, then the position in the tile at which they start.
    unsigned int histograms[kWarps][kHistogramWords];
{%- if uses_masks %}
    // Of each warp: the lanes whose item of the current row falls in a bin; zero between rows.
    unsigned int masks[kWarps][kBins];
{%- endif %}
    typename BlockScan::Storage scan;
  };
