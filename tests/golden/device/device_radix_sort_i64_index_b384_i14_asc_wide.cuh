// device_radix_sort_i64_index_b384_i14_asc_wide
//
// Sorts i64 keys with their positions, ascending: an array of any length, by a radix sort on
// all of the device, 8 bits a pass. Stable: equal keys keep their input order.
//
// No values are read. The sort makes them: each key's position in the input.
//
//   digit             8 bits of a key; a bin is one value of a digit
//   partial prefix    the number of a tile's own items of a digit
//   inclusive prefix  that of all tiles up to it
//   pass slot         a launch of _pass, which finds out itself whether a pass is left to do
//
// The passes are Onesweep's. One read of all keys makes the histograms of all digits (kernel _count); an exclusive scan makes them
// the offsets of the digits' first keys, and a pass over a digit that is the same in all keys is left out (_plan). Each pass then moves
// the items once (_pass): a block ranks a tile in shared memory, finds by decoupled look-back where the tile's digits begin, and
// writes its items there. Keys
// of many digits that differ are sorted by their upper ones, which leaves few ties, and those are fixed up (_fix_up). Where
// the result then lies elsewhere, it is copied (_finish). The host makes the same launches whatever the keys are; blocks of any number
// of threads have full warps:
//
//   cudaMemsetAsync(workspace, 0, zeroed_bytes(n), stream);
//   device_radix_sort_i64_index_b384_i14_asc_wide_count <<<any, 1024, count_shared_bytes(..), stream>>>(arguments);
//   device_radix_sort_i64_index_b384_i14_asc_wide_plan  <<<1, 256, 0, stream>>>(arguments);
//   device_radix_sort_i64_index_b384_i14_asc_wide_pass  <<<any, 384, 92840, stream>>>(arguments, pass_slot);
//     for pass_slot = 0, 1, ... pass_count(begin_bit, end_bit) - 1
//   or, where there are 5 passes or more, for pass_slot = 0, 1, ...
//     first_pass_slots(begin_bit, end_bit) - 1, then
//   device_radix_sort_i64_index_b384_i14_asc_wide_fix_up  <<<any, any, 0, stream>>>(arguments);
//   device_radix_sort_i64_index_b384_i14_asc_wide_pass  <<<any, 384, 92840, stream>>>(arguments, pass_slot);
//     for as many pass slots more as there are passes
//   device_radix_sort_i64_index_b384_i14_asc_wide_finish<<<any, at most 768, 0, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_radix_sort; to make it again:
//   sortsmith emit --name device_radix_sort_i64_index_b384_i14_asc_wide --out .
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

#ifndef SORTSMITH_V0_1_0_RACING
#define SORTSMITH_V0_1_0_RACING
namespace sortsmith {
inline namespace v0_1_0 {

// A load and a store that meet others' at the same address with nothing that orders them: races that are meant. Relaxed
// operations of one width are morally strong, so that a load gets all of what was there or all of what one thread stores there
// (PTX ISA, Memory Consistency Model, "Single-copy atomicity"); of plain ones that race the model says nothing. Which of
// these it gets is not known. Each caller says why either will do.
template <typename T>
__device__ __forceinline__ T racing_load(const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "one instruction loads all of it");
  if constexpr (sizeof(T) == 4) {
    return bits_as<T>(poll(reinterpret_cast<const unsigned int*>(from)));
  } else {
    return bits_as<T>(poll(reinterpret_cast<const unsigned long long*>(from)));
  }
}

template <typename T>
__device__ __forceinline__ void racing_store(T* to, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "one instruction stores all of it");
  if constexpr (sizeof(T) == 4) {
    publish(reinterpret_cast<unsigned int*>(to), bits_as<unsigned int>(value));
  } else {
    publish(reinterpret_cast<unsigned long long*>(to), bits_as<unsigned long long>(value));
  }
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

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_I64_INDEX_B384_I14_ASC_WIDE
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_I64_INDEX_B384_I14_ASC_WIDE
namespace sortsmith {
inline namespace v0_1_0 {

struct device_radix_sort_i64_index_b384_i14_asc_wide {
  using Key = long long;
  using Value = unsigned int;

  static constexpr int kBlockThreads = 384;
  static constexpr int kItemsPerThread = 14;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 64;
  static constexpr int kRadixBits = 8;
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // Counts, and offsets in the array.
  using Count = unsigned long long;
  // The shared memory of a block of _pass.
  static constexpr unsigned int kSharedBytes = 92840;
  // Blocks of _finish that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentFinishing = 1;
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
  static constexpr int kResidentFinishing = 2;
#else
  static constexpr int kResidentFinishing = 2;
#endif
  // More items than this need the sort of the same name with `_wide`.
  static constexpr unsigned long long kMaxItems = 4294967296ull;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Scratch.
    Key* keys_alternate;
    // The same of values, where the sort has any; values_in is not read.
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
  using Bits = unsigned long long;
  // In memory they take no more bytes than the keys.
  using StoredBits = unsigned long long;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr bool kDescending = false;
  // Whether NaNs come last, of whatever sign.
  static constexpr bool kNanLast = false;
  static constexpr bool kHasValues = true;
  // Whether values are made: each key's position in the input.
  static constexpr bool kMakesPositions = true;
  // Whether there may be a first phase by upper digits, and whether it may leave items side by side.
  static constexpr bool kSortsUpperDigits = true;
  static constexpr bool kLeavesItems = false;

  // A sort over kMinUpperPasses passes or more may have a first phase, which sorts by the keys' upper digits and then fixes up the few ties. Where
  // too many keys agree, a second phase sorts by all digits.
  static constexpr int kPhases = 2;
  static constexpr int kMinUpperPasses = 5;
  // A first phase is worth it only if it spares this number of passes.
  static constexpr int kSparedPasses = 2;
  static constexpr int kMaxPassSlots = 2 * kMaxPasses - kSparedPasses;

  // Any number, scrambled: products alone would be as regular as some keys.
  static __device__ __forceinline__ unsigned int scrambled(unsigned int number) {
    number *= 0x9e3779b1u;
    return (number ^ number >> 15) * 0x85ebca6bu;
  }

  // Where the sample of this number is, of samples that have an equal share of the keys each: anywhere in its share, by the clock. So no
  // keys can be laid out to show samples what they are not.
  static __device__ __forceinline__ unsigned long long sample_position(unsigned int number, unsigned long long share) {
    const unsigned int random = scrambled(number ^ static_cast<unsigned int>(clock64()));
    return number * share + (share * random >> 32);
  }

  // Histograms of digits do not tell whether keys agree in several of them at once. Samples tell how many keys agree in their upper
  // digits and not in all. The first warps of a block of _count have one a lane, and hash tables find those that agree. Whatever they tell, the keys are sorted: they decide only by which digits first.
  struct KeySamples {
    // The digits from the lowest of which up keys may agree.
    static constexpr int kFirstLevel = 2;
    static constexpr int kLevels = 4;
    // The slots of a level's hash table for one warp a block, about twice as many as samples.
    static constexpr int kSlotsLog2OfWarp = 13;
    // Fewer samples than this tell too little.
    static constexpr unsigned int kMinCount = 1024;
    struct Counts {
      // 0 if no keys are sampled.
      unsigned int all;
      // Of each level: samples that agree with one before, by whether they are the second one or a further one.
      unsigned int second[kLevels];
      unsigned int further[kLevels];
      // Of the first level: samples that found an empty slot. No more than differ in all of its digits.
      unsigned int distinct;
    };
    Counts counts;

    // Warps of a block that sample, as a logarithm to base 2: twice as many for four times as many keys. For keys that agree with a given number of
    // others, the expected pairs of samples that agree are as the square of the number of samples, divided by n.
    static __host__ __device__ constexpr int warps_log2(unsigned long long n) {
      int log2 = 0;
      while (log2 < 4 && n >> (24 + 2 * log2) > 0) ++log2;
      return log2;
    }

    static __host__ __device__ constexpr int slots_log2(unsigned long long n) { return kSlotsLog2OfWarp + warps_log2(n); }

    // The hash tables of all levels.
    static __host__ __device__ constexpr unsigned long long slot_bytes(unsigned long long n) {
      return kLevels * sizeof(unsigned int) << slots_log2(n);
    }
  };

  // What a slot of a hash table holds:
  //
  //   | hash of the digits that agree: 19 bits | hash of the complete key: 12 bits | has_second: 1 bit |
  //
  // The first one goes without the upper bits of the hash, of which some number the slot. The last one says that a second sample has these digits.
  struct SlotEntry {
    unsigned int bits;
    static constexpr unsigned int kHasSecond = 1;
    static constexpr int kLowerBits = 13;

    static __device__ __forceinline__ SlotEntry pack(unsigned int hash_of_digits, unsigned int hash_of_all) {
      return {hash_of_digits << kLowerBits | (hash_of_all >> (32 - kLowerBits) & ~kHasSecond)};
    }
    __device__ __forceinline__ bool is_empty() const { return bits == 0; }
    __device__ __forceinline__ bool has_second() const { return (bits & kHasSecond) != 0; }

    // Whether the entry and another one of the same slot are of keys that agree, and are not the same.
    __device__ __forceinline__ bool agrees_with(SlotEntry other) const {
      const unsigned int difference = (bits ^ other.bits) >> 1;
      return difference != 0 && difference >> (kLowerBits - 1) == 0;
    }
  };

  // What lanes compare, to find those with the same entry for the same slot:
  //
  //   | hash of the digits that agree: 32 bits | entry: 32 bits |
  struct HashAndEntry {
    unsigned long long word;
    static __device__ __forceinline__ HashAndEntry pack(unsigned int hash, SlotEntry entry) {
      return {static_cast<unsigned long long>(hash) << 32 | entry.bits};
    }
  };

  // A thread's sample.
  struct KeySample {
    bool is_there;
    Key key;
    // Of each level: what its slot had before, and samples of the warp that have the same entry, if the lane is the first of those.
    SlotEntry before[KeySamples::kLevels];
    unsigned int same[KeySamples::kLevels];

    static __device__ __forceinline__ unsigned int hash_of(unsigned long long number) {
      number = (number ^ 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
      return static_cast<unsigned int>((number ^ number >> 32) * 0x94d049bb133111ebull >> 32);
    }

    // A level's slot of a hash, which its upper bits number. It holds the bits of a SlotEntry.
    static __device__ __forceinline__ unsigned int& slot_of(const Arguments& arguments, int level, unsigned int hash) {
      const int slots_log2 = KeySamples::slots_log2(arguments.n);
      return sample_slots_of(arguments)[(static_cast<unsigned int>(level) << slots_log2) + (hash >> (32 - slots_log2))];
    }

    static __device__ __forceinline__ int bit_of(const Arguments& arguments, int level) {
      return arguments.begin_bit + (KeySamples::kFirstLevel + level) * kRadixBits;
    }

    static __device__ __forceinline__ unsigned int hash_at(const Arguments& arguments, Key key, int level) {
      return hash_of(range_of(arguments, key, bit_of(arguments, level)));
    }

    // What the key's slot has if no other key has it.
    static __device__ __forceinline__ SlotEntry entry_of(const Arguments& arguments, Key key, unsigned int hash) {
      return SlotEntry::pack(hash, hash_of(range_of(arguments, key, arguments.begin_bit)));
    }

    // Loads the thread's sample of a grid of _count.
    static __device__ __forceinline__ KeySample of_thread(const Arguments& arguments) {
      KeySample sample{};
      const unsigned int own = 32u << KeySamples::warps_log2(arguments.n);
      const unsigned int all = gridDim.x * own;
      const unsigned long long share = arguments.n / all;
      sample.is_there = threadIdx.x < own && share > 0 && pass_count(arguments.begin_bit, arguments.end_bit) >= kMinUpperPasses;
      if (!sample.is_there) return sample;
      const unsigned int number = blockIdx.x * own + threadIdx.x;
      sample.key = arguments.keys_in[sample_position(number, share)];
      if (number == 0) control_of(arguments).samples.counts.all = all;
      return sample;
    }

    // Puts the sample into slots that are empty, one for all samples of the warp that have the same entry. Nothing waits for what slots had before
    // but note().
    __device__ __forceinline__ void add(const Arguments& arguments) {
      if (!is_there) return;
#pragma unroll
      for (int level = 0; level < KeySamples::kLevels; ++level) {
        if (bit_of(arguments, level) >= arguments.end_bit) break;
        const unsigned int hash = hash_at(arguments, key, level);
        const SlotEntry entry = entry_of(arguments, key, hash);
        const unsigned int lanes = __match_any_sync(~0u, HashAndEntry::pack(hash, entry).word);
        const bool is_first = lane_of(threadIdx.x) + 1 == static_cast<unsigned int>(__ffs(static_cast<int>(lanes)));
        same[level] = is_first ? __popc(lanes) : 0;
        if (is_first) before[level] = {atomicCAS(&slot_of(arguments, level, hash), 0u, entry.bits)};
      }
    }

    // Counts those that agree with others, and those that are distinct.
    __device__ __forceinline__ void note(const Arguments& arguments) const {
      if (!is_there) return;
      KeySamples& samples = control_of(arguments).samples;
#pragma unroll
      for (int level = 0; level < KeySamples::kLevels; ++level) {
        if (bit_of(arguments, level) >= arguments.end_bit) break;
        const unsigned int hash = hash_at(arguments, key, level);
        const bool agrees = same[level] > 0 && !before[level].is_empty() && before[level].agrees_with(entry_of(arguments, key, hash));
        unsigned int found = agrees ? same[level] : 0;
        if (level == 0) {
          const unsigned int distinct = __popc(__ballot_sync(~0u, same[level] > 0 && before[level].is_empty()));
          if (lane_of(threadIdx.x) == 0 && distinct > 0) atomicAdd(&samples.counts.distinct, distinct);
        }
        const bool is_second = agrees && !before[level].has_second() &&
                               !SlotEntry{atomicOr(&slot_of(arguments, level, hash), SlotEntry::kHasSecond)}.has_second();
        const unsigned int second = __popc(__ballot_sync(~0u, is_second));
#pragma unroll
        for (unsigned int distance = 16; distance > 0; distance /= 2) found += __shfl_xor_sync(~0u, found, distance);
        if (lane_of(threadIdx.x) != 0 || found == 0) continue;
        atomicAdd(&samples.counts.second[level], second);
        atomicAdd(&samples.counts.further[level], found - second);
      }
    }
  };

  // The most runs in the queue.
  static constexpr unsigned int kMaxQueuedRuns = 1024;

  // Digits that are counted: the keys'.
  static constexpr int kCountedDigits = kMaxPasses;

  // Which passes there are to do. The workspace begins with it; all is zero when a sort begins.
  struct Control {
    // Long runs of ties, as QueuedRun has them.
    unsigned long long queued_runs[kMaxQueuedRuns];
    // Of each phase: how many passes move anything.
    int executed[kPhases];
    // A bit for each digit that the one above it does not determine. The other ones need no pass: keys that agree above agree in them.
    unsigned int independent_digits;
    // Whether the first phase sorts by upper digits, and leaves keys to sort that agree from this bit up.
    int sorts_upper_digits;
    int upper_bit;
    // Whether _fix_up found too many ties: the second phase is to do.
    int needs_all;
    // Long runs of ties that it has queued, and those for which there was no room.
    unsigned int queued_run_count;
    // What samples tell of keys that agree.
    KeySamples samples;
    // The digits that differ between keys, from the lowest up.
    int digits[kMaxPasses];
    // Tiles that blocks have taken in each pass slot.
    unsigned int tickets[kMaxPassSlots];
    // Histograms begin with a line of the caches, and so do descriptors behind all this, where the workspace does.
    unsigned char unused_before_bins[100];
    // Of each digit: its histogram, then the offset of each bin's first key.
    Count bins[kCountedDigits][kBins];
  };
  static_assert(sizeof(Control) == 24832, "the workspace is laid out as planned");

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
  // Pass slots of a first phase.
  static __host__ __device__ constexpr int first_pass_slots(int begin_bit, int end_bit) {
    return pass_count(begin_bit, end_bit) - kSparedPasses;
  }
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return control_and_descriptor_bytes(n) + KeySamples::slot_bytes(n);
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

  // Keys are loaded 16 bytes at a time, where the array begins on such a boundary.
  static constexpr int kChunkKeys = 16 / sizeof(StoredBits);
  struct __align__(16) Chunk {
    StoredBits keys[kChunkKeys];
  };

  // What digits differ in that the digit above does not determine: gathered from keys, beside the first one.
  template <bool kIsUsual>
  struct DigitDifferences {
    Bits first;
    Bits bits;
    // Whether all digits differ so: then no more keys need to be looked at.
    bool are_all;

    static __device__ __forceinline__ DigitDifferences of(const Arguments& arguments) {
      return {kIsUsual ? compared_bits(to_ordered_bits(arguments.keys_in[0])) : Bits(0), 0, !kIsUsual};
    }

    __device__ __forceinline__ bool is_independent(int digit) const { return (bits >> digit * kRadixBits & (kBins - 1)) != 0; }

    // A digit's bits stay zero if its exclusive or with the digit above is the same in all keys.
    template <int kKeys>
    __device__ __forceinline__ void add(const StoredBits (&keys)[kKeys]) {
      if constexpr (kIsUsual) {
#pragma unroll
        for (int k = 0; k < kKeys; ++k) {
          const Bits difference = compared_bits(to_ordered_bits(bits_as<Key>(keys[k]))) ^ first;
          bits |= difference ^ difference >> kRadixBits;
        }
        are_all = true;
#pragma unroll
        for (int digit = 0; digit + 1 < kMaxPasses; ++digit) are_all &= is_independent(digit);
      }
    }

    // Notes the digits that the ones above do not determine in the keys of the block. All threads call it; barriers lie within.
    __device__ __forceinline__ void note(const Arguments& arguments) const {
      unsigned int digits = ~0u;
      if constexpr (kIsUsual) {
        digits = 0;
#pragma unroll
        for (int digit = 0; digit + 1 < kMaxPasses; ++digit) {
          if (__syncthreads_or(is_independent(digit))) digits |= 1u << digit;
        }
      } else {
        __syncthreads();
      }
      if (threadIdx.x == 0) atomicOr(&control_of(arguments).independent_digits, digits);
    }
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

  // Counts the keys of several chunks from `i` on, which are on their way at once, and adds them to what digits differ in.
  template <int kChunksAtOnce, bool kAddsDifferences, bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ void count_chunks(const Chunk* chunks, unsigned long long& i, unsigned long long stride,
                                                      [[maybe_unused]] DigitDifferences<kIsUsual>& differences, const CountKey& count_key) {
    Chunk loaded[kChunksAtOnce];
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) loaded[c] = chunks[i + c * stride];
    i += kChunksAtOnce * stride;
#pragma unroll
    for (int c = 0; c < kChunksAtOnce; ++c) {
      if constexpr (kAddsDifferences) differences.add(loaded[c].keys);
#pragma unroll
      for (int k = 0; k < kChunkKeys; ++k) count_key(bits_as<Key>(loaded[c].keys[k]));
    }
  }

  // Counts the keys of chunks, where the array begins at a multiple of theirs. Returns how many those are, of all threads.
  template <bool kIsUsual, typename CountKey>
  static __device__ __forceinline__ unsigned long long count_keys_in_chunks(const Arguments& arguments, unsigned long long thread, unsigned long long stride,
                                                                            DigitDifferences<kIsUsual>& differences, const CountKey& count_key) {
    // Where it is not usual, code is short.
    constexpr int kChunksAtOnce = kIsUsual ? 4 : 1;
    if (reinterpret_cast<unsigned long long>(arguments.keys_in) % alignof(Chunk) != 0) return 0;
    const Chunk* const chunks = reinterpret_cast<const Chunk*>(arguments.keys_in);
    const unsigned long long chunk_count = arguments.n / kChunkKeys;
    unsigned long long i = thread;
    // The first keys show that digits differ, mostly. No loop has a branch for each chunk: that would keep loads from being on their way.
    if constexpr (kIsUsual) {
      while (!differences.are_all && i + (kChunksAtOnce - 1) * stride < chunk_count) {
        count_chunks<kChunksAtOnce, true>(chunks, i, stride, differences, count_key);
      }
    }
    while (i + (kChunksAtOnce - 1) * stride < chunk_count) count_chunks<kChunksAtOnce, false>(chunks, i, stride, differences, count_key);
    while (i < chunk_count) count_chunks<1, true>(chunks, i, stride, differences, count_key);
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
    KeySample sample = KeySample::of_thread(arguments);
    for (unsigned int i = threadIdx.x; i < digits * kBins * columns; i += blockDim.x) counters[i] = 0;
    __syncthreads();
    DigitDifferences<kIsUsual> differences = DigitDifferences<kIsUsual>::of(arguments);
    const auto count_key = [&](Key key) {
      count_digits_of_key<kIsUsual>(arguments, map, key, passes, columns_log2, column, counters);
    };
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    const unsigned long long thread = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long counted = count_keys_in_chunks<kIsUsual>(arguments, thread, stride, differences, count_key);
    for (unsigned long long i = counted + thread; i < arguments.n; i += stride) {
      const Key key = arguments.keys_in[i];
      const StoredBits stored[1] = {bits_as<StoredBits>(key)};
      differences.add(stored);
      count_key(key);
    }
    sample.add(arguments);
    differences.note(arguments);

    add_counts(arguments, counters, digits * kBins, columns_log2);
    sample.note(arguments);
  }

 public:
  // Makes each digit's histogram its exclusive scan, and decides which passes there are to do: none for a digit that all keys
  // share, or that the digit above determines. One block, a thread for each bin.
  static __device__ __forceinline__ void plan_passes(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    __shared__ Count warp_totals[kBins / kWarpThreads];
    // Each thread reads what it has written itself.
    __shared__ Count counts[kCountedDigits][kBins];
    __shared__ BinShares warp_shares[kBins / kWarpThreads];
    __shared__ DigitShares shares[kCountedDigits];
    Control& control = control_of(arguments);
    const unsigned int bin = threadIdx.x;
    const int passes = pass_count(arguments.begin_bit, arguments.end_bit);
    int executed = 0;
    // Read once: thread 0 may take shared bits back when it has passed the last barrier.
    const int counted = has_other_digits(control) ? kCountedDigits : passes;
    // All are on their way before the first barrier: else each digit would wait for memory.
#pragma unroll
    for (int pass = 0; pass < kCountedDigits; ++pass) counts[pass][bin] = control.bins[pass][bin];
    __shared__ UpperDigitSamples samples;  // indexed by digits; thread 0 reads what it has written itself
    if (bin == 0) samples = control.samples.counts;
    // The last digit has none above it.
    const unsigned int independent_digits = control.independent_digits | 1u << passes >> 1;
    for (int pass = 0; pass < counted; ++pass) {
      const Count count = counts[pass][bin];
      int occupied;
      control.bins[pass][bin] = offset_of_bin(warp_totals, count, occupied);
      const bool is_constant = occupied <= 1;
      if (!is_constant && pass < passes && (independent_digits >> pass & 1u) != 0) {
        if (bin == 0) control.digits[executed] = pass;
        ++executed;
      }
      // Has a barrier behind the last read of the totals.
      const DigitShares own = find_shares(warp_shares, static_cast<float>(count), static_cast<float>(arguments.n), occupied);
      if (bin == 0) shares[pass] = own;
    }
    if (bin != 0) return;
    control.executed[0] = executed;
    if (passes >= kMinUpperPasses) plan_upper_digits(arguments, control, samples, shares, executed);
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

  // What samples tell of keys that agree.
  using UpperDigitSamples = KeySamples::Counts;

  // What some bins have.
  struct BinShares {
    float max;
    float agreement;

    // Of a thread's bin with its count of n keys, of which there are in as many bins.
    static __device__ __forceinline__ BinShares of(float count, float n, [[maybe_unused]] int occupied) {
      const float share = count / n;
      return {share, share * share};
    }

    // The shares of the lane at this distance.
    __device__ __forceinline__ BinShares of_other_lane(unsigned int distance) const {
      const auto of_other = [&](float share) { return __shfl_xor_sync(~0u, share, distance); };
      return {of_other(max), of_other(agreement)};
    }

    __device__ __forceinline__ void add(const BinShares& others) {
      max = fmaxf(max, others.max);
      agreement += others.agreement;
    }
  };

  struct DigitShares {
    // The share of keys that have the digit's most frequent value.
    float max;
    // How probable it is that two keys agree in it.
    float agreement;
    int values;

    static __device__ __forceinline__ DigitShares of(const BinShares& bins, int occupied) { return {bins.max, bins.agreement, occupied}; }
  };

  // What thread 0 gets is of all bins, each of which is a thread's, with its count of n keys. A barrier lies within; the storage may be
  // written again behind the next one.
  static __device__ __forceinline__ DigitShares find_shares(BinShares (&of_warps)[kBins / kWarpThreads], float count, float n, int occupied) {
    BinShares bins = BinShares::of(count, n, occupied);
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2) bins.add(bins.of_other_lane(distance));
    if (lane_of(threadIdx.x) == 0) of_warps[warp_of(threadIdx.x)] = bins;
    __syncthreads();
    if (threadIdx.x != 0) return {};
    for (unsigned int warp = 1; warp < kBins / kWarpThreads; ++warp) bins.add(of_warps[warp]);
    return DigitShares::of(bins, occupied);
  }

  // What the first phase sorts by.
  struct UpperDigits {
    // How many passes move anything; 0 if there is to be no such phase.
    int executed;
    // Keys that are still to be sorted agree from this bit up.
    int bit;
  };

  // Plans a first phase by upper digits if those of the keys' digits are fit for it, of which `executed` would move something. One thread.
  static __device__ __forceinline__ void plan_upper_digits(const Arguments& arguments, Control& control, const UpperDigitSamples& samples,
                                                           const DigitShares* shares, int executed) {
    const UpperDigits upper = choose_upper_digits(arguments, control, samples, shares, executed);
    if (upper.executed == 0) return;
    control.executed[0] = upper.executed;
    control.executed[1] = executed;
    control.upper_bit = upper.bit;
    control.sorts_upper_digits = 1;
  }

  // Whether samples show that many keys differ below this digit alone.
  static __device__ __forceinline__ bool has_many_ties(const Arguments& arguments, const KeySamples::Counts& samples, int digit) {
    // One may be so by chance. Three of one run are as many as keys have in long ones alone.
    constexpr unsigned int kMinFound = 2;
    constexpr unsigned int kMinFurther = 4;
    const int level = digit - KeySamples::kFirstLevel;
    if (samples.all < KeySamples::kMinCount || level < 0 || level >= KeySamples::kLevels) return false;
    const unsigned int further = samples.further[level];
    const unsigned int found = samples.second[level] + further;
    if (further >= kMinFurther) return true;
    // How many other keys agree with one.
    const float count = static_cast<float>(samples.all);
    return found >= kMinFound && 2 * static_cast<float>(found) * static_cast<float>(arguments.n) / (count * count) > 1;
  }

  // Whether keys of which samples tell nothing are few: if many samples are distinct, or as many as there are values of any digit. Samples
  // of one key in an array of others tell nothing.
  static __device__ __forceinline__ bool are_typical(const Control& control, const KeySamples::Counts& samples, const DigitShares* shares,
                                                     int executed) {
    constexpr unsigned int kMany = 1024;
    if (samples.all < KeySamples::kMinCount) return false;
    unsigned int most_values = 0;
    for (int i = 0; i < executed; ++i) most_values = max(most_values, static_cast<unsigned int>(shares[control.digits[i]].values));
    return samples.distinct >= (most_values < kMany ? most_values : kMany);
  }

  // Whether samples that agree from this digit up are copies of a key. As a margin, those that agree from the next digit up have to be.
  static __device__ __forceinline__ bool has_copies_alone(const KeySamples::Counts& samples, int digit) {
    const int level = digit + 1 - KeySamples::kFirstLevel;
    return level > 0 && level < KeySamples::kLevels && samples.second[level] + samples.further[level] == 0;
  }

  // The upper digits in which equal ones are rare, and not many agree in the same, as if digits were independent: if they are not,
  // samples tell, or _fix_up finds out. Copies of keys may be many, for they are in order whatever they are sorted by: where samples show that
  // keys that agree are copies, histograms do not matter.
  static __device__ __forceinline__ UpperDigits choose_upper_digits(const Arguments& arguments, const Control& control,
                                                                    const UpperDigitSamples& samples, const DigitShares* shares, int executed) {
    constexpr float kFew = 0.25f;
    constexpr float kShort = 8;
    float agreeing = static_cast<float>(arguments.n);
    float longest = agreeing;
    int chosen = 0;
    const bool in_place = arguments.keys_in == arguments.keys_out;
    const bool copies_are_known = are_typical(control, samples, shares, executed);
    bool is_enough = false;
    while (chosen < executed && !is_enough) {
      ++chosen;
      const int digit = control.digits[executed - chosen];
      agreeing *= shares[digit].agreement;
      longest *= shares[digit].max;
      const bool is_rare = agreeing <= kFew && longest <= kShort;
      const bool are_ties_few = is_rare || (copies_are_known && has_copies_alone(samples, digit));
      is_enough = are_ties_few && !(in_place && chosen % 2 == 1) &&
                  !has_many_ties(arguments, samples, digit);
    }
    // To look for ties takes as long as a pass, nearly.
    if (!is_enough || chosen + kSparedPasses > executed) return {};
    return {chosen, digit_of_pass(arguments, control.digits[executed - chosen]).bit};
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
    const int first = first_pass_slots(arguments.begin_bit, arguments.end_bit);
    if (control.sorts_upper_digits && pass_slot >= first) {
      const bool is_needed = control.needs_all;
      if (!is_needed || pass_slot - first >= control.executed[1]) return {0, 0, 1};
      return {pass_slot - first + 1, control.digits[pass_slot - first], 1};
    }
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
    if (position < valid_keys(buffers, valid_items)) buffers.keys_to[to] = bits_as<Key>(key);
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

  // The value in a slot of the arrays, or the position that it is.
  static __device__ __forceinline__ Value value_at([[maybe_unused]] const PassBuffers& buffers, const PassStorage& storage, unsigned int slot,
                                                   [[maybe_unused]] TileSlots slots) {
    const Value value = storage.arrays.values[slot];
    // The tile is read again: else its start takes a register for each of many items.
    const Value made = static_cast<Value>(static_cast<Count>(storage.tile) * kTileItems + slots.position_of(slot));
    return buffers.makes_values ? made : value;
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

  // After a first phase by the upper digits: sorts the runs of keys that tie in them, each by the warp that has its first key.
  // A run of more than kMaxRunKeys keys that differ is queued for _finish; where the queue has no room for one, the second phase sorts all.
  //
  // A warp looks at keys that another one may be moving: so keys are read by racing_load, and moved by
  // racing_store. It does not matter which key of those that were ever at an offset is read there:
  //
  // - A key moves within its run alone, so all of them agree from `bit` up, which are the run's upper digits. These alone decide
  //   where a run begins and ends, and so which one warp sorts it, and whether it has more than kMaxRunKeys.
  // - Whether a key is greater than the next one counts in a run of more, to which no warp writes, and in a warp's own runs.
  //
  // Each load has all of a key. Half of one and half of another would not do: the order of a float is made of its sign and its
  // other bits, and two halves may have a prefix that no key has.
  static __device__ __forceinline__ void fix_up_ties(const Arguments& arguments) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    const int bit = control.upper_bit;
    const unsigned int warps = blockDim.x / kWarpThreads;
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * warps * kWarpKeys;
    // A warp's keys lie side by side, row after row. Full warps go on together, the last one past the end.
    unsigned long long first = (static_cast<unsigned long long>(blockIdx.x) * warps + warp_of(threadIdx.x)) * kWarpKeys;
    for (; first < arguments.n; first += stride) {
      const WarpKeys keys = read_warp_keys(arguments, bit, first);
      if (!keys.has_ties()) continue;
      // Most runs have two keys: their warp exchanges these.
      if (keys.has_longer_run()) {
        sort_runs(arguments, bit, keys);
      } else {
        exchange_pairs(arguments, keys);
      }
    }
  }

 private:
  // The number of keys that each lane of _fix_up reads at a time.
  static constexpr int kFixUpRows = 4;

  // The number of keys, side by side, that a warp of _fix_up reads at a time. A run of more keys is long.
  static constexpr unsigned int kWarpKeys = 32 * kFixUpRows;

  // The most keys of a run that a warp sorts. It compares each with all others; samples tell where many runs have this many. Longer ones
  // are queued for _finish.
  static constexpr unsigned int kMaxRunKeys = 4 * kWarpKeys;

  // Keys side by side, row after row of a warp.
  struct WarpKeys {
    // The offset of the first one.
    unsigned long long first;
    Key own[kFixUpRows];
    // Of the last lane: the key behind them.
    Key behind;
    // For each row, the lanes with a key that agrees with the next one.
    unsigned int tied[kFixUpRows];
    // Whether the first key agrees with the one before.
    bool is_tied_before;

    __device__ __forceinline__ bool has_ties() const {
      unsigned int any = is_tied_before;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) any |= tied[row];
      return any != 0;
    }

    // Whether there is a run of more than two keys, or one that goes on before or behind these keys.
    __device__ __forceinline__ bool has_longer_run() const {
      unsigned int any = is_tied_before;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const bool is_last = row + 1 == kFixUpRows;
        any |= tied[row] & (tied[row] >> 1 | (is_last ? 1u : tied[is_last ? row : row + 1]) << 31);
      }
      return any != 0;
    }

    // The offset among these keys of a lane's key of a row.
    static __device__ __forceinline__ unsigned int at(int row) { return row * 32 + lane_of(threadIdx.x); }

    // The key behind a lane's own: the last lane of a row comes before the first one of the next.
    __device__ __forceinline__ Key next(int row) const {
      const unsigned int lane = lane_of(threadIdx.x);
      const bool is_last = row + 1 == kFixUpRows;
      const Key key = __shfl_sync(~0u, !is_last && lane == 0 ? own[is_last ? row : row + 1] : own[row], lane + 1);
      return is_last && lane == 31 ? behind : key;
    }

    // The first key of the run that a key is in, or 0 where that is before these keys.
    __device__ __forceinline__ unsigned int run_begin(unsigned int key) const {
      unsigned int begin = 0;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        if (key < row * 32u) continue;
        const unsigned int before = key - row * 32 < 32 ? (1u << (key - row * 32)) - 1 : ~0u;
        const unsigned int ends = ~tied[row] & before;
        if (ends != 0) begin = row * 32 + 32 - __clz(static_cast<int>(ends));
      }
      return begin;
    }

    // The end of the run that a key is in, or kWarpKeys + 1 where there are more of it behind these keys.
    __device__ __forceinline__ unsigned int run_end(unsigned int key) const {
      unsigned int end = kWarpKeys + 1;
#pragma unroll
      for (int row = kFixUpRows - 1; row >= 0; --row) {
        if (key >= row * 32u + 32) continue;
        const unsigned int from = key > row * 32u ? ~0u << (key - row * 32) : ~0u;
        const unsigned int ends = ~tied[row] & from;
        if (ends != 0) end = row * 32 + __ffs(static_cast<int>(ends));
      }
      return end;
    }
  };

  // Reads a warp's keys. All lanes call it.
  static __device__ __forceinline__ WarpKeys read_warp_keys(const Arguments& arguments, int bit, unsigned long long first) {
    const Key* const keys = arguments.keys_out;
    const unsigned long long n = arguments.n;
    const unsigned int lane = lane_of(threadIdx.x);
    WarpKeys result;
    result.first = first;
    // All are read before the first of them is looked at: no read waits for another. The first lane reads the key before
    // the warp's, the last one the key behind them.
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned long long i = first + WarpKeys::at(row);
      result.own[row] = racing_load(&keys[i < n ? i : n - 1]);
    }
    Key outer = result.own[0];
    if (lane == 0 && first > 0) outer = racing_load(&keys[first - 1]);
    if (lane == 31 && first + kWarpKeys < n) outer = racing_load(&keys[first + kWarpKeys]);
    result.behind = outer;
    const auto agree = [&](Key a, Key b) { return range_of(arguments, a, bit) == range_of(arguments, b, bit); };
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      result.tied[row] = __ballot_sync(~0u, agree(result.own[row], result.next(row)) && first + WarpKeys::at(row) + 1 < n);
    }
    result.is_tied_before = __any_sync(~0u, lane == 0 && first > 0 && agree(outer, result.own[0]));
    return result;
  }

  // Exchanges the keys of runs of two, of which no other ones are there, if they are not in order.
  static __device__ __forceinline__ void exchange_pairs(const Arguments& arguments, const WarpKeys& keys) {
    const unsigned int lane = lane_of(threadIdx.x);
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned int tied = keys.tied[row];
      if (tied == 0) continue;
      const Key next = keys.next(row);
      if ((tied >> lane & 1) == 0) continue;
      if (descends(arguments, keys.own[row], next)) exchange(arguments, keys.first + WarpKeys::at(row), keys.own[row], next);
    }
  }

  static __device__ __forceinline__ bool descends(const Arguments& arguments, Key key, Key next) {
    return range_of(arguments, key, arguments.begin_bit) > range_of(arguments, next, arguments.begin_bit);
  }

  // Exchanges the two keys of a run, of which `first` is at offset i, and their values.
  static __device__ __forceinline__ void exchange(const Arguments& arguments, unsigned long long i, Key first, Key second) {
    racing_store(&arguments.keys_out[i], second);
    racing_store(&arguments.keys_out[i + 1], first);
    Value* const values = arguments.values_out;
    const Value value = values[i];
    values[i] = values[i + 1];
    values[i + 1] = value;
  }

  // Sorts the runs that begin among a warp's keys, and looks whether a longer one that begins before them is in order here. What is rare comes last,
  // and reads again what it needs, so that no registers are kept for it.
  static __device__ __forceinline__ void sort_runs(const Arguments& arguments, int bit, const WarpKeys& keys) {
    const unsigned long long first = keys.first;
    // Keys in front that are of a run that begins before them.
    const unsigned int continued = keys.is_tied_before ? keys.run_end(0) : 0;
    const bool goes_on = keys.run_end(kWarpKeys - 1) > kWarpKeys;
    const unsigned int last = goes_on ? keys.run_begin(kWarpKeys - 1) : kWarpKeys;
    // Sorted keys, and copies of some, do not.
    const bool descends_here = has_descent(arguments, keys, 0, kWarpKeys);
    const bool descends_before = descends_here && has_descent(arguments, keys, 0, continued);
    if (descends_here && continued < last) sort_runs_inside(arguments, bit, keys, continued, last);
    if (descends_before) note_descent(arguments, bit, first, continued);
    if (goes_on && last >= continued) sort_last_run(arguments, bit, first + last);
  }

  // Sorts a run that goes on behind the warp's keys that its first one is among: by itself if it has at most kMaxRunKeys.
  static __device__ __forceinline__ void sort_last_run(const Arguments& arguments, int bit, unsigned long long first) {
    WarpKeys keys = read_warp_keys(arguments, bit, first);
    unsigned int end = keys.run_end(0);
    if (end > kWarpKeys && has_equal_keys(arguments, bit, first)) return;
    unsigned int count = 0;
    bool is_descent = false;
#pragma unroll 1
    for (;;) {
      // The last key of kMaxRunKeys is compared with the one behind it by the warp that has it.
      is_descent |= has_descent(arguments, keys, 0, end < kMaxRunKeys - 1 - count ? end : kMaxRunKeys - 1 - count);
      count += end <= kWarpKeys ? end : kWarpKeys;
      if (end <= kWarpKeys || count == kMaxRunKeys) break;
      keys = read_warp_keys(arguments, bit, first + count);
      end = keys.run_end(0);
    }
    if (!is_descent) return;
    if (end <= kWarpKeys) {
      sort_long_run(arguments, first, count);
    } else {
      queue_run(arguments, bit, first);
    }
  }

  // Queues a run of more than kMaxRunKeys that goes on into these keys from before, if it descends here first, but not among the keys
  // that the warp of its first one has seen.
  static __device__ __forceinline__ void note_descent(const Arguments& arguments, int bit, unsigned long long offset, unsigned int continued) {
    const WarpKeys keys = read_warp_keys(arguments, bit, offset);
    if (count_before(arguments, bit, keys) + continued <= kMaxRunKeys) return;
    const unsigned long long first = keys.first - count_agreeing<false>(arguments, bit, keys.first);
    if (keys.first - first == max_queued_keys(arguments)) {
      needs_second_phase(arguments);
      return;
    }
    const unsigned long long seen = first + kMaxRunKeys - 1;
    if (!has_descent(arguments, keys, seen > keys.first ? static_cast<unsigned int>(seen - keys.first) : 0, continued)) return;
    const unsigned long long before = seen > keys.first ? seen : keys.first;
#pragma unroll 1
    for (unsigned long long i = first; i < before; i += kWarpKeys) {
      if (has_descent(arguments, read_warp_keys(arguments, bit, i), 0, before - i < kWarpKeys ? static_cast<unsigned int>(before - i) : kWarpKeys)) return;
    }
    queue_run(arguments, bit, first);
  }

  // Whether all keys are equal of the run that begins at offset `first`, or the first kMaxRunKeys of them. All lanes call it.
  static __device__ __forceinline__ bool has_equal_keys(const Arguments& arguments, int bit, unsigned long long first) {
    const Key key = arguments.keys_out[first];
    const unsigned long long left = arguments.n - first;
#pragma unroll 1
    for (unsigned int row = 0; row < kMaxRunKeys; row += kWarpKeys) {
      Key own[kFixUpRows];
      bool is_other = false;
#pragma unroll
      for (int i = 0; i < kFixUpRows; ++i) {
        const unsigned int at = row + WarpKeys::at(i);
        own[i] = racing_load(&arguments.keys_out[first + (at < left ? at : 0)]);
        is_other |= at >= left || own[i] != key;
      }
      if (!__any_sync(~0u, is_other)) continue;
      // Keys behind the run do not agree, and end it.
      bool is_of_run = false;
#pragma unroll
      for (int i = 0; i < kFixUpRows; ++i) {
        is_of_run |= own[i] != key && range_of(arguments, own[i], bit) == range_of(arguments, key, bit);
      }
      return !__any_sync(~0u, is_of_run);
    }
    return true;
  }

  // Sorts the `count` keys of a run from offset `first` on, by way of the scratch arrays, which no one needs between the phases. No other warp writes to the
  // run, so plain loads have its keys. All lanes call it.
  static __device__ __forceinline__ void sort_long_run(const Arguments& arguments, unsigned long long first, unsigned int count) {
    const Key* const from = arguments.keys_out + first;
    Key* const to = arguments.keys_alternate + first;
#pragma unroll 1
    for (unsigned int row = 0; row < count; row += kWarpKeys) {
      Bits ranges[kFixUpRows];
      unsigned int before[kFixUpRows];
#pragma unroll
      for (int own = 0; own < kFixUpRows; ++own) {
        const unsigned int at = row + WarpKeys::at(own);
        ranges[own] = range_of(arguments, from[at < count ? at : 0], arguments.begin_bit);
        before[own] = 0;
      }
#pragma unroll 4
      for (unsigned int other = 0; other < count; ++other) {
        const Bits other_range = range_of(arguments, from[other], arguments.begin_bit);
#pragma unroll
        for (int own = 0; own < kFixUpRows; ++own) {
          before[own] += other_range < ranges[own] || (other_range == ranges[own] && other < row + WarpKeys::at(own));
        }
      }
#pragma unroll
      for (int own = 0; own < kFixUpRows; ++own) {
        const unsigned int at = row + WarpKeys::at(own);
        if (at >= count) continue;
        to[before[own]] = from[at];
        arguments.values_alternate[first + before[own]] = arguments.values_out[first + at];
      }
    }
    __syncwarp();
    for (unsigned int at = lane_of(threadIdx.x); at < count; at += 32) {
      racing_store(&arguments.keys_out[first + at], to[at]);
      arguments.values_out[first + at] = arguments.values_alternate[first + at];
    }
  }

  // Whether a key of offsets from `begin` to `end` is greater than the next one of its run. All lanes call it.
  static __device__ __forceinline__ bool has_descent(const Arguments& arguments, const WarpKeys& keys, unsigned int begin, unsigned int end) {
    bool has = false;
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const Key next = keys.next(row);
      const bool is_tied = (keys.tied[row] >> lane_of(threadIdx.x) & 1) != 0;
      has |= is_tied && keys.at(row) >= begin && keys.at(row) < end && descends(arguments, keys.own[row], next);
    }
    return __any_sync(~0u, has);
  }

  // The number of keys just before a warp's that agree with its first one, up to kMaxRunKeys. All lanes call it.
  static __device__ __forceinline__ unsigned int count_before(const Arguments& arguments, int bit, const WarpKeys& keys) {
    const Bits upper = range_of(arguments, __shfl_sync(~0u, keys.own[0], 0), bit);
    unsigned int count = 0;
#pragma unroll 1
    for (int row = 0; row * 32u < kMaxRunKeys && count == row * 32u; ++row) {
      const unsigned int back = keys.at(row) + 1;
      const bool agrees = back <= keys.first && range_of(arguments, racing_load(&arguments.keys_out[keys.first - back]), bit) == upper;
      const unsigned int others = __ballot_sync(~0u, !agrees);
      count += others == 0 ? 32 : __ffs(static_cast<int>(others)) - 1;
    }
    return count;
  }

  // All store the same.
  static __device__ __forceinline__ void needs_second_phase(const Arguments& arguments) { racing_store(&control_of(arguments).needs_all, 1); }

  // The composite key of a key of a run, which orders as the key does and then by where it is:
  //
  //   | bits of the key that runs differ in | offset among the keys: 7 bits |
  struct RunComposite {
    static constexpr int kOffsetBits = 7;
    static_assert(kWarpKeys == 1u << kOffsetBits && 8 * sizeof(Bits) == 64, "a composite key has what runs differ in, and an offset");
    static __device__ __forceinline__ Bits pack(Bits compared, unsigned int offset) { return compared << kOffsetBits | offset; }
    static __device__ __forceinline__ unsigned int offset_of(Bits composite) { return static_cast<unsigned int>(composite) % kWarpKeys; }
  };

  // Sorts the runs among these keys from `begin` to `end`: neighbours are exchanged until none of a run descend. All lanes call it.
  static __device__ __forceinline__ void sort_runs_inside(const Arguments& arguments, int bit, const WarpKeys& keys, unsigned int begin,
                                                         unsigned int end) {
    const unsigned int lane = lane_of(threadIdx.x);
    const Bits lower = (Bits(1) << (bit - arguments.begin_bit)) - 1;
    Bits composites[kFixUpRows];
    // Whether the composite key is of a run with the one before, or with the next one: a bit for each row.
    unsigned int tied_before = 0;
    unsigned int tied_next = 0;
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned int at = WarpKeys::at(row);
      composites[row] = RunComposite::pack(range_of(arguments, keys.own[row], arguments.begin_bit) & lower, at);
      const unsigned int of_row = keys.tied[row];
      const unsigned int before = of_row << 1 | (row > 0 ? keys.tied[row > 0 ? row - 1 : 0] >> 31 : 0);
      if (at >= begin && at + 1 < end && (of_row >> lane & 1) != 0) tied_next |= 1u << row;
      if (at > begin && at < end && (before >> lane & 1) != 0) tied_before |= 1u << row;
    }
    // Lanes are in pairs. The even rounds exchange with the lane beside in the pair, the odd ones with the lane of the pair beside.
    const bool is_upper_of_pair = lane % 2 == 1;
    const unsigned int tied_even = is_upper_of_pair ? tied_before : tied_next;
    const unsigned int tied_odd = is_upper_of_pair ? tied_next : tied_before;
    bool moves;
    do {
      moves = false;
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const Bits other = __shfl_xor_sync(~0u, composites[row], 1);
        const bool is_exchanged = (tied_even >> row & 1) != 0 && (other > composites[row]) == is_upper_of_pair;
        composites[row] = is_exchanged ? other : composites[row];
        moves |= is_exchanged;
      }
      Bits others[kFixUpRows];
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const int above = row + 1 < kFixUpRows ? row + 1 : row;
        const int below = row > 0 ? row - 1 : row;
        const Bits given = lane == 0 ? composites[above] : lane == 31 ? composites[below] : composites[row];
        others[row] = __shfl_sync(~0u, given, is_upper_of_pair ? lane + 1 : lane + 31);
      }
#pragma unroll
      for (int row = 0; row < kFixUpRows; ++row) {
        const bool is_exchanged = (tied_odd >> row & 1) != 0 && (others[row] < composites[row]) == is_upper_of_pair;
        composites[row] = is_exchanged ? others[row] : composites[row];
        moves |= is_exchanged;
      }
    } while (__any_sync(~0u, moves));
    move_keys(arguments, keys.first, composites);
  }

  // Moves to each offset among a warp's keys the one that its composite key names. All lanes call it.
  static __device__ __forceinline__ void move_keys(const Arguments& arguments, unsigned long long first, const Bits (&composites)[kFixUpRows]) {
    Key keys[kFixUpRows];
    Value values[kFixUpRows];
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      const unsigned int from = RunComposite::offset_of(composites[row]);
      if (from == WarpKeys::at(row)) continue;
      keys[row] = racing_load(&arguments.keys_out[first + from]);
      values[row] = arguments.values_out[first + from];
    }
    __syncwarp();
#pragma unroll
    for (int row = 0; row < kFixUpRows; ++row) {
      if (RunComposite::offset_of(composites[row]) == WarpKeys::at(row)) continue;
      racing_store(&arguments.keys_out[first + WarpKeys::at(row)], keys[row]);
      arguments.values_out[first + WarpKeys::at(row)] = values[row];
    }
  }

  // Runs of tied keys that are too long for a warp are queued by _fix_up, and _finish sorts them, each by a block: digit by digit, by way of the
  // scratch arrays, which no one needs any more.

  // A run in the queue:
  //
  //   | offset of its first key: 48 bits | keys: 16 bits |
  struct QueuedRun {
    unsigned long long word;
    static __device__ __forceinline__ QueuedRun pack(unsigned long long first, unsigned int count) { return {first << 16 | count}; }
    __device__ __forceinline__ unsigned long long first() const { return word >> 16; }
    __device__ __forceinline__ unsigned int count() const { return static_cast<unsigned int>(word & 0xffffu); }
  };

  // The most keys of a run in the queue: a small part of all, for which a block takes less time than all of them do for another pass.
  static __device__ __forceinline__ unsigned int max_queued_keys(const Arguments& arguments) {
    constexpr unsigned int kLeast = 2 * kMaxRunKeys;
    constexpr unsigned int kMost = 1u << 14;
    const unsigned long long part = arguments.n / 64;
    return part < kLeast ? kLeast : part < kMost ? static_cast<unsigned int>(part) : kMost;
  }

  // Queues the run that begins at this offset. If it has too many keys, or too many are queued, the second phase is to do. All lanes call it.
  static __device__ __forceinline__ void queue_run(const Arguments& arguments, int bit, unsigned long long first) {
    const unsigned int count = 1 + count_agreeing<true>(arguments, bit, first);
    if (lane_of(threadIdx.x) != 0) return;
    Control& control = control_of(arguments);
    const bool has_room = count <= max_queued_keys(arguments);
    const unsigned int queued = has_room ? atomicAdd(&control.queued_run_count, 1u) : kMaxQueuedRuns;
    if (queued < kMaxQueuedRuns) {
      control.queued_runs[queued] = QueuedRun::pack(first, count).word;
    } else {
      needs_second_phase(arguments);
    }
  }

  // The number of keys just behind an offset, or just before it, that agree with the one there, up to as many as a run in the queue has. All lanes call it, and
  // search together: keys are in order of what they agree in.
  template <bool kIsBehind>
  static __device__ __forceinline__ unsigned int count_agreeing(const Arguments& arguments, int bit, unsigned long long offset) {
    const auto upper_at = [&](unsigned long long i) { return range_of(arguments, racing_load(&arguments.keys_out[i]), bit); };
    const Bits upper = upper_at(offset);
    const unsigned long long there = kIsBehind ? arguments.n - 1 - offset : offset;
    unsigned int agreeing = 0;
    const unsigned int limit = max_queued_keys(arguments);
    unsigned int most = there < limit ? static_cast<unsigned int>(there) : limit;
#pragma unroll 1
    while (agreeing < most) {
      // Each lane looks at the last key of a share.
      const unsigned int share = (most - agreeing + kWarpThreads - 1) / kWarpThreads;
      const unsigned int last = agreeing + share * (lane_of(threadIdx.x) + 1);
      const bool agrees = last <= most && upper_at(kIsBehind ? offset + last : offset - last) == upper;
      const unsigned int shares = __popc(__ballot_sync(~0u, agrees));
      agreeing += share * shares;
      const unsigned int end = agreeing + share - 1;
      if (end < most) most = end;
    }
    return agreeing;
  }

  // What a block of _finish keeps in shared memory.
  struct RunStorage {
    static constexpr unsigned int kMaxWarps = 32;
    // For each warp and digit: items, then the offset in the run of the next one.
    unsigned int histograms[kMaxWarps][kBins];
    unsigned int totals[kBins];
  };

  // Sorts the runs of the queue. All threads of all blocks call it.
  static __device__ __forceinline__ void sort_queued_runs(const Arguments& arguments, const Control& control) {
    __shared__ RunStorage storage;
    const unsigned int count = control.queued_run_count;
#pragma unroll 1
    for (unsigned int i = blockIdx.x; i < count; i += gridDim.x) {
      const QueuedRun run{control.queued_runs[i]};
      bool is_in_scratch = false;
#pragma unroll 1
      for (int pass = 0; digit_of_pass(arguments, pass).bit < control.upper_bit; ++pass) {
        if (sort_run_by_digit(arguments, storage, run, pass, is_in_scratch)) is_in_scratch = !is_in_scratch;
      }
      if (!is_in_scratch) continue;
#pragma unroll 1
      for (unsigned long long at = run.first() + threadIdx.x; at < run.first() + run.count(); at += blockDim.x) {
        arguments.keys_out[at] = arguments.keys_alternate[at];
        arguments.values_out[at] = arguments.values_alternate[at];
      }
    }
  }

  // Sorts a run by a digit, from the arrays of the result to the scratch arrays or back, unless all of its keys share the digit. Returns whether they
  // do not. All threads of the block call it; a barrier lies at the end.
  static __device__ __forceinline__ bool sort_run_by_digit(const Arguments& arguments, RunStorage& storage, QueuedRun run, int pass, bool from_scratch) {
    const Key* const from = (from_scratch ? arguments.keys_alternate : arguments.keys_out) + run.first();
    const Digit digit = digit_of_pass(arguments, pass);
    const unsigned int warps = blockDim.x / kWarpThreads;
    const unsigned int lane = lane_of(threadIdx.x);
    unsigned int (&histogram)[kBins] = storage.histograms[warp_of(threadIdx.x)];
    // Full rows, but for the last one of all.
    const unsigned int share = (run.count() / kWarpThreads / warps + 1) * kWarpThreads;
    const unsigned int begin = warp_of(threadIdx.x) * share;
    const unsigned int end = begin + share < run.count() ? begin + share : run.count();
#pragma unroll 1
    for (unsigned int bin = lane; bin < kBins; bin += 32) histogram[bin] = 0;
    __syncwarp();
#pragma unroll 1
    for (unsigned int i = begin + lane; i < end; i += 32) atomicAdd(&histogram[digit.of(from[i])], 1u);
    __syncthreads();
    if (!scan_run_histograms(storage, run.count())) return false;
    const unsigned int lanes_below = (1u << lane) - 1u;
    Key* const to = (from_scratch ? arguments.keys_out : arguments.keys_alternate) + run.first();
#pragma unroll 1
    for (unsigned int first = begin; first < end; first += 32) {
      const bool is_there = first + lane < end;
      const Key key = from[is_there ? first + lane : first];
      const unsigned int own = digit.of(key);
      // Lanes past the end are above all others, and in the last row.
      const unsigned int same = lanes_of_same_digit<kRadixBits>(own);
      const unsigned int next = histogram[own];
      // All lanes have read; the lowest of each digit writes for the next row.
      __syncwarp();
      if (is_there && (same & lanes_below) == 0) histogram[own] = next + __popc(same);
      __syncwarp();
      if (!is_there) continue;
      const unsigned int at = next + __popc(same & lanes_below);
      to[at] = key;
      const Value* const values_from = from_scratch ? arguments.values_alternate : arguments.values_out;
      Value* const values_to = from_scratch ? arguments.values_out : arguments.values_alternate;
      values_to[run.first() + at] = values_from[run.first() + first + lane];
    }
    __syncthreads();
    return true;
  }

  // Makes the warps' counts of each digit the offsets of their first items. Returns whether there is more than one digit: else they stay as they are. All
  // threads of the block call it; barriers lie before the first read by others and at the end.
  static __device__ __forceinline__ bool scan_run_histograms(RunStorage& storage, unsigned int count) {
    const unsigned int warps = blockDim.x / kWarpThreads;
    bool is_only = false;
#pragma unroll 1
    for (unsigned int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
      unsigned int total = 0;
#pragma unroll 1
      for (unsigned int warp = 0; warp < warps; ++warp) total += storage.histograms[warp][bin];
      storage.totals[bin] = total;
      is_only |= total == count;
    }
    if (__syncthreads_or(is_only)) return false;
    if (threadIdx.x < 32) {
      constexpr unsigned int kBinsOfThread = kBins / kWarpThreads;
      unsigned int* const own = storage.totals + threadIdx.x * kBinsOfThread;
      unsigned int sum = 0;
#pragma unroll
      for (unsigned int i = 0; i < kBinsOfThread; ++i) sum += own[i];
      unsigned int before = inclusive_sum_in_warp(sum, ~0u) - sum;
#pragma unroll
      for (unsigned int i = 0; i < kBinsOfThread; ++i) {
        const unsigned int total = own[i];
        own[i] = before;
        before += total;
      }
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
      unsigned int offset = storage.totals[bin];
#pragma unroll 1
      for (unsigned int warp = 0; warp < warps; ++warp) {
        const unsigned int of_warp = storage.histograms[warp][bin];
        storage.histograms[warp][bin] = offset;
        offset += of_warp;
      }
    }
    __syncthreads();
    return true;
  }

 public:
  // Copies the result to where it belongs, if no pass has written it there: in place after an odd number of passes, and
  // to other arrays after none.
  static __device__ __forceinline__ void finish(const Arguments& arguments) {
    wait_for_previous_grid();
    const Control& control = control_of(arguments);
    if (control.queued_run_count > 0 && !needs_all(arguments, control)) {
      sort_queued_runs(arguments, control);
      return;
    }
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
        values[own] = from_scratch ? arguments.values_alternate[i] : static_cast<Value>(i);
      }
#pragma unroll
      for (int own = 0; own < kCopied; ++own) {
        const unsigned long long i = first + own * stride;
        if (i >= arguments.n) continue;
        if (copies_keys) arguments.keys_out[i] = keys[own];
        arguments.values_out[i] = values[own];
      }
    }
  }
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: the sign bit flipped.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    return bits_as<StoredBits>(key) ^ kSign;
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    return bits_as<Key>(static_cast<StoredBits>(ordered ^ kSign));
  }

  // What is compared of ordered bits: all of them.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) { return ordered; }

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

  static __device__ __forceinline__ unsigned int* sample_slots_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned int*>(arguments.workspace + control_and_descriptor_bytes(arguments.n));
  }

  // The key's bits from `bit` to the end of the range.
  static __device__ __forceinline__ Bits range_of(const Arguments& arguments, Key key, int bit) {
    const Bits compared = compared_bits(to_ordered_bits(key));
    const int above = 8 * sizeof(Bits) - arguments.end_bit;
    return compared << above >> above >> bit;
  }

  // Whether the first phase sorts by upper digits, and whether the second one has to sort all items.
  static __device__ __forceinline__ bool sorts_upper_digits([[maybe_unused]] const Control& control) {
    return control.sorts_upper_digits;
  }

  static __device__ __forceinline__ bool needs_all([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const Control& control) {
    return control.needs_all;
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
device_radix_sort_i64_index_b384_i14_asc_wide_count(sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::count_digits(arguments, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256)
device_radix_sort_i64_index_b384_i14_asc_wide_plan(sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::Arguments arguments) {
  sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::plan_passes(arguments);
}

extern "C" __global__ void __launch_bounds__(384, 2)
device_radix_sort_i64_index_b384_i14_asc_wide_pass(sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::Arguments arguments, int pass_slot) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::run_pass(arguments, pass_slot, sortsmith_shared);
}

extern "C" __global__ void __launch_bounds__(256, 4)
device_radix_sort_i64_index_b384_i14_asc_wide_fix_up(sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::Arguments arguments) {
  sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::fix_up_ties(arguments);
}

extern "C" __global__ void __launch_bounds__(768, sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::kResidentFinishing)
device_radix_sort_i64_index_b384_i14_asc_wide_finish(sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::Arguments arguments) {
  sortsmith::device_radix_sort_i64_index_b384_i14_asc_wide::finish(arguments);
}
#endif
