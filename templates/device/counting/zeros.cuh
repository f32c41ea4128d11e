  // Writes zeros of both signs in their input order; first_zeros of them come first by their bits. The row is read once more, before any of
  // it is written.
  static __device__ __forceinline__ void write_zeros(const Arguments& arguments, Storage& storage, unsigned int first_zeros) {
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    unsigned int zeros = 0;
    int slot = 0;
    for (unsigned int part = 0; part < n; part += kVectorKeys * kBlockThreads) {
      const unsigned int first = part + threadIdx.x * kVectorKeys;
      // A bit for each of the thread's keys.
      unsigned int are_zeros = 0;
      unsigned int are_negative = 0;
#pragma unroll
      for (unsigned int i = 0; i < kVectorKeys; ++i) {
        const unsigned int bits = first + i < n ? bits_as<StoredBits>(arguments.keys_in[first + i]) : 1;  //~ key-of-sign
        are_zeros |= (bits % kSign == 0 ? 1u : 0u) << i;
        are_negative |= (bits == kSign ? 1u : 0u) << i;
      }
      unsigned int of_part;
      unsigned int rank = zeros + Scans::exclusive_sum(storage.zero_sums[slot], threadIdx.x, __popc(are_zeros), of_part);
      for (; are_zeros != 0; are_zeros &= are_zeros - 1, ++rank) {
        const bool is_negative = (are_negative & are_zeros & (0u - are_zeros)) != 0;
        if (is_negative) atomicOr(&storage.signs[rank / 32], 1u << rank % 32);  //~ sign-of-zero
      }
      zeros += of_part;
      slot ^= 1;
    }
    // All signs are there, and all of the row has been read.
    __syncthreads();
    Key* const out = arguments.keys_out + (storage.middle - first_zeros);  //~ first-zero
    for (unsigned int zero = threadIdx.x; zero < zeros; zero += kBlockThreads) {
      const bool is_negative = (storage.signs[zero / 32] >> zero % 32 & 1) != 0;
      out[zero] = to_key(is_negative ? kNegativeZero : kPositiveZero);
    }
    // Signs are read.
    __syncthreads();  //~ written-zeros
  }
