  template <unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void put_own(Storage& storage, unsigned int thread, const Items<kItems>& items) {
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int slot = Slots::of(thread * kItems + i);
      storage.bits[slot] = static_cast<StoredBits>(items.bits[i]);
{%- if value.exists %}
      storage.sources[slot] = static_cast<unsigned short>(items.sources[i]);
{%- endif %}
    }
  }

  // Merges two runs of the storage, the second one directly behind the first, from the diagonal on.
  template <unsigned int kItems, typename Storage>
  static __device__ __forceinline__ void merge_own(const Storage& storage, unsigned int start, unsigned int first_items, unsigned int second_items,
                                                   unsigned int diagonal, Items<kItems>& items, Bits mask) {
    const auto bits_at = [&](unsigned int position) -> Bits { return storage.bits[Slots::of(position)]; };
    const auto comes_first = [&](unsigned int i, unsigned int j) {
      return !is_less(bits_at(start + first_items + j), bits_at(start + i), mask);  //~ first-of-equal
    };
    const unsigned int before = items_of_first_run(first_items, second_items, diagonal, comes_first);
    const unsigned int end = start + first_items;
    const unsigned int second_end = end + second_items;
    // What is past both runs is not used. It is read from where there is something.
    const unsigned int last = second_end - 1;
    unsigned int first = start + before;
    unsigned int second = end + diagonal - before;
    Bits first_bits = bits_at(first < last ? first : last);
    Bits second_bits = bits_at(second < last ? second : last);
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const bool is_first = second >= second_end || (first < end && !is_less(second_bits, first_bits, mask));  //~ next-of-merge
      const unsigned int taken = is_first ? first : second;
      items.bits[i] = is_first ? first_bits : second_bits;
{%- if value.exists %}
      items.sources[i] = {% if sources_are_positions %}taken < last ? taken : last{% else %}storage.sources[Slots::of(taken < last ? taken : last)]{% endif %};
{%- endif %}
      const Bits next = bits_at(taken < last ? taken + 1 : last);
      first_bits = is_first ? next : first_bits;
      second_bits = is_first ? second_bits : next;
      first += is_first ? 1 : 0;
      second += is_first ? 0 : 1;
    }
  }
