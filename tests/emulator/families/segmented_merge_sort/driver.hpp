// A server that sorts segments with generated sorts. A test program is
//
//     #include "emulator.hpp"
//     #include "segmented_merge_sort_u32_keys_b64_i2_asc.cuh"
//     #include "families/segmented_merge_sort/driver.hpp"
//
//     static const emulator::SegmentSpec kSpecs[] = {
//         SORTSMITH_KERNELS(segmented_merge_sort_u32_keys_b64_i2_asc),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   SegmentRequest, the launches, n keys, n values (or positions that are there before), the offsets: `segments` begins
//               and as many ends, or segments + 1 offsets
//     response  with status kOk n keys, and n values
//
// Arrays are sorted in place, but for positions: those keys are read-only. Every array ends at a page that is not there. Offsets are
// read-only. Scratch of another size than the header's is refused.
#pragma once

#include "emulator.hpp"
#include "protocol.hpp"

#include <type_traits>

namespace emulator {

constexpr uint32_t kSegmentRequestMagic = 0x71707373;  // "sspq"

struct SegmentRequest {
    uint32_t magic, spec, launches, blocks_at_once;
    uint32_t detects_races;  // a race is a fault, if the program was compiled with -fsanitize=thread
    uint32_t offset_bytes, has_ends, absolute_positions;
    int32_t begin_bit, end_bit;
    uint64_t n, segments, workspace_bytes, alternate_items, seed;
};
static_assert(sizeof(SegmentRequest) == 80, "the request has no padding");

struct SegmentLaunch {
    uint32_t kernel, round, blocks, threads, shared_bytes;
};

// The header's Arguments, without their types.
struct SegmentArguments {
    const void *keys_in;
    void *keys_out, *keys_alternate;
    const void *values_in;
    void *values_out, *values_alternate;
    const void *begins, *ends;
    void *workspace;
    uint64_t segments, n;
    uint32_t offset_bytes;
    int32_t begin_bit, end_bit, absolute_positions;
};

struct SegmentSpec {
    const char *name;
    unsigned key_bytes, value_bytes;
    bool makes_positions;
    unsigned block_threads, shared_bytes, tile_shared_bytes;
    uint64_t (*workspace_bytes)(uint64_t segments, uint64_t n);
    uint64_t zeroed_bytes;
    int (*rounds_of)(uint64_t n);
    void (*run)(unsigned kernel, const SegmentArguments &, int round);
};

// Answers requests until stdin ends; returns the exit status.
int serve(const SegmentSpec *specs, size_t count);

namespace driver {

template <class S, auto Classify, auto Warps, auto Tiles, auto Merge>
void run_segments(unsigned kernel, const SegmentArguments &a, int round) {
    using Key = typename S::Key;
    using Value = typename S::Value;
    const typename S::Arguments arguments = {
        static_cast<const Key *>(a.keys_in), static_cast<Key *>(a.keys_out), static_cast<Key *>(a.keys_alternate),
        static_cast<const Value *>(a.values_in), static_cast<Value *>(a.values_out), static_cast<Value *>(a.values_alternate),
        a.begins, a.ends, a.workspace, a.segments, a.n, a.offset_bytes, a.begin_bit, a.end_bit, a.absolute_positions};
    static_assert(sizeof(SegmentArguments) == sizeof(arguments), "the host lays out the same arguments");
    switch (kernel) {
        case 0: return Classify(arguments);
        case 1: return Warps(arguments);
        case 2: return Tiles(arguments);
        default: return Merge(arguments, round);
    }
}

template <class S> uint64_t segment_workspace(uint64_t segments, uint64_t n) { return S::workspace_bytes(segments, n); }
template <class S> int segment_rounds(uint64_t n) { return S::rounds_of(n); }

template <class S, auto Classify, auto Warps, auto Tiles, auto Merge> constexpr SegmentSpec segments_of(const char *name) {
    using Value = typename S::Value;
    return {name, sizeof(typename S::Key), std::is_empty_v<Value> ? 0u : unsigned(sizeof(Value)), S::kMakesPositions, S::kBlockThreads, S::kSharedBytes, S::kTileSharedBytes,
            segment_workspace<S>, S::kZeroedBytes, segment_rounds<S>, run_segments<S, Classify, Warps, Tiles, Merge>};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) \
    emulator::driver::segments_of<sortsmith::name, name##_classify, name##_warps, name##_tiles, name##_merge>(#name)
