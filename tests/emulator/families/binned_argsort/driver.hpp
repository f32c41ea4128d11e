// A server that sorts positions with generated binned argsorts. A test program is
//
//     #include "emulator.hpp"
//     #include "binned_argsort_u32_b64_i2_r5.cuh"
//     #include "families/binned_argsort/driver.hpp"
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
// Keys are read-only; every array ends at a page that is not there. By the seed, the second of two launches is a programmatic one.
// Blocks of another size than the header's are refused, and so are chunks that are not all of a row; fewer blocks than there are rows
// are not, where there are no chunks.
#pragma once

#include "emulator.hpp"
#include "protocol.hpp"

namespace emulator {

constexpr uint32_t kBinnedRequestMagic = 0x62717373;  // "ssqb"

struct BinnedRequest {
    uint32_t magic, spec;
    // Whether a race is a fault, if the program was compiled with -fsanitize=thread.
    uint32_t detects_races;
    uint32_t blocks_at_once, blocks, threads, shared_bytes;
    // No chunks: the kernel of rows.
    uint32_t chunks, count_bytes, bins;
    uint64_t rows, columns, stride, chunk_columns, keys, seed;
};
static_assert(sizeof(BinnedRequest) == 88, "the request has no padding");

struct BinnedSpec {
    const char *name;
    unsigned key_bytes, block_threads, shared_bytes, max_bins, chunk_counts;
    void (*rows)(const void *keys, unsigned *positions, unsigned *offsets, const BinnedRequest &r);
    void (*count)(const void *keys, void *counts, const BinnedRequest &r);
    void (*rank)(const void *keys, void *counts, unsigned *positions, unsigned *offsets, const BinnedRequest &r);
};

// Answers requests until stdin ends; returns the exit status.
int serve(const BinnedSpec *specs, size_t count);

namespace driver {

template <class S, auto Kernel> void binned_rows(const void *keys, unsigned *positions, unsigned *offsets, const BinnedRequest &r) {
    Kernel(static_cast<const typename S::Key *>(keys), positions, offsets, r.rows, r.columns, r.stride, r.bins);
}

template <class S, auto Kernel> void binned_count(const void *keys, void *counts, const BinnedRequest &r) {
    Kernel(static_cast<const typename S::Key *>(keys), counts, r.columns, r.stride, r.chunks, r.chunk_columns, r.count_bytes, r.bins);
}

template <class S, auto Kernel>
void binned_rank(const void *keys, void *counts, unsigned *positions, unsigned *offsets, const BinnedRequest &r) {
    Kernel(static_cast<const typename S::Key *>(keys), counts, positions, offsets, r.columns, r.stride, r.chunks, r.chunk_columns,
           r.count_bytes, r.bins);
}

template <class S, auto Rows, auto Count, auto Rank> constexpr BinnedSpec binned_of(const char *name) {
    return {name,        unsigned(sizeof(typename S::Key)), S::kBlockThreads,       S::kSharedBytes,
            S::kMaxBins, S::kChunkCounts,                   binned_rows<S, Rows>, binned_count<S, Count>,
            binned_rank<S, Rank>};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) emulator::driver::binned_of<sortsmith::name, name##_rows, name##_count, name##_rank>(#name)
