// sortsmith::DeviceRadixSort, with the functions of cub::DeviceRadixSort: {{ title }}.
//
// A call written for CUB works with `cub::` changed to `sortsmith::`. Sorts are stable, of any number of items, on devices with at least
// {{ shared_bytes_per_block }} bytes of shared memory for a block. Nothing is allocated and nothing is waited for, so calls can be captured;
// any number of threads may call at once, on any devices. Errors are returned: cudaErrorInvalidValue if an argument is not legal, and then
// nothing is enqueued.
//
// Made by sortsmith {{ version }} from the template device_facade; to make it again:
//   sortsmith emit {{ command }} --out .
#pragma once

{% include "fragments/cpp_version.cuh" %}

{{ sources }}
namespace sortsmith {
inline namespace {{ version_namespace }} {
{% include "fragments/key_kinds.cuh" %}
{% include "fragments/decomposers.cuh" %}

#ifndef {{ guard }}
#define {{ guard }}

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
using facade::struct_kind;

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

// Says where sorts by samples look, and is another number at each call. Keys cannot be made by it: it follows from the address of a
// thread's variable, which operating systems choose at random.
inline unsigned int random_seed() {
  static thread_local unsigned long long calls = 0;
  unsigned long long number = reinterpret_cast<unsigned long long>(&calls) + ++calls * 0x9e3779b97f4a7c15ull;
  number = (number ^ number >> 31) * 0xbf58476d1ce4e5b9ull;
  return static_cast<unsigned int>(number >> 32);
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
    may_begin_early_ = driver >= 12030 && attributes.ptxVersion >= {{ first_waiting_arch }};
  }

  bool is_first_ = true;
  bool may_begin_early_ = false;
#endif
  cudaStream_t stream_;
  cudaError_t error_ = cudaSuccess;
};

// The sorts of a type of keys, a size of values and an order.
template <KeyKind kKey, int kValueBytes, bool kDescending>
struct Emitted {
  static constexpr bool kExists = false;
};
{%- let class = "DeviceRadixSort" %}
{%- let command = "--facade cub-device" %}
{%- let further_keys = "; and structs of these, with a decomposer, for which sorts of their fields were emitted: --key u32+f32" %}
{%- let further_words = " --out <a folder of its own, to be included too>" %}
{% include "fragments/emitting_command.cuh" %}

}  // namespace device_facade
#endif

namespace device_facade {
{% for host in hosts %}
#ifndef {{ host.guard }}
#define {{ host.guard }}
// The host's part of {{ host.name }}.
template <int kInstance>
struct {{ host.name }}_host {
  using Sort = sortsmith::{{ host.sort }};
{% if host.is_tile %}
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    unsigned long long n = facts.n;
    int begin_bit = static_cast<int>(facts.begin_bit);
    int end_bit = static_cast<int>(facts.end_bit);
    const void* keys_in = arrays.keys_in;
    void* keys_out = arrays.keys_out;
{%- if has_values %}
    const void* values_in = arrays.values_in;
    void* values_out = arrays.values_out;
{%- endif %}
    void* parameters[] = {&keys_in, &keys_out, {% if has_values %}&values_in, &values_out, {% endif %}&n, &begin_bit, &end_bit};
    launches.launch(reinterpret_cast<const void*>(&{{ host.name }}_tile<kInstance>), 1, Sort::kBlockThreads, Sort::kSharedBytes, parameters);
  }
{% else %}
  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block] = facts;
    return {
        {{ host.scratch.zeroed }},
        {{ host.scratch.workspace }},
        {{ host.scratch.alternate }},
        {{ host.scratch.alternate_keys }}};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block] = facts;
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
    arguments.writes_keys = 1;
{%- for argument in host.arguments %}
    arguments.{{ argument.name }} = {{ argument.assigned }};
{%- endfor %}
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
{%- for launch in host.launches %}
{%- if let Some(pass) = launch.pass %}
    if ({{ launch.condition }}) {
      int pass_slot = static_cast<int>({{ pass }});
      parameters[1] = &pass_slot;
      launches.launch(reinterpret_cast<const void*>(&{{ launch.kernel }}<kInstance>), {{ launch.blocks }}, {{ launch.threads }}, {{ launch.shared_bytes }}, parameters);
      parameters[1] = nullptr;
    }
{%- else %}
    {% if let Some(condition) = launch.only_if %}if ({{ condition }}) {% endif %}launches.launch(reinterpret_cast<const void*>(&{{ launch.kernel }}<kInstance>), {{ launch.blocks }}, {{ launch.threads }}, {{ launch.shared_bytes }}, parameters);
{%- endif %}
{%- endfor %}
  }
{% endif %}};
#endif
{% endfor %}
{%- for sort in sorts %}
#ifndef {{ sort.guard }}
#define {{ sort.guard }}
template <>
struct Emitted<{{ kind }}, {{ value_bytes }}, {{ sort.descending }}> {
  static constexpr bool kExists = true;
{%- if !field_offsets.is_empty() %}
  // The bytes of a key, and where in it its fields begin.
  static constexpr unsigned long long kKeyBytes = {{ key_bytes }};
  static constexpr unsigned long long kFieldOffsets[] = { {{ field_offsets }} };
{%- endif %}
  static constexpr unsigned long long kKeyBits = {{ key_bits }};
  static constexpr unsigned long long kMaxItems = {{ sort.max_items }}ull;
  // The shared memory that a block of the device may have, at least.
  static constexpr unsigned long long kSharedBytesPerBlock = {{ shared_bytes_per_block }};

  // Calls `visit` with the host's part of the sort of n items.
  template <int kInstance, typename Visit>
  static void choose(unsigned long long n, const Visit& visit) {
{%- for choice in sort.choices %}
{%- if let Some(most) = choice.most %}
    if (n <= {{ most }}ull) return visit({{ choice.name }}_host<kInstance>());
{%- else %}
    return visit({{ choice.name }}_host<kInstance>());
{%- endif %}
{%- endfor %}
  }
};
#endif
{% endfor %}
}  // namespace device_facade

#ifndef {{ guard }}_CLASS
#define {{ guard }}_CLASS
namespace device_facade {

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

// Whether all arrays are there, keys at a multiple of these bytes and values of their own. Values of no bytes have none.
inline bool are_arrays(const Arrays& arrays, unsigned long long key_alignment, unsigned long long value_bytes) {
  const auto is_array = [](const void* array, unsigned long long bytes) {
    return bytes == 0 || (array != nullptr && is_multiple_of(array, bytes));
  };
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

// The sort of all calls by what has been emitted, of arrays of keys at multiples of this many bytes. A null d_temp_storage asks for
// temp_storage_bytes.
template <typename Sorts, typename KeyT, typename ValueT, typename NumItemsT>
cudaError_t sort_emitted(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, unsigned long long key_alignment,
                         NumItemsT num_items, int begin_bit, int end_bit, cudaStream_t stream) {
  static_assert(static_cast<NumItemsT>(3) / 2 == 1, "NumItemsT must be an integer");
  static_assert(__is_trivially_copyable(ValueT), "ValueT must be trivially copyable");
  const bool is_negative = !(num_items == 0 || num_items > 0);
  const bool has_bits = 0 <= begin_bit && begin_bit <= end_bit && end_bit <= static_cast<int>(8 * sizeof(KeyT));
  if (is_negative || !has_bits) return cudaErrorInvalidValue;
  Facts facts = {};
  facts.n = static_cast<unsigned long long>(num_items);
  if (facts.n > Sorts::kMaxItems) return cudaErrorInvalidValue;
  // CUB counts all bits of a bool, and a struct may have padding; bits that are none do not take part.
  facts.end_bit = least(static_cast<unsigned long long>(end_bit), Sorts::kKeyBits);
  facts.begin_bit = least(static_cast<unsigned long long>(begin_bit), facts.end_bit);
  cudaError_t error = add_device(facts, Sorts::kSharedBytesPerBlock);
  if (error != cudaSuccess) return error;
  const bool are_legal = are_arrays(arrays, key_alignment, facade::kValueBytes<ValueT>);
  Sorts::template choose<0>(facts.n, [&](auto host) {
    error = sort_by(host, facts, arrays, are_legal, d_temp_storage, temp_storage_bytes, stream);
  });
  return error;
}

// The sort of calls without a decomposer.
template <bool kDescending, typename KeyT, typename ValueT, typename NumItemsT>
cudaError_t sort(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, NumItemsT num_items, int begin_bit, int end_bit,
                 cudaStream_t stream) {
  using Sorts = Emitted<facade::kKindOf<KeyT>, facade::kValueBytes<ValueT>, kDescending>;
  constexpr bool kHasOtherOrder = Emitted<facade::kKindOf<KeyT>, facade::kValueBytes<ValueT>, !kDescending>::kExists;
  static_assert(Sorts::kExists || !kHasOtherOrder,
                "this order has not been emitted: run the sortsmith emit command of this header with --order both");
  using Command = EmittingCommand<facade::kKindOf<KeyT>, facade::kValueBytes<ValueT>, Sorts::kExists || kHasOtherOrder>;
  static_assert(!Command::kIsNeeded, "the error above says the command");
  if constexpr (Sorts::kExists) {
    return sort_emitted<Sorts, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, sizeof(KeyT), num_items, begin_bit, end_bit, stream);
  } else {
    return cudaErrorNotSupported;
  }
}

{% include "device/struct_facade.cuh" %}

}  // namespace device_facade

struct DeviceRadixSort {
{%- for member in members %}
  // {{ member.words }}
  template <typename KeyT, typename ValueT, typename NumItemsT>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,
                              const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, int begin_bit = 0,
                              int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = {d_keys_in, d_keys_out, nullptr, d_values_in, d_values_out, nullptr, false};
    return device_facade::sort<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              DoubleBuffer<ValueT>& d_values, NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                              cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = {d_keys.Current(), d_keys.Current(), d_keys.Alternate(),
                                          d_values.Current(), d_values.Current(), d_values.Alternate(), true};
    return device_facade::sort<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = {d_keys_in, d_keys_out, nullptr, nullptr, nullptr, nullptr, false};
    return device_facade::sort<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = {d_keys.Current(), d_keys.Current(), d_keys.Alternate(), nullptr, nullptr, nullptr, true};
    return device_facade::sort<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
{%- include "device/struct_members.cuh" %}
{%- endfor %}
};
#endif

}  // namespace {{ version_namespace }}
}  // namespace sortsmith
