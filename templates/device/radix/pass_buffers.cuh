  // The bits of the ordered key that a pass sorts by.
  struct Digit {
    // Whether a tile is looked at for having one digit: sorted keys and those of few values have such.{% if maps_values %} Here that takes more code than it spares time.{% endif %}
    static constexpr bool kMayBeOne = {{ !maps_values }};
    int bit;
    int bits;

    __device__ __forceinline__ unsigned int of(Key key) const { return digit_of(to_ordered_bits(key), bit, bits); }
  };
{%- if maps_values %}

  // One of the digits of a key's bucket by the linear map. It is used only where equal digits are rare, but such keys may be neighbours.
  struct BucketDigit {
    static constexpr bool kMayBeOne = false;
    LinearMap linear_map;
    int bit;

    __device__ __forceinline__ unsigned int of(Key key) const { return linear_map.bucket_of(key) >> bit & (kBins - 1); }
  };
{%- endif %}

  static __device__ __forceinline__ Digit digit_of_pass(const Arguments& arguments, int pass) {
{%- if sorts_msd_buckets && !maps_values %}
    // Behind the keys' own digits are those below shared bits.
    if (pass >= kMaxPasses) {
      const int end = kKeyBits - shared_bit_count(control_of(arguments));
      return {end - (kCountedDigits - pass) * kRadixBits, kRadixBits};  //~ digit-below-shared
    }
{%- endif %}
    return {arguments.begin_bit + pass * kRadixBits, digit_bits(arguments, pass)};
  }

  // The buffers of a pass: where it reads and where it writes.
  struct PassBuffers {
{%- if sorts_msd_buckets %}
    Count items;
{%- endif %}
    // The offset of each digit's first key.
    const Count* bins;
    // Counts the passes that move anything, from 1 on, over all phases.
    int epoch;
    const Key* keys_from;
    Key* keys_to;
{%- if value.exists %}
    const Value* values_from;
    Value* values_to;
{%- endif %}
    // Whether values are made, not read.
    bool makes_values;
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

  // The work of a pass slot.
  struct Pass {
    // Counts the passes of the phase from 1 on; 0 if there is none left.
    int ordinal;
    // Of the keys{% if maps_values %}, or behind all those, of the linear map's buckets{% else if sorts_msd_buckets %}, or behind all those, below shared bits{% endif %}.
    int digit;
    int phase;
  };

  static __device__ __forceinline__ Pass pass_of_slot(const Arguments& arguments, int pass_slot) {
    const Control& control = control_of(arguments);
{%- if sorts_upper_digits %}
    const int first = first_pass_slots(arguments.begin_bit, arguments.end_bit);
    if (control.sorts_upper_digits && pass_slot >= first) {
{%- if sorts_msd_buckets %}
      const bool is_needed = overflowing_items(control) > 0;
{%- else %}
      const bool is_needed = control.needs_all;
{%- endif %}
      if (!is_needed || pass_slot - first >= control.executed[1]) return {0, 0, 1};
      return {pass_slot - first + 1, control.digits[pass_slot - first], 1};
    }
{%- endif %}
    // The first phase is by the upper ones of all digits that differ.
    const bool is_upper = kSortsUpperDigits && sorts_upper_digits(control);
    const int skipped = is_upper ? control.executed[kPhases - 1] - control.executed[0] : 0;
    if (pass_slot >= control.executed[0]) return {0, 0, 0};
    if (is_upper && has_other_digits(control)) return {pass_slot + 1, kMaxPasses + pass_slot, 0};
    return {pass_slot + 1, control.digits[skipped + pass_slot], 0};  //~ pass-of-phase
  }

  static __device__ __forceinline__ PassBuffers buffers_of(const Arguments& arguments, const Pass& pass) {
    const Control& control = control_of(arguments);
    // Before or after the first phase has left items in the scratch arrays: then it goes on as if a pass had.
    const bool leaves = kLeavesItems && sorts_upper_digits(control) && leaves_items(arguments);
    const bool is_first = pass.ordinal == 1 && !(leaves && pass.phase == 1);  //~ first-pass
    const int executed = control.executed[pass.phase];
    // The second phase sorts what the first one left in keys_out.
    const bool in_place = pass.phase == 1 || arguments.keys_in == arguments.keys_out;
    const Key* const keys_in = pass.phase == 1 ? arguments.keys_out : arguments.keys_in;  //~ source-of-phase
{%- if value.exists %}
    const Value* const values_in = pass.phase == 1 ? arguments.values_out : arguments.values_in;
{%- endif %}
    const bool is_last = pass.ordinal == executed;
    const bool to_scratch = leaves ? writes_scratch(true, pass.ordinal + 1, executed) : writes_scratch(in_place, pass.ordinal, executed);  //~ last-of-first-phase
{%- if sorts_msd_buckets %}
    // Items of overflowing buckets stay in the scratch arrays, and passes alternate between the halves of these.
    const bool is_overflow = pass.phase == 1 && sorts_overflow(arguments, control);
    const int half = is_overflow ? pass.ordinal % 2 : 0;  //~ half-of-overflow-pass
    const Count items = is_overflow ? overflowing_items(control) : static_cast<Count>(arguments.n);
{%- else %}
    [[maybe_unused]] constexpr bool is_overflow = false;
    [[maybe_unused]] const Count items = static_cast<Count>(arguments.n);
{%- endif %}
    PassBuffers buffers;
{%- if sorts_msd_buckets %}
    buffers.items = items;
{%- endif %}
    buffers.bins = control.bins[pass.digit];
    buffers.epoch = pass.phase == 1 ? control.executed[0] + pass.ordinal : pass.ordinal;  //~ epoch
    buffers.keys_from = {% if sorts_msd_buckets %}is_overflow ? overflow_keys(arguments, 1 - half) : {% endif %}is_first ? keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate;
    buffers.keys_to = {% if sorts_msd_buckets %}is_overflow ? overflow_keys(arguments, half) : {% endif %}to_scratch ? arguments.keys_alternate : arguments.keys_out;
{%- if value.exists %}
    buffers.values_from = {% if sorts_msd_buckets %}is_overflow ? overflow_values(arguments, 1 - half) : {% endif %}is_first ? values_in : to_scratch ? arguments.values_out : arguments.values_alternate;
    buffers.values_to = {% if sorts_msd_buckets %}is_overflow ? overflow_values(arguments, half) : {% endif %}to_scratch ? arguments.values_alternate : arguments.values_out;
{%- endif %}
    buffers.makes_values = kMakesPositions && is_first && pass.phase == 0;  //~ made-values
    buffers.writes_keys = !is_last || arguments.writes_keys || (kSortsUpperDigits && pass.phase == 0 && sorts_upper_digits(control));  //~ written-keys
{%- if interleaves %}
    buffers.from_items = arguments.interleaves && (!is_first || is_overflow);  //~ from-items
    buffers.to_items = arguments.interleaves && (!is_last || (leaves && pass.phase == 0) || is_overflow);  //~ to-items
    buffers.split_from = to_scratch && !is_overflow ? static_cast<Count>(arguments.n / 2) : items;
    buffers.split_to = to_scratch || is_overflow ? items : static_cast<Count>(arguments.n / 2);
{%- endif %}
    return buffers;
  }

{#- Passes that have one number of items do not read it from the buffers: that makes other machine code of passes over structs. #}
  // How many items the pass sorts.
  static __device__ __forceinline__ Count items_of([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const PassBuffers& buffers) {
    return {% if sorts_msd_buckets %}buffers.items{% else %}static_cast<Count>(arguments.n){% endif %};
  }
{%- if interleaves %}

  // The address of an item among those that begin at `first`, with those from `split` on at `second`.
  template <typename ItemOrConst, typename First, typename Second>
  static __device__ __forceinline__ ItemOrConst* address_of_item(const Arguments& arguments, First* first, Second* second,
                                                                 Count split, Count index) {
    ItemOrConst* const in_first = reinterpret_cast<ItemOrConst*>(first) + index;
    ItemOrConst* const in_second = reinterpret_cast<ItemOrConst*>(second) + (index - split);
    return index < split ? in_first : index < 2 * split ? in_second : &control_of(arguments).odd_item;  //~ odd-item
  }

  static __device__ __forceinline__ const Item* item_from(const Arguments& arguments, const PassBuffers& buffers, Count index) {
    return address_of_item<const Item>(arguments, buffers.keys_from, buffers.values_from, buffers.split_from, index);
  }

  static __device__ __forceinline__ Item* item_to(const Arguments& arguments, const PassBuffers& buffers, Count index) {
    return address_of_item<Item>(arguments, buffers.keys_to, buffers.values_to, buffers.split_to, index);
  }
{%- endif %}
