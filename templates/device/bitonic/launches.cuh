  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  // The items that a merge to runs of this length has to do with: all, but for those of a last run that has no upper half.
  static __host__ __device__ constexpr unsigned long long merged_items(unsigned long long n, int run_log2) {
    const unsigned long long rest = n & ((1ull << run_log2) - 1);
    return rest > 1ull << (run_log2 - 1) ? n : n - rest;
  }
  // The steps of a merge that one launch of _stride takes, as the kernel's argument has them:
  //
  //   | segment_log2: 27 bits | count: 4 bits | is_first: 1 bit |
  struct Steps {
    static constexpr int kCountShift = 1;
    static constexpr int kSegmentShift = 5;
    static constexpr int kCountMask = (1 << (kSegmentShift - kCountShift)) - 1;
    int bits;

    static __host__ __device__ constexpr Steps pack(int segment_log2, int count, bool is_first) {
      return {segment_log2 << kSegmentShift | count << kCountShift | (is_first ? 1 : 0)};
    }
    // The distance of the last step, the length of a segment, as a logarithm. After a shift compilers take more registers.
    __host__ __device__ constexpr int segment_log2() const { return bits / (1 << kSegmentShift); }
    __host__ __device__ constexpr int count() const { return bits >> kCountShift & kCountMask; }
    // Whether the merge begins with them: then the first step compares in mirrored order.
    __host__ __device__ constexpr bool is_first() const { return (bits & 1) != 0; }  //~ mirrored-step
  };
  // Launches of _stride in such a merge, which share its steps as evenly as possible.
  static __host__ __device__ constexpr int stride_count(int run_log2) {
    return (run_log2 - kTileLog2 + kMaxSteps - 1) / kMaxSteps;
  }
  // The steps of one of them.
  static __host__ __device__ constexpr Steps steps_of(int run_log2, int number) {
    const int all_steps = run_log2 - kTileLog2;
    const int launches = stride_count(run_log2);
    const int behind = all_steps * (number + 1) / launches;
    return Steps::pack(run_log2 - behind, behind - all_steps * number / launches, number == 0);
  }
  // A thread for each column of which there is an item.
  static __host__ __device__ constexpr unsigned int stride_blocks(unsigned long long n, int run_log2, Steps steps) {
    const unsigned long long items = merged_items(n, run_log2);
    const int group_log2 = steps.segment_log2() + steps.count();
    const unsigned long long rest = items & ((1ull << group_log2) - 1);
    const unsigned long long segment = 1ull << steps.segment_log2();
    const unsigned long long columns = ((items >> group_log2) << steps.segment_log2()) + (rest < segment ? rest : segment);
    return static_cast<unsigned int>((columns + kBlockThreads - 1) / kBlockThreads);
  }
  // Nothing has to be zero when a sort begins.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long{% if keeps_positions %} n{% endif %}) {
    return {% if keeps_positions %}(n * sizeof(unsigned int) + 15) / 16 * 16{% else %}0{% endif %};
  }
