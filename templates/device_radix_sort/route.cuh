  // The bits of the ordered key that a pass sorts by.
  struct Digit {
    int bit;
    int bits;
  };

  static __device__ __forceinline__ Digit digit_of_pass(const Arguments& arguments, int pass) {
    return {arguments.begin_bit + pass * kRadixBits, digit_bits(arguments, pass)};
  }

  // What a pass sorts by, where it reads and where it writes.
  struct Route {
    Digit digit;
    // The place of each digit's first key.
    const Count* bins;
    // Counts the passes that move anything, from 1 on, over all phases.
    int epoch;
    const Key* keys_from;
    Key* keys_to;
{%- if has_values %}
    const Value* values_from;
    Value* values_to;
{%- endif %}
{%- if makes_positions %}
    // Whether values are made, not read.
    bool makes_values;
{%- endif %}
    bool writes_keys;
{%- if interleaves %}
    // Whether keys and values lie as items in what is read, and in what is written. Where they are to lie in the arrays
    // of the result, these are one store: its first half in the keys', its second in the values', and the last item of
    // an odd number in the workspace.
    bool from_items;
    bool to_items;
    // The first item that lies in the values' array, or n.
    Count split_from;
    Count split_to;
{%- endif %}
  };

  static __device__ __forceinline__ Route route_of(const Arguments& arguments, int pass) {
    const Control& control = control_of(arguments);
{%- if sorts_prefixes %}
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    const int phase = pass >= passes;
    const int ordinal = control.ordinals[pass];
    const int executed = control.executed[phase];
    const bool is_first = ordinal == 1;
    const bool is_last = ordinal == executed;
    // The second phase sorts what the first one left in keys_out.
    const bool in_place = phase == 1 || arguments.keys_in == arguments.keys_out;
    const Key* const keys_in = phase == 1 ? arguments.keys_out : arguments.keys_in;
{%- if has_values %}
    const Value* const values_in = phase == 1 ? arguments.values_out : arguments.values_in;
{%- endif %}
{%- else %}
    const int ordinal = control.ordinals[pass];
    const int executed = control.executed[0];
    const bool is_first = ordinal == 1;
    const bool is_last = ordinal == executed;
    const bool in_place = arguments.keys_in == arguments.keys_out;
    const Key* const keys_in = arguments.keys_in;
{%- if has_values %}
    const Value* const values_in = arguments.values_in;
{%- endif %}
{%- endif %}
    const bool to_scratch = writes_scratch(in_place, ordinal, executed);
    Route route;
{%- if sorts_prefixes %}
    route.digit = digit_of_pass(arguments, phase == 1 ? pass - passes : pass);
    route.bins = control.bins[phase == 1 ? pass - passes : pass];
    route.epoch = phase == 1 ? control.executed[0] + ordinal : ordinal;
{%- else %}
    route.digit = digit_of_pass(arguments, pass);
    route.bins = control.bins[pass];
    route.epoch = ordinal;
{%- endif %}
    route.keys_from = is_first ? keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate;
    route.keys_to = to_scratch ? arguments.keys_alternate : arguments.keys_out;
{%- if has_values %}
    route.values_from = is_first ? values_in : to_scratch ? arguments.values_out : arguments.values_alternate;
    route.values_to = to_scratch ? arguments.values_alternate : arguments.values_out;
{%- endif %}
{%- if makes_positions %}
    route.makes_values = is_first{% if sorts_prefixes %} && phase == 0{% endif %};
{%- endif %}
    route.writes_keys = !is_last || arguments.writes_keys{% if sorts_prefixes %} || (phase == 0 && control.sorts_prefixes){% endif %};
{%- if interleaves %}
    route.from_items = arguments.interleaves && !is_first;
    route.to_items = arguments.interleaves && !is_last;
    route.split_from = to_scratch ? static_cast<Count>(arguments.n / 2) : static_cast<Count>(arguments.n);
    route.split_to = to_scratch ? static_cast<Count>(arguments.n) : static_cast<Count>(arguments.n / 2);
{%- endif %}
    return route;
  }
{%- if interleaves %}

  // The place of an item among those that begin at `first`, with those from `split` on at `second`.
  template <typename ItemOrConst, typename First, typename Second>
  static __device__ __forceinline__ ItemOrConst* place_of_item(const Arguments& arguments, First* first, Second* second,
                                                               Count split, Count index) {
    if (index < split) return reinterpret_cast<ItemOrConst*>(first) + index;
    if (index < 2 * split) return reinterpret_cast<ItemOrConst*>(second) + (index - split);
    return &control_of(arguments).odd_item;
  }

  static __device__ __forceinline__ const Item* item_from(const Arguments& arguments, const Route& route, Count index) {
    return place_of_item<const Item>(arguments, route.keys_from, route.values_from, route.split_from, index);
  }

  static __device__ __forceinline__ Item* item_to(const Arguments& arguments, const Route& route, Count index) {
    return place_of_item<Item>(arguments, route.keys_to, route.values_to, route.split_to, index);
  }
{%- endif %}
