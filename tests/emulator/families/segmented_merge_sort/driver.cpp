// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>
#include <string.h>

#include <vector>

namespace emulator {
namespace {

// What is not the header's own, or null.
const char *refusal(const SegmentRequest &r, const SegmentSpec &spec, const std::vector<SegmentLaunch> &launches) {
    if (launches.empty()) return nullptr;
    if (r.workspace_bytes != spec.workspace_bytes(r.segments, r.n)) return "workspace_bytes are not those of the header";
    const unsigned rounds = unsigned(spec.rounds_of(r.longest));
    if (r.alternate_items != (rounds ? r.n : 0)) return "the alternate arrays are not as long as the header's rounds want them";
    unsigned merges = 0;
    for (const SegmentLaunch &launch : launches) {
        if (launch.kernel > 4) return "there is no such kernel";
        if (launch.threads != spec.block_threads) return "the threads are not the header's";
        const unsigned shared_bytes[] = {spec.classify_shared_bytes, spec.rank_shared_bytes, spec.shared_bytes, spec.tile_shared_bytes, spec.shared_bytes};
        if (launch.shared_bytes != shared_bytes[launch.kernel]) return "the shared memory is not that of the header";
        if (launch.kernel == 4 && launch.round != merges++) return "the rounds are not in order";
    }
    return merges == (r.segments ? rounds : 0) ? nullptr : "there are more rounds than the header's, or fewer";
}

// The same seeds are run as on GPUs with programmatic launches, or as on others.
bool kind_of_gpu(uint64_t seed) { return (seed / 6 * 0x9e3779b97f4a7c15u >> 63) ^ (seed % 2); }

// Runs one launch after the other, up to the first that fails.
Report run_launches(const SegmentRequest &r, const SegmentSpec &spec, const std::vector<SegmentLaunch> &launches,
                    const Arguments &arguments, const SegmentCount &counted, Stream &stream) {
    const bool is_hopper = kind_of_gpu(r.seed);
    Report total;
    total.ok = true;
    total.barriers = 0;
    uint64_t seed = r.seed;
    for (const SegmentLaunch &planned : launches) {
        Launch launch;
        launch.grid = dim3(planned.blocks);
        launch.block = dim3(planned.threads);
        launch.shared_bytes = planned.shared_bytes;
        // Another order of threads by the same schedule.
        launch.seed = seed;
        seed += 6;
        launch.os_threads = r.blocks_at_once;
        launch.is_interleaved = true;
        launch.is_early = is_hopper && &planned != launches.data();
        launch.stream = is_hopper ? &stream : nullptr;
        launch.detects_races = r.detects_races;
        const Report report = run(launch, [&] { spec.run(planned.kernel, arguments.bytes(), counted, int(planned.round)); });
        total.barriers += report.barriers;
        if (report.ok) continue;
        total = report;
        break;
    }
    return total;
}

void serve_one(const SegmentRequest &r, const SegmentSpec &spec) {
    std::vector<SegmentLaunch> launches(r.launches);
    protocol::get(launches.data(), launches.size() * sizeof(SegmentLaunch));
    const auto items = [&](const char *name, uint64_t n, unsigned bytes, uint64_t salt) {
        return GuardedBytes(name, size_t(n) * bytes, bytes ? bytes : 1, r.seed + salt);
    };
    GuardedBytes keys = items("keys", r.n, spec.key_bytes, 0), values = items("values", r.n, spec.value_bytes, 1);
    const bool has_offsets = r.bounds == kOffsets, has_begins = r.bounds == kBeginsEnds, has_ends = has_begins || r.bounds == kFirstItems;
    GuardedBytes begins = items("begins", has_offsets ? r.segments + 1 : has_begins ? r.segments : 0, r.offset_bytes, 2);
    GuardedBytes ends = items("ends", has_ends ? r.segments : 0, r.offset_bytes, 3);
    GuardedBytes count = items("count", 1, r.count_bytes, 8);
    for (GuardedBytes *array : {&keys, &values, &begins, &ends, &count}) protocol::get(array->data(), array->bytes());
    if (const char *text = refusal(r, spec, launches)) return protocol::answer(kRefused, text);
    begins.make_read_only();
    ends.make_read_only();
    count.make_read_only();
    GuardedBytes keys_alternate = items("keys_alternate", r.alternate_items, spec.key_bytes, 4);
    GuardedBytes values_alternate = items("values_alternate", r.alternate_items, spec.value_bytes, 5);
    GuardedBytes keys_out = items("keys_out", spec.makes_positions ? r.n : 0, spec.key_bytes, 6);
    GuardedBytes workspace("workspace", size_t(r.workspace_bytes), 8, r.seed + 7);
    if (spec.makes_positions) keys.make_read_only();
    if (!launches.empty()) memset(workspace.data(), 0, size_t(spec.zeroed_bytes));
    const Arguments arguments(spec.arguments, {{"keys_in", keys.data()},
                                               {"keys_out", spec.makes_positions ? keys_out.data() : keys.data()},
                                               {"keys_alternate", keys_alternate.data()},
                                               {"values_in", spec.makes_positions ? nullptr : values.data()},
                                               {"values_out", values.data()},
                                               {"values_alternate", values_alternate.data()},
                                               {"begins", has_offsets || has_begins ? begins.data() : nullptr},
                                               {"ends", has_ends ? ends.data() : has_offsets ? begins.data() + r.offset_bytes : nullptr},
                                               {"workspace", workspace.data()},
                                               {"segments", r.segments},
                                               {"n", r.n},
                                               {"offset_bytes", r.offset_bytes},
                                               {"begin_bit", uint64_t(r.begin_bit)},
                                               {"end_bit", uint64_t(r.end_bit)},
                                               {"absolute_positions", r.absolute_positions}});
    const SegmentCount counted = {r.count_bytes ? count.data() : nullptr, r.columns, r.stride, r.count_bytes, int(r.signed_offsets)};
    if (!arguments.are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
    Stream stream({&keys, &values, &keys_alternate, &values_alternate, &keys_out, &workspace});
    Report total = run_launches(r, spec, launches, arguments, counted, stream);
    for (const GuardedBytes *array : {&keys, &values, &keys_alternate, &values_alternate, &keys_out, &workspace}) {
        if (!total.ok || array->canaries_hold()) continue;
        total.ok = false;
        snprintf(total.message, sizeof total.message, "write in front of an array");
    }
    if (!protocol::answer(total)) return;
    protocol::put(keys.data(), size_t(r.n) * spec.key_bytes);
    protocol::put(values.data(), size_t(r.n) * spec.value_bytes);
}

}  // namespace

int serve(const SegmentSpec *specs, size_t count) {
    return protocol::serve<SegmentRequest>(kSegmentRequestMagic, [&](const SegmentRequest &r) {
        if (r.spec >= count) protocol::die("no such sort of segments in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
