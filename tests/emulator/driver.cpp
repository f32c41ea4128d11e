// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>
#include <string.h>

#include <vector>

namespace emulator {
namespace {

bool is_of_rows(const Request &r) { return r.entry == kRowsKernel || r.entry == kCountedRowsKernel; }

// Why the request cannot be served, or null. What it asks for must be known before its arrays are read.
const char *refusal(const Request &r, const Spec &spec) {
    const uint32_t member_flags = r.flags & kMemberFlags;
    if (r.entry >= kEntries || r.flags >= 2 * kOmitKeys || !spec.kernels[r.entry][member_flags])
        return "the sort has no such member";
    const bool is_of_arrays = r.entry == kTileKernel || is_of_rows(r);
    if (r.flags & kInPlace && !is_of_arrays) return "only kernels of tiles and rows work in place";
    if (r.flags & kOmitKeys && (!is_of_rows(r) || spec.reads_values || !spec.value_bytes || r.flags & kInPlace))
        return "only rows of positions do without keys";
    if (r.begin_bit > r.end_bit || r.end_bit > 8 * spec.key_bytes) return "the bit range is not within the key";
    if (r.entry == kCountedRowsKernel && r.count_bytes != 4 && r.count_bytes != 8) return "the count has neither 4 bytes nor 8";
    if (is_of_rows(r)) {
        if (r.columns > spec.tile_items || r.columns > r.stride) return "the columns are more than a tile, or than the stride";
        if (r.rows && r.n < (r.rows - 1) * r.stride + r.columns) return "the rows are more than n items";
        if (r.blocks * spec.tiles_per_block < r.rows) return "the rows are more than blocks have tiles";
    }
    if (is_of_arrays) return nullptr;
    if (r.n > spec.tile_items) return "n is more than a tile";
    if (!(r.flags & kPassValid) && r.n != spec.tile_items) return "n is not the tile, and valid_items is not passed";
    return nullptr;
}

// How many of as many are sorted, by the count where it is of these.
uint64_t counted(const Request &r, uint64_t all, bool counts_columns) {
    const bool is_counted = r.entry == kCountedRowsKernel && (r.counts_columns != 0) == counts_columns;
    return is_counted && r.count < all ? r.count : all;
}

// Whether an item is of no row that is sorted.
bool is_gap(const Request &r, size_t item) {
    return item / r.stride >= counted(r, r.rows, false) || item % r.stride >= counted(r, r.columns, true);
}

// Whether items between rows are as they were. They become zeros.
bool are_gaps_kept(const Request &r, const GuardedBytes &items, const std::vector<unsigned char> &before, size_t bytes) {
    auto *now = static_cast<unsigned char *>(items.data());
    bool are_kept = true;
    for (size_t item = 0; item * bytes < before.size(); ++item) {
        if (!is_gap(r, item)) continue;
        are_kept &= !memcmp(now + item * bytes, &before[item * bytes], bytes);
        memset(now + item * bytes, 0, bytes);
    }
    return are_kept;
}

std::vector<unsigned char> bytes_of(const GuardedBytes &items, size_t count) {
    const auto *bytes = static_cast<const unsigned char *>(items.data());
    return std::vector<unsigned char>(bytes, bytes + count);
}

// The number that the kernel of counted rows reads.
struct CountOf : GuardedBytes {
    explicit CountOf(const Request &r) : GuardedBytes("count", r.count_bytes, r.count_bytes ? r.count_bytes : 1, r.seed) {
        memcpy(data(), &r.count, r.count_bytes);
        make_read_only();
    }
};

// The arguments but for addresses.
Arguments arguments_of(const Request &r) {
    Arguments arguments = {};
    arguments.n = r.n;
    arguments.begin_bit = int(r.begin_bit);
    arguments.end_bit = int(r.end_bit);
    arguments.seed = r.seed;
    arguments.rows = r.rows;
    arguments.columns = unsigned(r.columns);
    arguments.stride = r.stride;
    arguments.count_bytes = r.count_bytes;
    arguments.counts_columns = int(r.counts_columns);
    return arguments;
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

    const bool is_tile = r.entry == kTileKernel, is_rows = is_of_rows(r);
    const CountOf count(r);
    const bool omits_keys = r.flags & kOmitKeys;
    const size_t key_out_bytes = omits_keys ? 0 : n * spec.key_bytes;
    const std::vector<unsigned char> keys_before = bytes_of(keys_to, key_out_bytes);
    const std::vector<unsigned char> values_before = bytes_of(values_to, value_out_bytes);
    Arguments arguments = arguments_of(r);
    arguments.keys_in = keys_in.data();
    arguments.keys_out = omits_keys ? nullptr : keys_to.data();
    arguments.values_in = value_in_bytes ? values_in.data() : nullptr;
    arguments.values_out = arguments.positions_out = values_to.data();
    arguments.count = count.data();
    const Kernel kernel = spec.kernels[r.entry][r.flags & kMemberFlags];
    const uint64_t block_items = uint64_t(spec.tile_items) * spec.tiles_per_block;
    const uint64_t blocks = is_rows ? r.blocks : is_tile ? (r.n + block_items - 1) / block_items : 1;
    Report report;
    report.ok = true;
    report.barriers = 0;
    if (blocks) {
        Launch launch;
        launch.grid = dim3(unsigned(blocks));
        launch.block = is_tile || is_rows ? spec.tile_block : spec.block;
        launch.shared_bytes = spec.shared_bytes;
        launch.seed = r.seed;
        launch.detects_races = r.flags & kDetectRaces;
        report = run(launch, [&] { kernel(arguments); });
    }
    const auto expect = [&](bool is_right, const char *otherwise) {
        if (!report.ok || is_right) return;
        report.ok = false;
        snprintf(report.message, sizeof report.message, "%s", otherwise);
    };
    expect(keys_to.canaries_hold() && values_to.canaries_hold(), "write in front of an output buffer");
    if (report.ok && is_rows && r.stride)
        expect(are_gaps_kept(r, keys_to, keys_before, spec.key_bytes) & are_gaps_kept(r, values_to, values_before, spec.value_bytes), "write between rows");
    if (!protocol::answer(report)) return;
    protocol::put(keys_to.data(), key_out_bytes);
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
