// Interleaves concurrent blocks, of which one runs at a time: the seed chooses the next one, and so determines the outcome; used by
// emulator.cpp alone.
#pragma once

#include "block.hpp"

#include <condition_variable>
#include <memory>
#include <vector>

namespace emulator {
namespace {

// Each worker runs one block after another on an OS thread of its own.
class BlockScheduler {
  public:
    BlockScheduler(unsigned workers, uint64_t seed)
        : has_left_(workers, false), wake_(new std::condition_variable[workers]), live_(workers) {
        random_.state = mix(seed) ^ 0x7u;
        owner_ = random_.below(workers);
    }

    // Waits until the worker is chosen for the first time.
    void begin(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        wait(lock, worker);
    }

    // The next three return whether any block can continue. At a barrier: sometimes another worker continues.
    bool pass(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        idle_steps_ = 0;
        if (random_.below(3) == 0) hand_over(lock, worker);
        return true;
    }

    // Between two accesses: another worker continues. It is unknown whether this one waits or works.
    bool interrupt(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        hand_over(lock, worker);
        return true;
    }

    // Another worker continues, because this one only waits; false if all have only waited for long.
    bool pass_idle(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        // A thread that only counts with atomics, and meets no other for long, looks the same for some hundred steps.
        if (++idle_steps_ > 10000 * live_) return false;
        hand_over(lock, worker);
        return true;
    }

    void end(unsigned worker) {
        std::unique_lock<std::mutex> lock(mutex_);
        has_left_[worker] = true;
        idle_steps_ = 0;
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
    unsigned idle_steps_ = 0;
};

}  // namespace
}  // namespace emulator
