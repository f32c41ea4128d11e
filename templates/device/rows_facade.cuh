{% extends "fragments/facade.cuh" %}

{% block summary %}// sortsmith::DeviceRows, sorts of the rows of a matrix: {{ title }}.
//
// Calls have the shape of CUB's. A row is num_columns items, and begins row_stride items behind the one before it, in the input and in the output;
// what lies between rows is neither read nor written. Sorts are stable, of any number of rows of up to {{ max_columns }} items, in place or not, on
// devices with at least {{ shared_bytes_per_block }} bytes of shared memory for a block. Nothing is allocated and nothing is waited for, so calls can
// be captured; any number of threads may call at once, on any devices. Errors are returned: cudaErrorInvalidValue if an argument is not legal, and
// then nothing is enqueued.{% endblock %}

{% block made_from %}rows_facade{{ left_out }}{% endblock %}

{% block made_by %}{{ command }}{% endblock %}

{% block body %}
#ifndef {{ guard }}
#define {{ guard }}
namespace rows_facade {

using namespace device_facade;
{%- let of_rows = true %}

{% include "device/rows_launches.cuh" %}

// What goes with keys that have no values: their positions.
template <typename PositionT>
struct PositionOf {
  static_assert(facade::kKindOf<PositionT> == KeyKind::k_u32 || facade::kKindOf<PositionT> == KeyKind::k_i32, "positions are integers of 4 bytes");
};

// The number by which a sort is found: the bytes of values, or {{ positions }} for positions.
template <typename ValueT>
constexpr int kValueKind = facade::kValueBytes<ValueT>;
template <typename PositionT>
inline constexpr int kValueKind<PositionOf<PositionT>> = {{ positions }};
{%- let class = "DeviceRows" %}
{%- let command = "--facade cub-rows" %}
{%- let further_keys = "" %}
{%- let further_words = " --out <a folder of its own, to be included too>" %}

{% include "fragments/emitted_sorts.cuh" %}

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
  constexpr unsigned long long kMaxItems = {{ max_items }};
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
{% for tile in tiles %}
#ifndef {{ tile.guard }}
#define {{ tile.guard }}
// The host's part of {{ tile.name }}: its tile holds a row.
template <int kInstance>
struct {{ tile.name }}_rows_host {
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    for_tiles<{{ tile.max_rows }}ull>(facts, arrays, launches, [&](TileArguments& arguments) {
      void* parameters[] = {
{%- for parameter in tile.parameters %}&arguments.{{ parameter }}{% if !loop.last %}, {% endif %}{% endfor %}};
      launches.launch(reinterpret_cast<const void*>(&{{ tile.name }}_rows<kInstance>), {{ tile.blocks }}, {{ tile.threads }}, {{ tile.shared_bytes }}, parameters);
    });
  }
};
#endif
{% endfor %}
{%- for host in hosts %}
{% include "fragments/array_host.cuh" %}
{% endfor %}
{%- for order in orders %}
#ifndef {{ order.emitted_guard }}
#define {{ order.emitted_guard }}
template <>
struct Emitted<{{ kind }}, {{ value_kind }}, {{ order.descending }}> {
  static constexpr bool kExists = true;
  static constexpr unsigned long long kKeyBits = {{ key_bits }};
  static constexpr unsigned long long kValueBytes = {{ value_bytes }};
  static constexpr unsigned long long kMaxColumns = {{ order.max_columns }}ull;
  // The shared memory that a block of the device may have, at least.
  static constexpr unsigned long long kSharedBytesPerBlock = {{ shared_bytes_per_block }};

  // Calls `visit` with the host's part of the sort of these rows.
  template <int kInstance, typename Visit>
  static void choose([[maybe_unused]] unsigned long long rows, unsigned long long columns, const Visit& visit) {
{%- for choice in order.together %}
{%- if let Some(most) = choice.most %}
{%- if choice.is_tile %}
    if (columns <= {{ most }}ull) return visit({{ choice.name }}_rows_host<kInstance>());
{%- else %}
    if (columns <= {{ most }}ull{% if let Some(condition) = choice.condition %} && {{ condition }}{% endif %}) return visit(InGroups<Together<{{ choice.name }}_host<kInstance>>>());
    if (columns <= {{ most }}ull) return choose_array<kInstance>(columns, visit);
{%- endif %}
{%- endif %}
{%- endfor %}
    choose_array<kInstance>(columns, visit);
  }

  // The same where rows are sorted one after the other.
  template <int kInstance, typename Visit>
  static void choose_array([[maybe_unused]] unsigned long long columns, const Visit& visit) {
{%- for choice in order.one_by_one %}
    {% if let Some(most) = choice.most %}if (columns <= {{ most }}ull) {% endif %}return visit(InGroups<OneByOne<{{ choice.name }}_host<kInstance>>>());
{%- endfor %}
  }
};
#endif
{% endfor %}
}  // namespace rows_facade

#ifndef {{ guard }}_CLASS
#define {{ guard }}_CLASS
struct DeviceRows {
{%- for member in members %}
{%- include "device/rows_members.cuh" %}
{%- endfor %}
};
#endif{% endblock %}
