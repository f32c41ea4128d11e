// Junk, canaries, guarded buffers, and shared memory before and after a block; used by emulator.cpp alone.
#pragma once

#include "block.hpp"
#include "shadow.hpp"

#include <errno.h>
#include <link.h>

namespace emulator {

void fill_junk(void *bytes, size_t count, uint64_t seed) {
    unsigned char *p = static_cast<unsigned char *>(bytes);
    uint64_t state = mix(seed + 0x9e3779b97f4a7c15u) | 1;
    for (; count >= 8; count -= 8, p += 8) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(p, &state, 8);
    }
    state ^= state >> 29;
    if (count) memcpy(p, &state, count);
}

namespace {

std::mutex guarded_mutex;
GuardedBytes *guarded_list;

size_t page_bytes() {
    static const size_t bytes = size_t(sysconf(_SC_PAGESIZE));
    return bytes;
}

// A canary depends on its address alone.
uint64_t canary_word(const unsigned char *aligned) {
    return (reinterpret_cast<uintptr_t>(aligned) + 0x5ca1ab1e) * 0x9e3779b97f4a7c15u;
}

unsigned char canary(const unsigned char *at) {
    const uintptr_t within = reinterpret_cast<uintptr_t>(at) % 8;
    return (unsigned char)(canary_word(at - within) >> (8 * within));
}

void fill_canaries(unsigned char *from, unsigned char *to) {
    for (; from < to && reinterpret_cast<uintptr_t>(from) % 8; ++from) *from = canary(from);
    for (; from + 8 <= to; from += 8) {
        uint64_t word = canary_word(from);
        memcpy(from, &word, 8);
    }
    for (; from < to; ++from) *from = canary(from);
}

const unsigned char *broken_canary(const unsigned char *from, const unsigned char *to) {
    for (; from < to && reinterpret_cast<uintptr_t>(from) % 8; ++from)
        if (*from != canary(from)) return from;
    for (uint64_t word; from + 8 <= to; from += 8) {
        memcpy(&word, from, 8);
        if (word != canary_word(from)) break;
    }
    for (; from < to; ++from)
        if (*from != canary(from)) return from;
    return nullptr;
}

struct Segment {
    unsigned char *begin;
    size_t bytes;
};

// All thread-local storage of the program: shared memory, static and dynamic, and the emulator's own.
Segment storage_of_os_thread() {
    Segment tls{nullptr, 0};
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *out) {
            for (int i = 0; i < info->dlpi_phnum; ++i)
                if (info->dlpi_phdr[i].p_type == PT_TLS)
                    *static_cast<Segment *>(out) = {static_cast<unsigned char *>(info->dlpi_tls_data),
                                                    info->dlpi_phdr[i].p_memsz};
            return 1;  // the program itself comes first
        },
        &tls);
    return tls;
}

// Poisons block-scope `__shared__` variables: all thread-local storage of the program, apart
// from the emulator's own. A statically linked libc keeps its state there too; then it is left alone.
void poison_static_shared(uint64_t seed) {
    const Segment tls = storage_of_os_thread();
    unsigned char *end = tls.begin + tls.bytes;
    unsigned char *libc = reinterpret_cast<unsigned char *>(&errno);
    if (!tls.begin || (libc >= tls.begin && libc < end)) return;
    Segment own[] = {
        {reinterpret_cast<unsigned char *>(&threadIdx), sizeof threadIdx},
        {reinterpret_cast<unsigned char *>(&blockIdx), sizeof blockIdx},
        {reinterpret_cast<unsigned char *>(&blockDim), sizeof blockDim},
        {reinterpret_cast<unsigned char *>(&gridDim), sizeof gridDim},
        {reinterpret_cast<unsigned char *>(&yield_countdown), sizeof yield_countdown},
        {reinterpret_cast<unsigned char *>(&current), sizeof current},
        {reinterpret_cast<unsigned char *>(&detecting), sizeof detecting},
        {sortsmith_shared, sizeof sortsmith_shared},
    };
    unsigned char *at = tls.begin;
    while (at < end) {
        const Segment *next = nullptr;
        for (const Segment &s : own)
            if (s.begin >= at && (!next || s.begin < next->begin)) next = &s;
        unsigned char *stop = next ? next->begin : end;
        fill_junk(at, size_t(stop - at), seed + size_t(at - tls.begin));
        at = next ? next->begin + next->bytes : end;
    }
}

void prepare_shared(Block &b, unsigned shared_bytes) {
    const Segment storage = storage_of_os_thread();
    b.storage_begin = reinterpret_cast<uintptr_t>(storage.begin);
    b.storage_end = b.storage_begin + storage.bytes;
#if EMULATOR_ASAN
    __asan_unpoison_memory_region(sortsmith_shared, sizeof sortsmith_shared);
#endif
    if (b.canary_from != shared_bytes) {
        fill_canaries(sortsmith_shared + shared_bytes, sortsmith_shared + kSharedLimit);
        b.canary_from = shared_bytes;
    }
    fill_junk(sortsmith_shared, shared_bytes, b.random.next());
#if EMULATOR_ASAN
    __asan_poison_memory_region(sortsmith_shared + shared_bytes, kSharedLimit - shared_bytes);
#endif
}

void check_shared(Block &b, unsigned shared_bytes) {
#if EMULATOR_ASAN
    __asan_unpoison_memory_region(sortsmith_shared, sizeof sortsmith_shared);
#endif
    const unsigned char *broken = broken_canary(sortsmith_shared + shared_bytes, sortsmith_shared + kSharedLimit);
    if (!broken) return;
    b.canary_from = ~0u;
    if (b.failed) return;
    b.failed = true;
    b.running = nullptr;
    begin_message(b);
    append(b.message, sizeof b.message, "out-of-bounds write to shared memory: byte %zu of %u",
           size_t(broken - sortsmith_shared), shared_bytes);
}

}  // namespace

GuardedBytes::GuardedBytes(const char *name, size_t bytes, size_t element_bytes, uint64_t seed)
    : name_(name), bytes_(bytes), element_bytes_(element_bytes), seed_(seed) {
    const size_t page = page_bytes();
    // One page more than the data needs, so that there are always canaries in front.
    const size_t room = (bytes + page - 1) / page * page + page;
    map_bytes_ = room + 2 * page;
    void *map = mmap(nullptr, map_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(static_cast<char *>(map) + page, room, PROT_READ | PROT_WRITE)) {
        perror("emulator: mmap of a guarded buffer");
        abort();
    }
    map_ = static_cast<unsigned char *>(map);
    data_ = map_ + page + room - bytes;
    fill_canaries(map_ + page, data_);
    fill_junk(data_, bytes, seed);
    std::lock_guard<std::mutex> lock(guarded_mutex);
    next_ = guarded_list;
    guarded_list = this;
}

Shadow &GuardedBytes::shadow() {
    if (!shadow_) shadow_ = new Shadow(data_, bytes_);
    return *shadow_;
}

GuardedBytes::~GuardedBytes() {
    delete shadow_;
    {
        std::lock_guard<std::mutex> lock(guarded_mutex);
        GuardedBytes **link = &guarded_list;
        while (*link != this) link = &(*link)->next_;
        *link = next_;
    }
    munmap(map_, map_bytes_);
}

void GuardedBytes::make_read_only() {
    const size_t page = page_bytes();
    is_read_only_ = true;
    mprotect(map_ + page, map_bytes_ - 2 * page, PROT_READ);
}

void GuardedBytes::forbid(bool may_read) {
    const size_t page = page_bytes();
    if (bytes_ == 0) return;
    is_forbidden_ = true;
    mprotect(map_ + page, map_bytes_ - 2 * page, may_read ? PROT_READ : PROT_NONE);
}

void GuardedBytes::allow() {
    const size_t page = page_bytes();
    if (!is_forbidden_) return;
    is_forbidden_ = false;
    mprotect(map_ + page, map_bytes_ - 2 * page, is_read_only_ ? PROT_READ : PROT_READ | PROT_WRITE);
}

uint64_t GuardedBytes::hash() const {
    uint64_t sum = bytes_;
    size_t i = 0;
    for (; i + 8 <= bytes_; i += 8) {
        uint64_t word;
        memcpy(&word, data_ + i, 8);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    }
    for (; i < bytes_; ++i) sum = (sum ^ data_[i]) * 0x9e3779b97f4a7c15u;
    return sum;
}

Stream::Stream(std::vector<GuardedBytes *> buffers) {
    for (GuardedBytes *bytes : buffers) buffers_.push_back({bytes, bytes->hash(), false});
}

void Stream::protect() {
    for (const Buffer &buffer : buffers_) buffer.bytes->forbid(!buffer.is_stored_to);
}

void Stream::unprotect() {
    for (const Buffer &buffer : buffers_) buffer.bytes->allow();
}

void Stream::look_for_stores() {
    for (Buffer &buffer : buffers_) buffer.is_stored_to = buffer.is_stored_to || buffer.bytes->hash() != buffer.hash;
}

bool Stream::has_stored_to(const void *address) const {
    for (const Buffer &buffer : buffers_)
        if (buffer.is_stored_to && buffer.bytes->has(address)) return true;
    return false;
}

bool GuardedBytes::canaries_hold() const { return !broken_canary(map_ + page_bytes(), data_); }

// Says which guarded buffer an address belongs to; false if none.
bool describe_address(const void *address, bool write, char *text, size_t size) {
    const unsigned char *p = static_cast<const unsigned char *>(address);
    for (const GuardedBytes *g = guarded_list; g; g = g->next_) {
        if (p < g->map_ || p >= g->map_ + g->map_bytes_) continue;
        long long offset = p - g->data_;
        long long element = (long long)g->element_bytes_;
        long long index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
        if (g->is_forbidden_ && offset >= 0 && offset < (long long)g->bytes_) {
            snprintf(text, size, "%s buffer %s at element %lld before wait_for_previous_grid: the grid before has not ended",
                     write ? "write to" : "access of", g->name_, index);
            return true;
        }
        const char *what = offset >= 0 && offset < (long long)g->bytes_ ? "write to read-only" : "out-of-bounds";
        snprintf(text, size, "%s %s buffer %s at element %lld (it has %zu)", what,
                 *what == 'w' ? "input" : (write ? "write to" : "access of"), g->name_, index,
                 g->bytes_ / g->element_bytes_);
        return true;
    }
    return false;
}

}  // namespace emulator
