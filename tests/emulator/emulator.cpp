// The scheduler and the rendezvous of the emulator: compiled once, linked with every test program.
//
// A block is a set of fibers on one OS thread. A fiber runs until it waits (a barrier or a warp
// intrinsic that is not complete yet), yields (now and then in atomics, always in __nanosleep) or ends;
// then the fiber in front of the ring of runnable ones goes on. The last thread to arrive at a
// rendezvous computes all of its results and puts the waiting threads back into the ring. When no thread
// is runnable and not all have ended, the block is stuck and the report lists the waiting threads.

#include "emulator.hpp"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread uint3 blockDim;
__thread uint3 gridDim;
extern "C" {
__shared__ __align__(16) unsigned char sortsmith_shared[emulator::kSharedLimit];
}

namespace emulator {
__thread int yield_countdown;
__thread bool detecting;
}

#include "emulator/block.hpp"
#include "emulator/copies.hpp"
#include "emulator/dispatch.hpp"
#include "emulator/faults.hpp"
#include "emulator/late.hpp"
#include "emulator/memory.hpp"
#include "emulator/races.hpp"
#include "emulator/rendezvous.hpp"
#include "emulator/scheduler.hpp"
#include "emulator/site_list.hpp"
#include "emulator/words.hpp"

#include <sched.h>

#include <thread>
#include <vector>

namespace emulator {

int barrier(Kind kind, int predicate, const char *file, int line) {
    Block &b = block_of_caller();
    Fiber &f = *b.running;
    wait_at(f, kind, 0, file, line);
    if (b.ended)
        fail_waiting(b, "%s at %s:%d can never complete, for %u of %u threads have ended", kKindNames[int(kind)], file,
                     line, b.ended, b.threads);
    if (b.at_barrier == 0) {
        b.barrier_kind = kind;
        b.barrier_file = file;
        b.barrier_line = line;
        b.barrier_true = 0;
    } else if (kind != b.barrier_kind || !same_location(file, line, b.barrier_file, b.barrier_line)) {
        fail_waiting(b, "divergent barrier: at %s, %s:%d, while others wait at %s, %s:%d", kKindNames[int(kind)], file,
                     line, kKindNames[int(b.barrier_kind)], b.barrier_file, b.barrier_line);
    }
    b.barrier_true += predicate != 0;
    if (++b.at_barrier == b.threads) {
        b.at_barrier = 0;
        ++b.barriers;
        b.idle_yields = b.spins = 0;
        b.barrier_result = kind == Kind::kBarrierAnd  ? b.barrier_true == int(b.threads)
                           : kind == Kind::kBarrierOr ? b.barrier_true != 0
                                                      : b.barrier_true;
        for (unsigned i = 0; i < b.threads; ++i) b.fibers[i].kind = Kind::kNone;
        const bool is_vote = kind != Kind::kBarrier;
        if (detecting && !(is_vote && is_out(kKindNames[int(kind)], "orders nothing", file, line))) b.order.meet_all();
        fill_ring(b);
        if (b.run->scheduler && !b.is_early) reschedule(b, &BlockScheduler::pass);
    }
    dispatch(b);
    return b.barrier_result;
}

uint64_t collective(Kind kind, unsigned mask, uint64_t value, unsigned argument, unsigned width, const char *file,
                    int line) {
    Block &b = block_of_caller();
    Fiber &f = *b.running;
    Warp &w = b.warps[f.warp];
    const unsigned self = 1u << f.lane;
    wait_at(f, kind, mask, file, line);
    // Lanes that a short last warp lacks may be named, as ~0u does.
    const unsigned members = mask & w.present;
    if (!(mask & self))
        fail_waiting(b, "lane %u is not in its own mask 0x%08x of %s at %s:%d", f.lane, mask, kKindNames[int(kind)],
                     file, line);
    if (members & w.ended)
        fail_waiting(b, "%s(mask 0x%08x) at %s:%d waits for lanes 0x%08x, which have ended", kKindNames[int(kind)],
                     mask, file, line, members & w.ended);
    if (width == 0 || width > 32 || (width & (width - 1)))
        fail_waiting(b, "%s at %s:%d: width %u is not a power of two up to 32", kKindNames[int(kind)], file, line,
                     width);

    if (w.waiting == 0) {
        w.kind = kind;
        w.mask = mask;
        w.mixed = false;
    } else if (w.mixed || kind != w.kind || mask != w.mask) {
        w.mixed = true;
        for (unsigned rest = w.waiting & mask; rest; rest &= rest - 1) {
            const Fiber &g = b.fibers[f.warp * kWarpLanes + unsigned(__builtin_ctz(rest))];
            // Each waits for the other, and at different things.
            if ((g.mask & self) && (g.kind != kind || g.mask != mask))
                fail_waiting(b, "lane %u is at %s(mask 0x%08x), %s:%d, and lane %u at %s(mask 0x%08x), %s:%d", f.lane,
                             kKindNames[int(kind)], mask, file, line, g.lane, kKindNames[int(g.kind)], g.mask, g.file,
                             g.line);
        }
    }
    w.waiting |= self;
    w.value[f.lane] = value;
    w.argument[f.lane] = argument;
    w.width[f.lane] = width;

    unsigned arrived = w.waiting;
    if (w.mixed) {
        arrived = 0;
        for (unsigned rest = w.waiting & members; rest; rest &= rest - 1) {
            const Fiber &g = b.fibers[f.warp * kWarpLanes + unsigned(__builtin_ctz(rest))];
            if (g.kind == kind && g.mask == mask) arrived |= 1u << g.lane;
        }
    }
    if ((arrived & members) == members) {
        complete(b, w, kind, members);
        if (detecting && kind == Kind::kSyncWarp) b.order.meet(f.warp, members, w.present);
        w.waiting &= ~members;
        for (unsigned rest = members; rest; rest &= rest - 1)
            b.fibers[f.warp * kWarpLanes + unsigned(__builtin_ctz(rest))].kind = Kind::kNone;
        release(b, f.warp, members);
    }
    dispatch(b);
    return w.result[f.lane];
}

long long ticks() { return (long long)(block_of_caller().ticks++ >> 1); }

unsigned live_lanes() {
    Block &b = block_of_caller();
    const Warp &w = b.warps[b.running->warp];
    return w.present & ~w.ended;
}

void yield() {
    Block *b = current;
    if (!b) return;
    yield_countdown = b->schedule == Schedule::kPreemptive ? 1 + int(b->random.below(4)) : 32;
    if (b->run->stop.load(std::memory_order_relaxed)) fail_waiting(*b, "stopped, for another block failed");
    ++b->idle_yields;
    // Once all have only spun for a while, they wait for a block on another OS thread.
    if (!b->run->scheduler || b->is_early) {
        if (b->idle_yields % (64 * b->threads) == 0) sched_yield();
    } else if (++b->spins % (b->threads / 4 + 1) == 0) {
        if (!reschedule(*b, &BlockScheduler::pass_idle))
            fail_waiting(*b, "no block goes on: each waits for what no other one writes");
    } else if (b->schedule == Schedule::kPreemptive && b->random.below(32) == 0) {
        reschedule(*b, &BlockScheduler::interrupt);
    }
    push_ready(*b, b->running->rank);
    dispatch(*b);
}

void come_between() {
    Block *b = current;
    if (!b || b->random.below(2)) return;
    if (b->run->scheduler && b->random.below(2)) reschedule(*b, &BlockScheduler::interrupt);
    push_ready(*b, b->running->rank);
    dispatch(*b);
}

void fail(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!current) {
        fprintf(stderr, "emulator: %s\n", text);
        abort();
    }
    begin_message(*current);
    append(current->message, sizeof current->message, "%s", text);
    abandon(*current);
}

const char *schedule_name(uint64_t seed) { return kScheduleNames[seed % kSchedules]; }

void fiber_entry() {
    Block &b = *current;
#if EMULATOR_ASAN
    const void *from_stack = nullptr;
    size_t from_bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &from_stack, &from_bytes);
    if (!b.in_fibers) {
        b.scheduler_stack = from_stack;
        b.scheduler_stack_bytes = from_bytes;
    }
    b.switching = false;
#endif
    b.in_fibers = true;
    b.run->call(b.run->kernel);

    Fiber &f = *b.running;
    b.copies->end_thread(f.rank);
    Warp &w = b.warps[f.warp];
    f.ended = true;
    w.ended |= 1u << f.lane;
    ++b.ended;
    b.spins = 0;
    if (b.at_barrier)
        fail_waiting(b, "thread %u ended while others wait at %s, %s:%d", f.rank, kKindNames[int(b.barrier_kind)],
                     b.barrier_file, b.barrier_line);
    for (unsigned rest = w.waiting; rest; rest &= rest - 1) {
        const Fiber &g = b.fibers[f.warp * kWarpLanes + unsigned(__builtin_ctz(rest))];
        if (g.mask >> f.lane & 1)
            fail_waiting(b, "lane %u ended while lane %u waits for it at %s(mask 0x%08x), %s:%d", f.lane, g.lane,
                         kKindNames[int(g.kind)], g.mask, g.file, g.line);
    }
    if (b.ended == b.threads) {
        b.copies->end_block();
        switch_to_scheduler(b);
    }
    dispatch(b);
    __builtin_unreachable();
}

namespace {

// ---------------------------------------------------------------------------------------------
// Launching

// More than the frames of fiber_entry and of what ends a thread.
constexpr size_t kLastFramesBytes = 16 << 10;

// Takes away what the address sanitizer has marked in the uppermost bytes of a stack.
void unmark_stack(Block &b, unsigned rank, size_t bytes) {
#if EMULATOR_ASAN
    __asan_unpoison_memory_region(b.stacks.bottom(rank) + (StackPool::kStackBytes - bytes), bytes);
#else
    (void)b, (void)rank, (void)bytes;
#endif
}

void start_fiber(Block &b, unsigned rank) {
    Fiber &f = b.fibers[rank];
    f.rank = uint16_t(rank);
    f.warp = uint16_t(rank / kWarpLanes);
    f.lane = uint8_t(rank % kWarpLanes);
    f.index = {rank % blockDim.x, rank / blockDim.x % blockDim.y, rank / blockDim.x / blockDim.y};
    f.ended = false;
    f.kind = Kind::kNone;
    f.mask = 0;
    f.file = "";
    f.line = 0;
    f.fake_stack = nullptr;
    f.bulk_word = nullptr;
    f.has_fenced_global = false;
    // The last thread ended in frames that were never left.
    unmark_stack(b, rank, kLastFramesBytes);
    start_context(f.context, b.stacks.top(rank));
}

// Leaves b.failed and b.message.
void run_block(Block &b, uint64_t block) {
    const Launch &launch = *b.run->launch;
    blockIdx = {unsigned(block % launch.grid.x), unsigned(block / launch.grid.x % launch.grid.y),
                unsigned(block / launch.grid.x / launch.grid.y)};
    blockDim = {launch.block.x, launch.block.y, launch.block.z};
    gridDim = {launch.grid.x, launch.grid.y, launch.grid.z};
    b.threads = launch.block.x * launch.block.y * launch.block.z;
    b.warps_count = (b.threads + kWarpLanes - 1) / kWarpLanes;
    b.schedule = Schedule(launch.seed % kSchedules);
    b.random.state = mix(launch.seed) + mix(block ^ 0xb10c);
    b.ticks = mix(launch.seed ^ 0xc10cu) + mix(block);
    b.ended = b.at_barrier = 0;
    b.barriers = 0;
    b.ready.head = b.ready.count = b.late.head = b.late.count = 0;
    b.laggard = ~0u;
    b.releases = b.idle_yields = b.spins = 0;
    b.failed = false;
    b.number = block;
    b.copies->reset(launch.shared_bytes, mix(launch.seed ^ 0xc0b1e5u) + mix(block));
    b.bulk_waiters = b.at_grid = 0;
    b.is_early = launch.is_early;
    if (b.is_early) launch.stream->protect();
    yield_countdown = 32;
    b.stacks.ensure(b.threads);
    for (unsigned w = 0; w < b.warps_count; ++w) {
        unsigned lanes = b.threads - w * kWarpLanes;
        b.warps[w].present = lanes >= kWarpLanes ? ~0u : (1u << lanes) - 1;
        b.warps[w].ended = b.warps[w].waiting = 0;
        b.warps[w].mixed = false;
    }
    for (unsigned i = 0; i < b.threads; ++i) start_fiber(b, i);
    prepare_shared(b, launch.shared_bytes);
    poison_static_shared(b.random.next());
    begin_races_of_block(b, block);

    fill_ring(b);
    Ring &ring = b.ready.count ? b.ready : b.late;
    Fiber *first = &b.fibers[ring.pop_front()];
    b.running = first;
    threadIdx = first->index;
    current = &b;
#if EMULATOR_ASAN
    b.switching = true;
    __sanitizer_start_switch_fiber(&b.scheduler_fake_stack, b.stacks.bottom(first->rank), StackPool::kStackBytes);
#endif
    switch_context(b.scheduler, first->context);
#if EMULATOR_ASAN
    __sanitizer_finish_switch_fiber(b.scheduler_fake_stack, nullptr, nullptr);
#endif
    current = nullptr;
    detecting = false;
    // Threads that were abandoned have left frames anywhere.
    for (unsigned i = 0; b.ended != b.threads && i < b.threads; ++i) unmark_stack(b, i, StackPool::kStackBytes);
    if (launch.is_early) launch.stream->unprotect();
    check_shared(b, launch.shared_bytes);
}

// Blocks, with their stacks, are kept for the next launch.
std::mutex idle_mutex;
struct IdleBlocks {
    std::vector<Block *> blocks;
    ~IdleBlocks() {
        for (Block *b : blocks) delete b;
    }
} idle;

Block *take_block() {
    std::lock_guard<std::mutex> lock(idle_mutex);
    if (idle.blocks.empty()) {
        Block *b = new Block;
        b->copies.reset(new Copies);
        return b;
    }
    Block *b = idle.blocks.back();
    idle.blocks.pop_back();
    return b;
}

void give_block(Block *b) {
    // The next OS thread has another array of shared memory.
    b->canary_from = ~0u;
    std::lock_guard<std::mutex> lock(idle_mutex);
    idle.blocks.push_back(b);
}

void run_blocks(Run &run, unsigned worker) {
    FaultGuard guard;
    Block *b = take_block();
    b->run = &run;
    b->worker = worker;
    if (run.scheduler) run.scheduler->begin(worker);
    for (;;) {
        if (run.stop.load()) break;
        uint64_t block = run.next_block.fetch_add(1);
        if (block >= run.blocks) break;
        guard.start_clock();
        run_block(*b, block);
        std::lock_guard<std::mutex> lock(run.mutex);
        run.report->barriers += b->barriers;
        if (!b->failed) continue;
        if (!run.stop.exchange(true)) {
            run.report->ok = false;
            memcpy(run.report->message, b->message, sizeof b->message);
        }
    }
    if (run.scheduler) run.scheduler->end(worker);
    give_block(b);
}

}  // namespace

void set_fatal_handler(void (*handler)(const char *text)) {
    fatal_handler = handler;
    install_handlers();
}

Report run_erased(const Launch &launch, void (*call)(void *), void *kernel) {
    Report report;
    report.ok = true;
    report.barriers = 0;
    report.message[0] = 0;
    const uint64_t threads = uint64_t(launch.block.x) * launch.block.y * launch.block.z;
    Run run;
    run.launch = &launch;
    run.call = call;
    run.kernel = kernel;
    run.blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
    run.report = &report;
    if (threads == 0 || threads > kMaxThreads || launch.shared_bytes > kSharedLimit || run.blocks == 0) {
        report.ok = false;
        snprintf(report.message, sizeof report.message,
                 "invalid launch: %llu blocks of %llu threads (1 to %u) with %u bytes of shared memory (0 to %u)",
                 (unsigned long long)run.blocks, (unsigned long long)threads, kMaxThreads, launch.shared_bytes,
                 kSharedLimit);
        return report;
    }
    const unsigned workers = unsigned(launch.os_threads < run.blocks ? launch.os_threads : run.blocks);
    BlockScheduler scheduler(workers > 1 ? workers : 1, launch.seed);
    Words words(launch.seed);
    if (launch.is_interleaved || launch.detects_races) {
        run.scheduler = &scheduler;
        run.words = &words;
    }
    const bool was_complete = !launch.stream || launch.stream->is_complete;
    if (launch.stream) launch.stream->is_complete = !launch.is_early;
    run.follows_complete = was_complete;
    begin_races(launch, BlockNumber(run.blocks));
    if (workers <= 1) {
        run_blocks(run, 0);
    } else {
        std::vector<std::thread> pool;
        for (unsigned i = 0; i < workers; ++i) pool.emplace_back([&run, i] { run_blocks(run, i); });
        for (std::thread &worker : pool) worker.join();
    }
    if (launch.stream) launch.stream->look_for_stores();
    return report;
}

}  // namespace emulator

// A device assertion ends its block, not the process.
extern "C" void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) noexcept {
    emulator::fail("assertion `%s` failed in %s, %s:%u", condition, function, file, line);
}
