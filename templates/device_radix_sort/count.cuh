  // Counts the digits of all passes in one read of the keys. Lanes have counters of their own, so that they do not meet
  // in a bank or at an address, whatever the digits are: {{ count_columns }} columns, lane l's being l % {{ count_columns }}.
  static __device__ __forceinline__ void count_digits(const Arguments& arguments, unsigned int* counters) {
    constexpr unsigned int kColumns = {{ count_columns }};
    constexpr int kUnrolled = {{ count_unrolled }};
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    const unsigned int column = threadIdx.x % kColumns;
    for (unsigned int i = threadIdx.x; i < passes * kBins * kColumns; i += blockDim.x) counters[i] = 0;
    __syncthreads();

    const auto count_key = [&](Key key) {
      const Bits bits = to_ordered_bits(key);
#pragma unroll
      for (int pass = 0; pass < kMaxPasses; ++pass) {
        if (pass < passes) {
          const int bit = arguments.begin_bit + pass * kRadixBits;
          const unsigned int digit = digit_of(bits, bit, digit_bits(arguments, pass));
          atomicAdd(&counters[(pass * kBins + digit) * kColumns + column], 1u);
        }
      }
    };
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + (kUnrolled - 1) * stride < arguments.n; i += kUnrolled * stride) {
      Key keys[kUnrolled];
#pragma unroll
      for (int k = 0; k < kUnrolled; ++k) keys[k] = arguments.keys_in[i + k * stride];
#pragma unroll
      for (int k = 0; k < kUnrolled; ++k) count_key(keys[k]);
    }
    for (; i < arguments.n; i += stride) count_key(arguments.keys_in[i]);
    __syncthreads();

    Count* bins = &control_of(arguments).bins[0][0];
    for (unsigned int bin = threadIdx.x; bin < passes * kBins; bin += blockDim.x) {
      unsigned int sum = 0;
      // Each lane begins at another column: neighbouring bins would meet in a bank.
      for (unsigned int c = 0; c < kColumns; ++c) sum += counters[bin * kColumns + (c + bin) % kColumns];
      if (sum > 0) atomicAdd(&bins[bin], static_cast<Count>(sum));
    }
  }
