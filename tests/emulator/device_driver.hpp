// A server that sorts arrays with generated device-wide sorts. A test program is
//
//     #include "emulator.hpp"
//     #include "device_bitonic_sort_u16_u32_b64_i4_asc.cuh"
//     #include "device_driver.hpp"
//     #define SORTSMITH_ARGUMENTS_device_bitonic_sort(field) field(keys_in, 0) field(keys_out, 8) ...
//     #include "families/device_bitonic_sort/launches.hpp"
//
//     static const emulator::DeviceSpec kSpecs[] = {
//         SORTSMITH_DEVICE_SPEC(device_bitonic_sort, device_bitonic_sort, device_bitonic_sort_u16_u32_b64_i4_asc, {
//             SORTSMITH_DEVICE_KERNEL(device_bitonic_sort_u16_u32_b64_i4_asc, _tiles),
//             SORTSMITH_DEVICE_KERNEL(device_bitonic_sort_u16_u32_b64_i4_asc, _stride),
//             SORTSMITH_DEVICE_KERNEL(device_bitonic_sort_u16_u32_b64_i4_asc, _merge),
//         }),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// The arguments are those of a family, as arguments.hpp has them, or of its counted sorts, which have a name of their own. What only the family has is in the request, as numbers.
// A family has its folder in families/. Its launches.hpp has a namespace of the family's name, and there
//
//     template <class S> const char *refusal(const DeviceRequest &, const std::vector<OwnLaunch> &);
//
// which says what of a request and its launches is not as the header S says, or null. The program is
// linked with emulator.cpp, protocol.cpp and device_driver.cpp. It speaks as protocol.hpp says:
//
//     request   DeviceRequest, its launches (DeviceLaunch), n keys, then n values where the sort reads any
//     response  with status kOk n keys, unless they are not wanted, then n values where the sort has any
//
// Of a counted sort the count, which the sort reads, says how many of the n items come back, or with kCountsRows how many of the rows. The others
// must be left as they are.
//
// Of a sort of rows n is a row's, the keys and values are those of all rows without what lies between them, and so are the answer's.
//
// The launches are the host's: they run in this order, with the request's number of blocks at once. Every array has exactly n items
// and junk in it, the workspace exactly workspace_bytes, of which the first zeroed_bytes are zero; by counting sort
// and written anew, both are counting_bytes. Inputs are read-only unless the sort is in place. Sizes, blocks and shared memory that are not the header's own are refused.
// With kDetectRaces a race is a fault, if the program was compiled with -fsanitize=thread.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "protocol.hpp"

#include <string.h>

#include <initializer_list>
#include <type_traits>
#include <vector>

namespace emulator {

constexpr uint32_t kDeviceRequestMagic = 0x71647373;  // "ssdq"

enum DeviceFlags : uint32_t { kSortInPlace = 1, kWritesKeys = 2, kReadsValues = 4, kInterleaves = 8, kAligned = 16, kDetectRaces = 32, kCountsRows = 64 };
struct DeviceRequest {
    uint32_t magic, spec, begin_bit, end_bit, flags, blocks_at_once;
    uint32_t value_bytes;  // 0 for keys alone
    uint32_t launches;
    uint32_t sorts_before;  // what the counter of sorts begins with
    uint32_t rows;          // of a sort of rows, else 1
    uint32_t gap;           // items between two rows
    uint32_t own_count;     // arguments that only the family has
    uint32_t own[3];        // and these, in their order
    uint32_t count_bytes;   // 4 or 8 of a counted sort, else 0
    uint64_t n, seed, zeroed_bytes, workspace_bytes;
    uint64_t count, rows_before;
};
static_assert(sizeof(DeviceRequest) == 112, "the request has no padding");

struct DeviceLaunch {
    uint32_t kernel;    // the index in the spec's kernels
    uint32_t argument;  // behind the arguments that all kernels take, where the kernel has one more
    uint32_t blocks, threads, shared_bytes;
};

// A kernel of a header.
struct DeviceKernel {
    const char *suffix;  // of its name
    bool has_argument;
    void (*run)(const unsigned char *arguments, int argument);
};

// A launch by the name of its kernel.
struct OwnLaunch {
    const char *suffix;
    uint32_t argument, blocks, threads, shared_bytes;

    bool is_of(const char *other) const { return strcmp(suffix, other) == 0; }
};

struct DeviceSpec {
    std::vector<DeviceKernel> kernels;
    std::vector<Argument> arguments;
    unsigned key_bytes;
    unsigned value_bytes;  // of Value, whatever it is for keys alone
    unsigned long long max_items;
    // The family's.
    const char *(*refusal)(const DeviceRequest &, const std::vector<OwnLaunch> &);
};

// What of a request's bytes is not as the header says, or null. What launches nothing has no bytes.
const char *refusal_of_bytes(const DeviceRequest &request, const std::vector<OwnLaunch> &launches, uint64_t zeroed_bytes,
                             uint64_t workspace_bytes);

// What of these launches is not as in those that the header says, or null.
const char *difference(const std::vector<OwnLaunch> &launches, const std::vector<OwnLaunch> &own);

// Answers requests until stdin ends; returns the exit status.
int serve(const DeviceSpec *specs, size_t count);

}  // namespace emulator

namespace emulator {
namespace driver {

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
DeviceSpec spec_of(decltype(DeviceSpec::refusal) refusal, std::vector<Argument> arguments, std::initializer_list<DeviceKernel> kernels) {
    DeviceSpec spec = {};
    spec.kernels = kernels;
    spec.arguments = std::move(arguments);
    spec.key_bytes = unsigned(sizeof(typename S::Key));
    spec.value_bytes = unsigned(sizeof(typename S::Value));
    spec.max_items = S::kMaxItems;
    spec.refusal = refusal;
    return spec;
}

}  // namespace driver
}  // namespace emulator

// A kernel of the header of this name, by what follows the name in the kernel's.
#define SORTSMITH_DEVICE_KERNEL(name, suffix) emulator::driver::device_kernel<sortsmith::name, name##suffix>(#suffix)

// The header of this name, of this family, with its kernels and the arguments of that name.
#define SORTSMITH_DEVICE_SPEC(family, arguments, name, ...) \
    emulator::driver::spec_of<sortsmith::name>(emulator::family::refusal<sortsmith::name>, \
                                               SORTSMITH_MEMBERS(name, SORTSMITH_ARGUMENTS_##arguments), __VA_ARGS__)
