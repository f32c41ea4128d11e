// CUB's tile sorts behind a C interface, for benches/tiles.rs: a grid of tiles, each loaded, sorted by its block and
// stored striped. One object file holds one type and one block size, so that build.sh compiles them side by side:
//
//   PEER_TAG      the type's name in the symbol, such as f32_u32
//   PEER_KEY      the type of the keys
//   PEER_VALUE    the type of the values; without it keys alone are sorted
//   PEER_THREADS  threads of a block
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>

#include <cstdint>
#include <type_traits>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {

using Key = PEER_KEY;
#ifdef PEER_VALUE
using Value = PEER_VALUE;
constexpr bool kHasValues = true;
#else
using Value = cub::NullType;
constexpr bool kHasValues = false;
#endif
constexpr int kThreads = PEER_THREADS;
constexpr size_t kStaticSharedBytes = 48 * 1024;

// What the function returns for a combination that is not built, or that takes more shared memory than a block may have.
constexpr int kUnsupported = -1;

struct Less {
  __device__ bool operator()(Key a, Key b) const { return a < b; }
};

template <int kItems, int kRadixBits>
struct RadixTile {
  using Sort = cub::BlockRadixSort<Key, kThreads, kItems, Value, kRadixBits>;

  static __device__ void sort(typename Sort::TempStorage& storage, Key (&keys)[kItems], Value (&values)[kItems]) {
    if constexpr (kHasValues) {
      Sort(storage).SortBlockedToStriped(keys, values);
    } else {
      Sort(storage).SortBlockedToStriped(keys);
    }
  }

  template <typename T, typename Storage>
  static __device__ void store(Storage&, T* out, T (&items)[kItems]) {
    cub::StoreDirectStriped<kThreads>(threadIdx.x, out, items);
  }
};

template <int kItems>
struct MergeTile {
  using Sort = cub::BlockMergeSort<Key, kThreads, kItems, Value>;

  static __device__ void sort(typename Sort::TempStorage& storage, Key (&keys)[kItems], Value (&values)[kItems]) {
    if constexpr (kHasValues) {
      Sort(storage).Sort(keys, values, Less());
    } else {
      Sort(storage).Sort(keys, Less());
    }
    // The store takes the same bytes.
    __syncthreads();
  }

  // The merge sort leaves a blocked arrangement, which is turned in shared memory on its way out.
  template <typename T, typename Storage>
  static __device__ void store(Storage& storage, T* out, T (&items)[kItems]) {
    using Store = cub::BlockStore<T, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    Store(reinterpret_cast<typename Store::TempStorage&>(storage)).Store(out, items);
    __syncthreads();
  }
};

template <typename T, int kItems>
using Load = cub::BlockLoad<T, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;

template <typename T, int kItems>
using Store = cub::BlockStore<T, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;

// Values that are not there take no storage.
using StoredValue = typename std::conditional<kHasValues, Value, char>::type;

template <typename Tile, int kItems>
union Storage {
  typename Tile::Sort::TempStorage sort;
  typename Load<Key, kItems>::TempStorage load_keys;
  typename Load<StoredValue, kItems>::TempStorage load_values;
  typename Store<Key, kItems>::TempStorage store_keys;
  typename Store<StoredValue, kItems>::TempStorage store_values;
};

// Static shared memory ends at 48 KB.
template <typename Tile, int kItems>
constexpr bool kIsStatic = sizeof(Storage<Tile, kItems>) <= kStaticSharedBytes;

template <typename Tile, int kItems>
__device__ Storage<Tile, kItems>& block_storage() {
  if constexpr (kIsStatic<Tile, kItems>) {
    __shared__ Storage<Tile, kItems> storage;
    return storage;
  } else {
    extern __shared__ __align__(16) unsigned char dynamic_storage[];
    return *reinterpret_cast<Storage<Tile, kItems>*>(dynamic_storage);
  }
}

template <typename Tile, int kItems>
__global__ void __launch_bounds__(kThreads)
sort_tiles(const Key* keys_in, Key* keys_out, const Value* values_in, Value* values_out) {
  Storage<Tile, kItems>& storage = block_storage<Tile, kItems>();
  const size_t start = static_cast<size_t>(blockIdx.x) * (kThreads * kItems);
  Key keys[kItems];
  Value values[kItems];
  Load<Key, kItems>(storage.load_keys).Load(keys_in + start, keys);
  __syncthreads();
  if constexpr (kHasValues) {
    Load<Value, kItems>(storage.load_values).Load(values_in + start, values);
    __syncthreads();
  }
  Tile::sort(storage.sort, keys, values);
  Tile::store(storage, keys_out + start, keys);
  if constexpr (kHasValues) Tile::store(storage, values_out + start, values);
}

struct Arrays {
  const void* keys_in;
  void* keys_out;
  const void* values_in;
  void* values_out;
  unsigned long long n;
  cudaStream_t stream;
};

template <typename Tile, int kItems>
int launch(const Arrays& arrays) {
  const auto kernel = sort_tiles<Tile, kItems>;
  int dynamic_bytes = 0;
  if constexpr (!kIsStatic<Tile, kItems>) {
    dynamic_bytes = static_cast<int>(sizeof(Storage<Tile, kItems>));
    const cudaError_t refusal = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic_bytes);
    if (refusal != cudaSuccess) {
      cudaGetLastError();
      return refusal == cudaErrorInvalidValue ? kUnsupported : static_cast<int>(refusal);
    }
  }
  const unsigned int tiles = static_cast<unsigned int>(arrays.n / (kThreads * kItems));
  kernel<<<tiles, kThreads, dynamic_bytes, arrays.stream>>>(
      static_cast<const Key*>(arrays.keys_in), static_cast<Key*>(arrays.keys_out),
      static_cast<const Value*>(arrays.values_in), static_cast<Value*>(arrays.values_out));
  return static_cast<int>(cudaGetLastError());
}

template <int kItems>
int launch_algorithm(int radix_bits, const Arrays& arrays) {
  switch (radix_bits) {
    case 0: return launch<MergeTile<kItems>, kItems>(arrays);
    case 4: return launch<RadixTile<kItems, 4>, kItems>(arrays);
    case 5: return launch<RadixTile<kItems, 5>, kItems>(arrays);
    case 6: return launch<RadixTile<kItems, 6>, kItems>(arrays);
    default: return kUnsupported;
  }
}

}  // namespace

#define PEER_JOIN(tag, threads) sortsmith_peer_##tag##_##threads
#define PEER_SYMBOL(tag, threads) PEER_JOIN(tag, threads)

// Sorts the full tiles of n items: radix_bits a pass, or by merging where it is 0. Returns 0, a cudaError_t, or -1.
extern "C" __attribute__((visibility("default"))) int PEER_SYMBOL(PEER_TAG, PEER_THREADS)(
    int items, int radix_bits, const void* keys_in, void* keys_out, const void* values_in, void* values_out,
    unsigned long long n, void* stream) {
  const Arrays arrays = {keys_in, keys_out, values_in, values_out, n, static_cast<cudaStream_t>(stream)};
  switch (items) {
    case 4: return launch_algorithm<4>(radix_bits, arrays);
    case 8: return launch_algorithm<8>(radix_bits, arrays);
    case 16: return launch_algorithm<16>(radix_bits, arrays);
    default: return kUnsupported;
  }
}
