// Toy sorts with the interface of a generated structure: each item counts the items before it; included by selftest.cpp alone.
#pragma once

#include "driver.hpp"

namespace sortsmith {

enum class ToyArrangement { kBlocked, kStriped, kWarpStriped };

inline unsigned toy_position(ToyArrangement arrangement, unsigned threads, unsigned items, unsigned thread, unsigned i) {
    if (arrangement == ToyArrangement::kStriped) return i * threads + thread;
    if (arrangement == ToyArrangement::kWarpStriped) return thread / 32 * 32 * items + i * 32 + thread % 32;
    return thread * items + i;
}

// Sorts the keys and leaves in `from` where each came from; `Barrier` can drop the barrier in the middle.
template <class S, bool Barrier = true>
void toy_rank(typename S::TempStorage &s, typename S::Key (&keys)[S::kItemsPerThread],
              unsigned (&from)[S::kItemsPerThread], ToyArrangement output, int begin, int end, int valid) {
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned threads = S::kBlockThreads, items = S::kItemsPerThread;
    const uint64_t bits = (1ull << (end - begin)) - 1;
    for (unsigned i = 0; i < items; ++i) s.keys[toy_position(S::kInput, threads, items, thread, i)] = keys[i];
    __syncthreads();
    for (unsigned p = thread; p < unsigned(valid); p += threads) {
        unsigned before = 0;
        const uint64_t own = uint64_t(s.keys[p]) >> begin & bits;
        for (unsigned q = 0; q < unsigned(valid); ++q) {
            const uint64_t other = uint64_t(s.keys[q]) >> begin & bits;
            before += other < own || (other == own && q < p);
        }
        s.offsets[before] = p;
    }
    if (Barrier) __syncthreads();
    for (unsigned i = 0; i < items; ++i) {
        const unsigned p = toy_position(output, threads, items, thread, i);
        from[i] = p < unsigned(valid) ? s.offsets[p] % S::kTileItems : 0;
        keys[i] = s.keys[from[i]];
    }
    __syncthreads();
}

// Pairs, in two dimensions and no multiple of 32 threads, with a bit range given at run time.
struct toy_pairs {
    using Arrangement = ToyArrangement;
    using Key = unsigned;
    using Value = unsigned short;
    static constexpr bool kHasValues = true, kIndexValues = false, kStaticBits = false;
    static constexpr int kBlockX = 10, kBlockY = 5, kBlockZ = 1, kBlockThreads = 50;
    static constexpr int kItemsPerThread = 3, kTileItems = 150, kKeyBits = 32;
    static constexpr Arrangement kInput = Arrangement::kStriped, kOutput = Arrangement::kBlocked;
    struct TempStorage {
        unsigned keys[150], offsets[150];
        Value values[150];
    };
    static constexpr int kSharedBytes = sizeof(TempStorage);

    explicit toy_pairs(TempStorage &s) : s_(s) {}
    void Sort(Key (&k)[3], Value (&v)[3]) { sort(k, v, kOutput, 0, 32, 150); }
    void Sort(Key (&k)[3], Value (&v)[3], int valid) { sort(k, v, kOutput, 0, 32, valid); }
    void Sort(Key (&k)[3], Value (&v)[3], int begin, int end) { sort(k, v, kOutput, begin, end, 150); }
    void Sort(Key (&k)[3], Value (&v)[3], int begin, int end, int valid) { sort(k, v, kOutput, begin, end, valid); }
    void SortToStriped(Key (&k)[3], Value (&v)[3]) { sort(k, v, Arrangement::kStriped, 0, 32, 150); }
    void SortToStriped(Key (&k)[3], Value (&v)[3], int begin, int end, int valid) {
        sort(k, v, Arrangement::kStriped, begin, end, valid);
    }

  private:
    void sort(Key (&k)[3], Value (&v)[3], Arrangement output, int begin, int end, int valid) {
        const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
        unsigned from[3];
        for (unsigned i = 0; i < 3; ++i) s_.values[toy_position(kInput, 50, 3, thread, i)] = v[i];
        toy_rank<toy_pairs>(s_, k, from, output, begin, end, valid);
        for (unsigned i = 0; i < 3; ++i) v[i] = s_.values[from[i]];
    }
    TempStorage &s_;
};

// The flaw of a mutant of the toy.
enum class ToyFlaw { kNone, kNoBarrier, kOverrun };

// Positions, with warp-striped input and all bits.
template <ToyFlaw F> struct ToyIndex {
    using Arrangement = ToyArrangement;
    using Key = unsigned char;
    static constexpr bool kHasValues = true, kIndexValues = true, kStaticBits = true;
    static constexpr int kBlockX = 64, kBlockY = 1, kBlockZ = 1, kBlockThreads = 64;
    static constexpr int kItemsPerThread = 2, kTileItems = 128, kKeyBits = 8;
    static constexpr Arrangement kInput = Arrangement::kWarpStriped, kOutput = Arrangement::kStriped;
    struct TempStorage {
        Key keys[128];
        unsigned offsets[128];
    };
    static constexpr int kSharedBytes = sizeof(TempStorage);

    explicit ToyIndex(TempStorage &s) : s_(s) {}
    void Sort(Key (&k)[2], unsigned (&v)[2]) { Sort(k, v, 128); }
    void Sort(Key (&k)[2], unsigned (&v)[2], int valid) {
        if (F == ToyFlaw::kOverrun) sortsmith_shared[kSharedBytes + threadIdx.x] = 1;
        toy_rank<ToyIndex, F != ToyFlaw::kNoBarrier>(s_, k, v, kOutput, 0, 8, valid);
    }

  private:
    TempStorage &s_;
};
using toy_index = ToyIndex<ToyFlaw::kNone>;
using toy_mutant = ToyIndex<ToyFlaw::kNoBarrier>;
using toy_overrun = ToyIndex<ToyFlaw::kOverrun>;

}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(50)
    toy_pairs_tile(const unsigned *__restrict__ keys_in, unsigned *__restrict__ keys_out,
                   const unsigned short *__restrict__ values_in, unsigned short *__restrict__ values_out,
                   unsigned long long n, int begin_bit, int end_bit) {
    extern __shared__ __align__(16) unsigned char sortsmith_shared[];
    using Sorter = sortsmith::toy_pairs;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned long long first = (unsigned long long)blockIdx.x * Sorter::kTileItems;
    const int valid = int(min(n - first, 150ull));
    unsigned keys[3];
    unsigned short values[3];
    for (int i = 0; i < 3; ++i)
        if (i * 50 + int(thread) < valid) {
            keys[i] = keys_in[first + i * 50 + thread];
            values[i] = values_in[first + i * 50 + thread];
        }
    Sorter(reinterpret_cast<Sorter::TempStorage &>(sortsmith_shared)).Sort(keys, values, begin_bit, end_bit, valid);
    for (int i = 0; i < 3; ++i)
        if (int(thread) * 3 + i < valid) {
            keys_out[first + thread * 3 + i] = keys[i];
            values_out[first + thread * 3 + i] = values[i];
        }
}

#define SORTSMITH_ARGUMENTS_tile(field) \
    field(keys_in, 0) field(keys_out, 8) field(values_in, 16) field(values_out, 24) field(n, 40) field(begin_bit, 72) field(end_bit, 76)

static const emulator::Spec kToys[] = {
    SORTSMITH_SPEC_WITH_TILE(toy_pairs),
    SORTSMITH_SPEC(toy_index),
    SORTSMITH_SPEC(toy_mutant),
    SORTSMITH_SPEC(toy_overrun),
};
