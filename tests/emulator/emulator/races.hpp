// The race detector: two accesses of one address by two threads, one of them at least a write and not both atomic, with
// neither before the other, are an error whatever came of them; used by emulator.cpp alone.
#pragma once

#include "memory.hpp"
#include "shadow.hpp"

#include <link.h>
#include <unistd.h>

#include <map>
#include <string>
#include <unordered_map>

namespace emulator {

namespace {

[[noreturn]] void abandon(Block &b);

// The state that blocks of all launches share. They are interleaved while races are detected, so there are no locks.
struct Races {
    LaunchOrder launch;
    Launch shape;
    // The order that values of words carry.
    std::unordered_map<uintptr_t, Releases> releases;
    bool has_fences = false;
    struct Region {
        uintptr_t begin, end;
        const GuardedBytes *buffer;
        Shadow *shadow;
    };
    std::vector<Region> regions;
    size_t last_region = 0;  // that of the last access
} races;

// The thread that accesses something, and where.
struct Accessor {
    Block &block;
    const BlockOrder &order;
    unsigned rank;
    Clock clock;
    uint32_t site;

    bool knows(const LastWrite &write) const {
        return order.is_before(rank, write.block, write.rank, write.clock);
    }
    // The first lane among those that this thread does not know to be before it, or -1.
    int unknown_lane(const Accesses &of) const {
        const bool is_own_warp = of.block == order.number && of.warp == rank / kWarpLanes;
        if (is_own_warp && of.lanes == 1u << rank % kWarpLanes) return -1;
        for (unsigned rest = of.lanes; rest; rest &= rest - 1) {
            const unsigned lane = unsigned(__builtin_ctz(rest));
            if (!order.is_before(rank, of.block, of.warp * kWarpLanes + lane, of.clock)) return int(lane);
            // One clock of a block, or a grid: accesses before it are known to all lanes.
            if (of.block == order.number ? of.clock < order.barrier : of.block < order.launch->first) return -1;
        }
        return -1;
    }
};

bool is_race(Access one, Access other) {
    if (one > other) std::swap(one, other);
    if (one == Access::kRead) return other == Access::kWrite || other == Access::kAtomicWrite;
    return one == Access::kWrite;
}

// Atomics of two widths are to each other like plain accesses.
bool is_race(Access one, uint8_t width, Access other, uint8_t other_width) {
    if (one < Access::kAtomicLoad || other < Access::kAtomicLoad) return is_race(one, other);
    return width != other_width && (one == Access::kAtomicWrite || other == Access::kAtomicWrite);
}

// Whether an access can be part of a race with one of a list, by what they are.
bool may_race(Access access, uint8_t width, const AccessList &list) {
    for (int kind = 0; kind <= int(Access::kAtomicWrite); ++kind) {
        if (!(list.kinds >> kind & 1)) continue;
        const Access other = Access(kind);
        const bool are_atomic = access >= Access::kAtomicLoad && other >= Access::kAtomicLoad;
        const uint8_t other_width = are_atomic && list.widths != width ? uint8_t(~width) : width;
        if (is_race(access, width, other, other_width)) return true;
    }
    return false;
}

// Whether whatever would be a race with `old` would be one with `later`, too.
bool replaces(const Accesses &later, const Accesses &old) {
    return later.access == old.access && later.width == old.width;
}

const char *const kAccessNames[] = {"read", "write", "relaxed load", "atomic"};

uintptr_t program_base() {
    static const uintptr_t base = [] {
        uintptr_t found = 0;
        dl_iterate_phdr([](dl_phdr_info *info, size_t, void *out) { return *static_cast<uintptr_t *>(out) = info->dlpi_addr, 1; },
                        &found);
        return found;
    }();
    return base;
}

// Function, file and line of code, if the program was compiled with -g1 and there is addr2line; else its offset in the
// program's file.
const std::string &name_of_site(uint32_t site) {
    static std::map<uint32_t, std::string> names;
    std::string &name = names[site];
    if (!name.empty()) return name;
    char program[1024], command[1200];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    // The site is where a call returns to.
    snprintf(command, sizeof command, "addr2line -s -f -C -i -e '%s' 0x%x 2>/dev/null", program, site - 1);
    if (FILE *output = popen(command, "r")) {
        char *line = nullptr;
        size_t room = 0;
        // Alternately a function and a file with a line, from the innermost function that was inlined outwards.
        for (bool is_function = true; getline(&line, &room, output) > 0; is_function = !is_function) {
            if (is_function) name += name.empty() ? "" : ", called by ";
            name.append(line, strcspn(line, is_function ? "(\n" : " \n"));
            if (is_function) name += ", ";
        }
        free(line);
        pclose(output);
    }
    if (name.empty() || name.find("??") == 0) {
        snprintf(command, sizeof command, "0x%x of the program", site - 1);
        name = command;
    }
    return name;
}

void append_thread(Block &b, BlockNumber block, unsigned rank) {
    if (block < races.launch.first) {
        append(b.message, sizeof b.message, "a thread of an earlier launch");
        return;
    }
    const uint64_t index = block - races.launch.first;
    const dim3 &grid = races.shape.grid;
    append(b.message, sizeof b.message, "block (%u,%u,%u), thread %u", unsigned(index % grid.x),
           unsigned(index / grid.x % grid.y), unsigned(index / grid.x / grid.y), rank);
}

void append_location(Block &b, uintptr_t address, const GuardedBytes *buffer) {
    const uintptr_t shared = reinterpret_cast<uintptr_t>(sortsmith_shared);
    if (buffer)
        append(b.message, sizeof b.message, "buffer %s at element %zu (it has %zu)", buffer->name(),
               (address - reinterpret_cast<uintptr_t>(buffer->data())) / buffer->element_bytes(),
               buffer->bytes() / buffer->element_bytes());
    else if (address >= shared && address < shared + kSharedLimit)
        append(b.message, sizeof b.message, "byte %zu of dynamic shared memory", size_t(address - shared));
    else
        append(b.message, sizeof b.message, "a static shared variable");
}

const char *missing_order(const Accessor &self, BlockNumber block, unsigned rank) {
    if (block < self.order.launch->first)
        return "this launch is programmatic, and the thread does not know that the grid before it, or one before that, has "
               "ended: no wait_for_previous_grid";
    if (block != self.order.number)
        return self.order.has_narrow_fence
                   ? "a fence of theirs reaches only its own block: blocks need fences of the device"
                   : "nothing orders the two blocks: a fence of the device, a relaxed write after it, a relaxed read of "
                     "what that wrote, and another such fence would";
    if (rank / kWarpLanes == self.rank / kWarpLanes)
        return "two lanes of one warp, and no __syncwarp or __syncthreads between them; shuffles and votes order nothing";
    return "two warps of one block, and no __syncthreads between them";
}

[[noreturn]] void report(const Accessor &self, uintptr_t address, size_t bytes, Access access, const GuardedBytes *buffer,
                         BlockNumber block, unsigned rank, Access other, uint32_t site) {
    Block &b = self.block;
    begin_message(b);
    append(b.message, sizeof b.message, "race on ");
    append_location(b, address, buffer);
    append(b.message, sizeof b.message, "\n  %s of %zu bytes at %s\n  and before it, %s by ", kAccessNames[int(access)], bytes,
           name_of_site(self.site).c_str(), kAccessNames[int(other)]);
    append_thread(b, block, rank);
    append(b.message, sizeof b.message, " at %s\n  %s", name_of_site(site).c_str(), missing_order(self, block, rank));
    abandon(b);
}

uint8_t width_of(Access access, size_t bytes) { return access < Access::kAtomicLoad ? 0 : uint8_t(bytes); }

// More than the warps that run at once.
constexpr size_t kRecentEntries = 256;

// Records these lanes' access; drops accesses that it makes superfluous.
void enter(Shadow &shadow, Cell &shadow_cell, const Accessor &self, Access access, size_t bytes) {
    const unsigned warp = self.rank / kWarpLanes;
    const uint32_t lane = 1u << self.rank % kWarpLanes;
    const Accesses own = {self.order.number, self.clock, self.site, lane, uint16_t(warp), access, width_of(access, bytes)};
    const auto is_same = [&](const Accesses &old) {
        return old.block == own.block && old.clock == own.clock && old.warp == own.warp && replaces(own, old);
    };
    const auto is_superfluous = [&](const Accesses &old) {
        return !old.block || (replaces(own, old) && self.unknown_lane(old) < 0);
    };
    if (is_same(shadow_cell.one)) {
        shadow_cell.one.lanes |= lane;
        return;
    }
    AccessList *list = shadow.list(shadow_cell);
    if (list) {
        // Lanes of a warp come soon after each other. Where they do not, they have two entries.
        const size_t count = list->entries.size(), first = count - std::min(count, kRecentEntries);
        for (size_t i = count; i-- > first;) {
            if (!is_same(list->entries[i])) continue;
            list->entries[i].lanes |= lane;
            return;
        }
        list->prune(is_superfluous);
    }
    if (is_superfluous(shadow_cell.one)) {
        shadow_cell.one = own;
        return;
    }
    if (!list) list = &shadow.new_list(shadow_cell);
    list->add(own);
}

void check(Shadow &shadow, Cell &shadow_cell, const Accessor &self, Access access, uintptr_t address, size_t bytes,
           const GuardedBytes *buffer) {
    if (shadow_cell.write.block && is_race(access, Access::kWrite) && !self.knows(shadow_cell.write))
        report(self, address, bytes, access, buffer, shadow_cell.write.block, shadow_cell.write.rank, Access::kWrite, shadow_cell.write.site);
    const auto compare = [&](const Accesses &old) {
        if (!old.block || !is_race(access, width_of(access, bytes), old.access, old.width)) return;
        const int lane = self.unknown_lane(old);
        if (lane >= 0)
            report(self, address, bytes, access, buffer, old.block, old.warp * kWarpLanes + unsigned(lane), old.access,
                   old.site);
    };
    compare(shadow_cell.one);
    if (const AccessList *list = shadow.list(shadow_cell); list && may_race(access, width_of(access, bytes), *list))
        for (const Accesses &old : list->entries) compare(old);
    if (access != Access::kWrite) return enter(shadow, shadow_cell, self, access, bytes);
    shadow_cell.write = {self.order.number, self.clock, self.site, uint16_t(self.rank)};
    shadow_cell.one.block = 0;
    if (AccessList *list = shadow.list(shadow_cell)) list->clear();
}

// The memory that an address is in, if it is watched.
Shadow *shadow_of(Block &b, uintptr_t address, size_t bytes, const GuardedBytes *&buffer) {
    if (address >= b.shared_begin && address + bytes <= b.shared_end) {
        const auto is_in = [&](const void *own, size_t size) { return address - reinterpret_cast<uintptr_t>(own) < size; };
        return is_in(&yield_countdown, sizeof yield_countdown) ? nullptr : b.shared_shadow.get();
    }
    const size_t count = races.regions.size();
    for (size_t i = 0, at = races.last_region; i < count; ++i, at = at + 1 < count ? at + 1 : 0) {
        const Races::Region &region = races.regions[at];
        if (address < region.begin || address + bytes > region.end) continue;
        races.last_region = at;
        buffer = region.buffer;
        return region.shadow;
    }
    return nullptr;
}

// Before the blocks of a launch.
void begin_races(const Launch &launch, BlockNumber blocks) {
    if (!launch.detects_races) return;
    // A launch without detection, and the host between launches, are in order: only programmatic ones overlap.
    races.launch = races.launch.next(blocks, launch.is_early);
    races.shape = launch;
    if (!launch.is_early) races.releases.clear();
    races.regions.clear();
    races.last_region = 0;
    std::lock_guard<std::mutex> lock(guarded_mutex);
    for (GuardedBytes *g = guarded_list; g; g = g->next()) {
        if (!g->bytes()) continue;
        const uintptr_t begin = reinterpret_cast<uintptr_t>(g->data());
        races.regions.push_back({begin, begin + g->bytes(), g, &g->shadow()});
    }
}

// Before a block's first thread, on its OS thread.
void begin_races_of_block(Block &b, uint64_t block) {
    detecting = b.run->launch->detects_races;
    if (!detecting) return;
    const Segment shared = storage_of_os_thread();
    const uintptr_t begin = reinterpret_cast<uintptr_t>(shared.begin);
    if (!b.shared_shadow || b.shared_begin != begin) {
        b.shared_begin = begin;
        b.shared_end = begin + shared.bytes;
        b.shared_shadow.reset(new Shadow(shared.begin, shared.bytes));
    }
    b.shared_shadow->clear();
    b.order.begin(races.launch, races.launch.first + BlockNumber(block), b.threads);
}

}  // namespace

void check_access(const void *address, size_t bytes, Access access, const void *site) {
    if (current && current->in_fibers) note_access(address, bytes, access == Access::kWrite || access == Access::kAtomicWrite);
    check_copied(address, bytes, access, site);
}

void check_copied(const void *address, size_t bytes, Access access, const void *site) {
    Block *b = current;
    if (!b || !b->in_fibers || b->stacks.has(address)) return;
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);
    const GuardedBytes *buffer = nullptr;
    Shadow *shadow = shadow_of(*b, at, bytes, buffer);
    if (!shadow) return;
    const unsigned rank = b->running->rank;
    const Accessor self = {*b, b->order, rank, b->order.clock(rank), uint32_t(reinterpret_cast<uintptr_t>(site) - program_base())};
    shadow->each(at, bytes, [&](Cell &shadow_cell, uintptr_t piece) {
        check(*shadow, shadow_cell, self, access, piece, bytes, buffer);
    });
}

void check_atomic(const void *address, size_t bytes, Strong strong, const void *site) {
    check_access(address, bytes, strong == Strong::kLoad ? Access::kAtomicLoad : Access::kAtomicWrite, site);
    Block *b = current;
    if (!races.has_fences || !b || !b->in_fibers) return;
    // Shared memory of blocks side by side has addresses of its own, and that of blocks one after the other carries nothing.
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);
    const unsigned rank = b->running->rank;
    Releases &carried = races.releases[at];
    if (strong != Strong::kStore) b->order.observe(rank, carried);
    if (strong == Strong::kLoad) return;
    if (strong == Strong::kStore) carried.clear();
    const ThreadOrder &self = b->order.threads[rank];
    if (!self.by_any_fence) return;
    const Release own = {b->order.number, self.by_any_fence, self.by_device_fence};
    carried.push_back(std::make_shared<const Release>(own));
}

void order_by_fence(Scope scope) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    Block *b = current;
    if (!detecting || !b || !b->in_fibers) return;
    races.has_fences = true;
    b->order.fence(b->running->rank, scope);
}

void order_after_previous_grid() {
    Block *b = current;
    if (!detecting || !b || !b->in_fibers) return;
    Knowledge waited;
    waited.waited = races.launch.waited = true;
    b->order.learn(b->running->rank, waited);
}

}  // namespace emulator
