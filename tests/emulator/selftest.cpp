// Proves that the emulator bites: right kernels pass under every seed, and each broken one is caught.
//
//     g++ -std=c++17 -O1 -Wall -Wextra -Werror selftest.cpp -lpthread && ./a.out
//     ./a.out --time      measures switches and ballots
//     ./a.out --serve     serves the toy sorts over the protocol of driver.hpp (the test runs it so itself)
//
// The emulator is compiled into this file, so that nothing else needs to be built first.

#include "protocol.cpp"
#include "driver.cpp"
#include "emulator.cpp"

#include <sys/wait.h>
#include <time.h>

#include "../../templates/common/number_at.cuh"
#include "selftest_toys.hpp"

namespace {

using emulator::Guarded;
using emulator::Launch;
using emulator::Report;

int failures = 0;

void check(bool good, const char *what, const char *detail = "") {
    if (good) return;
    ++failures;
    printf("FAILED: %s %s\n", what, detail);
}

constexpr int kSeeds = 50;

Launch launch(unsigned threads, uint64_t seed, unsigned blocks = 1, unsigned shared_bytes = 4096) {
    Launch l;
    l.grid = dim3(blocks);
    l.block = dim3(threads);
    l.shared_bytes = shared_bytes;
    l.seed = seed;
    return l;
}

// -------------------------------------------------------------------------------------------------
// Kernels. `Flaw` is what a mutant lacks or does.

enum class Flaw { kNone, kNoBarrier, kNoLastBarrier, kNoSyncWarp };

// Inclusive sums over the block: each warp through shared memory, then over the warps; then the block
// reverses them through the same memory.
template <Flaw F> void prefix_sum(const unsigned *in, unsigned *out) {
    __shared__ unsigned s_warp[32][32];
    __shared__ unsigned s_totals[32];
    __shared__ unsigned s_all[1024];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = (blockDim.x + 31) / 32;
    const unsigned lanes = min(32u, blockDim.x - warp * 32);
    const unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    unsigned sum = in[t];
    for (unsigned d = 1; d < lanes; d *= 2) {
        s_warp[warp][lane] = sum;
        if (F != Flaw::kNoSyncWarp) __syncwarp(mask);
        const unsigned other = lane >= d ? s_warp[warp][lane - d] : 0;
        __syncwarp(mask);
        sum += other;
    }
    if (lane == lanes - 1) s_totals[warp] = sum;
    if (F != Flaw::kNoBarrier) __syncthreads();
    for (unsigned w = 0; w < warp && w < warps; ++w) sum += s_totals[w];
    s_all[t] = sum;
    if (F != Flaw::kNoLastBarrier) __syncthreads();
    out[t] = s_all[blockDim.x - 1 - t];
}

// Seeds under which a mutant of the prefix sum is caught, either by the emulator or by its result.
template <Flaw F> int caught_prefix_sums(unsigned threads) {
    int caught = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        Guarded<unsigned> in("in", threads), out("out", threads, 1);
        for (unsigned i = 0; i < threads; ++i) in[i] = i * 2654435761u + unsigned(seed);
        in.make_read_only();
        Report r = emulator::run(launch(threads, uint64_t(seed)), [&] { prefix_sum<F>(in.get(), out.get()); });
        bool good = r.ok && out.canaries_hold();
        unsigned sum = 0;
        for (unsigned i = 0; i < threads; ++i) good &= out[threads - 1 - i] == (sum += in[i]);
        if (F == Flaw::kNone) check(good, "prefix sum", r.message);
        caught += !good;
    }
    return caught;
}

template <class F> void must_fail(const char *what, const char *expected, unsigned threads, F kernel) {
    int caught = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        Report r = emulator::run(launch(threads, uint64_t(seed)), kernel);
        caught += !r.ok;
        if (r.ok || !strstr(r.message, expected)) check(false, what, r.ok ? "was not caught" : r.message);
        if (seed == 0) printf("  %s\n    %s\n", what, r.message);
    }
    printf("  %-40s caught under %d of %d seeds\n", what, caught, kSeeds);
}

void test_collectives() {
    for (int seed = 0; seed < kSeeds; ++seed) {
        for (unsigned threads : {1u, 7u, 32u, 45u, 256u, 1000u, 1024u}) {
            Report r = emulator::run(launch(threads, uint64_t(seed)), [&] {
                const unsigned t = threadIdx.x, lane = t % 32, base = t - lane;
                const unsigned lanes = min(32u, threads - base);
                const unsigned mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
                assert(__ballot_sync(~0u, t % 3 == 0) == [&] {
                    unsigned b = 0;
                    for (unsigned i = 0; i < lanes; ++i) b |= unsigned((base + i) % 3 == 0) << i;
                    return b;
                }());
                assert(__any_sync(mask, lane == lanes - 1) == 1);
                assert(__all_sync(mask, lane != lanes - 1) == 0);
                assert(__shfl_sync(mask, t * 10, int(lanes) - 1) == (base + lanes - 1) * 10);
                assert(__shfl_sync(mask, t, 0, 8) == base + lane / 8 * 8);
                assert(__shfl_up_sync(mask, (unsigned long long)t << 40, 1) >> 40 == (lane ? t - 1 : t));
                assert(__shfl_up_sync(mask, t, 4, 8) == (lane % 8 >= 4 ? t - 4 : t));
                const double down = __shfl_down_sync(mask, double(t), 1, 16);
                if (lane % 16 == 15) assert(down == double(t));
                if (lane % 16 != 15 && lane + 1 < lanes) assert(down == double(t + 1));
                const int peer = __shfl_xor_sync(mask, int(t), 1);
                if ((lane ^ 1) < lanes) assert(peer == int(t ^ 1));
                const unsigned same = __match_any_sync(mask, t % 5);
                assert((same >> lane & 1) && __popc(same) <= 7 && !(same & ~mask));
                int all = 0;
                assert(__match_all_sync(mask, 9, &all) == mask && all);
                assert(__reduce_add_sync(mask, 1u) == lanes);
                assert(__reduce_max_sync(mask, -int(t)) == -int(base));
                assert(__syncthreads_count(t % 2 == 0) == int(threads + 1) / 2);
                assert(__syncthreads_and(t < 1024));
                assert(!__syncthreads_or(t > 1024));
                // Halves of a warp go their own way and meet again.
                const unsigned half = lane < 16 ? mask & 0xffff : mask & 0xffff0000;
                if (lane < 16) assert(__reduce_add_sync(half, 2u) == 2 * unsigned(__popc(half)));
                if (lane >= 16) __syncwarp(half);
                __syncwarp();
                assert(__popc(__ballot_sync(half, 1)) == __popc(half));
                // Early exit is legal if no other thread waits for the ones that left.
                if (t % 2) return;
                __syncwarp(mask & 0x55555555);
            });
            check(r.ok, "collectives", r.message);
        }
    }
}

void test_spinning() {
    // A lock held over barriers of the warp, a flag from thread to thread, and tickets between blocks.
    for (int seed = 0; seed < kSeeds; ++seed) {
        unsigned next = 0, ticket = 0, done = 0;
        Launch l = launch(96, uint64_t(seed), 6);
        l.os_threads = seed % 3 + 1;
        Report r = emulator::run(l, [&] {
            __shared__ unsigned s_next;
            if (threadIdx.x == 0) s_next = 0;
            __syncthreads();
            while (atomicAdd(&s_next, 0) != threadIdx.x) {
            }
            atomicAdd(&s_next, 1);
            __syncthreads();
            if (threadIdx.x == 95) {
                while (atomicCAS(&next, blockIdx.x, blockIdx.x) != blockIdx.x) __nanosleep(20);
                ticket = ticket * 10 + blockIdx.x;
                __threadfence();
                atomicExch(&next, blockIdx.x + 1);
            }
            atomicAdd(&done, 1);
        });
        check(r.ok, "spinning", r.message);
        check(ticket == 12345 && done == 6 * 96, "order of tickets");
    }
}

void test_interleaving() {
    // Blocks that wait for the one before them: their order depends on the seed alone.
    std::vector<std::vector<unsigned>> orders;
    bool overtook = false;
    for (int run = 0; run < 2 * kSeeds; ++run) {
        unsigned next = 0;
        std::vector<unsigned> order;
        Launch l = launch(64, uint64_t(run / 2), 12);
        l.os_threads = 4;
        l.is_interleaved = true;
        Report r = emulator::run(l, [&] {
            for (int i = 0; i < 3; ++i) {
                if (threadIdx.x == 0) order.push_back(blockIdx.x);
                __syncthreads();
            }
            if (threadIdx.x == 63) {
                while (atomicOr(&next, 0) != blockIdx.x) {
                }
                atomicAdd(&next, 1);
            }
        });
        check(r.ok && order.size() == 36, "interleaved blocks", r.message);
        for (size_t i = 1; i < order.size(); ++i) overtook |= order[i] < order[i - 1];
        if (run % 2) check(order == orders.back(), "the same seed interleaves equally");
        orders.push_back(order);
    }
    check(overtook && orders.front() != orders.back(), "blocks overtake each other");

    for (int seed = 0; seed < 12; ++seed) {
        unsigned never = 0;
        Launch l = launch(64, uint64_t(seed), 3);
        l.os_threads = unsigned(seed % 3 + 1);
        l.is_interleaved = true;
        Report r = emulator::run(l, [&] {
            __syncthreads();
            while (threadIdx.x % 32 == 5 && atomicOr(&never, 0) == 0) {
            }
            __syncthreads();
        });
        check(!r.ok && strstr(r.message, "no block goes on"), "blocks that wait for ever", r.message);
    }
}

void test_intrinsics() {
    check(__clz(0) == 32 && __clz(1) == 31 && __clzll(1) == 63 && __ffs(0) == 0 && __ffs(8) == 4, "__clz, __ffs");
    check(__brev(1) == 0x80000000u && __brevll(2) == 0x4000000000000000ull, "__brev");
    check(__byte_perm(0x33221100, 0x77665544, 0x7410) == 0x77441100, "__byte_perm");
    check(__funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(0, 1, 1) == 0x80000000u, "__funnelshift");
    check(__funnelshift_lc(5, 6, 32) == 5 && __funnelshift_rc(5, 6, 40) == 6, "__funnelshift clamped");
    check(__umulhi(0x80000000u, 6) == 3 && __popcll(~0ull) == 64, "__umulhi, __popcll");
    check(__float_as_uint(1.0f) == 0x3f800000u && __longlong_as_double(0) == 0, "bit casts");
    int x = 5;
    check(atomicMin(&x, -3) == 5 && atomicMax(&x, 9) == -3 && x == 9, "atomicMin, atomicMax");
}

void test_broken() {
    must_fail("divergent barrier", "divergent barrier", 64, [] {
        if (threadIdx.x < 32)
            __syncthreads();
        else
            __syncthreads();
    });
    must_fail("barrier that some threads miss", "ended", 64, [] {
        if (threadIdx.x != 40) __syncthreads();
    });
    must_fail("barrier within a divergent warp", "wait at", 64, [] {
        if (threadIdx.x == 40)
            __syncwarp();
        else
            __syncthreads();
    });
    must_fail("shuffle from an exited lane", "ended", 32, [] {
        if (threadIdx.x == 3) return;
        (void)__shfl_sync(~0u, threadIdx.x, 3);
    });
    must_fail("mismatched masks", "lane", 32, [] {
        (void)__ballot_sync(threadIdx.x == 7 ? 0x0000ffffu : ~0u, 1);
    });
    must_fail("mismatched kinds", "lane", 32, [] {
        if (threadIdx.x == 7)
            (void)__any_sync(~0u, 1);
        else
            (void)__all_sync(~0u, 1);
    });
    must_fail("lane not in its mask", "not in its own mask", 32, [] { __syncwarp(0xfffe); });
    must_fail("trap", "__trap", 32, [] {
        if (threadIdx.x == 9) __trap();
        __syncthreads();
    });
    must_fail("assertion", "assertion", 32, [] { assert(threadIdx.x != 9); });
    must_fail("division by zero", "division by zero", 32, [] {
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)  // its companion for undefined behaviour is first
        volatile int zero = 0, one = 1;
        one = one / zero;
#else
        emulator::fail("integer division by zero");
#endif
    });
    must_fail("endless recursion", "stack overflow", 32, [] {
        struct Deep {
            __attribute__((noinline)) static int down(volatile int *p) {
                volatile int here[64];
                here[0] = *p;
                return here[0] ? down(here) + here[0] : 0;
            }
        };
        volatile int one = 1;
        (void)Deep::down(&one);
    });
}

void test_memory() {
    Guarded<unsigned> in("keys_in", 100), out("keys_out", 100);
    in.make_read_only();
    must_fail("out-of-bounds global read", "out-of-bounds access of buffer keys_in at element 1", 128, [&] {
        volatile unsigned key = in.get()[threadIdx.x];
        (void)key;
        __syncthreads();
    });
    must_fail("out-of-bounds global write", "buffer keys_out at element 101", 32,
              [&] { out.get()[threadIdx.x == 5 ? 101 : threadIdx.x] = 0; });
    must_fail("write to an input", "read-only input buffer keys_in at element 5", 32, [&] {
        if (threadIdx.x == 5) const_cast<unsigned *>(in.get())[5] = 1;
    });
    // The address sanitizer ends the process instead: test_protocol.
#if !defined(__SANITIZE_ADDRESS__)
    must_fail("out-of-bounds shared write", "byte 4100 of 4096", 32, [] {
        // Complemented, as a constant could be what the guard holds already.
        unsigned &word = reinterpret_cast<unsigned *>(sortsmith_shared)[threadIdx.x == 5 ? 1025 : threadIdx.x];
        word = ~word;
    });
#endif
    {
        Guarded<unsigned> before("before", 10);
        Report r = emulator::run(launch(32, 1), [&] { before.get()[-int(threadIdx.x) - 1] = 0; });
        check(r.ok && !before.canaries_hold(), "write in front of a buffer");
    }
    // Unwritten memory differs from launch to launch, in dynamic and in static shared memory.
    unsigned first[2][2];
    for (unsigned seed = 0; seed < 2; ++seed)
        emulator::run(launch(1, seed), [&] {
            __shared__ unsigned s_never[8];
            memcpy(&first[seed][0], sortsmith_shared + 64, 4);
            first[seed][1] = *const_cast<volatile unsigned *>(&s_never[3]);
        });
    check(first[0][0] != first[1][0] && first[0][1] != first[1][1], "poisoned shared memory");
    check(!emulator::run(launch(1025, 0), [] {}).ok, "too many threads");
}

}  // namespace

#include "selftest_protocol.hpp"

namespace {

// The least processor time of a few tries.
template <class F> double nanoseconds(F work) {
    double least = 1e30;
    for (int i = 0; i < 7; ++i) {
        timespec start, end;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
        work();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        least = min(least, double(end.tv_sec - start.tv_sec) * 1e9 + double(end.tv_nsec - start.tv_nsec));
    }
    return least;
}

void measure() {
    for (uint64_t seed = 0; seed < 6; ++seed) {
        constexpr int kBallots = 1000;
        double yields = nanoseconds([&] {
            emulator::run(launch(256, seed), [] {
                for (int i = 0; i < 4000; ++i) emulator::yield();
            });
        });
        double ballots = nanoseconds([&] {
            emulator::run(launch(256, seed), [] {
                for (int i = 0; i < kBallots; ++i) (void)__ballot_sync(~0u, i & 1);
            });
        });
        double barriers = nanoseconds([&] {
            emulator::run(launch(256, seed), [] {
                for (int i = 0; i < kBallots; ++i) __syncthreads();
            });
        });
        double empty = nanoseconds([&] {
            for (int i = 0; i < 100; ++i) emulator::run(launch(256, seed, 1, 16384), [] {});
        });
        printf("%-13s yield %.1f ns; 256 threads x 1000 ballots %.2f ms (%.1f ns each), barriers %.1f ns each; "
               "empty block %.1f us\n",
               emulator::schedule_name(seed), yields / (256 * 4000.0), ballots / 1e6, ballots / (256 * 1000.0),
               barriers / (256 * 1000.0), empty / 1e5);
    }
}

// Arrays of 2^31 items, of which a negative number of 4 bytes would be an offset, are more than the emulator has room for.
void test_numbers() {
    const int narrow[] = {3, -1, -2147483647 - 1};
    const long long wide[] = {3, -1, -2147483647 - 1};
    for (unsigned i = 0; i < 3; ++i) {
        const auto expected = static_cast<unsigned long long>(wide[i]);
        check(number_at(narrow, 4, true, i) == expected, "a signed number of 4 bytes");
        check(number_at(wide, 8, true, i) == expected, "a signed number of 8 bytes");
        check(number_at(narrow, 4, false, i) == (expected & 0xffffffffu), "an unsigned number of 4 bytes");
        check(number_at(wide, 8, false, i) == expected, "an unsigned number of 8 bytes");
    }
}

}  // namespace

int main(int count, char **arguments) {
    if (count > 1 && !strcmp(arguments[1], "--serve"))
        return emulator::serve(kToys, sizeof kToys / sizeof *kToys);
    if (count > 1 && !strcmp(arguments[1], "--time")) {
        measure();
        return 0;
    }
    test_numbers();
    test_intrinsics();
    test_collectives();
    test_spinning();
    test_interleaving();
    test_broken();
    test_memory();
    for (unsigned threads : {256u, 100u, 33u}) {
        caught_prefix_sums<Flaw::kNone>(threads);
        int barrier = caught_prefix_sums<Flaw::kNoBarrier>(threads);
        int last = caught_prefix_sums<Flaw::kNoLastBarrier>(threads);
        int sync_warp = caught_prefix_sums<Flaw::kNoSyncWarp>(threads);
        printf("  prefix sum of %u: without first barrier caught under %d, last %d, __syncwarp %d of %d seeds\n",
               threads, barrier, last, sync_warp, kSeeds);
        // Some orders of threads happen to be right: ascending ones, for sums of earlier items.
        check(barrier >= kSeeds / 2 && last == kSeeds && sync_warp >= kSeeds / 2, "mutants of the prefix sum");
    }
    test_protocol(arguments[0]);
    printf(failures ? "%d failures\n" : "all good\n", failures);
    return failures != 0;
}
