  __device__ __forceinline__ Word word_at(unsigned int at) const {
    Word word;
#pragma unroll
    for (int limb = 0; limb < kWordLimbs; ++limb) word.limb[limb] = storage_.words[limb][at];
    return word;
  }

  __device__ __forceinline__ void put_word(unsigned int at, const Word& word) {
#pragma unroll
    for (int limb = 0; limb < kWordLimbs; ++limb) storage_.words[limb][at] = word.limb[limb];
  }
{%- if merging.slots.has_gaps() %}

  // Two words of a limb that lie side by side, from an even position on.
  struct alignas(8) TwoWords {
    unsigned int words[2];
  };

  __device__ __forceinline__ void put_two(unsigned int at, const Word& first, const Word& second) {
#pragma unroll
    for (int limb = 0; limb < kWordLimbs; ++limb) {
      const TwoWords both = { {first.limb[limb], second.limb[limb]} };
      *reinterpret_cast<TwoWords*>(&storage_.words[limb][at]) = both;
    }
  }
{%- endif %}
{%- if merging.shuffles && merging.has_columns && merging.reads_two_words %}

  __device__ __forceinline__ void two_at(unsigned int at, Word& first, Word& second) const {
#pragma unroll
    for (int limb = 0; limb < kWordLimbs; ++limb) {
      const TwoWords both = *reinterpret_cast<const TwoWords*>(&storage_.words[limb][at]);
      first.limb[limb] = both.words[0];
      second.limb[limb] = both.words[1];
    }
  }
{%- endif %}

  // Each thread's items to its own run of the tile.
  __device__ __forceinline__ void run_to_shared(const Word (&words)[{{ words.per_thread }}]) {
    const unsigned int start = thread_ * {{ words.per_thread }};
#pragma unroll
{%- if merging.slots.has_gaps() %}
    for (int i = 0; i < {{ words.per_thread }}; i += 2) put_two(Slots::of_run<{{ words.per_thread }}>(start, i), words[i], words[i + 1]);
{%- else %}
    for (int i = 0; i < {{ words.per_thread }}; ++i) put_word(Slots::of_run<{{ words.per_thread }}>(start, i), words[i]);
{%- endif %}
  }
{%- if !merging.shuffles && merging.has_columns %}

  // And back.
  __device__ __forceinline__ void shared_to_run(Word (&words)[{{ words.per_thread }}]) const {
    const unsigned int start = thread_ * {{ words.per_thread }};
#pragma unroll
    for (int i = 0; i < {{ words.per_thread }}; ++i) words[i] = word_at(Slots::of_run<{{ words.per_thread }}>(start, i));
  }
{%- endif %}
