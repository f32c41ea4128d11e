  // Puts the smaller of two of a lane's items in the first slot.
{%- if composites.are_packed_pairs %} Of two in each composite key.
  static __device__ __forceinline__ void order(CompositeKey& first, CompositeKey& second) {
    const unsigned int smaller = packed_min(first.limb[0], second.limb[0]);
    second.limb[0] = packed_max(first.limb[0], second.limb[0]);
    first.limb[0] = smaller;
  }
{%- else if composites.is_one_register %}
  static __device__ __forceinline__ void order(CompositeKey& first, CompositeKey& second) {
    const unsigned int smaller = min(first.limb[0], second.limb[0]);
    second.limb[0] = max(first.limb[0], second.limb[0]);
    first.limb[0] = smaller;
  }
{%- endif %}
{%- if network.orders_items %}
  template <typename T>
  static __device__ __forceinline__ void order(T& first, T& second) {
    const bool is_wrong = is_less<{{ composites.compared_limbs }}>(second, first);
    const T smaller = either(is_wrong, second, first);
    second = either(is_wrong, first, second);
    first = smaller;
  }
{%- endif %}

  // Sorts a lane's items: {{ network.sorter.count }} comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[{{ composites.per_thread }}]) {
{%- if network.sorter.count == 0 %}
    static_cast<void>(items);
{%- endif %}
{%- for line in network.sorter.lines %}
    {{ line }}{% if loop.first %}  //~ sorting-network{% endif %}
{%- endfor %}
  }
{%- if let Some(merger) = network.merger %}

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: {{ merger.count }} comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[{{ composites.per_thread }}]) {
{%- if merger.count == 0 %}
    static_cast<void>(items);
{%- endif %}
{%- for line in merger.lines %}
    {{ line }}{% if loop.first %}  //~ merging-network{% endif %}
{%- endfor %}
  }
{%- endif %}
