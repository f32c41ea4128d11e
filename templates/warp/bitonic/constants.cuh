  // Which lane of the logical warp holds which position of the tile. Lane l's item i is at
  //   kBlocked: l * kItemsPerThread + i
  //   kStriped: i * kLanes + l
  enum class Arrangement { kBlocked, kStriped };

  // Lanes of a logical warp: threads of a block from a multiple of kLanes on. The block may have any shape and any number
  // of them.
  static constexpr int kLanes = {{ lanes }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kLanes * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr bool kStable = {{ stable }};
  static constexpr bool kDescending = {{ key.descending }};
  static constexpr bool kHasValues = {{ value.exists }};
  static constexpr bool kIndexValues = {{ value.is_position }};
  static constexpr Arrangement kInput = Arrangement::{{ input }};
  static constexpr Arrangement kOutput = Arrangement::{{ output }};
  // The tile kernel's block, its tiles, and its dynamic shared memory.
  static constexpr int kBlockThreads = {{ tile_threads }};
  static constexpr int kTilesPerBlock = kBlockThreads / kLanes;
  static constexpr int kRowsPerWarp = 32 / kLanes;
  static constexpr unsigned int kSharedBytes = 0;
