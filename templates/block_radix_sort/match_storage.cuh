  struct RankStorage {
    // Of each warp: first how many of its items fall in a bin, then how many of the warps below do.
    unsigned int histograms[kWarps][kBins];
{%- if uses_masks %}
    // Of each warp: the lanes whose item of the current row falls in a bin; zero between rows.
    unsigned int masks[kWarps][kBins];
{%- endif %}
    // Where each bin starts in the tile.
    unsigned int bin_starts[kBins];
    typename BlockScan::Storage scan;
  };
