// The happens-before relation of the running blocks' threads, as PTX has it; used by emulator.cpp alone.
//
// Each block that runs has a number of its own, and its threads have clocks, which go up where others may come to know
// a thread's accesses: at a barrier, a __syncwarp and a fence. An access bears its block's number, its thread and the
// clock. A thread knows all accesses with clocks below one that barriers gave to the block, below another
// one for its warp, and below others for single lanes and for threads that it acquired from. Shuffles, votes, matches
// and relaxed atomics order nothing.
#pragma once

#include "detector.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace emulator {

using Clock = uint32_t;
using BlockNumber = uint32_t;

namespace {

// The known accesses of one block: the accesses of all of its threads before `all`, and of these threads before theirs.
struct KnownBlock {
    BlockNumber block;
    Clock all;
    std::vector<std::pair<uint16_t, Clock>> threads;

    bool covers(unsigned rank, Clock clock) const {
        if (clock < all) return true;
        for (const auto &[thread, until] : threads)
            if (thread == rank && clock < until) return true;
        return false;
    }
    void learn(unsigned rank, Clock until) {
        for (auto &[thread, known] : threads)
            if (thread == rank) return void(known = std::max(known, until));
        threads.emplace_back(uint16_t(rank), until);
    }
};

// The knowledge of a thread beside its own block's barriers and its warp's.
struct Knowledge {
    std::vector<KnownBlock> blocks;
    // Of a programmatic launch: whether the grid before has been waited for.
    bool waited = false;

    KnownBlock &of(BlockNumber block) {
        for (KnownBlock &known : blocks)
            if (known.block == block) return known;
        blocks.push_back({block, 0, {}});
        return blocks.back();
    }
    bool covers(BlockNumber block, unsigned rank, Clock clock) const {
        for (const KnownBlock &known : blocks)
            if (known.block == block) return known.covers(rank, clock);
        return false;
    }
    void join(const Knowledge &other) {
        waited |= other.waited;
        for (const KnownBlock &theirs : other.blocks) {
            KnownBlock &ours = of(theirs.block);
            ours.all = std::max(ours.all, theirs.all);
            for (const auto &[thread, until] : theirs.threads) ours.learn(thread, until);
        }
    }
};
using SharedKnowledge = std::shared_ptr<const Knowledge>;

// The order that a value of a word carries: its writer's knowledge at its last fence, and at its last one that reaches other blocks.
struct Release {
    BlockNumber block;
    SharedKnowledge by_any_fence;
    SharedKnowledge by_device_fence;
};
using Releases = std::vector<std::shared_ptr<const Release>>;

// Blocks with accesses before a launch's threads: the ones with numbers below one number or from another one on, up
// to the launch's own.
struct Before {
    BlockNumber below, from;
    bool has(BlockNumber block) const { return block < below || block >= from; }
};

struct LaunchOrder {
    BlockNumber first = 1, end = 1;
    bool programmatic = false;
    bool waited = false;  // one of its threads has waited for the grid before
    Before at_start = {1, 1}, after_wait = {1, 1};

    // The next one in the stream.
    LaunchOrder next(BlockNumber blocks, bool is_programmatic) const {
        LaunchOrder launch;
        launch.first = end;
        launch.end = end + blocks;
        launch.programmatic = is_programmatic;
        launch.at_start = launch.after_wait = {end, end};
        if (!is_programmatic) return launch;
        // It may begin when those before it may have begun, back to the last plain launch.
        const BlockNumber begun = programmatic ? at_start.below : first;
        launch.at_start = {begun, launch.first};
        launch.after_wait = programmatic && !waited ? Before{begun, first} : programmatic ? after_wait : launch.after_wait;
        return launch;
    }
};

struct ThreadOrder {
    Clock clock = 0;
    bool acquired_anything = false;
    Knowledge acquired;
    SharedKnowledge by_any_fence, by_device_fence;
    Releases observed;
};

struct WarpOrder {
    Clock all = 0;
    bool has_partial_meetings = false;  // some, and not all, lanes have met
    Clock known[kWarpLanes][kWarpLanes];
};

// The order of one block's threads.
struct BlockOrder {
    LaunchOrder *launch = nullptr;
    BlockNumber number = 0;
    unsigned thread_count = 0;
    Clock last_clock = 0, barrier = 0;
    bool acquired_anything = false;
    // A fence here, or of a thread that released something, did not reach the other block.
    bool has_narrow_fence = false;
    std::vector<ThreadOrder> threads;
    WarpOrder warps[kMaxThreads / kWarpLanes];
    // Of bulk copies: the mbarrier, its phase, and the clock of the thread that began them, which a wait for that phase makes known.
    struct BulkCopies {
        const void *word;
        unsigned phase;
        uint16_t rank;
        Clock until;
    };
    std::vector<BulkCopies> bulk_copies;

    void begin(LaunchOrder &of, BlockNumber own, unsigned count) {
        launch = &of;
        number = own;
        thread_count = count;
        last_clock = barrier = 1;
        acquired_anything = has_narrow_fence = false;
        threads.assign(count, {});
        bulk_copies.clear();
        for (WarpOrder &warp : warps) {
            warp.all = 0;
            warp.has_partial_meetings = false;
        }
    }

    Clock clock(unsigned rank) const {
        return std::max({threads[rank].clock, warps[rank / kWarpLanes].all, barrier});
    }
    // Until when `rank` knows the accesses of a thread of its warp.
    Clock known_of_lane(unsigned rank, unsigned lane) const {
        const WarpOrder &warp = warps[rank / kWarpLanes];
        const Clock shared = std::max(warp.all, barrier);
        return warp.has_partial_meetings ? std::max(shared, warp.known[rank % kWarpLanes][lane]) : shared;
    }

    // Whether an access of a thread is before `rank`'s current access.
    bool is_before(unsigned rank, BlockNumber block, unsigned other, Clock when) const {
        const ThreadOrder &self = threads[rank];
        if (block == number) {
            if (other == rank || when < barrier) return true;
            if (other / kWarpLanes == rank / kWarpLanes && when < known_of_lane(rank, other % kWarpLanes)) return true;
        } else if (block < launch->first) {
            const bool waits = launch->programmatic && !self.acquired.waited;
            if ((waits ? launch->at_start : launch->after_wait).has(block)) return true;
        }
        return self.acquired_anything && self.acquired.covers(block, other, when);
    }

    void meet_all() {
        barrier = ++last_clock;
        if (acquired_anything) share(0, thread_count, ~0u);
    }

    void meet(unsigned warp, unsigned lanes, unsigned present) {
        WarpOrder &w = warps[warp];
        const unsigned first = warp * kWarpLanes;
        if (acquired_anything) share(first, std::min(first + kWarpLanes, thread_count), lanes);
        const Clock now = last_clock + 1;
        if (lanes == present) {
            w.all = last_clock = now;
            return;
        }
        if (!w.has_partial_meetings) memset(w.known, 0, sizeof w.known);
        Clock joined[kWarpLanes] = {};
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            for (unsigned k = 0; k < kWarpLanes; ++k) joined[k] = std::max(joined[k], w.known[lane][k]);
            threads[first + lane].clock = now;
        }
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            joined[lane] = now;
        }
        for (unsigned lane = 0; lane < kWarpLanes; ++lane)
            if (lanes >> lane & 1) memcpy(w.known[lane], joined, sizeof joined);
        w.has_partial_meetings = true;
        last_clock = now;
    }

    void fence(unsigned rank, Scope scope) {
        ThreadOrder &self = threads[rank];
        acquire(self, scope);
        const Clock now = ++last_clock;
        auto known = std::make_shared<Knowledge>(self.acquired);
        KnownBlock &own = known->of(number);
        own.all = std::max(own.all, barrier);
        const unsigned first = rank / kWarpLanes * kWarpLanes;
        for (unsigned k = 0; k < kWarpLanes && first + k < thread_count; ++k)
            if (known_of_lane(rank, k) > own.all) own.learn(first + k, known_of_lane(rank, k));
        own.learn(rank, now);
        self.clock = now;
        self.by_any_fence = known;
        if (scope == Scope::kDevice) self.by_device_fence = known;
    }

    void observe(unsigned rank, const Releases &releases) {
        Releases &observed = threads[rank].observed;
        for (const auto &release : releases)
            if (std::find(observed.begin(), observed.end(), release) == observed.end()) observed.push_back(release);
    }

    void learn(unsigned rank, const Knowledge &more) {
        threads[rank].acquired.join(more);
        threads[rank].acquired_anything = acquired_anything = true;
    }

    // `rank` has begun a bulk copy in this phase.
    void begin_bulk_copy(unsigned rank, const void *word, unsigned phase) {
        threads[rank].clock = ++last_clock;
        for (BulkCopies &copies : bulk_copies)
            if (copies.word == word && copies.phase == phase && copies.rank == rank) return void(copies.until = last_clock);
        bulk_copies.push_back({word, phase, uint16_t(rank), last_clock});
    }

    // `rank` has waited for the phases before `phase`.
    void wait_for_bulk_copies(unsigned rank, const void *word, unsigned phase) {
        Knowledge known;
        for (const BulkCopies &copies : bulk_copies)
            if (copies.word == word && copies.phase < phase && copies.until > barrier)
                known.of(number).learn(copies.rank, copies.until);
        if (!known.blocks.empty()) learn(rank, known);
    }

  private:
    // The writes that a relaxed read before this fence saw are known, if both fences have the needed scope.
    void acquire(ThreadOrder &self, Scope scope) {
        Releases kept;
        for (const auto &release : self.observed) {
            const bool is_near = release->block == number;
            const SharedKnowledge &known = is_near ? release->by_any_fence : release->by_device_fence;
            if (known && (is_near || scope == Scope::kDevice)) {
                self.acquired.join(*known);
                self.acquired_anything = acquired_anything = true;
            } else {
                has_narrow_fence = true;
                kept.push_back(release);
            }
        }
        self.observed = std::move(kept);
    }

    // These threads meet, and know everything that any of them has acquired.
    void share(unsigned first, unsigned end, unsigned lanes) {
        const auto meets = [&](unsigned rank) { return lanes >> rank % kWarpLanes & 1; };
        Knowledge all;
        for (unsigned rank = first; rank < end; ++rank)
            if (meets(rank) && threads[rank].acquired_anything) all.join(threads[rank].acquired);
        // Of the block itself all is known until its last barrier.
        const auto is_known = [&](const KnownBlock &known) {
            for (const auto &[thread, until] : known.threads)
                if (until > barrier) return false;
            return known.block == number;
        };
        all.blocks.erase(std::remove_if(all.blocks.begin(), all.blocks.end(), is_known), all.blocks.end());
        const bool is_empty = all.blocks.empty() && !all.waited;
        if (is_empty && end - first == thread_count) acquired_anything = false;
        for (unsigned rank = first; rank < end; ++rank) {
            if (!meets(rank)) continue;
            threads[rank].acquired = all;
            threads[rank].acquired_anything = !is_empty;
        }
    }
};

}  // namespace
}  // namespace emulator
