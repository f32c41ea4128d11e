// A server that finds the first k keys of rows with generated top-ks. A test program is
//
//     #include "emulator.hpp"
//     #include "block_top_k_f32_b64_i4_desc.cuh"
//     #include "families/block_top_k/driver.hpp"
//
//     static const emulator::TopKSpec kSpecs[] = {
//         SORTSMITH_KERNELS(block_top_k_f32_b64_i4_desc),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   TopKRequest, then the keys of all rows, with the gaps between them
//     response  with status kOk rows * k keys, if they are wanted, and rows * k positions (u32)
//
// Keys are read-only; every array ends at a page that is not there. Blocks of another size than the header's are refused, and
// so are chunks of fewer than k columns and groups without a chunk; fewer blocks than the host launches are not.
#pragma once

#include "emulator.hpp"
#include "protocol.hpp"

namespace emulator {

constexpr uint32_t kTopKRequestMagic = 0x716b7373;  // "sskq"

enum TopKFlags : uint32_t {
    kTopKRaces = 1,  // a race is a fault, if the program was compiled with -fsanitize=thread
    kTopKSorted = 2,
    kTopKWritesKeys = 4,
    kTopKRanked = 8,  // what survives a sample of each row is ranked: row_blocks survivors, group_blocks ranked, candidate_blocks candidates
};

struct TopKRequest {
    uint32_t magic, spec, flags, blocks_at_once;
    uint32_t row_blocks, group_blocks, candidate_blocks, threads;
    uint32_t shared_bytes, chunks, groups, k;
    uint32_t rankers, unused;
    uint64_t rows, columns, stride, keys, seed;
};
static_assert(sizeof(TopKRequest) == 96, "the request has no padding");

struct TopKSpec {
    const char *name;
    unsigned key_bytes, bits_bytes, block_threads, shared_bytes, max_k;
    void (*rows)(const void *keys, void *keys_out, unsigned *positions_out, const TopKRequest &r);
    // The candidates of `lists` lists of a row, in `groups` groups.
    void (*candidates)(const void *keys, const unsigned *candidates, void *keys_out, unsigned *positions_out, const TopKRequest &r,
                       unsigned lists, unsigned groups);
    void (*survivors)(const void *keys, void *bits_out, unsigned *positions_out, unsigned *counts_out, const TopKRequest &r);
    void (*ranked)(const void *keys, const void *bits, const unsigned *positions, const unsigned *counts, void *keys_out,
                   unsigned *positions_out, unsigned *of_groups, const TopKRequest &r);
};

// Answers requests until stdin ends; returns the exit status.
int serve(const TopKSpec *specs, size_t count);

namespace driver {

template <class S, auto Kernel>
void top_k_of_rows(const void *keys, void *keys_out, unsigned *positions_out, const TopKRequest &r) {
    using Key = typename S::Key;
    const bool is_sorted = r.chunks == 1 && (r.flags & kTopKSorted);
    Kernel(static_cast<const Key *>(keys), static_cast<Key *>(keys_out), positions_out, r.rows, r.columns, r.stride, r.chunks, r.k,
           is_sorted);
}

template <class S, auto Kernel>
void top_k_of_candidates(const void *keys, const unsigned *candidates, void *keys_out, unsigned *positions_out, const TopKRequest &r,
                         unsigned lists, unsigned groups) {
    using Key = typename S::Key;
    Kernel(static_cast<const Key *>(keys), candidates, static_cast<Key *>(keys_out), positions_out, r.rows, uint64_t(lists) * r.k,
           r.stride, groups, r.k, groups == 1 && (r.flags & kTopKSorted));
}

template <class S, auto Kernel>
void survivors_of_rows(const void *keys, void *bits_out, unsigned *positions_out, unsigned *counts_out, const TopKRequest &r) {
    Kernel(static_cast<const typename S::Key *>(keys), static_cast<typename S::Bits *>(bits_out), positions_out, counts_out, r.rows,
           r.columns, r.stride, r.chunks, r.k);
}

template <class S, auto Kernel>
void rank_of_survivors(const void *keys, const void *bits, const unsigned *positions, const unsigned *counts, void *keys_out,
                       unsigned *positions_out, unsigned *of_groups, const TopKRequest &r) {
    using Key = typename S::Key;
    Kernel(static_cast<const Key *>(keys), static_cast<const typename S::Bits *>(bits), positions, counts, static_cast<Key *>(keys_out),
           positions_out, of_groups, r.rows, r.columns, r.stride, r.chunks, r.rankers, r.groups, r.k);
}

template <class S, auto Rows, auto Candidates, auto Survivors, auto Ranked> constexpr TopKSpec top_k_of(const char *name) {
    return {name,
            unsigned(sizeof(typename S::Key)),
            unsigned(sizeof(typename S::Bits)),
            S::kBlockThreads,
            S::kSharedBytes,
            S::kMaxK,
            top_k_of_rows<S, Rows>,
            top_k_of_candidates<S, Candidates>,
            survivors_of_rows<S, Survivors>,
            rank_of_survivors<S, Ranked>};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) emulator::driver::top_k_of<sortsmith::name, name##_rows, name##_candidates, name##_survivors, name##_ranked>(#name)
