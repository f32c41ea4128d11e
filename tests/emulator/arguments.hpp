// Kernels' arguments, set by their names. A program defines for each list of them
//
//     #define SORTSMITH_ARGUMENTS_rows(field) field(keys, 0) field(keys_out, 8) ...
//
// of the names and offsets in the host's struct: SORTSMITH_KERNEL and SORTSMITH_MEMBERS compare these with the header.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace emulator {

// An argument as the host lays it out.
struct Argument {
    const char *name;
    size_t offset, bytes;
};

// What an argument is set to.
struct ArgumentValue {
    ArgumentValue(const char *name, uint64_t number) : name(name), bits(number) {}
    ArgumentValue(const char *name, const void *address) : name(name), bits(uint64_t(reinterpret_cast<uintptr_t>(address))) {}

    const char *name;
    uint64_t bits;
};

// The arguments of a launch.
class Arguments {
  public:
    Arguments(const std::vector<Argument> &fields, std::initializer_list<ArgumentValue> values)
        : fields_(fields), is_set_(fields.size()) {
        size_t end = 0;
        for (const Argument &field : fields) end = field.offset + field.bytes;
        // A struct's size is a multiple of its alignment, which is 8.
        bytes_.resize((end + 7) / 8 * 8);
        for (const ArgumentValue &value : values) set(value);
    }

    // The same with other arguments set, too.
    Arguments with(std::initializer_list<ArgumentValue> values) && {
        for (const ArgumentValue &value : values) set(value);
        return std::move(*this);
    }

    // Sets the arguments that are not set yet, in their order; whether these are as many as the numbers.
    bool set_rest(const uint32_t *numbers, size_t count) {
        size_t used = 0;
        for (size_t i = 0; i < fields_.size(); ++i) {
            if (is_set_[i]) continue;
            if (used == count) return false;
            set({fields_[i].name, uint64_t(numbers[used++])});
        }
        return used == count;
    }

    // Whether each argument is set, and whatever was set is an argument.
    bool are_set() const {
        for (const bool is_set : is_set_) {
            if (!is_set) return false;
        }
        return !has_unknown_;
    }

    const unsigned char *bytes() const { return bytes_.data(); }

  private:
    void set(const ArgumentValue &value) {
        for (size_t i = 0; i < fields_.size(); ++i) {
            if (strcmp(fields_[i].name, value.name) != 0) continue;
            memcpy(bytes_.data() + fields_[i].offset, &value.bits, fields_[i].bytes);
            is_set_[i] = true;
            return;
        }
        has_unknown_ = true;
    }

    std::vector<Argument> fields_;
    std::vector<bool> is_set_;
    std::vector<unsigned char> bytes_;
    bool has_unknown_ = false;
};

// A kernel that takes its arguments one by one.
struct ParameterKernel {
    std::vector<Argument> arguments;
    void (*run_with)(const unsigned char *arguments);

    // Calls the kernel, in a thread of a launch.
    void run(const Arguments &arguments) const { run_with(arguments.bytes()); }
};

namespace driver {

template <class T>
T argument_at(const unsigned char *bytes) {
    T argument;
    memcpy(&argument, bytes, sizeof argument);
    return argument;
}

template <auto Kernel>
struct Parameters;

template <class... P, void (*Kernel)(P...)>
struct Parameters<Kernel> {
    static constexpr std::array<size_t, sizeof...(P)> kBytes = {sizeof(P)...};

    // Where C puts them in a struct.
    static constexpr std::array<size_t, sizeof...(P)> offsets() {
        constexpr std::array<size_t, sizeof...(P)> aligns = {alignof(P)...};
        std::array<size_t, sizeof...(P)> offsets = {};
        size_t end = 0;
        for (size_t i = 0; i < sizeof...(P); ++i) {
            offsets[i] = (end + aligns[i] - 1) / aligns[i] * aligns[i];
            end = offsets[i] + kBytes[i];
        }
        return offsets;
    }

    template <size_t... I>
    static constexpr bool are_laid_out(const std::array<size_t, sizeof...(P)> &by_host, std::index_sequence<I...>) {
        return (... && (by_host[I] == offsets()[I]));
    }

    template <size_t... I>
    static void run(const unsigned char *bytes, std::index_sequence<I...>) {
        Kernel(argument_at<P>(bytes + offsets()[I])...);
    }

    static void run(const unsigned char *bytes) { run(bytes, std::index_sequence_for<P...>()); }
};

// A kernel, and where the host has its arguments.
template <auto Kernel, size_t... kOffsets>
ParameterKernel parameter_kernel(std::initializer_list<const char *> names) {
    using Own = Parameters<Kernel>;
    static_assert(sizeof...(kOffsets) == Own::kBytes.size(), "the host has as many arguments");
    static_assert(Own::are_laid_out({kOffsets...}, std::make_index_sequence<sizeof...(kOffsets)>()), "the host lays out the same arguments");
    ParameterKernel kernel = {{}, Own::run};
    for (const char *name : names) {
        const size_t i = kernel.arguments.size();
        kernel.arguments.push_back({name, Own::offsets()[i], Own::kBytes[i]});
    }
    return kernel;
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_ARGUMENT_NAME(name, at) #name,
#define SORTSMITH_ARGUMENT_OFFSET(name, at) , at
#define SORTSMITH_ARGUMENT_CHECK(name, at) static_assert(offsetof(Arguments, name) == at, "the host lays out the same arguments");
#define SORTSMITH_ARGUMENT_MEMBER(name, at) {#name, at, sizeof(Arguments::name)},

// The kernel of the header of this name with this suffix, which takes its arguments one by one.
#define SORTSMITH_KERNEL(name, suffix)                                                              \
    emulator::driver::parameter_kernel<name##suffix SORTSMITH_ARGUMENTS##suffix(SORTSMITH_ARGUMENT_OFFSET)>( \
        {SORTSMITH_ARGUMENTS##suffix(SORTSMITH_ARGUMENT_NAME)})

// The members of the Arguments of the header of this name, by a list of the host's.
#define SORTSMITH_MEMBERS(name, list)                                              \
    [] {                                                                           \
        using Arguments = sortsmith::name::Arguments;                              \
        list(SORTSMITH_ARGUMENT_CHECK)                                             \
        return std::vector<emulator::Argument>{list(SORTSMITH_ARGUMENT_MEMBER)};   \
    }()
