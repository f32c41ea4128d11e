  // Groups of a lane, the minima of which are known.
  static constexpr int kGroups = kSlotsPerThread;

  // Gives survivors slots, k or more of them; returns how many they are, the least bits of all and a bound of the survivors'.
  __device__ __forceinline__ unsigned int to_slots(Bits (&bits)[kItemsPerThread], unsigned int columns, unsigned int k,
                                                   Bits& least, Bits& limit) const {
    // A bit for each of this lane's items.
    unsigned int items = kItemsPerThread < 32 ? (1u << kItemsPerThread % 32) - 1 : ~0u;
    if (columns < kMaxColumns) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position_of(i) >= columns) {  //~ items-past-the-end
          bits[i] = kAllBits;
          items &= ~(1u << i);
        }
      }
    }
    limit_by_groups(bits, k, least, limit);
    unsigned int survivors = items & mask_of_at_most(bits, limit);
    PackedItems<kVectors, 8> before, totals;
    unsigned int count = count_beside(survivors, before, totals);
    if (count > kSlots) {  //~ more-than-slots
      survivors = chosen_survivors(bits, items, k, least, limit);
      count = count_beside(survivors, before, totals);
    }
    unsigned int of_lower_vectors = 0;
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      unsigned int slot = of_lower_vectors + before.get(vector);
      of_lower_vectors += totals.get(vector);
#pragma unroll
      for (int i = vector * kVectorItems; i < (vector + 1) * kVectorItems; ++i) {
        if (survivors >> i & 1) storage_.items[slot++] = {bits[i], position_of(i)};
      }
    }
    return count;
  }

  // Sets the least bits, and as the limit the k-th of the minima of all groups: k items at least are not greater. With fewer groups that
  // have an item that is all bits.
  __device__ __forceinline__ void limit_by_groups(const Bits (&bits)[kItemsPerThread], unsigned int k, Bits& least,
                                                  Bits& limit) const {
    Limbs<kBitsLimbs> minima[kGroups];
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      Bits minimum = bits[group];
#pragma unroll
      for (int i = group + kGroups; i < kItemsPerThread; i += kGroups) minimum = bits[i] < minimum ? bits[i] : minimum;
      minima[group] = limbs_of<kBitsLimbs>(minimum);
    }
    sort_in_warp(minima);
    least = value_of_limbs<Bits>(from_lane(minima[0], 0));
    Limbs<kBitsLimbs> of_rank = minima[0];
#pragma unroll
    for (int group = 1; group < kGroups; ++group) {
      of_rank = either((k - 1) % kGroups == group, minima[group], of_rank);  //~ group-of-rank
    }
    limit = value_of_limbs<Bits>(from_lane(of_rank, (k - 1) / kGroups));
  }

  // A bit for each of this lane's items that are not greater.
  static __device__ __forceinline__ unsigned int mask_of_at_most(const Bits (&bits)[kItemsPerThread], Bits limit) {
    unsigned int mask = 0;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) mask |= bits[i] <= limit ? 1u << i : 0u;
    return mask;
  }

  // The survivors where more items than there are slots are not greater than the limit: those up to a lower limit that leaves k at least,
  // by bisection between the least bits and the limit, or, should equal items be too many, k of them.
  __device__ __forceinline__ unsigned int chosen_survivors(const Bits (&bits)[kItemsPerThread], unsigned int items, unsigned int k,
                                                          Bits least, Bits& limit) const {
    // Fewer than k items are less than `low`, and more than there are slots are not greater than `limit`.
    Bits low = least;
    // The limit is often the k-th item itself.
    Bits middle = limit - 1;
    while (low < limit) {
      const unsigned int mask = items & mask_of_at_most(bits, middle);
      const unsigned int count = sum_in_warp(__popc(mask));
      if (count < k) {  //~ too-low
        low = middle + 1;
      } else {
        limit = middle;
        if (count <= kSlots) return mask;  //~ few-enough
      }
      middle = low + (limit - low) / 2;
    }
    unsigned int survivors = limit == 0 ? 0 : items & mask_of_at_most(bits, limit - 1);  //~ less-than-the-last
    const unsigned int ties = k - sum_in_warp(__popc(survivors));
    const unsigned int equal = items & mask_of_at_most(bits, limit) & ~survivors;
    PackedItems<kVectors, 8> before, totals;
    count_beside(equal, before, totals);
    unsigned int of_lower_vectors = 0;
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      unsigned int rank = of_lower_vectors + before.get(vector);
      of_lower_vectors += totals.get(vector);
#pragma unroll
      for (int i = vector * kVectorItems; i < (vector + 1) * kVectorItems; ++i) {
        if (!(equal >> i & 1)) continue;
        if (rank < ties) survivors |= 1u << i;  //~ first-ties
        ++rank;
      }
    }
    return survivors;
  }
