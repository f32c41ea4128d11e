  // Adds keys of the same bits to their counter.
  static __device__ __forceinline__ unsigned int add_keys(Storage& storage, unsigned int bits, unsigned int keys) {
    const CounterSlot counter{bits};
    return counter.of(atomicAdd(&storage.counters[counter.word()], counter.pack(keys)));
  }

  static __device__ __forceinline__ void count_vector(Storage& storage, const Vector& keys) {
    const unsigned int first = keys.words[0];
    const bool is_of_one = keys.key(0) == keys.key(1) && first == keys.words[1] && first == keys.words[2] && first == keys.words[3];
    if (is_of_one) {
      add_keys(storage, keys.key(0), kVectorKeys);  //~ equal-vector
      return;
    }
#pragma unroll
    for (unsigned int i = 0; i < kVectorKeys; ++i) add_keys(storage, keys.key(i), 1);
  }

  // Counts the keys of the row. Where a counter overflows, the sum of all is less than the number of keys: what is carried from it, if
  // it is, adds 1 to the counter beside it, and 65,536 are gone.
  static __device__ __forceinline__ void count_keys(const Arguments& arguments, Storage& storage) {
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int offset = vector_offset(arguments.keys_in);
    const unsigned int to_vector = offset == 0 ? 0 : kVectorKeys - offset;
    // Vectors begin and end within the row.
    const unsigned int first = to_vector < n ? to_vector : n;  //~ keys-before-vectors
    const unsigned int vectors = (n - first) / kVectorKeys;
    const unsigned int last = first + vectors * kVectorKeys;
    if (threadIdx.x < first) add_keys(storage, bits_as<StoredBits>(arguments.keys_in[threadIdx.x]), 1);  //~ first-keys
    if (last + threadIdx.x < n) add_keys(storage, bits_as<StoredBits>(arguments.keys_in[last + threadIdx.x]), 1);  //~ last-keys
    const Vector* const all = reinterpret_cast<const Vector*>(arguments.keys_in + first);
    constexpr unsigned int kLoads = 4;
    unsigned int next = threadIdx.x;
    for (; next + (kLoads - 1) * kBlockThreads < vectors; next += kLoads * kBlockThreads) {  //~ many-vectors
      Vector loaded[kLoads];
#pragma unroll
      for (int load = 0; load < kLoads; ++load) loaded[load] = all[next + load * kBlockThreads];
#pragma unroll
      for (int load = 0; load < kLoads; ++load) count_vector(storage, loaded[load]);
    }
    for (; next < vectors; next += kBlockThreads) count_vector(storage, all[next]);  //~ few-vectors
  }

  // The same where counters would overflow: a counter hands kOverflow keys over to the list of overflows as soon as it has them. Between
  // two barriers a thread adds kVectorKeys at most, for which it has room. A barrier follows the last key.
  static __device__ __forceinline__ void count_to_overflows(const Arguments& arguments, Storage& storage) {
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    const unsigned int lane = lane_of(threadIdx.x);
    for (unsigned int chunk = 0; chunk < n; chunk += kVectorKeys * kBlockThreads) {
#pragma unroll
      for (unsigned int i = 0; i < kVectorKeys; ++i) {
        const unsigned int position = chunk + i * kBlockThreads + threadIdx.x;
        const bool exists = position < n;
        const unsigned int bits = exists ? bits_as<StoredBits>(arguments.keys_in[position]) : 0;  //~ counted-key
        // One lane adds all keys like its own: where a counter overflows, most are.
        const unsigned int first = __shfl_sync(~0u, bits, 0);
        const bool is_as_first = exists && bits == first;
        const unsigned int as_first = __popc(__ballot_sync(~0u, is_as_first));
        const unsigned int keys = is_as_first ? (lane == 0 ? as_first : 0) : 1;  //~ keys-as-first
        if (!exists || keys == 0) continue;
        const unsigned int before = add_keys(storage, bits, keys);
        if (before < kOverflow && before + keys >= kOverflow) {  //~ is-overflow
          const CounterSlot counter{bits};
          atomicAdd(&storage.counters[counter.word()], 0u - counter.pack(kOverflow));  //~ handed-over
          const unsigned int slot = atomicAdd(&storage.overflow_count, 1u);
          storage.overflows[slot] = static_cast<unsigned short>(to_ordered_bits(bits_as<Key>(static_cast<StoredBits>(bits))));
        }
      }
      // What counters had too many is handed over.
      __syncthreads();
    }
  }

  // The keys of the overflows of a bin.
  static __device__ __forceinline__ unsigned int overflowed_keys(const Storage& storage, unsigned int bin) {
    unsigned int keys = 0;
    for (unsigned int overflow = 0; overflow < storage.overflow_count; ++overflow) {
      if (storage.overflows[overflow] == bin) keys += kOverflow;  //~ overflow-of-bin
    }
    return keys;
  }

  // The keys of a bin.
  static __device__ __forceinline__ unsigned int keys_of(const Storage& storage, unsigned int bin) {
    const CounterSlot counter{bits_as<StoredBits>(to_key(bin))};
    return counter.of(storage.counters[counter.word()]) + overflowed_keys(storage, bin);
  }

  // The keys of each of the kVectorKeys bins from this one, a multiple of that.
  static __device__ __forceinline__ void load_bins(const Storage& storage, bool has_overflows, unsigned int bin,
                                                   unsigned int (&keys)[kVectorKeys]) {
    const unsigned int bits = bits_as<StoredBits>(to_key(bin));
    const Vector counters = reinterpret_cast<const Vector*>(storage.counters)[bits / kVectorKeys];
    // Counters lie in the order of the keys' bits, or in the opposite one.
    const bool is_reversed = bits % kVectorKeys != 0;
#pragma unroll
    for (unsigned int i = 0; i < kVectorKeys; ++i) keys[i] = is_reversed ? counters.key(kVectorKeys - 1 - i) : counters.key(i);
    if (!has_overflows) return;
#pragma unroll
    for (int i = 0; i < kVectorKeys; ++i) keys[i] += overflowed_keys(storage, bin + i);
  }

  // The thread's first bin of a line.
  static __device__ __forceinline__ unsigned int first_bin(unsigned int line) { return line * kLineKeys + lane_of(threadIdx.x) * kVectorKeys; }

  // Adds up the keys of each line of bins, and makes these sums positions.
  static __device__ __forceinline__ void add_up_bins(Storage& storage) {
    const bool has_overflows = storage.overflow_count > 0;
#pragma unroll 2
    for (unsigned int line = warp_of(threadIdx.x); line < kBinLines; line += kWarps) {
      unsigned int keys[kVectorKeys];
      load_bins(storage, has_overflows, first_bin(line), keys);
      unsigned int own = 0;
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) own += keys[i];
      const unsigned int all = sum_in_warp(own);
      if (lane_of(threadIdx.x) == 0) storage.lines[line] = all;
    }
    // All lines are added up.
    __syncthreads();
    constexpr unsigned int kLinesOfThread = kBinLines < kBlockThreads ? 1 : kBinLines / kBlockThreads;
    const unsigned int first = threadIdx.x * kLinesOfThread;
    unsigned int keys[kLinesOfThread];
    unsigned int own = 0;
#pragma unroll
    for (unsigned int i = 0; i < kLinesOfThread; ++i) {
      keys[i] = first + i < kBinLines ? storage.lines[first + i] : 0;
      own += keys[i];
    }
    unsigned int all;
    unsigned int before = Scans::exclusive_sum(storage.sums, threadIdx.x, own, all);
#pragma unroll
    for (unsigned int i = 0; i < kLinesOfThread; ++i) {
      if (first + i < kBinLines) storage.lines[first + i] = before;
      before += keys[i];
    }
    if (threadIdx.x == 0) storage.lines[kBinLines] = all;
    // The positions are there.
    __syncthreads();
  }
