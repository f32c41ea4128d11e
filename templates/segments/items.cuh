 private:
  // A thread's items, one after the other in the order of the range that is sorted.
  template <unsigned int kItems>
  struct Items {
    Bits bits[kItems];
{%- if value.exists %}
    unsigned int sources[kItems];
{%- endif %}
  };

  // Waits for the threads that sort together: a warp, or the block.
  template <unsigned int kThreads>
  static __device__ __forceinline__ void wait_for_group() {
    if constexpr (kThreads == kWarpThreads) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  // The bits that are compared.
  static __device__ __forceinline__ Bits mask_of(const Arguments& arguments) {
    const int bits = arguments.end_bit - arguments.begin_bit;
    if (bits == 0) return 0;
    return bits == kKeyBits ? ~Bits(0) : ((Bits(1) << bits) - 1) << arguments.begin_bit;  //~ mask
  }

  static __device__ __forceinline__ bool is_less(Bits a, Bits b, Bits mask) {
    return (compared_bits(a) & mask) < (compared_bits(b) & mask);  //~ compared
  }

  // A stable network of neighbours.
  template <unsigned int kItems>
  static __device__ __forceinline__ void sort_own(Items<kItems>& items, Bits mask) {
#pragma unroll
    for (unsigned int step = 0; step < kItems; ++step) {
#pragma unroll
      for (unsigned int i = step % 2; i + 1 < kItems; i += 2) {
        if (is_less(items.bits[i + 1], items.bits[i], mask)) {  //~ network
          const Bits bits = items.bits[i];
          items.bits[i] = items.bits[i + 1];
          items.bits[i + 1] = bits;
{%- if value.exists %}
          const unsigned int source = items.sources[i];
          items.sources[i] = items.sources[i + 1];
          items.sources[i + 1] = source;
{%- endif %}
        }
      }
    }
  }

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
      items.sources[i] = storage.sources[Slots::of(taken < last ? taken : last)];
{%- endif %}
      const Bits next = bits_at(taken < last ? taken + 1 : last);
      first_bits = is_first ? next : first_bits;
      second_bits = is_first ? second_bits : next;
      first += is_first ? 1 : 0;
      second += is_first ? 0 : 1;
    }
  }
