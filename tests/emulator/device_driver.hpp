// A server that sorts whole arrays with generated device-wide sorts. A test program is
//
//     #include "emulator.hpp"
//     #include "device_radix_sort_u16_u32_b256_i4_asc.cuh"
//     #include "device_driver.hpp"
//
//     static const emulator::DeviceSpec kSpecs[] = {
//         SORTSMITH_DEVICE_SPEC(device_radix_sort_u16_u32_b256_i4_asc, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
//     };
// (SORTSMITH_SAMPLE_SPEC for a device_sample_sort, SORTSMITH_NETWORK_SPEC for a device_bitonic_sort)
//     int main() { return emulator::serve_device(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and device_driver.cpp. It speaks as protocol.hpp says:
//
//     request   DeviceRequest, its launches (DeviceLaunch), n keys, then n values where the sort reads any
//     response  with status kOk n keys, unless they are not wanted, then n values where the sort has any
//
// The launches are the host's: they run in this order, with so many blocks at once. Every array has exactly n items
// and junk in it, the workspace exactly workspace_bytes, of which the first zeroed_bytes are zero; by counting sort
// and written anew, both are counting_bytes. Inputs are read-only unless the sort is in place. Sizes, blocks and shared memory that are not the header's own are refused.
// With kDetectRaces a race is a fault, if the program was compiled with -fsanitize=thread.
#pragma once

#include "emulator.hpp"
#include "protocol.hpp"

#include <type_traits>

namespace emulator {

constexpr uint32_t kDeviceRequestMagic = 0x71647373;  // "ssdq"

enum DeviceFlags : uint32_t { kSortInPlace = 1, kWritesKeys = 2, kReadsValues = 4, kInterleaves = 8, kAligned = 16, kDetectRaces = 32 };
enum DeviceKernel : uint32_t {
    kCountKernel = 0,
    kPlanKernel = 1,
    kPassKernel = 2,
    kFinishKernel = 3,
    kFixUpKernel = 4,
    kHistogramKernel = 5,
    kScanKernel = 6,
    kExpandKernel = 7,
    kBucketOffsetsKernel = 8,
    kMsdBucketsKernel = 9,
    kSplitKernel = 10,
    kBucketsKernel = 11,
    kSamplesKernel = 12,
    kTilesKernel = 13,
    kStrideKernel = 14,
    kMergeKernel = 15,
    kDeviceKernels = 16
};

struct DeviceRequest {
    uint32_t magic, spec, begin_bit, end_bit, flags, blocks_at_once;
    uint32_t value_bytes;  // 0 for keys alone
    uint32_t launches;
    uint32_t count_columns_log2;
    uint32_t unused;
    uint64_t n, seed, zeroed_bytes, workspace_bytes;
};
static_assert(sizeof(DeviceRequest) == 72, "the request has no padding");

struct DeviceLaunch {
    uint32_t kernel, pass, blocks, threads, shared_bytes;
};

struct DeviceArguments {
    const void *keys_in;
    void *keys_out, *keys_alternate;
    const void *values_in;
    void *values_out, *values_alternate;
    unsigned char *workspace;
    uint64_t n;
    int begin_bit, end_bit, writes_keys, interleaves, count_columns_log2, sorts_msd_buckets;
};

struct DeviceSpec {
    const char *name;
    unsigned key_bytes;
    unsigned value_bytes;  // of Value, whatever it is for keys alone
    unsigned tile_items, threads;
    unsigned long long max_items;
    unsigned long long (*zeroed_bytes)(unsigned long long n);
    unsigned long long (*workspace_bytes)(unsigned long long n);
    // Of a radix sort; null for others.
    int (*pass_count)(int begin_bit, int end_bit);
    // Null for keys that are not counted and written anew.
    unsigned long long (*counting_bytes)();
    unsigned (*count_shared_bytes)(int count_columns_log2);
    unsigned pass_shared_bytes;
    // Of _msd_buckets, if the sort has it.
    unsigned msd_bucket_threads, msd_bucket_shared_bytes;
    // If there may be a second phase: the turns of the first one.
    int (*first_pass_slots)(int begin_bit, int end_bit);
    // Of a sample sort.
    unsigned (*tile_count)(unsigned long long n);
    unsigned (*bucket_count)(unsigned long long n);
    bool (*samples_come_first)(unsigned long long n);
    unsigned sample_blocks, sample_threads;
    unsigned sample_shared_bytes, split_shared_bytes, bucket_shared_bytes;
    // Of a sort by a network, which has tile_count too.
    int tile_log2;
    unsigned tile_shared_bytes;
    unsigned long long (*merged_items)(unsigned long long n, int run_log2);
    int (*stride_count)(int run_log2);
    int (*stride_argument)(int run_log2, int number);
    unsigned (*stride_blocks)(unsigned long long n, int run_log2, int number);
    // Runs a kernel; false if the sort has no such one.
    bool (*kernel)(const DeviceArguments &arguments, DeviceKernel kernel, int pass);
};

// Answers requests until stdin ends; returns the exit status.
int serve_device(const DeviceSpec *specs, size_t count);

namespace driver {

template <class S>
typename S::Arguments arguments_of(const DeviceArguments &a) {
    using Arguments = typename S::Arguments;
    using Key = typename S::Key;
    using Value = typename S::Value;
    // What the host passes has this layout, too.
    static_assert(sizeof(Arguments) == 88 && offsetof(Arguments, keys_alternate) == 16 &&
                      offsetof(Arguments, values_in) == 24 && offsetof(Arguments, workspace) == 48 &&
                      offsetof(Arguments, n) == 56 && offsetof(Arguments, begin_bit) == 64 &&
                      offsetof(Arguments, end_bit) == 68 && offsetof(Arguments, writes_keys) == 72 &&
                      offsetof(Arguments, interleaves) == 76 && offsetof(Arguments, count_columns_log2) == 80 &&
                      offsetof(Arguments, sorts_msd_buckets) == 84,
                  "the layout of the arguments");
    Arguments arguments;
    arguments.keys_in = static_cast<const Key *>(a.keys_in);
    arguments.keys_out = static_cast<Key *>(a.keys_out);
    arguments.keys_alternate = static_cast<Key *>(a.keys_alternate);
    arguments.values_in = static_cast<const Value *>(a.values_in);
    arguments.values_out = static_cast<Value *>(a.values_out);
    arguments.values_alternate = static_cast<Value *>(a.values_alternate);
    arguments.workspace = a.workspace;
    arguments.n = a.n;
    arguments.begin_bit = a.begin_bit;
    arguments.end_bit = a.end_bit;
    arguments.writes_keys = a.writes_keys;
    arguments.interleaves = a.interleaves;
    arguments.count_columns_log2 = a.count_columns_log2;
    arguments.sorts_msd_buckets = a.sorts_msd_buckets;
    return arguments;
}

template <class S, auto Count, auto Plan, auto Pass, auto Finish, auto... More>
bool device_kernel(const DeviceArguments &a, DeviceKernel kernel, int pass) {
    const typename S::Arguments arguments = arguments_of<S>(a);
    switch (kernel) {
        case kCountKernel: return Count(arguments), true;
        case kPlanKernel: return Plan(arguments), true;
        case kPassKernel: return Pass(arguments, pass), true;
        case kFinishKernel: return Finish(arguments), true;
        default: break;
    }
    using Kernel = void (*)(typename S::Arguments);
    const Kernel more[] = {More...};
    if (kernel > kMsdBucketsKernel || !more[kernel - kFixUpKernel]) return false;
    more[kernel - kFixUpKernel](arguments);
    return true;
}

template <class S, auto Samples, auto Split, auto Buckets>
bool sample_kernel(const DeviceArguments &a, DeviceKernel kernel, int) {
    switch (kernel) {
        case kSamplesKernel: return Samples(arguments_of<S>(a)), true;
        case kSplitKernel: return Split(arguments_of<S>(a)), true;
        case kBucketsKernel: return Buckets(arguments_of<S>(a)), true;
        default: return false;
    }
}

template <class S, auto Tiles, auto Stride, auto Merge>
bool network_kernel(const DeviceArguments &a, DeviceKernel kernel, int steps) {
    switch (kernel) {
        case kTilesKernel: return Tiles(arguments_of<S>(a)), true;
        case kStrideKernel: return Stride(arguments_of<S>(a), steps), true;
        case kMergeKernel: return Merge(arguments_of<S>(a)), true;
        default: return false;
    }
}

template <class S>
constexpr DeviceSpec spec_of(const char *name, bool (*kernel)(const DeviceArguments &, DeviceKernel, int)) {
    DeviceSpec spec = {};
    spec.name = name;
    spec.key_bytes = unsigned(sizeof(typename S::Key));
    spec.value_bytes = unsigned(sizeof(typename S::Value));
    spec.tile_items = unsigned(S::kTileItems);
    spec.threads = unsigned(S::kBlockThreads);
    spec.max_items = S::kMaxItems;
    spec.zeroed_bytes = S::zeroed_bytes;
    spec.workspace_bytes = S::workspace_bytes;
    spec.kernel = kernel;
    return spec;
}

// What a block of _msd_buckets has, in sorts that have that kernel.
template <class S, class = void>
struct MsdBuckets {
    static constexpr unsigned threads = 0, shared_bytes = 0;
};
template <class S>
struct MsdBuckets<S, std::void_t<decltype(S::kBucketThreads)>> {
    static constexpr unsigned threads = S::kBucketThreads, shared_bytes = S::kBucketSharedBytes;
};

template <class S, class = void>
struct FirstPassSlots {
    static constexpr int (*of)(int, int) = nullptr;
};
template <class S>
struct FirstPassSlots<S, std::void_t<decltype(S::first_pass_slots(0, 0))>> {
    static constexpr int (*of)(int, int) = S::first_pass_slots;
};

template <class S, class = void>
struct CountingBytes {
    static constexpr unsigned long long (*of)() = nullptr;
};
template <class S>
struct CountingBytes<S, std::void_t<decltype(S::counting_bytes())>> {
    static constexpr unsigned long long (*of)() = S::counting_bytes;
};

template <class S>
constexpr DeviceSpec device_spec_of(const char *name, bool (*kernel)(const DeviceArguments &, DeviceKernel, int)) {
    DeviceSpec spec = spec_of<S>(name, kernel);
    spec.pass_count = S::pass_count;
    spec.counting_bytes = CountingBytes<S>::of;
    spec.count_shared_bytes = S::count_shared_bytes;
    spec.pass_shared_bytes = unsigned(S::kSharedBytes);
    spec.first_pass_slots = FirstPassSlots<S>::of;
    spec.msd_bucket_threads = MsdBuckets<S>::threads;
    spec.msd_bucket_shared_bytes = MsdBuckets<S>::shared_bytes;
    return spec;
}

template <class S>
constexpr DeviceSpec sample_spec_of(const char *name, bool (*kernel)(const DeviceArguments &, DeviceKernel, int)) {
    DeviceSpec spec = spec_of<S>(name, kernel);
    spec.tile_count = S::tile_count;
    spec.bucket_count = S::bucket_count;
    spec.samples_come_first = S::samples_come_first;
    spec.sample_blocks = S::kSampleBlocks;
    spec.sample_threads = S::kSampleThreads;
    spec.sample_shared_bytes = S::kSampleSharedBytes;
    spec.split_shared_bytes = S::kSplitSharedBytes;
    spec.bucket_shared_bytes = S::kBucketSharedBytes;
    return spec;
}

template <class S>
constexpr DeviceSpec network_spec_of(const char *name, bool (*kernel)(const DeviceArguments &, DeviceKernel, int)) {
    DeviceSpec spec = spec_of<S>(name, kernel);
    spec.tile_count = S::tile_count;
    spec.tile_log2 = S::kTileLog2;
    spec.tile_shared_bytes = S::kSharedBytes;
    spec.merged_items = S::merged_items;
    spec.stride_count = S::stride_count;
    spec.stride_argument = [](int run_log2, int number) { return S::steps_of(run_log2, number).pack(); };
    spec.stride_blocks = [](unsigned long long n, int run_log2, int number) {
        return S::stride_blocks(n, run_log2, S::steps_of(run_log2, number));
    };
    return spec;
}

}  // namespace driver
}  // namespace emulator

// The others are the sort's kernels of these names, or nullptr where it has none.
#define SORTSMITH_DEVICE_SPEC(name, fix_up, histogram, scan, expand, bucket_offsets, msd_buckets)                                 \
    emulator::driver::device_spec_of<sortsmith::name>(                                                      \
        #name,                                                                                              \
        emulator::driver::device_kernel<sortsmith::name, name##_count, name##_plan, name##_pass, name##_finish, \
                                        fix_up, histogram, scan, expand, bucket_offsets, msd_buckets>)

#define SORTSMITH_SAMPLE_SPEC(name)          \
    emulator::driver::sample_spec_of<sortsmith::name>( \
        #name, emulator::driver::sample_kernel<sortsmith::name, name##_samples, name##_split, name##_buckets>)

#define SORTSMITH_NETWORK_SPEC(name)          \
    emulator::driver::network_spec_of<sortsmith::name>( \
        #name, emulator::driver::network_kernel<sortsmith::name, name##_tiles, name##_stride, name##_merge>)
