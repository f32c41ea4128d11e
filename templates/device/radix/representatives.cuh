  // Of each digit but the lowest one, and each value of it: a key of those that a block samples.
  struct Representatives {
    Bits keys[kMaxPasses - 1][kBins];
    // Pairs of digits that are independent in the keys that were looked at, and digits that vary there.
    unsigned int pairs;
    unsigned int varying_digits;

    // What stands for no key with this value of the digit: a key with another one.
    static __device__ __forceinline__ Bits none(int digit, unsigned int value) { return ~static_cast<Bits>(value) << digit * kRadixBits; }

    static __device__ __forceinline__ unsigned int value_of(int digit, Bits key) { return key >> digit * kRadixBits & (kBins - 1); }

    // What one key differs in from the one that represents its value of a digit, which it becomes if there is none.
    static __device__ __forceinline__ Bits differ_or_represent(Bits* place, Bits none, Bits key) {
      const Bits before = atomicCAS(place, none, key);
      return before == none ? 0 : before ^ key;
    }
  };

  // Those of the block.
  static __device__ __forceinline__ Representatives& block_representatives() {
    __shared__ Representatives representatives;
    return representatives;
  }

  // Which digits are not determined by one above them: gathered from keys, beside those that represent its values. A digit is determined by
  // one above if keys that agree in that one agree in it, too.
  template <bool kIsUsual>
  struct DigitDifferences {
    // Of each digit but the lowest one: what keys differ in that agree in it.
    Bits bits[kMaxPasses];
    // Keys out of the thread's share of all, which are looked at before the others; and what such keys of a block show: the pairs of digits
    // that all keys are looked at for.
    static constexpr int kSampled = 2;
    Bits sampled[kSampled];
    unsigned int wanted;
    // Whether no more keys need to be looked at.
    bool are_all;

    // The number of a pair of digits, of which the first is the upper one.
    static __device__ __forceinline__ constexpr int pair_of(int digit, int below) { return digit * (digit - 1) / 2 + below; }
    static constexpr unsigned int kAllPairs = (1u << kMaxPasses * (kMaxPasses - 1) / 2) - 1;

    // Begins to load. All threads of the block call it, then a barrier, then look().
    static __device__ __forceinline__ DigitDifferences of(const Arguments& arguments, unsigned long long thread, unsigned long long threads) {
      DigitDifferences differences{};
      differences.are_all = true;
      if constexpr (kIsUsual) {
        const unsigned long long share = arguments.n / (kSampled * threads);
#pragma unroll
        for (int k = 0; k < kSampled; ++k) {
          const unsigned long long at = (k * threads + thread) * (share > 0 ? share : 1);
          differences.sampled[k] = compared_bits(to_ordered_bits(arguments.keys_in[at < arguments.n ? at : arguments.n - 1]));
        }
        Representatives& representatives = block_representatives();
        for (unsigned int i = threadIdx.x; i < (kMaxPasses - 1) * kBins; i += blockDim.x) {
          representatives.keys[i / kBins][i % kBins] = Representatives::none(static_cast<int>(i / kBins) + 1, i % kBins);
        }
        if (threadIdx.x == 0) {
          representatives.pairs = 0;
          representatives.varying_digits = 0;
        }
      }
      return differences;
    }

    // Looks at sampled keys. Where they show that a digit is not determined, or that it is the same in all of them, no more keys are looked at for it.
    __device__ __forceinline__ void look() {
      if constexpr (kIsUsual) {
        Representatives& representatives = block_representatives();
        Bits other = 0;
#pragma unroll
        for (int k = 0; k < kSampled; ++k) {
          other |= sampled[k] ^ __shfl_sync(~0u, sampled[0], 0);
          represent(representatives, sampled[k]);
        }
        unsigned int varying = 0;
#pragma unroll
        for (int digit = 0; digit < kMaxPasses; ++digit) {
          if (__any_sync(~0u, Representatives::value_of(digit, other) != 0)) varying |= 1u << digit;
        }
        if (lane_of(threadIdx.x) == 0) atomicOr(&representatives.varying_digits, varying);
        const unsigned int pairs = pairs_of_block();
        wanted = 0;
#pragma unroll
        for (int digit = 1; digit < kMaxPasses; ++digit) {
#pragma unroll
          for (int below = 0; below < digit; ++below) {
            const bool is_wanted = (representatives.varying_digits >> below & 1u) != 0 && (pairs >> pair_of(digit, below) & 1u) == 0;
            if (is_wanted) wanted |= 1u << pair_of(digit, below);  //~ wanted-pair
          }
        }
        are_all = wanted == 0;
      }
    }

    // Compares a key of each lane with those that have the same value of a digit. One lane of each value asks whether another warp has it.
    __device__ __forceinline__ void represent(Representatives& representatives, Bits key) {
#pragma unroll
      for (int digit = 1; digit < kMaxPasses; ++digit) {
        const unsigned int value = Representatives::value_of(digit, key);
        const int first_lane = __ffs(static_cast<int>(lanes_of_same_digit<kRadixBits>(value))) - 1;
        bits[digit] |= __shfl_sync(~0u, key, first_lane) ^ key;
        if (static_cast<int>(lane_of(threadIdx.x)) != first_lane) continue;
        Bits* const place = &representatives.keys[digit - 1][value];
        bits[digit] |= Representatives::differ_or_represent(place, Representatives::none(digit, value), key);  //~ sampled-difference
      }
    }

    // Adds a key, behind the barrier in look().
    __device__ __forceinline__ void add(const Arguments& arguments, Bits key) {
      const Representatives& representatives = block_representatives();
#pragma unroll
      for (int digit = 1; digit < kMaxPasses; ++digit) {
        const unsigned int value = Representatives::value_of(digit, key);
        const Bits other = representatives.keys[digit - 1][value];
        // Few keys have a value that none of the samples has.
        bits[digit] |= Representatives::value_of(digit, other) == value ? other ^ key : differ_from_other_blocks(arguments, digit, value, key);  //~ digit-differences
      }
    }

    // Those of all blocks are zero where there is none.
    static __device__ __forceinline__ Bits differ_from_other_blocks(const Arguments& arguments, int digit, unsigned int value, Bits key) {
      const Bits none = Representatives::none(digit, value);
      return Representatives::differ_or_represent(&control_of(arguments).representatives[digit - 1][value], 0, key ^ none);
    }

    template <int kKeys>
    __device__ __forceinline__ void add(const Arguments& arguments, const StoredBits (&keys)[kKeys]) {
      if constexpr (kIsUsual) {
        if (wanted == 0) return;
#pragma unroll
        for (int k = 0; k < kKeys; ++k) add(arguments, compared_bits(to_ordered_bits(bits_as<Key>(keys[k]))));
        are_all = (independent_pairs() & wanted) == wanted;
      }
    }

    // The pairs that are independent in the thread's keys.
    __device__ __forceinline__ unsigned int independent_pairs() const {
      unsigned int pairs = 0;
#pragma unroll
      for (int digit = 1; digit < kMaxPasses; ++digit) {
#pragma unroll
        for (int below = 0; below < digit; ++below) {
          if (Representatives::value_of(below, bits[digit]) != 0) pairs |= 1u << pair_of(digit, below);
        }
      }
      return pairs;
    }

    // Those in the keys of the block. All threads call it; a barrier lies within.
    __device__ __forceinline__ unsigned int pairs_of_block() const {
      const unsigned int own = independent_pairs();
      unsigned int pairs = 0;
#pragma unroll
      for (unsigned int pair = 1; pair <= kAllPairs; pair *= 2) {
        if (__any_sync(~0u, (own & pair) != 0)) pairs |= pair;  //~ independent-digit
      }
      Representatives& representatives = block_representatives();
      if (lane_of(threadIdx.x) == 0 && pairs != 0) atomicOr(&representatives.pairs, pairs);
      __syncthreads();
      return representatives.pairs;
    }

    // Notes which pairs are independent in the keys of the block, and those of blocks before it. All threads call it; barriers lie within.
    __device__ __forceinline__ void note(const Arguments& arguments) {
      unsigned int pairs = kAllPairs;
      if constexpr (kIsUsual) {
        // All have read what is added to.
        __syncthreads();
        if (wanted != 0) {
          compare_blocks(arguments);
          pairs = pairs_of_block() | (kAllPairs & ~wanted);
        }
      } else {
        __syncthreads();
      }
      if (threadIdx.x == 0) atomicOr(&control_of(arguments).independent_digits, pairs);  //~ independent-digits-of-block
    }

    // Adds what the block's representatives differ in from those of other blocks.
    __device__ __forceinline__ void compare_blocks(const Arguments& arguments) {
      const Representatives& own = block_representatives();
#pragma unroll
      for (int digit = 1; digit < kMaxPasses; ++digit) {
        for (unsigned int value = threadIdx.x; value < kBins; value += blockDim.x) {
          const Bits key = own.keys[digit - 1][value];
          if (Representatives::value_of(digit, key) == value) bits[digit] |= differ_from_other_blocks(arguments, digit, value, key);  //~ representatives-of-blocks
        }
      }
    }
  };
