  // More keys with one prefix are a crowd, which is not put in order key by key.
  static constexpr unsigned int kMostMended = {{ most_mended }};

  // A key's bits as they are compared.
  static __device__ __forceinline__ Bits compared_bits_of(Bits ordered) { return {% if key.is_float %}compared_bits(ordered){% else %}ordered{% endif %}; }

  // Those of the key at a position of the tile.
  __device__ __forceinline__ Bits bits_at(unsigned int position) const { return compared_bits_of(storage_.keys[slot(position)]); }

  // Puts the tile where it is looked up by position, and finds the least and the greatest key of the warp.
  template <Arrangement kFrom>
  __device__ __forceinline__ void put_tile(const Keys& keys{% if reads_values %}, const Values& values{% endif %}, unsigned int valid_items) {
    Bits least = kAllBits;
    Bits greatest = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const Bits ordered = to_ordered_bits(keys[i]);
      storage_.keys[slot(position<kFrom>(i))] = ordered;
{%- if reads_values %}
      storage_.values[slot(position<kFrom>(i))] = {% if value_bytes < 4 %}values[i]{% else %}bits_as<unsigned int>(values[i]){% endif %};
{%- endif %}
      if (valid_items == kTileItems || position<kFrom>(i) < valid_items) {
        least = min(least, compared_bits_of(ordered));
        greatest = max(greatest, compared_bits_of(ordered));
      }
    }
    least = least_in_warp(least);
    greatest = greatest_in_warp(greatest);
    if (lane_ == 0) {
      storage_.least[thread_ / kLanes] = least;  //~ minimum-of-a-warp
      storage_.greatest[thread_ / kLanes] = greatest;
    }
  }
{%- if key.is_float %}

  // Numbers have places between the tile's first one and its last one, in whole numbers of so many bits: few enough that the last
  // place has no more, even where a quotient is rounded as -use_fast_math does. Differences and products are rounded in order, so
  // places are in order too.
  static constexpr int kPlaceBits = kPrefixBits < 21 ? kPrefixBits : 21;  //~ bits-of-a-float

  // From a difference to a place; 0 where there are none: for NaNs, infinities, and numbers too far from each other or too close.
  static __device__ __forceinline__ float scale_between(float first, float last) {
    const float span = fabsf(last - first);
    return span > 1e-30f ? static_cast<float>((1u << kPlaceBits) - 1u) / span : 0.0f;
  }
{%- endif %}

  // The words of items with these prefixes. Those past the end have all bits set.
  template <Arrangement kFrom>
  __device__ __forceinline__ void make_words(Word (&words)[kItemsPerThread], const unsigned int (&prefixes)[kItemsPerThread],
                                             unsigned int valid_items) const {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) words[i] = word_of(prefixes[i], position<kFrom>(i));
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) words[i] = word_of(~0u, position<kFrom>(i));  //~ valid-items
      }
    }
  }

  // Puts keys with one prefix in order, in shared memory, where the words lie sorted. Each run of them is the business of the thread
  // that has its first item. Whether all the block's keys are in order then: only those of crowds may be out of it.
  __device__ __forceinline__ bool mend_runs(const Word (&words)[kItemsPerThread], unsigned int valid_items) {
    const unsigned int first = thread_ * kItemsPerThread;
    // What is before the first item, and behind the last one, has a prefix of its own.
    unsigned int before = first == 0 ? ~prefix_of(words[0]) : prefix_of(word_at(slot(first - 1)));
    const unsigned int behind = first + kItemsPerThread == kTileItems ? ~prefix_of(words[kItemsPerThread - 1])  //~ key-of-the-next-thread
                                                                       : prefix_of(word_at(slot(first + kItemsPerThread)));
    // The items whose next one has the same prefix, and the first ones of runs.
    unsigned long long pairs = 0;
    unsigned long long starts = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int own = prefix_of(words[i]);
      const unsigned int next = i + 1 < kItemsPerThread ? prefix_of(words[i + 1]) : behind;
      if (own == next && position_of(words[i]) < valid_items) {
        pairs |= 1ull << i;
        if (own != before) starts |= 1ull << i;
      }
      before = own;
    }
    const unsigned int end = pairs >> (kItemsPerThread - 1) ? end_of_run(first + kItemsPerThread) : 0;
    // All have read what is written next.
    if (!__syncthreads_or(pairs != 0)) return true;
    for (; starts != 0; starts &= starts - 1) {
      const unsigned int start = lowest_bit(starts);
      const unsigned int last = start + lowest_bit(~(pairs >> start));
      mend_run(first + start, last == kItemsPerThread ? end : first + last + 1, valid_items);
    }
    __syncthreads();
    bool is_wrong = false;
    for (; pairs != 0; pairs &= pairs - 1) is_wrong |= is_out_of_order(first + lowest_bit(pairs), valid_items);
    return !__syncthreads_or(is_wrong);
  }

  static __device__ __forceinline__ unsigned int lowest_bit(unsigned long long bits) {
    return static_cast<unsigned int>(__ffsll(static_cast<long long>(bits))) - 1u;
  }

  // Whether an item and the next one, which has the same prefix, are the wrong way round.
  __device__ __forceinline__ bool is_out_of_order(unsigned int place, unsigned int valid_items) const {
    const unsigned int own = position_of(word_at(slot(place)));
    const unsigned int next = position_of(word_at(slot(place + 1)));
    return next < valid_items && bits_at(next) < bits_at(own);  //~ out-of-order
  }

  // Where the run of the item at this place ends, or more items behind it than are mended.
  __device__ __forceinline__ unsigned int end_of_run(unsigned int place) const {
    const unsigned int prefix = prefix_of(word_at(slot(place)));
    unsigned int end = place + 1;
    while (end < kTileItems && end - place <= kMostMended && prefix_of(word_at(slot(end))) == prefix) ++end;
    return end;
  }

  // By insertion, unless it is a crowd. Equal keys are in order already: by position.
  __device__ __forceinline__ void mend_run(unsigned int first, unsigned int end, unsigned int valid_items) {
    if (end - first > kMostMended) return;
    for (unsigned int next = first + 1; next < end; ++next) {
      const Word word = word_at(slot(next));
      if (position_of(word) >= valid_items) return;
      const Bits bits = bits_at(position_of(word));
      unsigned int to = next;
      for (; to > first; --to) {
        const Word greater = word_at(slot(to - 1));
        if (bits_at(position_of(greater)) <= bits) break;  //~ insertion
        put_word(slot(to), greater);
      }
      put_word(slot(to), word);
    }
  }

  // Brings the whole tile to the order of the sorted words, by which positions are counted from then on.
  __device__ __forceinline__ void reorder(const Word (&words)[kItemsPerThread]{% if makes_positions %}, bool is_first{% endif %}) {
    Bits keys[kItemsPerThread];
    unsigned int values[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = storage_.keys[slot(position_of(words[i]))];  //~ gathered-by-position
{%- if makes_positions %}
      values[i] = is_first ? position_of(words[i]) : storage_.values[slot(position_of(words[i]))];  //~ gathered-by-position
{%- else %}
      values[i] = storage_.values[slot(position_of(words[i]))];  //~ gathered-by-position
{%- endif %}
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int at = slot(position<Arrangement::kBlocked>(i));
      storage_.keys[at] = keys[i];
      storage_.values[at] = values[i];  //~ reordered-value
    }
    __syncthreads();
  }

  // What prefixes are, by turns: places of numbers, upper bits, and where neither told many keys apart all bits from the lowest on, as
  // many at a time as a prefix has.
{%- if key.is_float %}
  static constexpr int kByPlaces = -2;
{%- endif %}
  static constexpr int kByUpperBits = -1;

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys, Values& values, unsigned int valid_items) {
    put_tile<kFrom>(keys{% if reads_values %}, values{% endif %}, valid_items);
    __syncthreads();
    constexpr unsigned int kWarps = kBlockThreads / kLanes;
    const Bits least = least_in_warp(storage_.least[lane_ % kWarps]);
    const Bits greatest = greatest_in_warp(storage_.greatest[lane_ % kWarps]);
    const int width = 32 - __clz(static_cast<int>(greatest - least));
    const int hidden_bits = width > kPrefixBits ? width - kPrefixBits : 0;  //~ truncated-bits
    unsigned int prefixes[kItemsPerThread];
{%- if key.is_float %}
    const float scale = scale_between(to_key(least), to_key(greatest));
    int turn = scale > 0.0f ? kByPlaces : kByUpperBits;
    if (turn == kByPlaces) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) prefixes[i] = static_cast<unsigned int>(fabsf(keys[i] - to_key(least)) * scale);
    } else {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) prefixes[i] = (compared_bits_of(to_ordered_bits(keys[i])) - least) >> hidden_bits;
    }
{%- else %}
    int turn = kByUpperBits;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) prefixes[i] = (to_ordered_bits(keys[i]) - least) >> hidden_bits;
{%- endif %}
    Word words[kItemsPerThread];
    make_words<kFrom>(words, prefixes, valid_items);
#pragma unroll 1
    while (true) {
      sort_words(words);
      run_to_shared(words);
      __syncthreads();
      if (turn >= 0) {
        reorder(words{% if makes_positions %}, turn == 0{% endif %});  //~ positions-of-the-input
      } else if ((turn == kByUpperBits && hidden_bits == 0) || mend_runs(words, valid_items)) {
        break;
      }
      ++turn;
      if (turn * kPrefixBits >= width) break;  //~ last-digit
      // What is computed from it in this rare case is not kept from before: that would take twice as many registers.
      thread_ = {{ version_namespace }}::opaque(thread_);
      const int shift = turn == kByUpperBits ? hidden_bits : turn * kPrefixBits;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) prefixes[i] = (bits_at(position<kFrom>(i)) - least) >> shift;
      make_words<kFrom>(words, prefixes, valid_items);
    }
    take_tile<kTo>(keys, values, turn >= 0);
  }

  // The sorted items, from where their words say that they are, or from their own places where the tile is in order itself.
  template <Arrangement kTo>
  __device__ __forceinline__ void take_tile(Keys& keys, Values& values, bool is_in_order) const {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int own = slot_of_step<kStride<kTo>>(position<kTo>(0), i);
{%- if makes_positions %}
      const unsigned int source = position_of(word_at(own));
      const unsigned int at = is_in_order ? own : slot(source);  //~ final-slot
      keys[i] = to_key(storage_.keys[at]);
      values[i] = is_in_order ? storage_.values[at] : source;
{%- else %}
      const unsigned int at = is_in_order ? own : slot(position_of(word_at(own)));  //~ final-slot
      keys[i] = to_key(storage_.keys[at]);
      values[i] = {% if value_bytes < 4 %}static_cast<Value>(storage_.values[at]){% else %}bits_as<Value>(storage_.values[at]){% endif %};
{%- endif %}
    }
  }
