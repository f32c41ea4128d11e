{% include "fragments/arrangement.cuh" %}

  static constexpr int kBlockX = {{ block.x }};
  static constexpr int kBlockY = {{ block.y }};
  static constexpr int kBlockZ = {{ block.z }};
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr bool kDescending = {{ key.descending }};
  static constexpr bool kHasValues = {{ value.exists }};
  static constexpr bool kIndexValues = {{ value.is_position }};
  static constexpr Arrangement kInput = Arrangement::{{ input }};
  static constexpr Arrangement kOutput = Arrangement::{{ output }};
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = {{ tile.shared_bytes }};
