// What the header of a device_odd_even_sort says of its launches.
#pragma once

#include "device_driver.hpp"

namespace emulator {
namespace device_odd_even_sort {

template <class S>
const char *refusal(const DeviceRequest &r, const std::vector<OwnLaunch> &launches) {
    if (const char *text = refusal_of_bytes(r, launches, S::zeroed_bytes(r.n), S::workspace_bytes(r.n))) return text;
    std::vector<OwnLaunch> own;
    if (r.n) own.push_back({"_sort", 0, 1, uint32_t(S::kBlockThreads), uint32_t(S::kSharedBytes)});
    return difference(launches, own);
}

}  // namespace device_odd_even_sort
}  // namespace emulator
