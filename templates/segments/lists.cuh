 public:
  // A segment, clamped to the array, and the offset in it from which on a tile is to be sorted or made.
  struct Tile {
    unsigned long long begin;
    unsigned long long end;
    unsigned long long offset;

    __device__ __forceinline__ unsigned int items() const {
      return end - begin - offset < kTileItems ? static_cast<unsigned int>(end - begin - offset) : kTileItems;  //~ items-of-tile
    }
  };

  // The lengths of the lists, in the order in which these lie behind them.
  enum List { kOfLanes, kOfRanks, kOfWarps, kOfBlocks, kOfLongSegments, kLists };
  // Behind them, the items of the longest segment that is merged.
  static constexpr int kLongest = kLists;
  static constexpr unsigned long long kZeroedBytes = 48;

  // The most that each list can hold where segments do not overlap; segments of which one tile is past it are not sorted.
  static __host__ __device__ constexpr unsigned long long capacity_of(List list, unsigned long long segments, unsigned long long n) {
    return list == kOfLanes    ? (segments < n / 2 ? segments : n / 2)
           : list == kOfRanks  ? (segments < n / kGroupLanes ? segments : n / kGroupLanes)
           : list == kOfWarps  ? (segments < n / kWarpThreads ? segments : n / kWarpThreads)
           : list == kOfBlocks ? n / kWarpItems
                               : 2 * (n / kTileItems);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long segments, unsigned long long n) {
    return kZeroedBytes + sizeof(Tile) * (capacity_of(kOfLanes, segments, n) + capacity_of(kOfRanks, segments, n) +
                                          capacity_of(kOfWarps, segments, n) + capacity_of(kOfBlocks, segments, n) +
                                          capacity_of(kOfLongSegments, segments, n));
  }
  // Rounds of merges of a segment, or of all segments of n items.
  static __host__ __device__ constexpr int rounds_of(unsigned long long items) {
    int rounds = 0;
    for (unsigned long long run = kTileItems; run < items; run *= 2) ++rounds;  //~ rounds-of-segment
    return rounds;
  }

 private:
  struct TileList {
    unsigned long long* length;
    Tile* tiles;
    unsigned long long capacity;

    __device__ __forceinline__ unsigned long long items() const { return *length < capacity ? *length : capacity; }  //~ listed-items
  };

  static __device__ __forceinline__ TileList list_of(const Arguments& arguments, List list) {
    unsigned char* const bytes = static_cast<unsigned char*>(arguments.workspace);
    unsigned long long before = 0;
    for (int other = 0; other < list; ++other) before += capacity_of(static_cast<List>(other), arguments.segments, arguments.n);
    return {reinterpret_cast<unsigned long long*>(bytes) + list, reinterpret_cast<Tile*>(bytes + kZeroedBytes) + before,
            capacity_of(list, arguments.segments, arguments.n)};
  }

  static __device__ __forceinline__ unsigned long long* longest_of(const Arguments& arguments) {
    return static_cast<unsigned long long*>(arguments.workspace) + kLongest;
  }
