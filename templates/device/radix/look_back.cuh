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
    static __device__ __forceinline__ Count pack(Count state, Count prefix) { return state | prefix; }
    __device__ __forceinline__ Count state() const { return bits & ~kPrefixMask; }
    __device__ __forceinline__ Count prefix() const { return bits & kPrefixMask; }
  };

  static __device__ __forceinline__ Count* descriptors_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + sizeof(Control));
  }

  // Publishes the partial prefix of the thread's digit, which is the inclusive one of the first tile.
  static __device__ __forceinline__ void publish_count(const Arguments& arguments, unsigned int tile, unsigned int count, int epoch) {
    Count* const descriptor = descriptors_of(arguments) + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
    publish(descriptor, Descriptor::pack(tile == 0 ? Descriptor::inclusive_state(epoch) : Descriptor::kPartial, count));  //~ first-tile
  }

  // Decoupled look-back: the number of items of the thread's digit in the tiles before this one, from their descriptors. Publishes
  // the inclusive prefix of this one. A tile before it without a written descriptor is being worked on, so waiting ends.
  static __device__ __forceinline__ Count sum_of_tiles_before(const Arguments& arguments, unsigned int tile, unsigned int count,
                                                              int epoch) {
    if (tile == 0) return 0;
    // The number of descriptors that are polled at once, which takes the time of one.
    constexpr unsigned int kPolled = 8;
    const Count inclusive = Descriptor::inclusive_state(epoch);
    Count* const own = descriptors_of(arguments) + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
    const Count* next = own - kBins;  //~ previous-tile
    unsigned int left = tile;
    Count sum = 0;
    for (bool is_done = false; !is_done;) {
      Count answers[kPolled];
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) answers[k] = k < left ? poll(next - k * kBins) : 0;
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) {
        const Descriptor descriptor{answers[k]};
        const Count state = descriptor.state();
        if (is_done || (state != Descriptor::kPartial && state != inclusive)) break;  //~ known-state
        sum += descriptor.prefix();
        next -= kBins;  //~ next-tile-back
        --left;
        is_done = state == inclusive;
      }
    }
    publish(own, Descriptor::pack(inclusive, sum + count));  //~ inclusive-prefix
    return sum;
  }
