  // Writes all slots in the order of their items, of which there are `count`, with bits from the least to the limit. All lanes call
  // it behind a barrier behind the last write to the slots; `order` may be read behind the next one.
  __device__ __forceinline__ void order_slots(unsigned int count, Bits least, Bits limit) {
    // Composite keys have room for 32 - kSlotBits of the bits by which keys exceed the least one.
    const int excess = length_of(limit - least) - (32 - kSlotBits);
    const int shift = excess > 0 ? excess : 0;  //~ bits-left-out
    Limbs<1> composites[kSlotsPerThread];
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const unsigned int slot = i * 32 + lane_;
      const Bits upper = slot < count ? (bits_in(storage_, slot) - least) >> shift : 0;
      composites[i].limb[0] = slot < count ? static_cast<unsigned int>(upper) << kSlotBits | slot : ~0u;  //~ composite-key
    }
    sort_in_warp(composites);
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      storage_.order[lane_ * kSlotsPerThread + i] = composites[i].limb[0] % kSlots;
    }
    if (shift > 0 && is_out_of_order(composites, count)) order_slots_by_all_bits(storage_, count);  //~ bits-decide
  }

  // Whether items that composite keys have put in order are not.
  __device__ __forceinline__ bool is_out_of_order(const Limbs<1> (&composites)[kSlotsPerThread], unsigned int count) const {
    Bits before = 0;
    Bits first = 0;
    bool is_wrong = false;
#pragma unroll
    for (int i = 0; i < kSlotsPerThread; ++i) {
      const bool is_item = lane_ * kSlotsPerThread + i < count;
      const Bits bits = is_item ? bits_in(storage_, composites[i].limb[0] % kSlots) : kAllBits;
      if (i == 0) first = bits;
      is_wrong |= bits < before;  //~ wrong-neighbours
      before = bits;
    }
    const Bits of_lane_below = value_of_limbs<Bits>(from_lane(limbs_of<kBitsLimbs>(before), lane_ == 0 ? 0 : lane_ - 1));
    is_wrong |= lane_ > 0 && first < of_lane_below;  //~ wrong-lanes
    return __any_sync(~0u, is_wrong);
  }

  // Writes the item of a slot as the one of a rank.
  __device__ __forceinline__ void write(const Key* row, unsigned int slot, unsigned int rank, Key* keys_out,
                                        {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) const {
    const unsigned int position = storage_.items[slot].position;
    {% if found.is_more %}output.write(rank, position){% else %}positions_out[rank] = position{% endif %};
    if (!keys_out) return;
{%- if key.is_float %}
    // -0.0 has compared bits in common with +0.0{% if key.nan_last %}, and NaNs have with each other{% endif %}.
    constexpr Bits kZero = kSign{% if key.descending %} ^ kAllBits{% endif %};
    const Bits bits = bits_in(storage_, slot);
    keys_out[rank] = bits == kZero{% if key.nan_last %} || bits == kAllBits{% endif %} ? row[position] : to_key(bits);  //~ key-of-several
{%- else %}
    static_cast<void>(row);
    keys_out[rank] = to_key(bits_in(storage_, slot));
{%- endif %}
  }
