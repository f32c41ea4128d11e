{% extends "fragments/file.cuh" %}

{% block summary %}items_out[i] = items_in[positions[i]] for i = 0 ... n - 1.
//
//   word   a part of an item that a thread moves at once
//   round  the words that a block moves at once
//
//   {{ base.name }}_kernel<<<any, {{ threads }}, 0, stream>>>({{ parameters.names }});
//
// Every position is one of items_in, which items_out does not overlap. Both are aligned to sizeof(Word).{% endblock %}

{% block members %}
  using Word = {{ word }};

  static constexpr unsigned int kItemBytes = {{ item_bytes }};
  static constexpr unsigned int kItemWords = kItemBytes / sizeof(Word);
  static constexpr unsigned int kBlockThreads = {{ threads }};
  static constexpr unsigned int kWordsPerThread = {{ words_per_thread }};
  // Words that a block moves at once: neighbouring lanes have neighbouring words, of the same item or of the next one.
  static constexpr unsigned int kRoundWords = kBlockThreads * kWordsPerThread;

  static __device__ __forceinline__ void gather(const Word* __restrict__ items_in,
                                                const unsigned int* __restrict__ positions,
                                                Word* __restrict__ items_out, unsigned long long n) {
    const unsigned long long words = n * kItemWords;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kRoundWords;  //~ grid-stride
    for (unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kRoundWords; start < words;
         start += stride) {  //~ next-round
      const unsigned int round_words = words - start < kRoundWords ? static_cast<unsigned int>(words - start) : kRoundWords;  //~ words-of-round
      // From here on 32 bits count the words: those of the first item that earlier rounds move, then this round's.
      const unsigned long long first_item = start / kItemWords;
      const unsigned int words_before = static_cast<unsigned int>(start % kItemWords);
      Word moved[kWordsPerThread];
#pragma unroll
      for (unsigned int k = 0; k < kWordsPerThread; ++k) {
        const unsigned int word = k * kBlockThreads + threadIdx.x;
        // Past the end the last word is read again, so that no load waits for a branch.
        const unsigned int source = words_before + (word < round_words ? word : round_words - 1);  //~ source-word
        const unsigned long long item = positions[first_item + source / kItemWords];  //~ position-of-item
        moved[k] = items_in[item * kItemWords + source % kItemWords];  //~ word-of-item
      }
#pragma unroll
      for (unsigned int k = 0; k < kWordsPerThread; ++k) {
        const unsigned int word = k * kBlockThreads + threadIdx.x;
        if (word < round_words) items_out[start + word] = moved[k];  //~ written-word
      }
    }
  }
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_kernel({{ parameters.declared }}) {
  sortsmith::{{ base.name }}::gather(items_in, positions, items_out, n);
}
{% endblock %}
