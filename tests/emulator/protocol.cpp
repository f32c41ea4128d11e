// The frame of protocol.hpp: compiled once, linked with every test program.

#include "protocol.hpp"

#include "emulator.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace emulator {
namespace protocol {
namespace {

FILE *responses;
bool answering;

// The last words of a process that a fault outside a kernel, or a sanitizer, ends.
void answer_and_die(const char *text) {
    if (!answering) return;
    answering = false;
    answer(kFault, text);
    fflush(responses);
}

void serve_sites() {
    uint32_t head[2];
    get(head, sizeof head);
    std::string text(head[1], 0);
    get(text.data(), text.size());
    switch (head[0]) {
        case kListSites: list_sites(); break;
        case kTellSites: return answer(kOk, listed_sites().c_str());
        case kTakeOutSite: take_out_site(text); break;
        default: return answer(kRefused, "there is no such request about sites");
    }
    answer(kOk, "");
}

}  // namespace

void get(void *bytes, size_t count) {
    if (count && fread(bytes, 1, count, stdin) != count) die("the input ends within a request");
}

void put(const void *bytes, size_t count) {
    if (count && fwrite(bytes, 1, count, responses) != count) _exit(4);
}

void answer(Status status, const char *message) {
    const uint32_t header[3] = {kResponseMagic, status, uint32_t(strlen(message))};
    put(header, sizeof header);
    put(message, header[2]);
}

bool answer(const Report &report) {
    if (report.ok) {
        char passed[32];
        snprintf(passed, sizeof passed, "%llu barriers", static_cast<unsigned long long>(report.barriers));
        answer(kOk, passed);
    } else {
        answer(kFault, report.message);
    }
    return report.ok;
}

void die(const char *text) {
    fprintf(stderr, "driver: %s\n", text);
    fflush(responses);
    exit(2);
}

void open() {
    // Whatever else is printed goes to stderr.
    responses = fdopen(dup(1), "wb");
    dup2(2, 1);
    set_fatal_handler(answer_and_die);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback([] { answer_and_die("a sanitizer ended the process: its report is on stderr"); });
#endif
}

bool get_head(void *head, size_t bytes, uint32_t magic) {
    for (;;) {
        uint32_t found;
        const size_t got = fread(&found, 1, sizeof found, stdin);
        if (got == 0) return false;
        if (got != sizeof found) die("the input ends within a request");
        answering = true;
        if (found == kSitesMagic) {
            serve_sites();
            end_answer();
            continue;
        }
        if (found != magic) die("no request of this program's kind begins here: wrong magic number");
        memcpy(head, &found, sizeof found);
        get(static_cast<char *>(head) + sizeof found, bytes - sizeof found);
        return true;
    }
}

void end_answer() {
    answering = false;
    if (fflush(responses)) die("the responses cannot be written");
}

}  // namespace protocol
}  // namespace emulator
