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

// Of four bytes, or of a single one of them where accesses were narrower.
struct Cell {
    LastWrite write;
    Accesses one;
    uint32_t more;   // 1 + the index of further accesses in `lists`, or 0
    uint32_t parts;  // 1 + the index of four single bytes in `parts`, or 0
    uint32_t generation;
};

// Of one array, or of one OS thread's shared memory. Fresh pages are zero, and a cell of an earlier generation counts as
// empty, so nothing is ever cleared.
class Shadow {
  public:
    static constexpr size_t kGranule = 4;

    Shadow(const void *begin, size_t bytes)
        : begin_(reinterpret_cast<uintptr_t>(begin) & ~(kGranule - 1)),
          cells_count_((reinterpret_cast<uintptr_t>(begin) + bytes - begin_ + kGranule - 1) / kGranule) {
        void *map = mmap(nullptr, map_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (map == MAP_FAILED) {
            perror("emulator: mmap of the race detector's memory");
            abort();
        }
        cells_ = static_cast<Cell *>(map);
    }
    ~Shadow() { munmap(cells_, map_bytes()); }
    Shadow(const Shadow &) = delete;
    Shadow &operator=(const Shadow &) = delete;

    // Forgets all accesses.
    void clear() {
        ++generation_;
        lists_used_ = parts_used_ = 0;
    }

    // Calls f(cell, address) for each piece of these bytes.
    template <class F> void each(uintptr_t address, size_t bytes, F f) {
        const uintptr_t end = address + bytes;
        for (uintptr_t granule = address & ~(kGranule - 1); granule < end; granule += kGranule) {
            Cell &cell = cells_[(granule - begin_) / kGranule];
            if (cell.generation != generation_) {
                cell = {};
                cell.generation = generation_;
            }
            const bool is_whole = granule >= address && granule + kGranule <= end;
            if (is_whole && !cell.parts) {
                f(cell, granule);
                continue;
            }
            if (!cell.parts) part(cell);
            for (size_t i = 0; i < kGranule; ++i) {
                if (granule + i < address || granule + i >= end) continue;
                f(parts_[cell.parts - 1][i], granule + i);
            }
        }
    }

    std::vector<Accesses> *list(const Cell &cell) { return cell.more ? &lists_[cell.more - 1] : nullptr; }
    std::vector<Accesses> &new_list(Cell &cell) {
        if (lists_used_ == lists_.size()) lists_.emplace_back();
        cell.more = uint32_t(++lists_used_);
        lists_[lists_used_ - 1].clear();
        return lists_[lists_used_ - 1];
    }

  private:
    size_t map_bytes() const { return cells_count_ * sizeof(Cell) + 1; }

    void part(Cell &cell) {
        if (parts_used_ == parts_.size()) parts_.emplace_back();
        const uint32_t index = uint32_t(++parts_used_);
        std::array<Cell, kGranule> &bytes = parts_[index - 1];
        for (Cell &byte : bytes) {
            byte = cell;
            byte.more = 0;
            if (!cell.more) continue;
            const std::vector<Accesses> copied = lists_[cell.more - 1];
            new_list(byte) = copied;
        }
        cell.parts = index;
    }

    uintptr_t begin_;
    size_t cells_count_;
    Cell *cells_;
    uint32_t generation_ = 1;
    std::vector<std::vector<Accesses>> lists_;
    size_t lists_used_ = 0;
    std::vector<std::array<Cell, kGranule>> parts_;
    size_t parts_used_ = 0;
};

}  // namespace emulator
