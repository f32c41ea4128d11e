 public:
  // Counts the digits of all passes in one read of the keys. Lanes have columns of counters of their own, so that they do
  // not meet in a bank or at an address, whatever the digits are.
  static __device__ __forceinline__ void count_digits(const Arguments& arguments, unsigned char* shared) {
    unsigned int* const counters = reinterpret_cast<unsigned int*>(shared);
    wait_for_previous_grid();  //~ grid-before-counts
    let_next_grid_start();
    const bool takes_all_bits = arguments.begin_bit == 0 && arguments.end_bit == kKeyBits;
    const bool is_usual = takes_all_bits && arguments.count_columns_log2 == kUsualColumnsLog2;
{%- if sorts_msd_buckets %}
    if (blockIdx.x >= counting_blocks(arguments)) {
      sample_copies(arguments, counters);
      return;
    }
{%- endif %}
{%- if maps_values %}
    LinearMap linear_map{};
    if (takes_all_bits && arguments.sorts_msd_buckets) linear_map = find_linear_map(arguments, counters);
    if (blockIdx.x == 0 && threadIdx.x == 0) control_of(arguments).linear_map = linear_map;
    if (linear_map.buckets != 0) {
      is_usual ? count_digits_of<true>(arguments, linear_map, counters) : count_digits_of<false>(arguments, linear_map, counters);
      return;
    }
{%- else if sorts_msd_buckets %}
    SharedBits shared_bits{};
    if (takes_all_bits && arguments.sorts_msd_buckets) shared_bits = find_shared_bits(arguments, counters);
    if (blockIdx.x == 0 && threadIdx.x == 0) control_of(arguments).shared_bits = shared_bits;
    if (shared_bits.count != 0) {
      is_usual ? count_digits_of<true>(arguments, shared_bits, counters) : count_digits_of<false>(arguments, shared_bits, counters);
      return;
    }
{%- endif %}
    is_usual ? count_digits_of<true>(arguments, NoMap{}, counters) : count_digits_of<false>(arguments, NoMap{}, counters);
  }

 private:
{%- if sorts_msd_buckets %}
{% include "device/radix/copy_samples.cuh" %}

{%- endif %}
  // In place of a map: the keys' digits alone are counted.
  struct NoMap {
    static constexpr bool kHasBuckets = false;
  };

  // The usual case, all bits of keys and as many columns as the GPU has room for, has constants for most of the arithmetic.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
  static constexpr int kUsualColumnsLog2 = {{ usual_columns_log2[1] }};
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
  static constexpr int kUsualColumnsLog2 = {{ usual_columns_log2[2] }};
#else
  static constexpr int kUsualColumnsLog2 = {{ usual_columns_log2[0] }};
#endif
{%- if key.is_odd_size %}

  // Keys are loaded one at a time: no number of them is 16 bytes.
  static constexpr int kChunkKeys = 1;
  struct Chunk {
{%- else %}

  // Keys are loaded 16 bytes at a time, where the array begins on such a boundary.
  static constexpr int kChunkKeys = 16 / sizeof(StoredBits);
  struct __align__(16) Chunk {
{%- endif %}
    StoredBits keys[kChunkKeys];
  };

{%- if finds_determined_digits %}

  // What digits differ in that the digit above does not determine: gathered from keys, beside the first one.
  template <bool kIsUsual>
  struct DigitDifferences {
    Bits first;
    Bits bits;
    // Whether all digits differ so: then no more keys need to be looked at.
    bool are_all;

    static __device__ __forceinline__ DigitDifferences of(const Arguments& arguments) {
      return {kIsUsual ? compared_bits(to_ordered_bits(arguments.keys_in[0])) : Bits(0), 0, !kIsUsual};
    }

    __device__ __forceinline__ bool is_independent(int digit) const { return (bits >> digit * kRadixBits & (kBins - 1)) != 0; }

    // A digit's bits stay zero if its exclusive or with the digit above is the same in all keys.
    template <int kKeys>
    __device__ __forceinline__ void add(const StoredBits (&keys)[kKeys]) {
      if constexpr (kIsUsual) {
#pragma unroll
        for (int k = 0; k < kKeys; ++k) {
          const Bits difference = compared_bits(to_ordered_bits(bits_as<Key>(keys[k]))) ^ first;
          bits |= difference ^ difference >> kRadixBits;  //~ digit-differences
        }
        are_all = true;
#pragma unroll
        for (int digit = 0; digit + 1 < kMaxPasses; ++digit) are_all &= is_independent(digit);
      }
    }

    // Notes the digits that the ones above do not determine in the keys of the block. All threads call it; barriers lie within.
    __device__ __forceinline__ void note(const Arguments& arguments) const {
      unsigned int digits = ~0u;
      if constexpr (kIsUsual) {
        digits = 0;
#pragma unroll
        for (int digit = 0; digit + 1 < kMaxPasses; ++digit) {
          if (__syncthreads_or(is_independent(digit))) digits |= 1u << digit;  //~ independent-digit
        }
      } else {
        __syncthreads();
      }
      if (threadIdx.x == 0) atomicOr(&control_of(arguments).independent_digits, digits);  //~ independent-digits-of-block
    }
  };
{%- endif %}

  // Counts the digits of a key, and those of its bucket by a map that has some, in one of 2^columns_log2 columns.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of_key(const Arguments& arguments, [[maybe_unused]] const Map& map, Key key, int passes,
                                                             int columns_log2, unsigned int column, unsigned int* counters) {
    const Bits bits = to_ordered_bits(key);
    const auto count_digit = [&](int number, unsigned int digit) {
      unsigned int* const of_number = counters + (number * kBins << columns_log2);
      atomicAdd(&of_number[digit << columns_log2 | column], 1u);
    };
#pragma unroll
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      if (kIsUsual || pass < passes) {
        const Digit at = kIsUsual ? Digit{pass * kRadixBits, min(kRadixBits, kKeyBits - pass * kRadixBits)}
                                  : digit_of_pass(arguments, pass);
        count_digit(pass, digit_of(bits, at.bit, at.bits));
      }
    }
    if constexpr (Map::kHasBuckets) {
      const unsigned int bucket = map.bucket_of(key);
      count_digit(kMaxPasses, bucket % kBins);  //~ bucket-digit
      count_digit(kMaxPasses + 1, bucket / kBins);
    }
  }

  // Counts the keys of several chunks from `i` on, which are on their way at once{% if finds_determined_digits %}, and adds them to what digits differ in{% endif %}.
  template <int kChunksAtOnce{% if finds_determined_digits %}, bool kAddsDifferences, bool kIsUsual{% endif %}, typename CountKey>
  static __device__ __forceinline__ void count_chunks(const Chunk* chunks, unsigned long long& i, unsigned long long stride,
                                                      {% if finds_determined_digits %}[[maybe_unused]] DigitDifferences<kIsUsual>& differences, {% endif %}const CountKey& count_key) {
    Chunk loaded[kChunksAtOnce];
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) loaded[c] = chunks[i + c * stride];  //~ loaded-chunks
    i += kChunksAtOnce * stride;
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) {
{%- if finds_determined_digits %}
      if constexpr (kAddsDifferences) differences.add(loaded[c].keys);
{%- endif %}
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) count_key(bits_as<Key>(loaded[c].keys[k]));
    }
  }

  // Counts the keys of chunks, where the array begins at a multiple of theirs. Returns how many those are, of all threads.
  template <bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ unsigned long long count_keys_in_chunks(const Arguments& arguments, unsigned long long thread, unsigned long long stride,
                                                                            {% if finds_determined_digits %}DigitDifferences<kIsUsual>& differences, {% endif %}const CountKey& count_key) {
    // Where it is not usual, code is short.
    constexpr int kChunksAtOnce = kIsUsual ? {{ chunks_at_once }} : 1;
    if (reinterpret_cast<unsigned long long>(arguments.keys_in) % alignof(Chunk) != 0) return 0;
    const Chunk* const chunks = reinterpret_cast<const Chunk*>(arguments.keys_in);
    const unsigned long long chunk_count = arguments.n / kChunkKeys;
    unsigned long long i = thread;
{%- if finds_determined_digits %}
    // The first keys show that digits differ, mostly. No loop has a branch for each chunk: that would keep loads from being on their way.
    if constexpr (kIsUsual) {
      while (!differences.are_all && i + (kChunksAtOnce - 1) * stride < chunk_count) {
        count_chunks<kChunksAtOnce, true>(chunks, i, stride, differences, count_key);
      }
    }
    while (i + (kChunksAtOnce - 1) * stride < chunk_count) count_chunks<kChunksAtOnce, false>(chunks, i, stride, differences, count_key);
    while (i < chunk_count) count_chunks<1, true>(chunks, i, stride, differences, count_key);
{%- else %}
    while (i + (kChunksAtOnce - 1) * stride < chunk_count) count_chunks<kChunksAtOnce>(chunks, i, stride, count_key);
    while (i < chunk_count) count_chunks<1>(chunks, i, stride, count_key);
{%- endif %}
    return chunk_count * kChunkKeys;  //~ keys-in-chunks
  }

  // Adds the block's counters of all columns to the histograms.
  static __device__ __forceinline__ void add_counts(const Arguments& arguments, const unsigned int* counters, unsigned int bin_count, int columns_log2) {
    const unsigned int columns = 1u << columns_log2;
    Count* const bins = &control_of(arguments).bins[0][0];
    for (unsigned int bin = threadIdx.x; bin < bin_count; bin += blockDim.x) {
      unsigned int sum = 0;
      // Neighbouring bins begin at other columns: they would meet in a bank.
      for (unsigned int c = 0; c < columns; ++c) {  //~ columns
        sum += counters[(bin << columns_log2) + (c + bin) % columns];
      }
      if (sum > 0) atomicAdd(&bins[bin], static_cast<Count>(sum));  //~ counts-of-blocks
    }
  }

  // Counts the keys' digits, and those of their buckets by a map that has some.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of(const Arguments& arguments, [[maybe_unused]] const Map& map, unsigned int* counters) {
    const int columns_log2 = kIsUsual ? kUsualColumnsLog2 : arguments.count_columns_log2;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    const int digits = Map::kHasBuckets ? kCountedDigits : passes;
    const unsigned int columns = 1u << columns_log2;
    const unsigned int column = threadIdx.x % columns;{% if fixes_up_ties %}
    KeySample sample = KeySample::of_thread(arguments);{% endif %}
    for (unsigned int i = threadIdx.x; i < digits * kBins * columns; i += blockDim.x) counters[i] = 0;
    __syncthreads();

{%- if finds_determined_digits %}
    DigitDifferences<kIsUsual> differences = DigitDifferences<kIsUsual>::of(arguments);
{%- endif %}
    const auto count_key = [&](Key key) {
      count_digits_of_key<kIsUsual>(arguments, map, key, passes, columns_log2, column, counters);
    };
    const unsigned long long stride = static_cast<unsigned long long>({% if sorts_msd_buckets %}counting_blocks(arguments){% else %}gridDim.x{% endif %}) * blockDim.x;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long counted = count_keys_in_chunks<kIsUsual>(arguments, thread, stride, {% if finds_determined_digits %}differences, {% endif %}count_key);
    for (unsigned long long i = counted + thread; i < arguments.n; i += stride) {  //~ remaining-keys
      const Key key = arguments.keys_in[i];
{%- if finds_determined_digits %}
      const StoredBits stored[1] = {bits_as<StoredBits>(key)};
      differences.add(stored);
{%- endif %}
      count_key(key);
    }
{%- if fixes_up_ties %}
    sample.add(arguments);
{%- endif %}
{%- if finds_determined_digits %}
    differences.note(arguments);
{%- else %}
    __syncthreads();
{%- endif %}

    add_counts(arguments, counters, digits * kBins, columns_log2);
{%- if fixes_up_ties %}
    sample.note(arguments);
{%- endif %}
  }
