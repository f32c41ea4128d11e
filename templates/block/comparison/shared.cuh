  // Where a position of the tile is in shared memory.
{%- if gap > 0 %} Two words are left out after every {{ period }}, so that threads that read
  // or write their own runs, two words at a time, do not meet in a bank.
{%- endif %}
  static __device__ __forceinline__ unsigned int slot(unsigned int position) {
    return position{% if gap > 0 %} + position / {{ period }} * {{ gap }}{% endif %};
  }

  // The slot so many steps behind a position. Steps over whole gaps are all as long.
  template <unsigned int kStep>
  static __device__ __forceinline__ unsigned int slot_of_step(unsigned int from, unsigned int steps) {
{%- if gap > 0 %}
    if constexpr (kStep % {{ period }} == 0) return slot(from) + steps * slot(kStep);  //~ step-over-gaps
{%- endif %}
    return slot(from + steps * kStep);
  }

  // The slot of a run's item i, of runs of kLength items that follow each other from the tile's beginning. Runs that divide
  // what is between two gaps have none within.
  template <unsigned int kLength>
  static __device__ __forceinline__ unsigned int slot_in_run(unsigned int start, unsigned int i) {
{%- if gap > 0 %}
    if constexpr ({{ period }} % kLength == 0) return slot(start) + i;
{%- endif %}
    return slot(start + i);
  }

  __device__ __forceinline__ Word word_at(unsigned int at) const {
    Word word;
#pragma unroll
    for (int part = 0; part < kWordParts; ++part) word.part[part] = storage_.words[part][at];
    return word;
  }

  __device__ __forceinline__ void put_word(unsigned int at, const Word& word) {
#pragma unroll
    for (int part = 0; part < kWordParts; ++part) storage_.words[part][at] = word.part[part];
  }
{%- if gap > 0 %}

  // Two words of a part that lie side by side, from an even position on.
  struct alignas(8) TwoWords {
    unsigned int words[2];
  };

  __device__ __forceinline__ void put_two(unsigned int at, const Word& first, const Word& second) {
#pragma unroll
    for (int part = 0; part < kWordParts; ++part) {
      const TwoWords both = { {first.part[part], second.part[part]} };
      *reinterpret_cast<TwoWords*>(&storage_.words[part][at]) = both;
    }
  }
{%- endif %}
{%- if shuffles && has_merges && reads_two_words && !merges_by_path %}

  __device__ __forceinline__ void two_at(unsigned int at, Word& first, Word& second) const {
#pragma unroll
    for (int part = 0; part < kWordParts; ++part) {
      const TwoWords both = *reinterpret_cast<const TwoWords*>(&storage_.words[part][at]);
      first.part[part] = both.words[0];
      second.part[part] = both.words[1];
    }
  }
{%- endif %}

  // Each thread's items to its own run of the tile.
  __device__ __forceinline__ void run_to_shared(const Word (&words)[{{ words.per_thread }}]) {
    const unsigned int start = thread_ * {{ words.per_thread }};
#pragma unroll
{%- if gap > 0 %}
    for (int i = 0; i < {{ words.per_thread }}; i += 2) put_two(slot_in_run<{{ words.per_thread }}>(start, i), words[i], words[i + 1]);
{%- else %}
    for (int i = 0; i < {{ words.per_thread }}; ++i) put_word(slot_in_run<{{ words.per_thread }}>(start, i), words[i]);
{%- endif %}
  }
{%- if !shuffles && has_merges && !merges_by_path %}

  // And back.
  __device__ __forceinline__ void shared_to_run(Word (&words)[{{ words.per_thread }}]) const {
    const unsigned int start = thread_ * {{ words.per_thread }};
#pragma unroll
    for (int i = 0; i < {{ words.per_thread }}; ++i) words[i] = word_at(slot_in_run<{{ words.per_thread }}>(start, i));
  }
{%- endif %}
{%- if !compares_truncated_keys && !words.are_packed_pairs %}

  // Turns the sorted tile from blocked to another arrangement.
  template <Arrangement kTo>
  __device__ __forceinline__ void turn(Word (&words)[{{ words.per_thread }}]) {
    if constexpr (kTo != Arrangement::kBlocked) {
      run_to_shared(words);
      if constexpr (kTo == Arrangement::kWarpStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
#pragma unroll
      for (int i = 0; i < {{ words.per_thread }}; ++i) words[i] = word_at(slot_of_step<kStride<kTo>>(position<kTo>(0), i));
    }
  }
{%- endif %}
