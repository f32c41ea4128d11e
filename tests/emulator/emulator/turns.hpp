// Blocks that run side by side and yet one at a time: the seed decides which goes on, and so the outcome; used by
// emulator.cpp alone.
#pragma once

#include "block.hpp"

#include <condition_variable>
#include <memory>
#include <vector>

namespace emulator {
namespace {

// Each worker runs one block after another on an OS thread of its own.
class Turns {
  public:
    Turns(unsigned workers, uint64_t seed)
        : has_left_(workers, false), wake_(new std::condition_variable[workers]), live_(workers) {
        random_.state = mix(seed) ^ 0x7u;
        owner_ = random_.below(workers);
    }

    // Waits for the first turn.
    void begin(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        wait(lock, worker);
    }

    // These three say whether it makes sense to go on. At a barrier: now and then another worker goes on.
    bool pass(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        idle_turns_ = 0;
        if (random_.below(3) == 0) hand_over(lock, worker);
        return true;
    }

    // Between two accesses: another worker goes on. Whether this one waits or works is not known.
    bool interrupt(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        hand_over(lock, worker);
        return true;
    }

    // Another worker goes on, for this one only waits; false if that is all that any has done for long.
    bool pass_idle(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        // What only counts with atomics, and meets nobody for long, looks the same for some hundred turns.
        if (++idle_turns_ > 10000 * live_) return false;
        hand_over(lock, worker);
        return true;
    }

    void end(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        has_left_[worker] = true;
        idle_turns_ = 0;
        if (--live_ == 0) return;
        owner_ = another(worker);
        wake_[owner_].notify_one();
    }

  private:
    unsigned another(unsigned worker) {
        for (unsigned skip = random_.below(live_ - !has_left_[worker]);;) {
            do worker = unsigned((worker + 1) % has_left_.size());
            while (has_left_[worker]);
            if (skip-- == 0) return worker;
        }
    }
    void hand_over(std::unique_lock<std::mutex> &lock, unsigned worker) {
        if (live_ == 1) return;
        owner_ = another(worker);
        wake_[owner_].notify_one();
        wait(lock, worker);
    }
    void wait(std::unique_lock<std::mutex> &lock, unsigned worker) {
        wake_[worker].wait(lock, [&] { return owner_ == worker; });
    }

    std::mutex mutex_;
    Random random_;
    std::vector<bool> has_left_;
    std::unique_ptr<std::condition_variable[]> wake_;
    unsigned live_;
    unsigned owner_;
    unsigned idle_turns_ = 0;
};

}  // namespace
}  // namespace emulator
