  // A thread where runs have kCount lanes, a power of two:
  //
  //   | run: all other bits | pair of lanes: log2(kCount) - 1 bits | second lane of the pair: 1 bit |
  template <unsigned int kCount>
  struct RunLane {
    unsigned int thread;
    __device__ __forceinline__ unsigned int first_of_run() const { return thread - thread % kCount; }
    __device__ __forceinline__ unsigned int pair() const { return thread % kCount / 2; }
    __device__ __forceinline__ unsigned int is_second() const { return thread % 2; }
  };

  // Merges bitonic runs of kCount lanes, from shared memory, to sorted ones. The exchange that brings the first two items
  // together is the reading itself: a lane's registers i and {{ composites.per_thread }} - 1 - i are one item of two lanes that are half a run
  // apart, of the first half of their items in a pair's first lane and of the second half in its second one.
  template <unsigned int kCount>
  __device__ __forceinline__ void merge_from_shared(CompositeKey (&composites)[{{ composites.per_thread }}]) {
    constexpr unsigned int kHalf = {{ composites.per_thread }} / 2;
    const RunLane<kCount> lane{thread_};
    unsigned int lower = (lane.first_of_run() + lane.pair()) * {{ composites.per_thread }} + lane.is_second() * kHalf;  //~ first-slot-of-a-pair
    unsigned int upper = lower + kCount / 2 * {{ composites.per_thread }};
{%- if merging.swaps_reads %}
    // Which of the two items is in which register makes no difference. Where lanes of one access have several runs they take one
    // half of some and the other half of others, and use all banks.
    constexpr bool kSwaps = kCount < 16 && kCount / 2 * {{ composites.per_thread }} >= kLanes;
    if (kSwaps && (lane_ & 8) != 0) {
      const unsigned int other = lower;
      lower = upper;
      upper = other;  //~ swapped-reads
    }
{%- endif %}
#pragma unroll
{%- if merging.reads_two_words %}
    for (unsigned int i = 0; i < kHalf; i += 2) {
      two_at(Slots::of_run<kHalf>(lower, i), composites[i], composites[i + 1]);
      two_at(Slots::of_run<kHalf>(upper, i), composites[{{ composites.per_thread }} - 1 - i], composites[{{ composites.per_thread }} - 2 - i]);
    }
{%- else %}
    for (unsigned int i = 0; i < kHalf; ++i) {
      composites[i] = composite_at(Slots::of_run<kHalf>(lower, i));
      composites[{{ composites.per_thread }} - 1 - i] = composite_at(Slots::of_run<kHalf>(upper, i));
    }
{%- endif %}
    // The warp's own part of the tile may be written again.
    __syncwarp();
#pragma unroll
    for (int bit = kCount / 2; bit > 0; bit /= 2) order_and_exchange(composites, bit);  //~ steps-of-a-run
    // What was got last is the other half of the lane's items, in reverse. In odd lanes it comes first, which makes no
    // difference to what is bitonic in a circle.
#pragma unroll
    for (unsigned int i = 0; 2 * i + 1 < kHalf; ++i) {
      const CompositeKey composite = composites[kHalf + i];
      composites[kHalf + i] = composites[{{ composites.per_thread }} - 1 - i];
      composites[{{ composites.per_thread }} - 1 - i] = composite;  //~ reversed-half
    }
    merge_in_lane(composites);
  }
