// What generated code and the emulator tell the race detector; races.hpp has the detector itself.
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

// Whom a fence or an atomic reaches.
enum class Scope : unsigned char { kBlock, kDevice };

// These are for where `detecting` holds; fences are for all. `site` is an address within the code that is to be named.
void check_access(const void *address, size_t bytes, Access access, const void *site);
// The same of what a copy reads or writes, which is no access by ordinary means.
void check_copied(const void *address, size_t bytes, Access access, const void *site);
// An atomic on a word as a whole: what it reads may carry what others released, and what it writes carries what
// this thread did before its last fence. A read-modify-write keeps what was released before.
enum class Strong : unsigned char { kLoad, kStore, kReadModifyWrite };
void check_atomic(const void *address, size_t bytes, Strong strong, const void *site);
void order_by_fence(Scope scope);
// After a programmatic launch: what the grid before did, and what that one had waited for, is before what follows.
void order_after_previous_grid();

}  // namespace emulator
