  // After a first phase: finds where parts begin.
  static __device__ __forceinline__ void find_cuts(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Control& control = control_of(arguments);
    if (!control.sorts_prefixes) return;
    const unsigned int parts = part_count(arguments, control);
    const unsigned int stride = gridDim.x * blockDim.x;
    for (unsigned int part = blockIdx.x * blockDim.x + threadIdx.x; part <= parts; part += stride) {
      cuts_of(arguments)[part] = part < parts ? place_of_part(arguments, control, part) : static_cast<Count>(arguments.n);
    }
  }

 private:
  // At most so many parts, a power of two: with more of them they would be too small to be worth it.
  static __host__ __device__ constexpr unsigned int max_parts(unsigned long long n) {
    unsigned int parts = {{ least_upper_digits }} * kBins;
    while (parts < {{ most_parts }} && static_cast<unsigned long long>(parts) * {{ least_part }} < n) parts *= 2;
    return parts;
  }

  // A part has the items that agree in the bits from prefix_bit up{% if spreads %}, or that are spread to the same part{% endif %}.
  static __device__ __forceinline__ unsigned int part_of(const Arguments& arguments, const Control& control, Key key) {
{%- if spreads %}
    if (control.spread.parts != 0) return control.spread.part_of(key);
{%- endif %}
    return range_of(arguments, key, control.prefix_bit);
  }

  static __device__ __forceinline__ unsigned int part_count(const Arguments& arguments, const Control& control) {
{%- if spreads %}
    if (control.spread.parts != 0) return control.spread.parts;
{%- endif %}
    return 1u << (arguments.end_bit - control.prefix_bit);
  }

  // The place of each part's first item, and n: the last thing in the workspace.
  static __device__ __forceinline__ Count* cuts_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + zeroed_bytes(arguments.n));
  }

  // A key that the first phase left.
  static __device__ __forceinline__ Key left_key(const Arguments& arguments, Count place) {
{%- if interleaves %}
    if (leaves_items(arguments)) return bits_as<Key>(left_items(arguments)[place].key);
{%- endif %}
    return arguments.keys_out[place];
  }

  // The place of the first item that is in this part or a later one.
  static __device__ __forceinline__ Count place_of_part(const Arguments& arguments, const Control& control, unsigned int part) {
    // The places of the uppermost digit are known.
    int top = pass_count(arguments.begin_bit, arguments.end_bit) - 1;
    int bit = digit_of_pass(arguments, top).bit - control.prefix_bit;
{%- if spreads %}
    if (control.spread.parts != 0) {
      top = kCountedDigits - 1;  //~ bucket-pass
      bit = kRadixBits;
    }
{%- endif %}
    const unsigned int digit = part >> bit;
    Count from = control.bins[top][digit];
    Count to = digit + 1 < kBins ? control.bins[top][digit + 1] : static_cast<Count>(arguments.n);  //~ end-of-search
    while (from < to) {
      const Count middle = from + (to - from) / 2;
      if (part_of(arguments, control, left_key(arguments, middle)) < part) {  //~ bucket-search
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

 public:
