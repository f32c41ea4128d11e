// What the header of a device_radix_sort says of its launches.
#pragma once

#include "device_driver.hpp"

namespace emulator {
namespace device_radix_sort {

// What a block of _msd_buckets has, in sorts that have that kernel.
template <class S, class = void>
struct MsdBuckets {
    static constexpr unsigned threads = 0, shared_bytes = 0;
};
template <class S>
struct MsdBuckets<S, std::void_t<decltype(S::kBucketThreads)>> {
    static constexpr unsigned threads = S::kBucketThreads, shared_bytes = S::kBucketSharedBytes;
};

// The pass slots of the first phase, if there may be a second one.
template <class S, class = void>
struct FirstPassSlots {
    static uint32_t of(const DeviceRequest &) { return 0; }
};
template <class S>
struct FirstPassSlots<S, std::void_t<decltype(S::first_pass_slots(0, 0))>> {
    static uint32_t of(const DeviceRequest &r) { return uint32_t(S::first_pass_slots(int(r.begin_bit), int(r.end_bit))); }
};

// The bytes of a counting sort, in sorts of keys that may be counted and written anew.
template <class S, class = void>
struct CountingBytes {
    static constexpr bool kExists = false;
    static uint64_t of() { return 0; }
};
template <class S>
struct CountingBytes<S, std::void_t<decltype(S::counting_bytes())>> {
    static constexpr bool kExists = true;
    static uint64_t of() { return S::counting_bytes(); }
};

template <class S>
const char *refusal(const DeviceRequest &r, const std::vector<OwnLaunch> &launches) {
    bool counts = false;
    for (const OwnLaunch &launch : launches) counts |= launch.is_of("_expand");
    if (counts && !CountingBytes<S>::kExists) return "the sort has no counting sort of its keys";
    const uint64_t zeroed_bytes = counts ? CountingBytes<S>::of() : S::zeroed_bytes(r.n);
    const uint64_t workspace_bytes = counts ? CountingBytes<S>::of() : S::workspace_bytes(r.n);
    if (const char *text = refusal_of_bytes(r, launches, zeroed_bytes, workspace_bytes)) return text;
    const uint64_t tiles = (r.n + S::kTileItems - 1) / S::kTileItems;
    const uint32_t digits = uint32_t(S::pass_count(int(r.begin_bit), int(r.end_bit)));
    const uint32_t first = FirstPassSlots<S>::of(r);
    uint32_t passes = 0;
    bool has_phases = false;
    for (const OwnLaunch &launch : launches) {
        if (launch.is_of("_count") && launch.shared_bytes != S::count_shared_bytes(int(r.own[1])))
            return "the shared memory of _count is not that of the header";
        if (launch.is_of("_fix_up") || launch.is_of("_bucket_offsets") || launch.is_of("_msd_buckets") || launch.is_of("_count_overflow") ||
            launch.is_of("_gather_overflow")) {
            if (passes != first) return "what is between the phases is not there";
            has_phases = true;
        }
        if (launch.is_of("_msd_buckets") &&
            (launch.threads != MsdBuckets<S>::threads || launch.shared_bytes != MsdBuckets<S>::shared_bytes))
            return "the threads or the shared memory of _msd_buckets are not the header's";
        if (!launch.is_of("_pass")) continue;
        if (launch.argument != passes++) return "a pass is out of order";
        if (launch.blocks > tiles || launch.threads != uint32_t(S::kBlockThreads)) return "the blocks of _pass are not the header's";
        if (launch.shared_bytes != uint32_t(S::kSharedBytes)) return "the shared memory of _pass is not that of the header";
    }
    if (r.n && !counts && passes != digits + (has_phases ? first : 0)) return "the passes are not those of the bit range";
    return nullptr;
}

}  // namespace device_radix_sort
}  // namespace emulator
