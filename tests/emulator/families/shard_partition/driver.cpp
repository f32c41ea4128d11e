// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>
#include <string.h>

#include <vector>

namespace emulator {
namespace {

struct Arrays {
    GuardedBytes keys, values, sorted, targets, moved_keys, moved_values, samples, splitters, offsets, totals, destinations;

    Arrays(const ShardRequest &r, const ShardSpec &spec, bool reads_values, uint64_t tiles)
        : keys("keys", size_t(r.n) * spec.key_bytes, spec.key_bytes, r.seed),
          values("values", reads_values ? size_t(r.n) * spec.value_bytes : 0, reads_values ? spec.value_bytes : 1, r.seed + 1),
          sorted("sorted_samples", size_t(r.sorted_samples) * spec.order_bytes, spec.order_bytes, r.seed + 2),
          targets("targets", size_t(r.buckets - 1) * 4, 4, r.seed + 3),
          moved_keys("moved keys", size_t(r.n) * spec.key_bytes, spec.key_bytes, r.seed + 4),
          moved_values("moved values", size_t(r.n) * spec.value_bytes, spec.value_bytes ? spec.value_bytes : 1, r.seed + 5),
          samples("samples", size_t(r.sample_slots) * spec.order_bytes, spec.order_bytes, r.seed + 6),
          splitters("splitters", size_t(spec.max_buckets) * spec.order_bytes, spec.order_bytes, r.seed + 7),
          offsets("offsets", size_t(tiles) * r.buckets * 8, 8, r.seed + 8),
          totals("totals", size_t(spec.max_buckets) * 16, 8, r.seed + 9),
          destinations("destinations", size_t(spec.max_buckets) * 16, 8, r.seed + 10) {}

    std::vector<GuardedBytes *> written() { return {&moved_keys, &moved_values, &samples, &splitters, &offsets, &totals}; }
};

// Makes destinations of the items that buckets begin at.
void set_destinations(Arrays &arrays, const ShardRequest &r, const ShardSpec &spec, const std::vector<uint64_t> &firsts) {
    std::vector<uint64_t> addresses(size_t(spec.max_buckets) * 2);
    for (uint32_t bucket = 0; bucket < r.buckets; ++bucket) {
        addresses[bucket] = reinterpret_cast<uintptr_t>(arrays.moved_keys.data()) + firsts[bucket] * spec.key_bytes;
        addresses[spec.max_buckets + bucket] = reinterpret_cast<uintptr_t>(arrays.moved_values.data()) + firsts[bucket] * spec.value_bytes;
    }
    memcpy(arrays.destinations.data(), addresses.data(), addresses.size() * 8);
    arrays.destinations.make_read_only();
}

Report run_kernels(const ShardRequest &r, const ShardSpec &spec, const Arguments &arguments, uint64_t tiles) {
    const unsigned blocks[] = {(r.sample_slots + spec.block_threads - 1) / spec.block_threads, 1, unsigned(tiles), r.buckets, unsigned(tiles)};
    const unsigned shared_bytes[] = {0, 0, spec.count_shared_bytes, 0, spec.scatter_shared_bytes};
    Report total;
    total.ok = true;
    total.barriers = 0;
    for (unsigned kernel = 0; kernel < 5; ++kernel) {
        if (blocks[kernel] == 0) continue;
        Launch launch;
        launch.grid = dim3(blocks[kernel]);
        launch.block = dim3(spec.block_threads);
        launch.shared_bytes = shared_bytes[kernel];
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
    const uint64_t tiles = (r.n + spec.tile_items - 1) / spec.tile_items;
    Arrays arrays(r, spec, !makes_positions && spec.value_bytes, tiles);
    for (GuardedBytes *array : {&arrays.keys, &arrays.values, &arrays.sorted, &arrays.targets}) {
        protocol::get(array->data(), array->bytes());
        array->make_read_only();
    }
    std::vector<uint64_t> firsts(r.buckets);
    protocol::get(firsts.data(), firsts.size() * 8);
    set_destinations(arrays, r, spec, firsts);
    const Arguments arguments(spec.arguments, {{"keys", arrays.keys.data()},
                                               {"values", arrays.values.data()},
                                               {"n", r.n},
                                               {"first_position", r.first_position},
                                               {"samples", arrays.samples.data()},
                                               {"sample_slots", r.sample_slots},
                                               {"sample_count", r.sample_count},
                                               {"seed", r.sample_seed},
                                               {"buckets", r.buckets},
                                               {"sorted_samples", arrays.sorted.data()},
                                               {"targets", arrays.targets.data()},
                                               {"splitters", arrays.splitters.data()},
                                               {"offsets", arrays.offsets.data()},
                                               {"totals", arrays.totals.data()},
                                               {"destinations", arrays.destinations.data()},
                                               {"begin_bit", uint64_t(r.begin_bit)},
                                               {"end_bit", uint64_t(r.end_bit)}});
    if (!arguments.are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
    Report report = run_kernels(r, spec, arguments, tiles);
    for (const GuardedBytes *array : arrays.written()) {
        if (!report.ok || array->canaries_hold()) continue;
        report.ok = false;
        snprintf(report.message, sizeof report.message, "write in front of an array");
    }
    if (!protocol::answer(report)) return;
    protocol::put(arrays.moved_keys.data(), arrays.moved_keys.bytes());
    for (const GuardedBytes *array : {&arrays.moved_values, &arrays.samples, &arrays.splitters, &arrays.totals}) {
        protocol::put(array->data(), array->bytes());
    }
}

}  // namespace

int serve(const ShardSpec *specs, size_t count) {
    return protocol::serve<ShardRequest>(kShardRequestMagic, [&](const ShardRequest &r) {
        if (r.spec >= count) protocol::die("no such partition of shards in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
