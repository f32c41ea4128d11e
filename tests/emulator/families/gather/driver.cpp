// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>

namespace emulator {
namespace {

void serve_one(const GatherRequest &r, const GatherSpec &spec) {
    GuardedBytes positions("positions", size_t(r.n) * sizeof(unsigned), sizeof(unsigned), r.seed);
    GuardedBytes items_in("items_in", size_t(r.all) * spec.item_bytes, spec.word_bytes, r.seed + 1);
    protocol::get(positions.data(), size_t(r.n) * sizeof(unsigned));
    protocol::get(items_in.data(), size_t(r.all) * spec.item_bytes);
    if (r.blocks && r.threads != spec.block_threads) return protocol::answer(kRefused, "the block is not the header's");
    if (!r.blocks != !r.n) return protocol::answer(kRefused, "items and blocks are there or not, and not both");
    positions.make_read_only();
    items_in.make_read_only();
    GuardedBytes items_out("items_out", size_t(r.n) * spec.item_bytes, spec.word_bytes, r.seed + 2);
    Report report;
    report.ok = true;
    report.barriers = 0;
    if (r.blocks) {
        Launch launch;
        launch.grid = dim3(r.blocks);
        launch.block = dim3(r.threads);
        launch.seed = r.seed;
        launch.os_threads = r.blocks_at_once;
        launch.is_interleaved = true;
        launch.detects_races = r.detects_races;
        const Arguments arguments(spec.kernel.arguments, {{"items_in", items_in.data()},
                                                          {"positions", positions.data()},
                                                          {"items_out", items_out.data()},
                                                          {"n", r.n}});
        if (!arguments.are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
        report = run(launch, [&] { spec.kernel.run(arguments); });
    }
    if (report.ok && !items_out.canaries_hold()) {
        report.ok = false;
        snprintf(report.message, sizeof report.message, "write in front of items_out");
    }
    if (!protocol::answer(report)) return;
    protocol::put(items_out.data(), size_t(r.n) * spec.item_bytes);
}

}  // namespace

int serve(const GatherSpec *specs, size_t count) {
    return protocol::serve<GatherRequest>(kGatherRequestMagic, [&](const GatherRequest &r) {
        if (r.spec >= count) protocol::die("no such gather in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
