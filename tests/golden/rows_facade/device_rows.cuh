// sortsmith::DeviceRows, sorts of the rows of a matrix: f16 keys, keys alone.
//
// Calls have the shape of CUB's. A row is num_columns items, and begins row_stride items behind the one before it, in the input and in the output;
// what lies between rows is neither read nor written. Sorts are stable, of any number of rows of up to 2^40 items, in place or not, on
// devices with at least 232448 bytes of shared memory for a block. Nothing is allocated and nothing is waited for, so calls can
// be captured; any number of threads may call at once, on any devices. Errors are returned: cudaErrorInvalidValue if an argument is not legal, and
// then nothing is enqueued.
//
// Made by sortsmith 0.1.0 from the template rows_facade, without structs and kernels of sorts; to make it again:
//   cargo xtask golden
#pragma once

#if defined(__cplusplus) && __cplusplus < 201703L && !defined(_MSC_VER)
#error "this header needs C++17: nvcc -std=c++17"
#endif


namespace sortsmith {
inline namespace v0_1_0 {

#ifndef SORTSMITH_V0_1_0_FACADE_KINDS
#define SORTSMITH_V0_1_0_FACADE_KINDS
namespace facade {

// The key types of sorts. C++ has several types of one size and sign; they share a sort. Structs have numbers beyond these.
enum class KeyKind : unsigned long long {
  k_u8,
  k_u16,
  k_u32,
  k_u64,
  k_u128,
  k_i8,
  k_i16,
  k_i32,
  k_i64,
  k_i128,
  k_f16,
  k_bf16,
  k_f32,
  k_f64,
  k_f8e4m3,
  k_f8e5m2,
  k_bool,
  kUnknown
};

template <typename Integer>
__host__ __device__ constexpr KeyKind integer_kind() {
  constexpr bool kSigned = static_cast<Integer>(-1) < static_cast<Integer>(0);
  return sizeof(Integer) == 1   ? (kSigned ? KeyKind::k_i8 : KeyKind::k_u8)
         : sizeof(Integer) == 2 ? (kSigned ? KeyKind::k_i16 : KeyKind::k_u16)
         : sizeof(Integer) == 4 ? (kSigned ? KeyKind::k_i32 : KeyKind::k_u32)
                                : (kSigned ? KeyKind::k_i64 : KeyKind::k_u64);
}

template <typename KeyT>
constexpr KeyKind kKindOf = KeyKind::kUnknown;
template <>
inline constexpr KeyKind kKindOf<char> = integer_kind<char>();
template <>
inline constexpr KeyKind kKindOf<signed char> = integer_kind<signed char>();
template <>
inline constexpr KeyKind kKindOf<unsigned char> = integer_kind<unsigned char>();
template <>
inline constexpr KeyKind kKindOf<short> = integer_kind<short>();
template <>
inline constexpr KeyKind kKindOf<unsigned short> = integer_kind<unsigned short>();
template <>
inline constexpr KeyKind kKindOf<int> = integer_kind<int>();
template <>
inline constexpr KeyKind kKindOf<unsigned int> = integer_kind<unsigned int>();
template <>
inline constexpr KeyKind kKindOf<long> = integer_kind<long>();
template <>
inline constexpr KeyKind kKindOf<unsigned long> = integer_kind<unsigned long>();
template <>
inline constexpr KeyKind kKindOf<long long> = integer_kind<long long>();
template <>
inline constexpr KeyKind kKindOf<unsigned long long> = integer_kind<unsigned long long>();
#if defined(__SIZEOF_INT128__)
template <>
inline constexpr KeyKind kKindOf<__int128> = KeyKind::k_i128;
template <>
inline constexpr KeyKind kKindOf<unsigned __int128> = KeyKind::k_u128;
#endif
template <>
inline constexpr KeyKind kKindOf<bool> = KeyKind::k_bool;
template <>
inline constexpr KeyKind kKindOf<float> = KeyKind::k_f32;
template <>
inline constexpr KeyKind kKindOf<double> = KeyKind::k_f64;

template <typename ValueT>
constexpr int kValueBytes = sizeof(ValueT);
template <>
inline constexpr int kValueBytes<NullType> = 0;

}  // namespace facade
#endif

// Keys of <cuda_fp16.h>.
#ifndef SORTSMITH_V0_1_0_FACADE_F16
#define SORTSMITH_V0_1_0_FACADE_F16
namespace facade {
template <>
inline constexpr KeyKind kKindOf<__half> = KeyKind::k_f16;
}  // namespace facade
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_CALLS
#define SORTSMITH_V0_1_0_DEVICE_CALLS

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

// The launches of one sort in a stream. After an error nothing more is launched.
class Launches {
 public:
  explicit Launches(cudaStream_t stream) : stream_(stream) {}

  cudaError_t error() const { return error_; }

  void clear(void* workspace, unsigned long long bytes) {
    if (bytes > 0) error_ = cudaMemsetAsync(workspace, 0, bytes, stream_);
  }

  // The first kernel begins in the stream's order. The next ones may begin early where their code waits for the kernel before.
  void launch(const void* kernel, unsigned long long blocks, unsigned int threads, unsigned long long shared_bytes, void** parameters) {
    if (error_ != cudaSuccess) return;
    // The attributes are those of the current device.
    if (shared_bytes > 48 * 1024) {
      error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
      if (error_ == cudaSuccess) error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
      if (error_ != cudaSuccess) return;
    }
    const dim3 grid(static_cast<unsigned int>(blocks));
#if CUDART_VERSION >= 11080
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream_;
    config.attrs = &attribute;
    config.numAttrs = may_begin_early_ ? 1 : 0;
    error_ = cudaLaunchKernelExC(&config, kernel, parameters);
    if (is_first_ && error_ == cudaSuccess) find_whether_code_waits(kernel);
    is_first_ = false;
#else
    error_ = cudaLaunchKernel(kernel, grid, dim3(threads), parameters, shared_bytes, stream_);
#endif
  }

 private:
#if CUDART_VERSION >= 11080
  // All kernels of a sort are compiled for the same architectures.
  void find_whether_code_waits(const void* kernel) {
    int driver = 0;
    cudaFuncAttributes attributes = {};
    error_ = cudaDriverGetVersion(&driver);
    if (error_ == cudaSuccess) error_ = cudaFuncGetAttributes(&attributes, kernel);
    may_begin_early_ = driver >= 12030 && attributes.ptxVersion >= 90;
  }

  bool is_first_ = true;
  bool may_begin_early_ = false;
#endif
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

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

// Sorts by the host's part of one sort, in storage that may begin anywhere. Null storage asks for its bytes.
template <typename Host>
cudaError_t sort_by(Host host, const Facts& facts, Arrays arrays, bool are_legal, void* storage, size_t& storage_bytes, cudaStream_t stream) {
  constexpr unsigned long long kAlignment = 256;
  const Scratch scratch = facts.n == 0 ? Scratch{0, 0, 0, 0} : host.scratch(facts);
  const unsigned long long workspace_bytes = divided_up(scratch.workspace, kAlignment) * kAlignment;
  const unsigned long long bytes = workspace_bytes + (arrays.has_alternates ? 0 : scratch.alternate);
  const unsigned long long needed = bytes == 0 ? 1 : bytes + kAlignment - 1;
  if (storage == nullptr) {
    storage_bytes = needed;
    return cudaSuccess;
  }
  if (storage_bytes < needed) return cudaErrorInvalidValue;
  if (facts.n == 0) return cudaSuccess;
  if (!are_legal) return cudaErrorInvalidValue;
  const unsigned long long address = reinterpret_cast<unsigned long long>(storage);
  unsigned char* const workspace = reinterpret_cast<unsigned char*>(divided_up(address, kAlignment) * kAlignment);
  if (!arrays.has_alternates) {
    arrays.keys_alternate = workspace + workspace_bytes;
    arrays.values_alternate = workspace + workspace_bytes + scratch.alternate_keys;
  }
  Launches launches(stream);
  host.run(facts, arrays, workspace, launches);
  return launches.error();
}

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

#ifndef SORTSMITH_V0_1_0_ROWS_FACADE
#define SORTSMITH_V0_1_0_ROWS_FACADE
namespace rows_facade {

using namespace device_facade;

// What launches and scratch depend on: of n columns in each row, and of rows that begin `stride` items apart.
struct Facts {
  unsigned long long n;
  unsigned long long begin_bit;
  unsigned long long end_bit;
  unsigned long long multiprocessors;
  unsigned long long shared_bytes_per_block;
  unsigned long long rows;
  unsigned long long stride;
  // Whether sorted keys are an output, and not only what goes with them.
  bool writes_keys;
  // Bytes of a key, and of what goes with it.
  unsigned long long key_bytes;
  unsigned long long value_bytes;
};

// Says where sorts by samples look, and is another number at each call. Keys cannot be made by it: it follows from the address of a
// thread's variable, which operating systems choose at random.
inline unsigned int random_seed() {
  static thread_local unsigned long long calls = 0;
  unsigned long long number = reinterpret_cast<unsigned long long>(&calls) + ++calls * 0x9e3779b97f4a7c15ull;
  number = (number ^ number >> 31) * 0xbf58476d1ce4e5b9ull;
  return static_cast<unsigned int>(number >> 32);
}

// The launches of one sort in a stream. After an error nothing more is launched.
class Launches {
 public:
  explicit Launches(cudaStream_t stream) : stream_(stream) {}

  cudaError_t error() const { return error_; }

  // The next kernel begins in the stream's order, not early.
  void begin() {
#if CUDART_VERSION >= 11080
    is_first_ = true;
    may_begin_early_ = false;
#endif
  }

  // No kernel begins early from here on.
  void stay_in_order() {
#if CUDART_VERSION >= 11080
    is_first_ = false;
    may_begin_early_ = false;
#endif
  }

  // Kernels are launched for as many rows from here on: blocks along y.
  void set_rows(unsigned long long rows) { rows_ = static_cast<unsigned int>(rows); }

  void clear(void* workspace, unsigned long long bytes) {
    if (bytes > 0) error_ = cudaMemsetAsync(workspace, 0, bytes, stream_);
  }

  // The first kernel begins in the stream's order. The next ones may begin early where their code waits for the kernel before.
  void launch(const void* kernel, unsigned long long blocks, unsigned int threads, unsigned long long shared_bytes, void** parameters) {
    if (error_ != cudaSuccess) return;
    // The attributes are those of the current device.
    if (shared_bytes > 48 * 1024) {
      error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
      if (error_ == cudaSuccess) error_ = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
      if (error_ != cudaSuccess) return;
    }
    const dim3 grid(static_cast<unsigned int>(blocks), rows_);
#if CUDART_VERSION >= 11080
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream_;
    config.attrs = &attribute;
    config.numAttrs = may_begin_early_ ? 1 : 0;
    error_ = cudaLaunchKernelExC(&config, kernel, parameters);
    if (is_first_ && error_ == cudaSuccess) find_whether_code_waits(kernel);
    is_first_ = false;
#else
    error_ = cudaLaunchKernel(kernel, grid, dim3(threads), parameters, shared_bytes, stream_);
#endif
  }

 private:
#if CUDART_VERSION >= 11080
  // All kernels of a sort are compiled for the same architectures.
  void find_whether_code_waits(const void* kernel) {
    int driver = 0;
    cudaFuncAttributes attributes = {};
    error_ = cudaDriverGetVersion(&driver);
    if (error_ == cudaSuccess) error_ = cudaFuncGetAttributes(&attributes, kernel);
    may_begin_early_ = driver >= 12030 && attributes.ptxVersion >= 90;
  }

  bool is_first_ = true;
  bool may_begin_early_ = false;
#endif
  unsigned int rows_ = 1;
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

// Sorts by the host's part of one sort, in storage that may begin anywhere. Null storage asks for its bytes.
template <typename Host>
cudaError_t sort_by(Host host, const Facts& facts, Arrays arrays, bool are_legal, void* storage, size_t& storage_bytes, cudaStream_t stream) {
  constexpr unsigned long long kAlignment = 256;
  const Scratch scratch = facts.n == 0 ? Scratch{0, 0, 0, 0} : host.scratch(facts);
  const unsigned long long workspace_bytes = divided_up(scratch.workspace, kAlignment) * kAlignment;
  const unsigned long long bytes = workspace_bytes + (arrays.has_alternates ? 0 : scratch.alternate);
  const unsigned long long needed = bytes == 0 ? 1 : bytes + kAlignment - 1;
  if (storage == nullptr) {
    storage_bytes = needed;
    return cudaSuccess;
  }
  if (storage_bytes < needed) return cudaErrorInvalidValue;
  if (facts.n == 0) return cudaSuccess;
  if (!are_legal) return cudaErrorInvalidValue;
  const unsigned long long address = reinterpret_cast<unsigned long long>(storage);
  unsigned char* const workspace = reinterpret_cast<unsigned char*>(divided_up(address, kAlignment) * kAlignment);
  if (!arrays.has_alternates) {
    arrays.keys_alternate = workspace + workspace_bytes;
    arrays.values_alternate = workspace + workspace_bytes + scratch.alternate_keys;
  }
  Launches launches(stream);
  host.run(facts, arrays, workspace, launches);
  return launches.error();
}

// The arrays from a row on, with the scratch.
inline Arrays from_row(const Arrays& arrays, const Facts& facts, unsigned long long row) {
  const auto behind = [&](const void* array, unsigned long long bytes) -> unsigned char* {
    if (array == nullptr) return nullptr;
    return static_cast<unsigned char*>(const_cast<void*>(array)) + row * facts.stride * bytes;
  };
  Arrays moved = arrays;
  moved.keys_in = behind(arrays.keys_in, facts.key_bytes);
  moved.keys_out = behind(arrays.keys_out, facts.key_bytes);
  moved.values_in = behind(arrays.values_in, facts.value_bytes);
  moved.values_out = behind(arrays.values_out, facts.value_bytes);
  return moved;
}

// What kernels of tiles take, each some of it.
struct TileArguments {
  const void* keys_in;
  void* keys_out;
  const void* values_in;
  void* values_out;
  void* positions_out;
  unsigned long long rows;
  unsigned int columns;
  unsigned long long stride;
  int begin_bit;
  int end_bit;
};

// The arguments for the rows from one on, of which a launch takes the first max_rows.
inline TileArguments tile_arguments(const Facts& facts, const Arrays& arrays, unsigned long long row, unsigned long long max_rows) {
  const Arrays moved = from_row(arrays, facts, row);
  TileArguments arguments = {};
  arguments.keys_in = moved.keys_in;
  arguments.keys_out = moved.keys_out;
  arguments.values_in = moved.values_in;
  arguments.values_out = moved.values_out;
  arguments.positions_out = moved.values_out;
  arguments.rows = least(facts.rows - row, max_rows);
  arguments.columns = static_cast<unsigned int>(facts.n);
  arguments.stride = facts.stride;
  arguments.begin_bit = static_cast<int>(facts.begin_bit);
  arguments.end_bit = static_cast<int>(facts.end_bit);
  return arguments;
}

// Calls `launch` with the arguments of each launch. Kernels of tiles do not wait for the one before, so none of them begins early.
template <unsigned long long kMaxRows, typename Launch>
void for_tiles(const Facts& facts, const Arrays& arrays, Launches& launches, const Launch& launch) {
  launches.stay_in_order();
  for (unsigned long long row = 0; row < facts.rows && launches.error() == cudaSuccess; row += kMaxRows) {
    TileArguments arguments = tile_arguments(facts, arrays, row, kMaxRows);
    launch(arguments);
  }
}

// Sorts rows by the host's part of a sort that takes some of them at once. Keys that are no output are sorted in scratch, behind the alternate
// arrays, one row directly behind the other.
template <typename Host>
struct InGroups {
  static unsigned long long rows_of_group(const Facts& facts) { return least(Host::rows_at_once(facts.n), facts.rows); }

  static Facts facts_of(const Facts& facts, unsigned long long rows) {
    Facts of_group = facts;
    of_group.rows = rows;
    return of_group;
  }

  static Scratch scratch(const Facts& facts) {
    const unsigned long long rows = rows_of_group(facts);
    Scratch scratch = Host::Kernels::scratch(facts_of(facts, rows));
    if (!facts.writes_keys) scratch.alternate = sorted_keys_of(scratch) + rows * facts.n * facts.key_bytes;
    return scratch;
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    const unsigned long long rows = rows_of_group(facts);
    unsigned char* const sorted_keys = static_cast<unsigned char*>(arrays.keys_alternate) + sorted_keys_of(Host::Kernels::scratch(facts_of(facts, rows)));
    for (unsigned long long row = 0; row < facts.rows && launches.error() == cudaSuccess; row += rows) {
      const Facts of_group = facts_of(facts, least(facts.rows - row, rows));
      Arrays of_rows = from_row(arrays, facts, row);
      if (!facts.writes_keys) of_rows.keys_out = sorted_keys;
      Host::begin(launches, of_group.rows);
      Host::Kernels::run(of_group, of_rows, workspace, launches);
    }
  }

  static unsigned long long sorted_keys_of(const Scratch& scratch) { return divided_up(scratch.alternate, 16) * 16; }
};

// Many rows by the launches of one. Each kernel waits for the one before it, so a group uses the scratch of the one before.
template <typename HostOfKernels>
struct Together {
  using Kernels = HostOfKernels;

  static unsigned long long rows_at_once(unsigned long long columns) { return least(largest((33554432 / (largest(columns, 1))), 1), 65535); }
  static void begin(Launches& launches, unsigned long long rows) { launches.set_rows(rows); }
};

// Rows one after the other, each as an array.
template <typename HostOfKernels>
struct OneByOne {
  using Kernels = HostOfKernels;

  static unsigned long long rows_at_once(unsigned long long) { return 1; }
  static void begin(Launches& launches, unsigned long long) { launches.begin(); }
};

// What goes with keys that have no values: their positions.
template <typename PositionT>
struct PositionOf {
  static_assert(facade::kKindOf<PositionT> == KeyKind::k_u32 || facade::kKindOf<PositionT> == KeyKind::k_i32, "positions are integers of 4 bytes");
};

// The number by which a sort is found: the bytes of values, or -1 for positions.
template <typename ValueT>
constexpr int kValueKind = facade::kValueBytes<ValueT>;
template <typename PositionT>
inline constexpr int kValueKind<PositionOf<PositionT>> = -1;

// The sorts of a type of keys, a size of values and an order.
template <KeyKind kKey, int kValueBytes, bool kDescending>
struct Emitted {
  static constexpr bool kExists = false;
};

// Does not compile where there is no sort: the error is the command that emits it.
template <KeyKind kKey, int kValueBytes, bool kExists>
struct EmittingCommand {
  static constexpr bool kIsNeeded = false;
};
#define SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, bytes, value)                    \
  static_assert(kKey != KeyKind::k_##key || kValueBytes != bytes, \
                "This DeviceRows has not been emitted; run: " \
                "sortsmith emit --facade cub-rows --key " #key " --value " value " --out <a folder of its own, to be included too>");
#define SORTSMITH_V0_1_0_FACADE_KINDS_KEY(key)         \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 0, "keys")  \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 1, "u8")    \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 2, "u16")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 4, "u32")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 8, "u64")   \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, 16, "u128")  \
  SORTSMITH_V0_1_0_FACADE_KINDS_VALUE(key, -1, "index")
template <KeyKind kKey, int kValueBytes>
struct EmittingCommand<kKey, kValueBytes, false> {
  static constexpr bool kIsNeeded = true;
  static_assert(kKey != KeyKind::kUnknown, "KeyT is no type of keys; legal: integers, floats and bool");
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u8)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(u128)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i8)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(i128)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(bf16)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f32)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f64)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f8e4m3)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(f8e5m2)
  SORTSMITH_V0_1_0_FACADE_KINDS_KEY(bool)
};
#undef SORTSMITH_V0_1_0_FACADE_KINDS_KEY
#undef SORTSMITH_V0_1_0_FACADE_KINDS_VALUE

// The emitted sort of a call. Where there is none, it does not compile, and the error says what to emit.
template <KeyKind kKey, int kValueBytes, bool kDescending>
struct Requested {
  using Sorts = Emitted<kKey, kValueBytes, kDescending>;
  static constexpr bool kHasOtherOrder = Emitted<kKey, kValueBytes, !kDescending>::kExists;
  static_assert(Sorts::kExists || !kHasOtherOrder,
                "this order has not been emitted: run the sortsmith emit command of this header with --order both");
  using Command = EmittingCommand<kKey, kValueBytes, Sorts::kExists || kHasOtherOrder>;
  static_assert(!Command::kIsNeeded, "the error above says the command");
};

// The rows of a call.
struct Rows {
  unsigned long long count;
  unsigned long long columns;
  unsigned long long stride;
  bool are_legal;
};

template <typename NumRowsT, typename NumColumnsT, typename RowStrideT>
Rows rows_of(NumRowsT rows, NumColumnsT columns, RowStrideT stride) {
  static_assert(static_cast<NumRowsT>(3) / 2 == 1 && static_cast<NumColumnsT>(3) / 2 == 1 && static_cast<RowStrideT>(3) / 2 == 1,
                "numbers of items must be integers");
  constexpr unsigned long long kMaxItems = 72057594037927936;
  Rows given = {static_cast<unsigned long long>(rows), static_cast<unsigned long long>(columns), static_cast<unsigned long long>(stride), false};
  const bool is_negative_one = is_negative(rows) || is_negative(columns) || is_negative(stride);
  const bool are_rows = given.columns <= given.stride && given.stride <= kMaxItems && given.count <= kMaxItems / largest(given.stride, 1);
  // Where there are no rows, columns and stride are checked for their signs alone.
  given.are_legal = !is_negative_one && (given.count == 0 || are_rows);
  return given;
}

// The sort of all calls. Only an argsort has no output for keys.
template <bool kDescending, typename KeyT, typename ValueT, bool kWritesKeys = true>
cudaError_t sort(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, const Rows& rows, cudaStream_t stream) {
  static_assert(__is_trivially_copyable(ValueT), "ValueT must be trivially copyable");
  using Sorts = typename Requested<facade::kKindOf<KeyT>, kValueKind<ValueT>, kDescending>::Sorts;
  if constexpr (Sorts::kExists) {
    const bool has_rows = rows.count > 0 && rows.columns > 0;
    if (!rows.are_legal || (has_rows && rows.columns > Sorts::kMaxColumns)) return cudaErrorInvalidValue;
    device_facade::Facts of_device = {};
    cudaError_t error = add_device(of_device, Sorts::kSharedBytesPerBlock);
    if (error != cudaSuccess) return error;
    const Facts facts = {has_rows ? rows.columns : 0,
                         0,
                         Sorts::kKeyBits,
                         of_device.multiprocessors,
                         of_device.shared_bytes_per_block,
                         rows.count,
                         rows.stride,
                         kWritesKeys,
                         sizeof(KeyT),
                         Sorts::kValueBytes};
    constexpr bool kReadsValues = kValueKind<ValueT> > 0;
    const bool are_legal = is_array(arrays.keys_in, sizeof(KeyT)) && is_array(arrays.keys_out, kWritesKeys ? sizeof(KeyT) : 0) &&
                           is_array(arrays.values_in, kReadsValues ? Sorts::kValueBytes : 0) && is_array(arrays.values_out, Sorts::kValueBytes);
    Sorts::template choose<0>(facts.rows, facts.n, [&](auto host) {
      error = rows_facade::sort_by(host, facts, arrays, are_legal, d_temp_storage, temp_storage_bytes, stream);
    });
    return error;
  } else {
    return cudaErrorNotSupported;
  }
}

}  // namespace rows_facade
#endif

namespace rows_facade {

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I4_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I4_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i4_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i4_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i4_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I5_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I5_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i5_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i5_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i5_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I6_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I6_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i6_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i6_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i6_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I8_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I8_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i8_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i8_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i8_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I9_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I9_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i9_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i9_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i9_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I12_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I12_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i12_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i12_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i12_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I16_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I16_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i16_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i16_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i16_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I24_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I24_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i24_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i24_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i24_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I32_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W4_I32_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w4_i32_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w4_i32_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<68719476704ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w4_i32_desc_stable_rows<kInstance>), divided_up(arguments.rows, 32), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W8_I20_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W8_I20_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w8_i20_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w8_i20_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<34359738352ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w8_i20_desc_stable_rows<kInstance>), divided_up(arguments.rows, 16), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W8_I24_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_WARP_BITONIC_SORT_F16_KEYS_W8_I24_DESC_STABLE_ROWS_HOST
// The host's part of warp_bitonic_sort_f16_keys_w8_i24_desc_stable: its tile holds a row.
template <int kInstance>
struct warp_bitonic_sort_f16_keys_w8_i24_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<34359738352ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&warp_bitonic_sort_f16_keys_w8_i24_desc_stable_rows<kInstance>), divided_up(arguments.rows, 16), 128, 0, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I8_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I8_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i8_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i8_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i8_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 576, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I12_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I12_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i12_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i12_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i12_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 864, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I16_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I16_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i16_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i16_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i16_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 1152, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I20_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I20_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i20_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i20_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i20_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 1440, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I24_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I24_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i24_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i24_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i24_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 1728, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I32_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I32_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i32_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i32_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i32_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 2304, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I36_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I36_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i36_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i36_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i36_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 2592, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I40_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B32_I40_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b32_i40_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b32_i40_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b32_i40_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 32, 2880, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B64_I24_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B64_I24_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b64_i24_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b64_i24_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b64_i24_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 64, 3456, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B64_I32_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B64_I32_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b64_i32_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b64_i32_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b64_i32_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 64, 4608, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B64_I36_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B64_I36_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b64_i36_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b64_i36_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b64_i36_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 64, 5184, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I24_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I24_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b128_i24_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b128_i24_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b128_i24_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 128, 6912, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I32_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I32_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b128_i32_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b128_i32_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b128_i32_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 128, 9216, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I36_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I36_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b128_i36_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b128_i36_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b128_i36_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 128, 10368, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I40_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B128_I40_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b128_i40_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b128_i40_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b128_i40_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 128, 11520, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I24_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I24_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b256_i24_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b256_i24_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b256_i24_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 256, 13824, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I32_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I32_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b256_i32_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b256_i32_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b256_i32_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 256, 18432, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I36_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I36_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b256_i36_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b256_i36_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b256_i36_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 256, 20736, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I40_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B256_I40_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b256_i40_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b256_i40_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b256_i40_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 256, 23040, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B512_I24_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B512_I24_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b512_i24_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b512_i24_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b512_i24_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 512, 27648, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B512_I28_DESC_STABLE_ROWS_HOST
#define SORTSMITH_V0_1_0_BLOCK_BITONIC_SORT_F16_KEYS_B512_I28_DESC_STABLE_ROWS_HOST
// The host's part of block_bitonic_sort_f16_keys_b512_i28_desc_stable: its tile holds a row.
template <int kInstance>
struct block_bitonic_sort_f16_keys_b512_i28_desc_stable_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<2147483647ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {&arguments.keys_in, &arguments.keys_out, &arguments.rows, &arguments.columns, &arguments.stride};
      launches.launch(reinterpret_cast<const void*>(&block_bitonic_sort_f16_keys_b512_i28_desc_stable_rows<kInstance>), divided_up(arguments.rows, 1), 512, 32256, parameters);
    });
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_COUNTING_SORT_F16_KEYS_B1024_I48_DESC_ROWS_FACADE_HOST
#define SORTSMITH_V0_1_0_DEVICE_COUNTING_SORT_F16_KEYS_B1024_I48_DESC_ROWS_FACADE_HOST
// The host's part of device_counting_sort_f16_keys_b1024_i48_desc.
template <int kInstance>
struct device_counting_sort_f16_keys_b1024_i48_desc_host {
  using Sort = sortsmith::device_counting_sort_f16_keys_b1024_i48_desc;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    return {
        0,
        0,
        0,
        0};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = writes_keys;
    arguments.row_stride = stride;
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    launches.launch(reinterpret_cast<const void*>(&device_counting_sort_f16_keys_b1024_i48_desc_rows<kInstance>), 1, 1024, 230592, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F16_KEYS_B512_I8_DESC_ROWS_ROWS_FACADE_HOST
#define SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F16_KEYS_B512_I8_DESC_ROWS_ROWS_FACADE_HOST
// The host's part of device_sample_sort_f16_keys_b512_i8_desc_rows.
template <int kInstance>
struct device_sample_sort_f16_keys_b512_i8_desc_rows_host {
  using Sort = sortsmith::device_sample_sort_f16_keys_b512_i8_desc_rows;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    return {
        0,
        rows * (divided_up(8 * least(next_power_of_two(divided_up(n, 4096)), 512), 16) * 16 + divided_up(2 * least(next_power_of_two(divided_up(n, 4096)), 512) * divided_up(n, 4096), 16) * 16),
        divided_up(rows * n * 2, 16) * 16,
        divided_up(rows * n * 2, 16) * 16};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = writes_keys;
    arguments.row_stride = stride;
    arguments.seed = static_cast<int>(random_seed());
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i8_desc_rows_samples<kInstance>), 1, 1024, 49152, parameters);
    launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i8_desc_rows_split<kInstance>), divided_up(n, 4096), 512, 35136, parameters);
    launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i8_desc_rows_buckets<kInstance>), least(next_power_of_two(divided_up(n, 4096)), 512), 512, 53984, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F16_KEYS_B512_I4_DESC_ROWS_FACADE_HOST
#define SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F16_KEYS_B512_I4_DESC_ROWS_FACADE_HOST
// The host's part of device_sample_sort_f16_keys_b512_i4_desc.
template <int kInstance>
struct device_sample_sort_f16_keys_b512_i4_desc_host {
  using Sort = sortsmith::device_sample_sort_f16_keys_b512_i4_desc_tiles;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    return {
        0,
        (divided_up(8 * (n >= 131073 ? least(next_power_of_two(divided_up(n, 1024)), 512) : least(next_power_of_two(divided_up(n, 512)), 128)), 16) * 16 + divided_up(2 * (n >= 131073 ? least(next_power_of_two(divided_up(n, 1024)), 512) : least(next_power_of_two(divided_up(n, 512)), 128)) * divided_up(n, 2048), 16) * 16),
        divided_up(n * 2, 16) * 16,
        divided_up(n * 2, 16) * 16};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = writes_keys;
    arguments.seed = static_cast<int>(random_seed());
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i4_desc_tiles_split<kInstance>), divided_up(n, 2048), 512, 39232, parameters);
    launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i8_desc_shared_buckets<kInstance>), (n >= 131073 ? least(next_power_of_two(divided_up(n, 1024)), 512) : least(next_power_of_two(divided_up(n, 512)), 128)), 512, 53984, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F16_KEYS_B512_I8_DESC_ROWS_FACADE_HOST
#define SORTSMITH_V0_1_0_DEVICE_SAMPLE_SORT_F16_KEYS_B512_I8_DESC_ROWS_FACADE_HOST
// The host's part of device_sample_sort_f16_keys_b512_i8_desc.
template <int kInstance>
struct device_sample_sort_f16_keys_b512_i8_desc_host {
  using Sort = sortsmith::device_sample_sort_f16_keys_b512_i8_desc_shared;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    return {
        0,
        (divided_up(8 * (n >= 131073 ? (n >= 1048577 ? 1024 : least(next_power_of_two(divided_up(n, 1024)), 512)) : least(next_power_of_two(divided_up(n, 512)), 128)), 16) * 16 + divided_up(2 * (n >= 131073 ? (n >= 1048577 ? 1024 : least(next_power_of_two(divided_up(n, 1024)), 512)) : least(next_power_of_two(divided_up(n, 512)), 128)) * divided_up(n, 4096), 16) * 16),
        divided_up(n * 2, 16) * 16,
        divided_up(n * 2, 16) * 16};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = writes_keys;
    arguments.seed = static_cast<int>(random_seed());
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    if (n >= 131073) launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i8_desc_shared_samples<kInstance>), (largest((n >= 131073 ? (n >= 1048577 ? 1024 : least(next_power_of_two(divided_up(n, 1024)), 512)) : least(next_power_of_two(divided_up(n, 512)), 128)), 512) * 8 / (32)), 1024, 656, parameters);
    launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i8_desc_shared_split<kInstance>), divided_up(n, 4096), 512, 74112, parameters);
    launches.launch(reinterpret_cast<const void*>(&device_sample_sort_f16_keys_b512_i8_desc_shared_buckets<kInstance>), (n >= 131073 ? (n >= 1048577 ? 1024 : least(next_power_of_two(divided_up(n, 1024)), 512)) : least(next_power_of_two(divided_up(n, 512)), 128)), 512, 53984, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_F16_KEYS_B384_I32_DESC_ROWS_FACADE_HOST
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_F16_KEYS_B384_I32_DESC_ROWS_FACADE_HOST
// The host's part of device_radix_sort_f16_keys_b384_i32_desc.
template <int kInstance>
struct device_radix_sort_f16_keys_b384_i32_desc_host {
  using Sort = sortsmith::device_radix_sort_f16_keys_b384_i32_desc;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    return {
        (2176 + divided_up(n, 12288) * 256 * 4),
        (2176 + divided_up(n, 12288) * 256 * 4),
        divided_up(n * 2, 16) * 16,
        divided_up(n * 2, 16) * 16};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = writes_keys;
    arguments.count_columns_log2 = static_cast<int>(least(floor_log2((shared_bytes_per_block / (2048))), 5));
    arguments.sorts_msd_buckets = static_cast<int>(0);
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_count<kInstance>), least(divided_up(n, 32768), multiprocessors), 1024, ((2048) << (least(floor_log2((shared_bytes_per_block / (2048))), 5))), parameters);
    launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_plan<kInstance>), 1, 256, 0, parameters);
    if (divided_up(minus(end_bit, begin_bit), 8) >= 1) {
      int argument = static_cast<int>(0);
      parameters[1] = &argument;
      launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_pass<kInstance>), least(divided_up(n, 12288), multiprocessors * 2), 384, 64344, parameters);
      parameters[1] = nullptr;
    }
    if (divided_up(minus(end_bit, begin_bit), 8) >= 2) {
      int argument = static_cast<int>(1);
      parameters[1] = &argument;
      launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_pass<kInstance>), least(divided_up(n, 12288), multiprocessors * 2), 384, 64344, parameters);
      parameters[1] = nullptr;
    }
    launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_finish<kInstance>), least(divided_up(n, 4096), multiprocessors * 2), 1024, 0, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_F16_KEYS_B384_I32_DESC_WIDE_ROWS_FACADE_HOST
#define SORTSMITH_V0_1_0_DEVICE_RADIX_SORT_F16_KEYS_B384_I32_DESC_WIDE_ROWS_FACADE_HOST
// The host's part of device_radix_sort_f16_keys_b384_i32_desc_wide.
template <int kInstance>
struct device_radix_sort_f16_keys_b384_i32_desc_wide_host {
  using Sort = sortsmith::device_radix_sort_f16_keys_b384_i32_desc_wide;

  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    return {
        (4224 + divided_up(n, 12288) * 256 * 8),
        (4224 + divided_up(n, 12288) * 256 * 8),
        divided_up(n * 2, 16) * 16,
        divided_up(n * 2, 16) * 16};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block, rows, stride, writes_keys, key_bytes, value_bytes] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = writes_keys;
    arguments.count_columns_log2 = static_cast<int>(least(floor_log2((shared_bytes_per_block / (2048))), 5));
    arguments.sorts_msd_buckets = static_cast<int>(0);
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
    launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_wide_count<kInstance>), least(divided_up(n, 32768), multiprocessors), 1024, ((2048) << (least(floor_log2((shared_bytes_per_block / (2048))), 5))), parameters);
    launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_wide_plan<kInstance>), 1, 256, 0, parameters);
    if (divided_up(minus(end_bit, begin_bit), 8) >= 1) {
      int argument = static_cast<int>(0);
      parameters[1] = &argument;
      launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_wide_pass<kInstance>), least(divided_up(n, 12288), multiprocessors * 2), 384, 65368, parameters);
      parameters[1] = nullptr;
    }
    if (divided_up(minus(end_bit, begin_bit), 8) >= 2) {
      int argument = static_cast<int>(1);
      parameters[1] = &argument;
      launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_wide_pass<kInstance>), least(divided_up(n, 12288), multiprocessors * 2), 384, 65368, parameters);
      parameters[1] = nullptr;
    }
    launches.launch(reinterpret_cast<const void*>(&device_radix_sort_f16_keys_b384_i32_desc_wide_finish<kInstance>), least(divided_up(n, 4096), multiprocessors * 2), 1024, 0, parameters);
  }
};
#endif

#ifndef SORTSMITH_V0_1_0_ROWS_FACADE_F16_KEYS_DESC
#define SORTSMITH_V0_1_0_ROWS_FACADE_F16_KEYS_DESC
template <>
struct Emitted<KeyKind::k_f16, 0, true> {
  static constexpr bool kExists = true;
  static constexpr unsigned long long kKeyBits = 16;
  static constexpr unsigned long long kValueBytes = 0;
  static constexpr unsigned long long kMaxColumns = 1099511627776ull;
  // The shared memory that a block of the device may have, at least.
  static constexpr unsigned long long kSharedBytesPerBlock = 232448;

  // Calls `visit` with the host's part of the sort of these rows.
  template <int kInstance, typename Visit>
  static void choose([[maybe_unused]] unsigned long long rows, unsigned long long columns, const Visit& visit) {
    if (columns <= 16ull) return visit(warp_bitonic_sort_f16_keys_w4_i4_desc_stable_rows_host<kInstance>());
    if (columns <= 20ull) return visit(warp_bitonic_sort_f16_keys_w4_i5_desc_stable_rows_host<kInstance>());
    if (columns <= 24ull) return visit(warp_bitonic_sort_f16_keys_w4_i6_desc_stable_rows_host<kInstance>());
    if (columns <= 32ull) return visit(warp_bitonic_sort_f16_keys_w4_i8_desc_stable_rows_host<kInstance>());
    if (columns <= 36ull) return visit(warp_bitonic_sort_f16_keys_w4_i9_desc_stable_rows_host<kInstance>());
    if (columns <= 48ull) return visit(warp_bitonic_sort_f16_keys_w4_i12_desc_stable_rows_host<kInstance>());
    if (columns <= 64ull) return visit(warp_bitonic_sort_f16_keys_w4_i16_desc_stable_rows_host<kInstance>());
    if (columns <= 96ull) return visit(warp_bitonic_sort_f16_keys_w4_i24_desc_stable_rows_host<kInstance>());
    if (columns <= 128ull) return visit(warp_bitonic_sort_f16_keys_w4_i32_desc_stable_rows_host<kInstance>());
    if (columns <= 160ull) return visit(warp_bitonic_sort_f16_keys_w8_i20_desc_stable_rows_host<kInstance>());
    if (columns <= 192ull) return visit(warp_bitonic_sort_f16_keys_w8_i24_desc_stable_rows_host<kInstance>());
    if (columns <= 256ull) return visit(block_bitonic_sort_f16_keys_b32_i8_desc_stable_rows_host<kInstance>());
    if (columns <= 384ull) return visit(block_bitonic_sort_f16_keys_b32_i12_desc_stable_rows_host<kInstance>());
    if (columns <= 512ull) return visit(block_bitonic_sort_f16_keys_b32_i16_desc_stable_rows_host<kInstance>());
    if (columns <= 640ull) return visit(block_bitonic_sort_f16_keys_b32_i20_desc_stable_rows_host<kInstance>());
    if (columns <= 768ull) return visit(block_bitonic_sort_f16_keys_b32_i24_desc_stable_rows_host<kInstance>());
    if (columns <= 1024ull) return visit(block_bitonic_sort_f16_keys_b32_i32_desc_stable_rows_host<kInstance>());
    if (columns <= 1152ull) return visit(block_bitonic_sort_f16_keys_b32_i36_desc_stable_rows_host<kInstance>());
    if (columns <= 1280ull) return visit(block_bitonic_sort_f16_keys_b32_i40_desc_stable_rows_host<kInstance>());
    if (columns <= 1536ull) return visit(block_bitonic_sort_f16_keys_b64_i24_desc_stable_rows_host<kInstance>());
    if (columns <= 2048ull) return visit(block_bitonic_sort_f16_keys_b64_i32_desc_stable_rows_host<kInstance>());
    if (columns <= 2304ull) return visit(block_bitonic_sort_f16_keys_b64_i36_desc_stable_rows_host<kInstance>());
    if (columns <= 3072ull) return visit(block_bitonic_sort_f16_keys_b128_i24_desc_stable_rows_host<kInstance>());
    if (columns <= 4096ull) return visit(block_bitonic_sort_f16_keys_b128_i32_desc_stable_rows_host<kInstance>());
    if (columns <= 4608ull) return visit(block_bitonic_sort_f16_keys_b128_i36_desc_stable_rows_host<kInstance>());
    if (columns <= 5120ull) return visit(block_bitonic_sort_f16_keys_b128_i40_desc_stable_rows_host<kInstance>());
    if (columns <= 6144ull) return visit(block_bitonic_sort_f16_keys_b256_i24_desc_stable_rows_host<kInstance>());
    if (columns <= 8192ull) return visit(block_bitonic_sort_f16_keys_b256_i32_desc_stable_rows_host<kInstance>());
    if (columns <= 9216ull) return visit(block_bitonic_sort_f16_keys_b256_i36_desc_stable_rows_host<kInstance>());
    if (columns <= 10240ull) return visit(block_bitonic_sort_f16_keys_b256_i40_desc_stable_rows_host<kInstance>());
    if (columns <= 12288ull) return visit(block_bitonic_sort_f16_keys_b512_i24_desc_stable_rows_host<kInstance>());
    if (columns <= 13642ull && rows >= 2) return visit(InGroups<Together<device_counting_sort_f16_keys_b1024_i48_desc_host<kInstance>>>());
    if (columns <= 13642ull) return choose_array<kInstance>(columns, visit);
    if (columns <= 14336ull) return visit(block_bitonic_sort_f16_keys_b512_i28_desc_stable_rows_host<kInstance>());
    if (columns <= 786432ull && rows >= 2) return visit(InGroups<Together<device_counting_sort_f16_keys_b1024_i48_desc_host<kInstance>>>());
    if (columns <= 786432ull) return choose_array<kInstance>(columns, visit);
    if (columns <= 1048576ull && rows >= 2) return visit(InGroups<Together<device_sample_sort_f16_keys_b512_i8_desc_rows_host<kInstance>>>());
    if (columns <= 1048576ull) return choose_array<kInstance>(columns, visit);
    choose_array<kInstance>(columns, visit);
  }

  // The same where rows are sorted one after the other.
  template <int kInstance, typename Visit>
  static void choose_array([[maybe_unused]] unsigned long long columns, const Visit& visit) {
    if (columns <= 131072ull) return visit(InGroups<OneByOne<device_sample_sort_f16_keys_b512_i4_desc_host<kInstance>>>());
    if (columns <= 262144ull) return visit(InGroups<OneByOne<device_sample_sort_f16_keys_b512_i8_desc_host<kInstance>>>());
    if (columns <= 1073741823ull) return visit(InGroups<OneByOne<device_radix_sort_f16_keys_b384_i32_desc_host<kInstance>>>());
    return visit(InGroups<OneByOne<device_radix_sort_f16_keys_b384_i32_desc_wide_host<kInstance>>>());
  }
};
#endif

}  // namespace rows_facade

#ifndef SORTSMITH_V0_1_0_ROWS_FACADE_CLASS
#define SORTSMITH_V0_1_0_ROWS_FACADE_CLASS
struct DeviceRows {
  // Ascending.
  template <typename KeyT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortKeys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<false, KeyT, NullType>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // With the values that belong to the keys.
  template <typename KeyT, typename ValueT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<false, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // With their positions in the row, where a null pointer is given for the values.
  template <typename KeyT, typename PositionT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortPairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, decltype(nullptr), PositionT* d_positions_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<false, KeyT, rows_facade::PositionOf<PositionT>>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out, nullptr, d_positions_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // The positions alone.
  template <typename KeyT, typename PositionT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t Argsort(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, PositionT* d_positions_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<false, KeyT, rows_facade::PositionOf<PositionT>, false>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, nullptr, nullptr, d_positions_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // Descending.
  template <typename KeyT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortKeysDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<true, KeyT, NullType>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // With the values that belong to the keys.
  template <typename KeyT, typename ValueT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<true, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // With their positions in the row, where a null pointer is given for the values.
  template <typename KeyT, typename PositionT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortPairsDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, decltype(nullptr), PositionT* d_positions_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<true, KeyT, rows_facade::PositionOf<PositionT>>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out, nullptr, d_positions_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // The positions alone.
  template <typename KeyT, typename PositionT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t ArgsortDescending(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, PositionT* d_positions_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<true, KeyT, rows_facade::PositionOf<PositionT>, false>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, nullptr, nullptr, d_positions_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
};
#endif

}  // namespace v0_1_0
}  // namespace sortsmith
