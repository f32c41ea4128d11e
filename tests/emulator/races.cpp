// Proves that the race detector finds a race of each kind under every seed, whatever the order of threads, and is quiet
// where the same code has the missing order.
//
//     g++ -std=c++17 -O2 -c emulator.cpp instrument.cpp
//     g++ -std=c++17 -O1 -g1 -fsanitize=thread --param tsan-instrument-func-entry-exit=0 -c races.cpp
//     g++ races.o emulator.o instrument.o -lpthread && ./a.out

#include "emulator.hpp"

#include <stdio.h>

namespace {

using emulator::Guarded;
using emulator::Launch;
using emulator::Report;

constexpr int kSeeds = 100;
int failures = 0;

// How often kernels of one kind were found to race.
struct Count {
    int found = 0;
    char message[4000] = "";

    void add(const Report &report) {
        if (report.ok) return;
        ++found;
        memcpy(message, report.message, sizeof message);
    }
};

Launch launch_of(unsigned blocks, unsigned threads, int seed) {
    Launch launch;
    launch.grid = dim3(blocks);
    launch.block = dim3(threads);
    launch.shared_bytes = 4096;
    launch.seed = uint64_t(seed);
    launch.os_threads = blocks;
    launch.detects_races = true;
    return launch;
}

void expect(const char *what, bool races, const char *text, const Count &count) {
    printf("  %-64s %3d of %d seeds\n", what, count.found, kSeeds);
    // Both accesses are named by their lines here.
    const char *const line = strstr(count.message, "races.cpp:");
    const char *const other = line ? strstr(line, "and before it, ") : nullptr;
    const bool says_so = strstr(count.message, "race on ") && strstr(count.message, text) && other && strstr(other, "races.cpp:");
    const bool is_right = races ? count.found == kSeeds && says_so : count.found == 0;
    if (is_right) return;
    ++failures;
    printf("FAILED: %s\n", count.message);
}

// A kernel with a flaw and without: `kernel(flawed, data, flag)`, with arrays of a launch's own.
template <class F>
void try_both(const char *what, const char *text, unsigned blocks, unsigned threads, F kernel) {
    for (int with = 0; with < 2; ++with) {
        const bool flawed = !with;
        Count count;
        for (int seed = 0; seed < kSeeds; ++seed) {
            Guarded<unsigned> data("data", 1024, uint64_t(seed)), flag("flag", 4);
            memset(flag.data(), 0, 16);
            count.add(emulator::run(launch_of(blocks, threads, seed), [&] { kernel(flawed, data.get(), flag.get()); }));
        }
        char name[200];
        snprintf(name, sizeof name, flawed ? "%s" : "  and with it", what);
        expect(name, flawed, text, count);
    }
}

// Reads a value for good, right or wrong.
void use(unsigned value) { __asm__ volatile("" : : "r"(value)); }

unsigned *shared() { return reinterpret_cast<unsigned *>(sortsmith_shared); }

void test_barriers() {
    try_both("a __syncthreads between write and read is missing", "__syncthreads between them", 1, 96, [](bool flawed, unsigned *, unsigned *) {
        shared()[threadIdx.x] = threadIdx.x;
        if (!flawed) __syncthreads();
        use(shared()[95 - threadIdx.x]);
        __syncthreads();
    });
    try_both("a __syncthreads between read and next write is missing", "dynamic shared memory", 1, 96, [](bool flawed, unsigned *, unsigned *) {
        shared()[threadIdx.x] = threadIdx.x;
        __syncthreads();
        const unsigned other = shared()[95 - threadIdx.x];
        if (!flawed) __syncthreads();
        shared()[threadIdx.x] = other;
    });
    try_both("the same in a static shared variable", "static shared", 1, 64, [](bool flawed, unsigned *, unsigned *) {
        __shared__ unsigned s_total;
        if (threadIdx.x == 40) s_total = 7;
        if (!flawed) __syncthreads();
        if (threadIdx.x < 2) use(s_total);
    });
    try_both("the same in an array that the block has to itself", "buffer data at element", 1, 64,
             [](bool flawed, unsigned *data, unsigned *) {
                 data[threadIdx.x] = 1;
                 if (!flawed) __syncthreads();
                 data[threadIdx.x ^ 32] = 2;
             });
    try_both("many read what one wrote, and it writes again too early", "no __sync", 1, 128,
             [](bool flawed, unsigned *, unsigned *) {
                 if (threadIdx.x == 0) shared()[0] = 1;
                 __syncthreads();
                 use(shared()[0]);
                 if (!flawed) __syncthreads();
                 if (threadIdx.x == 0) shared()[0] = 2;
             });
    try_both("several threads write the same value", "write by", 2, 64, [](bool flawed, unsigned *data, unsigned *) {
        if (flawed || (threadIdx.x == 0 && blockIdx.x == 0)) data[5] = 1;
    });
    try_both("the same of a byte; neighbours are no race", "write by", 1, 64, [](bool flawed, unsigned *, unsigned *) {
        sortsmith_shared[flawed ? threadIdx.x / 2 : threadIdx.x] = 1;
    });
}

void test_warps() {
    const char *const lanes = "two lanes of one warp";
    try_both("a __syncwarp is missing, where lanes shuffle and vote", lanes, 1, 32, [](bool flawed, unsigned *, unsigned *) {
        shared()[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1);
        (void)__ballot_sync(~0u, 1);
        (void)__match_any_sync(~0u, threadIdx.x);
        if (!flawed) __syncwarp();
        use(shared()[threadIdx.x ^ 1]);
    });
    try_both("a __syncwarp of other lanes", lanes, 1, 64, [](bool flawed, unsigned *, unsigned *) {
        const unsigned lane = threadIdx.x % 32;
        shared()[threadIdx.x] = lane;
        const unsigned group = flawed ? 4 : 8;
        __syncwarp(((1u << group) - 1) << lane / group * group);
        use(shared()[threadIdx.x ^ 4]);
    });
    try_both("a __syncwarp where a warp's neighbour wrote", "two warps", 1, 64, [](bool flawed, unsigned *, unsigned *) {
        shared()[threadIdx.x] = 1;
        __syncwarp();
        use(shared()[threadIdx.x ^ (flawed ? 32 : 16)]);
    });
}

void test_atomics() {
    try_both("a plain read of what others add to", "atomic", 1, 64, [](bool flawed, unsigned *, unsigned *) {
        if (threadIdx.x == 0) shared()[0] = 0;
        __syncthreads();
        atomicAdd(&shared()[0], 1u);
        if (!flawed) __syncthreads();
        use(shared()[0]);
    });
    try_both("a plain read beside a maximum that changes nothing", "atomic", 1, 64, [](bool flawed, unsigned *, unsigned *) {
        if (threadIdx.x == 0) shared()[0] = 100;
        __syncthreads();
        if (threadIdx.x == 40) atomicMax(&shared()[0], 5u);
        if (!flawed) __syncthreads();
        use(shared()[0]);
    });
    try_both("a plain poll", "flag at element", 2, 32, [](bool flawed, unsigned *, unsigned *flag) {
        if (threadIdx.x != 0) return;
        if (blockIdx.x == 0) {
            atomicExch(flag, 1u);
        } else {
            while (flawed ? *reinterpret_cast<volatile unsigned *>(flag) == 0 : atomicOr(flag, 0u) == 0) __nanosleep(20);
        }
    });
    try_both("atomics of two widths", "atomic of", 2, 32, [](bool flawed, unsigned *, unsigned *flag) {
        if (flawed && blockIdx.x == 0)
            atomicAdd(reinterpret_cast<unsigned long long *>(flag), 1ull);
        else
            atomicAdd(flag, 1u);
    });
    try_both("an atomic on what a plain write of another block set", "write by", 2, 32,
             [](bool flawed, unsigned *, unsigned *flag) {
                 if (threadIdx.x != 0) return;
                 if (flawed && blockIdx.x == 0)
                     *flag = 5;
                 else
                     atomicAdd(flag, 5u);
             });
}

// One block writes, the other one reads once a flag is set.
template <class Before, class After>
void pass_on(unsigned *data, unsigned *flag, Before before, After after) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            before();
            atomicExch(flag, 1u);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicOr(flag, 0u) == 0) __nanosleep(20);
            after();
        }
        __syncthreads();
        use(data[threadIdx.x ^ 1]);
    }
}

void test_fences() {
    const char *const blocks = "nothing orders the two blocks";
    try_both("both fences are missing", blocks, 2, 64, [](bool flawed, unsigned *data, unsigned *flag) {
        const auto fence = [&] {
            if (!flawed) __threadfence();
        };
        pass_on(data, flag, fence, fence);
    });
    try_both("the writer's fence is missing", blocks, 2, 64, [](bool flawed, unsigned *data, unsigned *flag) {
        const auto fence = [&] {
            if (!flawed) __threadfence();
        };
        pass_on(data, flag, fence, [] { __threadfence(); });
    });
    try_both("the reader's fence is missing", blocks, 2, 64, [](bool flawed, unsigned *data, unsigned *flag) {
        const auto fence = [&] {
            if (!flawed) __threadfence();
        };
        pass_on(data, flag, [] { __threadfence(); }, fence);
    });
    const char *const narrow = "reaches only its own block";
    try_both("the writer's fence is one of the block", narrow, 2, 64, [](bool flawed, unsigned *data, unsigned *flag) {
        pass_on(data, flag, [&] { flawed ? __threadfence_block() : __threadfence(); }, [] { __threadfence(); });
    });
    try_both("the reader's fence is one of the block", narrow, 2, 64, [](bool flawed, unsigned *data, unsigned *flag) {
        pass_on(data, flag, [] { __threadfence(); }, [&] { flawed ? __threadfence_block() : __threadfence(); });
    });
    try_both("the flag is set before the fence", blocks, 2, 32, [](bool flawed, unsigned *data, unsigned *flag) {
        if (threadIdx.x) return;
        if (blockIdx.x == 0) {
            *data = 1;
            if (!flawed) __threadfence();
            atomicExch(flag, 1u);
            __threadfence();
        } else {
            while (atomicOr(flag, 0u) == 0) __nanosleep(20);
            __threadfence();
            use(*data);
        }
    });
}

void test_flags_and_chains() {
    try_both("two warps with a flag and no fences of the block", "two warps", 1, 64, [](bool flawed, unsigned *, unsigned *) {
        if (threadIdx.x == 0) shared()[0] = 0;
        __syncthreads();
        if (threadIdx.x == 0) {
            shared()[1] = 5;
            if (!flawed) __threadfence_block();
            atomicExch(&shared()[0], 1u);
        } else if (threadIdx.x == 32) {
            while (atomicOr(&shared()[0], 0u) == 0) __nanosleep(20);
            if (!flawed) __threadfence_block();
            use(shared()[1]);
        }
    });
    try_both("a chain of three blocks, and the middle one has no fences", "nothing orders the two blocks", 3, 32, [](bool flawed, unsigned *data, unsigned *flag) {
        if (threadIdx.x) return;
        const bool has_fences = !flawed || blockIdx.x != 1;
        if (blockIdx.x == 0) *data = 1;
        if (blockIdx.x > 0) {
            while (atomicOr(&flag[blockIdx.x], 0u) == 0) __nanosleep(20);
            if (has_fences) __threadfence();
        }
        if (blockIdx.x == 2) use(*data);
        if (has_fences) __threadfence();
        atomicExch(&flag[blockIdx.x + 1], 1u);
    });
}

// Two or three launches in a row.
template <class F> void try_grids(const char *what, const char *text, bool races, unsigned grids, F kernel) {
    Count count;
    for (int seed = 0; seed < kSeeds; ++seed) {
        Guarded<unsigned> data("data", 1024, uint64_t(seed));
        Report report = {};
        report.ok = true;
        emulator::Stream stream({});
        for (unsigned grid = 0; report.ok && grid < grids; ++grid) {
            Launch launch = launch_of(2, 32, seed);
            launch.stream = &stream;
            launch.is_early = grid > 0;
            report = emulator::run(launch, [&] { kernel(grid, data.get() + 32 * blockIdx.x); });
        }
        count.add(report);
    }
    expect(what, races, text, count);
}

void test_grids() {
    const char *const early = "no wait_for_previous_grid";
    const auto wait = emulator::order_after_previous_grid;
    try_grids("an early grid reads without waiting", early, true, 2, [&](unsigned grid, unsigned *data) {
        if (grid == 0) data[threadIdx.x] = 7;
        if (grid == 1) use(data[threadIdx.x]);
    });
    try_grids("an early grid writes what the one before reads", early, true, 2, [&](unsigned grid, unsigned *data) {
        if (grid == 0) use(data[threadIdx.x]);
        if (grid == 1) data[threadIdx.x] = 7;
    });
    try_grids("  and with a wait", early, false, 3, [&](unsigned grid, unsigned *data) {
        wait();
        if (grid == 0) data[threadIdx.x] = 7;
        if (grid == 2) use(data[threadIdx.x]);
    });
    try_grids("a grid waits for one that has not waited for the first", early, true, 3, [&](unsigned grid, unsigned *data) {
        if (grid == 2) wait();
        if (grid == 0) data[threadIdx.x] = 7;
        if (grid == 2) use(data[threadIdx.x]);
    });
    try_grids("  and reads only what that one wrote", early, false, 3, [&](unsigned grid, unsigned *data) {
        if (grid == 2) wait();
        if (grid == 1) data[threadIdx.x] = 7;
        if (grid == 2) use(data[threadIdx.x]);
    });
    try_grids("  one thread waits, and its block meets it", early, false, 2, [&](unsigned grid, unsigned *data) {
        if (threadIdx.x == 3) wait();
        __syncthreads();
        if (grid == 0) data[threadIdx.x] = 7;
        if (grid == 1) use(data[threadIdx.x]);
    });
}

}  // namespace

int main() {
    test_barriers();
    test_warps();
    test_atomics();
    test_fences();
    test_flags_and_chains();
    test_grids();
    printf(failures ? "%d failures\n" : "all good\n", failures);
    return failures != 0;
}
