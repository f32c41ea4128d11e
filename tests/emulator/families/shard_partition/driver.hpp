// A server that partitions shards with generated partitions. A test program is
//
//     #include "emulator.hpp"
//     #include "shard_partition_u32_keys_b64_i4_r2_asc.cuh"
//     #include "families/shard_partition/driver.hpp"
//     #define SORTSMITH_ARGUMENTS(field) field(keys, 0) ...
//
//     static const emulator::ShardSpec kSpecs[] = {
//         SORTSMITH_KERNELS(shard_partition_u32_keys_b64_i4_r2_asc),
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   ShardRequest, n keys, n values if they are read, the sorted samples of all ranks, buckets - 1 targets (u32), and
//               for each bucket the item that its first one goes to (u64)
//     response  with status kOk the moved keys, then the moved values, the shard's samples, the splitters of all buckets, and the totals
//
// Keys, values, sorted samples and targets are read-only; every array ends at a page that is not there.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "protocol.hpp"

#include <type_traits>

namespace emulator {

constexpr uint32_t kShardRequestMagic = 0x70687373;  // "sshp"

struct ShardRequest {
    uint32_t magic, spec, buckets, sample_slots, sample_count, sorted_samples, sample_seed, blocks_at_once;
    int32_t begin_bit, end_bit;
    uint32_t detects_races, padding;  // a race is a fault, if the program was compiled with -fsanitize=thread
    uint64_t n, first_position, seed;
};
static_assert(sizeof(ShardRequest) == 72, "the request has no padding");

struct ShardSpec {
    const char *name;
    unsigned key_bytes, value_bytes, order_bytes;
    unsigned block_threads, tile_items, max_buckets, count_shared_bytes, scatter_shared_bytes;
    std::vector<Argument> arguments;
    void (*run)(unsigned kernel, const unsigned char *arguments);
};

// Answers requests until stdin ends; returns the exit status.
int serve(const ShardSpec *specs, size_t count);

namespace driver {

template <class S, auto Samples, auto Splitters, auto Count, auto Scan, auto Scatter>
void run_partition(unsigned kernel, const unsigned char *bytes) {
    const auto arguments = argument_at<typename S::Arguments>(bytes);
    switch (kernel) {
        case 0: return Samples(arguments);
        case 1: return Splitters(arguments);
        case 2: return Count(arguments);
        case 3: return Scan(arguments);
        default: return Scatter(arguments);
    }
}

template <class S, auto Samples, auto Splitters, auto Count, auto Scan, auto Scatter>
ShardSpec partition_of(const char *name, std::vector<Argument> arguments) {
    using Value = typename S::Value;
    return {name, sizeof(typename S::Key), std::is_empty_v<Value> ? 0u : unsigned(sizeof(Value)), unsigned(sizeof(typename S::Bits)),
            unsigned(S::kBlockThreads), unsigned(S::kTileItems), S::kMaxBuckets, S::kCountSharedBytes, S::kScatterSharedBytes,
            std::move(arguments), run_partition<S, Samples, Splitters, Count, Scan, Scatter>};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_KERNELS(name) \
    emulator::driver::partition_of<sortsmith::name, name##_samples, name##_splitters, name##_count, name##_scan, name##_scatter>( \
        #name, SORTSMITH_MEMBERS(name, SORTSMITH_ARGUMENTS))
