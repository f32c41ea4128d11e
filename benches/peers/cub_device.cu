// CUB's device-wide radix sorts behind a C interface, for benches/device. One object file holds one type:
//
//   PEER_TAG    the type's name in the symbol, such as f32_u32
//   PEER_KEY    the type of the keys
//   PEER_VALUE  the type of the values; without it keys alone are sorted
#include <cub/device/device_radix_sort.cuh>

#include <climits>
#include <cstdint>

#include <cuda_runtime.h>

namespace {

using Key = PEER_KEY;

// What the function returns for what this type does not have.
constexpr int kUnsupported = -1;

// As the bench has them.
enum Mode {
  // From one array to another; CUB allocates what it needs between them.
  kInToOut = 0,
  // Back and forth between two arrays, both of which are written.
  kDoubleBuffer = 1,
  // Positions are made first, and then sorted with the keys from one array to another.
  kPositions = 2,
};

#ifdef PEER_VALUE
using Value = PEER_VALUE;

__global__ void fill_positions(Value* positions, unsigned int n) {
  const unsigned int step = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) positions[i] = i;
}
#endif

}  // namespace

#define PEER_JOIN(tag) sortsmith_peer_device_##tag
#define PEER_SYMBOL(tag) PEER_JOIN(tag)

// Sorts n keys by bits begin_bit to end_bit; or, without temporary storage, says how much of it there must be. Writes
// which array of keys holds the result: 0 for keys_in, 1 for keys_out; values likewise. Returns 0, a cudaError_t, or -1.
extern "C" __attribute__((visibility("default"))) int PEER_SYMBOL(PEER_TAG)(
    int mode, void* temp, size_t* temp_bytes, void* keys_in, void* keys_out, void* values_in, void* values_out,
    unsigned long long n, int begin_bit, int end_bit, int* result_in, void* stream_handle) {
  if (n > INT_MAX) return kUnsupported;
  // Of the types that CUB takes for it the one that makes its fastest kernels.
  const int items = static_cast<int>(n);
  const cudaStream_t stream = static_cast<cudaStream_t>(stream_handle);
  Key* const keys[2] = {static_cast<Key*>(keys_in), static_cast<Key*>(keys_out)};
  *result_in = 1;
#ifdef PEER_VALUE
  Value* const values[2] = {static_cast<Value*>(values_in), static_cast<Value*>(values_out)};
  if (mode == kDoubleBuffer) {
    cub::DoubleBuffer<Key> both_keys(keys[0], keys[1]);
    cub::DoubleBuffer<Value> both_values(values[0], values[1]);
    const cudaError_t error = cub::DeviceRadixSort::SortPairs(temp, *temp_bytes, both_keys, both_values, items,
                                                              begin_bit, end_bit, stream);
    *result_in = both_keys.selector;
    return static_cast<int>(error);
  }
  if (mode == kPositions && temp != nullptr) {
    fill_positions<<<1056, 256, 0, stream>>>(values[0], static_cast<unsigned int>(items));
  }
  return static_cast<int>(cub::DeviceRadixSort::SortPairs(temp, *temp_bytes, keys[0], keys[1], values[0], values[1],
                                                          items, begin_bit, end_bit, stream));
#else
  if (mode == kPositions) return kUnsupported;
  if (mode == kDoubleBuffer) {
    cub::DoubleBuffer<Key> both(keys[0], keys[1]);
    const cudaError_t error =
        cub::DeviceRadixSort::SortKeys(temp, *temp_bytes, both, items, begin_bit, end_bit, stream);
    *result_in = both.selector;
    return static_cast<int>(error);
  }
  return static_cast<int>(
      cub::DeviceRadixSort::SortKeys(temp, *temp_bytes, keys[0], keys[1], items, begin_bit, end_bit, stream));
#endif
}
