// device_odd_even_sort_f32_u32_b64_i4_asc
//
// Sorts f32 keys with 4-byte values, ascending: an array of tiny n, by odd-even transposition in the shared
// memory of one block. Stable: equal keys keep their input order.
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
//
// Glossary
//   pair:  two neighbours, which are exchanged where the right one is less
//   round: the pairs that begin at even positions, or those that begin at odd ones; no item is in two of them
//
// After as many rounds as there are items no pair is out of order. The host's launch:
//
//   device_odd_even_sort_f32_u32_b64_i4_asc_sort<<<1, 64, 2048, stream>>>(arguments);
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith 0.1.0 from the template device_odd_even_sort; to make it again:
//   sortsmith emit --name device_odd_even_sort_f32_u32_b64_i4_asc --out .
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

#ifndef SORTSMITH_V0_1_0_DEVICE_ODD_EVEN_SORT_F32_U32_B64_I4_ASC
#define SORTSMITH_V0_1_0_DEVICE_ODD_EVEN_SORT_F32_U32_B64_I4_ASC
namespace sortsmith {
inline namespace v0_1_0 {

struct device_odd_even_sort_f32_u32_b64_i4_asc {
  using Key = float;
  using Value = unsigned int;

  static constexpr int kBlockThreads = 64;
  static constexpr int kItemsPerThread = 4;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = 32;
  // The shared memory of the block.
  static constexpr unsigned int kSharedBytes = 2048;
  static constexpr unsigned long long kMaxItems = kTileItems;

  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // Not used by this sort.
    Key* keys_alternate;
    // The same of values.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n), aligned to 16; the first zeroed_bytes(n) of them zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // Not used by this sort: all of the key takes part.
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // Not used by this sort.
    int unused[3];
    // Not used by this sort.
    unsigned int* sort_counter;
    // Not used by this sort.
    unsigned long long row_stride;
  };

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = unsigned int;
  using StoredBits = unsigned int;
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
  static constexpr Bits kAllBits = StoredBits(~StoredBits(0));

  // Ordered bits of a key: all bits of a negative key flipped, the sign of any other.
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    const Bits bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? kAllBits : kSign);
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    const Bits bits = ordered;
    return bits_as<Key>(static_cast<StoredBits>(bits ^ (bits & kSign ? kSign : kAllBits)));
  }
  // Ordered bits of zeros, which are next to each other.
  static constexpr Bits kPositiveZero = kSign;
  static constexpr Bits kNegativeZero = kSign - 1;

  // What is compared of ordered bits: -0.0 as if it were +0.0.
  static __device__ __forceinline__ Bits compared_bits(Bits ordered) {
    return ordered == kNegativeZero ? kPositiveZero : ordered;
  }

 public:
  // The ordered bits and values, by their positions.
  struct TempStorage {
    StoredBits bits[kTileItems];
    Value values[kTileItems];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // The sort has no workspace.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long) { return 0; }

  explicit __device__ __forceinline__ device_odd_even_sort_f32_u32_b64_i4_asc(TempStorage& storage) : storage_(storage) {}

  // Sorts the array. All of it is read before any of it is written.
  __device__ __forceinline__ void sort(const Arguments& arguments) {
    wait_for_previous_grid();
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    for (unsigned int i = threadIdx.x; i < n; i += kBlockThreads) {
      storage_.bits[i] = static_cast<StoredBits>(to_ordered_bits(arguments.keys_in[i]));
      storage_.values[i] = arguments.values_in[i];
    }
    __syncthreads();
    for (unsigned int round = 0; round < n; ++round) {
      for (unsigned int left = 2 * threadIdx.x + round % 2; left + 1 < n; left += 2 * kBlockThreads) {
        order_pair(left);
      }
      // The next round's pairs have an item of each of two of these.
      __syncthreads();
    }
    for (unsigned int i = threadIdx.x; i < n; i += kBlockThreads) {
      arguments.keys_out[i] = to_key(storage_.bits[i]);
      arguments.values_out[i] = storage_.values[i];
    }
  }

 private:
  // Puts the pair that begins at this position in order. Equal keys stay as they are, so the sort is stable.
  __device__ __forceinline__ void order_pair(unsigned int left) {
    const StoredBits left_bits = storage_.bits[left];
    const StoredBits right_bits = storage_.bits[left + 1];
    if (compared_bits(right_bits) < compared_bits(left_bits)) {
      storage_.bits[left] = right_bits;
      storage_.bits[left + 1] = left_bits;
      const Value left_value = storage_.values[left];
      storage_.values[left] = storage_.values[left + 1];
      storage_.values[left + 1] = left_value;
    }
  }

  TempStorage& storage_;
};

}  // namespace v0_1_0
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__(64, 1)
device_odd_even_sort_f32_u32_b64_i4_asc_sort(sortsmith::device_odd_even_sort_f32_u32_b64_i4_asc::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::device_odd_even_sort_f32_u32_b64_i4_asc;
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).sort(arguments);
}
#endif
