// What g++ -fsanitize=thread calls at each access of memory: it leads to the race detector (emulator/races.hpp). Programs
// are linked with this in place of libtsan.

#include "emulator/detector.hpp"

using emulator::Access;
using emulator::Strong;

#define SITE __builtin_return_address(0)
#define ENTRY extern "C" __attribute__((visibility("default")))

ENTRY void __tsan_init() {}
ENTRY void __tsan_func_entry(void *) {}
ENTRY void __tsan_func_exit() {}
ENTRY void __tsan_vptr_update(void **, void *) {}
ENTRY void __tsan_vptr_read(void **) {}

#define PLAIN(name, bytes, access)                                                          \
    ENTRY void __tsan_##name(void *address) {                                               \
        if (__builtin_expect(emulator::detecting, false)) emulator::check_access(address, bytes, access, SITE); \
    }
#define PLAIN_SIZES(prefix, access, what) \
    PLAIN(prefix##what##1, 1, access)     \
    PLAIN(prefix##what##2, 2, access)     \
    PLAIN(prefix##what##4, 4, access)     \
    PLAIN(prefix##what##8, 8, access)     \
    PLAIN(prefix##what##16, 16, access)
PLAIN_SIZES(, Access::kRead, read)
PLAIN_SIZES(, Access::kWrite, write)
PLAIN_SIZES(unaligned_, Access::kRead, read)
PLAIN_SIZES(unaligned_, Access::kWrite, write)
PLAIN_SIZES(volatile_, Access::kRead, read)
PLAIN_SIZES(volatile_, Access::kWrite, write)

ENTRY void __tsan_read_range(void *address, unsigned long bytes) {
    if (emulator::detecting) emulator::check_access(address, bytes, Access::kRead, SITE);
}
ENTRY void __tsan_write_range(void *address, unsigned long bytes) {
    if (emulator::detecting) emulator::check_access(address, bytes, Access::kWrite, SITE);
}

// Functions of <atomic>, which the intrinsics are made of. The order that they ask for is not CUDA's: all are relaxed.
#define CHECK(strong) \
    if (emulator::detecting) emulator::check_atomic(const_cast<const void *>(static_cast<volatile const void *>(p)), sizeof *p, Strong::strong, SITE)
#define FETCH(T, bits, name)                                                            \
    ENTRY T __tsan_atomic##bits##_fetch_##name(volatile T *p, T value, int) {           \
        CHECK(kReadModifyWrite);                                                        \
        return __atomic_fetch_##name(p, value, __ATOMIC_SEQ_CST);                       \
    }
#define EXCHANGE(T, bits, name)                                                                        \
    ENTRY bool __tsan_atomic##bits##_compare_exchange_##name(volatile T *p, T *expected, T value, int, int) { \
        CHECK(kReadModifyWrite);                                                                       \
        return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define ATOMICS(T, bits)                                                   \
    ENTRY T __tsan_atomic##bits##_load(const volatile T *p, int) {         \
        CHECK(kLoad);                                                      \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                       \
    }                                                                      \
    ENTRY void __tsan_atomic##bits##_store(volatile T *p, T value, int) {  \
        CHECK(kStore);                                                     \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                      \
    }                                                                      \
    ENTRY T __tsan_atomic##bits##_exchange(volatile T *p, T value, int) {  \
        CHECK(kReadModifyWrite);                                                   \
        return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);            \
    }                                                                      \
    FETCH(T, bits, add)                                                    \
    FETCH(T, bits, sub)                                                    \
    FETCH(T, bits, and)                                                    \
    FETCH(T, bits, or)                                                     \
    FETCH(T, bits, xor)                                                    \
    FETCH(T, bits, nand)                                                   \
    EXCHANGE(T, bits, strong)                                              \
    EXCHANGE(T, bits, weak)
ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)
ENTRY void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
ENTRY void __tsan_atomic_signal_fence(int) {}
