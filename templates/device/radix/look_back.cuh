  // A descriptor says of a tile and a digit how many items there are in this tile (kOwn) or in all tiles up to it (kUpTo).
  // Passes use the same descriptors without clearing them: the word for kUpTo alternates, so what the last pass left
  // counts as not yet written.
  static constexpr int kStateShift = 8 * sizeof(Count) - 2;
  static constexpr Count kNumber = (Count(1) << kStateShift) - 1;
  static constexpr Count kOwn = Count(3) << kStateShift;

  static __device__ __forceinline__ Count* descriptors_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + sizeof(Control));
  }

  static __device__ __forceinline__ Count up_to(int epoch) { return Count(epoch % 2 + 1) << kStateShift; }  //~ alternating-states

  static __device__ __forceinline__ void publish_count(const Arguments& arguments, unsigned int tile, unsigned int count, int epoch) {
    Count* const descriptor = descriptors_of(arguments) + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
    publish(descriptor, (tile == 0 ? up_to(epoch) : kOwn) | count);  //~ first-tile
  }

  // How many items of the thread's digit are in the tiles before this one. Tells the tiles behind it, too.
  static __device__ __forceinline__ Count sum_of_tiles_before(const Arguments& arguments, unsigned int tile, unsigned int count,
                                                              int epoch) {
    if (tile == 0) return 0;
    // As many tiles are asked at once: what they answer takes the time of one.
    constexpr unsigned int kAsked = 8;
    const Count last_state = up_to(epoch);
    Count* const own = descriptors_of(arguments) + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
    const Count* next = own - kBins;  //~ previous-tile
    unsigned int left = tile;
    Count sum = 0;
    for (bool is_done = false; !is_done;) {
      Count answers[kAsked];
#pragma unroll
      for (unsigned int k = 0; k < kAsked; ++k) answers[k] = k < left ? poll(next - k * kBins) : 0;
#pragma unroll
      for (unsigned int k = 0; k < kAsked; ++k) {
        const Count state = answers[k] & ~kNumber;
        if (is_done || (state != kOwn && state != last_state)) break;  //~ known-state
        sum += answers[k] & kNumber;
        next -= kBins;  //~ next-tile-back
        --left;
        is_done = state == last_state;
      }
    }
    publish(own, last_state | (sum + count));  //~ inclusive-prefix
    return sum;
  }
