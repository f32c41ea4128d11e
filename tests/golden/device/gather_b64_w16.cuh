// gather_b64_w16
//
// Gathers items of 64 bytes by positions: items_out[i] = items_in[positions[i]] for i = 0 ... n - 1.
//
//   word   a part of an item that a thread moves at once
//   round  the words that a block moves at once
//
//   gather_b64_w16_kernel<<<any, 256, 0, stream>>>(items_in, positions, items_out, n);
//
// Every position is one of items_in, which items_out does not overlap. Both are aligned to sizeof(Word).
//
// Made by sortsmith 0.1.0 from the template gather; to make it again:
//   sortsmith emit --name gather_b64_w16 --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#ifndef SORTSMITH_V0_1_0_GATHER_B64_W16
#define SORTSMITH_V0_1_0_GATHER_B64_W16
namespace sortsmith {
inline namespace v0_1_0 {

struct gather_b64_w16 {
  using Word = uint4;

  static constexpr unsigned int kItemBytes = 64;
  static constexpr unsigned int kItemWords = kItemBytes / sizeof(Word);
  static constexpr unsigned int kBlockThreads = 256;
  static constexpr unsigned int kWordsPerThread = 4;
  // Words that a block moves at once: neighbouring lanes have neighbouring words, of the same item or of the next one.
  static constexpr unsigned int kRoundWords = kBlockThreads * kWordsPerThread;

  static __device__ __forceinline__ void gather(const Word* __restrict__ items_in,
                                                const unsigned int* __restrict__ positions,
                                                Word* __restrict__ items_out, unsigned long long n) {
    const unsigned long long words = n * kItemWords;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * kRoundWords;
    for (unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kRoundWords; start < words;
         start += stride) {
      const unsigned int round_words = words - start < kRoundWords ? static_cast<unsigned int>(words - start) : kRoundWords;
      // From here on 32 bits count the words: those of the first item that earlier rounds move, then this round's.
      const unsigned long long first_item = start / kItemWords;
      const unsigned int words_before = static_cast<unsigned int>(start % kItemWords);
      Word moved[kWordsPerThread];
#pragma unroll
      for (unsigned int k = 0; k < kWordsPerThread; ++k) {
        const unsigned int word = k * kBlockThreads + threadIdx.x;
        // Past the end the last word is read again, so that no load waits for a branch.
        const unsigned int source = words_before + (word < round_words ? word : round_words - 1);
        const unsigned long long item = positions[first_item + source / kItemWords];
        moved[k] = items_in[item * kItemWords + source % kItemWords];
      }
#pragma unroll
      for (unsigned int k = 0; k < kWordsPerThread; ++k) {
        const unsigned int word = k * kBlockThreads + threadIdx.x;
        if (word < round_words) items_out[start + word] = moved[k];
      }
    }
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(256)
gather_b64_w16_kernel(
    const sortsmith::gather_b64_w16::Word* items_in, const unsigned int* positions,
    sortsmith::gather_b64_w16::Word* items_out, unsigned long long n) {
  sortsmith::gather_b64_w16::gather(items_in, positions, items_out, n);
}
#endif
