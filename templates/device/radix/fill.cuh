  // Writes the sorted keys from nothing but the place of each key's first one: a key is all of itself. Each block writes
  // its own part of the result.
  static __device__ __forceinline__ void fill(const Arguments& arguments) {
    wait_for_previous_grid();
    __shared__ unsigned int ends[2];
{%- if tallies %}
    __shared__ Count samples[kStartSamples];
{%- endif %}
    const Count* const starts = starts_of(arguments);
    // Parts are whole chunks, and so aligned alike.
    const unsigned long long share = (arguments.n + gridDim.x - 1) / gridDim.x;
    const unsigned int most_keys = static_cast<unsigned int>((share + kChunkKeys - 1) / kChunkKeys * kChunkKeys);
    const unsigned long long part_start = static_cast<unsigned long long>(blockIdx.x) * most_keys;
    if (part_start >= arguments.n) return;
    const unsigned long long left = arguments.n - part_start;
    const unsigned int part_keys = left < most_keys ? static_cast<unsigned int>(left) : most_keys;
    // A warp for the first key of the part, another for its last one.
    if (threadIdx.x < 64) {
      const Count place = static_cast<Count>(part_start + (threadIdx.x < 32 ? 0 : part_keys - 1));
      const unsigned int bin = bin_at_by_warp(starts, place);
      if (threadIdx.x % 32 == 0) ends[threadIdx.x / 32] = bin;  //~ last-bin
    }
    __syncthreads();
    const unsigned int first_bin = ends[0];
    const unsigned int last_bin = ends[1];
{%- if tallies %}
    // Searches begin among so few starts, which are near, if the part has more than a few bins.
    const bool samples_starts = last_bin - first_bin > kFewBins;
    unsigned int shift = 0;
    while ((last_bin - first_bin) >> shift >= kStartSamples) ++shift;
    const unsigned int last_sample = (last_bin - first_bin) >> shift;
    if (samples_starts) {
      for (unsigned int sample = threadIdx.x; sample <= last_sample; sample += blockDim.x) {
        samples[sample] = starts[first_bin + (sample << shift)];
      }
      __syncthreads();
    }
{%- endif %}
    // The bin of the key at a place, which begins with `from` or behind it.
    const auto bin_behind = [&](Count place, unsigned int from) {
{%- if tallies %}
      if (samples_starts) {
        const unsigned int sample = bin_at(samples, place, (from - first_bin) >> shift, last_sample);
        const unsigned int first = first_bin + (sample << shift);
        const unsigned int last = sample < last_sample ? first + (1u << shift) - 1 : last_bin;
        return bin_at(starts, place, from > first ? from : first, last);
      }
{%- endif %}
      return bin_at(starts, place, from, last_bin);
    };

    const bool is_aligned = reinterpret_cast<unsigned long long>(arguments.keys_out) % sizeof(Chunk) == 0;
    for (unsigned int i = threadIdx.x * kChunkKeys; i < part_keys; i += blockDim.x * kChunkKeys) {
      const Count place = static_cast<Count>(part_start + i);
      unsigned int bin = bin_behind(place, first_bin);
      Count next = end_of(arguments, starts, bin);
      Chunk chunk;
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
      // Of many keys a chunk's are all alike most often.
      if (bin < last_bin && place + kChunkKeys > next) {
#pragma unroll
        for (int k = 1; k < kChunkKeys; ++k) {
          if (bin < last_bin && place + k >= next) {
            // The next bin, most often, or one behind bins that are empty.
            ++bin;
            next = end_of(arguments, starts, bin);
            if (bin < last_bin && place + k >= next) {
              bin = bin_behind(place + k, bin + 1);  //~ next-bin
              next = end_of(arguments, starts, bin);
            }
          }
          chunk.keys[k] = bits_as<StoredBits>(to_key(static_cast<Bits>(bin)));
        }
      }
      if (is_aligned && i + kChunkKeys <= part_keys) {
        *reinterpret_cast<Chunk*>(arguments.keys_out + place) = chunk;
      } else {
#pragma unroll
        for (int k = 0; k < kChunkKeys; ++k) {
          if (i + k < part_keys) arguments.keys_out[place + k] = bits_as<Key>(chunk.keys[k]);  //~ expanded-key
        }
      }
    }
  }

 private:
  static constexpr unsigned int kKeyValues = 1u << kKeyBits;
{%- if tallies %}
  static constexpr unsigned int kStartSamples = 1024;
  static constexpr unsigned int kFewBins = 64;
{%- endif %}

  static __device__ __forceinline__ const Count* starts_of(const Arguments& arguments) {
    return {% if tallies %}tallies_of(arguments){% else %}control_of(arguments).bins[0]{% endif %};
  }

  // The place behind the last key of a bin.
  static __device__ __forceinline__ Count end_of(const Arguments& arguments, const Count* starts, unsigned int bin) {
    return bin + 1 < kKeyValues ? starts[bin + 1] : static_cast<Count>(arguments.n);
  }

  // The bin of the key at a place, the last one that begins at or before it, which is one of first ... last.
  static __device__ __forceinline__ unsigned int bin_at(const Count* starts, Count place, unsigned int first,
                                                        unsigned int last) {
    while (first < last) {
      const unsigned int middle = (first + last + 1) / 2;
      if (starts[middle] <= place) {  //~ bin-search
        first = middle;
      } else {
        last = middle - 1;
      }
    }
    return first;
  }

  // The same of all bins, by a warp together: 32 parts a step.
  static __device__ __forceinline__ unsigned int bin_at_by_warp(const Count* starts, Count place) {
    const unsigned int lane = threadIdx.x % 32;
    unsigned int first = 0;
    for (unsigned int size = kKeyValues; size > 1;) {
      const unsigned int step = (size + 31) / 32;
      const unsigned int bin = first + lane * step;
      const bool begins_before = lane * step < size && starts[bin] <= place;
      const unsigned int votes = __ballot_sync(~0u, begins_before);
      // The first lane's bin begins at or before the place: the bins' starts ascend.
      const unsigned int part = 31 - __clz(votes | 1u);
      first += part * step;
      size = size - part * step < step ? size - part * step : step;
    }
    return first;
  }

 public:
