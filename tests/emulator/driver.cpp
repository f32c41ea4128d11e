// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>

namespace emulator {
namespace {

struct Request {
    uint32_t magic, spec, entry, begin_bit, end_bit, flags;
    uint64_t n, seed;
};
static_assert(sizeof(Request) == 40, "the request has no padding");

// Why the request cannot be served, or null. What it asks for must be known before its arrays are read.
const char *refusal(const Request &r, const Spec &spec) {
    const uint32_t member_flags = r.flags & ~uint32_t(kInPlace | kDetectRaces);
    if (r.entry >= kEntries || member_flags > 3 || !spec.kernels[r.entry][member_flags])
        return "the sort has no such member";
    if (r.flags & kInPlace && r.entry != kTileKernel) return "only a tile kernel works in place";
    if (r.begin_bit > r.end_bit || r.end_bit > 8 * spec.key_bytes) return "the bit range is not within the key";
    if (r.entry == kTileKernel) return nullptr;
    if (r.n > spec.tile_items) return "n is more than a tile";
    if (!(r.flags & kPassValid) && r.n != spec.tile_items) return "n is not the tile, and valid_items is not passed";
    return nullptr;
}

void serve_one(const Request &r, const Spec &spec) {
    const size_t n = size_t(r.n);
    GuardedBytes keys_in("keys_in", n * spec.key_bytes, spec.key_bytes, r.seed);
    const unsigned value_in_bytes = spec.reads_values ? spec.value_bytes : 0;
    GuardedBytes values_in("values_in", n * value_in_bytes, value_in_bytes ? value_in_bytes : 1, r.seed);
    protocol::get(keys_in.data(), n * spec.key_bytes);
    protocol::get(values_in.data(), n * value_in_bytes);
    if (const char *text = refusal(r, spec)) return protocol::answer(kRefused, text);
    GuardedBytes keys_out("keys_out", n * spec.key_bytes, spec.key_bytes, r.seed + 1);
    const size_t value_out_bytes = n * spec.value_bytes;
    GuardedBytes values_out(spec.reads_values ? "values_out" : "indices_out", value_out_bytes,
                            spec.value_bytes ? spec.value_bytes : 1, r.seed + 2);
    const bool in_place = r.flags & kInPlace;
    const GuardedBytes &keys_to = in_place ? keys_in : keys_out;
    const GuardedBytes &values_to = in_place && spec.reads_values ? values_in : values_out;
    if (!in_place) {
        keys_in.make_read_only();
        values_in.make_read_only();
    }

    const Arguments arguments = {keys_in.data(),   keys_to.data(), value_in_bytes ? values_in.data() : nullptr,
                                 values_to.data(), r.n,            int(r.begin_bit),
                                 int(r.end_bit),   r.seed};
    const Kernel kernel = spec.kernels[r.entry][r.flags & ~uint32_t(kInPlace | kDetectRaces)];
    const bool is_tile = r.entry == kTileKernel;
    const uint64_t block_items = uint64_t(spec.tile_items) * spec.tiles_per_block;
    const uint64_t blocks = is_tile ? (r.n + block_items - 1) / block_items : 1;
    Report report;
    report.ok = true;
    report.barriers = 0;
    if (blocks) {
        Launch launch;
        launch.grid = dim3(unsigned(blocks));
        launch.block = is_tile ? spec.tile_block : spec.block;
        launch.shared_bytes = spec.shared_bytes;
        launch.seed = r.seed;
        launch.detects_races = r.flags & kDetectRaces;
        report = run(launch, [&] { kernel(arguments); });
    }
    if (report.ok && !(keys_to.canaries_hold() && values_to.canaries_hold())) {
        report.ok = false;
        snprintf(report.message, sizeof report.message, "write in front of an output buffer");
    }
    if (!protocol::answer(report)) return;
    protocol::put(keys_to.data(), n * spec.key_bytes);
    protocol::put(values_to.data(), value_out_bytes);
}

}  // namespace

int serve(const Spec *specs, size_t count) {
    return protocol::serve<Request>(kRequestMagic, [&](const Request &r) {
        if (r.spec >= count) protocol::die("no such spec in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
