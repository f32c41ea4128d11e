  // A tile's descriptor of a digit:
  //
  //   | state: 2 bits | prefix: all other bits |
  //
  // The prefix is partial, of the tile's own items, or inclusive, of those of all tiles up to it. Passes use the same descriptors
  // without clearing them: the state of inclusive prefixes alternates, so what the last pass has left counts as not yet written.
  struct Descriptor {
    static constexpr int kStateShift = 8 * sizeof(Count) - 2;
    static constexpr Count kPrefixMask = (Count(1) << kStateShift) - 1;
    static constexpr Count kPartial = Count(3) << kStateShift;
    Count bits;

    static __device__ __forceinline__ Count inclusive_state(int epoch) { return Count(epoch % 2 + 1) << kStateShift; }  //~ alternating-states
    static __device__ __forceinline__ Descriptor pack(Count state, Count prefix) { return {state | prefix}; }
    __device__ __forceinline__ Count state() const { return bits & ~kPrefixMask; }
    __device__ __forceinline__ Count prefix() const { return bits & kPrefixMask; }
  };

  // The descriptor of the thread's digit.
  static __device__ __forceinline__ Descriptor* descriptor_of(const Arguments& arguments, unsigned int tile) {
    Descriptor* const descriptors = reinterpret_cast<Descriptor*>(arguments.workspace + sizeof(Control));
    return descriptors + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
  }

  // Publishes the partial prefix of the thread's digit, which is the inclusive one of the first tile.
  static __device__ __forceinline__ void publish_count(const Arguments& arguments, unsigned int tile, unsigned int count, int epoch) {
    const Count state = tile == 0 ? Descriptor::inclusive_state(epoch) : Descriptor::kPartial;  //~ first-tile
    publish(&descriptor_of(arguments, tile)->bits, Descriptor::pack(state, count).bits);
  }

  // Decoupled look-back: the number of items of the thread's digit in the tiles before this one, from their descriptors. Publishes
  // the inclusive prefix of this one. A tile before it without a written descriptor is being worked on, so waiting ends.
  static __device__ __forceinline__ Count sum_of_tiles_before(const Arguments& arguments, unsigned int tile, unsigned int count,
                                                              int epoch) {
    if (tile == 0) return 0;
    // The number of descriptors that are polled at once, which takes the time of one.
    constexpr unsigned int kPolled = 8;
    const Count inclusive = Descriptor::inclusive_state(epoch);
    Descriptor* const own = descriptor_of(arguments, tile);
    const Descriptor* next = own - kBins;  //~ previous-tile
    unsigned int left = tile;
    Count sum = 0;
    for (bool is_done = false; !is_done;) {
      Descriptor answers[kPolled];
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) answers[k] = {k < left ? poll(&(next - k * kBins)->bits) : 0};
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) {
        const Count state = answers[k].state();
        if (is_done || (state != Descriptor::kPartial && state != inclusive)) break;  //~ known-state
        sum += answers[k].prefix();
        next -= kBins;  //~ next-tile-back
        --left;
        is_done = state == inclusive;
      }
    }
    publish(&own->bits, Descriptor::pack(inclusive, sum + count).bits);  //~ inclusive-prefix
    return sum;
  }
