// A library's device-wide radix sorts behind a C interface, for benches/device and benches/matrix: CUB's, or those of a library with
// the same functions. One object file holds one type:
//
//   PEER_LIBRARY  the library's name in the symbol and its namespace: cub or cusort
//   PEER_HEADER   its header
//   PEER_TAG      the type's name in the symbol, such as f32_u32
//   PEER_KEY      the type of the keys
//   PEER_VALUE    the type of the values; without it keys alone are sorted
#include PEER_HEADER

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
  // The first two again, with the number of items as a 64-bit integer, for which CUB has other kernels.
  kInToOutBy64 = 3,
  kDoubleBufferBy64 = 4,
};

#ifdef PEER_VALUE
using Value = PEER_VALUE;

__global__ void write_positions(Value* positions, unsigned int n) {
  const unsigned int step = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) positions[i] = i;
}
#endif

}  // namespace

namespace {

// One sort, or, without temporary storage, how much of it there must be.
template <typename Count>
cudaError_t sort(bool double_buffer, void* temp, size_t& temp_bytes, Key* const (&keys)[2], void* const (&value_arrays)[2],
                 Count items, int begin_bit, int end_bit, int& result_in, cudaStream_t stream) {
  using Sort = PEER_LIBRARY::DeviceRadixSort;
  result_in = 1;
  PEER_LIBRARY::DoubleBuffer<Key> both(keys[0], keys[1]);
#ifdef PEER_VALUE
  Value* const values[2] = {static_cast<Value*>(value_arrays[0]), static_cast<Value*>(value_arrays[1])};
  if (!double_buffer) {
    return Sort::SortPairs(temp, temp_bytes, keys[0], keys[1], values[0], values[1], items, begin_bit, end_bit, stream);
  }
  PEER_LIBRARY::DoubleBuffer<Value> both_values(values[0], values[1]);
  const cudaError_t error = Sort::SortPairs(temp, temp_bytes, both, both_values, items, begin_bit, end_bit, stream);
#else
  static_cast<void>(value_arrays);
  if (!double_buffer) return Sort::SortKeys(temp, temp_bytes, keys[0], keys[1], items, begin_bit, end_bit, stream);
  const cudaError_t error = Sort::SortKeys(temp, temp_bytes, both, items, begin_bit, end_bit, stream);
#endif
  result_in = both.Current() == keys[1];
  return error;
}

}  // namespace

#define PEER_JOIN(library, tag) sortsmith_peer_##library##_device_##tag
#define PEER_SYMBOL(library, tag) PEER_JOIN(library, tag)

// Sorts n keys by bits begin_bit to end_bit; or, without temporary storage, says how much of it there must be. Writes
// which array of keys holds the result: 0 for keys_in, 1 for keys_out; values likewise. Returns 0, a cudaError_t, or -1.
extern "C" __attribute__((visibility("default"))) int PEER_SYMBOL(PEER_LIBRARY, PEER_TAG)(
    int mode, void* temp, size_t* temp_bytes, void* keys_in, void* keys_out, void* values_in, void* values_out,
    unsigned long long n, int begin_bit, int end_bit, int* result_in, void* stream_handle) {
  const bool counts_by_64 = mode == kInToOutBy64 || mode == kDoubleBufferBy64;
  if (n > INT_MAX && !counts_by_64) return kUnsupported;
  const cudaStream_t stream = static_cast<cudaStream_t>(stream_handle);
  Key* const keys[2] = {static_cast<Key*>(keys_in), static_cast<Key*>(keys_out)};
  void* const values[2] = {values_in, values_out};
  if (mode == kPositions) {
#ifdef PEER_VALUE
    if (temp != nullptr) {
      write_positions<<<1056, 256, 0, stream>>>(static_cast<Value*>(values_in), static_cast<unsigned int>(n));
    }
#else
    return kUnsupported;
#endif
  }
  const bool double_buffer = mode == kDoubleBuffer || mode == kDoubleBufferBy64;
  if (counts_by_64) {
    const auto items = static_cast<std::int64_t>(n);
    return static_cast<int>(
        sort(double_buffer, temp, *temp_bytes, keys, values, items, begin_bit, end_bit, *result_in, stream));
  }
  return static_cast<int>(
      sort(double_buffer, temp, *temp_bytes, keys, values, static_cast<int>(n), begin_bit, end_bit, *result_in, stream));
}
