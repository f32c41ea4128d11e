  // Vectors that a lane loads at once for their zeros. The lanes of a warp load a chunk, and a warp's share of the row has at most 32 chunks.
  static constexpr unsigned int kZeroLoads = 4;
  static constexpr unsigned int kChunkVectors = 32 * kZeroLoads;
  static_assert(kMaxItems <= 32ull * kChunkVectors * kVectorKeys * kWarps, "a bit says of each chunk whether there are zeros");

  // A bit for each key of a vector that is a zero, and kVectorKeys bits further up whether it is -0.0.
  struct Zeros {
    unsigned int bits;
    __device__ __forceinline__ void add(unsigned int key, unsigned int bits_of_key) {
      bits |= (bits_of_key % kSign == 0 ? 1u : 0u) << key;
      bits |= (bits_of_key == kSign ? 1u : 0u) << (key + kVectorKeys);
    }
    __device__ __forceinline__ unsigned int all() const { return bits % (1u << kVectorKeys); }
    __device__ __forceinline__ unsigned int negative() const { return bits >> kVectorKeys; }
    __device__ __forceinline__ unsigned int count() const { return __popc(all()); }
  };

  // Finds the zeros of the lane's vectors of a chunk, which ends before a vector. Vectors are counted from the address of one at or before
  // the row, which begins `start` keys behind that.
  static __device__ __forceinline__ void find_zeros(const Arguments& arguments, unsigned int chunk, unsigned int last, unsigned int start,
                                                    Zeros (&zeros)[kZeroLoads]) {
    const unsigned int end = start + static_cast<unsigned int>(arguments.n);
    const unsigned int first_full = start == 0 ? 0 : 1;
    const unsigned int last_full = end / kVectorKeys < last ? end / kVectorKeys : last;
    Vector keys[kZeroLoads];
#pragma unroll
    for (unsigned int load = 0; load < kZeroLoads; ++load) {
      const unsigned int vector = chunk + load * 32 + lane_of(threadIdx.x);
      if (vector >= first_full && vector < last_full) {
        keys[load] = *reinterpret_cast<const Vector*>(arguments.keys_in + (vector * kVectorKeys - start));
      }
    }
#pragma unroll
    for (unsigned int load = 0; load < kZeroLoads; ++load) {
      const unsigned int vector = chunk + load * 32 + lane_of(threadIdx.x);
      zeros[load] = Zeros{0};
      if (vector >= first_full && vector < last_full) {
#pragma unroll
        for (unsigned int i = 0; i < kVectorKeys; ++i) zeros[load].add(i, keys[load].key(i));
      } else if (vector < last) {
        for (unsigned int i = 0; i < kVectorKeys; ++i) {
          const unsigned int position = vector * kVectorKeys + i;
          if (position < start || position >= end) continue;  //~ key-of-sign
          zeros[load].add(i, bits_as<StoredBits>(arguments.keys_in[position - start]));
        }
      }
    }
  }

  // Writes zeros of both signs in their input order; first_zeros of them come first by their bits. The row is read once more, before any of
  // it is written: each warp counts the zeros of its share, and ranks those of chunks that have some.
  static __device__ __forceinline__ void write_zeros(const Arguments& arguments, Storage& storage, unsigned int first_zeros) {
    const unsigned int start = vector_offset(arguments.keys_in);
    const unsigned int vectors = (start + static_cast<unsigned int>(arguments.n) + kVectorKeys - 1) / kVectorKeys;
    const unsigned int share = (vectors + kWarps - 1) / kWarps;
    const unsigned int first = warp_of(threadIdx.x) * share;
    const unsigned int last = first + share < vectors ? first + share : vectors;  //~ share-of-warp
    unsigned int own = 0;
    unsigned int chunks_with_zeros = 0;
    for (unsigned int chunk = first, number = 0; chunk < last; chunk += kChunkVectors, ++number) {
      Zeros zeros[kZeroLoads];
      find_zeros(arguments, chunk, last, start, zeros);
#pragma unroll
      for (unsigned int load = 0; load < kZeroLoads; ++load) {
        own += zeros[load].count();
        if (zeros[load].all() != 0) chunks_with_zeros |= 1u << number;  //~ chunk-with-zeros
      }
    }
    unsigned int all;
    const unsigned int before = Scans::exclusive_sum(storage.sums, threadIdx.x, own, all);
    unsigned int rank = __shfl_sync(~0u, before, 0);
    for (unsigned int chunk = first, number = 0; chunk < last; chunk += kChunkVectors, ++number) {
      if (__ballot_sync(~0u, chunks_with_zeros >> number & 1) == 0) continue;
      Zeros zeros[kZeroLoads];
      find_zeros(arguments, chunk, last, start, zeros);
#pragma unroll
      for (unsigned int load = 0; load < kZeroLoads; ++load) {
        const unsigned int to_here = inclusive_sum_in_warp(zeros[load].count(), ~0u);
        set_signs(storage, zeros[load], rank + to_here - zeros[load].count());
        rank += __shfl_sync(~0u, to_here, 31);  //~ next-rank
      }
    }
    // All signs are there, and all of the row has been read.
    __syncthreads();
    // Zeros are the last bin of one line and the first one of the next.
    Key* const out = arguments.keys_out + (storage.lines[kBinLines / 2] - first_zeros);  //~ first-zero
    for (unsigned int zero = threadIdx.x; zero < all; zero += kBlockThreads) {
      const bool is_negative = MarkSlot{zero}.is_set(storage.signs);
      out[zero] = to_key(is_negative ? kNegativeZero : kPositiveZero);
    }
    // Signs are read.
    __syncthreads();
  }

  // Sets the signs of zeros of which the first has a rank.
  static __device__ __forceinline__ void set_signs(Storage& storage, Zeros zeros, unsigned int rank) {
    for (unsigned int left = zeros.all(); left != 0; left &= left - 1, ++rank) {
      const unsigned int lowest = left & (0u - left);
      const MarkSlot sign{rank};
      if ((zeros.negative() & lowest) != 0) atomicOr(&storage.signs[sign.row()], sign.mask());  //~ sign-of-zero
    }
  }
