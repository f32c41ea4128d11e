  // A thread's items, one after the other in the order of the range that is sorted.
  template <unsigned int kItems>
  struct Items {
    Bits bits[kItems];
{%- if value.exists %}
    unsigned int sources[kItems];
{%- endif %}
  };
