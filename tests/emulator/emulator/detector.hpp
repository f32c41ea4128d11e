// The calls of generated code and of the emulator to the race detector; races.hpp has the detector itself.
#pragma once

#include "language.hpp"

namespace emulator {

// True on an OS thread that runs blocks of a launch with `detects_races`.
extern __thread bool detecting;

enum class Access : unsigned char {
    kRead,
    kWrite,
    kAtomicLoad,   // a relaxed load: no race with atomics
    kAtomicWrite,  // a relaxed store, or a read-modify-write: no race with atomics
};

// The scope of a fence or an atomic.
enum class Scope : unsigned char { kBlock, kDevice };

// These are for where `detecting` holds; fences are for all. `site` is an address within the code that is to be named.
void check_access(const void *address, size_t bytes, Access access, const void *site);
// The same for the accesses of a copy, which are not ordinary ones.
void check_copied(const void *address, size_t bytes, Access access, const void *site);
// An atomic on a word: the value read may carry the releases of others, and the value written carries this thread's accesses
// before its last fence. A read-modify-write keeps earlier releases.
enum class Strong : unsigned char { kLoad, kStore, kReadModifyWrite };
void check_atomic(const void *address, size_t bytes, Strong strong, const void *site);
void order_by_fence(Scope scope);
// After a programmatic launch: the accesses of the grid before, and those that it had waited for, are before what follows.
void order_after_previous_grid();

}  // namespace emulator
