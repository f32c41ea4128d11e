// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>

namespace emulator {
namespace {

const char *refusal_of_ranked(const TopKRequest &r) {
    if (!(r.flags & kTopKSorted)) return "ranked items are sorted";
    if (!r.row_blocks || !r.group_blocks || !r.candidate_blocks) return "a launch has no blocks";
    if (!r.groups || r.groups > r.rankers || r.columns / r.groups < r.k) return "the groups are not those of the rankers";
    if (r.chunks > 256 || r.columns < r.chunks) return "the chunks are too many";
    return nullptr;
}

const char *refusal(const TopKRequest &r, const TopKSpec &spec) {
    if (!r.rows || !r.k || !r.chunks) return "there is nothing to find";
    if (r.threads != spec.block_threads) return "the block is not the header's";
    if (r.shared_bytes != spec.shared_bytes) return "the shared memory is not that of the header";
    if (r.k > spec.max_k) return "k is more than the header takes";
    if (r.keys < (r.rows - 1) * r.stride + r.columns) return "the keys are fewer than those of the rows";
    if (r.flags & kTopKRanked) return refusal_of_ranked(r);
    if (r.columns / r.chunks < r.k) return "a chunk has fewer columns than k";
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

// The launches of a top-k that searches rows or their chunks.
Report search(const TopKRequest &r, const TopKSpec &spec, const void *keys, void *keys_to, unsigned *positions_out,
              GuardedBytes &found_keys, GuardedBytes &found_positions) {
    const size_t found = size_t(r.rows) * r.k;
    const size_t shared = r.chunks > 1 ? found * r.chunks : 0;
    const size_t grouped = r.groups > 1 ? found * r.groups : 0;
    GuardedBytes candidates("candidates", shared * sizeof(unsigned), sizeof(unsigned), r.seed + 3);
    GuardedBytes of_groups("candidates of groups", grouped * sizeof(unsigned), sizeof(unsigned), r.seed + 4);
    unsigned *const shared_positions = reinterpret_cast<unsigned *>(candidates.data());
    unsigned *const grouped_positions = reinterpret_cast<unsigned *>(of_groups.data());
    Stream stream({&found_keys, &found_positions, &candidates, &of_groups});
    Report report = launch(r, stream, r.row_blocks, 0, [&] {
        spec.rows(keys, shared ? nullptr : keys_to, shared ? shared_positions : positions_out, r);
    });
    if (report.ok && grouped) {
        report = launch(r, stream, r.group_blocks, 3, [&] {
            spec.candidates(keys, shared_positions, nullptr, grouped_positions, r, r.chunks, r.groups);
        });
    }
    if (report.ok && shared) {
        report = launch(r, stream, r.candidate_blocks, 6, [&] {
            spec.candidates(keys, grouped ? grouped_positions : shared_positions, keys_to, positions_out, r,
                            grouped ? r.groups : r.chunks, 1);
        });
    }
    for (const GuardedBytes *array : {&candidates, &of_groups}) {
        if (report.ok && !array->canaries_hold()) {
            report.ok = false;
            snprintf(report.message, sizeof report.message, "write in front of candidates");
        }
    }
    return report;
}

// The launches of a top-k that ranks survivors.
Report rank(const TopKRequest &r, const TopKSpec &spec, const void *keys, void *keys_out, unsigned *positions_out,
            GuardedBytes &found_keys, GuardedBytes &found) {
    const size_t lists = size_t(r.rows) * r.chunks, items = lists * r.k, grouped = size_t(r.rows) * r.groups * r.k;
    GuardedBytes bits("bits of survivors", items * spec.bits_bytes, spec.bits_bytes, r.seed + 3);
    GuardedBytes positions("survivors", items * sizeof(unsigned), sizeof(unsigned), r.seed + 4);
    GuardedBytes counts("counts", lists * sizeof(unsigned), sizeof(unsigned), r.seed + 5);
    GuardedBytes of_groups("candidates of groups", grouped * sizeof(unsigned), sizeof(unsigned), r.seed + 6);
    unsigned *const survivors = reinterpret_cast<unsigned *>(positions.data());
    unsigned *const counted = reinterpret_cast<unsigned *>(counts.data());
    unsigned *const grouped_positions = reinterpret_cast<unsigned *>(of_groups.data());
    Stream stream({&found_keys, &found, &bits, &positions, &counts, &of_groups});
    Report report =
        launch(r, stream, r.row_blocks, 0, [&] { spec.survivors(keys, bits.data(), survivors, counted, r); });
    if (report.ok) {
        report = launch(r, stream, r.group_blocks, 3, [&] {
            spec.ranked(keys, bits.data(), survivors, counted, keys_out, positions_out, grouped_positions, r);
        });
    }
    if (report.ok) {
        report = launch(r, stream, r.candidate_blocks, 6, [&] {
            spec.candidates(keys, grouped_positions, keys_out, positions_out, r, r.groups, 1);
        });
    }
    for (const GuardedBytes *array : {&bits, &positions, &counts, &of_groups}) {
        if (report.ok && !array->canaries_hold()) {
            report.ok = false;
            snprintf(report.message, sizeof report.message, "write in front of an array of survivors");
        }
    }
    return report;
}

void serve_one(const TopKRequest &r, const TopKSpec &spec) {
    GuardedBytes keys("keys", size_t(r.keys) * spec.key_bytes, spec.key_bytes, r.seed);
    protocol::get(keys.data(), size_t(r.keys) * spec.key_bytes);
    if (const char *text = refusal(r, spec)) return protocol::answer(kRefused, text);
    keys.make_read_only();
    const size_t found = size_t(r.rows) * r.k;
    const bool writes_keys = r.flags & kTopKWritesKeys;
    GuardedBytes keys_out("keys_out", writes_keys ? found * spec.key_bytes : 0, spec.key_bytes, r.seed + 1);
    GuardedBytes positions("positions_out", found * sizeof(unsigned), sizeof(unsigned), r.seed + 2);
    unsigned *const positions_out = reinterpret_cast<unsigned *>(positions.data());
    void *const keys_to = writes_keys ? keys_out.data() : nullptr;
    Report report = r.flags & kTopKRanked ? rank(r, spec, keys.data(), keys_to, positions_out, keys_out, positions)
                                          : search(r, spec, keys.data(), keys_to, positions_out, keys_out, positions);
    for (const GuardedBytes *array : {&keys_out, &positions}) {
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
