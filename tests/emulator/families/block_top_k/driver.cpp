// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>

namespace emulator {
namespace {

const char *refusal_of_ranked(const TopKRequest &r, const TopKSpec &spec) {
    if (!(r.flags & kTopKSorted) && r.rankers > 1) return "items that several blocks rank are sorted";
    if (!r.row_blocks || !r.group_blocks || !r.candidate_blocks != (r.rankers == 1)) return "a launch has no blocks";
    if (!r.rank || r.rank > 2 * spec.tile_items) return "the limit is none of the sample";
    if (!r.groups || r.groups > r.rankers || r.columns / r.groups < r.k) return "the groups are not those of the rankers";
    if (r.chunks > 256 || r.columns < r.chunks) return "the chunks are too many";
    return nullptr;
}

const char *refusal_of_listed(const TopKRequest &r, const TopKSpec &spec) {
    if (!r.sample_blocks || !r.row_blocks || !r.group_blocks || !r.candidate_blocks) return "a launch has no blocks";
    if (!r.groups || r.columns / r.groups < r.k) return "a group has fewer columns than k";
    if (r.chunks > r.columns || r.columns >> 32) return "the chunks or the columns are too many";
    if (!r.sampling_blocks || !r.kept || r.kept > spec.tile_items || r.columns / r.sampling_blocks < spec.tile_items) return "the samples are not those of the row";
    const uint64_t samples = uint64_t(r.kept) * r.sampling_blocks;
    if (!r.rank || r.rank > samples || samples > 2 * spec.tile_items || r.room > 2 * spec.tile_items) return "there is no room for survivors";
    return nullptr;
}

const char *refusal(const TopKRequest &r, const TopKSpec &spec) {
    if (!r.rows || !r.k || !r.chunks) return "there is nothing to find";
    if (r.threads != spec.block_threads) return "the block is not the header's";
    if (r.shared_bytes != spec.shared_bytes) return "the shared memory is not that of the header";
    if (r.k > spec.max_k) return "k is more than the header takes";
    if (r.keys < (r.rows - 1) * r.stride + r.columns) return "the keys are fewer than those of the rows";
    if (r.flags & kTopKWritesValues && !spec.beside.bytes) return "the header writes positions of 32 bits alone";
    if (!(r.flags & kTopKFound) != !r.found_blocks || (r.found_blocks && !spec.beside.bytes)) return "the header does not write what is found";
    if (r.flags & kTopKRanked) return refusal_of_ranked(r, spec);
    if (r.flags & kTopKListed) return refusal_of_listed(r, spec);
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

// The arrays of a request.
struct Arrays {
    GuardedBytes keys, keys_out;
    top_k::Arrays beside;

    Arrays(const TopKRequest &r, const TopKSpec &spec, size_t found, bool writes_keys)
        : keys("keys", size_t(r.keys) * spec.key_bytes, spec.key_bytes, r.seed),
          keys_out("keys_out", writes_keys ? found * spec.key_bytes : 0, spec.key_bytes, r.seed + 1),
          beside(spec.beside, r.keys, found, r.flags & kTopKWritesPositions, r.flags & kTopKWritesValues, r.seed + 7),
          keys_to(writes_keys ? keys_out.data() : nullptr),
          searched_keys_to(r.flags & kTopKFound ? nullptr : keys_to),
          searched_values_to(r.flags & kTopKFound ? nullptr : beside.values_to) {}

    void *const keys_to;
    // Where those launches write them that find positions.
    void *const searched_keys_to;
    void *const searched_values_to;
};

bool are_set(std::initializer_list<const Arguments *> all) {
    for (const Arguments *arguments : all) {
        if (!arguments->are_set()) return false;
    }
    return true;
}

constexpr Report kOthers = {false, 0, "the header has other arguments than the driver sets"};

// The report, or that of an array which was written in front of.
Report checked(Report report, std::initializer_list<const GuardedBytes *> arrays) {
    for (const GuardedBytes *array : arrays) {
        if (report.ok && !array->canaries_hold()) {
            report.ok = false;
            snprintf(report.message, sizeof report.message, "write in front of an array");
        }
    }
    return report;
}

// The arguments of a search of `lists` lists of candidates of each row, in `groups` groups.
Arguments of_candidates(const TopKRequest &r, const TopKSpec &spec, const Arrays &arrays, const GuardedBytes &from, unsigned lists,
                        unsigned groups, const void *to) {
    const Arguments arguments(spec.candidates.arguments, {{"keys", arrays.keys.data()},
                                                 {"candidates", from.data()},
                                                 {"keys_out", groups == 1 ? arrays.searched_keys_to : nullptr},
                                                 {"positions_out", to},
                                                 {"rows", r.rows},
                                                 {"count", uint64_t(lists) * r.k},
                                                 {"stride", r.stride},
                                                 {"groups", groups},
                                                 {"k", r.k},
                                                 {"sorted", uint64_t(groups == 1 && (r.flags & kTopKSorted))}});
    return arrays.beside.with(arguments, groups == 1 ? arrays.searched_values_to : nullptr);
}

// The launches of a top-k that searches rows or their chunks.
Report search(const TopKRequest &r, const TopKSpec &spec, Arrays &arrays) {
    const size_t found = size_t(r.rows) * r.k;
    const size_t shared = r.chunks > 1 ? found * r.chunks : 0;
    const size_t grouped = r.groups > 1 ? found * r.groups : 0;
    GuardedBytes candidates("candidates", shared * sizeof(unsigned), sizeof(unsigned), r.seed + 3);
    GuardedBytes of_groups("candidates of groups", grouped * sizeof(unsigned), sizeof(unsigned), r.seed + 4);
    Stream stream({&arrays.keys_out, &arrays.beside.positions, &arrays.beside.values_out, &candidates, &of_groups});
    const Arguments of_rows = arrays.beside.with(Arguments(spec.rows.arguments, {{"keys", arrays.keys.data()},
                                                  {"keys_out", shared ? nullptr : arrays.searched_keys_to},
                                                  {"positions_out", shared ? candidates.data() : arrays.beside.positions_to},
                                                  {"rows", r.rows},
                                                  {"columns", r.columns},
                                                  {"stride", r.stride},
                                                  {"chunks", r.chunks},
                                                  {"k", r.k},
                                                  {"sorted", uint64_t(!shared && (r.flags & kTopKSorted))}}),
                                                 shared ? nullptr : arrays.searched_values_to);
    const Arguments to_groups = of_candidates(r, spec, arrays, candidates, r.chunks, r.groups, of_groups.data());
    const Arguments last = grouped ? of_candidates(r, spec, arrays, of_groups, r.groups, 1, arrays.beside.positions_to)
                                   : of_candidates(r, spec, arrays, candidates, r.chunks, 1, arrays.beside.positions_to);
    if (!are_set({&of_rows, &to_groups, &last})) return kOthers;
    Report report = launch(r, stream, r.row_blocks, 0, [&] { spec.rows.run(of_rows); });
    if (report.ok && grouped) report = launch(r, stream, r.group_blocks, 3, [&] { spec.candidates.run(to_groups); });
    if (report.ok && shared) report = launch(r, stream, r.candidate_blocks, 6, [&] { spec.candidates.run(last); });
    return checked(report, {&candidates, &of_groups});
}

// The launches of a top-k that ranks survivors, or selects them.
Report rank(const TopKRequest &r, const TopKSpec &spec, Arrays &arrays) {
    const size_t lists = size_t(r.rows) * r.chunks, items = lists * r.k, grouped = size_t(r.rows) * r.groups * r.k;
    GuardedBytes bits("bits of survivors", items * spec.bits_bytes, spec.bits_bytes, r.seed + 3);
    GuardedBytes positions("survivors", items * sizeof(unsigned), sizeof(unsigned), r.seed + 4);
    GuardedBytes counts("counts", lists * sizeof(unsigned), sizeof(unsigned), r.seed + 5);
    GuardedBytes of_groups("candidates of groups", grouped * sizeof(unsigned), sizeof(unsigned), r.seed + 6);
    Stream stream({&arrays.keys_out, &arrays.beside.positions, &arrays.beside.values_out, &bits, &positions, &counts, &of_groups});
    const Arguments of_chunks(spec.survivors.arguments, {{"keys", arrays.keys.data()},
                                                         {"bits_out", bits.data()},
                                                         {"positions_out", positions.data()},
                                                         {"counts_out", counts.data()},
                                                         {"rows", r.rows},
                                                         {"columns", r.columns},
                                                         {"stride", r.stride},
                                                         {"chunks", r.chunks},
                                                         {"k", r.k},
                                                         {"rank", r.rank}});
    const Arguments of_lists = arrays.beside.with(Arguments(spec.ranked.arguments, {{"keys", arrays.keys.data()},
                                                     {"bits", bits.data()},
                                                     {"survivors", positions.data()},
                                                     {"counts", counts.data()},
                                                     {"keys_out", arrays.searched_keys_to},
                                                     {"positions_out", arrays.beside.positions_to},
                                                     {"of_groups", of_groups.data()},
                                                     {"rows", r.rows},
                                                     {"columns", r.columns},
                                                     {"stride", r.stride},
                                                     {"lists", r.chunks},
                                                     {"rankers", r.rankers},
                                                     {"groups", r.groups},
                                                     {"k", r.k},
                                                     {"sorted", bool(r.flags & kTopKSorted)}}),
                                                  arrays.searched_values_to);
    const Arguments last = of_candidates(r, spec, arrays, of_groups, r.groups, 1, arrays.beside.positions_to);
    if (!are_set({&of_chunks, &of_lists, &last})) return kOthers;
    Report report = launch(r, stream, r.row_blocks, 0, [&] { spec.survivors.run(of_chunks); });
    if (report.ok) report = launch(r, stream, r.group_blocks, 3, [&] { spec.ranked.run(of_lists); });
    if (report.ok && r.rankers > 1) report = launch(r, stream, r.candidate_blocks, 6, [&] { spec.candidates.run(last); });
    return checked(report, {&bits, &positions, &counts, &of_groups});
}

// The launches of a top-k that has what survives samples in a list for each row.
Report list(const TopKRequest &r, const TopKSpec &spec, Arrays &arrays) {
    const unsigned samples = r.sampling_blocks * r.kept;
    const size_t sampled = size_t(r.rows) * samples, listed = size_t(r.rows) * r.room, grouped = size_t(r.rows) * r.groups * r.k;
    GuardedBytes sample_bits("bits of samples", sampled * spec.bits_bytes, spec.bits_bytes, r.seed + 3);
    GuardedBytes sample_positions("samples", sampled * sizeof(unsigned), sizeof(unsigned), r.seed + 4);
    GuardedBytes bits("bits of lists", listed * spec.bits_bytes, spec.bits_bytes, r.seed + 5);
    GuardedBytes positions("lists", listed * sizeof(unsigned), sizeof(unsigned), r.seed + 6);
    GuardedBytes counts("counts", r.rows * sizeof(unsigned), sizeof(unsigned), r.seed + 7);
    GuardedBytes of_groups("candidates of groups", grouped * sizeof(unsigned), sizeof(unsigned), r.seed + 8);
    Stream stream({&arrays.keys_out, &arrays.beside.positions, &arrays.beside.values_out, &sample_bits, &sample_positions, &bits, &positions, &counts,
                   &of_groups});
    const Arguments of_samples(spec.samples.arguments, {{"keys", arrays.keys.data()},
                                                        {"sample_bits", sample_bits.data()},
                                                        {"sample_positions", sample_positions.data()},
                                                        {"counts", counts.data()},
                                                        {"rows", r.rows},
                                                        {"columns", r.columns},
                                                        {"stride", r.stride},
                                                        {"blocks", r.sampling_blocks},
                                                        {"kept", r.kept}});
    const Arguments of_chunks(spec.filtered.arguments, {{"keys", arrays.keys.data()},
                                                        {"sample_bits", sample_bits.data()},
                                                        {"sample_positions", sample_positions.data()},
                                                        {"bits", bits.data()},
                                                        {"survivors", positions.data()},
                                                        {"counts", counts.data()},
                                                        {"rows", r.rows},
                                                        {"columns", r.columns},
                                                        {"stride", r.stride},
                                                        {"chunks", r.chunks},
                                                        {"samples", samples},
                                                        {"rank", r.rank},
                                                        {"room", r.room}});
    const Arguments of_lists = arrays.beside.with(Arguments(spec.listed.arguments, {{"keys", arrays.keys.data()},
                                                     {"bits", bits.data()},
                                                     {"survivors", positions.data()},
                                                     {"counts", counts.data()},
                                                     {"keys_out", arrays.searched_keys_to},
                                                     {"positions_out", arrays.beside.positions_to},
                                                     {"of_groups", of_groups.data()},
                                                     {"rows", r.rows},
                                                     {"columns", r.columns},
                                                     {"stride", r.stride},
                                                     {"room", r.room},
                                                     {"groups", r.groups},
                                                     {"k", r.k},
                                                     {"sorted", uint64_t((r.flags & kTopKSorted) != 0)}}),
                                                  arrays.searched_values_to);
    const Arguments last = of_candidates(r, spec, arrays, of_groups, r.groups, 1, arrays.beside.positions_to);
    if (!are_set({&of_samples, &of_chunks, &of_lists, &last})) return kOthers;
    Report report = launch(r, stream, r.sample_blocks, 0, [&] { spec.samples.run(of_samples); });
    if (report.ok) report = launch(r, stream, r.row_blocks, 3, [&] { spec.filtered.run(of_chunks); });
    if (report.ok) report = launch(r, stream, r.group_blocks, 6, [&] { spec.listed.run(of_lists); });
    if (report.ok) report = launch(r, stream, r.candidate_blocks, 9, [&] { spec.candidates.run(last); });
    return checked(report, {&sample_bits, &sample_positions, &bits, &positions, &counts, &of_groups});
}

// The launches that write what is at the positions of each row.
Report write_found(const TopKRequest &r, const TopKSpec &spec, Arrays &arrays) {
    top_k::Arrays &beside = arrays.beside;
    Stream stream({&arrays.keys_out, &beside.values_out});
    Report report = {true, 0, ""};
    for (uint64_t row = 0; report.ok && row < r.rows; ++row) {
        const auto at = [](const void *array, uint64_t item, unsigned bytes) {
            return array ? static_cast<const char *>(array) + item * bytes : nullptr;
        };
        const auto of_row = [&](const char *name, const void *array, uint64_t item, unsigned bytes) {
            return ArgumentValue(name, static_cast<const void *>(at(array, item, bytes)));
        };
        Arguments arguments(spec.found.arguments, {of_row("keys", arrays.keys.data(), row * r.stride, spec.key_bytes),
                                                   of_row("positions", beside.positions_to, row * r.k, sizeof(unsigned)),
                                                   of_row("keys_out", arrays.keys_to, row * r.k, spec.key_bytes),
                                                   {"n", uint64_t(r.k)},
                                                   of_row("values_out", beside.values_to, row * r.k, beside.beside.bytes)});
        if (beside.beside.is_read) {
            arguments = std::move(arguments).with({of_row("values", beside.values.data(), row * r.stride, beside.beside.bytes)});
        }
        if (!arguments.are_set()) return kOthers;
        report = launch(r, stream, r.found_blocks, 0, [&] { spec.found.run(arguments); });
    }
    return report;
}

void serve_one(const TopKRequest &r, const TopKSpec &spec) {
    const size_t found = size_t(r.rows) * r.k;
    const bool writes_keys = r.flags & kTopKWritesKeys;
    Arrays arrays(r, spec, found, writes_keys);
    protocol::get(arrays.keys.data(), size_t(r.keys) * spec.key_bytes);
    arrays.beside.get(r.keys);
    if (const char *text = refusal(r, spec)) return protocol::answer(kRefused, text);
    arrays.keys.make_read_only();
    arrays.beside.values.make_read_only();
    Report report = r.flags & kTopKRanked   ? rank(r, spec, arrays)
                    : r.flags & kTopKListed ? list(r, spec, arrays)
                                            : search(r, spec, arrays);
    if (report.ok && r.flags & kTopKFound) report = write_found(r, spec, arrays);
    report = checked(report, {&arrays.keys_out, &arrays.beside.positions, &arrays.beside.values_out});
    if (!protocol::answer(report)) return;
    protocol::put(arrays.keys_out.data(), writes_keys ? found * spec.key_bytes : 0);
    arrays.beside.put();
}

}  // namespace

int serve(const TopKSpec *specs, size_t count) {
    return protocol::serve<TopKRequest>(kTopKRequestMagic, [&](const TopKRequest &r) {
        if (r.spec >= count) protocol::die("no such top-k in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
