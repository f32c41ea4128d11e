 public:
  // Takes some steps of a merge with comparisons further apart than a tile is long: each thread has a column in
  // registers, which is one item of each of some segments, as merge_columns has it. What is not compared by these steps
  // never meets.
  static __device__ __forceinline__ void merge_far(const Arguments& arguments, Steps steps) {
    const int segment_log2 = steps.segment_log2();
    const bool is_first = steps.is_first();
    wait_for_previous_grid();
    switch (steps.count()) {
{%- for steps in steps %}
      case {{ steps }}: return merge_far_column<{{ steps }}>(arguments, segment_log2, is_first);
{%- endfor %}
      default: return;
    }
  }

 private:
  template <int kSteps>
  static __device__ __forceinline__ void merge_far_column(const Arguments& arguments, int segment_log2, bool is_mirrored) {
    if (is_mirrored) {
      merge_far_column<kSteps, true>(arguments, segment_log2);
    } else {
      merge_far_column<kSteps, false>(arguments, segment_log2);
    }
  }

  template <int kSteps, bool kMirrored>
  static __device__ __forceinline__ void merge_far_column(const Arguments& arguments, int segment_log2) {
    constexpr unsigned int kSegments = 1u << kSteps;
    const unsigned long long column = static_cast<unsigned long long>(blockIdx.x) * kBlockThreads + threadIdx.x;
    const unsigned long long last_of_segment = (1ull << segment_log2) - 1;
    const unsigned long long offset = column & last_of_segment;
    // The first item of the column's segments, and where the upper half has its item.
    const unsigned long long start = (column - offset) << kSteps;  //~ start-of-a-run
    const unsigned long long other_offset = kMirrored ? last_of_segment - offset : offset;
    CompositeKey composites[kSegments];
#pragma unroll
    for (unsigned int s = 0; s < kSegments; ++s) {
      const unsigned long long segment = start + (static_cast<unsigned long long>(s) << segment_log2);
      composites[s] = item_at<false>(arguments, segment + (s < kSegments / 2 ? offset : other_offset));  //~ items-of-a-column
    }
    merge_column<kSegments, kMirrored>(composites);
#pragma unroll
    for (unsigned int s = 0; s < kSegments; ++s) {
      const unsigned long long segment = start + (static_cast<unsigned long long>(s) << segment_log2);
      put_item(arguments, segment + (s < kSegments / 2 ? offset : other_offset), composites[s]);
    }
  }
