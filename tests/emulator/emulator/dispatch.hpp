// Switches between fibers, the ring of runnable ones, and reports of a block that is stuck; used by emulator.cpp alone.
#pragma once

#include "block.hpp"
#include "copies.hpp"
#include "faults.hpp"
#include "late.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "site_list.hpp"
#include "scheduler.hpp"
#include "words.hpp"

namespace emulator {
namespace {

// Not inlined: with a single switch site the return is predicted.
__attribute__((noinline)) void switch_to(Block &b, Fiber *from, Fiber *to) {
    b.running = to;
    threadIdx = to->index;
#if EMULATOR_ASAN
    b.switching = true;
    __sanitizer_start_switch_fiber(&from->fake_stack, b.stacks.bottom(to->rank), StackPool::kStackBytes);
#endif
    switch_context(from->context, to->context);
#if EMULATOR_ASAN
    __sanitizer_finish_switch_fiber(from->fake_stack, nullptr, nullptr);
    b.switching = false;
#endif
}

[[noreturn]] void switch_to_scheduler(Block &b) {
    b.in_fibers = false;
#if EMULATOR_ASAN
    __sanitizer_start_switch_fiber(nullptr, b.scheduler_stack, b.scheduler_stack_bytes);
#endif
    switch_context(b.running->context, b.scheduler);
    __builtin_unreachable();
}

// Adds one line for each set of threads that wait at the same site.
void append_waiting(Block &b) {
    bool listed[kMaxThreads] = {};
    unsigned groups = 0;
    for (unsigned first = 0; first < b.threads; ++first) {
        const Fiber &f = b.fibers[first];
        if (listed[first] || (f.kind == Kind::kNone && !f.ended)) continue;
        if (++groups > 12) {
            append(b.message, sizeof b.message, "\n  ...");
            return;
        }
        append(b.message, sizeof b.message, "\n  threads");
        unsigned ranges = 0;
        for (unsigned i = first; i < b.threads; ++i) {
            auto same = [&](const Fiber &g) {
                if (f.ended || g.ended) return f.ended == g.ended;
                return f.kind == g.kind && f.mask == g.mask && f.line == g.line && !strcmp(f.file, g.file);
            };
            if (!same(b.fibers[i])) continue;
            unsigned last = i;
            while (last + 1 < b.threads && same(b.fibers[last + 1])) ++last;
            for (unsigned j = i; j <= last; ++j) listed[j] = true;
            if (ranges++ < 10) append(b.message, sizeof b.message, last > i ? " %u-%u" : " %u", i, last);
            if (ranges == 11) append(b.message, sizeof b.message, " ...");
            i = last;
        }
        if (f.ended)
            append(b.message, sizeof b.message, ": ended");
        else if (f.kind <= Kind::kBarrierOr)
            append(b.message, sizeof b.message, ": wait at %s, %s:%d", kKindNames[int(f.kind)], f.file, f.line);
        else
            append(b.message, sizeof b.message, ": wait at %s(mask 0x%08x), %s:%d", kKindNames[int(f.kind)], f.mask,
                   f.file, f.line);
    }
}

[[noreturn]] void abandon(Block &b) {
    b.failed = true;
    switch_to_scheduler(b);
}

[[noreturn]] void fail_waiting(Block &b, const char *format, ...) __attribute__((format(printf, 2, 3)));
[[noreturn]] void fail_waiting(Block &b, const char *format, ...) {
    begin_message(b);
    size_t used = strlen(b.message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b.message + used, sizeof b.message - used, format, arguments);
    va_end(arguments);
    append_waiting(b);
    abandon(b);
}

// ---------------------------------------------------------------------------------------------
// The ring

void push_ready(Block &b, uint16_t rank) {
    (b.fibers[rank].warp == b.laggard ? b.late : b.ready).push_back(rank);
}

// Makes all threads of the block runnable.
void fill_ring(Block &b) {
    uint16_t order[kMaxThreads];
    for (unsigned i = 0; i < b.threads; ++i) order[i] = uint16_t(i);
    switch (b.schedule) {
        case Schedule::kAscending:
            break;
        case Schedule::kDescending:
            for (unsigned i = 0; i < b.threads; ++i) order[i] = uint16_t(b.threads - 1 - i);
            break;
        case Schedule::kLaggard:
            b.laggard = b.random.below(b.warps_count);
            b.random.shuffle(order, b.threads);
            break;
        case Schedule::kWarpByWarp: {
            uint16_t warps[kMaxThreads / kWarpLanes];
            for (unsigned w = 0; w < b.warps_count; ++w) warps[w] = uint16_t(w);
            b.random.shuffle(warps, b.warps_count);
            unsigned filled = 0;
            for (unsigned w = 0; w < b.warps_count; ++w) {
                unsigned first = warps[w] * kWarpLanes;
                unsigned lanes = b.threads - first < kWarpLanes ? b.threads - first : kWarpLanes;
                for (unsigned i = 0; i < lanes; ++i) order[filled + i] = uint16_t(first + i);
                b.random.shuffle(order + filled, lanes);
                filled += lanes;
            }
            break;
        }
        case Schedule::kShuffled:
        case Schedule::kPreemptive:
            b.random.shuffle(order, b.threads);
            break;
    }
    for (unsigned i = 0; i < b.threads; ++i) push_ready(b, order[i]);
}

// Makes lanes of one warp runnable.
void release(Block &b, unsigned warp, unsigned lanes) {
    uint16_t order[kWarpLanes];
    unsigned count = 0;
    for (unsigned rest = lanes; rest; rest &= rest - 1)
        order[count++] = uint16_t(warp * kWarpLanes + unsigned(__builtin_ctz(rest)));
    // Now and then a depth-first warp steps back, or one that polls with ballots would starve the rest.
    bool step_back = ++b.releases % 4096 == 0;
    b.idle_yields = b.spins = 0;
    switch (b.schedule) {
        case Schedule::kAscending:
        case Schedule::kDescending:
        case Schedule::kWarpByWarp:
            if (b.schedule == Schedule::kWarpByWarp) b.random.shuffle(order, count);
            if (step_back)
                for (unsigned i = 0; i < count; ++i) b.ready.push_back(order[i]);
            else if (b.schedule == Schedule::kDescending)
                for (unsigned i = 0; i < count; ++i) b.ready.push_front(order[i]);
            else
                for (unsigned i = count; i > 0; --i) b.ready.push_front(order[i - 1]);
            break;
        case Schedule::kShuffled:
        case Schedule::kLaggard:
            b.random.shuffle(order, count);
            for (unsigned i = 0; i < count; ++i) push_ready(b, order[i]);
            break;
        case Schedule::kPreemptive:
            for (unsigned i = 0; i < count; ++i) b.ready.push_back(order[i]);
            break;
    }
}

// The writes of the kernels before are visible from here on, and the threads that waited for them continue.
void meet_previous_grid(Block &b) {
    b.is_early = false;
    b.switching = true;
    b.run->launch->stream->unprotect();
    b.switching = false;
    uint16_t order[kMaxThreads];
    unsigned count = 0;
    for (unsigned i = 0; i < b.threads; ++i)
        if (!b.fibers[i].ended && b.fibers[i].kind == Kind::kPreviousGrid) order[count++] = uint16_t(i);
    if (b.schedule != Schedule::kAscending) b.random.shuffle(order, count);
    for (unsigned i = 0; i < count; ++i) {
        b.fibers[order[i]].kind = Kind::kNone;
        push_ready(b, order[i]);
    }
    b.at_grid = 0;
    b.idle_yields = b.spins = 0;
}

// Runs the next thread; returns when the calling one is chosen again.
void dispatch(Block &b) {
    // The previous grid ends when no thread can go on without its end, or all do nothing but spin.
    if (b.at_grid && ((b.ready.count == 0 && b.late.count == 0) || b.idle_yields > 4 * b.threads)) meet_previous_grid(b);
    Ring *ring = &b.ready;
    // The laggard also moves when the others do nothing but spin.
    if (b.ready.count == 0 || (b.late.count != 0 && b.idle_yields > 4 * b.threads)) {
        ring = &b.late;
        b.idle_yields = 0;
    }
    if (ring->count == 0) fail_waiting(b, "deadlock: no thread can go on");
    if (b.schedule == Schedule::kPreemptive) {
        uint16_t &chosen = ring->at(b.random.below(ring->count));
        uint16_t front = ring->at(0);
        ring->at(0) = chosen;
        chosen = front;
    }
    Fiber *from = b.running;
    Fiber *to = &b.fibers[ring->pop_front()];
    if (to != from) switch_to(b, from, to);
}

}  // namespace
}  // namespace emulator
