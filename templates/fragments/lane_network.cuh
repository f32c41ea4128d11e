  // Puts the smaller of two of a lane's items in the first place.
{%- if words.are_packed_pairs %} Of two in each word.
  static __device__ __forceinline__ void order(Word& first, Word& second) {
    const unsigned int smaller = packed_min(first.part[0], second.part[0]);
    second.part[0] = packed_max(first.part[0], second.part[0]);
    first.part[0] = smaller;
  }
{%- else if is_one_register %}
  static __device__ __forceinline__ void order(Word& first, Word& second) {
    const unsigned int smaller = min(first.part[0], second.part[0]);
    second.part[0] = max(first.part[0], second.part[0]);
    first.part[0] = smaller;
  }
{%- endif %}
{%- if !is_one_register || reads_values %}
  template <typename T>
  static __device__ __forceinline__ void order(T& first, T& second) {
    const bool is_wrong = is_less<{{ words.compared_parts }}>(second, first);
    const T smaller = either(is_wrong, second, first);
    second = either(is_wrong, first, second);
    first = smaller;
  }
{%- endif %}

  // Sorts a lane's items: {{ sorter_comparators }} comparators.
  template <typename T>
  static __device__ __forceinline__ void sort_in_lane(T (&items)[{{ words.per_thread }}]) {
{%- if sorter.is_empty() %}
    static_cast<void>(items);
{%- endif %}
{%- for line in sorter %}
    {{ line }}{% if loop.first %}  //~ sorting-network{% endif %}
{%- endfor %}
  }
{%- if has_merger %}

  // Sorts a lane's items if they are bitonic, rising and then falling or so in a circle: {{ merger_comparators }} comparators.
  template <typename T>
  static __device__ __forceinline__ void merge_in_lane(T (&items)[{{ words.per_thread }}]) {
{%- if merger.is_empty() %}
    static_cast<void>(items);
{%- endif %}
{%- for line in merger %}
    {{ line }}{% if loop.first %}  //~ merging-network{% endif %}
{%- endfor %}
  }
{%- endif %}
