  // One exchange of a merge: threads take columns, which are kSegments items of a run that lie kSegment positions apart, to their
  // registers, and put them back in order to where they were. Each run of kSegments segments must be bitonic, and is as many
  // bitonic segments afterwards, none of which has an item that is greater than one of the next.
  //
  // Mirrored, the run is two sorted halves in place of one bitonic run: a column has its upper half's items from the position that
  // mirrors the lower half's, so that its first items meet its last ones.
  //
  // kThreads threads in a row share the columns of their own items.
  template <unsigned int kSegment, unsigned int kSegments, bool kMirrored, unsigned int kThreads>
  __device__ __forceinline__ void merge_columns() {
    constexpr unsigned int kRun = kSegment * kSegments;
    constexpr unsigned int kShared = kThreads * {{ composites.per_thread }};
    constexpr unsigned int kColumns = (kShared + kRun - 1) / kRun * kSegment;
    const unsigned int first = thread_ / kThreads * kShared;  //~ first-item-of-sharing-threads
#pragma unroll 1
    for (unsigned int column = thread_ % kThreads; column < kColumns; column += kThreads) {  //~ columns-of-a-thread
      const unsigned int start = first + column / kSegment * kRun;
      const unsigned int offset = column % kSegment;
      const unsigned int other_offset = kMirrored ? kSegment - 1 - offset : offset;  //~ mirrored-offset
      CompositeKey composites[kSegments];
#pragma unroll
      for (unsigned int s = 0; s < kSegments; ++s) {
        const unsigned int from = start + (s < kSegments / 2 ? offset : other_offset);
        composites[s] = column_composite<kSegment, kRun>(from, s);
      }
      merge_column<kSegments, kMirrored>(composites);
#pragma unroll
      for (unsigned int s = 0; s < kSegments; ++s) {
        const unsigned int from = start + (s < kSegments / 2 ? offset : other_offset);
        put_column_composite<kSegment, kRun>(from, s, composites[s]);
      }
    }
  }

  static __device__ __forceinline__ CompositeKey max_composite() {
    CompositeKey maximum;
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) maximum.limb[limb] = ~0u;  //~ maximum-of-a-run
    return maximum;
  }

  // Behind the tile's end a run goes on with items that are greater than all others: they stay there, and are not kept.
  template <unsigned int kSegment, unsigned int kRun>
  __device__ __forceinline__ CompositeKey column_composite(unsigned int from, unsigned int segments) const {
    if ({{ composites.in_tile }} % kRun != 0 && from + segments * kSegment >= {{ composites.in_tile }}) return max_composite();  //~ read-past-tile
    return composite_at(Slots::of_step<kSegment>(from, segments));
  }

  template <unsigned int kSegment, unsigned int kRun>
  __device__ __forceinline__ void put_column_composite(unsigned int from, unsigned int segments, const CompositeKey& composite) {
    if ({{ composites.in_tile }} % kRun != 0 && from + segments * kSegment >= {{ composites.in_tile }}) return;  //~ write-past-tile
    put_composite(Slots::of_step<kSegment>(from, segments), composite);
  }

  template <unsigned int kSegments, bool kMirrored>
  static __device__ __forceinline__ void merge_column(CompositeKey (&composites)[kSegments]) {
#pragma unroll
    for (unsigned int s = 0; s < kSegments / 2; ++s) {
      order(composites[s], composites[kMirrored ? kSegments - 1 - s : kSegments / 2 + s]);  //~ first-comparators-of-a-column
    }
#pragma unroll
    for (unsigned int distance = kSegments / 4; distance > 0; distance /= 2) {  //~ steps-of-a-column
#pragma unroll
      for (unsigned int s = 0; s < kSegments; ++s) {
        if ((s & distance) == 0) order(composites[s], composites[s + distance]);
      }
    }
  }
