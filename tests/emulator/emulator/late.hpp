// The definitions for parts.hpp: copies, grids and words of the running thread; used by emulator.cpp alone.
#pragma once

#include "copies.hpp"
#include "memory.hpp"
#include "words.hpp"

namespace emulator {

namespace {

Block &block_of_caller();
void wait_at(Fiber &f, Kind kind, unsigned mask, const char *file, int line);
void dispatch(Block &b);

}  // namespace

bool has_bulk_copies() { return current && current->run->launch->has_bulk_copies; }

void begin_copy(void *to, const void *from, unsigned bytes, const char *file, int line) {
    Block &b = block_of_caller();
    b.copies->begin(b.running->rank, to, from, bytes, {file, line, __builtin_return_address(0)});
}

void end_copies(const char *, int) {
    Block &b = block_of_caller();
    b.copies->wait(b.running->rank);
}

void init_barrier(uint64_t *word, const char *file, int line) {
    Block &b = block_of_caller();
    b.copies->init_barrier(b.running->rank, b.barriers, word, {file, line, nullptr});
}

void fence_barrier_init(const char *, int) {
    Block &b = block_of_caller();
    b.copies->fence_barrier_init(b.running->rank);
}

void expect_bytes(uint64_t *word, unsigned bytes, const char *file, int line) {
    Block &b = block_of_caller();
    const Site site = {file, line, nullptr};
    b.copies->expect(b.copies->barrier_at(b.running->rank, b.barriers, word, site), bytes, site);
}

void begin_bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *word, const char *file, int line) {
    Block &b = block_of_caller();
    const Site site = {file, line, __builtin_return_address(0)};
    if (!has_bulk_copies()) fail("a bulk copy at %s:%d, which this GPU does not have", file, line);
    if (b.run->launch->is_early && !b.running->has_fenced_global && b.run->launch->stream->has_stored_to(from))
        fail("the bulk copy at %s:%d reads what an earlier grid has stored, and the thread has not fenced global memory "
             "since its wait_for_previous_grid",
             file, line);
    const unsigned rank = b.running->rank;
    Barrier &barrier = b.copies->barrier_at(rank, b.barriers, word, site);
    b.copies->begin_bulk(rank, b.barriers, barrier, to, from, bytes, site);
    if (detecting) b.order.begin_bulk_copy(rank, word, barrier.phase);
}

void prefetch(const void *from, unsigned bytes, const char *file, int line) {
    if (!has_bulk_copies() || bytes == 0) return;
    const unsigned char *const first = static_cast<const unsigned char *>(from);
    const auto is_in_one = [&] {
        std::lock_guard<std::mutex> lock(guarded_mutex);
        for (const GuardedBytes *g = guarded_list; g; g = g->next())
            if (g->has(first) && g->has(first + bytes - 1)) return true;
        return false;
    };
    if (!is_in_one()) fail("the prefetch at %s:%d of %u bytes is not within an array", file, line, bytes);
}

void fence_async_shared(const char *, int) {
    Block &b = block_of_caller();
    b.copies->fence_shared(b.running->rank, b.barriers);
}

void fence_async_global(const char *, int) { block_of_caller().running->has_fenced_global = true; }

bool is_in_flight(const void *address, size_t bytes) { return current && current->copies->is_in_flight(address, bytes); }

void note_access(const void *address, size_t bytes, bool is_write) {
    if (current) current->copies->note_access(current->running->rank, address, bytes, is_write);
}

namespace {

// Whether every thread that could run waits for bytes that have not arrived.
bool all_wait_for_bytes(Block &b) {
    if (b.bulk_waiters <= b.ready.count + b.late.count) return false;
    for (unsigned i = 0; i < b.threads; ++i) {
        Fiber &f = b.fibers[i];
        if (f.ended || f.kind != Kind::kNone) continue;
        if (!f.bulk_word) return false;
        if (b.copies->barrier_at(f.rank, ~uint64_t(0), f.bulk_word, {"", 0, nullptr}).phase % 2 != f.bulk_parity) return false;
    }
    return true;
}

}  // namespace

void wait_for_bytes(uint64_t *word, unsigned parity, const char *file, int line) {
    Block &b = block_of_caller();
    Fiber &f = *b.running;
    const Site site = {file, line, nullptr};
    // Copies land when all threads wait for bytes, or after a while, because other blocks may wait for this one.
    unsigned patience = 1 + b.random.below(4);
    if (b.schedule == Schedule::kPreemptive || b.schedule == Schedule::kLaggard) patience = (4 + patience) * b.threads;
    f.bulk_word = word;
    f.bulk_parity = parity;
    ++b.bulk_waiters;
    for (;;) {
        Barrier &barrier = b.copies->barrier_at(f.rank, b.barriers, word, site);
        // A wait for a parity is one for the phase before, if that is of this parity.
        if (barrier.phase % 2 != parity) break;
        const bool all_wait = all_wait_for_bytes(b);
        if (b.copies->has_copies(barrier) && (all_wait || patience == 0)) {
            b.copies->land_one(barrier);
            continue;
        }
        if (all_wait) {
            if (barrier.is_pending) fail("%s:%d waits for a phase of an mbarrier that no thread has begun", file, line);
            fail("%s:%d waits for %lld bytes %s", file, line, barrier.bytes_left < 0 ? -barrier.bytes_left : barrier.bytes_left,
                 barrier.bytes_left < 0 ? "fewer than were copied" : "more than were copied");
        }
        if (patience) --patience;
        yield();
    }
    f.bulk_word = nullptr;
    --b.bulk_waiters;
    if (detecting) b.order.wait_for_bulk_copies(f.rank, word, b.copies->barrier_at(f.rank, b.barriers, word, site).phase);
}

void wait_for_grid(const char *file, int line) {
    Block &b = block_of_caller();
    Stream *const stream = b.run->launch->stream;
    if (!b.run->launch->is_early) return;
    b.running->has_fenced_global = false;
    if (!b.run->follows_complete)
        fail("%s:%d waits for the previous grid, which began early and did not wait itself: it tells nothing of those before it",
             file, line);
    stream->is_complete = true;
    order_after_previous_grid();
    if (!b.is_early) return;
    wait_at(*b.running, Kind::kPreviousGrid, 0, file, line);
    ++b.at_grid;
    dispatch(b);
}

void release_next_grid(const char *, int) {}

uint64_t poll_word(const void *word, uint64_t now) {
    Block &b = block_of_caller();
    return b.run->words ? b.run->words->poll(word, now, b.number, b.worker) : now;
}

void publish_word(const void *word, size_t bytes, uint64_t value) {
    Block &b = block_of_caller();
    uint64_t before = 0;
    memcpy(&before, word, bytes);
    if (b.run->words) b.run->words->publish(word, before, value, b.number);
}

void changed_word(const void *word, size_t bytes, uint64_t before) {
    Block *const b = current;
    if (!b || !b->run->words) return;
    // All threads that access shared memory are of this block.
    const uintptr_t address = reinterpret_cast<uintptr_t>(word);
    if (address >= b->storage_begin && address < b->storage_end) return;
    uint64_t after = 0;
    memcpy(&after, word, bytes);
    if (bytes < sizeof before) before &= (uint64_t(1) << 8 * bytes) - 1;
    if (after != before)
        b->run->words->publish(word, before, after, b->number);
    else
        b->run->words->see(word, b->worker);
}

void meet_fence() {
    if (current && current->run->words) current->run->words->meet_fence(current->worker);
}

}  // namespace emulator
