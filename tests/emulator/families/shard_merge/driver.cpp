// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <vector>

namespace emulator {
namespace {

size_t candidates_of(const ShardRequest &r) { return size_t(r.borders) * r.digit_values; }

struct Arrays {
    GuardedBytes first_keys, second_keys, first_values, second_values, targets, sums, splitters;
    GuardedBytes merged_keys, merged_values, positions, below, around;

    Arrays(const ShardRequest &r, const ShardSpec &spec, bool makes_positions)
        : first_keys("keys of the first run", r.first_items * spec.key_bytes, spec.key_bytes, r.seed),
          second_keys("keys of the second run", r.second_items * spec.key_bytes, spec.key_bytes, r.seed + 1),
          first_values("values of the first run", r.first_items * spec.value_bytes, alignment_of_value(spec), r.seed + 2),
          second_values("values of the second run", r.second_items * spec.value_bytes, alignment_of_value(spec), r.seed + 3),
          targets("targets", size_t(r.borders) * 8, 8, r.seed + 4),
          sums("sums", candidates_of(r) * 8, 8, r.seed + 5),
          splitters("splitters", size_t(r.borders) * spec.order_bytes, spec.order_bytes, r.seed + 6),
          merged_keys("merged keys", (r.first_items + r.second_items) * spec.key_bytes, spec.key_bytes, r.seed + 7),
          merged_values("merged values", (r.first_items + r.second_items) * spec.value_bytes, alignment_of_value(spec), r.seed + 8),
          positions("positions", makes_positions ? r.first_items * 8 : 0, 8, r.seed + 9),
          below("below", candidates_of(r) * 8, 8, r.seed + 10),
          around("around", size_t(r.borders) * 16, 8, r.seed + 11) {}

    static size_t alignment_of_value(const ShardSpec &spec) { return spec.value_bytes ? spec.value_bytes : 1; }

    std::vector<GuardedBytes *> read() { return {&first_keys, &second_keys, &first_values, &second_values, &targets, &sums}; }
    std::vector<GuardedBytes *> written() { return {&merged_keys, &merged_values, &positions, &below, &splitters, &around}; }
};

Report run_kernels(const ShardRequest &r, const ShardSpec &spec, const Arguments &arguments, bool makes_positions) {
    // The items of each kernel, and those of a block.
    const uint64_t threads = spec.block_threads;
    const uint64_t work[][2] = {{makes_positions ? r.first_items : 0, threads},
                                {candidates_of(r), threads},
                                {candidates_of(r), threads},
                                {r.borders, threads},
                                {r.first_items + r.second_items, spec.tile_items}};
    Report total;
    total.ok = true;
    total.barriers = 0;
    for (unsigned kernel = 0; kernel < 5; ++kernel) {
        const auto [items, of_block] = work[kernel];
        if (items == 0) continue;
        Launch launch;
        launch.grid = dim3(unsigned(std::min<uint64_t>((items + of_block - 1) / of_block, r.most_blocks)));
        launch.block = dim3(spec.block_threads);
        launch.shared_bytes = kernel == 4 ? spec.shared_bytes : 0;
        launch.seed = r.seed + 6 * kernel;
        launch.os_threads = r.blocks_at_once;
        launch.is_interleaved = true;
        launch.detects_races = r.detects_races;
        const Report report = run(launch, [&] { spec.run(kernel, arguments.bytes()); });
        total.barriers += report.barriers;
        if (!report.ok) return report;
    }
    return total;
}

void serve_one(const ShardRequest &r, const ShardSpec &spec) {
    const bool makes_positions = strstr(spec.name, "_index_") != nullptr;
    Arrays arrays(r, spec, makes_positions);
    for (GuardedBytes *array : arrays.read()) {
        protocol::get(array->data(), array->bytes());
        array->make_read_only();
    }
    protocol::get(arrays.splitters.data(), arrays.splitters.bytes());
    const Arguments arguments(spec.arguments, {{"keys", arrays.first_keys.data()},
                                               {"n", r.first_items},
                                               {"positions", arrays.positions.data()},
                                               {"first_position", r.first_position},
                                               {"targets", arrays.targets.data()},
                                               {"splitters", arrays.splitters.data()},
                                               {"below", arrays.below.data()},
                                               {"sums", arrays.sums.data()},
                                               {"around", arrays.around.data()},
                                               {"borders", r.borders},
                                               {"digit_values", r.digit_values},
                                               {"shift", r.shift},
                                               {"begin_bit", uint64_t(r.begin_bit)},
                                               {"end_bit", uint64_t(r.end_bit)},
                                               {"first_keys", arrays.first_keys.data()},
                                               {"second_keys", arrays.second_keys.data()},
                                               {"first_values", arrays.first_values.data()},
                                               {"second_values", arrays.second_values.data()},
                                               {"first_items", r.first_items},
                                               {"second_items", r.second_items},
                                               {"merged_keys", arrays.merged_keys.data()},
                                               {"merged_values", arrays.merged_values.data()}});
    if (!arguments.are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
    Report report = run_kernels(r, spec, arguments, makes_positions);
    for (const GuardedBytes *array : arrays.written()) {
        if (!report.ok || array->canaries_hold()) continue;
        report.ok = false;
        snprintf(report.message, sizeof report.message, "write in front of an array");
    }
    if (!protocol::answer(report)) return;
    for (const GuardedBytes *array : arrays.written()) protocol::put(array->data(), array->bytes());
}

}  // namespace

int serve(const ShardSpec *specs, size_t count) {
    return protocol::serve<ShardRequest>(kShardRequestMagic, [&](const ShardRequest &r) {
        if (r.spec >= count) protocol::die("no such merge of shards in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
