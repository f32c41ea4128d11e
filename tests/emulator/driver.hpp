// A server that sorts with generated block sorts, one request at a time. A test program is
//
//     #include "emulator.hpp"
//     #include "block_radix_sort_u32_u32_b256_i4_asc.cuh"
//     #include "block_radix_sort_f32_keys_b96_i7_desc.cuh"
//     #include "driver.hpp"
//     #define SORTSMITH_ARGUMENTS_tile(field) field(keys_in, 0) ...  // and one of _rows and _counted_rows
//
//     static const emulator::Spec kSpecs[] = {
//         SORTSMITH_SPEC_WITH_KERNELS(block_radix_sort_u32_u32_b256_i4_asc),
//         SORTSMITH_SPEC(block_radix_sort_f32_keys_b96_i7_desc),  // has no kernels of tiles and rows
//     };
//     int main() { return emulator::serve(kSpecs, sizeof kSpecs / sizeof *kSpecs); }
//
// linked with emulator.cpp, protocol.cpp and driver.cpp. It speaks as protocol.hpp says:
//
//     request   u32 kRequestMagic, u32 spec (index in the table), u32 entry (Entry), u32 begin_bit,
//               u32 end_bit, u32 flags (Flags), u64 n, u64 seed, u64 rows, u64 columns, u64 stride, u32 blocks,
//               u32 count_bytes, u64 count, u64 counts_columns, n keys, then n values where the spec has a value array (not for index values)
//     response  with status kOk n keys, or none with kOmitKeys, then n values (u32 positions for index values)
//
// n counts valid items: the full tile without kPassValid, at most the tile with it, anything for the
// tile kernel. A tile kernel takes no kPassValid; one without a fixed bit range always gets begin_bit
// and end_bit, and one with a fixed range refuses kPassBits; with kInPlace its outputs are its
// inputs. The same holds for the kernel of rows, which runs in a grid of `blocks` blocks over n items of which each row has
// `columns`, `stride` apart; with kOmitKeys a sort of positions has no array for keys. What lies between rows must be left as
// it is, and is zeros in the response. The kernel of counted rows reads the count, which has count_bytes bytes: what is not counted lies between
// rows, too. With kDetectRaces a race is a fault, if the program was compiled with -fsanitize=thread.
//
// The members that a structure must have: Key, Value (if kHasValues), kHasValues, kIndexValues, kInput and kOutput of
// the enumeration Arrangement {kBlocked, kStriped, kWarpStriped}, kBlockX, kBlockY, kBlockZ,
// kBlockThreads, kItemsPerThread, kTileItems, kSharedBytes, TempStorage, a constructor from TempStorage&,
// and the overloads of Sort and SortToStriped that it offers. A request for one that it lacks gets
// status kRefused.
//
// A sort of logical warps has kLanes, kBlockThreads and kTilesPerBlock (of the tile kernel alone) and a constructor without
// arguments in place of kBlockX, kBlockY, kBlockZ and TempStorage, and no kWarpStriped. Its members are called by a full warp
// and a short one. One of its logical warps, which the seed chooses, has the request's items; the others sort junk, with
// numbers of valid items of their own where these are passed, and their results are dropped.
#pragma once

#include "emulator.hpp"
#include "protocol.hpp"

#include <string.h>

#include <type_traits>
#include <utility>

namespace emulator {

constexpr uint32_t kRequestMagic = 0x71727373;  // "ssrq"

enum Entry : uint32_t { kSort = 0, kSortToStriped = 1, kTileKernel = 2, kRowsKernel = 3, kCountedRowsKernel = 4, kEntries = 5 };
enum Flags : uint32_t { kPassBits = 1, kPassValid = 2, kInPlace = 4, kDetectRaces = 8, kOmitKeys = 16 };
constexpr uint32_t kMemberFlags = kPassBits | kPassValid;

struct Request {
    uint32_t magic, spec, entry, begin_bit, end_bit, flags;
    uint64_t n, seed;
    uint64_t rows, columns, stride;
    uint32_t blocks, count_bytes;
    uint64_t count, counts_columns;
};
static_assert(sizeof(Request) == 88, "the request has no padding");

// The arguments of a kernel, by the names that the host has for them; the arrays have exactly n elements.
struct Arguments {
    const void *keys_in;
    void *keys_out;
    const void *values_in;
    void *values_out;
    void *positions_out;  // the same
    uint64_t n;
    int begin_bit;
    int end_bit;
    uint64_t seed;
    uint64_t rows;
    unsigned columns;
    uint64_t stride;
    const void *count;
    unsigned count_bytes;
    int counts_columns;
};

using Kernel = void (*)(const Arguments &);

struct Spec {
    const char *name;
    unsigned key_bytes;
    unsigned value_bytes;  // of the output; 0 for keys alone
    bool reads_values;
    dim3 block;
    dim3 tile_block;  // of the kernels of tiles and rows
    unsigned tiles_per_block;
    unsigned tile_items;
    unsigned shared_bytes;
    // By entry and flags; null where the structure has no such member.
    Kernel kernels[kEntries][4];
};

// Answers requests until stdin ends; returns the exit status.
int serve(const Spec *specs, size_t count);

namespace driver {

template <class S, bool Index, bool Pairs> struct ValueOf { using Type = unsigned; };
template <class S> struct ValueOf<S, false, true> { using Type = typename S::Value; };

// Whether a structure sorts by logical warps.
template <class S, class = void> struct Lanes {
    static constexpr bool kAreAll = true;
    static constexpr unsigned kCount = S::kBlockThreads;
    static constexpr unsigned kGroups = 1;
    static constexpr unsigned kTilesPerBlock = 1;
    static dim3 block() { return dim3(S::kBlockX, S::kBlockY, S::kBlockZ); }
    static dim3 tile_block() { return block(); }
    static S sort() { return S(*reinterpret_cast<typename S::TempStorage *>(sortsmith_shared)); }
    static constexpr bool kIsRight = sizeof(typename S::TempStorage) == S::kSharedBytes &&
                                     S::kBlockX * S::kBlockY * S::kBlockZ == S::kBlockThreads;
};
template <class S> struct Lanes<S, std::void_t<decltype(S::kLanes)>> {
    static constexpr bool kAreAll = false;
    static constexpr unsigned kCount = S::kLanes;
    static constexpr unsigned kGroups = 32 / kCount + 1;
    static constexpr unsigned kTilesPerBlock = S::kTilesPerBlock;
    static dim3 block() { return dim3(kGroups * kCount); }
    static dim3 tile_block() { return dim3(S::kBlockThreads); }
    static S sort() { return S(); }
    static constexpr bool kIsRight = S::kSharedBytes == 0 && S::kBlockThreads == S::kTilesPerBlock * S::kLanes;
};

template <class S> struct Shape {
    static constexpr bool kIndex = S::kIndexValues;
    static constexpr bool kPairs = S::kHasValues || kIndex;
    static constexpr unsigned kItems = S::kItemsPerThread;
    using Key = typename S::Key;
    using Value = typename ValueOf<S, kIndex, kPairs>::Type;
};

// Offset of an item in its tile.
template <class S> inline unsigned offset_of_item(typename S::Arrangement arrangement, unsigned thread, unsigned item) {
    constexpr unsigned kItems = Shape<S>::kItems;
    if (arrangement == S::Arrangement::kStriped) return item * Lanes<S>::kCount + thread;
    if constexpr (Lanes<S>::kAreAll) {
        if (arrangement == S::Arrangement::kWarpStriped) return thread / 32 * 32 * kItems + item * 32 + thread % 32;
    }
    return thread * kItems + item;
}

template <class T> inline void fill_item(T &item, uint64_t seed) {
    unsigned char bytes[sizeof(T)];
    fill_junk(bytes, sizeof(T), seed);
    if (std::is_same<T, bool>::value) bytes[0] &= 1;
    memcpy(&item, bytes, sizeof(T));
}

// The two families of members.
struct SortMember {
    template <class S, class... A> static auto call(S &sort, A &...arguments) -> decltype(sort.Sort(arguments...)) {
        return sort.Sort(arguments...);
    }
};
// A structure has one of these, named after the arrangement that it takes.
struct SortToStripedMember {
    template <class S, class... A>
    static auto call(S &sort, A &...arguments) -> decltype(sort.SortToStriped(arguments...)) {
        return sort.SortToStriped(arguments...);
    }
    template <class S, class... A>
    static auto call(S &sort, A &...arguments) -> decltype(sort.SortBlockedToStriped(arguments...)) {
        return sort.SortBlockedToStriped(arguments...);
    }
    template <class S, class... A>
    static auto call(S &sort, A &...arguments) -> decltype(sort.SortStripedToStriped(arguments...)) {
        return sort.SortStripedToStriped(arguments...);
    }
    template <class S, class... A>
    static auto call(S &sort, A &...arguments) -> decltype(sort.SortWarpStripedToStriped(arguments...)) {
        return sort.SortWarpStripedToStriped(arguments...);
    }
};

// Calls the overload for these flags; `keys_and_values` are one or two register arrays.
template <class Member, unsigned Flags, class S, class... A>
inline auto call_member(S &sort, const int &begin, const int &end, const int &valid, A &...keys_and_values) {
    if constexpr (Flags == 0) return Member::call(sort, keys_and_values...);
    if constexpr (Flags == kPassBits) return Member::call(sort, keys_and_values..., begin, end);
    if constexpr (Flags == kPassValid) return Member::call(sort, keys_and_values..., valid);
    if constexpr (Flags == (kPassBits | kPassValid))
        return Member::call(sort, keys_and_values..., begin, end, valid);
}

template <class Member, class S, class... A>
auto takes(int) -> decltype(void(Member::call(std::declval<S &>(), std::declval<A &>()...)), std::true_type());
template <class Member, class S, class... A> std::false_type takes(...);

template <class Member, class S, unsigned Flags, class... A> constexpr bool offers() {
    if constexpr (Flags == 0) return decltype(takes<Member, S, A...>(0))::value;
    if constexpr (Flags == kPassBits) return decltype(takes<Member, S, A..., const int, const int>(0))::value;
    if constexpr (Flags == kPassValid) return decltype(takes<Member, S, A..., const int>(0))::value;
    if constexpr (Flags == (kPassBits | kPassValid))
        return decltype(takes<Member, S, A..., const int, const int, const int>(0))::value;
}

// Loads the registers of one thread in the arrangement that the sort takes, calls the member, and stores
// them in the arrangement that it leaves. Registers past n hold junk, and none is stored from there.
template <class S, class Member, unsigned Flags> void member_kernel(const Arguments &a) {
    using Key = typename Shape<S>::Key;
    using Value = typename Shape<S>::Value;
    constexpr unsigned kItems = Shape<S>::kItems;
    constexpr auto kOutput =
        std::is_same<Member, SortToStripedMember>::value ? S::Arrangement::kStriped : S::kOutput;
    const unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned thread = rank % Lanes<S>::kCount;
    const unsigned group = rank / Lanes<S>::kCount;
    const bool has_items = group == a.seed / 6 % Lanes<S>::kGroups;
    const uint64_t junk_seed = a.seed + group * 977;
    const uint64_t n = has_items ? a.n : 0;
    const int valid = has_items ? int(a.n) : int(junk_seed * 31 % (S::kTileItems + 1));

    Key keys[kItems];
    for (unsigned i = 0; i < kItems; ++i) {
        const unsigned slot = offset_of_item<S>(S::kInput, thread, i);
        if (slot < n)
            memcpy(&keys[i], static_cast<const Key *>(a.keys_in) + slot, sizeof(Key));
        else
            fill_item(keys[i], junk_seed + 2 * slot);
    }
    S sort = Lanes<S>::sort();
    if constexpr (Shape<S>::kPairs) {
        Value values[kItems];
        for (unsigned i = 0; i < kItems; ++i) {
            const unsigned slot = offset_of_item<S>(S::kInput, thread, i);
            if (slot < n && a.values_in)
                memcpy(&values[i], static_cast<const Value *>(a.values_in) + slot, sizeof(Value));
            else
                fill_item(values[i], junk_seed + 2 * slot + 1);
        }
        call_member<Member, Flags>(sort, a.begin_bit, a.end_bit, valid, keys, values);
        for (unsigned i = 0; i < kItems; ++i) {
            const unsigned slot = offset_of_item<S>(kOutput, thread, i);
            if (slot < n) memcpy(static_cast<Value *>(a.values_out) + slot, &values[i], sizeof(Value));
        }
    } else {
        call_member<Member, Flags>(sort, a.begin_bit, a.end_bit, valid, keys);
    }
    for (unsigned i = 0; i < kItems; ++i) {
        const unsigned slot = offset_of_item<S>(kOutput, thread, i);
        if (slot < n) memcpy(static_cast<Key *>(a.keys_out) + slot, &keys[i], sizeof(Key));
    }
}

template <class S, class Member, unsigned Flags> constexpr Kernel member_entry() {
    using Key = typename Shape<S>::Key;
    using Value = typename Shape<S>::Value;
    constexpr unsigned kItems = Shape<S>::kItems;
    if constexpr (Shape<S>::kPairs) {
        if constexpr (offers<Member, S, Flags, Key[kItems], Value[kItems]>()) return member_kernel<S, Member, Flags>;
    } else {
        if constexpr (offers<Member, S, Flags, Key[kItems]>()) return member_kernel<S, Member, Flags>;
    }
    return nullptr;
}

// A kernel of tiles or rows. A structure without it has a null one.
struct ArrayKernel {
    Kernel run;
    bool takes_bits;
};

template <class P, class A> P parameter_as(A argument) {
    static_assert(sizeof(P) == sizeof(A) && std::is_pointer<P>::value == std::is_pointer<A>::value &&
                      std::is_signed<P>::value == std::is_signed<A>::value,
                  "the driver has an argument of this type");
    return static_cast<P>(argument);
}

template <class... P, class... A> void call(void (*kernel)(P...), A... arguments) {
    static_assert(sizeof...(P) == sizeof...(A), "the host has as many arguments");
    kernel(parameter_as<P>(arguments)...);
}

template <class S> Spec spec_of(const char *name, ArrayKernel tile, ArrayKernel rows, ArrayKernel counted_rows) {
    static_assert(Lanes<S>::kIsRight, "kSharedBytes is the size of TempStorage, and kBlockThreads the block's volume");
    static_assert(Lanes<S>::kCount * S::kItemsPerThread == S::kTileItems, "kTileItems is threads times items");
    return {name,
            unsigned(sizeof(typename S::Key)),
            Shape<S>::kPairs ? unsigned(sizeof(typename Shape<S>::Value)) : 0,
            Shape<S>::kPairs && !Shape<S>::kIndex,
            Lanes<S>::block(),
            Lanes<S>::tile_block(),
            Lanes<S>::kTilesPerBlock,
            unsigned(S::kTileItems),
            unsigned(S::kSharedBytes),
            {{member_entry<S, SortMember, 0>(), member_entry<S, SortMember, 1>(), member_entry<S, SortMember, 2>(),
              member_entry<S, SortMember, 3>()},
             {member_entry<S, SortToStripedMember, 0>(), member_entry<S, SortToStripedMember, 1>(),
              member_entry<S, SortToStripedMember, 2>(), member_entry<S, SortToStripedMember, 3>()},
             {tile.run, tile.takes_bits ? tile.run : nullptr, nullptr, nullptr},
             {rows.run, rows.takes_bits ? rows.run : nullptr, nullptr, nullptr},
             {counted_rows.run, counted_rows.takes_bits ? counted_rows.run : nullptr, nullptr, nullptr}}};
}

}  // namespace driver
}  // namespace emulator

#define SORTSMITH_ARGUMENT_VALUE(name, at) , a.name
#define SORTSMITH_ARGUMENT_IS_BIT(name, at) || !strcmp(#name, "begin_bit")

// The kernel of the header of this name with this suffix.
#define SORTSMITH_ARRAY_KERNEL(name, suffix)                                                                              \
    emulator::driver::ArrayKernel {                                                                                       \
        [](const emulator::Arguments &a) {                                                                                \
            emulator::driver::call(name##suffix SORTSMITH_ARGUMENTS##suffix(SORTSMITH_ARGUMENT_VALUE));                   \
        },                                                                                                                \
            false SORTSMITH_ARGUMENTS##suffix(SORTSMITH_ARGUMENT_IS_BIT)                                                  \
    }

#define SORTSMITH_SPEC(name) emulator::driver::spec_of<sortsmith::name>(#name, {}, {}, {})
#define SORTSMITH_SPEC_WITH_TILE(name) \
    emulator::driver::spec_of<sortsmith::name>(#name, SORTSMITH_ARRAY_KERNEL(name, _tile), {}, {})
#define SORTSMITH_SPEC_WITH_KERNELS(name)                                                                          \
    emulator::driver::spec_of<sortsmith::name>(#name, SORTSMITH_ARRAY_KERNEL(name, _tile), SORTSMITH_ARRAY_KERNEL(name, _rows), \
                                               SORTSMITH_ARRAY_KERNEL(name, _counted_rows))
