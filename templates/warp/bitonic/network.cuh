{% include "fragments/lane_network.cuh" %}
{%- if exchanges_halves %}

{% include "fragments/exchange_halves.cuh" %}
{%- else %}

  // The smaller of two items, or the greater: the own one or that of another lane, which keeps the other.
  template <typename T>
  static __device__ __forceinline__ void keep(T& own, const T& other, bool greater) {
    own = either(is_less<kCompositeLimbs>(other, own) != greater, other, own);
  }

  // Merges sorted runs of half as many lanes, two by two, to runs of `lanes` lanes. Lanes l and ~l first compare items in mirrored
  // order, and what is left are bitonic halves; these halve themselves until each is one lane's.
  template <typename T>
  __device__ __forceinline__ void merge_lanes(T (&items)[kItemsPerThread], int lanes) const {
    const bool is_upper = (lane_ & (lanes / 2)) != 0;
#pragma unroll
    for (int i = 0; i <= kItemsPerThread / 2; ++i) {
      const int mirrored = kItemsPerThread - 1 - i;  //~ mirrored-item
      const T lower = across(items[mirrored], lanes - 1);
      if (i != mirrored) keep(items[mirrored], across(items[i], lanes - 1), is_upper);
      keep(items[i], lower, is_upper);
    }
#pragma unroll
    for (int bit = lanes / 4; bit > 0; bit /= 2) {  //~ steps-of-items
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) keep(items[i], across(items[i], bit), (lane_ & bit) != 0);
    }
    merge_in_lane(items);
  }
{%- endif %}

  // Sorts the tile, in whatever arrangement it is: it comes out blocked.
  template <typename T>
  __device__ __forceinline__ void sort_items(T (&items)[kItemsPerThread]) const {
    sort_in_lane(items);
#pragma unroll
    for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(items, lanes);  //~ merges-by-shuffles
  }
