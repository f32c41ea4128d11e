// A user's kernel around a generated sort, for nvcc.
#include "block_radix_sort_f32_u32_b128_i8_r6_desc.cuh"
#include "block_radix_sort_u64_index_b64_i4_r8_asc_match.cuh"
// A header may come twice.
#include "block_radix_sort_f32_u32_b128_i8_r6_desc.cuh"

__global__ void largest_first(float* scores, unsigned int* ids, int count) {
  using Sort = sortsmith::block_radix_sort_f32_u32_b128_i8_r6_desc;
  extern __shared__ __align__(16) unsigned char shared[];
  Sort::Keys keys;
  Sort::Values values;
  for (int i = 0; i < Sort::kItemsPerThread; ++i) {
    const int position = static_cast<int>(threadIdx.x) * Sort::kItemsPerThread + i;
    keys[i] = position < count ? scores[position] : 0.0f;
    values[i] = position < count ? ids[position] : 0u;
  }
  Sort(*reinterpret_cast<Sort::TempStorage*>(shared)).SortBlockedToStriped(keys, values, count);
  for (int i = 0; i < Sort::kItemsPerThread; ++i) {
    const int position = i * Sort::kBlockThreads + static_cast<int>(threadIdx.x);
    if (position < count) {
      scores[position] = keys[i];
      ids[position] = values[i];
    }
  }
}

__global__ void order_of(const unsigned long long* codes, unsigned int* order) {
  using Sort = sortsmith::block_radix_sort_u64_index_b64_i4_r8_asc_match;
  __shared__ Sort::TempStorage storage;
  Sort::Keys keys;
  Sort::Values positions;
  for (int i = 0; i < Sort::kItemsPerThread; ++i) keys[i] = codes[threadIdx.x * Sort::kItemsPerThread + i];
  Sort(storage).Sort(keys, positions);
  for (int i = 0; i < Sort::kItemsPerThread; ++i) order[threadIdx.x * Sort::kItemsPerThread + i] = positions[i];
}

#ifndef __CUDACC_RTC__
// What the host reads of a sort.
unsigned int shared_bytes_of_largest_first() {
  return sortsmith::block_radix_sort_f32_u32_b128_i8_r6_desc::kSharedBytes;
}
#endif
