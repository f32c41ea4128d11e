{% extends "fragments/file.cuh" %}

{% block summary %}the first k keys of each row of a matrix, {{ found.title }}.
// Of equal keys those at the lowest positions are found. Rows have at most {{ max_columns }} columns; k is at most {{ max_k }} and at most the columns.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
//
//   slot           where an item is in shared memory; items are there in the order of their positions
//   composite key  what is compared: the upper bits of what a key exceeds the least one by and, below them, the item's slot
{%- if row_lanes == 32 %}
//   limit          a key such that at least k items of the row are not worse
//   survivor       an item that is not worse than the limit
//
// A warp holds a row in registers. The minima of groups of its items are sorted: the k-th of them is the limit. Survivors, hardly more than k
// if keys differ, get slots, and are sorted by composite keys. Where the bits that these leave out decide, they are sorted once more with all
// bits. Where more items survive than there are slots, the limit moves down, by bisection, until few enough do; should equal keys
// be too many, only those at the lowest positions have slots.
{%- else %}
//   run            sorted composite keys of some lanes
//
// A few lanes of a warp hold a row in registers. Each sorts the composite keys of its items, and runs of lanes are merged, of which the first {{ max_k }}
// items are kept. Where the bits that composite keys leave out decide, all items of the row are sorted once more with all bits.
{%- endif %}
//
// The host's launch, for outputs of k items a row, row after row:
//
//   {{ base.name }}_rows<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, keys_out, positions_out, rows, columns, stride, k, sorted{{ found.arguments }});
//
// stride is the distance between the first keys of two rows. keys_out may be null. Without `sorted` the items come in
// the order of their positions.
{%- if found.is_more %}
//
// positions_out has positions of 32 bits, and values_out {% if found.is_read %}the values{% else %}those of 64 bits{% endif %}; either may be null.{% if found.is_read %} values has one for each key, at the
// same index.{% endif %}
{%- endif %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr unsigned int kMaxColumns = {{ max_columns }};
  static constexpr unsigned int kMaxK = {{ max_k }};
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
  static constexpr int kWarps = kBlockThreads / kWarpThreads;

 private:
  // Slots of a row that a lane of the warp has where all of these sort them.
  static constexpr int kSlotsPerThread = {{ slots_per_thread }};
{%- if row_lanes == 32 %}
  static constexpr unsigned int kSlots = kWarpThreads * kSlotsPerThread;
{%- endif %}
  static constexpr int kSlotBits = {{ slot_bits }};
{% include "top_k/key_vectors.cuh" %}

{% if row_lanes == 32 %}{% include "top_k/warp/storage.cuh" %}{% else %}{% include "top_k/warp/lanes_of_row.cuh" %}{% endif %}
 public:
  struct TempStorage {
    WarpStorage of_warp[kWarps];
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

{% if found.is_more %}{% include "top_k/output.cuh" %}

{% endif %}  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage)
      : storage_(storage.of_warp[warp_of(threadIdx.x)]), lane_(lane_of(threadIdx.x)) {}

{% if row_lanes == 32 %}{% include "top_k/warp/find.cuh" %}{% else %}{% include "top_k/warp/find_in_lanes.cuh" %}{% endif %}

 private:
{% include "top_k/warp/load.cuh" %}

{% if row_lanes == 32 %}{% include "top_k/warp/survivors.cuh" %}

{% include "top_k/count_beside.cuh" %}

{% include "top_k/warp/order.cuh" %}{% else %}{% include "top_k/warp/merge_lanes.cuh" %}{% endif %}

{% include "top_k/warp/all_bits.cuh" %}

{% include "top_k/sort_in_warp.cuh" %}

  WarpStorage& storage_;
  const unsigned int lane_;
{% endblock %}

{% block kernels %}
{%- let is_of_warps = true %}
{%- let resident_blocks = blocks %}

{% include "top_k/launch_bounds.cuh" %}
{{ base.name }}_rows({{ rows_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK top_k(*reinterpret_cast<TopK::TempStorage*>(sortsmith_shared));
  const unsigned long long warps = static_cast<unsigned long long>(gridDim.x) * TopK::kWarps;
  const unsigned long long warp = static_cast<unsigned long long>(blockIdx.x) * TopK::kWarps + sortsmith::warp_of(threadIdx.x);
{%- if row_lanes == 32 %}
  for (unsigned long long row = warp; row < rows; row += warps) {  //~ next-row-of-warp
    top_k.find(keys + row * stride, static_cast<unsigned int>(columns), k, sorted, keys_out ? keys_out + row * k : nullptr,
               {% if found.is_more %}TopK::Output::of_row(row * k, positions_out, values_out{% if found.is_read %}, values + row * stride * TopK::kWords{% endif %}){% else %}positions_out + row * k{% endif %});
  }
{%- else %}
  constexpr unsigned int kRows = {{ 32 / row_lanes }};
  for (unsigned long long row = warp * kRows; row < rows; row += warps * kRows) {  //~ next-rows-of-warp
    const unsigned int count = rows - row < kRows ? static_cast<unsigned int>(rows - row) : kRows;
    top_k.find(keys + row * stride, count, static_cast<unsigned int>(columns), stride, k, sorted,
               keys_out ? keys_out + row * k : nullptr, {% if found.is_more %}TopK::Output::of_row(row * k, positions_out, values_out{% if found.is_read %}, values + row * stride * TopK::kWords{% endif %}){% else %}positions_out + row * k{% endif %});
  }
{%- endif %}
}
{% endblock %}
