// A server that sorts arrays with generated device-wide sorts. A test program is
//
//     #include "emulator.hpp"
//     #include "device_bitonic_sort_u16_u32_b64_i4_asc.cuh"
//     #define SORTSMITH_ARGUMENTS(field) field(keys_in, 0) field(keys_out, 8) ...
//     #include "device_driver.hpp"
//
//     static const emulator::DeviceSpec kSpecs[] = {
//         emulator::driver::device_bitonic_spec_of<sortsmith::device_bitonic_sort_u16_u32_b64_i4_asc>({
//             SORTSMITH_DEVICE_KERNEL(device_bitonic_sort_u16_u32_b64_i4_asc, _tiles),
//             SORTSMITH_DEVICE_KERNEL(device_bitonic_sort_u16_u32_b64_i4_asc, _stride),
//             SORTSMITH_DEVICE_KERNEL(device_bitonic_sort_u16_u32_b64_i4_asc, _merge),
//         }),
//     };
//     int main() { return emulator::serve_device(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// SORTSMITH_ARGUMENTS is of the names and offsets of the members of a header's Arguments, as the host lays them out.
// (device_radix_spec_of for a device_radix_sort, device_sample_spec_of for a device_sample_sort, and all kernels of the header)
// linked with emulator.cpp, protocol.cpp and device_driver.cpp. It speaks as protocol.hpp says:
//
//     request   DeviceRequest, its launches (DeviceLaunch), n keys, then n values where the sort reads any
//     response  with status kOk n keys, unless they are not wanted, then n values where the sort has any
//
// The launches are the host's: they run in this order, with the request's number of blocks at once. Every array has exactly n items
// and junk in it, the workspace exactly workspace_bytes, of which the first zeroed_bytes are zero; by counting sort
// and written anew, both are counting_bytes. Inputs are read-only unless the sort is in place. Sizes, blocks and shared memory that are not the header's own are refused.
// With kDetectRaces a race is a fault, if the program was compiled with -fsanitize=thread.
#pragma once

#include "emulator.hpp"
#include "protocol.hpp"

#include <string.h>

#include <initializer_list>
#include <type_traits>
#include <vector>

namespace emulator {

constexpr uint32_t kDeviceRequestMagic = 0x71647373;  // "ssdq"

enum DeviceFlags : uint32_t { kSortInPlace = 1, kWritesKeys = 2, kReadsValues = 4, kInterleaves = 8, kAligned = 16, kDetectRaces = 32 };
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
    uint32_t kernel;    // the index in the spec's kernels
    uint32_t argument;  // behind the arguments that all kernels take, where the kernel has one more
    uint32_t blocks, threads, shared_bytes;
};

// A member of the header's Arguments.
struct DeviceArgument {
    const char *name;
    size_t offset, bytes;
};

// A kernel of a header.
struct DeviceKernel {
    const char *suffix;  // of its name
    bool has_argument;
    void (*run)(const unsigned char *arguments, int argument);
};

struct DeviceSpec {
    std::vector<DeviceKernel> kernels;
    std::vector<DeviceArgument> arguments;
    size_t argument_bytes;  // of all of them
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
    // If there may be a second phase: the pass slots of the first one.
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
};

// Answers requests until stdin ends; returns the exit status.
int serve_device(const DeviceSpec *specs, size_t count);

}  // namespace emulator

#ifdef SORTSMITH_ARGUMENTS

namespace emulator {
namespace driver {

// What the host passes has this layout, too.
template <class S>
std::vector<DeviceArgument> arguments_of() {
    using Arguments = typename S::Arguments;
#define SORTSMITH_ARGUMENT(name, at) static_assert(offsetof(Arguments, name) == at, "the layout of the arguments");
    SORTSMITH_ARGUMENTS(SORTSMITH_ARGUMENT)
#undef SORTSMITH_ARGUMENT
#define SORTSMITH_ARGUMENT(name, at) {#name, at, sizeof(Arguments::name)},
    return {SORTSMITH_ARGUMENTS(SORTSMITH_ARGUMENT)};
#undef SORTSMITH_ARGUMENT
}

template <class S, auto Kernel>
constexpr DeviceKernel device_kernel(const char *suffix) {
    constexpr bool has_argument = std::is_invocable_v<decltype(Kernel), typename S::Arguments, int>;
    return {suffix, has_argument, [](const unsigned char *bytes, int argument) {
                typename S::Arguments arguments;
                memcpy(&arguments, bytes, sizeof arguments);
                if constexpr (has_argument) {
                    Kernel(arguments, argument);
                } else {
                    Kernel(arguments);
                }
            }};
}

template <class S>
DeviceSpec spec_of(std::initializer_list<DeviceKernel> kernels) {
    DeviceSpec spec = {};
    spec.kernels = kernels;
    spec.arguments = arguments_of<S>();
    spec.argument_bytes = sizeof(typename S::Arguments);
    spec.key_bytes = unsigned(sizeof(typename S::Key));
    spec.value_bytes = unsigned(sizeof(typename S::Value));
    spec.tile_items = unsigned(S::kTileItems);
    spec.threads = unsigned(S::kBlockThreads);
    spec.max_items = S::kMaxItems;
    spec.zeroed_bytes = S::zeroed_bytes;
    spec.workspace_bytes = S::workspace_bytes;
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
DeviceSpec device_radix_spec_of(std::initializer_list<DeviceKernel> kernels) {
    DeviceSpec spec = spec_of<S>(kernels);
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
DeviceSpec device_sample_spec_of(std::initializer_list<DeviceKernel> kernels) {
    DeviceSpec spec = spec_of<S>(kernels);
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
DeviceSpec device_bitonic_spec_of(std::initializer_list<DeviceKernel> kernels) {
    DeviceSpec spec = spec_of<S>(kernels);
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

// A kernel of the header of this name, by what follows the name in the kernel's.
#define SORTSMITH_DEVICE_KERNEL(name, suffix) emulator::driver::device_kernel<sortsmith::name, name##suffix>(#suffix)

#endif
