// The common parts of generated headers that are made of PTX, as the emulator models them: a test program defines the
// include guards of a header's own ones and takes these (tests/kit/src/emulator/supplied.rs). `file` and `line` name the caller.
#pragma once

#include "collectives.hpp"
#include "intrinsics.hpp"

#include <type_traits>

namespace emulator {

// cp.async: until the thread's own wait the destination holds junk.
void begin_copy(void *to, const void *from, unsigned bytes, const char *file, int line);
void end_copies(const char *file, int line);

// An mbarrier of one arrival, `word`, and copies that complete on it.
void init_barrier(uint64_t *word, const char *file, int line);
void fence_barrier_init(const char *file, int line);
void expect_bytes(uint64_t *word, unsigned bytes, const char *file, int line);
void begin_bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *word, const char *file, int line);
void wait_for_bytes(uint64_t *word, unsigned parity, const char *file, int line);
// fence.proxy.async over shared memory, over global memory.
void fence_async_shared(const char *file, int line);
void fence_async_global(const char *file, int line);
// cp.async.bulk.prefetch, of arrays or pieces of them.
void prefetch(const void *from, unsigned bytes, const char *file, int line);
// Whether the launch has bulk copies, as Hopper and later GPUs have them.
bool has_bulk_copies();

// Whether a copy that has not landed writes any of these bytes.
bool is_in_flight(const void *address, size_t bytes);
// An ordinary access by the running thread. Later copies to the same address must be fenced from it, and no copy to the address may
// be in flight. Called for each access of instrumented code.
void note_access(const void *address, size_t bytes, bool is_write);

// griddepcontrol.
void wait_for_grid(const char *file, int line);
void release_next_grid(const char *file, int line);

// Relaxed loads and stores of the device's scope: the result of a load where memory holds `now`, and a call before a store.
uint64_t poll_word(const void *word, uint64_t now);
void publish_word(const void *word, size_t bytes, uint64_t value);

namespace parts {

template <typename T>
EMULATOR_ACCESSOR void copy_async(T *to, const T *from, EMULATOR_SITE) {
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
        begin_copy(to, from, unsigned(sizeof(T)), file, line);
    else
        *to = *from;
}

inline void wait_for_copies(EMULATOR_SITE) {
    if (!is_out("wait_for_copies", "missing", file, line)) end_copies(file, line);
}

struct BulkCopies {
    // By the launch; a header has a constant.
    struct AreThere {
        operator bool() const { return has_bulk_copies(); }
    };
    static constexpr AreThere kAreThere{};

    unsigned long long barrier;

    void prepare(EMULATOR_SITE) {
        init_barrier(word(), file, line);
        if (!is_out("prepare", "without its fence", file, line)) fence_barrier_init(file, line);
    }
    static void acquire_stores(EMULATOR_SITE) {
        if (!is_out("acquire_stores", "missing", file, line)) fence_async_global(file, line);
    }
    static void release_stores(EMULATOR_SITE) {
        if (!is_out("release_stores", "missing", file, line)) fence_async_shared(file, line);
    }
    void begin(unsigned bytes, EMULATOR_SITE) {
        if (!is_out("begin", "missing", file, line)) expect_bytes(word(), bytes, file, line);
    }
    EMULATOR_ACCESSOR void copy(void *to_shared, const void *from_global, unsigned bytes, EMULATOR_SITE) {
        begin_bulk_copy(to_shared, from_global, bytes, word(), file, line);
    }
    static void prefetch(const void *from_global, unsigned bytes, EMULATOR_SITE) {
        emulator::prefetch(from_global, bytes, file, line);
    }
    void wait(unsigned round, EMULATOR_SITE) {
        if (!is_out("wait", "missing", file, line)) wait_for_bytes(word(), round % 2, file, line);
    }

  private:
    uint64_t *word() { return reinterpret_cast<uint64_t *>(&barrier); }
};

template <typename T>
EMULATOR_ACCESSOR T poll(const T *word, EMULATOR_SITE) {
    may_yield();
    if (is_out("poll", "an ordinary load", file, line)) return T(poll_word(word, *word));
    return T(poll_word(word, __atomic_load_n(word, __ATOMIC_SEQ_CST)));
}

template <typename T>
EMULATOR_ACCESSOR void publish(T *word, typename std::common_type<T>::type value, EMULATOR_SITE) {
    may_yield();
    publish_word(word, sizeof(T), value);
    if (is_out("publish", "an ordinary store", file, line))
        *word = value;
    else
        __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

inline void wait_for_previous_grid(EMULATOR_SITE) {
    if (!is_out("wait_for_previous_grid", "missing", file, line)) wait_for_grid(file, line);
}
inline void let_next_grid_start(EMULATOR_SITE) { release_next_grid(file, line); }

}  // namespace parts
}  // namespace emulator
