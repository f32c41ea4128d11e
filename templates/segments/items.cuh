 private:
{%- let sources_are_positions = false %}
{% include "fragments/merged_items.cuh" %}

  // Waits for the threads that sort together: a warp, or the block.
  template <unsigned int kThreads>
  static __device__ __forceinline__ void wait_for_group() {
    if constexpr (kThreads == kWarpThreads) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

{% include "fragments/compared_mask.cuh" %}

  // A stable network of neighbours.
  template <unsigned int kItems>
  static __device__ __forceinline__ void sort_own(Items<kItems>& items, Bits mask) {
#pragma unroll
    for (unsigned int step = 0; step < kItems; ++step) {
#pragma unroll
      for (unsigned int i = step % 2; i + 1 < kItems; i += 2) {
        if (is_less(items.bits[i + 1], items.bits[i], mask)) {  //~ network
          const Bits bits = items.bits[i];
          items.bits[i] = items.bits[i + 1];
          items.bits[i + 1] = bits;
{%- if value.exists %}
          const unsigned int source = items.sources[i];
          items.sources[i] = items.sources[i + 1];
          items.sources[i + 1] = source;
{%- endif %}
        }
      }
    }
  }

{% include "fragments/merge_own.cuh" %}
