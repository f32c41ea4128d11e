 public:
  // The expansion of a counting sort: writes the sorted keys from the offset of each key's first one alone. Each block writes a
  // range of the result.
  static __device__ __forceinline__ void expand(const Arguments& arguments) {
    wait_for_previous_grid();
    __shared__ unsigned int ends[2];
{%- if has_key_histogram %}
    __shared__ Count samples[kOffsetSamples];
{%- endif %}
    const Count* const bin_offsets = bin_offsets_of(arguments);
    // Ranges are multiples of a chunk, and so aligned alike.
    const unsigned long long share = (arguments.n + gridDim.x - 1) / gridDim.x;
    const unsigned int most_keys = static_cast<unsigned int>((share + kChunkKeys - 1) / kChunkKeys * kChunkKeys);
    const unsigned long long range_start = static_cast<unsigned long long>(blockIdx.x) * most_keys;
    if (range_start >= arguments.n) return;
    const unsigned long long left = arguments.n - range_start;
    const unsigned int range_keys = left < most_keys ? static_cast<unsigned int>(left) : most_keys;
    // A warp for the first key of the range, another for its last one.
    if (threadIdx.x < 64) {
      const Count offset = static_cast<Count>(range_start + (threadIdx.x < 32 ? 0 : range_keys - 1));
      const unsigned int bin = bin_at_by_warp(bin_offsets, offset);
      if (lane_of(threadIdx.x) == 0) ends[warp_of(threadIdx.x)] = bin;  //~ last-bin
    }
    __syncthreads();
{%- if has_key_histogram %}
    const BinSearch search = search_of(bin_offsets, ends[0], ends[1], samples);
{%- else %}
    const BinSearch search{bin_offsets, ends[0], ends[1]};
{%- endif %}

    const bool is_aligned = reinterpret_cast<unsigned long long>(arguments.keys_out) % sizeof(Chunk) == 0;
    for (unsigned int i = threadIdx.x * kChunkKeys; i < range_keys; i += blockDim.x * kChunkKeys) {
      const Count offset = static_cast<Count>(range_start + i);
      const Chunk chunk = expanded_chunk(arguments, search, offset);
      if (is_aligned && i + kChunkKeys <= range_keys) {
        *reinterpret_cast<Chunk*>(arguments.keys_out + offset) = chunk;
      } else {
#pragma unroll
        for (int k = 0; k < kChunkKeys; ++k) {
          if (i + k < range_keys) arguments.keys_out[offset + k] = bits_as<Key>(chunk.keys[k]);  //~ expanded-key
        }
      }
    }
  }

 private:
  static constexpr unsigned int kKeyValues = 1u << kKeyBits;
{%- if has_key_histogram %}
  static constexpr unsigned int kOffsetSamples = 1024;
  static constexpr unsigned int kFewBins = 64;
{%- endif %}

  static __device__ __forceinline__ const Count* bin_offsets_of(const Arguments& arguments) {
    return {% if has_key_histogram %}histogram_of(arguments){% else %}control_of(arguments).bins[0]{% endif %};
  }

  // The offset behind the last key of a bin.
  static __device__ __forceinline__ Count end_of(const Arguments& arguments, const Count* bin_offsets, unsigned int bin) {
    return bin + 1 < kKeyValues ? bin_offsets[bin + 1] : static_cast<Count>(arguments.n);
  }

  // The bin of the key at an offset, the last one that begins at or before it, which is one of first ... last.
  static __device__ __forceinline__ unsigned int bin_at(const Count* bin_offsets, Count offset, unsigned int first,
                                                        unsigned int last) {
    while (first < last) {
      const unsigned int middle = (first + last + 1) / 2;
      if (bin_offsets[middle] <= offset) {  //~ bin-search
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    return first;
  }

  // How a block finds the bins of its range, which are `first_bin` ... `last_bin`.
  struct BinSearch {
    const Count* bin_offsets;
    unsigned int first_bin;
    unsigned int last_bin;
{%- if has_key_histogram %}
    // Searches begin among a sample of the offsets in shared memory, if the range has more than a few bins: each of 2^shift bins.
    const Count* samples;
    bool samples_offsets;
    unsigned int shift;
    unsigned int last_sample;
{%- endif %}

    // The bin of the key at an offset, which is `from` or one behind it.
    __device__ __forceinline__ unsigned int bin_behind(Count offset, unsigned int from) const {
{%- if has_key_histogram %}
      if (samples_offsets) {
        const unsigned int sample = bin_at(samples, offset, (from - first_bin) >> shift, last_sample);
        const unsigned int first = first_bin + (sample << shift);
        const unsigned int last = sample < last_sample ? first + (1u << shift) - 1 : last_bin;
        return bin_at(bin_offsets, offset, from > first ? from : first, last);
      }
{%- endif %}
      return bin_at(bin_offsets, offset, from, last_bin);
    }
  };
{%- if has_key_histogram %}

  // The search of the block's range, with its sample of offsets. All threads call it; it ends with a barrier where it takes a sample.
  static __device__ __forceinline__ BinSearch search_of(const Count* bin_offsets, unsigned int first_bin, unsigned int last_bin,
                                                        Count (&samples)[kOffsetSamples]) {
    const bool samples_offsets = last_bin - first_bin > kFewBins;
    unsigned int shift = 0;
    while ((last_bin - first_bin) >> shift >= kOffsetSamples) ++shift;
    const unsigned int last_sample = (last_bin - first_bin) >> shift;
    if (samples_offsets) {
      for (unsigned int sample = threadIdx.x; sample <= last_sample; sample += blockDim.x) {
        samples[sample] = bin_offsets[first_bin + (sample << shift)];
      }
      __syncthreads();
    }
    return {bin_offsets, first_bin, last_bin, samples, samples_offsets, shift, last_sample};
  }
{%- endif %}

  // The sorted keys from an offset of the block's range on.
  static __device__ __forceinline__ Chunk expanded_chunk(const Arguments& arguments, const BinSearch& search, Count offset) {
    unsigned int bin = search.bin_behind(offset, search.first_bin);
    Count next = end_of(arguments, search.bin_offsets, bin);
    Chunk chunk;
#pragma unroll
    for (int k = 0; k < kChunkKeys; ++k) chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
    // Of many keys a chunk's are all alike most often.
    if (bin < search.last_bin && offset + kChunkKeys > next) {
#pragma unroll
      for (int k = 1; k < kChunkKeys; ++k) {
        if (bin < search.last_bin && offset + k >= next) {
          // The next bin, most often, or one behind bins that are empty.
          ++bin;
          next = end_of(arguments, search.bin_offsets, bin);
          if (bin < search.last_bin && offset + k >= next) {
            bin = search.bin_behind(offset + k, bin + 1);  //~ next-bin
            next = end_of(arguments, search.bin_offsets, bin);
          }
        }
        chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
      }
    }
    return chunk;
  }

  // The same of all bins, by a warp together, which divides what is left by the number of its lanes in each step.
  static __device__ __forceinline__ unsigned int bin_at_by_warp(const Count* bin_offsets, Count offset) {
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned int first = 0;
    for (unsigned int size = kKeyValues; size > 1;) {
      const unsigned int step = (size + kWarpThreads - 1) / kWarpThreads;
      const unsigned int bin = first + lane * step;
      const bool begins_before = lane * step < size && bin_offsets[bin] <= offset;
      const unsigned int votes = __ballot_sync(~0u, begins_before);
      // The first lane's bin begins at or before the offset: the bins' offsets ascend.
      const unsigned int last = 31 - __clz(votes | 1u);
      first += last * step;
      size = size - last * step < step ? size - last * step : step;
    }
    return first;
  }
