  // Puts the lesser of two of a lane's items in the first place.
{%- if is_one_register %}
  static __device__ __forceinline__ void order(Word& first, Word& second) {
    const unsigned int lesser = min(first.part[0], second.part[0]);
    second.part[0] = max(first.part[0], second.part[0]);
    first.part[0] = lesser;
  }
{%- endif %}
{%- if !is_one_register || reads_values %}
  template <typename T>
  static __device__ __forceinline__ void order(T& first, T& second) {
    const bool is_wrong = is_less<kWordParts>(second, first);
    const T lesser = either(is_wrong, second, first);
    second = either(is_wrong, first, second);
    first = lesser;
  }
{%- endif %}

  // Sorts a lane's items: {{ sorter_comparators }} comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[kItemsPerThread]) {
{%- if sorter.is_empty() %}
    static_cast<void>(items);
{%- endif %}
{%- for line in sorter %}
    {{ line }}
{%- endfor %}
  }

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: {{ merger_comparators }} comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[kItemsPerThread]) {
{%- if merger.is_empty() %}
    static_cast<void>(items);
{%- endif %}
{%- for line in merger %}
    {{ line }}
{%- endfor %}
  }
{%- if exchanges_halves %}

  // A lane's registers i and kItemsPerThread - 1 - i are a pair, which is compared in one lane alone. Then the lanes whose
  // number has the bit keep the greater item and send the lesser one to the lane across, the others the other way round: so
  // one shuffle brings the next two to compare together.
  template <typename T>
  __device__ __forceinline__ void order_and_exchange(T (&items)[kItemsPerThread], int bit) const {
    const bool keeps_greater = (lane_ & bit) != 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread / 2; ++i) {
      T& own = items[i];
      T& other = items[kItemsPerThread - 1 - i];
      const bool keeps_other = is_less<kWordParts>(other, own) != keeps_greater;
      const T sent = either(keeps_other, own, other);
      own = either(keeps_other, other, own);
      other = across(sent, bit);
    }
  }

  // Merges sorted runs of half as many lanes, two by two, to runs of so many. Lanes l and ~l first compare items in mirrored
  // order, and what is left are bitonic halves; these halve themselves until each is one lane's.
  //
  // What is compared last stays in the lane's registers, and what was before goes to another lane. So runs do not lie lane by
  // lane: the k-th lane of a run of R lanes is the one whose number has the bits of k in reverse at the upper end, and only in
  // the last merge, of all lanes, does that come to k itself.
  template <typename T>
  __device__ __forceinline__ void merge_lanes(T (&items)[kItemsPerThread], int lanes) const {
#pragma unroll
    for (int i = kItemsPerThread / 2; i < kItemsPerThread; ++i) {
      items[i] = across(items[i], kLanes - kLanes / lanes);
    }
#pragma unroll
    for (int bit = kLanes / 2; bit >= kLanes / lanes; bit /= 2) order_and_exchange(items, bit);
    merge_in_lane(items);
  }
{%- else %}

  // The lesser of two items, or the greater: the own one or that of another lane, which keeps the other.
  template <typename T>
  static __device__ __forceinline__ void keep(T& own, const T& other, bool greater) {
    own = either(is_less<kWordParts>(other, own) != greater, other, own);
  }

  // Merges sorted runs of half as many lanes, two by two, to runs of so many. Lanes l and ~l first compare items in mirrored
  // order, and what is left are bitonic halves; these halve themselves until each is one lane's.
  template <typename T>
  __device__ __forceinline__ void merge_lanes(T (&items)[kItemsPerThread], int lanes) const {
    const bool is_upper = (lane_ & (lanes / 2)) != 0;
#pragma unroll
    for (int i = 0; i <= kItemsPerThread / 2; ++i) {
      const int mirrored = kItemsPerThread - 1 - i;
      const T lower = across(items[mirrored], lanes - 1);
      if (i != mirrored) keep(items[mirrored], across(items[i], lanes - 1), is_upper);
      keep(items[i], lower, is_upper);
    }
#pragma unroll
    for (int bit = lanes / 4; bit > 0; bit /= 2) {
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
    for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(items, lanes);
  }
