// What a binned argsort takes with CUB, behind a C interface: positions are made, sorted with the keys by the bits that bins have, and
// each bin's first key is searched for. One object file holds one type:
//
//   PEER_TAG    the type's name in the symbol, such as u32_u32
//   PEER_KEY    the type of the keys
#include <cub/device/device_radix_sort.cuh>

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#define PEER_JOIN(tag) sortsmith_peer_binned_##tag
#define PEER_SYMBOL(tag) PEER_JOIN(tag)

namespace {

constexpr unsigned int kThreads = 256;
// Offsets are at the end of the temporary storage.
constexpr size_t kAlignment = 256;

__global__ void make_positions(uint32_t* positions, uint32_t n) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) positions[i] = i;
}

// A thread for each offset: the number of keys that are less than its bin.
template <typename Key>
__global__ void search(const Key* sorted, uint32_t n, uint32_t* offsets, uint32_t bins) {
  const uint32_t bin = blockIdx.x * kThreads + threadIdx.x;
  if (bin > bins) return;
  uint32_t least = 0;
  uint32_t most = n;
  while (least < most) {
    const uint32_t half = least + (most - least) / 2;
    if (sorted[half] < static_cast<Key>(bin)) {
      least = half + 1;
    } else {
      most = half;
    }
  }
  offsets[bin] = least;
}

unsigned int blocks_of(uint32_t threads) { return (threads + kThreads - 1) / kThreads; }

}  // namespace

// Sorts the positions of n keys, all of them below the number of bins, which is a power of two; or, without temporary storage, says how
// much of it there must be. `positions_in` gets the positions in their order. Returns 0 or a cudaError_t.
extern "C" __attribute__((visibility("default"))) int PEER_SYMBOL(PEER_TAG)(
    void* temp, size_t* temp_bytes, const void* keys_in, void* keys_out, void* positions_in, void* positions_out,
    unsigned long long n, unsigned int bins, void* stream_handle) {
  using Key = PEER_KEY;
  const cudaStream_t stream = static_cast<cudaStream_t>(stream_handle);
  const Key* const in = static_cast<const Key*>(keys_in);
  Key* const out = static_cast<Key*>(keys_out);
  uint32_t* const from = static_cast<uint32_t*>(positions_in);
  uint32_t* const to = static_cast<uint32_t*>(positions_out);
  const uint32_t count = static_cast<uint32_t>(n);
  int end_bit = 0;
  while (1u << end_bit < bins) ++end_bit;
  size_t bytes = 0;
  cudaError_t error = cub::DeviceRadixSort::SortPairs(nullptr, bytes, in, out, from, to, count, 0, end_bit, stream);
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (!temp || error != cudaSuccess) {
    *temp_bytes = bytes + (bins + 1) * sizeof(uint32_t);
    return static_cast<int>(error);
  }
  uint32_t* const offsets = reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(temp) + bytes);
  make_positions<<<blocks_of(count), kThreads, 0, stream>>>(from, count);
  error = cub::DeviceRadixSort::SortPairs(temp, bytes, in, out, from, to, count, 0, end_bit, stream);
  if (error != cudaSuccess) return static_cast<int>(error);
  search<<<blocks_of(bins + 1), kThreads, 0, stream>>>(out, count, offsets, bins);
  return static_cast<int>(cudaGetLastError());
}
