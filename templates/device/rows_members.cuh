
  // {{ member.words }}
  template <typename KeyT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // With the values that belong to the keys.
  template <typename KeyT, typename ValueT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // With their positions in the row, where a null pointer is given for the values.
  template <typename KeyT, typename PositionT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, decltype(nullptr), PositionT* d_positions_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<{{ member.descending }}, KeyT, rows_facade::PositionOf<PositionT>>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, d_keys_out, nullptr, d_positions_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
  // The positions alone.
  template <typename KeyT, typename PositionT, typename NumRowsT, typename NumColumnsT, typename RowStrideT>
  static cudaError_t Argsort{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, PositionT* d_positions_out, NumRowsT num_rows, NumColumnsT num_columns, RowStrideT row_stride, cudaStream_t stream = 0) {
    return rows_facade::sort<{{ member.descending }}, KeyT, rows_facade::PositionOf<PositionT>, false>(d_temp_storage, temp_storage_bytes, device_facade::arrays_of(d_keys_in, nullptr, nullptr, d_positions_out), rows_facade::rows_of(num_rows, num_columns, row_stride), stream);
  }
