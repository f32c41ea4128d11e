// A server that finds the first k keys of short rows with generated top-ks. A test program is
//
//     #include "emulator.hpp"
//     #include "warp_top_k_f32_i8_k32_desc.cuh"
//     #include "families/warp_top_k/driver.hpp"
//     #define SORTSMITH_ARGUMENTS_rows(field) field(keys, 0) ...
//
//     static const emulator::WarpTopKSpec kSpecs[] = {
//         SORTSMITH_KERNELS(warp_top_k_f32_i8_k32_desc),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   WarpTopKRequest, then the keys of all rows, with the gaps between them, and the values, if the header reads such
//     response  with status kOk rows * k keys, rows * k positions (u32) and rows * k values or positions of 64 bits, each if they are wanted
//
// Keys are read-only; every array ends at a page that is not there. Blocks of another size than the header's are refused, and so are
// rows of more columns than it takes; fewer blocks than the host launches are not.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "families/block_top_k/beside.hpp"
#include "protocol.hpp"

namespace emulator {

constexpr uint32_t kWarpTopKRequestMagic = 0x776b7373;  // "sskw"

enum WarpTopKFlags : uint32_t {
    kWarpTopKRaces = 1,  // a race is a fault, if the program was compiled with -fsanitize=thread
    kWarpTopKSorted = 2,
    kWarpTopKWritesKeys = 4,
    kWarpTopKWritesPositions = 8,
    kWarpTopKWritesValues = 16,  // or positions of 64 bits
};

struct WarpTopKRequest {
    uint32_t magic, spec, flags, blocks_at_once;
    uint32_t blocks, threads, shared_bytes, k;
    uint64_t rows, columns, stride, keys, seed;
};
static_assert(sizeof(WarpTopKRequest) == 72, "the request has no padding");

struct WarpTopKSpec {
    const char *name;
    unsigned key_bytes, block_threads, shared_bytes, max_k, max_columns;
    top_k::Beside beside;
    ParameterKernel rows;
};

// Answers requests until stdin ends; returns the exit status.
int serve(const WarpTopKSpec *specs, size_t count);

namespace driver {

template <class S> WarpTopKSpec warp_top_k_of(const char *name, ParameterKernel rows) {
    return {name,     unsigned(sizeof(typename S::Key)), S::kBlockThreads,         S::kSharedBytes,
            S::kMaxK, S::kMaxColumns,                    top_k::beside_of<S>(), std::move(rows)};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) emulator::driver::warp_top_k_of<sortsmith::name>(#name, SORTSMITH_KERNEL(name, _rows))
