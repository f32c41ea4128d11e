// Serves the requests of device_driver.hpp: compiled once, linked with every test program.

#include "device_driver.hpp"

#include <stdio.h>
#include <string.h>

#include <utility>
#include <vector>

namespace emulator {

const char *refusal_of_bytes(const DeviceRequest &r, const std::vector<OwnLaunch> &launches, uint64_t zeroed_bytes,
                             uint64_t workspace_bytes) {
    if (r.zeroed_bytes != (launches.empty() ? 0 : zeroed_bytes)) return "zeroed_bytes are not those of the header";
    if (r.workspace_bytes != (launches.empty() ? 0 : workspace_bytes)) return "workspace_bytes are not those of the header";
    return nullptr;
}

const char *difference(const std::vector<OwnLaunch> &launches, const std::vector<OwnLaunch> &own) {
    if (launches.size() != own.size()) return "there are more launches than the header's, or fewer";
    for (size_t i = 0; i < own.size(); ++i) {
        if (!launches[i].is_of(own[i].suffix)) return "the launches are in another order";
        if (launches[i].argument != own[i].argument) return "the arguments are not the header's";
        if (launches[i].blocks != own[i].blocks) return "the blocks are not those of the header";
        if (launches[i].threads != own[i].threads) return "the threads are not the header's";
        if (launches[i].shared_bytes != own[i].shared_bytes) return "the shared memory is not that of the header";
    }
    return nullptr;
}

namespace {

// Whether a sort reads how many items or rows there are.
bool is_counted(const DeviceSpec &spec) {
    for (const Argument &argument : spec.arguments) {
        if (strcmp(argument.name, "count") == 0) return true;
    }
    return false;
}

// What is not the header's own, or null.
const char *refusal(const DeviceRequest &r, const DeviceSpec &spec, const std::vector<DeviceLaunch> &launches) {
    if (r.begin_bit > r.end_bit || r.end_bit > 8 * spec.key_bytes) return "the bit range is not within the key";
    if (r.value_bytes && r.value_bytes != spec.value_bytes) return "the values are of another size";
    if (r.n > spec.max_items) return "n is more than the sort takes";
    if (is_counted(spec) ? r.count_bytes != 4 && r.count_bytes != 8 : r.count_bytes != 0) return "the count has not the bytes of one";
    std::vector<OwnLaunch> named;
    for (const DeviceLaunch &launch : launches) {
        if (launch.kernel >= spec.kernels.size()) return "there is no such kernel";
        named.push_back({spec.kernels[launch.kernel].suffix, launch.argument, launch.blocks, launch.threads, launch.shared_bytes});
    }
    return spec.refusal(r, named);
}

// An array of exactly n items.
struct Items : GuardedBytes {
    Items(const char *name, uint64_t n, unsigned bytes, uint64_t seed)
        : GuardedBytes(name, size_t(n) * bytes, bytes ? bytes : 1, seed), pointer(bytes ? data() : nullptr) {}
    // Null where the sort has no such array.
    unsigned char *const pointer;
};

// An array of a matrix: where its rows are.
struct Rows {
    uint64_t rows, n, stride;

    // Items from the first row's start to the last one's end.
    uint64_t span() const { return rows ? (rows - 1) * stride + n : 0; }

    // Calls `with` for each row, with its offset in items.
    template <class With>
    void each(With with) const {
        for (uint64_t row = 0; row < rows; ++row) with(row * stride);
    }

    // Reads the items of all rows.
    void get(unsigned char *items, unsigned bytes) const {
        each([&](uint64_t at) { protocol::get(items + at * bytes, size_t(n) * bytes); });
    }

    // Writes them.
    void put(const unsigned char *items, unsigned bytes) const {
        each([&](uint64_t at) { protocol::put(items + at * bytes, size_t(n) * bytes); });
    }

    // What is in no row of an array of `room` items.
    std::vector<unsigned char> rest(const unsigned char *items, unsigned bytes, uint64_t room) const {
        std::vector<unsigned char> rest;
        uint64_t end = 0;
        each([&](uint64_t at) {
            rest.insert(rest.end(), items + end * bytes, items + at * bytes);
            end = at + n;
        });
        rest.insert(rest.end(), items + end * bytes, items + room * bytes);
        return rest;
    }
};

// Whether the launches take a seed, and advance the counter of sorts.
bool count_sorts(const DeviceSpec &spec, const std::vector<DeviceLaunch> &launches) {
    for (const DeviceLaunch &launch : launches) {
        const DeviceKernel &kernel = spec.kernels[launch.kernel];
        if (kernel.has_argument && strcmp(kernel.suffix, "_samples") == 0) return true;
    }
    return false;
}

// Whether a request runs as on Hopper. Each order of threads does either way.
bool kind_of_gpu(uint64_t seed) { return (seed / 6 * 0x9e3779b97f4a7c15u >> 63) ^ (seed % 2); }

// Where a request's rows are, and how long its arrays. Arrays end at a page that is not there, so what they begin at depends on their
// length. Side by side, they begin at a boundary of two keys, which an even number of them does; 16 of any begin at one of 16 bytes.
struct Layout {
    explicit Layout(const DeviceRequest &r)
        : interleaves(r.flags & kInterleaves),
          writes_keys(r.flags & kWritesKeys),
          in_place(r.flags & kSortInPlace),
          rows{r.rows, r.n, r.n + r.gap},
          key_rows{r.rows, r.n, writes_keys ? rows.stride : r.n},
          sorted{counted(r, kCountsRows, r.rows), counted(r, 0, r.n), rows.stride},
          sorted_keys{sorted.rows, sorted.n, key_rows.stride},
          room(rounded(r, rows.span())),
          key_room(rounded(r, key_rows.span())) {}

    const bool interleaves, writes_keys, in_place;
    const Rows rows;
    // Keys that are not wanted have no gaps.
    const Rows key_rows;
    // What is sorted of them.
    const Rows sorted, sorted_keys;
    // Items of arrays, and of the array of sorted keys.
    const uint64_t room, key_room;

  private:
    // How many there are of what is counted, by the flag, and of what is not.
    static uint64_t counted(const DeviceRequest &r, uint32_t flag, uint64_t most) {
        if (!r.count_bytes || (r.flags & kCountsRows) != flag) return most;
        const uint64_t count = r.count < r.rows_before ? 0 : r.count - r.rows_before;
        return count < most ? count : most;
    }

    uint64_t rounded(const DeviceRequest &r, uint64_t items) const {
        const uint64_t multiple = r.flags & kAligned ? 16 : interleaves ? 2 : 1;
        return (items + multiple - 1) / multiple * multiple;
    }
};

// The arrays of a request.
struct Arrays {
    Arrays(const DeviceRequest &r, const DeviceSpec &spec, const Layout &layout)
        : read_bytes(r.flags & kReadsValues ? r.value_bytes : 0),
          keys_in("keys_in", layout.room, spec.key_bytes, r.seed),
          values_in("values_in", layout.room, read_bytes, r.seed),
          keys_out("keys_out", layout.key_room, spec.key_bytes, r.seed + 1),
          values_out("values_out", layout.room, r.value_bytes, r.seed + 2),
          // Side by side, the alternate values are the last ones behind the alternate keys.
          keys_alternate("keys_alternate", (layout.interleaves ? 2 : 1) * r.rows * r.n, spec.key_bytes, r.seed + 3),
          values_alternate("values_alternate", r.rows * r.n, r.value_bytes, r.seed + 4),
          values_behind(layout.interleaves ? keys_alternate.pointer + r.n * spec.key_bytes : values_alternate.pointer),
          workspace("workspace", size_t(r.rows * r.workspace_bytes), 1, r.seed + 5),
          sort_counter("sort_counter", sizeof r.sorts_before, sizeof r.sorts_before, r.seed + 6),
          count("count", r.count_bytes, r.count_bytes ? r.count_bytes : 1, r.seed + 7),
          keys_to(layout.in_place ? keys_in : keys_out),
          values_to(layout.in_place && read_bytes ? values_in : values_out) {
        memset(workspace.data(), 0, size_t(r.zeroed_bytes));
        memcpy(sort_counter.data(), &r.sorts_before, sizeof r.sorts_before);
        memcpy(count.data(), &r.count, r.count_bytes);
        count.make_read_only();
    }

    bool canaries_hold() const {
        for (const GuardedBytes *array : std::initializer_list<const GuardedBytes *>{
                 &keys_in, &values_in, &keys_out, &values_out, &keys_alternate, &values_alternate, &workspace, &sort_counter}) {
            if (!array->canaries_hold()) return false;
        }
        return true;
    }

    const unsigned read_bytes;
    Items keys_in, values_in, keys_out, values_out, keys_alternate, values_alternate;
    unsigned char *const values_behind;
    GuardedBytes workspace, sort_counter, count;
    // Where the result goes.
    const Items &keys_to, &values_to;
};

// What all sorts have.
Arguments arguments_of(const DeviceRequest &r, const DeviceSpec &spec, const Layout &layout, Arrays &arrays) {
    Arguments arguments = {spec.arguments,
            {{"keys_in", arrays.keys_in.pointer},
             {"keys_out", arrays.keys_to.pointer},
             {"keys_alternate", arrays.keys_alternate.pointer},
             {"values_in", arrays.values_in.pointer},
             {"values_out", arrays.values_to.pointer},
             {"values_alternate", arrays.values_behind},
             {"workspace", arrays.workspace.data()},
             {"n", r.n},
             {"begin_bit", r.begin_bit},
             {"end_bit", r.end_bit},
             {"writes_keys", uint64_t(layout.writes_keys)},
             {"sort_counter", arrays.sort_counter.data()},
             {"row_stride", layout.rows.stride}}};
    if (!is_counted(spec)) return arguments;
    return std::move(arguments).with({{"count", arrays.count.data()},
                                      {"most_items", r.n},
                                      {"rows_before", r.rows_before},
                                      {"count_bytes", uint64_t(r.count_bytes)}});
}

// Runs one launch after the other, up to the first that fails.
Report run_launches(const DeviceRequest &r, const DeviceSpec &spec, const std::vector<DeviceLaunch> &launches, const Arguments &arguments,
                    const std::vector<GuardedBytes *> &writable) {
    Report total;
    total.ok = true;
    total.barriers = 0;
    // By the seed, as on Hopper and later GPUs: with bulk copies, and each kernel but the first behind its predecessor's beginning.
    const bool is_hopper = kind_of_gpu(r.seed);
    Stream stream(writable);
    uint64_t seed = r.seed;
    for (const DeviceLaunch &planned : launches) {
        Launch launch;
        launch.grid = dim3(planned.blocks, r.rows);
        launch.block = dim3(planned.threads);
        launch.shared_bytes = planned.shared_bytes;
        // Another order of threads by the same schedule.
        launch.seed = seed;
        seed += 6;
        launch.os_threads = r.blocks_at_once;
        launch.is_interleaved = true;
        launch.has_bulk_copies = is_hopper;
        launch.is_early = is_hopper && &planned != launches.data();
        launch.stream = is_hopper ? &stream : nullptr;
        launch.detects_races = r.flags & kDetectRaces;
        const DeviceKernel &kernel = spec.kernels[planned.kernel];
        const Report report = run(launch, [&] { kernel.run(arguments.bytes(), int(planned.argument)); });
        total.barriers += report.barriers;
        if (report.ok) continue;
        total.ok = false;
        const int used = kernel.has_argument
                             ? snprintf(total.message, sizeof total.message, "%s %u: ", kernel.suffix, planned.argument)
                             : snprintf(total.message, sizeof total.message, "%s: ", kernel.suffix);
        strncat(total.message, report.message, sizeof total.message - size_t(used) - 1);
        break;
    }
    return total;
}

void serve_one(const DeviceRequest &r, const DeviceSpec &spec) {
    std::vector<DeviceLaunch> launches(r.launches);
    protocol::get(launches.data(), launches.size() * sizeof(DeviceLaunch));
    const Layout layout(r);
    const Rows &rows = layout.rows;
    Arrays arrays(r, spec, layout);
    rows.get(arrays.keys_in.data(), spec.key_bytes);
    rows.get(arrays.values_in.data(), arrays.read_bytes);
    if (const char *text = refusal(r, spec, launches)) return protocol::answer(kRefused, text);
    std::vector<GuardedBytes *> writable = {&arrays.keys_out,         &arrays.values_out, &arrays.keys_alternate,
                                            &arrays.values_alternate, &arrays.workspace,  &arrays.sort_counter};
    if (layout.in_place) {
        writable.insert(writable.end(), {&arrays.keys_in, &arrays.values_in});
    } else {
        arrays.keys_in.make_read_only();
        arrays.values_in.make_read_only();
    }
    Arguments arguments = arguments_of(r, spec, layout, arrays);
    if (!arguments.set_rest(r.own, r.own_count) || !arguments.are_set()) return protocol::answer(kRefused, "the header has other arguments than the driver sets");
    // What lies between rows and behind the last item up to the boundary is not the sort's, nor is what the count leaves out.
    const auto collect = [&] {
        return std::make_pair(layout.sorted_keys.rest(arrays.keys_to.data(), spec.key_bytes, layout.key_room),
                              layout.sorted.rest(arrays.values_to.data(), r.value_bytes, layout.room));
    };
    const auto rest = collect();
    Report total = run_launches(r, spec, launches, arguments, writable);
    const auto expect = [&](bool good, const char *otherwise) {
        if (!total.ok || good) return;
        total.ok = false;
        snprintf(total.message, sizeof total.message, "%s", otherwise);
    };
    expect(arrays.canaries_hold(), "write in front of a buffer");
    expect(collect() == rest, "write behind the end of an output, or of a row");
    const uint32_t sorts = r.sorts_before + (count_sorts(spec, launches) ? 1 : 0);
    expect(memcmp(arrays.sort_counter.data(), &sorts, sizeof sorts) == 0, "the counter of sorts is not as it should be");
    if (!protocol::answer(total)) return;
    if (layout.writes_keys) layout.sorted_keys.put(arrays.keys_to.data(), spec.key_bytes);
    layout.sorted.put(arrays.values_to.data(), r.value_bytes);
}

}  // namespace

int serve(const DeviceSpec *specs, size_t count) {
    return protocol::serve<DeviceRequest>(kDeviceRequestMagic, [&](const DeviceRequest &r) {
        if (r.spec >= count) protocol::die("no such spec in this program");
        serve_one(r, specs[r.spec]);
    });
}

}  // namespace emulator
