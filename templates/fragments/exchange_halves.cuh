  // A lane's registers i and {{ composites.per_thread }} - 1 - i are a pair, which is compared in one lane alone. Then the lanes with a
  // number that has the bit keep the greater item and send the smaller one to the lane across, the others the other way round: so
  // one shuffle brings the next two to compare together.
  template <typename T>
  __device__ __forceinline__ void order_and_exchange(T (&items)[{{ composites.per_thread }}], int bit) const {
    const bool keeps_greater = (lane_ & bit) != 0;  //~ half-that-is-kept
#pragma unroll
    for (int i = 0; i < {{ composites.per_thread }} / 2; ++i) {
      T& own = items[i];
      T& other = items[{{ composites.per_thread }} - 1 - i];
{%- if composites.are_packed_pairs %}
      const unsigned int smaller = packed_min(own.limb[0], other.limb[0]);
      const unsigned int greater = packed_max(own.limb[0], other.limb[0]);
      own.limb[0] = keeps_greater ? greater : smaller;
      other.limb[0] = keeps_greater ? smaller : greater;
      other = across(other, bit);
{%- else %}
      const bool keeps_other = is_less<{{ composites.compared_limbs }}>(other, own) != keeps_greater;
      const T sent = either(keeps_other, own, other);
      own = either(keeps_other, other, own);
      other = across(sent, bit);
{%- endif %}
    }
  }

  // Merges sorted runs of half as many lanes, two by two, to runs of `lanes` lanes. Lanes l and ~l first compare items in mirrored
  // order, and what is left are bitonic halves; these halve themselves until each is one lane's.
  //
  // What is compared last stays in the lane's registers, and what was before goes to another lane. So runs do not lie lane by
  // lane: the number of the k-th lane of a run of R lanes has the bits of k in reverse at the upper end, and only in
  // the last merge, of all lanes, does that come to k itself.
  template <typename T>
  __device__ __forceinline__ void merge_lanes(T (&items)[{{ composites.per_thread }}], int lanes) const {
#pragma unroll
    for (int i = {{ composites.per_thread }} / 2; i < {{ composites.per_thread }}; ++i) {
      items[i] = across(items[i], kLanes - kLanes / lanes);  //~ mirrored-lanes
    }
#pragma unroll
    for (int bit = kLanes / 2; bit >= kLanes / lanes; bit /= 2) order_and_exchange(items, bit);  //~ steps-across-lanes
    merge_in_lane(items);
  }
