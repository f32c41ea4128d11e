// CUB's top-k of an array behind a C interface: the k largest, in any order. One object file holds one type:
//
//   PEER_TAG    the type's name in the symbol, such as f32_u32
//   PEER_KEY    the type of the keys
//   PEER_VALUE  the type of the values; without it keys alone are selected
#include <cub/version.cuh>

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#if CUB_VERSION >= 300300
#include <cub/device/device_topk.cuh>
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/output_ordering.h>
#include <cuda/__execution/require.h>
#include <cuda/stream>
#endif

#define PEER_JOIN(tag) sortsmith_peer_topk_##tag
#define PEER_SYMBOL(tag) PEER_JOIN(tag)

// Writes the k largest of n keys, and what goes with them; or, without temporary storage, says how much of it there must be.
// Returns 0, a cudaError_t, or -1.
extern "C" __attribute__((visibility("default"))) int PEER_SYMBOL(PEER_TAG)(
    void* temp, size_t* temp_bytes, const void* keys_in, void* keys_out, const void* values_in, void* values_out,
    unsigned long long n, unsigned long long k, void* stream_handle) {
#if CUB_VERSION >= 300300
  using Key = PEER_KEY;
  // All that this CUB has: which of equal keys, and in which order, is not said.
  const auto requirements = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                     cuda::execution::output_ordering::unsorted);
  const cuda::stream_ref stream{static_cast<cudaStream_t>(stream_handle)};
  const auto env = cuda::std::execution::env{stream, requirements};
  const Key* const in = static_cast<const Key*>(keys_in);
  Key* const out = static_cast<Key*>(keys_out);
#ifdef PEER_VALUE
  using Value = PEER_VALUE;
  return static_cast<int>(cub::DeviceTopK::MaxPairs(temp, *temp_bytes, in, out, static_cast<const Value*>(values_in),
                                                    static_cast<Value*>(values_out), n, k, env));
#else
  return static_cast<int>(cub::DeviceTopK::MaxKeys(temp, *temp_bytes, in, out, n, k, env));
#endif
#else
  // This CUB has none.
  return -1;
#endif
}
