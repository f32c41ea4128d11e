// What the header of a device_sample_sort says of its launches.
#pragma once

#include "device_driver.hpp"

namespace emulator {
namespace device_sample_sort {

template <class S>
const char *refusal(const DeviceRequest &r, const std::vector<OwnLaunch> &launches) {
    if (const char *text = refusal_of_bytes(r, launches, S::zeroed_bytes(r.n), S::workspace_bytes(r.n))) return text;
    std::vector<OwnLaunch> own;
    if (!r.n) return difference(launches, own);
    if (S::samples_come_first(r.n))
        own.push_back({"_samples", 0, S::sample_blocks(r.n), uint32_t(S::kSampleThreads), uint32_t(S::kSampleSharedBytes)});
    own.push_back({"_split", 0, S::tile_count(r.n), uint32_t(S::kBlockThreads), uint32_t(S::kSplitSharedBytes)});
    own.push_back({"_buckets", 0, S::bucket_count(r.n), uint32_t(S::kBlockThreads), uint32_t(S::kBucketSharedBytes)});
    return difference(launches, own);
}

}  // namespace device_sample_sort
}  // namespace emulator
