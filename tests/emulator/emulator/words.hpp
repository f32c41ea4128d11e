// Relaxed words that become visible late; used by emulator.cpp alone.
#pragma once

#include "block.hpp"

#include <memory>

namespace emulator {
namespace {

// The previous values of recently published words, and the OS threads with blocks that may still see these, for some polls.
// The interleaved blocks of a launch share one; a word becomes visible to all when another one takes its slot.
class Words {
  public:
    explicit Words(uint64_t seed) { random_.state = mix(seed ^ 0x3e1a5edu); }

    void publish(const void *word, uint64_t before, uint64_t value, uint64_t block) {
        if (!entries_) entries_.reset(new Entry[kEntries]());
        entry_of(word) = {word, before, value, block, random_.next(), 1 + random_.below(kMostLatePolls)};
    }

    // The result of a poll by a block on this OS thread, where memory holds `now`. A thread sees no value older than its block has
    // seen, and sees every later store except those of `publish` and of atomic operations.
    uint64_t poll(const void *word, uint64_t now, uint64_t block, unsigned worker) {
        if (!entries_) return now;
        Entry &entry = entry_of(word);
        const uint64_t self = uint64_t(1) << worker % 64;
        if (entry.word != word || entry.value != now || entry.block == block || !(entry.late & self)) return now;
        if (entry.polls_left == 0 || random_.below(4) == 0) {
            entry.late &= ~self;
            return now;
        }
        --entry.polls_left;
        return entry.before;
    }

    // A block on this OS thread has seen the newest value.
    void see(const void *word, unsigned worker) {
        if (!entries_) return;
        Entry &entry = entry_of(word);
        if (entry.word == word) entry.late &= ~(uint64_t(1) << worker % 64);
    }

    // A block on this OS thread has met a fence: whatever was published is visible to it.
    void meet_fence(unsigned worker) {
        if (!entries_) return;
        for (unsigned i = 0; i < kEntries; ++i) entries_[i].late &= ~(uint64_t(1) << worker % 64);
    }

  private:
    static constexpr unsigned kEntries = 1024;
    static constexpr unsigned kMostLatePolls = 8;

    struct Entry {
        const void *word;
        uint64_t before, value, block, late;
        unsigned polls_left;
    };

    Entry &entry_of(const void *word) { return entries_[mix(reinterpret_cast<uintptr_t>(word)) % kEntries]; }

    std::unique_ptr<Entry[]> entries_;
    Random random_;
};

}  // namespace
}  // namespace emulator
