  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };
