// Sites: calls of generated code that order memory or are atomic. A test lists those that a run passes, and takes one of them
// out of the next runs, without a new program.
//
// A function of the emulator that stands for such a call asks `is_out` for each way in which the call can be broken, and does
// without its effect, or with less of it, where the answer is true. `call` is the name of the called function as generated
// code has it: the tests look for that name in the header.
#pragma once

// The last parameters of such a function: where the caller is.
#define EMULATOR_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace emulator {

// Whether sites are listed, or one is out. Set between launches alone.
extern bool watches_sites;

bool is_site_out(const char *call, const char *way, const char *file, int line);

// Whether the call at this line is broken in this way: "missing", say. Both texts are literals.
inline bool is_out(const char *call, const char *way, const char *file, int line) {
    return __builtin_expect(watches_sites, false) && is_site_out(call, way, file, line);
}

// Lets another thread, and perhaps another block, go on now and then: between the two halves of what is atomic no more.
void come_between();

// A read-modify-write of three steps. `change` does the atomic one on an object of its own.
template <class T, class F> inline T in_steps(T *p, F change) {
    const T old = *p;
    come_between();
    T changed = old;
    change(&changed);
    *p = changed;
    return old;
}

}  // namespace emulator
