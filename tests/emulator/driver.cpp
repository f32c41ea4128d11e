// The protocol loop of driver.hpp: compiled once, linked with every test program.

#include "driver.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace emulator {
namespace {

FILE *responses;
bool answering;

struct Request {
    uint32_t magic, spec, entry, begin_bit, end_bit, flags;
    uint64_t n, seed;
};
static_assert(sizeof(Request) == 40, "the request has no padding");

void put(const void *bytes, size_t count) {
    if (count && fwrite(bytes, 1, count, responses) != count) _exit(4);
}

void put_header(Status status, const char *message) {
    const uint32_t header[3] = {kResponseMagic, status, uint32_t(strlen(message))};
    put(header, sizeof header);
    put(message, header[2]);
}

// The last words of a process that a fault outside a kernel, or a sanitizer, ends.
void answer_and_die(const char *text) {
    if (!answering) return;
    answering = false;
    put_header(kFault, text);
    fflush(responses);
}

bool get(void *bytes, size_t count) { return count == 0 || fread(bytes, 1, count, stdin) == count; }

[[noreturn]] void die(const char *text) {
    fprintf(stderr, "driver: %s\n", text);
    fflush(responses);
    exit(2);
}

// Why the request cannot be served, or null. What it asks for must be known before its arrays are read.
const char *refusal(const Request &r, const Spec &spec) {
    const uint32_t member_flags = r.flags & ~uint32_t(kInPlace);
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
    if (!get(keys_in.data(), n * spec.key_bytes) || !get(values_in.data(), n * value_in_bytes))
        die("the input ends within a request");
    if (const char *text = refusal(r, spec)) return put_header(kRefused, text);
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
    const Kernel kernel = spec.kernels[r.entry][r.flags & ~uint32_t(kInPlace)];
    const uint64_t blocks = r.entry == kTileKernel ? (r.n + spec.tile_items - 1) / spec.tile_items : 1;
    Report report;
    report.ok = true;
    report.barriers = 0;
    if (blocks) {
        Launch launch;
        launch.grid = dim3(unsigned(blocks));
        launch.block = spec.block;
        launch.shared_bytes = spec.shared_bytes;
        launch.seed = r.seed;
        report = run(launch, [&] { kernel(arguments); });
    }
    if (report.ok && !(keys_to.canaries_hold() && values_to.canaries_hold())) {
        report.ok = false;
        snprintf(report.message, sizeof report.message, "write in front of an output buffer");
    }
    if (!report.ok) return put_header(kFault, report.message);
    char passed[32];
    snprintf(passed, sizeof passed, "%llu barriers", static_cast<unsigned long long>(report.barriers));
    put_header(kOk, passed);
    put(keys_to.data(), n * spec.key_bytes);
    put(values_to.data(), value_out_bytes);
}

}  // namespace

int serve(const Spec *specs, size_t count) {
    // Whatever else is printed goes to stderr.
    responses = fdopen(dup(1), "wb");
    dup2(2, 1);
    set_fatal_handler(answer_and_die);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback([] { answer_and_die("a sanitizer ended the process: its report is on stderr"); });
#endif
    Request r;
    for (size_t got; (got = fread(&r, 1, sizeof r, stdin)) != 0;) {
        if (got != sizeof r) die("the input ends within a request");
        if (r.magic != kRequestMagic) die("no request starts here: wrong magic number");
        if (r.spec >= count) die("no such spec in this program");
        answering = true;
        serve_one(r, specs[r.spec]);
        answering = false;
        if (fflush(responses)) die("the responses cannot be written");
    }
    return 0;
}

}  // namespace emulator
