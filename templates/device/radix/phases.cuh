  // Whether the first phase sorts by upper digits, and whether the second one has to sort all items{% if sorts_msd_buckets %}, or those of overflowing buckets{% endif %}.
  static __device__ __forceinline__ bool sorts_upper_digits([[maybe_unused]] const Control& control) {
{%- if sorts_upper_digits %}
    return control.sorts_upper_digits;
{%- else %}
    return false;
{%- endif %}
  }

  static __device__ __forceinline__ bool needs_all([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const Control& control) {
{%- if fixes_up_ties %}
    return control.needs_all;
{%- else if sorts_msd_buckets %}
    return overflowing_items(control) > overflow_room(arguments);
{%- else %}
    return false;
{%- endif %}
  }
{%- if sorts_msd_buckets %}

  static __device__ __forceinline__ bool sorts_overflow(const Arguments& arguments, const Control& control) {
    return overflowing_items(control) > 0 && !needs_all(arguments, control);  //~ sorts-overflow
  }
{%- endif %}

  // Whether the linear map has buckets.
  static __device__ __forceinline__ bool is_mapped([[maybe_unused]] const Control& control) {
{%- if maps_values %}
    return control.linear_map.buckets != 0;
{%- else %}
    return false;
{%- endif %}
  }

  // The upper bits that are left out as all keys share them.
  static __device__ __forceinline__ int shared_bit_count([[maybe_unused]] const Control& control) {
    return {% if sorts_msd_buckets && !maps_values %}control.shared_bits.count{% else %}0{% endif %};
  }

  // Whether digits other than the keys' own are counted, or sorted by, too.
  static __device__ __forceinline__ bool has_other_digits(const Control& control) {
    return is_mapped(control) || shared_bit_count(control) != 0;
  }

  // Whether the first phase leaves items side by side, in the scratch arrays, and not what it sorts in the arrays of the
  // result. In place it has to: the first pass cannot write what it reads.
  static __device__ __forceinline__ bool leaves_items([[maybe_unused]] const Arguments& arguments) {
{%- if sorts_msd_buckets && interleaves %}
    return arguments.interleaves && arguments.keys_in != arguments.keys_out;
{%- else %}
    return false;
{%- endif %}
  }
{%- if sorts_msd_buckets && interleaves %}

  static __device__ __forceinline__ const Item* remaining_items(const Arguments& arguments) {
    return reinterpret_cast<const Item*>(arguments.keys_alternate);
  }
{%- endif %}
