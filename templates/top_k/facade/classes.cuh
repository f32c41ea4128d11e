#ifndef {{ guard }}_CLASSES
#define {{ guard }}_CLASSES
namespace top_k_facade {

// Keys of one array have no distance between rows.
struct Rows {
  unsigned long long count;
  unsigned long long columns;
  unsigned long long stride;
  unsigned long long k;
  bool are_legal;
};

template <typename NumRowsT, typename NumColumnsT, typename StrideT, typename NumOutItemsT>
Rows rows_of(NumRowsT rows, NumColumnsT columns, StrideT stride, NumOutItemsT k) {
  static_assert(static_cast<NumRowsT>(3) / 2 == 1 && static_cast<NumColumnsT>(3) / 2 == 1 && static_cast<StrideT>(3) / 2 == 1 &&
                    static_cast<NumOutItemsT>(3) / 2 == 1,
                "numbers of items must be integers");
  constexpr unsigned long long kMaxItems = {{ max_items }};
  constexpr unsigned long long kMaxColumns = {{ max_columns }};
  const Rows given = {static_cast<unsigned long long>(rows), static_cast<unsigned long long>(columns), static_cast<unsigned long long>(stride),
                      static_cast<unsigned long long>(k), false};
  const bool is_negative_one = is_negative(rows) || is_negative(columns) || is_negative(stride) || is_negative(k);
  const bool are_rows = given.columns <= kMaxColumns && given.k <= given.columns && given.columns <= given.stride && given.stride <= kMaxItems;
  const bool are_few = given.count <= kMaxItems / largest(given.stride, 1);
  Rows checked = given;
  // Without rows nothing is said of them.
  checked.are_legal = !is_negative_one && (given.count == 0 || (are_rows && are_few));
  return checked;
}

// What is found beside keys: nothing, values or positions.
template <typename PositionT>
constexpr int position_bytes() {
  constexpr KeyKind kKind = facade::kKindOf<PositionT>;
  constexpr bool kIsNarrow = kKind == KeyKind::k_u32 || kKind == KeyKind::k_i32;
  static_assert(kIsNarrow || kKind == KeyKind::k_u64 || kKind == KeyKind::k_i64, "positions are integers of 4 or 8 bytes");
  return kIsNarrow ? 4 : 8;
}

// The top-k of all calls. ValueT is NullType where no values are given, and then positions may have bytes.
template <bool kLargest, typename KeyT, typename ValueT, int kPositionBytes>
cudaError_t find(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, const Rows& rows, cudaStream_t stream) {
  static_assert(__is_trivially_copyable(ValueT), "ValueT must be trivially copyable");
  constexpr int kValueBytes = facade::kValueBytes<ValueT>;
  using Found = typename Requested<facade::kKindOf<KeyT>, kValueBytes, kLargest>::Sorts;
  if constexpr (Found::kExists) {
    if (!rows.are_legal) return cudaErrorInvalidValue;
    const bool has_work = rows.count > 0 && rows.k > 0;
    if (has_work && rows.k > Found::kMaxK) return cudaErrorInvalidValue;
    Facts facts = {};
    facts.n = has_work ? rows.columns : 0;
    cudaError_t error = add_device(facts, 0);
    if (error != cudaSuccess) return error;
    const Shape shape = {rows.count, facts.n, rows.stride, has_work ? static_cast<unsigned int>(rows.k) : 0, kPositionBytes == 4};
    const bool are_legal = is_array(arrays.keys_in, sizeof(KeyT)) && is_array(arrays.keys_out, sizeof(KeyT)) &&
                           is_array(arrays.values_in, kValueBytes) && is_array(arrays.values_out, kValueBytes + kPositionBytes);
    error = cudaErrorNotSupported;
    Found::template choose<0>(shape, facts.shared_bytes_per_block, [&](auto host) {
      error = sort_by(host, facts, arrays, are_legal, d_temp_storage, temp_storage_bytes, stream);
    });
    return error;
  } else {
    return cudaErrorNotSupported;
  }
}

inline Arrays found_arrays(const void* keys_in, void* keys_out, const void* values_in, void* values_out) {
  Arrays arrays = arrays_of(keys_in, keys_out, values_in, values_out);
  // There are none, so none lie in the storage.
  arrays.has_alternates = true;
  return arrays;
}

}  // namespace top_k_facade
{% for class in classes %}
// {{ class.words }}
struct {{ class.name }} {
{%- for member in members %}
{%- include "top_k/facade/members.cuh" %}
{%- endfor %}
};
{% endfor %}
#endif
