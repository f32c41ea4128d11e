  static __host__ __device__ constexpr unsigned int tile_count(unsigned long long n) {
    return static_cast<unsigned int>((n + kTileItems - 1) / kTileItems);
  }
  // The items that a merge to runs of this length has to do with: all, but for those of a last run that has no upper
  // half.
  static __host__ __device__ constexpr unsigned long long merged_items(unsigned long long n, int run_log2) {
    const unsigned long long rest = n & ((1ull << run_log2) - 1);
    return rest > 1ull << (run_log2 - 1) ? n : n - rest;
  }
  // Launches of _stride in such a merge, whose steps they share as evenly as may be.
  static __host__ __device__ constexpr int turn_count(int run_log2) {
    return (run_log2 - kTileLog2 + kMaxSteps - 1) / kMaxSteps;
  }
  // What one of them is given: 32 times the logarithm of the segment, the distance of its last step; then how many
  // steps it takes, and in the lowest bit whether it is the first of the merge.
  static __host__ __device__ constexpr int turn_of(int run_log2, int number) {
    const int all_steps = run_log2 - kTileLog2;
    const int turns = turn_count(run_log2);
    const int steps = all_steps * (number + 1) / turns - all_steps * number / turns;
    const int segment_log2 = run_log2 - all_steps * (number + 1) / turns;
    return segment_log2 * 32 + steps * 2 + (number == 0 ? 1 : 0);
  }
  // A thread for each column of which there is an item.
  static __host__ __device__ constexpr unsigned int stride_blocks(unsigned long long n, int run_log2, int turn) {
    const unsigned long long items = merged_items(n, run_log2);
    const int segment_log2 = turn / 32;
    const int group_log2 = segment_log2 + turn % 32 / 2;
    const unsigned long long rest = items & ((1ull << group_log2) - 1);
    const unsigned long long segment = 1ull << segment_log2;
    const unsigned long long columns = ((items >> group_log2) << segment_log2) + (rest < segment ? rest : segment);
    return static_cast<unsigned int>((columns + kBlockThreads - 1) / kBlockThreads);
  }
  // Nothing has to be zero when a sort begins.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long{% if keeps_positions %} n{% endif %}) {
    return {% if keeps_positions %}(n * sizeof(unsigned int) + 15) / 16 * 16{% else %}0{% endif %};
  }
