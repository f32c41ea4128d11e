  struct __align__({{ bits_vector_bytes }}) BitsVector {
    Bits bits[kVectorItems];
  };

  // What a warp has in shared memory: compared bits by position, which is the slot, and slots in the order of their keys.
  struct WarpStorage {
    BitsVector vectors[kSlots / kVectorItems];
    unsigned int order[kSlots];
  };

  __device__ __forceinline__ Bits bits_in(unsigned int slot) const {
    return storage_.vectors[slot / kVectorItems].bits[slot % kVectorItems];
  }
  static __device__ __forceinline__ unsigned int position_in(unsigned int slot) { return slot; }

  // Gives all items slots; returns how many they are, and the least and the largest bits. Items past the end must have
  // the bits of others.
  __device__ __forceinline__ unsigned int to_slots(const Bits (&bits)[kItemsPerThread], unsigned int columns, unsigned int,
                                                   Bits& least, Bits& limit) const {
    least = limit = bits[0];
#pragma unroll
    for (int i = 1; i < kItemsPerThread; ++i) {
      least = bits[i] < least ? bits[i] : least;
      limit = limit < bits[i] ? bits[i] : limit;
    }
    least = least_in_warp(least);
    limit = ~least_in_warp(~limit);
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      BitsVector of_vector;
#pragma unroll
      for (int i = 0; i < kVectorItems; ++i) of_vector.bits[i] = bits[vector * kVectorItems + i];
      storage_.vectors[vector * 32 + lane_] = of_vector;
    }
    return columns;
  }

  // The least of all lanes' bits.
  static __device__ __forceinline__ Bits least_in_warp(Bits bits) {
    if constexpr (kBitsLimbs == 1) {
      return min_in_warp(bits);
    } else {
#pragma unroll
      for (int bit = 16; bit > 0; bit /= 2) {
        const Bits other = value_of_limbs<Bits>(across(limbs_of<kBitsLimbs>(bits), bit));
        bits = other < bits ? other : bits;
      }
      return bits;
    }
  }
