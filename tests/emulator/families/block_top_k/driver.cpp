// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>

namespace emulator {
namespace {

const char *refusal(const TopKRequest &r, const TopKSpec &spec) {
    if (!r.rows || !r.k || !r.chunks) return "there is nothing to find";
    if (r.threads != spec.block_threads) return "the block is not the header's";
    if (r.shared_bytes != spec.shared_bytes) return "the shared memory is not that of the header";
    if (r.k > spec.max_k) return "k is more than the header takes";
    if (r.columns / r.chunks < r.k) return "a chunk has fewer columns than k";
    if (r.keys < (r.rows - 1) * r.stride + r.columns) return "the keys are fewer than those of the rows";
    if (!r.groups || r.groups > r.chunks || !r.group_blocks != (r.groups == 1)) return "the groups are not those of the chunks";
    if (!r.row_blocks || !r.candidate_blocks != (r.chunks == 1)) return "the launches are not those of the chunks";
    return nullptr;
}

// The same seeds are run as on GPUs with programmatic launches, or as on others.
bool kind_of_gpu(uint64_t seed) { return (seed / 6 * 0x9e3779b97f4a7c15u >> 63) ^ (seed % 2); }

template <class F> Report launch(const TopKRequest &r, Stream &stream, unsigned blocks, unsigned number, F kernel) {
    const bool is_hopper = kind_of_gpu(r.seed);
    Launch launch;
    launch.grid = dim3(blocks);
    launch.block = dim3(r.threads);
    launch.shared_bytes = r.shared_bytes;
    launch.seed = r.seed + number;
    launch.os_threads = r.blocks_at_once;
    launch.is_interleaved = true;
    launch.is_early = is_hopper && number > 0;
    launch.stream = is_hopper ? &stream : nullptr;
    launch.detects_races = r.flags & kTopKRaces;
    return run(launch, kernel);
}

void serve_one(const TopKRequest &r, const TopKSpec &spec) {
    GuardedBytes keys("keys", size_t(r.keys) * spec.key_bytes, spec.key_bytes, r.seed);
    protocol::get(keys.data(), size_t(r.keys) * spec.key_bytes);
    if (const char *text = refusal(r, spec)) return protocol::answer(kRefused, text);
    keys.make_read_only();
    const size_t found = size_t(r.rows) * r.k;
    const size_t shared = r.chunks > 1 ? found * r.chunks : 0;
    const bool writes_keys = r.flags & kTopKWritesKeys;
    GuardedBytes keys_out("keys_out", writes_keys ? found * spec.key_bytes : 0, spec.key_bytes, r.seed + 1);
    GuardedBytes positions("positions_out", found * sizeof(unsigned), sizeof(unsigned), r.seed + 2);
    const size_t grouped = r.groups > 1 ? found * r.groups : 0;
    GuardedBytes candidates("candidates", shared * sizeof(unsigned), sizeof(unsigned), r.seed + 3);
    GuardedBytes of_groups("candidates of groups", grouped * sizeof(unsigned), sizeof(unsigned), r.seed + 4);
    Stream stream({&keys_out, &positions, &candidates, &of_groups});
    void *const keys_to = writes_keys ? keys_out.data() : nullptr;
    const bool is_sorted = r.flags & kTopKSorted;
    const Arguments of_rows(spec.rows.arguments, {{"keys", keys.data()},
                                                  {"keys_out", shared ? nullptr : keys_to},
                                                  {"positions_out", shared ? candidates.data() : positions.data()},
                                                  {"rows", r.rows},
                                                  {"columns", r.columns},
                                                  {"stride", r.stride},
                                                  {"chunks", r.chunks},
                                                  {"k", r.k},
                                                  {"sorted", uint64_t(!shared && is_sorted)}});
    // The candidates of `lists` lists of a row, in `groups` groups.
    const auto of_candidates = [&](const GuardedBytes &from, unsigned lists, unsigned groups, void *keys_out, const GuardedBytes &to) {
        return Arguments(spec.candidates.arguments, {{"keys", keys.data()},
                                                     {"candidates", from.data()},
                                                     {"keys_out", keys_out},
                                                     {"positions_out", to.data()},
                                                     {"rows", r.rows},
                                                     {"count", uint64_t(lists) * r.k},
                                                     {"stride", r.stride},
                                                     {"groups", groups},
                                                     {"k", r.k},
                                                     {"sorted", uint64_t(groups == 1 && is_sorted)}});
    };
    const Arguments to_groups = of_candidates(candidates, r.chunks, r.groups, nullptr, of_groups);
    const Arguments last = grouped ? of_candidates(of_groups, r.groups, 1, keys_to, positions)
                                   : of_candidates(candidates, r.chunks, 1, keys_to, positions);
    for (const Arguments *arguments : {&of_rows, &to_groups, &last}) {
        if (!arguments->are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
    }
    Report report = launch(r, stream, r.row_blocks, 0, [&] { spec.rows.run(of_rows); });
    if (report.ok && grouped) report = launch(r, stream, r.group_blocks, 3, [&] { spec.candidates.run(to_groups); });
    if (report.ok && shared) report = launch(r, stream, r.candidate_blocks, 6, [&] { spec.candidates.run(last); });
    for (const GuardedBytes *array : {&keys_out, &positions, &candidates, &of_groups}) {
        if (report.ok && !array->canaries_hold()) {
            report.ok = false;
            snprintf(report.message, sizeof report.message, "write in front of an output");
        }
    }
    if (!protocol::answer(report)) return;
    protocol::put(keys_out.data(), writes_keys ? found * spec.key_bytes : 0);
    protocol::put(positions.data(), found * sizeof(unsigned));
}

}  // namespace

int serve(const TopKSpec *specs, size_t count) {
    return protocol::serve<TopKRequest>(kTopKRequestMagic, [&](const TopKRequest &r) {
        if (r.spec >= count) protocol::die("no such top-k in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
