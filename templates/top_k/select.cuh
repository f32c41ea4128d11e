  // Items of a thread that are moved at once: registers have room for them and for their positions.
  static constexpr int kMovedItems = kItemsPerThread < 8 ? kItemsPerThread : 8;

  // Which of the buffered items are the first k: those of bits below the bound, and the first `ties` of those equal to it.
  struct Bound {
    Bits bound;
    unsigned int ties;
    // Whether the last of the k items has these very bits; otherwise they are a bound that no other item lies below.
    bool is_exact;
  };

  // The bound of the first k buffered items; there are k at least. A radix select from the most significant digit on, of
  // the items that agree in all digits before it with the last of the k. It ends where all of these are among the k.
  // A barrier precedes its first access to the buffer, and follows its last one.
  __device__ __forceinline__ Bound select(unsigned int k) { return select_values<false>(k, 0); }

  // The same of all items by their bits, or of those with bits `tied` by their positions.
  template <bool kArePositions>
  __device__ __forceinline__ Bound select_values(unsigned int k, Bits tied) {
    constexpr int kValueBits = kArePositions ? 32 : kKeyBits;
    Bits bound = 0;
    // Of the last of the k items among those that agree.
    unsigned int rank = k - 1;
#pragma unroll 1
    for (int shift = (kValueBits - 1) / kDigitBits * kDigitBits; shift >= 0; shift -= kDigitBits) {
      for (unsigned int bin = thread_; bin < kBins; bin += kBlockThreads) storage_.bin_counts[bin] = 0;
      __syncthreads();
      for (unsigned int slot = thread_; slot < count_; slot += kBlockThreads) {
        if (kArePositions && storage_.bits[slot] != tied) continue;
        const Bits bits = kArePositions ? static_cast<Bits>(storage_.positions[slot]) : storage_.bits[slot];
        const bool agrees = ((bits ^ bound) >> shift >> kDigitBits) == 0;  //~ agreeing-items
        if (agrees) atomicAdd(&storage_.bin_counts[static_cast<unsigned int>(bits >> shift) % kBins], 1u);  //~ count-of-bin
      }
      __syncthreads();
      if (thread_ < 32) choose_bin(rank);
      __syncthreads();
      const Selection selection = storage_.selection;
      bound |= static_cast<Bits>(selection.bin) << shift;
      rank -= selection.before;  //~ rank-in-bin
      if (rank + 1 == selection.count) {  //~ all-of-bin
        return {static_cast<Bits>(bound | ((static_cast<Bits>(1) << shift) - 1)), count_, false};  //~ loose-bound
      }
    }
    return {bound, rank + 1, true};  //~ ties-kept
  }

  // Writes which bin has the item of this rank, from 0. All lanes of the first warp call it.
  __device__ __forceinline__ void choose_bin(unsigned int rank) {
    constexpr unsigned int kLaneBins = kBins / kWarpThreads;
    unsigned int bin = lane_ * kLaneBins;
    unsigned int items = 0;
#pragma unroll
    for (unsigned int i = 0; i < kLaneBins; ++i) items += storage_.bin_counts[bin + i];
    const unsigned int inclusive = inclusive_sum_in_warp(items, ~0u);
    unsigned int before = inclusive - items;
    if (before <= rank && rank < inclusive) {
      while (before + storage_.bin_counts[bin] <= rank) before += storage_.bin_counts[bin++];  //~ bin-of-rank
      storage_.selection = {bin, before, storage_.bin_counts[bin]};
    }
  }

  // Reduces the buffer to its first k items, in the order that they are in, and sets the limit of the items to come. The
  // buffer may be read behind the next barrier.
  __device__ __forceinline__ void keep_first(unsigned int k) {
    const Bound first = select(k);
    unsigned int lower = 0;
    unsigned int equal = 0;
#pragma unroll 1
    for (unsigned int start = 0; start < count_; start += kBlockThreads * kMovedItems) move_kept(start, first, lower, equal);
    count_ = k;
    // Items equal to the last one would come behind it.
    is_closed_ = first.is_exact && first.bound == 0;
    limit_ = first.is_exact ? first.bound - 1 : first.bound;
  }

  // How many items are below the bound, and how many are equal to it:
  //
  //   | equal: 16 bits | lower: 16 bits |
  struct KeptCounts {
    unsigned int bits;
    static __device__ __forceinline__ KeptCounts pack(unsigned int lower, unsigned int equal) { return {lower + (equal << 16)}; }
    __device__ __forceinline__ unsigned int lower() const { return bits % 65536; }
    __device__ __forceinline__ unsigned int equal() const { return bits / 65536; }
    __device__ __forceinline__ KeptCounts& operator+=(KeptCounts others) {
      bits += others.bits;
      return *this;
    }
  };

  // Moves the kept items of neighbouring slots to the front. `lower` and `equal` count the items below the bound and
  // those equal to it, of the slots before and then of these too. One barrier, before the first write: items move to
  // lower slots, which all threads have read by then.
  __device__ __forceinline__ void move_kept(unsigned int start, const Bound& first, unsigned int& lower,
                                            unsigned int& equal) {
    Bits bits[kMovedItems];
    unsigned int positions[kMovedItems];
    KeptCounts counts = {0};
#pragma unroll
    for (int i = 0; i < kMovedItems; ++i) {
      const unsigned int slot = start + warp_striped<kMovedItems>(thread_, i);
      const bool is_item = slot < count_;
      bits[i] = is_item ? storage_.bits[slot] : static_cast<Bits>(kAllBits);
      positions[i] = is_item ? storage_.positions[slot] : 0;
      counts += KeptCounts::pack(__popc(lanes_below_bound(slot, bits[i], first)), __popc(lanes_at_bound(slot, bits[i], first)));
    }
    KeptCounts total;
    // Of the items before a row of the warp's.
    KeptCounts before_row = {sum_of_warps_below(counts.bits, total.bits)};
#pragma unroll
    for (int i = 0; i < kMovedItems; ++i) {
      const unsigned int slot = start + warp_striped<kMovedItems>(thread_, i);
      // Counted once more rather than kept in registers.
      const unsigned int lower_lanes = lanes_below_bound(slot, bits[i], first);
      const unsigned int equal_lanes = lanes_at_bound(slot, bits[i], first);
      const unsigned int lower_before = lower + before_row.lower() + __popc(lower_lanes & lanes_below());
      const unsigned int equal_before = equal + before_row.equal() + __popc(equal_lanes & lanes_below());
      before_row += KeptCounts::pack(__popc(lower_lanes), __popc(equal_lanes));
      const bool is_kept = bits[i] < first.bound || (bits[i] == first.bound && equal_before < first.ties);  //~ kept-item
      if (slot < count_ && is_kept) {
        const unsigned int kept_slot = lower_before + (equal_before < first.ties ? equal_before : first.ties);  //~ kept-slot
        storage_.bits[kept_slot] = bits[i];
        storage_.positions[kept_slot] = positions[i];
      }
    }
    lower += total.lower();
    equal += total.equal();
  }

  // The lanes that have an item with bits below the bound, and equal to it.
  __device__ __forceinline__ unsigned int lanes_below_bound(unsigned int slot, Bits bits, const Bound& first) const {
    return __ballot_sync(~0u, slot < count_ && bits < first.bound);
  }

  __device__ __forceinline__ unsigned int lanes_at_bound(unsigned int slot, Bits bits, const Bound& first) const {
    return __ballot_sync(~0u, slot < count_ && bits == first.bound);
  }
