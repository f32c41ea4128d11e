// A server that gathers with generated gathers. A test program is
//
//     #include "emulator.hpp"
//     #include "gather_b12_w4.cuh"
//     #include "families/gather/driver.hpp"
//     #define SORTSMITH_ARGUMENTS_kernel(field) field(items_in, 0) ...
//
//     static const emulator::GatherSpec kSpecs[] = {
//         SORTSMITH_KERNELS(gather_b12_w4),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   GatherRequest, n positions (u32), then `all` items
//     response  with status kOk n items
//
// Positions and items are read-only; every array ends at a page that is not there. Blocks of another size than the header's
// are refused; fewer of them than the host launches are not.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "protocol.hpp"

namespace emulator {

constexpr uint32_t kGatherRequestMagic = 0x71677373;  // "ssgq"

struct GatherRequest {
    uint32_t magic, spec, blocks, threads, blocks_at_once;
    uint32_t detects_races;  // a race is a fault, if the program was compiled with -fsanitize=thread
    uint64_t n, all, seed;
};
static_assert(sizeof(GatherRequest) == 48, "the request has no padding");

struct GatherSpec {
    const char *name;
    unsigned item_bytes, word_bytes, block_threads;
    ParameterKernel kernel;
};

// Answers requests until stdin ends; returns the exit status.
int serve(const GatherSpec *specs, size_t count);

namespace driver {

template <class S> GatherSpec gather_of(const char *name, ParameterKernel kernel) {
    static_assert(S::kItemWords * sizeof(typename S::Word) == S::kItemBytes, "words make up an item");
    static_assert(alignof(typename S::Word) == sizeof(typename S::Word), "a word is aligned to its size");
    return {name, S::kItemBytes, unsigned(sizeof(typename S::Word)), S::kBlockThreads, std::move(kernel)};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) emulator::driver::gather_of<sortsmith::name>(#name, SORTSMITH_KERNEL(name, _kernel))
