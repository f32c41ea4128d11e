// What the header of a device_bitonic_sort says of its launches.
#pragma once

#include "device_driver.hpp"

namespace emulator {
namespace device_bitonic_sort {

template <class S>
const char *refusal(const DeviceRequest &r, const std::vector<OwnLaunch> &launches) {
    if (const char *text = refusal_of_bytes(r, launches, S::zeroed_bytes(r.n), S::workspace_bytes(r.n))) return text;
    std::vector<OwnLaunch> own;
    if (!r.n) return difference(launches, own);
    const auto of_tiles = [&](const char *suffix, uint64_t items) {
        own.push_back({suffix, 0, S::tile_count(items), uint32_t(S::kBlockThreads), uint32_t(S::kSharedBytes)});
    };
    of_tiles("_tiles", r.n);
    for (int run_log2 = S::kTileLog2 + 1; uint64_t(1) << (run_log2 - 1) < r.n; ++run_log2) {
        for (int number = 0; number < S::stride_count(run_log2); ++number) {
            const auto steps = S::steps_of(run_log2, number);
            const uint32_t blocks = S::stride_blocks(r.n, run_log2, steps);
            own.push_back({"_stride", uint32_t(steps.bits), blocks, uint32_t(S::kBlockThreads), 0});
        }
        of_tiles("_merge", S::merged_items(r.n, run_log2));
    }
    return difference(launches, own);
}

}  // namespace device_bitonic_sort
}  // namespace emulator
