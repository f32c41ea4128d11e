// Scalar intrinsics and atomics.
#pragma once

#include <math.h>

#include "detector.hpp"
#include "language.hpp"
#include "sites.hpp"

namespace emulator {

// Lets another thread of the block run, so that a spin loop makes progress.
void yield();

// Atomics, fences and sleeps count down to a yield: a spin loop made of them cannot hang the block, and
// in the pre-emptive schedules another thread comes in between.
extern __thread int yield_countdown;
inline void may_yield() {
    if (--yield_countdown <= 0) yield();
}

// The clock of the running block begins anywhere, as the seed chooses, and goes on by one a call.
long long ticks();

// The running block sees the words that others have published.
void meet_fence();

// After an atomic operation of the running thread on a word: loads by `poll` may see the word's value before it for a while.
void changed_word(const void *word, size_t bytes, uint64_t before);

// Ends the block with this message; the run reports it.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

template <class To, class From>
inline To bit_cast(From from) {
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

}  // namespace emulator

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        // Bit 3 of a selector is defined by the hardware (it repeats the sign bit) and not by CUDA C++.
        unsigned select = selector >> (4 * i) & 0xf;
        unsigned byte = (unsigned)(bytes >> (8 * (select & 7)) & 0xff);
        if (select & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)((((uint64_t)high << 32 | low) << (shift & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
inline unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((uint64_t)x * y >> 32); }
inline int __mulhi(int x, int y) { return (int)((int64_t)x * y >> 32); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}

inline unsigned __float_as_uint(float x) { return emulator::bit_cast<unsigned>(x); }
inline float __uint_as_float(unsigned x) { return emulator::bit_cast<float>(x); }
inline int __float_as_int(float x) { return emulator::bit_cast<int>(x); }
inline float __int_as_float(int x) { return emulator::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return emulator::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return emulator::bit_cast<double>(x); }

template <class T> EMULATOR_ACCESSOR T __ldg(const T *p) { return *p; }
template <class T> EMULATOR_ACCESSOR T __ldca(const T *p) { return *p; }
template <class T> EMULATOR_ACCESSOR T __ldcg(const T *p) { return *p; }
template <class T> EMULATOR_ACCESSOR T __ldcs(const T *p) { return *p; }
template <class T> EMULATOR_ACCESSOR T __ldcv(const T *p) { return *const_cast<const volatile T *>(p); }
template <class T> EMULATOR_ACCESSOR T __ldlu(const T *p) { return *p; }
template <class T> EMULATOR_ACCESSOR void __stcg(T *p, T value) { *p = value; }
template <class T> EMULATOR_ACCESSOR void __stcs(T *p, T value) { *p = value; }
template <class T> EMULATOR_ACCESSOR void __stwb(T *p, T value) { *p = value; }
template <class T> EMULATOR_ACCESSOR void __stwt(T *p, T value) { *p = value; }

#define EMULATOR_MIN_MAX(T) \
    inline T min(T x, T y) { return y < x ? y : x; } \
    inline T max(T x, T y) { return x < y ? y : x; }
EMULATOR_MIN_MAX(int)
EMULATOR_MIN_MAX(unsigned)
EMULATOR_MIN_MAX(long)
EMULATOR_MIN_MAX(unsigned long)
EMULATOR_MIN_MAX(long long)
EMULATOR_MIN_MAX(unsigned long long)
EMULATOR_MIN_MAX(float)
EMULATOR_MIN_MAX(double)
#undef EMULATOR_MIN_MAX
inline unsigned min(unsigned x, int y) { return min(x, (unsigned)y); }
inline unsigned min(int x, unsigned y) { return min((unsigned)x, y); }
inline unsigned max(unsigned x, int y) { return max(x, (unsigned)y); }
inline unsigned max(int x, unsigned y) { return max((unsigned)x, y); }
inline unsigned umin(unsigned x, unsigned y) { return min(x, y); }
inline unsigned umax(unsigned x, unsigned y) { return max(x, y); }

// Sequentially consistent, where CUDA's are relaxed: a missing fence shows as a race alone. A minimum or maximum counts as a
// write where it changes nothing, too.
#define EMULATOR_UNLESS_IN_STEPS(name) \
    if (emulator::is_out(#name, "not atomic", file, line)) return emulator::in_steps(p, change);
#define EMULATOR_CHANGE \
    const auto before = change(p); \
    emulator::changed_word(p, sizeof *p, uint64_t(before)); \
    return before;
#define EMULATOR_ATOMIC_FETCH(name, T, builtin) \
    EMULATOR_ACCESSOR T name(T *p, T value, EMULATOR_SITE) { \
        emulator::may_yield(); \
        const auto change = [value](T *at) __attribute__((always_inline)) { return builtin(at, value, __ATOMIC_SEQ_CST); }; \
        EMULATOR_UNLESS_IN_STEPS(name) \
        EMULATOR_CHANGE \
    }
#define EMULATOR_ATOMIC_CHOOSE(name, T, keep) \
    EMULATOR_ACCESSOR T name(T *p, T value, EMULATOR_SITE) { \
        emulator::may_yield(); \
        const auto change = [value](T *at) __attribute__((always_inline)) { \
            T old = __atomic_fetch_or(at, 0, __ATOMIC_SEQ_CST); \
            while (!(old keep value) && \
                   !__atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) { \
            } \
            return old; \
        }; \
        EMULATOR_UNLESS_IN_STEPS(name) \
        EMULATOR_CHANGE \
    }
#define EMULATOR_ATOMICS(T) \
    EMULATOR_ATOMIC_FETCH(atomicAdd, T, __atomic_fetch_add) \
    EMULATOR_ATOMIC_FETCH(atomicSub, T, __atomic_fetch_sub) \
    EMULATOR_ATOMIC_FETCH(atomicAnd, T, __atomic_fetch_and) \
    EMULATOR_ATOMIC_FETCH(atomicOr, T, __atomic_fetch_or) \
    EMULATOR_ATOMIC_FETCH(atomicXor, T, __atomic_fetch_xor) \
    EMULATOR_ATOMIC_FETCH(atomicExch, T, __atomic_exchange_n) \
    EMULATOR_ATOMIC_CHOOSE(atomicMin, T, <=) \
    EMULATOR_ATOMIC_CHOOSE(atomicMax, T, >=) \
    EMULATOR_ACCESSOR T atomicCAS(T *p, T expected, T value, EMULATOR_SITE) { \
        emulator::may_yield(); \
        const auto change = [expected, value](T *at) __attribute__((always_inline)) { \
            T old = expected; \
            __atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
            return old; \
        }; \
        EMULATOR_UNLESS_IN_STEPS(atomicCAS) \
        EMULATOR_CHANGE \
    }
EMULATOR_ATOMICS(int)
EMULATOR_ATOMICS(unsigned)
EMULATOR_ATOMICS(unsigned long long)
#undef EMULATOR_ATOMICS
#undef EMULATOR_ATOMIC_FETCH
#undef EMULATOR_ATOMIC_CHOOSE
#undef EMULATOR_CHANGE
#undef EMULATOR_UNLESS_IN_STEPS

inline void __threadfence_block() { emulator::order_by_fence(emulator::Scope::kBlock); }
inline void __threadfence() {
    emulator::order_by_fence(emulator::Scope::kDevice);
    emulator::meet_fence();
    emulator::may_yield();
}
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { emulator::yield(); }
inline long long clock64() { return emulator::ticks(); }
[[noreturn]] inline void __trap() { emulator::fail("__trap"); }
