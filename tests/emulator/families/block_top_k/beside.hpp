// What generated top-ks write beside the found keys, for the drivers of those by blocks and by warps.
#pragma once

#include "arguments.hpp"
#include "emulator.hpp"
#include "protocol.hpp"

namespace emulator {
namespace top_k {

// The bytes of a value, and of the words that it is aligned to; both are 0 where a header writes positions of 32 bits alone.
struct Beside {
    unsigned bytes = 0, align = 1;
    bool is_read = false;  // from the rows' values; else it is a position of 64 bits
};

template <class Output, class = void> struct Reads {
    static constexpr bool value = false;
};
template <class Output> struct Reads<Output, decltype(void(Output::values))> {
    static constexpr bool value = true;
};

template <class S, class = void> struct Of {
    static Beside beside() { return {}; }
};
template <class S> struct Of<S, decltype(void(S::kWords))> {
    static Beside beside() { return {unsigned(S::kWords * sizeof(typename S::Word)), unsigned(sizeof(typename S::Word)), Reads<typename S::Output>::value}; }
};

template <class S> Beside beside_of() { return Of<S>::beside(); }

// The arrays beside the keys: values, and results that are wanted.
struct Arrays {
    Beside beside;
    size_t found;
    GuardedBytes values, values_out, positions;

    Arrays(Beside beside, size_t keys, size_t found, bool writes_positions, bool writes_values, uint64_t seed)
        : beside(beside),
          found(found),
          values("values", beside.is_read ? keys * beside.bytes : 0, beside.align, seed),
          values_out("values_out", writes_values ? found * beside.bytes : 0, beside.align, seed + 1),
          positions("positions_out", writes_positions ? found * sizeof(unsigned) : 0, sizeof(unsigned), seed + 2),
          values_to(writes_values ? values_out.data() : nullptr),
          positions_to(writes_positions ? positions.data() : nullptr) {}

    void get(size_t keys) {
        if (beside.is_read) protocol::get(values.data(), keys * beside.bytes);
    }

    void put() {
        protocol::put(positions.data(), positions_to ? found * sizeof(unsigned) : 0);
        protocol::put(values_out.data(), values_to ? found * beside.bytes : 0);
    }

    // A launch's arguments, of which these are some.
    Arguments with(Arguments arguments, const void *values_out) const {
        if (beside.bytes) arguments = std::move(arguments).with({{"values_out", values_out}});
        if (beside.is_read) arguments = std::move(arguments).with({{"values", values.data()}});
        return arguments;
    }

    void *const values_to;
    void *const positions_to;
};

}  // namespace top_k
}  // namespace emulator
