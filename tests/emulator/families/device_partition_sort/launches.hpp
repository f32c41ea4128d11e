// What the header of a device_partition_sort says of its launches.
#pragma once

#include "device_driver.hpp"

namespace emulator {
namespace device_partition_sort {

// The requested launch of a kernel, of which the header leaves something to the host; one without blocks if there is none.
inline OwnLaunch requested(const std::vector<OwnLaunch> &launches, const char *suffix) {
    for (const OwnLaunch &launch : launches)
        if (launch.is_of(suffix)) return launch;
    return {suffix, 0, 0, 0, 0};
}

template <class S>
const char *refusal(const DeviceRequest &r, const std::vector<OwnLaunch> &launches) {
    if (const char *text = refusal_of_bytes(r, launches, S::zeroed_bytes(r.n), S::workspace_bytes(r.n))) return text;
    std::vector<OwnLaunch> own;
    if (!r.n) return difference(launches, own);
    const uint32_t tiles = S::tile_count(r.n), spans = S::span_count(r.n), threads = uint32_t(S::kBlockThreads);
    const auto launch = [&](const char *suffix, uint32_t blocks, uint32_t block_threads, uint32_t shared_bytes) {
        own.push_back({suffix, 0, blocks, block_threads, shared_bytes});
    };
    // With any seed.
    const auto sample = [&](const char *suffix, uint32_t blocks) {
        own.push_back({suffix, requested(launches, suffix).argument, blocks, threads, uint32_t(S::kSampleSharedBytes)});
    };
    // With any number of blocks but none.
    const auto go_through = [&](const char *suffix, uint32_t block_threads, uint32_t shared_bytes) {
        const uint32_t blocks = requested(launches, suffix).blocks;
        own.push_back({suffix, 0, blocks ? blocks : 1, block_threads, shared_bytes});
    };
    sample("_samples", 1);
    if (S::has_two_levels(r.n)) {
        launch("_split_parents", tiles, threads, S::kSplitParentsSharedBytes);
        launch("_sum_pieces", spans, S::kParents, 0);
        launch("_scan_pieces", 1, S::kListThreads, S::kScanSharedBytes);
        launch("_locate_pieces", spans, S::kParents, S::kLocateSharedBytes);
        sample("_parent_samples", S::kParents);
        launch("_split_buckets", tiles + S::kParents, threads, S::kSplitBucketsSharedBytes);
    } else {
        launch("_split", tiles, threads, S::kSplitSharedBytes);
    }
    launch("_list_buckets", S::parent_count(r.n), S::kListThreads, S::kListSharedBytes);
    go_through("_small_chunks", S::kSmallThreads, S::kSmallSharedBytes);
    go_through("_medium_chunks", S::kMediumThreads, S::kMediumSharedBytes);
    go_through("_large_chunks", S::kLargeThreads, S::kLargeSharedBytes);
    go_through("_small_merges", S::kSmallThreads, S::kSmallSharedBytes);
    go_through("_medium_merges", S::kMediumThreads, S::kMediumSharedBytes);
    go_through("_large_merges", S::kLargeThreads, S::kLargeSharedBytes);
    go_through("_equal_keys", threads, S::kEqualSharedBytes);
    go_through("_oversized_buckets", threads, 0);
    return difference(launches, own);
}

}  // namespace device_partition_sort
}  // namespace emulator
