  // The position in the tile of the lane's item i.
  template <Arrangement kArrangement>
  __device__ __forceinline__ unsigned int position(unsigned int i) const {
    if constexpr (kArrangement == Arrangement::kBlocked) {
      return lane_ * kItemsPerThread + i;
    } else {
      return i * kLanes + lane_;
    }
  }

  // The number in the warp of the logical warp's first lane.
  static __device__ __forceinline__ unsigned int first_lane() { return lane_of_thread() / kLanes * kLanes; }

  // Item i becomes what item i + distance was, in a circle.
  template <int kBelow, typename T>
  static __device__ __forceinline__ void rotate(T (&items)[kItemsPerThread], unsigned int distance) {
#pragma unroll
    for (int step = 1; step < kBelow; step *= 2) {
      const unsigned int mask = opaque((distance & step) != 0 ? ~0u : 0u);
      T before[kItemsPerThread];
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) before[i] = items[i];
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        items[i] = blended(mask, before[(i + step) % kItemsPerThread], before[i]);
      }
    }
  }

  // The number of lanes that would send to the same one, if none rotated its items.
  static constexpr unsigned int kMeeting = {{ meeting_lanes }};
  static constexpr unsigned int kApart = kLanes / kMeeting;

  // The number of a lane that sends:
  //
  //   | rotation: log2(kMeeting) bits | column: log2(kApart) bits |
  //
  // Lanes of one column would meet, and rotate their items by different distances.
  struct Sender {
    unsigned int lane;
    static __device__ __forceinline__ Sender pack(unsigned int rotation, unsigned int column) { return {rotation * kApart + column}; }
    __device__ __forceinline__ unsigned int rotation() const { return lane / kApart; }
  };

  // From blocked to striped arrangement with one shuffle an item: each lane rotates its items so that those of a round go to
  // different lanes, and then those that it got into their order (Catanzaro, Keller, Garland: A decomposition for in-place
  // matrix transposition, 2014).
  template <typename T>
  __device__ __forceinline__ void blocked_to_striped(T (&items)[kItemsPerThread]) const {
    // The inverse of kItemsPerThread / kMeeting modulo kApart.
    constexpr unsigned int kInverse = {{ inverse }};
    rotate<kMeeting>(items, Sender{lane_}.rotation());  //~ rotation-before
    T got[kItemsPerThread];
#pragma unroll
    for (unsigned int round = 0; round < kItemsPerThread; ++round) {
      const unsigned int rotation = (lane_ - round) % kMeeting;
      const unsigned int item = (round + rotation) % kItemsPerThread;
      const unsigned int column = (lane_ - item) % kLanes / kMeeting * kInverse % kApart;
      got[round] = from_lane(items[round], first_lane() + Sender::pack(rotation, column).lane);  //~ source-lane
    }
    rotate<(kLanes < kItemsPerThread ? kLanes : kItemsPerThread)>(got, lane_ % kItemsPerThread);  //~ rotation-after
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int rotation = i / (kItemsPerThread / kMeeting);
      items[i] = got[(i * kLanes + kItemsPerThread - rotation) % kItemsPerThread];
    }
  }
