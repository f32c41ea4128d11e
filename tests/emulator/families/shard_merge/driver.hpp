// A server that runs the kernels of generated merges of shards. A test program is
//
//     #include "emulator.hpp"
//     #include "shard_merge_u32_keys_b64_i4_asc.cuh"
//     #include "families/shard_merge/driver.hpp"
//     #define SORTSMITH_ARGUMENTS(field) field(keys, 0) ...
//
//     static const emulator::ShardSpec kSpecs[] = {
//         SORTSMITH_KERNELS(shard_merge_u32_keys_b64_i4_asc),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   ShardRequest, the keys of the first run and of the second one, the values of each, for each border the target (u64), for
//               each candidate the sum (u64), and the known upper bits of the splitters
//     response  with status kOk the merged keys, then the merged values, the positions of the first run's items, what is below the
//               candidates, the splitters, and what is around them
//
// The first run is searched, and both are merged. What is read is read-only, but for the splitters; every array ends at a page that is
// not there.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "protocol.hpp"

#include <type_traits>

namespace emulator {

constexpr uint32_t kShardRequestMagic = 0x676d6873;  // "shmg"

struct ShardRequest {
    // A race is a fault where detects_races is not 0, if the program was compiled with -fsanitize=thread.
    uint32_t magic, spec, borders, digit_values, shift, most_blocks, blocks_at_once, detects_races;
    int32_t begin_bit, end_bit;
    uint64_t first_items, second_items, first_position, seed;
};
static_assert(sizeof(ShardRequest) == 72, "the request has no padding");

struct ShardSpec {
    const char *name;
    unsigned key_bytes, value_bytes, order_bytes;
    unsigned block_threads, tile_items, shared_bytes;
    std::vector<Argument> arguments;
    void (*run)(unsigned kernel, const unsigned char *arguments);
};

// Answers requests until stdin ends; returns the exit status.
int serve(const ShardSpec *specs, size_t count);

namespace driver {

template <class S, auto Positions, auto Search, auto Narrow, auto Around, auto Merge>
void run_kernel(unsigned kernel, const unsigned char *bytes) {
    const auto arguments = argument_at<typename S::Arguments>(bytes);
    switch (kernel) {
        case 0: return Positions(arguments);
        case 1: return Search(arguments);
        case 2: return Narrow(arguments);
        case 3: return Around(arguments);
        default: return Merge(arguments);
    }
}

template <class S, auto Positions, auto Search, auto Narrow, auto Around, auto Merge>
ShardSpec merge_of(const char *name, std::vector<Argument> arguments) {
    using Value = typename S::Value;
    return {name, sizeof(typename S::Key), std::is_empty_v<Value> ? 0u : unsigned(sizeof(Value)), unsigned(sizeof(typename S::Bits)),
            S::kBlockThreads, S::kTileItems, S::kSharedBytes, std::move(arguments),
            run_kernel<S, Positions, Search, Narrow, Around, Merge>};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) \
    emulator::driver::merge_of<sortsmith::name, name##_positions, name##_search, name##_narrow, name##_around, name##_merge>( \
        #name, SORTSMITH_MEMBERS(name, SORTSMITH_ARGUMENTS))
