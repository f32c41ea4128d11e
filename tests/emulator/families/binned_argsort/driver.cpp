// Serves the requests of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>
#include <string.h>

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
    if (!r.count_bytes && (r.chunk_columns > spec.tile_items || r.chunk_columns >= 1 << 14)) return "chunks are too long";
    if (!r.count_bytes && r.group_bits > 7) return "groups are too long";
    if (!r.count_bytes) return nullptr;
    if (r.count_bytes != 4 && (r.count_bytes != 2 || r.chunk_columns > 65535)) return "counts are too small";
    return nullptr;
}

// Whether a request runs as on Hopper. Each order of threads does either way.
bool kind_of_gpu(uint64_t seed) { return (seed / 6 * 0x9e3779b97f4a7c15u >> 63) ^ (seed % 2); }

// The counts that the blocks of a launch publish.
class Exchange {
  public:
    Exchange(const BinnedRequest &r, const BinnedSpec &spec)
        : r_(r),
          size_(r.chunks && !r.count_bytes ? 8 * (kStateWords + 2 * size_t(r.capacity)) : 0),
          counts_(r.chunks * (spec.chunk_counts / 4)),
          groups_(((r.chunks ? r.chunks - 1 : 0) >> r.group_bits) + 1),
          sums_(spec.chunk_counts / 2),
          bytes_("exchange", size_, 8, r.seed + 4) {
        if (!size_) return;
        memset(bytes_.data(), 0, size_);
        is_odd_ = r.seed / 3 % 2;
        const uint64_t before = r.seed / 7 % (r.capacity + 1ull);
        words()[0] = before << 32 | is_odd_ << 16;
        for (uint64_t i = 0; i < before; ++i) of(!is_odd_)[i] = (i + r.seed) * 0x9e3779b97f4a7c15u;
    }

    GuardedBytes &bytes() { return bytes_; }
    unsigned long long *words() { return reinterpret_cast<unsigned long long *>(bytes_.data()); }

    // What is wrong with what a launch has left.
    const char *complaint() {
        if (!size_) return nullptr;
        const uint64_t of_row = counts_ + groups_ * sums_;
        if (words()[0] != (r_.rows * of_row << 32 | uint64_t(!is_odd_) << 16)) return "the state is not that of the next launch";
        for (uint64_t i = 0; i < r_.capacity; ++i) {
            if (of(!is_odd_)[i]) return "words of the launch before are left";
            const uint64_t ready = of(is_odd_)[i] >> 56;
            if (i >= r_.rows * of_row) {
                if (ready) return "a launch has more words than it takes";
            } else if (i % of_row < counts_) {
                if (ready != 1) return "counts are not published";
            } else {
                const uint64_t first = (i % of_row - counts_) / sums_ << r_.group_bits, most = 1 << r_.group_bits;
                if (ready != (r_.chunks - first < most ? r_.chunks - first : most)) return "sums are not published";
            }
        }
        return nullptr;
    }

  private:
    static constexpr size_t kStateWords = 16;
    unsigned long long *of(bool is_odd) { return words() + kStateWords + (is_odd ? r_.capacity : 0); }

    const BinnedRequest &r_;
    const size_t size_;
    // Words of a row's chunks; its groups, and words of each.
    const uint64_t counts_, groups_, sums_;
    GuardedBytes bytes_;
    uint64_t is_odd_ = 0;
};

// The arrays of a request.
struct Arrays {
    GuardedBytes &keys, &positions, &offsets, &counts;
};

// The arguments of each kernel.
struct AllArguments {
    AllArguments(const BinnedRequest &r, const BinnedSpec &spec, const Arrays &arrays, Exchange &exchange)
        : of_rows(spec.rows.arguments, {{"keys", arrays.keys.data()},
                                        {"positions", arrays.positions.data()},
                                        {"offsets", arrays.offsets.data()},
                                        {"rows", r.rows},
                                        {"columns", r.columns},
                                        {"stride", r.stride},
                                        {"bins", r.bins}}),
          to_count(spec.count.arguments, {{"keys", arrays.keys.data()},
                                          {"counts", arrays.counts.data()},
                                          {"columns", r.columns},
                                          {"stride", r.stride},
                                          {"chunks", r.chunks},
                                          {"chunk_columns", r.chunk_columns},
                                          {"count_bytes", r.count_bytes},
                                          {"bins", r.bins}}),
          to_rank(spec.rank.arguments, {{"keys", arrays.keys.data()},
                                        {"counts", arrays.counts.data()},
                                        {"positions", arrays.positions.data()},
                                        {"offsets", arrays.offsets.data()},
                                        {"columns", r.columns},
                                        {"stride", r.stride},
                                        {"chunks", r.chunks},
                                        {"chunk_columns", r.chunk_columns},
                                        {"count_bytes", r.count_bytes},
                                        {"bins", r.bins}}),
          at_once(spec.chunks.arguments, {{"keys", arrays.keys.data()},
                                          {"exchange", exchange.words()},
                                          {"positions", arrays.positions.data()},
                                          {"offsets", arrays.offsets.data()},
                                          {"columns", r.columns},
                                          {"stride", r.stride},
                                          {"chunk_columns", r.chunk_columns},
                                          {"capacity", r.capacity},
                                          {"group_bits", r.group_bits},
                                          {"polls", r.polls},
                                          {"bins", r.bins}}) {}

    bool are_set() const { return of_rows.are_set() && to_count.are_set() && to_rank.are_set() && at_once.are_set(); }

    const Arguments of_rows, to_count, to_rank, at_once;
};

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
    Exchange exchange(r, spec);
    const bool is_hopper = kind_of_gpu(r.seed);
    Stream stream({&positions, &offsets, &counts, &exchange.bytes()});
    const auto launch = [&](unsigned number, const ParameterKernel &kernel, const Arguments &of_kernel) {
        Launch launch;
        launch.grid = r.chunks && !r.count_bytes ? dim3(r.chunks, unsigned(r.rows)) : dim3(r.blocks);
        launch.block = dim3(r.threads);
        launch.shared_bytes = r.shared_bytes;
        // Another order of threads by the same schedule.
        launch.seed = r.seed + 6 * number;
        launch.os_threads = r.blocks_at_once;
        launch.is_interleaved = true;
        launch.is_early = is_hopper && number > 0;
        launch.stream = is_hopper ? &stream : nullptr;
        launch.detects_races = r.detects_races;
        return run(launch, [&] { kernel.run(of_kernel); });
    };
    const AllArguments arguments(r, spec, {keys, positions, offsets, counts}, exchange);
    if (!arguments.are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
    Report report;
    if (r.chunks && !r.count_bytes) {
        report = launch(0, spec.chunks, arguments.at_once);
        if (const char *text = report.ok ? exchange.complaint() : nullptr) {
            report.ok = false;
            snprintf(report.message, sizeof report.message, "%s", text);
        }
    } else if (r.chunks) {
        report = launch(0, spec.count, arguments.to_count);
        if (report.ok) report = launch(1, spec.rank, arguments.to_rank);
    } else {
        report = launch(0, spec.rows, arguments.of_rows);
    }
    for (const GuardedBytes *array : {&positions, &offsets, &counts, &exchange.bytes()}) {
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
