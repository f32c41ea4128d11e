// A server that sorts segments with generated sorts. A test program is
//
//     #include "emulator.hpp"
//     #include "segmented_merge_sort_u32_keys_b64_i2_asc.cuh"
//     #include "families/segmented_merge_sort/driver.hpp"
//     #define SORTSMITH_ARGUMENTS(field) field(keys_in, 0) ...
//
//     static const emulator::SegmentSpec kSpecs[] = {
//         SORTSMITH_KERNELS(segmented_merge_sort_u32_keys_b64_i2_asc),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   SegmentRequest, the launches, n keys, n values (or positions that are there before), the offsets as `bounds` says, and
//               the count of segments, if there is one
//     response  with status kOk n keys, and n values
//
// Arrays are sorted in place, but for positions: those keys are read-only. Every array ends at a page that is not there. Offsets are
// read-only. Scratch of another size than the header's is refused.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "protocol.hpp"

#include <type_traits>

namespace emulator {

constexpr uint32_t kSegmentRequestMagic = 0x71707373;  // "sspq"

// The offsets of a request.
enum SegmentBounds : uint32_t {
    kOffsets,     // segments + 1, in one array
    kBeginsEnds,  // as many ends as begins
    kFirstItems,  // one end, of a segment that begins with the array
    kRows,        // none
};

struct SegmentRequest {
    uint32_t magic, spec, launches, blocks_at_once;
    uint32_t detects_races;  // a race is a fault, if the program was compiled with -fsanitize=thread
    uint32_t offset_bytes;
    SegmentBounds bounds;
    uint32_t absolute_positions;
    int32_t begin_bit, end_bit;
    uint32_t count_bytes;  // 0: there is no count
    uint32_t longest;
    uint32_t signed_offsets, unused;
    uint64_t n, segments, workspace_bytes, alternate_items, seed, columns, stride;
};
static_assert(sizeof(SegmentRequest) == 112, "the request has no padding");

struct SegmentLaunch {
    uint32_t kernel, round, blocks, threads, shared_bytes;
};

// What _classify takes behind the arguments.
struct SegmentCount {
    const void *count;
    uint64_t segment_items, segment_stride;
    uint32_t count_bytes;
    int signed_offsets;
};

struct SegmentSpec {
    const char *name;
    unsigned key_bytes, value_bytes;
    bool makes_positions;
    unsigned block_threads, classify_shared_bytes, rank_shared_bytes, shared_bytes, tile_shared_bytes;
    uint64_t (*workspace_bytes)(uint64_t segments, uint64_t n);
    uint64_t zeroed_bytes;
    int (*rounds_of)(uint64_t n);
    std::vector<Argument> arguments;
    void (*run)(unsigned kernel, const unsigned char *arguments, const SegmentCount &counted, int round);
};

// Answers requests until stdin ends; returns the exit status.
int serve(const SegmentSpec *specs, size_t count);

namespace driver {

template <class S, auto Classify, auto Ranks, auto Warps, auto Tiles, auto Merge>
void run_segments(unsigned kernel, const unsigned char *bytes, const SegmentCount &counted, int round) {
    const auto arguments = argument_at<typename S::Arguments>(bytes);
    switch (kernel) {
        case 0: return Classify(arguments, counted.count, counted.segment_items, counted.segment_stride, counted.count_bytes, counted.signed_offsets);
        case 1: return Ranks(arguments);
        case 2: return Warps(arguments);
        case 3: return Tiles(arguments);
        default: return Merge(arguments, round);
    }
}

template <class S> uint64_t segment_workspace(uint64_t segments, uint64_t n) { return S::workspace_bytes(segments, n); }
template <class S> int segment_rounds(uint64_t n) { return S::rounds_of(n); }

template <class S, auto Classify, auto Ranks, auto Warps, auto Tiles, auto Merge>
SegmentSpec segments_of(const char *name, std::vector<Argument> arguments) {
    using Value = typename S::Value;
    return {name, sizeof(typename S::Key), std::is_empty_v<Value> ? 0u : unsigned(sizeof(Value)), S::kMakesPositions, S::kBlockThreads, S::kClassifySharedBytes, S::kRankSharedBytes, S::kSharedBytes, S::kTileSharedBytes,
            segment_workspace<S>, S::kZeroedBytes, segment_rounds<S>, std::move(arguments), run_segments<S, Classify, Ranks, Warps, Tiles, Merge>};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) \
    emulator::driver::segments_of<sortsmith::name, name##_classify, name##_ranks, name##_warps, name##_tiles, name##_merge>( \
        #name, SORTSMITH_MEMBERS(name, SORTSMITH_ARGUMENTS))
