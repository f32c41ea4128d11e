{% extends "fragments/facade.cuh" %}

{% block summary %}// sortsmith::DeviceRadixSort, with the functions of cub::DeviceRadixSort: {{ title }}.
//
// A call written for CUB works with `cub::` changed to `sortsmith::`. Sorts are stable, of any number of items, on devices with at least
// {{ shared_bytes_per_block }} bytes of shared memory for a block. Nothing is allocated and nothing is waited for, so calls can be captured;
// any number of threads may call at once, on any devices. Errors are returned: cudaErrorInvalidValue if an argument is not legal, and then
// nothing is enqueued.{% endblock %}

{% block made_from %}device_facade{% endblock %}

{% block behind_key_kinds %}
{% include "fragments/decomposers.cuh" %}{% endblock %}

{% block body %}
#ifndef {{ guard }}
#define {{ guard }}
namespace device_facade {

using facade::struct_kind;

{% include "fragments/random_seed.cuh" %}
{%- let class = "DeviceRadixSort" %}
{%- let command = "--facade cub-device" %}
{%- let further_keys = "; and structs of these, with a decomposer, for which sorts of their fields were emitted: --key u32+f32" %}
{%- let further_words = " --out <a folder of its own, to be included too>" %}
{%- let positions = "" %}

{% include "fragments/emitted_sorts.cuh" %}

}  // namespace device_facade
#endif

namespace device_facade {
{%- let of_rows = false %}
{% for host in hosts %}
{% include "fragments/array_host.cuh" %}
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

// The sort of calls without a decomposer.
template <bool kDescending, typename KeyT, typename ValueT, typename NumItemsT>
cudaError_t sort(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, NumItemsT num_items, int begin_bit, int end_bit,
                 cudaStream_t stream) {
  using Sorts = typename Requested<facade::kKindOf<KeyT>, facade::kValueBytes<ValueT>, kDescending>::Sorts;
  if constexpr (Sorts::kExists) {
    const bool are_legal = are_arrays(arrays, sizeof(KeyT), facade::kValueBytes<ValueT>);
    return sort_emitted<KeyT, ValueT>(Sorts(), d_temp_storage, temp_storage_bytes, arrays, are_legal, num_items, begin_bit, end_bit, stream);
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
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out);
    return device_facade::sort<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              DoubleBuffer<ValueT>& d_values, NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8,
                              cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys, d_values);
    return device_facade::sort<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out);
    return device_facade::sort<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys,
                              NumItemsT num_items, int begin_bit = 0, int end_bit = sizeof(KeyT) * 8, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys);
    return device_facade::sort<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, begin_bit, end_bit, stream);
  }
{%- include "device/struct_members.cuh" %}
{%- endfor %}
};
#endif{% endblock %}
