  __device__ __forceinline__ CompositeKey composite_at(unsigned int at) const {
    CompositeKey composite;
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) composite.limb[limb] = storage_.composites[limb][at];
    return composite;
  }

  __device__ __forceinline__ void put_composite(unsigned int at, const CompositeKey& composite) {
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) storage_.composites[limb][at] = composite.limb[limb];
  }
{%- if merging.slots.has_gaps() %}

  // Two words of a limb that lie side by side, from an even position on.
  struct alignas(8) TwoWords {
    unsigned int words[2];
  };

  __device__ __forceinline__ void put_two(unsigned int at, const CompositeKey& first, const CompositeKey& second) {
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) {
      const TwoWords both = { {first.limb[limb], second.limb[limb]} };
      *reinterpret_cast<TwoWords*>(&storage_.composites[limb][at]) = both;
    }
  }
{%- endif %}
{%- if merging.shuffles && merging.has_columns && merging.reads_two_words %}

  __device__ __forceinline__ void two_at(unsigned int at, CompositeKey& first, CompositeKey& second) const {
#pragma unroll
    for (int limb = 0; limb < kCompositeLimbs; ++limb) {
      const TwoWords both = *reinterpret_cast<const TwoWords*>(&storage_.composites[limb][at]);
      first.limb[limb] = both.words[0];
      second.limb[limb] = both.words[1];
    }
  }
{%- endif %}

  // Each thread's items to its own run of the tile.
  __device__ __forceinline__ void run_to_shared(const CompositeKey (&composites)[{{ composites.per_thread }}]) {
    const unsigned int start = thread_ * {{ composites.per_thread }};
#pragma unroll
{%- if merging.slots.has_gaps() %}
    for (int i = 0; i < {{ composites.per_thread }}; i += 2) put_two(Slots::of_run<{{ composites.per_thread }}>(start, i), composites[i], composites[i + 1]);
{%- else %}
    for (int i = 0; i < {{ composites.per_thread }}; ++i) put_composite(Slots::of_run<{{ composites.per_thread }}>(start, i), composites[i]);
{%- endif %}
  }
{%- if !merging.shuffles && merging.has_columns %}

  // And back.
  __device__ __forceinline__ void shared_to_run(CompositeKey (&composites)[{{ composites.per_thread }}]) const {
    const unsigned int start = thread_ * {{ composites.per_thread }};
#pragma unroll
    for (int i = 0; i < {{ composites.per_thread }}; ++i) composites[i] = composite_at(Slots::of_run<{{ composites.per_thread }}>(start, i));
  }
{%- endif %}
