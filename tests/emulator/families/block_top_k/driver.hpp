// A server that finds the first k keys of rows with generated top-ks. A test program is
//
//     #include "emulator.hpp"
//     #include "block_top_k_f32_b64_i4_desc.cuh"
//     #include "families/block_top_k/driver.hpp"
//     #define SORTSMITH_ARGUMENTS_rows(field) field(keys, 0) ...  // and those of the other kernels
//
//     static const emulator::TopKSpec kSpecs[] = {
//         SORTSMITH_KERNELS(block_top_k_f32_b64_i4_desc),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   TopKRequest, then the keys of all rows, with the gaps between them, and the values, if the header reads such
//     response  with status kOk rows * k keys, rows * k positions (u32) and rows * k values or positions of 64 bits, each if they are wanted
//
// Keys are read-only; every array ends at a page that is not there. Blocks of another size than the header's are refused, and
// so are chunks of fewer than k columns and groups without a chunk; fewer blocks than the host launches are not.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "families/block_top_k/beside.hpp"
#include "protocol.hpp"

namespace emulator {

constexpr uint32_t kTopKRequestMagic = 0x716b7373;  // "sskq"

enum TopKFlags : uint32_t {
    kTopKRaces = 1,  // a race is a fault, if the program was compiled with -fsanitize=thread
    kTopKSorted = 2,
    kTopKWritesKeys = 4,
    kTopKRanked = 8,  // what survives a sample of each row is ranked: row_blocks survivors, group_blocks ranked, candidate_blocks candidates
    kTopKWritesPositions = 16,
    kTopKWritesValues = 32,  // or positions of 64 bits
    kTopKFound = 64,         // what is at the positions, which other kernels have found, is written by _found
    kTopKListed = 128,       // what survives samples is in a list for each row: sample_blocks samples, row_blocks filtered, group_blocks listed, candidate_blocks candidates
};

struct TopKRequest {
    uint32_t magic, spec, flags, blocks_at_once;
    uint32_t row_blocks, group_blocks, candidate_blocks, threads;
    uint32_t shared_bytes, chunks, groups, k;
    uint32_t rankers, found_blocks;
    uint32_t sample_blocks, sampling_blocks, kept, rank;
    uint64_t rows, columns, stride, keys, room, seed;
};
static_assert(sizeof(TopKRequest) == 120, "the request has no padding");

struct TopKSpec {
    const char *name;
    unsigned key_bytes, bits_bytes, block_threads, shared_bytes, max_k, tile_items;
    top_k::Beside beside;
    ParameterKernel rows, candidates, survivors, ranked, samples, filtered, listed, found;
};

// Answers requests until stdin ends; returns the exit status.
int serve(const TopKSpec *specs, size_t count);

namespace driver {

template <class S>
TopKSpec top_k_of(const char *name, ParameterKernel rows, ParameterKernel candidates, ParameterKernel survivors, ParameterKernel ranked,
                  ParameterKernel samples, ParameterKernel filtered, ParameterKernel listed, ParameterKernel found) {
    return {name,
            unsigned(sizeof(typename S::Key)),
            unsigned(sizeof(typename S::Bits)),
            S::kBlockThreads,
            S::kSharedBytes,
            S::kMaxK,
            unsigned(S::kTileItems),
            top_k::beside_of<S>(),
            std::move(rows),
            std::move(candidates),
            std::move(survivors),
            std::move(ranked),
            std::move(samples),
            std::move(filtered),
            std::move(listed),
            std::move(found)};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_TOP_K(name, found)                                                                                        \
    emulator::driver::top_k_of<sortsmith::name>(#name, SORTSMITH_KERNEL(name, _rows), SORTSMITH_KERNEL(name, _candidates), \
                                                SORTSMITH_KERNEL(name, _survivors), SORTSMITH_KERNEL(name, _ranked),       \
                                                SORTSMITH_KERNEL(name, _samples), SORTSMITH_KERNEL(name, _filtered),       \
                                                SORTSMITH_KERNEL(name, _listed), found)
#define SORTSMITH_KERNELS(name) SORTSMITH_TOP_K(name, (emulator::ParameterKernel{}))
#define SORTSMITH_ALL_KERNELS(name) SORTSMITH_TOP_K(name, SORTSMITH_KERNEL(name, _found))
