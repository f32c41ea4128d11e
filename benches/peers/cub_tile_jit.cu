// One tile kernel over cub::BlockRadixSort, as small as CUB's headers allow: what a program that compiles at run time
// would have to hand to NVRTC in place of a generated header. 256 threads x 16 items, f32 keys with u32 values, 6 bits.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

constexpr int kThreads = 256;
constexpr int kItems = 16;
constexpr int kTile = kThreads * kItems;
using Key = float;
using Value = unsigned int;
using Sort = cub::BlockRadixSort<Key, kThreads, kItems, Value, 6>;
using LoadKeys = cub::BlockLoad<Key, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using LoadValues = cub::BlockLoad<Value, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;

extern "C" __global__ void __launch_bounds__(kThreads)
cub_tile(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out, unsigned long long n,
         int begin_bit, int end_bit) {
  __shared__ union {
    typename Sort::TempStorage sort;
    typename LoadKeys::TempStorage load_keys;
    typename LoadValues::TempStorage load_values;
  } storage;
  const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTile;
  if (start >= n) return;
  const int valid = n - start < kTile ? static_cast<int>(n - start) : kTile;
  Key keys[kItems];
  Value values[kItems];
  // Past the end come NaNs of all bits set, which sort last.
  LoadKeys(storage.load_keys).Load(keys_in + start, keys, valid, __uint_as_float(0x7fffffffu));
  __syncthreads();
  LoadValues(storage.load_values).Load(values_in + start, values, valid, 0u);
  __syncthreads();
  Sort(storage.sort).SortBlockedToStriped(keys, values, begin_bit, end_bit);
  cub::StoreDirectStriped<kThreads>(threadIdx.x, keys_out + start, keys, valid);
  cub::StoreDirectStriped<kThreads>(threadIdx.x, values_out + start, values, valid);
}
