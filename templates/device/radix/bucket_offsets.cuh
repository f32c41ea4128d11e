 public:
  // After a first phase: finds the offset of each bucket.
  static __device__ __forceinline__ void find_bucket_offsets(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    const unsigned int buckets = bucket_count(arguments, control);
    const unsigned int threads = gridDim.x * blockDim.x;
    // Lanes that search for a bucket together: a power of two, and as many as there are threads for.
    unsigned int lanes = 32;
    while (lanes > 1 && (buckets + 1) * lanes > threads) lanes /= 2;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    // Full warps go on together, the last one past the end.
    for (unsigned int bucket = thread / lanes; __any_sync(~0u, bucket <= buckets); bucket += threads / lanes) {
      const Count offset = offset_of_bucket(arguments, control, bucket < buckets ? bucket : 0, lanes);
      if (bucket > buckets || thread % lanes != 0) continue;
      bucket_offsets_of(arguments)[bucket] = bucket < buckets ? offset : static_cast<Count>(arguments.n);
    }
  }

 private:
  // The most buckets for n items, a power of two: with more of them they would be too small to be worth it.
  static __host__ __device__ constexpr unsigned int max_msd_buckets(unsigned long long n) {
    unsigned int buckets = {{ min_upper_digits }} * kBins;
    while (buckets < {{ max_buckets }} && static_cast<unsigned long long>(buckets) * {{ min_bucket_items }} < n) buckets *= 2;
    return buckets;
  }

  // The bucket of a key: the bits from upper_bit up{% if maps_values %}, or what the linear map gives{% else %}, but for those that all keys share{% endif %}.
  static __device__ __forceinline__ unsigned int bucket_of(const Arguments& arguments, const Control& control, Key key) {
{%- if maps_values %}
    if (is_mapped(control)) return control.linear_map.bucket_of(key);
    return range_of(arguments, key, control.upper_bit);
{%- else %}
    return range_of(arguments, key, control.upper_bit) & (bucket_count(arguments, control) - 1);  //~ bucket-below-shared
{%- endif %}
  }

  static __device__ __forceinline__ unsigned int bucket_count(const Arguments& arguments, const Control& control) {
{%- if maps_values %}
    if (is_mapped(control)) return control.linear_map.buckets;
{%- endif %}
    return 1u << (arguments.end_bit - shared_bit_count(control) - control.upper_bit);
  }

  // The offset of each bucket's first item, and n: the last thing in the workspace.
  static __device__ __forceinline__ Count* bucket_offsets_of(const Arguments& arguments) {
    return reinterpret_cast<Count*>(arguments.workspace + zeroed_bytes(arguments.{{ layout_items }}));
  }

  // A key that the first phase left.
  static __device__ __forceinline__ Key remaining_key(const Arguments& arguments, Count offset) {
{%- if interleaves %}
    if (leaves_items(arguments)) return bits_as<Key>(remaining_items(arguments)[offset].key);
{%- endif %}
    return arguments.keys_out[offset];
  }

  // The offset of the first item that is in this bucket or a later one. As many neighbouring lanes as `lanes` says search together, all
  // lanes of a warp side by side.
  static __device__ __forceinline__ Count offset_of_bucket(const Arguments& arguments, const Control& control, unsigned int bucket,
                                                           unsigned int lanes) {
    // The offsets of the uppermost digit are known.
    int top = pass_count(arguments.begin_bit, arguments.end_bit) - 1;
    int bit = digit_of_pass(arguments, top).bit - control.upper_bit;
{%- if maps_values %}
    if (is_mapped(control)) {
      top = kCountedDigits - 1;  //~ bucket-pass
      bit = kRadixBits;
    }
{%- else %}
    if (shared_bit_count(control) != 0) {
      top = kCountedDigits - 1;  //~ pass-below-shared
      bit = digit_of_pass(arguments, top).bit - control.upper_bit;
    }
{%- endif %}
    const unsigned int digit = bucket >> bit;
    Count from = control.bins[top][digit];
    Count to = digit + 1 < kBins ? control.bins[top][digit + 1] : static_cast<Count>(arguments.n);  //~ end-of-search
    const unsigned int first_lane = lane_of(threadIdx.x) / lanes * lanes;
    const unsigned int own = lane_of(threadIdx.x) - first_lane;
    while (__any_sync(~0u, from < to)) {
      // Each lane looks at the last item of a share but the last share's.
      const Count share = (to - from + lanes) / (lanes + 1);
      const Count last = from + share * (own + 1) - 1;
      const bool is_before = last < to && bucket_of(arguments, control, remaining_key(arguments, last)) < bucket;  //~ bucket-search
      const unsigned int before = __popc(__ballot_sync(~0u, is_before) >> first_lane & ~0u >> (32 - lanes));  //~ lanes-of-search
      from += share * before;
      const Count end = from + share - 1;
      if (before < lanes && end < to) to = end;  //~ end-of-share
    }
    return from;
  }
