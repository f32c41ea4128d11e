  // Each item's rank by its digit: items of smaller digits, and items of the same digit before it, come first.
  __device__ __forceinline__ void rank_items(const BitsItems& bits, Positions& ranks, int bit, int bit_count) {
    unsigned int (&histogram)[kHistogramWords] = storage_.rank.histograms[warp_of(thread_)];
    count_in_warp(histogram, bits, ranks, bit, bit_count);
    __syncthreads();  //~ counted-in-warps
    scan_histograms();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
      ranks[i] += histogram[digit];
    }
  }

  // Counts the warp's items by digit, row by row, and gives each the number of its digit before it in the warp.
  __device__ __forceinline__ void count_in_warp(unsigned int (&histogram)[kHistogramWords], const BitsItems& bits,
                                                Positions& ranks, int bit, int bit_count) {
    const unsigned int lane = lane_of(thread_);
    const unsigned int lanes_below = (1u << lane) - 1u;  //~ lanes-below
{%- if radix.uses_masks %}
    unsigned int (&masks)[kBins] = storage_.rank.masks[warp_of(thread_)];
{%- endif %}
    for (unsigned int bin = lane; bin < kBins; bin += 32) {
      histogram[bin] = 0;
{%- if radix.uses_masks %}
      masks[bin] = 0;
{%- endif %}
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int digit = digit_of(bits[i], bit, bit_count);
{%- if radix.uses_masks %}
      atomicOr(&masks[digit], 1u << lane);
      __syncwarp();
      const unsigned int same = masks[digit];
{%- else %}
      const unsigned int same = lanes_of_same_digit<kRadixBits>(digit);
{%- endif %}
      const unsigned int before = histogram[digit];
      const unsigned int same_below = same & lanes_below;
      ranks[i] = before + __popc(same_below);
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if (same_below == 0) {
        histogram[digit] = before + __popc(same);
{%- if radix.uses_masks %}
        masks[digit] = 0;
{%- endif %}
      }
      __syncwarp();
    }
  }

  // Makes every warp's count of a bin the position in the tile of the first of those items: behind all items of smaller
  // bins, and behind those of the same bin in the warps below.
  __device__ __forceinline__ void scan_histograms() {
{%- if radix.scan_groups > 1 %}
    // There are {{ radix.scan_groups }} threads for each bin, which have a group of warps each.
    constexpr unsigned int kGroups = {{ radix.scan_groups }};
    constexpr unsigned int kGroupWarps = kWarps / kGroups;
    const unsigned int bin = thread_ / kGroups;
    const unsigned int first_warp = thread_ % kGroups * kGroupWarps;
    unsigned int counts[kGroupWarps] = {};
    unsigned int sum = 0;
    if (bin < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kGroupWarps; ++warp) {
        counts[warp] = storage_.rank.histograms[first_warp + warp][bin];
        sum += counts[warp];
      }
    }
    unsigned int total;
    unsigned int start = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total);
    if (bin < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kGroupWarps; ++warp) {
        storage_.rank.histograms[first_warp + warp][bin] = start;
        start += counts[warp];
      }
    }
  }
{%- else %}
    constexpr int kBinsPerThread = {{ radix.bins_per_thread }};
    unsigned int sum = 0;
#pragma unroll
    for (int b = 0; b < kBinsPerThread; ++b) {
      const unsigned int bin = thread_ * kBinsPerThread + b;
      if (bin < kBins) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) sum += storage_.rank.histograms[warp][bin];  //~ sum-over-warps
      }
    }
    unsigned int total;
    unsigned int start = BlockScan::exclusive_sum(storage_.rank.scan, thread_, sum, total);
#pragma unroll
    for (int b = 0; b < kBinsPerThread; ++b) {
      const unsigned int bin = thread_ * kBinsPerThread + b;
      if (bin < kBins) {
#pragma unroll
        for (unsigned int warp = 0; warp < kWarps; ++warp) {
          const unsigned int count = storage_.rank.histograms[warp][bin];
          storage_.rank.histograms[warp][bin] = start;
          start += count;  //~ start-in-next-warp
        }
      }
    }
  }
{%- endif %}
