// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>

namespace emulator {
namespace {

const char *refusal(const WarpTopKRequest &r, const WarpTopKSpec &spec) {
    if (!r.rows || !r.k || !r.blocks) return "there is nothing to find";
    if (r.threads != spec.block_threads) return "the block is not the header's";
    if (r.shared_bytes != spec.shared_bytes) return "the shared memory is not that of the header";
    if (r.k > spec.max_k || r.k > r.columns) return "k is more than the header or a row has";
    if (r.columns > spec.max_columns) return "a row has more columns than the header takes";
    if (r.flags & kWarpTopKWritesValues && !spec.beside.bytes) return "the header writes positions of 32 bits alone";
    if (r.keys < (r.rows - 1) * r.stride + r.columns) return "the keys are fewer than those of the rows";
    return nullptr;
}

void serve_one(const WarpTopKRequest &r, const WarpTopKSpec &spec) {
    const size_t found = size_t(r.rows) * r.k;
    GuardedBytes keys("keys", size_t(r.keys) * spec.key_bytes, spec.key_bytes, r.seed);
    top_k::Arrays beside(spec.beside, r.keys, found, r.flags & kWarpTopKWritesPositions, r.flags & kWarpTopKWritesValues, r.seed + 2);
    protocol::get(keys.data(), size_t(r.keys) * spec.key_bytes);
    beside.get(r.keys);
    if (const char *text = refusal(r, spec)) return protocol::answer(kRefused, text);
    keys.make_read_only();
    beside.values.make_read_only();
    const bool writes_keys = r.flags & kWarpTopKWritesKeys;
    GuardedBytes keys_out("keys_out", writes_keys ? found * spec.key_bytes : 0, spec.key_bytes, r.seed + 1);
    Launch launch;
    launch.grid = dim3(r.blocks);
    launch.block = dim3(r.threads);
    launch.shared_bytes = r.shared_bytes;
    launch.seed = r.seed;
    launch.os_threads = r.blocks_at_once;
    launch.is_interleaved = true;
    launch.detects_races = r.flags & kWarpTopKRaces;
    const Arguments arguments = beside.with(Arguments(spec.rows.arguments, {{"keys", keys.data()},
                                                    {"keys_out", writes_keys ? keys_out.data() : nullptr},
                                                    {"positions_out", beside.positions_to},
                                                    {"rows", r.rows},
                                                    {"columns", r.columns},
                                                    {"stride", r.stride},
                                                    {"k", r.k},
                                                    {"sorted", uint64_t(r.flags & kWarpTopKSorted ? 1 : 0)}}),
                                            beside.values_to);
    if (!arguments.are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
    Report report = run(launch, [&] { spec.rows.run(arguments); });
    for (const GuardedBytes *array : {&keys_out, &beside.positions, &beside.values_out}) {
        if (report.ok && !array->canaries_hold()) {
            report.ok = false;
            snprintf(report.message, sizeof report.message, "write in front of an output");
        }
    }
    if (!protocol::answer(report)) return;
    protocol::put(keys_out.data(), writes_keys ? found * spec.key_bytes : 0);
    beside.put();
}

}  // namespace

int serve(const WarpTopKSpec *specs, size_t count) {
    return protocol::serve<WarpTopKRequest>(kWarpTopKRequestMagic, [&](const WarpTopKRequest &r) {
        if (r.spec >= count) protocol::die("no such top-k in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
