// Barriers and warp intrinsics: thin shims over one rendezvous (emulator.cpp), which checks masks,
// kinds and exited lanes. EMULATOR_SITE names the caller in messages.
#pragma once

#include "language.hpp"
#include "sites.hpp"

namespace emulator {

enum class Kind : unsigned char {
    kNone,
    kBarrier,
    kBarrierCount,
    kBarrierAnd,
    kBarrierOr,
    kSyncWarp,
    kBallot,
    kAny,
    kAll,
    kShuffle,
    kShuffleUp,
    kShuffleDown,
    kShuffleXor,
    kMatchAny,
    kMatchAll,
    kReduceAdd,
    kReduceMin,
    kReduceMax,
    kReduceMinSigned,
    kReduceMaxSigned,
    kReduceAnd,
    kReduceOr,
    kReduceXor,
    kPreviousGrid,
};

// Waits for all threads of the block; returns the reduction of `predicate` that `kind` names.
int barrier(Kind kind, int predicate, const char *file, int line);

// Waits for the lanes in `mask`; returns the result of `kind` on their values.
uint64_t collective(Kind kind, unsigned mask, uint64_t value, unsigned argument, unsigned width, const char *file,
                    int line);

unsigned live_lanes();

template <class T>
inline T shuffle(Kind kind, unsigned mask, T value, unsigned argument, int width, const char *file, int line) {
    static_assert(sizeof(T) <= 8, "shuffles move at most eight bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof(T));
    bits = collective(kind, mask, bits, argument, (unsigned)width, file, line);
    memcpy(&value, &bits, sizeof(T));
    return value;
}

}  // namespace emulator

inline void __syncthreads(EMULATOR_SITE) {
    if (emulator::is_out("__syncthreads", "missing", file, line)) return;
    emulator::barrier(emulator::Kind::kBarrier, 0, file, line);
}
inline int __syncthreads_count(int predicate, EMULATOR_SITE) {
    return emulator::barrier(emulator::Kind::kBarrierCount, predicate, file, line);
}
inline int __syncthreads_and(int predicate, EMULATOR_SITE) {
    return emulator::barrier(emulator::Kind::kBarrierAnd, predicate, file, line);
}
inline int __syncthreads_or(int predicate, EMULATOR_SITE) {
    return emulator::barrier(emulator::Kind::kBarrierOr, predicate, file, line);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, EMULATOR_SITE) {
    if (emulator::is_out("__syncwarp", "missing", file, line)) return;
    emulator::collective(emulator::Kind::kSyncWarp, mask, 0, 0, 32, file, line);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, EMULATOR_SITE) {
    return (unsigned)emulator::collective(emulator::Kind::kBallot, mask, predicate != 0, 0, 32, file, line);
}
inline int __any_sync(unsigned mask, int predicate, EMULATOR_SITE) {
    return (int)emulator::collective(emulator::Kind::kAny, mask, predicate != 0, 0, 32, file, line);
}
inline int __all_sync(unsigned mask, int predicate, EMULATOR_SITE) {
    return (int)emulator::collective(emulator::Kind::kAll, mask, predicate != 0, 0, 32, file, line);
}
inline unsigned __activemask() { return emulator::live_lanes(); }

#define EMULATOR_SHUFFLES(T) \
    inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, EMULATOR_SITE) { \
        return emulator::shuffle(emulator::Kind::kShuffle, mask, value, (unsigned)source, width, file, line); \
    } \
    inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, EMULATOR_SITE) { \
        return emulator::shuffle(emulator::Kind::kShuffleUp, mask, value, delta, width, file, line); \
    } \
    inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, EMULATOR_SITE) { \
        return emulator::shuffle(emulator::Kind::kShuffleDown, mask, value, delta, width, file, line); \
    } \
    inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, EMULATOR_SITE) { \
        return emulator::shuffle(emulator::Kind::kShuffleXor, mask, value, (unsigned)lanes, width, file, line); \
    }
EMULATOR_SHUFFLES(int)
EMULATOR_SHUFFLES(unsigned)
EMULATOR_SHUFFLES(long)
EMULATOR_SHUFFLES(unsigned long)
EMULATOR_SHUFFLES(long long)
EMULATOR_SHUFFLES(unsigned long long)
EMULATOR_SHUFFLES(float)
EMULATOR_SHUFFLES(double)
#undef EMULATOR_SHUFFLES

#define EMULATOR_MATCH(T, Bits) \
    inline unsigned __match_any_sync(unsigned mask, T value, EMULATOR_SITE) { \
        return (unsigned)emulator::collective(emulator::Kind::kMatchAny, mask, (Bits)value, 0, 32, file, line); \
    } \
    inline unsigned __match_all_sync(unsigned mask, T value, int *all, EMULATOR_SITE) { \
        unsigned same = (unsigned)emulator::collective(emulator::Kind::kMatchAll, mask, (Bits)value, 0, 32, file, line); \
        *all = same != 0; \
        return same; \
    }
EMULATOR_MATCH(int, unsigned)
EMULATOR_MATCH(unsigned, unsigned)
EMULATOR_MATCH(long, uint64_t)
EMULATOR_MATCH(unsigned long, uint64_t)
EMULATOR_MATCH(long long, uint64_t)
EMULATOR_MATCH(unsigned long long, uint64_t)
#undef EMULATOR_MATCH

#define EMULATOR_REDUCE(name, T, kind) \
    inline T name(unsigned mask, T value, EMULATOR_SITE) { \
        return (T)emulator::collective(emulator::Kind::kind, mask, (unsigned)value, 0, 32, file, line); \
    }
EMULATOR_REDUCE(__reduce_add_sync, unsigned, kReduceAdd)
EMULATOR_REDUCE(__reduce_add_sync, int, kReduceAdd)
EMULATOR_REDUCE(__reduce_min_sync, unsigned, kReduceMin)
EMULATOR_REDUCE(__reduce_min_sync, int, kReduceMinSigned)
EMULATOR_REDUCE(__reduce_max_sync, unsigned, kReduceMax)
EMULATOR_REDUCE(__reduce_max_sync, int, kReduceMaxSigned)
EMULATOR_REDUCE(__reduce_and_sync, unsigned, kReduceAnd)
EMULATOR_REDUCE(__reduce_or_sync, unsigned, kReduceOr)
EMULATOR_REDUCE(__reduce_xor_sync, unsigned, kReduceXor)
#undef EMULATOR_REDUCE
