// device_radix_sort_u32f32u8_u32_b384_i14_asc
//
// Sorts u32f32u8 keys with 4-byte values, ascending: an array of any length, by a radix sort on
// all of the device, 8 bits a pass. Stable: equal keys keep their input order.
//
// Keys order by their fields, of which the first one decides first. Floats order by sign and magnitude: -0.0 and +0.0 are equal, and NaNs order by
// their bits. Bits of a key are those of its fields, without padding, the last field lowest.
//
//   digit             8 bits of a key; a bin is one value of a digit
//   partial prefix    the number of a tile's own items of a digit
//   inclusive prefix  that of all tiles up to it
//   pass slot         a launch of _pass, which finds out itself whether a pass is left to do
//
// The passes are Onesweep's. One read of all keys makes the histograms of all digits (kernel _count); an exclusive scan makes them
// the offsets of the digits' first keys, and a pass over a digit that is the same in all keys is left out (_plan). Each pass then moves
// the items once (_pass): a block ranks a tile in shared memory, finds by decoupled look-back where the tile's digits begin, and
// writes its items there. Where
// the result then lies elsewhere, it is copied (_finish). The host makes the same launches whatever the keys are; blocks of any number
// of threads have full warps:
//
//   cudaMemsetAsync(workspace, 0, zeroed_bytes(n), stream);
//   device_radix_sort_u32f32u8_u32_b384_i14_asc_count <<<any, 1024, count_shared_bytes(..), stream>>>(arguments);
//   device_radix_sort_u32f32u8_u32_b384_i14_asc_plan  <<<1, 256, 0, stream>>>(arguments);
//   device_radix_sort_u32f32u8_u32_b384_i14_asc_pass  <<<any, 384, 114040, stream>>>(arguments, pass_slot);
//     for pass_slot = 0, 1, ... pass_count(begin_bit, end_bit) - 1
//   device_radix_sort_u32f32u8_u32_b384_i14_asc_finish<<<any, at most 1024, 0, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_radix_sort; to make it again:
//   sortsmith emit --name device_radix_sort_u32f32u8_u32_b384_i14_asc --out .
#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif
#pragma once

#ifndef SORTSMITH_V0_1_0_NULL_TYPE
#define SORTSMITH_V0_1_0_NULL_TYPE
namespace sortsmith {
inline namespace v0_1_0 {

// The value type of a sort of keys alone.
struct NullType {};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BITS
#define SORTSMITH_V0_1_0_BITS
namespace sortsmith {
inline namespace v0_1_0 {

// The same bits as another type of the same size.
template <typename To, typename From>
__device__ __forceinline__ To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bits_as keeps the size");
  return __builtin_bit_cast(To, from);
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_WARP_LANES
#define SORTSMITH_V0_1_0_WARP_LANES
namespace sortsmith {
inline namespace v0_1_0 {

// The threads of a warp.
constexpr unsigned int kWarpThreads = 32;

// A thread's number in its block:
//
//   | warp: all other bits | lane: 5 bits |
__device__ __forceinline__ unsigned int warp_of(unsigned int thread) { return thread / kWarpThreads; }
__device__ __forceinline__ unsigned int lane_of(unsigned int thread) { return thread % kWarpThreads; }

// The thread's lane in its warp, in blocks of any shape.
__device__ __forceinline__ unsigned int lane_of_thread() {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#else
  return lane_of(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
#endif
}

// The position of a thread's item where warps have neighbouring items, row by row:
//
//   | warp: kWarpThreads * kItems positions | item: kWarpThreads positions | lane |
template <int kItems>
__device__ __forceinline__ unsigned int warp_striped(unsigned int thread, int item) {
  return warp_of(thread) * (kWarpThreads * kItems) + item * kWarpThreads + lane_of(thread);
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_WARP
#define SORTSMITH_V0_1_0_WARP
namespace sortsmith {
inline namespace v0_1_0 {

// Adds up `value` over the lanes at or below this one. All lanes of `lanes`, a mask without gaps from lane 0 up, call it.
__device__ __forceinline__ unsigned int inclusive_sum_in_warp(unsigned int value, unsigned int lanes) {
#pragma unroll
  for (unsigned int distance = 1; distance < kWarpThreads; distance *= 2) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // The shuffle's own predicate says whether there is a lane that far below.
    asm volatile(
        "{\n"
        "  .reg .u32 below;\n"
        "  .reg .pred exists;\n"
        "  shfl.sync.up.b32 below|exists, %0, %1, 0, %2;\n"
        "  @exists add.u32 %0, %0, below;\n"
        "}"
        : "+r"(value)
        : "r"(distance), "r"(lanes));
#else
    const unsigned int below = __shfl_up_sync(lanes, value, distance);
    if (lane_of_thread() >= distance) value += below;
#endif
  }
  return value;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BALLOT_MATCH
#define SORTSMITH_V0_1_0_BALLOT_MATCH
namespace sortsmith {
inline namespace v0_1_0 {

// The lanes of the warp with the same digit as this lane's, by one ballot for each bit. All 32 lanes call it.
template <int kBits>
__device__ __forceinline__ unsigned int lanes_of_same_digit(unsigned int digit) {
  unsigned int same = ~0u;
#pragma unroll
  for (int bit = 0; bit < kBits; ++bit) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
    // One predicate for both uses of the bit, which the compiler does not find by itself: 3 instructions a bit, not 7.
    asm volatile(
        "{\n"
        "  .reg .pred set;\n"
        "  .reg .b32 word;\n"
        "  and.b32 word, %1, %2;\n"
        "  setp.ne.u32 set, word, 0;\n"
        "  vote.sync.ballot.b32 word, set, 0xffffffff;\n"
        "  @!set not.b32 word, word;\n"
        "  and.b32 %0, %0, word;\n"
        "}"
        : "+r"(same)
        : "r"(digit), "r"(1u << bit));
#else
    const bool set = (digit >> bit) & 1u;
    const unsigned int votes = __ballot_sync(~0u, set);
    same &= set ? votes : ~votes;
#endif
  }
  return same;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_POLL
#define SORTSMITH_V0_1_0_POLL
namespace sortsmith {
inline namespace v0_1_0 {

// Reads a word that another block writes with `publish`, and nothing else with it: flag and number are one word.
__device__ __forceinline__ unsigned int poll(const unsigned int* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned int value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned int*>(word), 0u);
#endif
}

__device__ __forceinline__ unsigned long long poll(const unsigned long long* word) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
#else
  return atomicOr(const_cast<unsigned long long*>(word), 0ull);
#endif
}

// Writes a word that other blocks poll.
__device__ __forceinline__ void publish(unsigned int* word, unsigned int value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}

__device__ __forceinline__ void publish(unsigned long long* word, unsigned long long value) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
#else
  atomicExch(word, value);
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_PACKED_ITEMS
#define SORTSMITH_V0_1_0_PACKED_ITEMS
namespace sortsmith {
inline namespace v0_1_0 {

// Small numbers of a thread's items, several in a register. Indices are constants of unrolled loops.
template <int kItems, int kBitsEach>
struct PackedItems {
  static constexpr int kEach = 32 / kBitsEach;
  static constexpr unsigned int kMask = (1u << kBitsEach) - 1u;
  unsigned int words[(kItems + kEach - 1) / kEach];

  // The first time, items are set in ascending order.
  __device__ __forceinline__ void set(int item, unsigned int number) {
    const int shift = item % kEach * kBitsEach;
    words[item / kEach] = shift ? words[item / kEach] | number << shift : number;
  }
  // Sets the last of kOf items, and moves those that were set last to before them. All are multiples of the items in a register.
  template <int kOf, int kNew>
  __device__ __forceinline__ void push(const unsigned int (&numbers)[kNew]) {
    static_assert(kOf % kEach == 0 && kNew % kEach == 0 && kNew <= kOf && kOf <= kItems, "registers are full");
#pragma unroll
    for (int i = 0; i < (kOf - kNew) / kEach; ++i) words[i] = words[i + kNew / kEach];
#pragma unroll
    for (int i = 0; i < kNew; ++i) set(kOf - kNew + i, numbers[i]);
  }
  // Sets an item that has been set before.
  __device__ __forceinline__ void replace(int item, unsigned int number) {
    const int shift = item % kEach * kBitsEach;
    words[item / kEach] = (words[item / kEach] & ~(kMask << shift)) | number << shift;
  }
  __device__ __forceinline__ unsigned int get(int item) const {
    return words[item / kEach] >> (item % kEach * kBitsEach) & kMask;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_OPAQUE
#define SORTSMITH_V0_1_0_OPAQUE
namespace sortsmith {
inline namespace v0_1_0 {

// The same number or address, but the compiler does not know: what it is made of need not be kept, and what is computed from it
// is computed where it is used.
__device__ __forceinline__ unsigned int opaque(unsigned int number) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

template <typename T>
__device__ __forceinline__ T* opaque(T* address) {
#if defined(__CUDA_ARCH__) && !defined(SORTSMITH_NO_PTX)
  asm volatile("" : "+l"(address));
#endif
  return address;
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_BULK_COPY
#define SORTSMITH_V0_1_0_BULK_COPY
namespace sortsmith {
inline namespace v0_1_0 {

// Copies of contiguous runs from global to shared memory by the copy engine of Hopper and later GPUs: one thread asks, and no
// registers are passed through. Addresses and sizes are multiples of 16 bytes.
//
// Counts the bytes that have arrived. One thread prepares it, once, and begins each round of copies; after a barrier of
// the block all threads may wait for the round. The numbers of rounds go up from 0.
struct BulkCopies {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  static constexpr bool kAreThere = true;
#else
  static constexpr bool kAreThere = false;
#endif

  unsigned long long barrier;

  __device__ __forceinline__ void prepare() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" : : "r"(shared_address(&barrier)) : "memory");
    // The engine arrives at the barrier too.
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#endif
  }

  // The copy engine reads and writes memory by the async proxy, all other instructions by the generic one. Causality order holds
  // for accesses by two proxies only with a proxy fence between them (PTX ISA, Memory Consistency Model, "Causality Order" and
  // "Async proxy"). Ordinary stores before a copy need one, which the next two functions are:
  //
  // - The start of a kernel behind another in a stream is a fence for all proxies ("Memory synchronization": synchronization
  //   by the CUDA API). griddepcontrol.wait is not named there, and a kernel that begins early has it alone.
  // - For a block's own stores either side of its barrier will do for the fence: that of the storing threads has it.
  //
  // Ordinary loads before a copy to where they read need none: a barrier of the block performs them, and a load that is
  // performed has its value. Nor do ordinary accesses behind a copy: its completion, which all wait for, is a fence itself.

  // The thread that asks for copies calls this after wait_for_previous_grid, before the first copy of what kernels before
  // have stored. The fence is in the block that copies, as mixed accesses by several blocks need it.
  static __device__ __forceinline__ void acquire_stores() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("fence.proxy.async.global;" : : : "memory");
#endif
  }

  // A thread that has stored by ordinary means where copies go later calls this before the barrier between the two.
  static __device__ __forceinline__ void release_stores() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
  }

  __device__ __forceinline__ void begin(unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" : : "r"(shared_address(&barrier)), "r"(bytes) : "memory");
#else
    static_cast<void>(bytes);
#endif
  }

  __device__ __forceinline__ void copy(void* to_shared, const void* from_global, unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(shared_address(to_shared)), "l"(from_global), "r"(bytes), "r"(shared_address(&barrier))
                 : "memory");
#else
    static_cast<void>(to_shared);
    static_cast<void>(from_global);
    static_cast<void>(bytes);
#endif
  }

  // Brings bytes that will be read nearer, those of them that the engine can take.
  static __device__ __forceinline__ void prefetch(const void* from_global, unsigned int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    const unsigned long long address = reinterpret_cast<unsigned long long>(from_global);
    const unsigned int skipped = static_cast<unsigned int>(-address % 16);
    if (bytes < skipped + 16) return;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(address + skipped), "r"((bytes - skipped) / 16 * 16));
#else
    static_cast<void>(from_global);
    static_cast<void>(bytes);
#endif
  }

  __device__ __forceinline__ void wait(unsigned int round) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
    asm volatile(
        "{\n"
        "  .reg .pred arrived;\n"
        "again:\n"
        "  mbarrier.try_wait.parity.shared.b64 arrived, [%0], %1;\n"
        "  @!arrived bra again;\n"
        "}"
        :
        : "r"(shared_address(&barrier)), "r"(round % 2)
        : "memory");
#else
    static_cast<void>(round);
#endif
  }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  static __device__ __forceinline__ unsigned int shared_address(const void* pointer) {
    return static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
  }
#endif
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_GRID_ORDER
#define SORTSMITH_V0_1_0_GRID_ORDER
namespace sortsmith {
inline namespace v0_1_0 {

// On Hopper and later GPUs a kernel may be launched so that it begins before the one before it in the stream has ended.
// After any other launch, and on other GPUs, these calls do nothing.

// Returns once the kernel before has ended and all that it wrote can be read. Each kernel calls it, before it writes anything
// and before it reads more than what was there when the sort began. One that did not call it could end before those before it,
// and the kernel behind would wait for it alone.
__device__ __forceinline__ void wait_for_previous_grid() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}

// Once all blocks have called it or ended, blocks of the next kernel take what room there is, and wait there.
__device__ __forceinline__ void let_next_grid_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(SORTSMITH_NO_PTX)
  asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_KEY_FIELD
#define SORTSMITH_V0_1_0_KEY_FIELD
namespace sortsmith {
inline namespace v0_1_0 {

enum class FieldKind { kUnsigned, kSigned, kFloat };

// A field of a key that is a struct: its bits as an unsigned integer that orders as the field does, and back.
template <typename Field, typename FieldBits, FieldKind kKind>
struct KeyField {
  static constexpr FieldBits kSign = static_cast<FieldBits>(FieldBits(1) << (8 * sizeof(FieldBits) - 1));

  // All bits of a negative float flipped, the sign of any other number that may have one.
  static __device__ __forceinline__ FieldBits to_ordered_bits(const Field& field) {
    const FieldBits bits = bits_as<FieldBits>(field);
    if constexpr (kKind == FieldKind::kUnsigned) return bits;
    const bool flips_all = kKind == FieldKind::kFloat && (bits & kSign) != 0;
    return static_cast<FieldBits>(flips_all ? ~bits : bits ^ kSign);
  }

  static __device__ __forceinline__ Field of_ordered_bits(FieldBits ordered) {
    if constexpr (kKind == FieldKind::kUnsigned) return bits_as<Field>(ordered);
    const bool flips_all = kKind == FieldKind::kFloat && (ordered & kSign) == 0;
    return bits_as<Field>(static_cast<FieldBits>(flips_all ? ~ordered : ordered ^ kSign));
  }

  // Whether these are the ordered bits of -0.0, which are one less than +0.0's.
  static __device__ __forceinline__ bool is_negative_zero(FieldBits ordered) {
    return kKind == FieldKind::kFloat && ordered == static_cast<FieldBits>(kSign - 1);
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_KEY_U32F32U8
#define SORTSMITH_V0_1_0_KEY_U32F32U8
namespace sortsmith {
inline namespace v0_1_0 {

// A key that is compared by its fields, of which the first one decides first. A struct of one's own with the same fields has the same bytes.
struct Key_u32f32u8 {
  unsigned int field0;
  float field1;
  unsigned char field2;
};
static_assert(sizeof(Key_u32f32u8) == 12, "the key is laid out as planned");

}  // namespace v0_1_0
}  // namespace sortsmith
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U32F32U8_U32_B384_I14_ASC
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_U32F32U8_U32_B384_I14_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct device_radix_sort_u32f32u8_u32_b384_i14_asc {
  using Key = sortsmith::Key_u32f32u8;
  using Value = unsigned int;

  static constexpr int kBlockThreads = 384;
  static constexpr int kItemsPerThread = 14;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 72;
  static constexpr int kRadixBits = 8;
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // Counts, and offsets in the array.
  using Count = unsigned int;
  // The shared memory of a block of _pass.
  static constexpr unsigned int kSharedBytes = 114040;
  // Blocks of _finish that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentFinishing = 1;
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
  static constexpr int kResidentFinishing = 1;
#else
  static constexpr int kResidentFinishing = 2;
#endif
  // More items than this need the sort of the same name with `_wide`.
  static constexpr unsigned long long kMaxItems = 1073741823ull;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Scratch.
    Key* keys_alternate;
    // The same of values.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n), aligned to 16; the first zeroed_bytes(n) of them zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // Not used by this sort.
    int interleaves;
    // Columns of counters that a block of _count has room for, as their logarithm to base 2: at most 5 are of use.
    int count_columns_log2;
    // Not used by this sort.
    int sorts_msd_buckets;
    // Not used by this sort.
    unsigned int* sort_counter;
    // Not used by this sort.
    unsigned long long row_stride;
  };

  // The shared memory of a block of _count.
  static __host__ __device__ constexpr unsigned int count_shared_bytes(int count_columns_log2) {
    return kCountedDigits * kBins * static_cast<unsigned int>(sizeof(unsigned int)) << count_columns_log2;
  }

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = unsigned __int128;
  // In memory they take no more bytes than the keys.
  using StoredBits = Key;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr bool kDescending = false;
  // Whether NaNs come last, of whatever sign.
  static constexpr bool kNanLast = false;
  static constexpr bool kHasValues = true;
  // Whether values are made: each key's position in the input.
  static constexpr bool kMakesPositions = false;
  // Whether there may be a first phase by upper digits, and whether it may leave items side by side.
  static constexpr bool kSortsUpperDigits = false;
  static constexpr bool kLeavesItems = false;
  static constexpr int kPhases = 1;
  static constexpr int kMaxPassSlots = kMaxPasses;

  // Digits that are counted: the keys'.
  static constexpr int kCountedDigits = kMaxPasses;

  // Which passes there are to do. The workspace begins with it; all is zero when a sort begins.
  struct Control {
    // Of each phase: how many passes move anything.
    int executed[kPhases];
    // The digits that differ between keys, from the lowest up.
    int digits[kMaxPasses];
    // Tiles that blocks have taken in each pass slot.
    unsigned int tickets[kMaxPassSlots];
    // Histograms begin with a line of the caches, and so do descriptors behind all this, where the workspace does.
    unsigned char unused_before_bins[52];
    // Of each digit: its histogram, then the offset of each bin's first key.
    Count bins[kCountedDigits][kBins];
  };
  static_assert(sizeof(Control) == 9344, "the workspace is laid out as planned");

  // Where the items of a tile lie in shared memory, warp by warp, each warp's in rows of 32. In a padded tile a slot is unused behind each
  // row, and one more behind each warp. Without padding, items at equal distances, as those of one digit of regular keys are, meet in
  // a bank; with padding, the copy engine cannot load the tile.
  struct TileSlots {
    static constexpr bool kMayPad = true;
    // The slots of a row and of a warp in a padded tile.
    static constexpr unsigned int kPaddedRow = 33;
    static constexpr unsigned int kPaddedWarp = kPaddedRow * kItemsPerThread + 1;
    // Each array of them ends at a multiple of 16 bytes, where the copy engine can write another.
    static constexpr unsigned int kCount = 5556;
    static_assert(kCount <= 65536, "a slot's number has 16 bits");
    static_assert(kCount >= (kMayPad ? kWarps * kPaddedWarp : kTileItems), "a tile has room");

    // Unused slots behind a row, one or none.
    unsigned int padding;

    __device__ __forceinline__ unsigned int row() const { return 32 + padding; }

    // Where the first item is that a thread ranks; each next one is a row on. Of two items, the earlier one has the lower slot.
    __device__ __forceinline__ unsigned int own_first() const {
      return warp_of(threadIdx.x) * (row() * kItemsPerThread + padding) + lane_of(threadIdx.x);
    }

    // The position in the tile of the item in a slot.
    __device__ __forceinline__ unsigned int position_of(unsigned int slot) const {
      // Without padding a slot is a position, whatever it is divided by.
      const unsigned int warp = slot / kPaddedWarp;
      const unsigned int rows = warp * (kItemsPerThread + 1) + (slot - warp * kPaddedWarp) / kPaddedRow;
      return slot - rows * padding;
    }
  };

  // The counter of a digit in a warp's histogram. Digits that agree in their lower bits, as those of keys of few bits do, have counters
  // in other banks.
  static __device__ __forceinline__ unsigned int counter_of(unsigned int digit) {
    constexpr unsigned int kBankBits = 5;
    return digit ^ digit >> kBankBits;
  }

  // What a block of a pass keeps in shared memory.
  struct PassStorage {
    // The tile as it is read.
    struct {
      StoredBits keys[TileSlots::kCount];
      Value values[TileSlots::kCount];
    } arrays;
    BulkCopies copies;
    // For each digit: what to add to a position in the sorted tile to make it an offset in the array.
    Count offsets[kBins];
    // For each digit: the position of its first item in the sorted tile.
    unsigned int first_positions[kBins];
    // For each warp and digit, at the digit's counter: items so far, then the position of the next one in the sorted tile.
    unsigned int histograms[kWarps][kBins];
    unsigned int warp_totals[kBins / kWarpThreads];
    unsigned int tile;
    // Whether items of the last tile that are read together would meet in a bank if rows followed each other.
    unsigned int is_regular;
    // The digit of all items of the tile, or kBins.
    unsigned int only_digit;
    // Whether writing the tile found it out of order.
    unsigned int is_out_of_order;
    // For each position in the sorted tile: the slot where its item is.
    unsigned short sources[kTileItems];
  };
  static_assert(sizeof(PassStorage) == kSharedBytes, "the storage is laid out as planned");

 public:
  // Passes over this range of bits.
  static __host__ __device__ constexpr int pass_count(int begin_bit, int end_bit) {
    return (end_bit - begin_bit + kRadixBits - 1) / kRadixBits;
  }
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return control_and_descriptor_bytes(n);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return zeroed_bytes(n);
  }

 public:
  // Counts the digits of all passes in one read of the keys. Lanes have columns of counters of their own, so that they do
  // not meet in a bank or at an address, whatever the digits are.
  static __device__ __forceinline__ void count_digits(const Arguments& arguments, unsigned char* shared) {
    unsigned int* const counters = reinterpret_cast<unsigned int*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const bool takes_all_bits = arguments.begin_bit == 0 && arguments.end_bit == kKeyBits;
    const bool is_usual = takes_all_bits && arguments.count_columns_log2 == kUsualColumnsLog2;
    is_usual ? count_digits_of<true>(arguments, NoMap{}, counters) : count_digits_of<false>(arguments, NoMap{}, counters);
  }

 private:
  // In place of a map: the keys' digits alone are counted.
  struct NoMap {
    static constexpr bool kHasBuckets = false;
  };

  // The usual case, all bits of keys and as many columns as the GPU has room for, has constants for most of the arithmetic.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
  static constexpr int kUsualColumnsLog2 = 4;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1200)
  static constexpr int kUsualColumnsLog2 = 3;
#else
  static constexpr int kUsualColumnsLog2 = 4;
#endif

  // Keys are loaded one at a time: no number of them is 16 bytes.
  static constexpr int kChunkKeys = 1;
  struct Chunk {
    StoredBits keys[kChunkKeys];
  };

  // Counts the digits of a key, and those of its bucket by a map that has some, in one of 2^columns_log2 columns.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of_key(const Arguments& arguments, [[maybe_unused]] const Map& map, Key key, int passes,
                                                             int columns_log2, unsigned int column, unsigned int* counters) {
    const Bits bits = to_ordered_bits(key);
    const auto count_digit = [&](int number, unsigned int digit) {
      unsigned int* const of_number = counters + (number * kBins << columns_log2);
      atomicAdd(&of_number[digit << columns_log2 | column], 1u);
    };
#pragma unroll
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      if (kIsUsual || pass < passes) {
        const Digit at = kIsUsual ? Digit{pass * kRadixBits, min(kRadixBits, kKeyBits - pass * kRadixBits)}
                                  : digit_of_pass(arguments, pass);
        count_digit(pass, digit_of(bits, at.bit, at.bits));
      }
    }
    if constexpr (Map::kHasBuckets) {
      const unsigned int bucket = map.bucket_of(key);
      count_digit(kMaxPasses, bucket % kBins);
      count_digit(kMaxPasses + 1, bucket / kBins);
    }
  }

  // Counts the keys of several chunks from `i` on, which are on their way at once.
  template <int kChunksAtOnce, typename CountKey>
  static __device__ __forceinline__ void count_chunks(const Chunk* chunks, unsigned long long& i, unsigned long long stride,
                                                      const CountKey& count_key) {
    Chunk loaded[kChunksAtOnce];
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) loaded[c] = chunks[i + c * stride];
    i += kChunksAtOnce * stride;
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) {
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) count_key(bits_as<Key>(loaded[c].keys[k]));
    }
  }

  // Counts the keys of chunks, where the array begins at a multiple of theirs. Returns how many those are, of all threads.
  template <bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ unsigned long long count_keys_in_chunks(const Arguments& arguments, unsigned long long thread, unsigned long long stride,
                                                                            const CountKey& count_key) {
    // Where it is not usual, code is short.
    constexpr int kChunksAtOnce = kIsUsual ? 4 : 1;
    if (reinterpret_cast<unsigned long long>(arguments.keys_in) % alignof(Chunk) != 0) return 0;
    const Chunk* const chunks = reinterpret_cast<const Chunk*>(arguments.keys_in);
    const unsigned long long chunk_count = arguments.n / kChunkKeys;
    unsigned long long i = thread;
    while (i + (kChunksAtOnce - 1) * stride < chunk_count) count_chunks<kChunksAtOnce>(chunks, i, stride, count_key);
    while (i < chunk_count) count_chunks<1>(chunks, i, stride, count_key);
    return chunk_count * kChunkKeys;
  }

  // Adds the block's counters of all columns to the histograms.
  static __device__ __forceinline__ void add_counts(const Arguments& arguments, const unsigned int* counters, unsigned int bin_count, int columns_log2) {
    const unsigned int columns = 1u << columns_log2;
    Count* const bins = &control_of(arguments).bins[0][0];
    for (unsigned int bin = threadIdx.x; bin < bin_count; bin += blockDim.x) {
      unsigned int sum = 0;
      // Neighbouring bins begin at other columns: they would meet in a bank.
      for (unsigned int c = 0; c < columns; ++c) {
        sum += counters[(bin << columns_log2) + (c + bin) % columns];
      }
      if (sum > 0) atomicAdd(&bins[bin], static_cast<Count>(sum));
    }
  }

  // Counts the keys' digits, and those of their buckets by a map that has some.
  template <bool kIsUsual, typename Map>
  static __device__ __forceinline__ void count_digits_of(const Arguments& arguments, [[maybe_unused]] const Map& map, unsigned int* counters) {
    const int columns_log2 = kIsUsual ? kUsualColumnsLog2 : arguments.count_columns_log2;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    const int digits = Map::kHasBuckets ? kCountedDigits : passes;
    const unsigned int columns = 1u << columns_log2;
    const unsigned int column = threadIdx.x % columns;
    for (unsigned int i = threadIdx.x; i < digits * kBins * columns; i += blockDim.x) counters[i] = 0;
    __syncthreads();
    const auto count_key = [&](Key key) {
      count_digits_of_key<kIsUsual>(arguments, map, key, passes, columns_log2, column, counters);
    };
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long counted = count_keys_in_chunks<kIsUsual>(arguments, thread, stride, count_key);
    for (unsigned long long i = counted + thread; i < arguments.n; i += stride) {
      const Key key = arguments.keys_in[i];
      count_key(key);
    }
    __syncthreads();

    add_counts(arguments, counters, digits * kBins, columns_log2);
  }

 public:
  // Makes each digit's histogram its exclusive scan, and decides which passes there are to do: none for a digit that all keys
  // share. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / kWarpThreads];
    // Each thread reads what it has written itself.
    __shared__ Count counts[kCountedDigits][kBins];
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    // Read once: thread 0 may take shared bits back when it has passed the last barrier.
    const int counted = has_other_digits(control) ? kCountedDigits : passes;
    // All are on their way before the first barrier: else each digit would wait for memory.
#pragma unroll
    for (int pass = 0; pass < kCountedDigits; ++pass) counts[pass][bin] = control.bins[pass][bin];
    for (int pass = 0; pass < counted; ++pass) {
      const Count count = counts[pass][bin];
      int occupied;
      control.bins[pass][bin] = offset_of_bin(warp_totals, count, occupied);
      const bool is_constant = occupied <= 1;
      if (!is_constant && pass < passes) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;
      }
      // All have read the totals.
      __syncthreads();
    }
    if (bin != 0) return;
    control.executed[0] = executed;
  }

 private:
  // The offset of the first key of the thread's bin, which has `count` keys, and how many bins have keys. One barrier, and the caller's before the totals are
  // written again.
  static __device__ __forceinline__ Count offset_of_bin(Count (&warp_totals)[kBins / kWarpThreads], Count count, int& occupied) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int own_warp = warp_of(threadIdx.x);
    const Count inclusive = inclusive_count_in_warp(count, lane);
    if (lane == 31) warp_totals[own_warp] = inclusive;
    // Also orders the totals before their readers.
    occupied = __syncthreads_count(count > 0);
    Count offset = inclusive - count;
    for (unsigned int warp = 0; warp < own_warp; ++warp) offset += warp_totals[warp];
    return offset;
  }

  // The sum of the counts of all lanes up to this one.
  static __device__ __forceinline__ Count inclusive_count_in_warp(Count count, unsigned int lane) {
#pragma unroll
    for (unsigned int distance = 1; distance < 32; distance *= 2) {
      const Count below = __shfl_up_sync(~0u, count, distance);
      if (lane >= distance) count += below;
    }
    return count;
  }

 public:
  // The pass of a pass slot: takes tiles, ranks their items by its digit, finds where the digits begin in the array, and writes the
  // items there. Where fewer digits differ than there are pass slots, the last ones do nothing.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int pass_slot, unsigned char* shared) {
    wait_for_previous_grid();
    const Pass pass = pass_of_slot(arguments, pass_slot);
    if (pass.ordinal == 0) return;
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const PassBuffers buffers = buffers_of(arguments, pass);
    sort_tiles_by(arguments, pass_slot, buffers, digit_of_pass(arguments, pass.digit), storage);
  }

 private:
  // The bits of the ordered key that a pass sorts by.
  struct Digit {
    // Whether a tile is looked at for having one digit: sorted keys and those of few values have such.
    static constexpr bool kMayBeOne = true;
    int bit;
    int bits;

    __device__ __forceinline__ unsigned int of(Key key) const { return digit_of(to_ordered_bits(key), bit, bits); }
  };

  static __device__ __forceinline__ Digit digit_of_pass(const Arguments& arguments, int pass) {
    return {arguments.begin_bit + pass * kRadixBits, digit_bits(arguments, pass)};
  }

  // The buffers of a pass: where it reads and where it writes.
  struct PassBuffers {
    // The offset of each digit's first key.
    const Count* bins;
    // Counts the passes that move anything, from 1 on, over all phases.
    int epoch;
    const Key* keys_from;
    Key* keys_to;
    const Value* values_from;
    Value* values_to;
    // Whether values are made, not read.
    bool makes_values;
    bool writes_keys;
  };

  // The work of a pass slot.
  struct Pass {
    // Counts the passes of the phase from 1 on; 0 if there is none left.
    int ordinal;
    // Of the keys.
    int digit;
    int phase;
  };

  static __device__ __forceinline__ Pass pass_of_slot(const Arguments& arguments, int pass_slot) {
    const Control& control = control_of(arguments);
    // The first phase is by the upper ones of all digits that differ.
    const bool is_upper = kSortsUpperDigits && sorts_upper_digits(control);
    const int skipped = is_upper ? control.executed[kPhases - 1] - control.executed[0] : 0;
    if (pass_slot >= control.executed[0]) return {0, 0, 0};
    if (is_upper && has_other_digits(control)) return {pass_slot + 1, kMaxPasses + pass_slot, 0};
    return {pass_slot + 1, control.digits[skipped + pass_slot], 0};
  }

  static __device__ __forceinline__ PassBuffers buffers_of(const Arguments& arguments, const Pass& pass) {
    const Control& control = control_of(arguments);
    // Before or after the first phase has left items in the scratch arrays: then it goes on as if a pass had.
    const bool leaves = kLeavesItems && sorts_upper_digits(control) && leaves_items(arguments);
    const bool is_first = pass.ordinal == 1 && !(leaves && pass.phase == 1);
    const int executed = control.executed[pass.phase];
    // The second phase sorts what the first one left in keys_out.
    const bool in_place = pass.phase == 1 || arguments.keys_in == arguments.keys_out;
    const Key* const keys_in = pass.phase == 1 ? arguments.keys_out : arguments.keys_in;
    const Value* const values_in = pass.phase == 1 ? arguments.values_out : arguments.values_in;
    const bool is_last = pass.ordinal == executed;
    const bool to_scratch = leaves ? writes_scratch(true, pass.ordinal + 1, executed) : writes_scratch(in_place, pass.ordinal, executed);
    [[maybe_unused]] constexpr bool is_overflow = false;
    [[maybe_unused]] const Count items = static_cast<Count>(arguments.n);
    PassBuffers buffers;
    buffers.bins = control.bins[pass.digit];
    buffers.epoch = pass.phase == 1 ? control.executed[0] + pass.ordinal : pass.ordinal;
    buffers.keys_from = is_first ? keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate;
    buffers.keys_to = to_scratch ? arguments.keys_alternate : arguments.keys_out;
    buffers.values_from = is_first ? values_in : to_scratch ? arguments.values_out : arguments.values_alternate;
    buffers.values_to = to_scratch ? arguments.values_alternate : arguments.values_out;
    buffers.makes_values = kMakesPositions && is_first && pass.phase == 0;
    buffers.writes_keys = !is_last || arguments.writes_keys || (kSortsUpperDigits && pass.phase == 0 && sorts_upper_digits(control));
    return buffers;
  }
  // How many items the pass sorts.
  static __device__ __forceinline__ Count items_of([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const PassBuffers& buffers) {
    return static_cast<Count>(arguments.n);
  }

  // Whether the copy engine can load the tile: all of it is there, in one piece, on a boundary of 16 bytes, and without padding.
  template <bool kFromItems>
  static __device__ __forceinline__ bool loads_in_bulk(const Arguments& arguments, const PassBuffers& buffers, Count tile_start, TileSlots slots) {
    if (!BulkCopies::kAreThere || slots.padding != 0 || items_of(arguments, buffers) - tile_start < kTileItems) return false;
    unsigned long long addresses = reinterpret_cast<unsigned long long>(buffers.keys_from);
    if (!buffers.makes_values) addresses |= reinterpret_cast<unsigned long long>(buffers.values_from);
    return addresses % 16 == 0;
  }

  // Begins the copies of the tile that one thread has taken, to rows that follow each other.
  template <bool kFromItems>
  static __device__ __forceinline__ void request_tile([[maybe_unused]] const Arguments& arguments, const PassBuffers& buffers,
                                                      PassStorage& storage, Count tile_start) {
    const unsigned int value_bytes = kHasValues && !buffers.makes_values ? sizeof(Value) : 0;
    storage.copies.begin(kTileItems * (static_cast<unsigned int>(sizeof(Key)) + value_bytes));
    request_items(storage, storage.arrays.keys, reinterpret_cast<const StoredBits*>(buffers.keys_from + tile_start));
    if (!buffers.makes_values) request_items(storage, storage.arrays.values, buffers.values_from + tile_start);
  }

  template <typename T>
  static __device__ __forceinline__ void request_items(PassStorage& storage, T* to, const T* from) {
    storage.copies.copy(to, from, kTileItems * static_cast<unsigned int>(sizeof(T)));
  }

  // Brings the tile to shared memory without the copy engine, to each warp what it ranks. Positions past the array's
  // end get the maximum key, and so come last in the tile.
  template <bool kFromItems>
  static __device__ __forceinline__ void load(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                              Count tile_start, unsigned int valid_items, TileSlots slots) {
    const unsigned int first_slot = slots.own_first();
    const StoredBits max_key = bits_as<StoredBits>(to_key(kAllBits));
#pragma unroll 8
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = own_position(i);
      const unsigned int slot = first_slot + i * slots.row();
      const bool is_valid = position < valid_items;
      storage.arrays.keys[slot] = is_valid ? bits_as<StoredBits>(buffers.keys_from[tile_start + position]) : max_key;
      if (is_valid && !buffers.makes_values) storage.arrays.values[slot] = buffers.values_from[tile_start + position];
    }
    BulkCopies::release_stores();
    __syncwarp();
  }

  template <bool kFromItems>
  static __device__ __forceinline__ StoredBits key_at(const PassStorage& storage, unsigned int slot) {
    return storage.arrays.keys[slot];
  }

  // The position in the tile of the item that a thread ranks.
  static __device__ __forceinline__ unsigned int own_position(int item) { return warp_striped<kItemsPerThread>(threadIdx.x, item); }

  // Shared memory is read for this number of items before it is written for the first of them: no read waits for another then.
  static constexpr int kBatch = 8;

  template <typename Work>
  static __device__ __forceinline__ void for_each_batch(const Work& work) {
#pragma unroll
    for (int first = 0; first < kItemsPerThread; first += kBatch) {
      work(first, first + kBatch < kItemsPerThread ? first + kBatch : kItemsPerThread);
    }
  }

  // A digit is heavy if at least this number of lanes of a row have it.
  static constexpr int kHeavyLanes = 5;

  // Each warp its own.
  static __device__ __forceinline__ void clear_histogram(PassStorage& storage) {
    for (unsigned int bin = lane_of(threadIdx.x); bin < kBins; bin += 32) storage.histograms[warp_of(threadIdx.x)][bin] = 0;
    __syncwarp();
  }

  // Gives each of the warp's items its counter and the number of its digit before it in the warp, and counts them.
  //
  // A counter that is added to says how many came before. Among the lanes of one row it says in which order they were
  // served, which no manual promises to be theirs: see sort_tile. Lanes that meet at one counter are served one after the
  // other; where many of a row do, one ballot numbers those of the heavy digit.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void rank_by_atomics(PassStorage& storage, const DigitOf& digit, TileSlots slots,
                                                         PackedItems<kItemsPerThread, 16>& ranks,
                                                         PackedItems<kItemsPerThread, kRadixBits>& counters) {
    unsigned int (&histogram)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const auto counter_at = [&](int item) {
      return counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, first_slot + item * slots.row()))));
    };
    const unsigned int heavy_lanes = __ballot_sync(~0u, __popc(lanes_of_same_digit<kRadixBits>(counter_at(0))) >= kHeavyLanes);
    if (heavy_lanes == 0) {
      for_each_batch([&](int first, int end) {
        unsigned int of_batch[kBatch];
#pragma unroll
        for (int i = first; i < end; ++i) of_batch[i - first] = counter_at(i);
#pragma unroll
        for (int i = first; i < end; ++i) {
          counters.set(i, of_batch[i - first]);
          ranks.set(i, atomicAdd(&histogram[of_batch[i - first]], 1u));
        }
      });
      return;
    }
    HeavyDigit heavy{__shfl_sync(~0u, counter_at(0), __ffs(heavy_lanes) - 1), 0};
    // As many rows at once as a loop has that is not unrolled; then the rest.
    constexpr int kInLoop = kItemsPerThread / kBatch * kBatch;
    constexpr int kRest = kInLoop < kItemsPerThread ? kItemsPerThread - kInLoop : 1;
    if constexpr (kInLoop > 0) {
#pragma unroll 1
      for (int first = 0; first < kInLoop; first += kBatch) {
        unsigned int of_counters[kBatch];
        unsigned int of_ranks[kBatch];
        rank_rows_of_heavy(histogram, counter_at, first, heavy, of_counters, of_ranks);
        counters.template push<kInLoop>(of_counters);
        ranks.template push<kInLoop>(of_ranks);
      }
    }
    if constexpr (kInLoop < kItemsPerThread) {
      unsigned int of_counters[kRest];
      unsigned int of_ranks[kRest];
      rank_rows_of_heavy(histogram, counter_at, kInLoop, heavy, of_counters, of_ranks);
#pragma unroll
      for (int i = 0; i < kRest; ++i) {
        counters.set(kInLoop + i, of_counters[i]);
        ranks.set(kInLoop + i, of_ranks[i]);
      }
    }
    if (lane_of(threadIdx.x) == 0) histogram[heavy.counter] = heavy.count;
  }

  // A digit that many lanes of a row have: where its counter is, and what that would have, which is kept in a register.
  struct HeavyDigit {
    unsigned int counter;
    unsigned int count;
  };

  // Ranks some rows of the warp's items, from this one on.
  template <int kRows, typename CounterAt>
  static __device__ __forceinline__ void rank_rows_of_heavy(unsigned int (&histogram)[kBins], const CounterAt& counter_at, int first, HeavyDigit& heavy,
                                                            unsigned int (&counters)[kRows], unsigned int (&ranks)[kRows]) {
    const unsigned int lane = lane_of(threadIdx.x);
    const unsigned int lanes_below = (1u << lane) - 1u;
#pragma unroll
    for (int i = 0; i < kRows; ++i) counters[i] = counter_at(first + i);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const unsigned int own = counters[i];
      const unsigned int same = __ballot_sync(~0u, own == heavy.counter);
      ranks[i] = own == heavy.counter ? heavy.count + __popc(same & lanes_below) : atomicAdd(&histogram[own], 1u);
      heavy.count += __popc(same);
      if (__popc(same) < kHeavyLanes && first + i + 1 < kItemsPerThread) {
        // Perhaps another digit is heavy in the rows to come.
        const unsigned int next = __shfl_sync(~0u, own, 31);
        if (lane == 0) histogram[heavy.counter] = heavy.count;
        __syncwarp();
        heavy.counter = next;
        heavy.count = histogram[next];
        // All lanes have read what one of them writes later.
        __syncwarp();
      }
    }
  }

  // Makes every warp's count of the thread's digit the position in the tile of the first of those items: behind all items
  // of lower digits, and behind those of the same digit in the warps below.
  static __device__ __forceinline__ void make_positions(PassStorage& storage) {
    unsigned int position = storage.first_positions[threadIdx.x];
#pragma unroll
    for (unsigned int warp = 0; warp < kBins / kWarpThreads; ++warp) {
      if (warp < warp_of(threadIdx.x)) position += storage.warp_totals[warp];
    }
    storage.first_positions[threadIdx.x] = position;
#pragma unroll
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      unsigned int& counter = storage.histograms[warp][counter_of(threadIdx.x)];
      const unsigned int count = counter;
      counter = position;
      position += count;
    }
  }

  // Scatters the warp's items to the sorted tile by ballots, which no order of serving can change. It is seldom needed,
  // and not made fast.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void scatter_by_ballots(PassStorage& storage, const DigitOf& digit, TileSlots slots) {
    unsigned int (&positions)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    const unsigned int first_slot = slots.own_first();
    const unsigned int lanes_below = (1u << lane_of(threadIdx.x)) - 1u;
#pragma unroll 1
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int slot = first_slot + i * slots.row();
      const unsigned int own = counter_of(digit.of(bits_as<Key>(key_at<kFromItems>(storage, slot))));
      const unsigned int same = lanes_of_same_digit<kRadixBits>(own);
      const unsigned int first = positions[own];
      storage.sources[first + __popc(same & lanes_below)] = static_cast<unsigned short>(slot);
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if ((same & lanes_below) == 0) positions[own] = first + __popc(same);
      __syncwarp();
    }
  }

  // A tile's descriptor of a digit:
  //
  //   | state: 2 bits | prefix: all other bits |
  //
  // The prefix is partial, of the tile's own items, or inclusive, of those of all tiles up to it. Passes use the same descriptors
  // without clearing them: the state of inclusive prefixes alternates, so what the last pass has left counts as not yet written.
  struct Descriptor {
    static constexpr int kStateShift = 8 * sizeof(Count) - 2;
    static constexpr Count kPrefixMask = (Count(1) << kStateShift) - 1;
    static constexpr Count kPartial = Count(3) << kStateShift;
    Count bits;

    static __device__ __forceinline__ Count inclusive_state(int epoch) { return Count(epoch % 2 + 1) << kStateShift; }
    static __device__ __forceinline__ Descriptor pack(Count state, Count prefix) { return {state | prefix}; }
    __device__ __forceinline__ Count state() const { return bits & ~kPrefixMask; }
    __device__ __forceinline__ Count prefix() const { return bits & kPrefixMask; }
  };

  // The descriptor of the thread's digit.
  static __device__ __forceinline__ Descriptor* descriptor_of(const Arguments& arguments, unsigned int tile) {
    Descriptor* const descriptors = reinterpret_cast<Descriptor*>(arguments.workspace + sizeof(Control));
    return descriptors + static_cast<unsigned long long>(tile) * kBins + threadIdx.x;
  }

  // Publishes the partial prefix of the thread's digit, which is the inclusive one of the first tile.
  static __device__ __forceinline__ void publish_count(const Arguments& arguments, unsigned int tile, unsigned int count, int epoch) {
    const Count state = tile == 0 ? Descriptor::inclusive_state(epoch) : Descriptor::kPartial;
    publish(&descriptor_of(arguments, tile)->bits, Descriptor::pack(state, count).bits);
  }

  // Decoupled look-back: the number of items of the thread's digit in the tiles before this one, from their descriptors. Publishes
  // the inclusive prefix of this one. A tile before it without a written descriptor is being worked on, so waiting ends.
  static __device__ __forceinline__ Count sum_of_tiles_before(const Arguments& arguments, unsigned int tile, unsigned int count,
                                                              int epoch) {
    if (tile == 0) return 0;
    // The number of descriptors that are polled at once, which takes the time of one.
    constexpr unsigned int kPolled = 8;
    const Count inclusive = Descriptor::inclusive_state(epoch);
    Descriptor* const own = descriptor_of(arguments, tile);
    const Descriptor* next = own - kBins;
    unsigned int left = tile;
    Count sum = 0;
    for (bool is_done = false; !is_done;) {
      Descriptor answers[kPolled];
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) answers[k] = {k < left ? poll(&(next - k * kBins)->bits) : 0};
#pragma unroll
      for (unsigned int k = 0; k < kPolled; ++k) {
        const Count state = answers[k].state();
        if (is_done || (state != Descriptor::kPartial && state != inclusive)) break;
        sum += answers[k].prefix();
        next -= kBins;
        --left;
        is_done = state == inclusive;
      }
    }
    publish(&own->bits, Descriptor::pack(inclusive, sum + count).bits);
    return sum;
  }

  // The words of a key, with what lies between its fields: a sector of memory of which a part is written has to be read.
  struct KeyWords {
    unsigned int words[3];
  };

  static __device__ __forceinline__ void store_key(Key* to, const StoredBits& key) {
    const KeyWords from = bits_as<KeyWords>(key);
#pragma unroll
    for (int i = 0; i < 3; ++i) reinterpret_cast<unsigned int*>(to)[i] = from.words[i];
  }

  // What a tile's items are ordered by, as a number that is not negative:
  //
  //   | digit: 16 bits | slot: 16 bits |
  //
  // Slots ascend in the order in which items were read.
  struct DigitSlot {
    int bits;
    static __device__ __forceinline__ DigitSlot pack(unsigned int digit, unsigned int slot) { return {static_cast<int>(digit << 16 | slot)}; }
    __device__ __forceinline__ unsigned int digit() const { return bits >> 16; }
  };

  // Writes the tile, in the order of its slots, to where its digits begin. Returns whether that order was right: by
  // digit, and within a digit as the items came.
  //
  // Nothing here takes a branch for an item: so that the reads of many can be under way at once. Four are enough, and less code.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ bool write(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                               PassStorage& storage, unsigned int valid_items, TileSlots slots) {
    const auto digit_slot_of = [&](StoredBits key, unsigned int slot) { return DigitSlot::pack(digit.of(bits_as<Key>(key)), slot); };
    const unsigned int lane = lane_of(threadIdx.x);
    // Opaque where positions are made: else those of all items would take registers, from tile to tile.
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    bool in_order = true;
    // In lane 0, the digit and slot of the item before the row.
    int before_row = -1;
    if (threadIdx.x >= kWarpThreads) {
      const unsigned int slot = storage.sources[first_position - lane - 1];
      before_row = digit_slot_of(key_at<kFromItems>(storage, slot), slot).bits;
    }
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = storage.sources[position];
      const StoredBits key = key_at<kFromItems>(storage, slot);
      const DigitSlot own = digit_slot_of(key, slot);
      if (TileSlots::kMayPad && i == 0 && threadIdx.x < kWarpThreads) find_regularity<kFromItems>(storage, slots.position_of(slot));
      // That of the lane below, and for lane 0 that of the last one, which comes before the next row.
      const int below = __shfl_sync(~0u, own.bits, lane_of(lane + kWarpThreads - 1));
      in_order &= (lane == 0 ? before_row : below) < own.bits;
      before_row = below;
      // Positions take registers, and then there are not enough for the reads of many items at once.
      if constexpr (kMakesPositions && !kFromItems) {
        if (position >= valid_items) continue;
      }
      const Count to = storage.offsets[own.digit()] + position;
      write_item(buffers, storage, key, slot, slots, to, position, valid_items);
    }
    return in_order;
  }

  // Writes a tile of one digit: its items are in order as they were read.
  template <bool kFromItems>
  static __device__ __forceinline__ void write_tile_of_one_digit(const Arguments& arguments, const PassBuffers& buffers, const PassStorage& storage,
                                                                 unsigned int valid_items, TileSlots slots) {
    const Count offset = storage.offsets[storage.only_digit];
    const unsigned int first_position = kMakesPositions ? opaque(own_position(0)) : own_position(0);
    const unsigned int first_slot = slots.own_first();
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = first_position + 32 * i;
      const unsigned int slot = first_slot + i * slots.row();
      write_item(buffers, storage, key_at<kFromItems>(storage, slot), slot, slots, offset + position, position, valid_items);
    }
  }

  // Writes the item in a slot, with this key, if its position in the sorted tile is one of those that are there.
  static __device__ __forceinline__ void write_item(const PassBuffers& buffers, [[maybe_unused]] const PassStorage& storage, StoredBits key,
                                                    [[maybe_unused]] unsigned int slot, [[maybe_unused]] TileSlots slots, Count to,
                                                    unsigned int position, unsigned int valid_items) {
    if (position < valid_keys(buffers, valid_items)) store_key(&buffers.keys_to[to], key);
    const Value value = value_at(buffers, storage, slot, slots);
    if (position < valid_items) buffers.values_to[to] = value;
  }

  // How many of the valid items have their keys written: all or none.
  static __device__ __forceinline__ unsigned int valid_keys(const PassBuffers& buffers, unsigned int valid_items) {
    return buffers.writes_keys ? valid_items : 0;
  }

  // Lanes of a row in one bank that make a tile regular. Fewer meet by chance, and then ordinary loads cost more than they spare.
  static constexpr int kRegularLanes = 12;

  // Whether many of these items, which a warp reads together, would be in one bank without padding, by their positions before the sort.
  template <bool kFromItems>
  static __device__ __forceinline__ void find_regularity(PassStorage& storage, unsigned int position) {
    constexpr unsigned int kBytes = sizeof(Key);
    constexpr unsigned int kBankBytes = 4;
    constexpr unsigned int kBanks = 32;
    const unsigned int bank = position * kBytes / kBankBytes % kBanks;
    const bool is_regular = __popc(__ballot_sync(~0u, bank == __shfl_sync(~0u, bank, 0))) >= kRegularLanes;
    if (threadIdx.x == 0) storage.is_regular = is_regular;
  }

  // The value in a slot of the arrays.
  static __device__ __forceinline__ Value value_at([[maybe_unused]] const PassBuffers& buffers, const PassStorage& storage, unsigned int slot,
                                                   [[maybe_unused]] TileSlots slots) {
    const Value value = storage.arrays.values[slot];
    return value;
  }

  template <typename DigitOf>
  static __device__ __forceinline__ void sort_tiles_by(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                       const DigitOf& digit, PassStorage& storage) {
    sort_tiles<false>(arguments, pass_slot, buffers, digit, storage);
  }

  // The block takes one tile after the other, in order, so that those before its own are done or being worked on: waiting
  // for them ends.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tiles(const Arguments& arguments, int pass_slot, const PassBuffers& buffers,
                                                    const DigitOf& digit, PassStorage& storage) {
    const unsigned int tiles = static_cast<unsigned int>((items_of(arguments, buffers) + kTileItems - 1) / kTileItems);
    if (threadIdx.x == 0) {
      storage.copies.prepare();
      BulkCopies::acquire_stores();
      storage.is_regular = 0;
    }
    // The same thread uses what it has prepared; racecheck takes that for other lanes' work, and this tells it better.
    __syncwarp();
    unsigned int round = 0;
    TileSlots slots{0};
    for (;;) {
      if (threadIdx.x == 0) {
        const unsigned int tile = atomicAdd(&control_of(arguments).tickets[pass_slot], 1u);
        storage.tile = tile;
        const Count tile_start = static_cast<Count>(tile) * kTileItems;
        if (tile < tiles && loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
          request_tile<kFromItems>(arguments, buffers, storage, tile_start);
        }
      }
      clear_histogram(storage);
      __syncthreads();
      const unsigned int tile = storage.tile;
      if (tile >= tiles) return;
      const Count tile_start = static_cast<Count>(tile) * kTileItems;
      const Count left = items_of(arguments, buffers) - tile_start;
      const unsigned int valid_items = left < kTileItems ? static_cast<unsigned int>(left) : kTileItems;
      if (loads_in_bulk<kFromItems>(arguments, buffers, tile_start, slots)) {
        storage.copies.wait(round++);
      } else {
        load<kFromItems>(arguments, buffers, storage, tile_start, valid_items, slots);
      }
      sort_tile<kFromItems>(arguments, buffers, digit, storage, tile, valid_items, slots);
      // The next tile is likely to be as regular as this one.
      if constexpr (TileSlots::kMayPad) slots.padding = storage.is_regular;
    }
  }

  // Ranks by one atomic an item, which are right if the lanes that meet at a counter are served in order; writing the tile
  // shows whether they were. If not, ballots rank its items, and it is written over.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ void sort_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                   PassStorage& storage, unsigned int tile, unsigned int valid_items,
                                                   TileSlots slots) {
    PackedItems<kItemsPerThread, 16> ranks;
    PackedItems<kItemsPerThread, kRadixBits> counters;
    const unsigned int count = count_tile<kFromItems>(arguments, buffers, digit, storage, tile, slots, ranks, counters);
    if (DigitOf::kMayBeOne && storage.only_digit < kBins) {
      if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
      __syncthreads();
      write_tile_of_one_digit<kFromItems>(arguments, buffers, storage, valid_items, slots);
      __syncthreads();
      return;
    }
    if (threadIdx.x < kBins) make_positions(storage);
    __syncthreads();
    const unsigned int first_slot = slots.own_first();
    for_each_batch([&](int first, int end) {
      unsigned int positions[kBatch];
#pragma unroll
      for (int i = first; i < end; ++i) positions[i - first] = storage.histograms[warp_of(threadIdx.x)][counters.get(i)] + ranks.get(i);
#pragma unroll
      for (int i = first; i < end; ++i) storage.sources[positions[i - first]] = static_cast<unsigned short>(first_slot + i * slots.row());
    });
    if (threadIdx.x < kBins) find_offset(arguments, buffers, storage, tile, count);
    for (bool is_second_try = false;; is_second_try = true) {
      __syncthreads();
      const bool in_order = write<kFromItems>(arguments, buffers, digit, storage, valid_items, slots);
      // A vote of the block would do, but not for a compiler that fails where a function is left by one.
      if (!in_order) atomicOr(&storage.is_out_of_order, 1u);
      __syncthreads();
      if (is_second_try || storage.is_out_of_order == 0) return;
      scatter_by_ballots<kFromItems>(storage, digit, slots);
    }
  }

  // Ranks the items within their warps, counts the tile's digits, publishes the counts and begins their scan. Each of the first kBins
  // threads gets the count of its digit. Ends with a barrier of the block.
  template <bool kFromItems, typename DigitOf>
  static __device__ __forceinline__ unsigned int count_tile(const Arguments& arguments, const PassBuffers& buffers, const DigitOf& digit,
                                                            PassStorage& storage, unsigned int tile, TileSlots slots,
                                                            PackedItems<kItemsPerThread, 16>& ranks,
                                                            PackedItems<kItemsPerThread, kRadixBits>& counters) {
    if (threadIdx.x == 0) {
      storage.is_out_of_order = 0;
      storage.only_digit = kBins;
    }
    rank_by_atomics<kFromItems>(storage, digit, slots, ranks, counters);
    __syncthreads();
    unsigned int count = 0;
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.histograms[warp][counter_of(threadIdx.x)];
      publish_count(arguments, tile, count, buffers.epoch);
      if (DigitOf::kMayBeOne && count == kTileItems) storage.only_digit = threadIdx.x;
      const unsigned int inclusive = inclusive_sum_in_warp(count, ~0u);
      storage.first_positions[threadIdx.x] = inclusive - count;
      if (lane_of(threadIdx.x) == 31) storage.warp_totals[warp_of(threadIdx.x)] = inclusive;
    }
    __syncthreads();
    return count;
  }

  // Finds what to add to the positions of the thread's digit in the sorted tile, from the tiles before.
  static __device__ __forceinline__ void find_offset(const Arguments& arguments, const PassBuffers& buffers, PassStorage& storage,
                                                     unsigned int tile, unsigned int count) {
    const Count before = sum_of_tiles_before(arguments, tile, count, buffers.epoch);
    // Opaque: else the address would take registers all the time.
    const Count first = buffers.bins[opaque(threadIdx.x)];
    storage.offsets[threadIdx.x] = first + before - storage.first_positions[threadIdx.x];
  }

 public:
  // Copies the result to where it belongs, if no pass has written it there: in place after an odd number of passes, and
  // to other arrays after none.
  static __device__ __forceinline__ void finish(const Arguments& arguments) {
    wait_for_previous_grid();
    const Control& control = control_of(arguments);
    // A second phase sorts what the first one left in keys_out.
    const bool is_second = kSortsUpperDigits && needs_all(arguments, control);
    const bool in_place = is_second || arguments.keys_in == arguments.keys_out;
    // Items in the scratch arrays are there as if a pass had written them.
    const int executed = is_second ? control.executed[kPhases - 1] + (kLeavesItems && leaves_items(arguments)) : control.executed[0];
    if (in_place ? executed % 2 == 0 && (!kMakesPositions || executed > 0) : executed > 0) return;
    copy_result(arguments, executed > 0, executed > 0 || !in_place);
  }

 private:
  // Copies the items from the scratch arrays or the input to the result.
  static __device__ __forceinline__ void copy_result(const Arguments& arguments, bool from_scratch, bool moves_keys) {
    // Items of a thread that are read before the first of them is written: one does not wait for another.
    constexpr int kCopied = 2;
    const bool copies_keys = arguments.writes_keys && moves_keys;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (; first < arguments.n; first += kCopied * stride) {
      Key keys[kCopied];
      Value values[kCopied];
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) keys[own] = from_scratch ? arguments.keys_alternate[i] : arguments.keys_in[i];
        values[own] = from_scratch ? arguments.values_alternate[i] : arguments.values_in[i];
      }
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) store_key(&arguments.keys_out[i], bits_as<StoredBits>(keys[own]));
        arguments.values_out[i] = values[own];
      }
    }
  }
  static constexpr Bits kAllBits = ~Bits(0) >> (8 * sizeof(Bits) - 72);

  // A key's fields, the first of which decides first.
  using Field0 = KeyField<unsigned int, unsigned int, FieldKind::kUnsigned>;
  using Field1 = KeyField<float, unsigned int, FieldKind::kFloat>;
  using Field2 = KeyField<unsigned char, unsigned char, FieldKind::kUnsigned>;

  // Ordered bits of a key: those of its fields, the first one uppermost.
  static __device__ __forceinline__ Bits to_ordered_bits(const Key& key) {
    Bits bits = 0;
    bits |= static_cast<Bits>(Field0::to_ordered_bits(key.field0)) << 40;
    bits |= static_cast<Bits>(Field1::to_ordered_bits(key.field1)) << 8;
    bits |= static_cast<Bits>(Field2::to_ordered_bits(key.field2)) << 0;
    return bits;
  }

  // The key of ordered bits: all bits of all fields.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    const Bits bits = ordered;
    Key key;
    key.field0 = Field0::of_ordered_bits(static_cast<unsigned int>(bits >> 40));
    key.field1 = Field1::of_ordered_bits(static_cast<unsigned int>(bits >> 8));
    key.field2 = Field2::of_ordered_bits(static_cast<unsigned char>(bits >> 0));
    return key;
  }

  // What is compared of ordered bits: -0.0 in a field as if it were +0.0, which is next to it.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    if (Field1::is_negative_zero(static_cast<unsigned int>(ordered >> 8))) ordered += Bits(1) << 8;
    return ordered;
  }

  // The digit of `count` bits, at most kRadixBits, from `bit` up.
  static __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) {
    return static_cast<unsigned int>(compared_bits(ordered) >> bit) & ((1u << count) - 1u);
  }

  static __device__ __forceinline__ Control& control_of(const Arguments& arguments) {
    return *reinterpret_cast<Control*>(arguments.workspace);
  }

  static __host__ __device__ constexpr unsigned long long control_and_descriptor_bytes(unsigned long long n) {
    return sizeof(Control) + (n + kTileItems - 1) / kTileItems * kBins * sizeof(Count);
  }

  // Whether the first phase sorts by upper digits, and whether the second one has to sort all items.
  static __device__ __forceinline__ bool sorts_upper_digits([[maybe_unused]] const Control& control) {
    return false;
  }

  static __device__ __forceinline__ bool needs_all([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const Control& control) {
    return false;
  }

  // Whether the linear map has buckets.
  static __device__ __forceinline__ bool is_mapped([[maybe_unused]] const Control& control) {
    return false;
  }

  // The upper bits that are left out as all keys share them.
  static __device__ __forceinline__ int shared_bit_count([[maybe_unused]] const Control& control) {
    return 0;
  }

  // Whether digits other than the keys' own are counted, or sorted by, too.
  static __device__ __forceinline__ bool has_other_digits(const Control& control) {
    return is_mapped(control) || shared_bit_count(control) != 0;
  }

  // Whether the first phase leaves items side by side, in the scratch arrays, and not what it sorts in the arrays of the
  // result. In place it has to: the first pass cannot write what it reads.
  static __device__ __forceinline__ bool leaves_items([[maybe_unused]] const Arguments& arguments) {
    return false;
  }

  // How many bits pass number `pass` sorts by, from arguments.begin_bit + pass * kRadixBits up.
  static __device__ __forceinline__ int digit_bits(const Arguments& arguments, int pass) {
    const int left = arguments.end_bit - arguments.begin_bit - pass * kRadixBits;
    return left < kRadixBits ? left : kRadixBits;
  }

  // Whether the executed pass of this ordinal, of `executed` in all, writes to the scratch arrays. Passes alternate between these
  // and the arrays of the result so that the last one writes the result; in place, the first one cannot write there.
  static __device__ __forceinline__ bool writes_scratch(bool in_place, int ordinal, int executed) {
    return in_place ? ordinal % 2 == 1 : (executed - ordinal) % 2 == 1;
  }
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(1024)
device_radix_sort_u32f32u8_u32_b384_i14_asc_count(sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::count_digits(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256)
device_radix_sort_u32f32u8_u32_b384_i14_asc_plan(sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::Arguments arguments) {
  sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::plan_passes(arguments);
}

extern "C" __global__ void __launch_bounds__(384, 2)
device_radix_sort_u32f32u8_u32_b384_i14_asc_pass(sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::Arguments arguments, int pass_slot) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::run_pass(arguments, pass_slot, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(1024, sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::kResidentFinishing)
device_radix_sort_u32f32u8_u32_b384_i14_asc_finish(sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::Arguments arguments) {
  sortsmith::device_radix_sort_u32f32u8_u32_b384_i14_asc::finish(arguments);
}
#endif
