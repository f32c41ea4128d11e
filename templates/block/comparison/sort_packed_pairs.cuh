{% include "block/comparison/sort_composites.cuh" %}

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, unsigned int valid_items) {
    // Items past valid_items have all bits set: should a key have them too, it does not matter which of the two comes out as it.
    Bits bits[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = to_ordered_bits(keys[i]);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) bits[i] = 0xffffu;  //~ valid-items
      }
    }
    CompositeKey composites[kCompositesPerThread];
#pragma unroll
    for (int i = 0; i < kCompositesPerThread; ++i) composites[i] = composite_of(bits[i], bits[kCompositesPerThread + i]);
{%- if orders_zeros %}
    const SignsOfZeros signs = signs_of_zeros<kFrom>(bits);
{%- endif %}
    sort_composites(composites);
    split<kTo>(composites, keys);
{%- if orders_zeros %}
    put_signs<kTo>(keys, signs);
{%- endif %}
  }

  // The keys of the sorted tile: the first half of them is lower in the composite keys, the second half upper.
  template <Arrangement kTo>
  __device__ __forceinline__ void split(const CompositeKey (&composites)[kCompositesPerThread], Keys& keys) {
    run_to_shared(composites);
    __syncthreads();
    if constexpr (kTo == Arrangement::kStriped || (kTo == Arrangement::kWarpStriped && kBlockThreads == kLanes)) {
#pragma unroll
      for (int i = 0; i < kCompositesPerThread; ++i) {
        const PackedPair pair{composite_at(Slots::of_step<kBlockThreads>(thread_, i)).limb[0]};
        keys[i] = to_key(pair.lower());
        keys[kCompositesPerThread + i] = to_key(pair.upper());
      }
    } else {
      // A thread has keys of one half alone.
      const unsigned int first = position<kTo>(0);
      const bool is_upper = first >= kTileComposites;
      const unsigned int from = is_upper ? first - kTileComposites : first;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        const PackedPair pair{composite_at(Slots::of_step<kStride<kTo>>(from, i)).limb[0]};
        keys[i] = to_key(pair.either(is_upper));  //~ unpacked-key
      }
    }
  }
