  // Merges sorted runs of half as many threads, two by two, from shared memory. Each thread makes kItemsPerThread items of the
  // merged run.
  template <unsigned int kThreads>
  __device__ __forceinline__ void merge_runs(CompositeKey (&composites)[kItemsPerThread]) const {
    constexpr unsigned int kHalf = kThreads / 2 * kItemsPerThread;
    const unsigned int start = thread_ / kThreads * (2 * kHalf);
    const unsigned int middle = in_tile<2 * kHalf>(start + kHalf);
    const unsigned int end = in_tile<2 * kHalf>(start + 2 * kHalf);
    const unsigned int before = thread_ % kThreads * kItemsPerThread;
    const unsigned int of_first = items_of_first_run(middle - start, end - middle, before, [&](unsigned int i, unsigned int j) {
      return !is_less<kCompositeLimbs>(composite_at(Slots::of(middle + j)), composite_at(Slots::of(start + i)));
    });
    unsigned int first = start + of_first;
    unsigned int second = middle + before - of_first;
    CompositeKey of_one = composite_below(first, middle);
    CompositeKey of_other = composite_below(second, end);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool takes_other = is_less<kCompositeLimbs>(of_other, of_one);  //~ smaller-head
      composites[i] = either(takes_other, of_other, of_one);
      if (i == kItemsPerThread - 1) break;
      first += takes_other ? 0 : 1;  //~ next-of-first-run
      second += takes_other ? 1 : 0;  //~ next-of-second-run
      const CompositeKey next = composite_below(takes_other ? second : first, takes_other ? end : middle);  //~ end-of-a-run
      of_one = either(takes_other, of_one, next);
      of_other = either(takes_other, next, of_other);
    }
  }

  // The item at a position of a run that ends at `end`. Behind it are items that are greater than all others, or equal to them in
  // all bits.
  __device__ __forceinline__ CompositeKey composite_below(unsigned int position, unsigned int end) const {
    if (position < end) return composite_at(Slots::of(position));
    CompositeKey maximum;
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) maximum.limb[limb] = ~0u;  //~ maximum-of-a-run
    return maximum;
  }

  // The last runs may end with the tile.
  template <unsigned int kRun>
  static __device__ __forceinline__ unsigned int in_tile(unsigned int position) {
    return kTileItems % kRun != 0 && position > kTileItems ? kTileItems : position;  //~ end-of-tile
  }
