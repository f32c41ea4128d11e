// The frame of the drivers' messages: a program takes requests on stdin in order and answers each on stdout, until the
// input ends. Both streams are little-endian and unpadded.
//
//     request   a head that begins with a magic number, and the data that the head announces
//     response  u32 kResponseMagic, u32 status (Status), u32 message bytes, the message, and with kOk the sorted items
//
// Between them all programs take requests about sites (emulator/sites.hpp):
//
//     request   u32 kSitesMagic, u32 SiteRequest, u32 text bytes, the text: with kTakeOutSite a line of the list, or none
//     response  as above; with kTellSites the message is the list
//
// Under a sanitizer, or when the process itself breaks, the last response is a kFault, the details are on stderr and the
// exit status is not 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

struct Report;

constexpr uint32_t kResponseMagic = 0x73727373;  // "ssrs"

constexpr uint32_t kSitesMagic = 0x74737373;     // "ssst"

enum SiteRequest : uint32_t { kListSites = 0, kTellSites = 1, kTakeOutSite = 2 };
enum Status : uint32_t { kOk = 0, kFault = 1, kRefused = 2 };

namespace protocol {

// Reads exactly this number of bytes; the end of the input ends the process.
void get(void *bytes, size_t count);
void put(const void *bytes, size_t count);
// All of a response but the sorted items.
void answer(Status status, const char *message);
// The answer to a request after its kernels ran: its message is a fault's, or how many block-wide barriers were passed, as
// in "57 barriers". Whether they ran to the end.
bool answer(const Report &report);
[[noreturn]] void die(const char *text);

// Between requests: false at the end of the input.
void open();
bool get_head(void *head, size_t bytes, uint32_t magic);
void end_answer();

template <class Head, class F> int serve(uint32_t magic, F serve_one) {
    open();
    for (Head head; get_head(&head, sizeof head, magic); end_answer()) serve_one(head);
    return 0;
}

}  // namespace protocol
}  // namespace emulator
