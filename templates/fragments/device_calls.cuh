#ifndef {{ calls.guard }}
#define {{ calls.guard }}

// Two arrays of which one is current: a sort finds its items in that one, leaves them in the one that is current then, and uses the other
// as scratch.
template <typename T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;

  __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __host__ __device__ DoubleBuffer(T* d_current, T* d_alternate) : d_buffers{d_current, d_alternate}, selector(0) {}
  __host__ __device__ T* Current() { return d_buffers[selector]; }
  __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace device_facade {

using facade::KeyKind;

// What launches and scratch depend on.
struct Facts {
  unsigned long long n;
  unsigned long long begin_bit;
  unsigned long long end_bit;
  unsigned long long multiprocessors;
  unsigned long long shared_bytes_per_block;
};

// The arrays of a sort; in place the input and the output are the same.
struct Arrays {
  const void* keys_in;
  void* keys_out;
  void* keys_alternate;
  const void* values_in;
  void* values_out;
  void* values_alternate;
  // Whether the alternate arrays are the caller's. Otherwise they lie in the storage, one behind the other.
  bool has_alternates;
};

inline Arrays arrays_of(const void* keys_in, void* keys_out, const void* values_in = nullptr, void* values_out = nullptr) {
  return {keys_in, keys_out, nullptr, values_in, values_out, nullptr, false};
}
template <typename KeyT, typename ValueT>
Arrays arrays_of(DoubleBuffer<KeyT>& keys, DoubleBuffer<ValueT>& values) {
  return {keys.Current(), keys.Current(), keys.Alternate(), values.Current(), values.Current(), values.Alternate(), true};
}
template <typename KeyT>
Arrays arrays_of(DoubleBuffer<KeyT>& keys) {
  return {keys.Current(), keys.Current(), keys.Alternate(), nullptr, nullptr, nullptr, true};
}

// Bytes beside the arrays: of the workspace, those of them that are zero when the sort begins, and those of the alternate arrays.
struct Scratch {
  unsigned long long zeroed;
  unsigned long long workspace;
  unsigned long long alternate;
  unsigned long long alternate_keys;
};

constexpr unsigned long long least(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
constexpr unsigned long long largest(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
constexpr unsigned long long minus(unsigned long long a, unsigned long long b) { return a < b ? 0 : a - b; }
constexpr unsigned long long divided_up(unsigned long long a, unsigned long long b) { return (a + b - 1) / b; }
constexpr unsigned long long floor_log2(unsigned long long number) {
  unsigned long long log2 = 0;
  while (number >>= 1) ++log2;
  return log2;
}
constexpr unsigned long long next_power_of_two(unsigned long long number) {
  return number <= 1 ? 1 : 2ull << floor_log2(number - 1);
}

inline bool is_multiple_of(const void* address, unsigned long long bytes) {
  return reinterpret_cast<unsigned long long>(address) % bytes == 0;
}

{%- let of_rows = false %}

{% include "fragments/launches.cuh" %}

// Adds what the current device is to the facts. An error if a block of it may have less shared memory than this.
inline cudaError_t add_device(Facts& facts, unsigned long long least_shared_bytes) {
  int device = 0;
  int multiprocessors = 0;
  int shared_bytes = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error != cudaSuccess) return error;
  facts.multiprocessors = static_cast<unsigned long long>(multiprocessors);
  facts.shared_bytes_per_block = static_cast<unsigned long long>(shared_bytes);
  return facts.shared_bytes_per_block < least_shared_bytes ? cudaErrorNotSupported : cudaSuccess;
}

// Whether an array is there, at a multiple of the bytes of its items. One of items of no bytes is none.
inline bool is_array(const void* array, unsigned long long bytes) {
  return bytes == 0 || (array != nullptr && is_multiple_of(array, bytes));
}

// Whether all arrays are there, keys at a multiple of these bytes and values of their own. Values of no bytes have none.
inline bool are_arrays(const Arrays& arrays, unsigned long long key_alignment, unsigned long long value_bytes) {
  const auto are = [&](const void* in, const void* out, const void* alternate, unsigned long long bytes) {
    return is_array(in, bytes) && is_array(out, bytes) && (!arrays.has_alternates || is_array(alternate, bytes));
  };
  return are(arrays.keys_in, arrays.keys_out, arrays.keys_alternate, key_alignment) &&
         are(arrays.values_in, arrays.values_out, arrays.values_alternate, value_bytes);
}

{% include "fragments/sort_by.cuh" %}

// Whether a count is negative.
template <typename Integer>
constexpr bool is_negative(Integer number) {
  return !(number == 0 || number > 0);
}

// The sort of all calls by what has been emitted. Arrays that are not legal are an error where they are used. A null d_temp_storage asks for
// temp_storage_bytes.
template <typename KeyT, typename ValueT, typename Sorts, typename NumItemsT>
cudaError_t sort_emitted(const Sorts& sorts, void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, bool are_legal,
                         NumItemsT num_items, int begin_bit, int end_bit, cudaStream_t stream) {
  static_assert(static_cast<NumItemsT>(3) / 2 == 1, "NumItemsT must be an integer");
  static_assert(__is_trivially_copyable(ValueT), "ValueT must be trivially copyable");
  const bool has_bits = 0 <= begin_bit && begin_bit <= end_bit && end_bit <= static_cast<int>(8 * sizeof(KeyT));
  if (is_negative(num_items) || !has_bits) return cudaErrorInvalidValue;
  Facts facts = {};
  facts.n = static_cast<unsigned long long>(num_items);
  if (facts.n > Sorts::kMaxItems) return cudaErrorInvalidValue;
  // CUB counts all bits of a bool, and a struct may have padding; bits that are none do not take part.
  facts.end_bit = least(static_cast<unsigned long long>(end_bit), Sorts::kKeyBits);
  facts.begin_bit = least(static_cast<unsigned long long>(begin_bit), facts.end_bit);
  cudaError_t error = add_device(facts, Sorts::kSharedBytesPerBlock);
  if (error != cudaSuccess) return error;
  sorts.template choose<0>(facts.n, [&](auto host) {
    error = sort_by(host, facts, arrays, are_legal, d_temp_storage, temp_storage_bytes, stream);
  });
  return error;
}

}  // namespace device_facade
#endif
