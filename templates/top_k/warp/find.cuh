  // Writes the first k of a row's items, which are at least as many, and their positions: sorted, or in the order of their
  // positions. `keys_out` may be null. All lanes of the warp call it with the same arguments.
  __device__ __forceinline__ void find(const Key* row, unsigned int columns, unsigned int k, bool sorted,
                                       Key* keys_out, {% if found.is_more %}const Output& output{% else %}unsigned int* positions_out{% endif %}) {
    Key keys[kItemsPerThread];
    load(row, columns, keys);
    Bits bits[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = compared_bits(to_ordered_bits(keys[i]));
    Bits least, limit;
    const unsigned int count = to_slots(bits, columns, k, least, limit);
    __syncwarp();
    order_slots(count, least, limit);
    __syncwarp();
    if (sorted) {
      for (unsigned int rank = lane_; rank < k; rank += 32) {
        write(row, storage_.order[rank], rank, keys_out, {% if found.is_more %}output{% else %}positions_out{% endif %});
      }
    } else {
      const unsigned int last = storage_.order[k - 1];
      const Bits last_bits = bits_in(storage_, last);
      unsigned int before = 0;
#pragma unroll 1
      for (unsigned int start = 0; start < count; start += 32) {
        const unsigned int slot = start + lane_;
        const Bits slot_bits = slot < count ? bits_in(storage_, slot) : last_bits;
        const bool is_found = slot < count && (slot_bits < last_bits || (slot_bits == last_bits && slot <= last));  //~ found-slot
        const unsigned int lanes = __ballot_sync(~0u, is_found);
        if (is_found) write(row, slot, before + __popc(lanes & ((1u << lane_) - 1)), keys_out, {% if found.is_more %}output{% else %}positions_out{% endif %});  //~ rank-by-position
        before += __popc(lanes);
      }
    }
    // The next row's items get these slots.
    __syncwarp();
  }
