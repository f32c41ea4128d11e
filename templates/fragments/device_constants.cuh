  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
