// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>

namespace emulator {
namespace {

const char *refusal(const BinnedRequest &r, const BinnedSpec &spec) {
    if (!r.rows || !r.blocks) return "there is nothing to sort";
    if (r.threads != spec.block_threads) return "the block is not the header's";
    if (r.shared_bytes != spec.shared_bytes) return "the shared memory is not that of the header";
    if (!r.bins || r.bins > spec.max_bins) return "the bins are not those that the header takes";
    if (r.keys < (r.rows - 1) * r.stride + r.columns) return "the keys are fewer than those of the rows";
    if (!r.chunks) return nullptr;
    if (r.chunks * r.chunk_columns < r.columns) return "the chunks are not all of a row";
    if (r.blocks != r.rows * r.chunks) return "there is not a block for each chunk";
    if (r.count_bytes != 4 && (r.count_bytes != 2 || r.chunk_columns > 65535)) return "counts are too small";
    return nullptr;
}

// Whether a request runs as on Hopper. Each order of threads does either way.
bool kind_of_gpu(uint64_t seed) { return (seed / 6 * 0x9e3779b97f4a7c15u >> 63) ^ (seed % 2); }

void serve_one(const BinnedRequest &r, const BinnedSpec &spec) {
    GuardedBytes keys("keys", size_t(r.keys) * spec.key_bytes, spec.key_bytes, r.seed);
    protocol::get(keys.data(), size_t(r.keys) * spec.key_bytes);
    if (const char *text = refusal(r, spec)) return protocol::answer(kRefused, text);
    keys.make_read_only();
    const size_t position_bytes = size_t(r.rows * r.columns) * sizeof(unsigned);
    const size_t offset_bytes = size_t(r.rows) * (r.bins + 1) * sizeof(unsigned);
    const size_t count_bytes = size_t(r.rows) * r.chunks * spec.chunk_counts * r.count_bytes;
    GuardedBytes positions("positions", position_bytes, sizeof(unsigned), r.seed + 1);
    GuardedBytes offsets("offsets", offset_bytes, sizeof(unsigned), r.seed + 2);
    GuardedBytes counts("counts", count_bytes, r.count_bytes ? r.count_bytes : 1, r.seed + 3);
    unsigned *const positions_out = reinterpret_cast<unsigned *>(positions.data());
    unsigned *const offsets_out = reinterpret_cast<unsigned *>(offsets.data());
    const bool is_hopper = kind_of_gpu(r.seed);
    Stream stream({&positions, &offsets, &counts});
    const auto launch = [&](unsigned number, auto kernel) {
        Launch launch;
        launch.grid = dim3(r.blocks);
        launch.block = dim3(r.threads);
        launch.shared_bytes = r.shared_bytes;
        // Another order of threads by the same schedule.
        launch.seed = r.seed + 6 * number;
        launch.os_threads = r.blocks_at_once;
        launch.is_interleaved = true;
        launch.is_early = is_hopper && number > 0;
        launch.stream = is_hopper ? &stream : nullptr;
        launch.detects_races = r.detects_races;
        return run(launch, kernel);
    };
    Report report;
    if (r.chunks) {
        report = launch(0, [&] { spec.count(keys.data(), counts.data(), r); });
        if (report.ok) report = launch(1, [&] { spec.rank(keys.data(), counts.data(), positions_out, offsets_out, r); });
    } else {
        report = launch(0, [&] { spec.rows(keys.data(), positions_out, offsets_out, r); });
    }
    for (const GuardedBytes *array : {&positions, &offsets, &counts}) {
        if (report.ok && !array->canaries_hold()) {
            report.ok = false;
            snprintf(report.message, sizeof report.message, "write in front of an array");
        }
    }
    if (!protocol::answer(report)) return;
    protocol::put(positions.data(), position_bytes);
    protocol::put(offsets.data(), offset_bytes);
}

}  // namespace

int serve(const BinnedSpec *specs, size_t count) {
    return protocol::serve<BinnedRequest>(kBinnedRequestMagic, [&](const BinnedRequest &r) {
        if (r.spec >= count) protocol::die("no such binned argsort in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
