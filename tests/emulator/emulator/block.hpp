// The state of a running block, and the seeded choices; used by emulator.cpp alone.
#pragma once

#include "fiber.hpp"
#include "language.hpp"
#include "collectives.hpp"
#include "launch.hpp"
#include "order.hpp"
#include "shadow.hpp"

#include <stdarg.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace emulator {
namespace {

uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct Random {
    uint64_t state = 0;
    uint64_t next() { return mix(state += 0x9e3779b97f4a7c15u); }
    unsigned below(unsigned n) { return unsigned((next() >> 32) * n >> 32); }
    void shuffle(uint16_t *items, unsigned n) {
        for (unsigned i = n; i > 1; --i) {
            unsigned j = below(i);
            uint16_t item = items[i - 1];
            items[i - 1] = items[j];
            items[j] = item;
        }
    }
};

// The choices of the seed about the order of threads. Released lanes go to the front of the ring in the
// depth-first schedules (a warp runs as far as it can) and to its back in the others (all keep step).
enum class Schedule {
    kAscending,   // depth-first from thread 0
    kDescending,  // depth-first from the last thread
    kShuffled,    // a new permutation at each barrier, in step
    kWarpByWarp,  // depth-first, warps and their lanes shuffled
    kPreemptive,  // at every rendezvous and most atomics any runnable thread goes on
    kLaggard,     // shuffled, and one warp moves only when no other can
};
constexpr unsigned kSchedules = 6;
const char *const kScheduleNames[kSchedules] = {"ascending",    "descending", "shuffled",
                                                "warp by warp", "preemptive", "laggard"};

const char *const kKindNames[] = {
    "nothing",         "__syncthreads",     "__syncthreads_count", "__syncthreads_and", "__syncthreads_or",
    "__syncwarp",      "__ballot_sync",     "__any_sync",          "__all_sync",        "__shfl_sync",
    "__shfl_up_sync",  "__shfl_down_sync",  "__shfl_xor_sync",     "__match_any_sync",  "__match_all_sync",
    "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync",
    "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync", "wait_for_previous_grid",
};

struct Fiber {
    Context context;
    uint3 index;
    uint16_t rank;
    uint16_t warp;
    uint8_t lane;
    bool ended;
    // Where the fiber waits; kNone when it can run.
    Kind kind;
    unsigned mask;
    const char *file;
    int line;
    void *fake_stack;
    // The mbarrier that the fiber waits for, if any, and the parity of the phase.
    uint64_t *bulk_word;
    unsigned bulk_parity;
    // Whether it has fenced the ordinary stores of earlier grids from its bulk copies.
    bool has_fenced_global;
};

struct Warp {
    unsigned present;  // lanes that exist
    unsigned ended;
    unsigned waiting;
    // While not mixed, all waiting lanes wait for this kind and mask.
    Kind kind;
    unsigned mask;
    bool mixed;
    uint64_t value[kWarpLanes];
    unsigned argument[kWarpLanes];
    unsigned width[kWarpLanes];
    uint64_t result[kWarpLanes];
};

// Ranks of runnable threads; each is in it at most once.
struct Ring {
    uint16_t items[kMaxThreads];
    unsigned head = 0;
    unsigned count = 0;

    uint16_t &at(unsigned i) { return items[(head + i) % kMaxThreads]; }
    void push_back(uint16_t rank) { at(count++) = rank; }
    void push_front(uint16_t rank) {
        --head;
        ++count;
        at(0) = rank;
    }
    uint16_t pop_front() {
        uint16_t rank = at(0);
        ++head;
        --count;
        return rank;
    }
};

class Copies;
class BlockScheduler;
class Words;

// The state that all OS threads of one launch share.
struct Run {
    const Launch *launch;
    void (*call)(void *);
    void *kernel;
    uint64_t blocks;
    std::atomic<uint64_t> next_block{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    Report *report;
    BlockScheduler *scheduler = nullptr;
    Words *words = nullptr;
    // Whether a wait for the grid before says that all grids before have ended.
    bool follows_complete = true;
};

struct Block {
    Run *run = nullptr;
    StackPool stacks{kMaxThreads};
    Context scheduler;
    void *scheduler_fake_stack = nullptr;
    const void *scheduler_stack = nullptr;
    size_t scheduler_stack_bytes = 0;
    // True while a fiber's stack is in use, so that a signal may abandon it.
    volatile bool in_fibers = false;
    volatile bool switching = false;

    unsigned threads = 0;
    unsigned warps_count = 0;
    Schedule schedule = Schedule::kAscending;
    Random random;
    uint64_t ticks = 0;

    Fiber *running = nullptr;
    unsigned ended = 0;
    Ring ready;
    Ring late;  // runnable threads of the laggard warp
    unsigned laggard = ~0u;
    unsigned releases = 0;
    unsigned idle_yields = 0;
    unsigned worker = 0;
    unsigned spins = 0;  // yields since a thread last met others, or ended

    unsigned at_barrier = 0;
    Kind barrier_kind = Kind::kNone;
    const char *barrier_file = nullptr;
    int barrier_line = 0;
    int barrier_true = 0;
    int barrier_result = 0;
    uint64_t barriers = 0;

    uint64_t number = 0;
    // Copies in flight. They outlive a block that is abandoned, and are forgotten before the next one.
    std::unique_ptr<Copies> copies;
    unsigned bulk_waiters = 0;  // threads that wait for bytes, and are runnable so that they can ask again
    // Of an early launch: no thread goes on from wait_for_previous_grid yet.
    bool is_early = false;
    unsigned at_grid = 0;

    // Shared memory of the running block.
    uintptr_t storage_begin = 0, storage_end = 0;
    // For the race detector: the order of accesses, and this OS thread's shared memory.
    BlockOrder order;
    uintptr_t shared_begin = 0, shared_end = 0;
    std::unique_ptr<Shadow> shared_shadow;

    unsigned canary_from = ~0u;
    bool failed = false;
    char message[sizeof(Report::message)];

    Warp warps[kMaxThreads / kWarpLanes];
    Fiber fibers[kMaxThreads];
};

__thread Block *current;

void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
void append(char *text, size_t size, const char *format, ...) {
    size_t used = strlen(text);
    if (used + 1 >= size) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

// Writes the start of a message: the thread, its site, the seed.
void begin_message(Block &b) {
    b.message[0] = 0;
    append(b.message, sizeof b.message, "block (%u,%u,%u)", blockIdx.x, blockIdx.y, blockIdx.z);
    if (b.running)
        append(b.message, sizeof b.message, ", thread %u (%u,%u,%u)", b.running->rank, b.running->index.x,
               b.running->index.y, b.running->index.z);
    append(b.message, sizeof b.message, ", seed %llu (%s): ", (unsigned long long)b.run->launch->seed,
           kScheduleNames[int(b.schedule)]);
}

}  // namespace
}  // namespace emulator
