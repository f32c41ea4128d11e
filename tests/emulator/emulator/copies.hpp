// Copies that a block has in flight, and the mbarriers that bulk copies complete on; used by emulator.cpp alone.
//
// A copy lands as late as it may: at the wait that covers it. Errors of an earlier landing show as well: from the beginning on the
// destination holds junk, which must be unchanged when the copy lands, and so must the source.
#pragma once

#include "block.hpp"

#include <vector>

namespace emulator {
namespace {

// Where a call is; `code` is an address in it.
struct Site {
    const char *file;
    int line;
    const void *code = nullptr;
};

struct Copy {
    unsigned char *to;
    const unsigned char *from;
    unsigned bytes;
    Site site;
    // The content of the source at the beginning, and behind it the junk that the destination gets.
    std::vector<unsigned char> held;

    const unsigned char *source() const { return held.data(); }
    const unsigned char *junk() const { return held.data() + bytes; }
};

// An mbarrier of one arrival a phase.
struct Barrier {
    uint64_t *word;
    uint64_t pattern;
    bool is_pending;
    bool is_fenced;
    long long bytes_left;
    // Phases that have completed.
    unsigned phase;
    uint16_t initialiser;
    uint64_t block_barriers;
    std::vector<Copy> copies;
};

// The last ordinary store to a word of shared memory: its thread, one up, and how often that had fenced before.
struct Store {
    uint16_t thread;
    uint16_t fences;
};

// Of a block.
class Copies {
  public:
    // Before a block runs: `shared_bytes` of the dynamic shared memory may be accessed.
    void reset(unsigned shared_bytes, uint64_t seed) {
        shared_bytes_ = shared_bytes;
        random_.state = seed;
        if (!is_used_) return;
        is_used_ = false;
        in_flight_ = 0;
        for (std::vector<Copy> &copies : of_threads_) copies.clear();
        barriers_.clear();
        memset(flying_, 0, sizeof flying_);
        memset(stores_, 0, sizeof stores_);
        for (std::vector<uint64_t> &fences : fences_) fences.clear();
    }

    bool is_any_in_flight() const { return in_flight_ != 0; }

    bool is_in_flight(const void *address, size_t bytes) const {
        if (in_flight_ == 0) return false;
        const size_t first = offset_of(address);
        if (first >= kSharedLimit) return false;
        for (size_t word = first / 4; word <= (first + bytes - 1) / 4 && word < kWords; ++word)
            if (flying_[word / 64] >> word % 64 & 1) return true;
        return false;
    }

    void begin(unsigned thread, void *to, const void *from, unsigned bytes, Site site) {
        if (of_threads_.empty()) of_threads_.resize(kMaxThreads);
        of_threads_[thread].push_back(begun("an asynchronous copy", to, from, bytes, bytes, site));
    }

    // All copies of a thread land, the last one first.
    void wait(unsigned thread) {
        if (of_threads_.empty()) return;
        std::vector<Copy> &copies = of_threads_[thread];
        for (; !copies.empty(); copies.pop_back()) {
            land(copies.back());
            if (detecting) check_copied(copies.back().to, copies.back().bytes, Access::kWrite, copies.back().site.code);
        }
    }

    // A thread has come to its end.
    void end_thread(unsigned thread) {
        if (of_threads_.empty() || of_threads_[thread].empty()) return;
        const Copy &first = of_threads_[thread].front();
        fail("the thread ends with %zu copies in flight, the first one from %s:%d: no wait covers them",
             of_threads_[thread].size(), first.site.file, first.site.line);
    }

    // The block's last thread has.
    void end_block() {
        for (const Barrier &barrier : barriers_)
            if (!barrier.copies.empty())
                fail("the block ends with a bulk copy in flight, from %s:%d: no wait covers it",
                     barrier.copies.front().site.file, barrier.copies.front().site.line);
    }

    void init_barrier(unsigned thread, uint64_t block_barriers, uint64_t *word, Site site) {
        if (offset_of(word) >= shared_bytes_ || offset_of(word) % 8)
            fail("the mbarrier at %s:%d is not 8 aligned bytes of dynamic shared memory", site.file, site.line);
        for (const Barrier &other : barriers_)
            if (other.word == word) fail("the mbarrier at %s:%d is initialised already", site.file, site.line);
        is_used_ = true;
        *word = random_.next();
        barriers_.push_back({word, *word, true, false, 0, 0, uint16_t(thread), block_barriers, {}});
    }

    void fence_barrier_init(unsigned thread) {
        for (Barrier &barrier : barriers_) barrier.is_fenced |= barrier.initialiser == thread;
    }

    // The barrier at this word, which the running thread may use.
    Barrier &barrier_at(unsigned thread, uint64_t block_barriers, uint64_t *word, Site site) {
        for (Barrier &barrier : barriers_) {
            if (barrier.word != word) continue;
            if (*word != barrier.pattern)
                fail("the mbarrier that %s:%d uses was overwritten", site.file, site.line);
            if (barrier.initialiser != thread && barrier.block_barriers == block_barriers)
                fail("the mbarrier that %s:%d uses was initialised by thread %u, and no barrier of the block is between",
                     site.file, site.line, barrier.initialiser);
            return barrier;
        }
        fail("the mbarrier that %s:%d uses was not initialised", site.file, site.line);
    }

    void expect(Barrier &barrier, unsigned bytes, Site site) {
        if (bytes >= 1u << 20) fail("%s:%d expects %u bytes, and an mbarrier counts to 2^20 - 1", site.file, site.line, bytes);
        if (!barrier.is_pending)
            fail("%s:%d arrives at an mbarrier for a second time, before its phase has completed", site.file, site.line);
        barrier.is_pending = false;
        barrier.bytes_left += bytes;
        complete_if_done(barrier);
    }

    void begin_bulk(unsigned thread, uint64_t block_barriers, Barrier &barrier, void *to, const void *from, unsigned bytes, Site site) {
        if (bytes == 0 || bytes % 16)
            fail("the bulk copy at %s:%d is of %u bytes, which is no multiple of 16", site.file, site.line, bytes);
        if (!barrier.is_fenced)
            fail("the bulk copy at %s:%d completes on an mbarrier without a fence after its initialisation", site.file, site.line);
        check_fences(thread, block_barriers, to, bytes, site);
        barrier.copies.push_back(begun("a bulk copy", to, from, bytes, 16, site));
    }

    bool has_copies(const Barrier &barrier) const { return !barrier.copies.empty(); }

    // One of a barrier's copies lands.
    void land_one(Barrier &barrier) {
        std::vector<Copy> &copies = barrier.copies;
        std::swap(copies[random_.below(unsigned(copies.size()))], copies.back());
        land(copies.back());
        barrier.bytes_left -= copies.back().bytes;
        copies.pop_back();
        complete_if_done(barrier);
    }

    void fence_shared(unsigned thread, uint64_t block_barriers) {
        if (fences_.empty()) fences_.resize(kMaxThreads);
        is_used_ = true;
        fences_[thread].push_back(block_barriers);
        fence_barrier_init(thread);
    }

    void note_access(unsigned thread, const void *address, size_t bytes, bool is_write) {
        const size_t first = offset_of(address);
        if (first >= kSharedLimit || bytes == 0) return;
        if (is_in_flight(address, bytes)) fail_in_flight(address, bytes, is_write);
        if (!is_write) return;
        is_used_ = true;
        const size_t fences = fences_.empty() ? 0 : fences_[thread].size();
        for (size_t word = first / 4; word <= (first + bytes - 1) / 4 && word < kWords; ++word)
            stores_[word] = {uint16_t(thread + 1), uint16_t(fences)};
    }

  private:
    static constexpr size_t kWords = kSharedLimit / 4;

    static size_t offset_of(const void *address) {
        return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(sortsmith_shared);
    }

    Copy begun(const char *what, void *to, const void *from, unsigned bytes, unsigned alignment, Site site) {
        const size_t offset = offset_of(to);
        if (offset >= shared_bytes_ || bytes > shared_bytes_ - offset)
            fail("%s at %s:%d writes what is not in the dynamic shared memory", what, site.file, site.line);
        if (offset_of(from) < kSharedLimit)
            fail("%s at %s:%d does not read global memory", what, site.file, site.line);
        if (offset % alignment || reinterpret_cast<uintptr_t>(from) % alignment)
            fail("%s at %s:%d is not aligned to %u bytes", what, site.file, site.line, alignment);
        if (is_in_flight(to, bytes))
            fail("%s at %s:%d writes what another one writes that is still in flight", what, site.file, site.line);
        is_used_ = true;
        ++in_flight_;
        mark(offset, bytes, true);
        Copy copy;
        copy.to = static_cast<unsigned char *>(to);
        copy.from = static_cast<const unsigned char *>(from);
        copy.bytes = bytes;
        copy.site = site;
        // Until the landing no other access may touch either.
        if (detecting) {
            check_copied(from, bytes, Access::kRead, site.code);
            check_copied(to, bytes, Access::kWrite, site.code);
        }
        copy.held.resize(2 * bytes);
        memcpy(copy.held.data(), from, bytes);
        fill_junk(copy.held.data() + bytes, bytes, random_.next());
        memcpy(to, copy.junk(), bytes);
        return copy;
    }

    void land(const Copy &copy) {
        if (memcmp(copy.from, copy.source(), copy.bytes))
            fail("the source of the copy at %s:%d has changed before it landed", copy.site.file, copy.site.line);
        if (memcmp(copy.to, copy.junk(), copy.bytes))
            fail("what the copy at %s:%d writes was written by others before it landed", copy.site.file, copy.site.line);
        memcpy(copy.to, copy.source(), copy.bytes);
        mark(offset_of(copy.to), copy.bytes, false);
        --in_flight_;
        // The copies' own writes need no fence.
        for (size_t word = offset_of(copy.to) / 4; word < (offset_of(copy.to) + copy.bytes) / 4; ++word) stores_[word] = {};
    }

    void mark(size_t offset, unsigned bytes, bool is_flying) {
        for (size_t word = offset / 4; word < (offset + bytes) / 4; ++word) {
            if (is_flying)
                flying_[word / 64] |= uint64_t(1) << word % 64;
            else
                flying_[word / 64] &= ~(uint64_t(1) << word % 64);
        }
    }

    void complete_if_done(Barrier &barrier) {
        if (barrier.is_pending || barrier.bytes_left != 0) return;
        if (!barrier.copies.empty())
            fail("more bytes were copied than announced: an mbarrier's phase is complete, and the copy at %s:%d in flight",
                 barrier.copies.front().site.file, barrier.copies.front().site.line);
        barrier.is_pending = true;
        ++barrier.phase;
    }

    // A thread that has stored to a word by ordinary means has fenced since, and a barrier of the block separates that from the copy.
    void check_fences(unsigned thread, uint64_t block_barriers, const void *to, unsigned bytes, Site site) {
        const size_t first = offset_of(to) / 4;
        for (size_t word = first; word < first + bytes / 4 && word < kWords; ++word) {
            const Store store = stores_[word];
            if (store.thread == 0) continue;
            const unsigned other = store.thread - 1u;
            if (fences_.empty() || fences_[other].size() <= store.fences)
                fail("the bulk copy at %s:%d writes byte %zu of shared memory, which thread %u has stored to without a fence since",
                     site.file, site.line, 4 * word, other);
            if (other != thread && fences_[other][store.fences] == block_barriers)
                fail("the bulk copy at %s:%d writes byte %zu of shared memory, and no barrier of the block follows the fence of "
                     "thread %u",
                     site.file, site.line, 4 * word, other);
        }
    }

    [[noreturn]] void fail_in_flight(const void *address, size_t bytes, bool is_write) const {
        const unsigned char *const first = static_cast<const unsigned char *>(address);
        const auto complain = [&](const std::vector<Copy> &copies) {
            for (const Copy &copy : copies)
                if (first < copy.to + copy.bytes && copy.to < first + bytes)
                    fail("a %s of byte %zu of shared memory, which the copy at %s:%d has in flight",
                         is_write ? "write" : "read", offset_of(address), copy.site.file, copy.site.line);
        };
        for (const std::vector<Copy> &copies : of_threads_) complain(copies);
        for (const Barrier &barrier : barriers_) complain(barrier.copies);
        fail("an access of what a copy has in flight");
    }

    unsigned shared_bytes_ = 0;
    bool is_used_ = false;
    unsigned in_flight_ = 0;
    Random random_;
    // Of cp.async, by thread.
    std::vector<std::vector<Copy>> of_threads_;
    std::vector<Barrier> barriers_;
    // A bit for each word of the dynamic shared memory.
    uint64_t flying_[kWords / 64 + 1] = {};
    Store stores_[kWords] = {};
    // For each thread and each of its fences: the block's barriers before it.
    std::vector<std::vector<uint64_t>> fences_;
};

}  // namespace
}  // namespace emulator
