{% extends "fragments/file.cuh" %}

{% block summary %}an array of tiny n, by odd-even transposition in the shared
// memory of one block. Stable: equal keys keep their input order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the input" %}
{%- include "fragments/made_positions.cuh" %}
//
// Glossary
//   pair:  two neighbours, which are exchanged where the right one is less
//   round: the pairs that begin at even positions, or those that begin at odd ones; no item is in two of them
//
// After as many rounds as there are items no pair is out of order. The host's launch:
//
//   {{ base.name }}_sort<<<1, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
  // The shared memory of the block.
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
  static constexpr unsigned long long kMaxItems = kTileItems;

{% include "fragments/arguments.cuh" %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

 public:
  // The ordered bits{% if value.exists %} and values{% endif %}, by their positions.
  struct TempStorage {
    StoredBits bits[kTileItems];
{%- if value.exists %}
    Value values[kTileItems];
{%- endif %}
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // The sort has no workspace.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long) { return 0; }

  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage) : storage_(storage) {}

  // Sorts the array. All of it is read before any of it is written.
  __device__ __forceinline__ void sort(const Arguments& arguments) {
    wait_for_previous_grid();  //~ grid-before-odd-even
    const unsigned int n = static_cast<unsigned int>(arguments.n);
    for (unsigned int i = threadIdx.x; i < n; i += kBlockThreads) {  //~ odd-even-loaded-item
      storage_.bits[i] = static_cast<StoredBits>(to_ordered_bits(arguments.keys_in[i]));
{%- if value.exists %}
      storage_.values[i] = {% if value.is_position %}i{% else %}arguments.values_in[i]{% endif %};
{%- endif %}
    }
    __syncthreads();
    for (unsigned int round = 0; round < n; ++round) {  //~ odd-even-rounds
      for (unsigned int left = 2 * threadIdx.x + round % 2; left + 1 < n; left += 2 * kBlockThreads) {  //~ odd-even-pairs-of-a-thread
        order_pair(left);
      }
      // The next round's pairs have an item of each of two of these.
      __syncthreads();
    }
    for (unsigned int i = threadIdx.x; i < n; i += kBlockThreads) {  //~ odd-even-stored-item
      arguments.keys_out[i] = to_key(storage_.bits[i]);
{%- if value.exists %}
      arguments.values_out[i] = storage_.values[i];
{%- endif %}
    }
  }

 private:
  // Puts the pair that begins at this position in order. Equal keys stay as they are, so the sort is stable.
  __device__ __forceinline__ void order_pair(unsigned int left) {
    const StoredBits left_bits = storage_.bits[left];
    const StoredBits right_bits = storage_.bits[left + 1];
    if (compared_bits(right_bits) < compared_bits(left_bits)) {  //~ odd-even-right-is-less
      storage_.bits[left] = right_bits;
      storage_.bits[left + 1] = left_bits;
{%- if value.exists %}
      const Value left_value = storage_.values[left];
      storage_.values[left] = storage_.values[left + 1];
      storage_.values[left + 1] = left_value;  //~ odd-even-exchanged-value
{%- endif %}
    }
  }

  TempStorage& storage_;
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_sort(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared)).sort(arguments);
}
{% endblock %}
