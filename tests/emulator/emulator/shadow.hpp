// The last accesses of each piece of some memory, as far as they can be part of a race; used by emulator.cpp alone.
#pragma once

#include "order.hpp"

#include <sys/mman.h>

#include <array>

namespace emulator {

// The last plain write.
struct LastWrite {
    BlockNumber block;  // 0 for none
    Clock clock;
    uint32_t site;
    uint16_t rank;
};

// Accesses of one kind by lanes of one warp with one clock.
struct Accesses {
    BlockNumber block;  // 0 for none
    Clock clock;
    uint32_t site;  // of the first of them
    uint32_t lanes;
    uint16_t warp;
    Access access;
    uint8_t width;  // of atomics, in bytes
};

// Further accesses of a piece: a word that all blocks read has one entry for each of their warps.
struct AccessList {
    std::vector<Accesses> entries;
    uint8_t kinds = 0;   // a bit for each `Access` among them
    uint8_t widths = 0;  // of atomics, which are powers of two
    size_t kept = 0;     // entries that were left when superfluous ones were last looked for

    void add(const Accesses &accesses) {
        entries.push_back(accesses);
        kinds |= uint8_t(1u << int(accesses.access));
        widths |= accesses.width;
    }
    void clear() {
        entries.clear();
        kinds = widths = 0;
        kept = 0;
    }
    // Drops entries. Looking at all of them for each new one would take most of the time of a run.
    template <class F> void prune(F is_superfluous) {
        if (entries.size() < 2 * kept + 16) return;
        std::vector<Accesses> all;
        all.swap(entries);
        clear();
        for (const Accesses &old : all)
            if (!is_superfluous(old)) add(old);
        kept = entries.size();
    }
};

// Of four bytes, or of a single one of them where accesses were narrower.
struct Cell {
    LastWrite write;
    Accesses one;
    uint32_t more;   // 1 + the index of further accesses in `lists`, or 0
    uint32_t split;  // 1 + the index of four single bytes in `splits`, or 0
    uint32_t generation;
};

// Of one array, or of one OS thread's shared memory. Fresh pages are zero, and a shadow cell of an earlier generation counts as
// empty, so nothing is ever cleared.
class Shadow {
  public:
    static constexpr size_t kGranule = 4;

    Shadow(const void *begin, size_t bytes)
        : begin_(reinterpret_cast<uintptr_t>(begin) & ~(kGranule - 1)),
          shadow_cells_count_((reinterpret_cast<uintptr_t>(begin) + bytes - begin_ + kGranule - 1) / kGranule) {
        void *map = mmap(nullptr, map_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED) {
            perror("emulator: mmap of the race detector's memory");
            abort();
        }
        shadow_cells_ = static_cast<Cell *>(map);
    }
    ~Shadow() { munmap(shadow_cells_, map_bytes()); }
    Shadow(const Shadow &) = delete;
    Shadow &operator=(const Shadow &) = delete;

    // Forgets all accesses.
    void clear() {
        ++generation_;
        lists_used_ = splits_used_ = 0;
    }

    // Calls f(shadow_cell, address) for each piece of these bytes.
    template <class F> void each(uintptr_t address, size_t bytes, F f) {
        const uintptr_t end = address + bytes;
        for (uintptr_t granule = address & ~(kGranule - 1); granule < end; granule += kGranule) {
            Cell &shadow_cell = shadow_cells_[(granule - begin_) / kGranule];
            if (shadow_cell.generation != generation_) {
                shadow_cell = {};
                shadow_cell.generation = generation_;
            }
            const bool is_complete = granule >= address && granule + kGranule <= end;
            if (is_complete && !shadow_cell.split) {
                f(shadow_cell, granule);
                continue;
            }
            if (!shadow_cell.split) split(shadow_cell);
            for (size_t i = 0; i < kGranule; ++i) {
                if (granule + i < address || granule + i >= end) continue;
                f(splits_[shadow_cell.split - 1][i], granule + i);
            }
        }
    }

    AccessList *list(const Cell &shadow_cell) { return shadow_cell.more ? &lists_[shadow_cell.more - 1] : nullptr; }
    AccessList &new_list(Cell &shadow_cell) {
        if (lists_used_ == lists_.size()) lists_.emplace_back();
        shadow_cell.more = uint32_t(++lists_used_);
        lists_[lists_used_ - 1].clear();
        return lists_[lists_used_ - 1];
    }

  private:
    size_t map_bytes() const { return shadow_cells_count_ * sizeof(Cell) + 1; }

    void split(Cell &shadow_cell) {
        if (splits_used_ == splits_.size()) splits_.emplace_back();
        const uint32_t index = uint32_t(++splits_used_);
        std::array<Cell, kGranule> &bytes = splits_[index - 1];
        for (Cell &byte : bytes) {
            byte = shadow_cell;
            byte.more = 0;
            if (!shadow_cell.more) continue;
            const AccessList copied = lists_[shadow_cell.more - 1];
            new_list(byte) = copied;
        }
        shadow_cell.split = index;
    }

    uintptr_t begin_;
    size_t shadow_cells_count_;
    Cell *shadow_cells_;
    uint32_t generation_ = 1;
    std::vector<AccessList> lists_;
    size_t lists_used_ = 0;
    std::vector<std::array<Cell, kGranule>> splits_;
    size_t splits_used_ = 0;
};

}  // namespace emulator
