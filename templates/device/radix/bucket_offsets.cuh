 public:
  // After a first phase: finds the offset of each bucket.
  static __device__ __forceinline__ void find_bucket_offsets(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    const unsigned int buckets = bucket_count(arguments, control);
    const unsigned int stride = gridDim.x * blockDim.x;
    for (unsigned int bucket = blockIdx.x * blockDim.x + threadIdx.x; bucket <= buckets; bucket += stride) {
      bucket_offsets_of(arguments)[bucket] = bucket < buckets ? offset_of_bucket(arguments, control, bucket) : static_cast<Count>(arguments.n);
    }
  }

 private:
  // The most buckets for n items, a power of two: with more of them they would be too small to be worth it.
  static __host__ __device__ constexpr unsigned int max_msd_buckets(unsigned long long n) {
    unsigned int buckets = {{ min_upper_digits }} * kBins;
    while (buckets < {{ max_buckets }} && static_cast<unsigned long long>(buckets) * {{ min_bucket_items }} < n) buckets *= 2;
    return buckets;
  }

  // The bucket of a key: the bits from upper_bit up{% if maps_values %}, or what the linear map gives{% endif %}.
  static __device__ __forceinline__ unsigned int bucket_of(const Arguments& arguments, const Control& control, Key key) {
{%- if maps_values %}
    if (is_mapped(control)) return control.linear_map.bucket_of(key);
{%- endif %}
    return range_of(arguments, key, control.upper_bit);
  }

  static __device__ __forceinline__ unsigned int bucket_count(const Arguments& arguments, const Control& control) {
{%- if maps_values %}
    if (is_mapped(control)) return control.linear_map.buckets;
{%- endif %}
    return 1u << (arguments.end_bit - control.upper_bit);
  }

  // The offset of each bucket's first item, and n: the last thing in the workspace.
  static __device__ __forceinline__ Count* bucket_offsets_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + zeroed_bytes(arguments.n));
  }

  // A key that the first phase left.
  static __device__ __forceinline__ Key remaining_key(const Arguments& arguments, Count offset) {
{%- if interleaves %}
    if (leaves_items(arguments)) return bits_as<Key>(remaining_items(arguments)[offset].key);
{%- endif %}
    return arguments.keys_out[offset];
  }

  // The offset of the first item that is in this bucket or a later one.
  static __device__ __forceinline__ Count offset_of_bucket(const Arguments& arguments, const Control& control, unsigned int bucket) {
    // The offsets of the uppermost digit are known.
    int top = pass_count(arguments.begin_bit, arguments.end_bit) - 1;
    int bit = digit_of_pass(arguments, top).bit - control.upper_bit;
    if (is_mapped(control)) {
      top = kCountedDigits - 1;  //~ bucket-pass
      bit = kRadixBits;
    }
    const unsigned int digit = bucket >> bit;
    Count from = control.bins[top][digit];
    Count to = digit + 1 < kBins ? control.bins[top][digit + 1] : static_cast<Count>(arguments.n);  //~ end-of-search
    while (from < to) {
      const Count middle = from + (to - from) / 2;
      if (bucket_of(arguments, control, remaining_key(arguments, middle)) < bucket) {  //~ bucket-search
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
