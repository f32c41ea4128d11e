// A server that sorts positions with generated binned argsorts. A test program is
//
//     #include "emulator.hpp"
//     #include "binned_argsort_u32_b64_i2_r5.cuh"
//     #include "families/binned_argsort/driver.hpp"
//     #define SORTSMITH_ARGUMENTS_rows(field) field(keys, 0) ...  // and one of _count, _rank and _chunks
//
//     static const emulator::BinnedSpec kSpecs[] = {
//         SORTSMITH_KERNELS(binned_argsort_u32_b64_i2_r5),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   BinnedRequest, then the keys of all rows, with the gaps between them
//     response  with status kOk no keys, and the values rows * columns positions (u32), then rows * (bins + 1) offsets (u32)
//
// Keys are read-only; every array ends at a page that is not there. By the seed, the second of two launches is a programmatic one, and
// a launch in which blocks publish counts is an even or an odd one, behind one of any number of words.
// Blocks of another size than the header's are refused, and so are chunks that are not all of a row; fewer blocks than there are rows
// are not, where there are no chunks.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "protocol.hpp"

namespace emulator {

constexpr uint32_t kBinnedRequestMagic = 0x62717373;  // "ssqb"

struct BinnedRequest {
    uint32_t magic, spec;
    // Whether a race is a fault, if the program was compiled with -fsanitize=thread.
    uint32_t detects_races;
    uint32_t blocks_at_once, blocks, threads, shared_bytes;
    // No chunks: the kernel of rows. No bytes of counts: the blocks of one launch publish them.
    uint32_t chunks, count_bytes, bins;
    uint32_t capacity, group_bits, polls, unused;
    uint64_t rows, columns, stride, chunk_columns, keys, seed;
};
static_assert(sizeof(BinnedRequest) == 104, "the request has no padding");

struct BinnedSpec {
    const char *name;
    unsigned key_bytes, block_threads, shared_bytes, max_bins, chunk_counts, tile_items;
    ParameterKernel rows, count, rank, chunks;
};

// Answers requests until stdin ends; returns the exit status.
int serve(const BinnedSpec *specs, size_t count);

namespace driver {

template <class S>
BinnedSpec binned_of(const char *name, ParameterKernel rows, ParameterKernel count, ParameterKernel rank, ParameterKernel chunks) {
    return {name,
            unsigned(sizeof(typename S::Key)),
            S::kBlockThreads,
            S::kSharedBytes,
            S::kMaxBins,
            S::kChunkCounts,
            S::kTileItems,
            std::move(rows),
            std::move(count),
            std::move(rank),
            std::move(chunks)};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name)                                                                            \
    emulator::driver::binned_of<sortsmith::name>(#name, SORTSMITH_KERNEL(name, _rows), SORTSMITH_KERNEL(name, _count), \
                                                 SORTSMITH_KERNEL(name, _rank), SORTSMITH_KERNEL(name, _chunks))
