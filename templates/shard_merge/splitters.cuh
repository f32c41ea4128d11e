 public:
  // Finds the run's items below each candidate.
  static __device__ __forceinline__ void search_candidates(const Arguments& arguments) {
    const Bits mask = mask_of(arguments);
    const unsigned long long candidates = static_cast<unsigned long long>(arguments.borders) * arguments.digit_values;
    for (unsigned long long i = thread_of_grid(); i < candidates; i += threads_of_grid()) {  //~ next-of-grid
      const Bits upper = arguments.splitters[i / arguments.digit_values];
      const Bits bound = upper + (Bits(value_of(i, arguments.digit_values)) << arguments.shift);  //~ candidate
      arguments.below[i] = items_before(arguments.keys, arguments.n, mask, [bound](Bits compared) { return compared < bound; });  //~ below-candidate
    }
  }

  // Adds the digit to each splitter: the largest value of a candidate with no more items below it than the target. The sums of a border
  // ascend. So at most one thread finds itself the last one within the target, and it alone reads and writes the border's splitter.
  static __device__ __forceinline__ void narrow_splitters(const Arguments& arguments) {
    const unsigned long long candidates = static_cast<unsigned long long>(arguments.borders) * arguments.digit_values;
    for (unsigned long long i = thread_of_grid(); i < candidates; i += threads_of_grid()) {  //~ next-of-grid
      const unsigned long long border = i / arguments.digit_values;
      const unsigned long long target = arguments.targets[border];
      const unsigned int value = value_of(i, arguments.digit_values);
      if (arguments.sums[i] > target) continue;  //~ within-target
      if (value < arguments.digit_values && arguments.sums[i + 1] <= target) continue;  //~ last-within-target
      arguments.splitters[border] += Bits(value) << arguments.shift;  //~ found-digit
    }
  }

  // Finds the run's items below each splitter, and those equal to it.
  static __device__ __forceinline__ void find_around(const Arguments& arguments) {
    const Bits mask = mask_of(arguments);
    for (unsigned long long border = thread_of_grid(); border < arguments.borders; border += threads_of_grid()) {  //~ next-of-grid
      const Bits splitter = arguments.splitters[border];
      const unsigned long long below = items_before(arguments.keys, arguments.n, mask, [splitter](Bits compared) { return compared < splitter; });  //~ below-splitter
      arguments.around[2 * border] = below;
      arguments.around[2 * border + 1] =
          items_before(arguments.keys + below, arguments.n - below, mask, [splitter](Bits compared) { return compared == splitter; });  //~ equal-to-splitter
    }
  }
{%- if value.is_position %}

  // Writes the positions of the shard's items over all ranks.
  static __device__ __forceinline__ void write_positions(const Arguments& arguments) {
    for (unsigned long long i = thread_of_grid(); i < arguments.n; i += threads_of_grid()) {  //~ next-of-grid
      arguments.positions[i] = arguments.first_position + i;  //~ position-over-ranks
    }
  }
{%- endif %}

 private:
  // What a key is compared by.
  static __device__ __forceinline__ Bits compared_of(Key key, Bits mask) { return compared_bits(to_ordered_bits(key)) & mask; }

  static __device__ __forceinline__ unsigned long long thread_of_grid() {
    return static_cast<unsigned long long>(blockIdx.x) * kBlockThreads + threadIdx.x;
  }

  static __device__ __forceinline__ unsigned long long threads_of_grid() { return static_cast<unsigned long long>(gridDim.x) * kBlockThreads; }

  // The value of a candidate's digit. Candidates have numbers border * digit_values + value - 1.
  static __device__ __forceinline__ unsigned int value_of(unsigned long long candidate, unsigned int digit_values) {
    return static_cast<unsigned int>(candidate % digit_values) + 1;
  }

  // How many of n items come in front of the first one that is_before(compared) is false of: a search by halves in a sorted run.
  template <typename IsBefore>
  static __device__ __forceinline__ unsigned long long items_before(const Key* keys, unsigned long long n, Bits mask, const IsBefore& is_before) {
    unsigned long long least = 0, most = n;
    while (least < most) {
      const unsigned long long half = least + (most - least) / 2;
      if (is_before(compared_of(keys[half], mask))) {
        least = half + 1;
      } else {
        most = half;
      }
    }
    return least;
  }
