  // More keys with one truncated key are a heavy hitter, which is not put in order key by key.
  static constexpr unsigned int kMaxFixedUp = {{ truncated.max_fixed_up }};

  // The bits of the key at a position of the tile.
  __device__ __forceinline__ Bits bits_at(unsigned int position) const { return compared_bits(storage_.keys[Slots::of(position)]); }

  // Puts the tile where it is looked up by position, and finds the minimum and the maximum of the warp's keys.
  template <Arrangement kFrom>
  __device__ __forceinline__ void put_tile(const Keys& keys{% if value.is_read %}, const Values& values{% endif %}, unsigned int valid_items) {
    Bits min_bits = kAllBits;
    Bits max_bits = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const Bits ordered = to_ordered_bits(keys[i]);
      storage_.keys[Slots::of(position<kFrom>(i))] = ordered;
{%- if value.is_read %}
      storage_.values[Slots::of(position<kFrom>(i))] = limbs_of<1>(values[i]).limb[0];
{%- endif %}
      if (valid_items == kTileItems || position<kFrom>(i) < valid_items) {
        min_bits = min(min_bits, compared_bits(ordered));
        max_bits = max(max_bits, compared_bits(ordered));
      }
    }
    min_bits = min_in_warp(min_bits);
    max_bits = max_in_warp(max_bits);
    if (lane_ == 0) {
      storage_.min_bits[warp_of(thread_)] = min_bits;  //~ minimum-of-a-warp
      storage_.max_bits[warp_of(thread_)] = max_bits;
    }
  }
{%- if key.is_float %}

  // The linear map takes numbers between the tile's first and last one to integers of kMapBits bits: few enough that the last
  // one has no more, even where a quotient is rounded as -use_fast_math does. Differences and products are rounded in order, so
  // the map is monotonic.
  static constexpr int kMapBits = kTruncatedBits < 21 ? kTruncatedBits : 21;  //~ bits-of-a-float

  // The scale of the map; 0 where there are none: for NaNs, infinities, and numbers too far from each other or too close.
  static __device__ __forceinline__ float scale_between(float first, float last) {
    const float span = fabsf(last - first);
    return span > 1e-30f ? static_cast<float>((1u << kMapBits) - 1u) / span : 0.0f;
  }
{%- endif %}

  // The composite keys of items with these truncated keys. Composite keys past the end have all bits set.
  template <Arrangement kFrom>
  __device__ __forceinline__ void make_composites(CompositeKey (&composites)[kItemsPerThread], const unsigned int (&truncated)[kItemsPerThread],
                                             unsigned int valid_items) const {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) composites[i] = composite_of(truncated[i], position<kFrom>(i));
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) composites[i] = composite_of(~0u, position<kFrom>(i));  //~ valid-items
      }
    }
  }

  // Puts keys with one truncated key in order, in shared memory, where the composite keys lie sorted. Each run of them is the business of the thread
  // that has its first item. Whether all the block's keys are in order then: only those of heavy hitters may be out of it.
  __device__ __forceinline__ bool fix_up_runs(const CompositeKey (&composites)[kItemsPerThread], unsigned int valid_items) {
    const unsigned int first = thread_ * kItemsPerThread;
    // What is before the first item, and behind the last one, has a truncated key of its own.
    unsigned int before = first == 0 ? ~truncated_key_of(composites[0]) : truncated_key_of(composite_at(Slots::of(first - 1)));
    const unsigned int behind = first + kItemsPerThread == kTileItems ? ~truncated_key_of(composites[kItemsPerThread - 1])  //~ key-of-the-next-thread
                                                                       : truncated_key_of(composite_at(Slots::of(first + kItemsPerThread)));
    // The items before one with the same truncated key, and the first ones of runs.
    unsigned long long pairs = 0;
    unsigned long long run_heads = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int own = truncated_key_of(composites[i]);
      const unsigned int next = i + 1 < kItemsPerThread ? truncated_key_of(composites[i + 1]) : behind;
      if (own == next && position_of(composites[i]) < valid_items) {
        pairs |= 1ull << i;
        if (own != before) run_heads |= 1ull << i;
      }
      before = own;
    }
    const unsigned int end = pairs >> (kItemsPerThread - 1) ? end_of_run(first + kItemsPerThread) : 0;
    // All have read what is written next.
    if (!__syncthreads_or(pairs != 0)) return true;
    for (; run_heads != 0; run_heads &= run_heads - 1) {
      const unsigned int start = lowest_bit(run_heads);
      const unsigned int last = start + lowest_bit(~(pairs >> start));
      fix_up_run(first + start, last == kItemsPerThread ? end : first + last + 1, valid_items);
    }
    __syncthreads();
    bool is_wrong = false;
    for (; pairs != 0; pairs &= pairs - 1) is_wrong |= is_out_of_order(first + lowest_bit(pairs), valid_items);
    return !__syncthreads_or(is_wrong);
  }

  static __device__ __forceinline__ unsigned int lowest_bit(unsigned long long bits) {
    return static_cast<unsigned int>(__ffsll(static_cast<long long>(bits))) - 1u;
  }

  // Whether an item and the next one, which has the same truncated key, are the wrong way round.
  __device__ __forceinline__ bool is_out_of_order(unsigned int offset, unsigned int valid_items) const {
    const unsigned int own = position_of(composite_at(Slots::of(offset)));
    const unsigned int next = position_of(composite_at(Slots::of(offset + 1)));
    return next < valid_items && bits_at(next) < bits_at(own);  //~ out-of-order
  }

  // Where the run of the item at this offset ends, or more items behind it than are fixed up.
  __device__ __forceinline__ unsigned int end_of_run(unsigned int offset) const {
    const unsigned int truncated = truncated_key_of(composite_at(Slots::of(offset)));
    unsigned int end = offset + 1;
    while (end < kTileItems && end - offset <= kMaxFixedUp && truncated_key_of(composite_at(Slots::of(end))) == truncated) ++end;
    return end;
  }

  // By insertion, unless it is a heavy hitter. Equal keys are in order already: by position.
  __device__ __forceinline__ void fix_up_run(unsigned int first, unsigned int end, unsigned int valid_items) {
    if (end - first > kMaxFixedUp) return;
    for (unsigned int next = first + 1; next < end; ++next) {
      const CompositeKey composite = composite_at(Slots::of(next));
      if (position_of(composite) >= valid_items) return;
      const Bits bits = bits_at(position_of(composite));
      unsigned int to = next;
      for (; to > first; --to) {
        const CompositeKey greater = composite_at(Slots::of(to - 1));
        if (bits_at(position_of(greater)) <= bits) break;  //~ insertion
        put_composite(Slots::of(to), greater);
      }
      put_composite(Slots::of(to), composite);
    }
  }

  // Brings the complete tile to the order of the sorted composite keys, by which positions are counted from then on.
  __device__ __forceinline__ void reorder(const CompositeKey (&composites)[kItemsPerThread]{% if value.is_position %}, bool is_first{% endif %}) {
    Bits keys[kItemsPerThread];
    unsigned int values[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = storage_.keys[Slots::of(position_of(composites[i]))];  //~ gathered-by-position
{%- if value.is_position %}
      values[i] = is_first ? position_of(composites[i]) : storage_.values[Slots::of(position_of(composites[i]))];  //~ gathered-by-position
{%- else %}
      values[i] = storage_.values[Slots::of(position_of(composites[i]))];  //~ gathered-by-position
{%- endif %}
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int at = Slots::of(position<Arrangement::kBlocked>(i));
      storage_.keys[at] = keys[i];
      storage_.values[at] = values[i];  //~ reordered-value
    }
    __syncthreads();
  }

  // What the truncated keys of a pass are: numbers by a linear map, upper bits, and where both leave many ties all bits from the
  // lowest on, as many at a time as a truncated key has.
{%- if key.is_float %}
  static constexpr int kByLinearMap = -2;
{%- endif %}
  static constexpr int kByUpperBits = -1;

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values, unsigned int valid_items) {
    put_tile<kFrom>(keys{% if value.is_read %}, values{% endif %}, valid_items);
    __syncthreads();
    constexpr unsigned int kWarps = kBlockThreads / kLanes;
    const Bits min_bits = min_in_warp(storage_.min_bits[lane_ % kWarps]);
    const Bits max_bits = max_in_warp(storage_.max_bits[lane_ % kWarps]);
    const int width = 32 - __clz(static_cast<int>(max_bits - min_bits));
    const int hidden_bits = width > kTruncatedBits ? width - kTruncatedBits : 0;  //~ truncated-bits
    unsigned int truncated[kItemsPerThread];
{%- if key.is_float %}
    const float scale = scale_between(to_key(min_bits), to_key(max_bits));
    int pass = scale > 0.0f ? kByLinearMap : kByUpperBits;
    if (pass == kByLinearMap) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) truncated[i] = static_cast<unsigned int>(fabsf(keys[i] - to_key(min_bits)) * scale);
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) truncated[i] = (compared_bits(to_ordered_bits(keys[i])) - min_bits) >> hidden_bits;
    }
{%- else %}
    int pass = kByUpperBits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) truncated[i] = (to_ordered_bits(keys[i]) - min_bits) >> hidden_bits;
{%- endif %}
    CompositeKey composites[kItemsPerThread];
    make_composites<kFrom>(composites, truncated, valid_items);
#pragma unroll 1
    while (true) {
      sort_composites(composites{% if merging.merges_by_path %}, end_of_warps<kFrom>(valid_items){% endif %});
      run_to_shared(composites);
      __syncthreads();
      if (pass >= 0) {
        reorder(composites{% if value.is_position %}, pass == 0{% endif %});  //~ positions-of-the-input
      } else if ((pass == kByUpperBits && hidden_bits == 0) || fix_up_runs(composites, valid_items)) {
        break;
      }
      ++pass;
      if (pass * kTruncatedBits >= width) break;  //~ last-digit
      // What is computed from it in this rare case is not kept from before: that would take twice as many registers.
      thread_ = {{ base.version_namespace }}::opaque(thread_);
      const int shift = pass == kByUpperBits ? hidden_bits : pass * kTruncatedBits;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) truncated[i] = (bits_at(position<kFrom>(i)) - min_bits) >> shift;
      make_composites<kFrom>(composites, truncated, valid_items);
    }
    take_tile<kTo>(keys, values, pass >= 0);
  }

  // The sorted items, from where their composite keys say that they are, or from their own offsets where the tile is in order itself.
  template <Arrangement kTo>
  __device__ __forceinline__ void take_tile(Keys& keys, Values& values, bool is_in_order) const {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int own = Slots::of_step<kStride<kTo>>(position<kTo>(0), i);
{%- if value.is_position %}
      const unsigned int source = position_of(composite_at(own));
      const unsigned int at = is_in_order ? own : Slots::of(source);  //~ final-slot
      keys[i] = to_key(storage_.keys[at]);
      values[i] = is_in_order ? storage_.values[at] : source;
{%- else %}
      const unsigned int at = is_in_order ? own : Slots::of(position_of(composite_at(own)));  //~ final-slot
      keys[i] = to_key(storage_.keys[at]);
      values[i] = value_of_limbs<Value>(Limbs<1>{ {storage_.values[at]} });
{%- endif %}
    }
  }
