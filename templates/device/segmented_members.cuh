
  template <typename KeyT, typename ValueT, typename NumItemsT, typename NumSegmentsT, typename BeginOffsetIteratorT, typename EndOffsetIteratorT>
  static cudaError_t {{ member.prefix }}SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, NumSegmentsT num_segments, BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets{{ class.bits }}, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out);
    return segmented_facade::sort<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, num_segments, d_begin_offsets, d_end_offsets, {{ class.given_bits }}, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename NumSegmentsT, typename BeginOffsetIteratorT, typename EndOffsetIteratorT>
  static cudaError_t {{ member.prefix }}SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, NumItemsT num_items, NumSegmentsT num_segments, BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets{{ class.bits }}, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys, d_values);
    return segmented_facade::sort<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, num_segments, d_begin_offsets, d_end_offsets, {{ class.given_bits }}, stream);
  }
  template <typename KeyT, typename NumItemsT, typename NumSegmentsT, typename BeginOffsetIteratorT, typename EndOffsetIteratorT>
  static cudaError_t {{ member.prefix }}SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items, NumSegmentsT num_segments, BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets{{ class.bits }}, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out);
    return segmented_facade::sort<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, num_segments, d_begin_offsets, d_end_offsets, {{ class.given_bits }}, stream);
  }
  template <typename KeyT, typename NumItemsT, typename NumSegmentsT, typename BeginOffsetIteratorT, typename EndOffsetIteratorT>
  static cudaError_t {{ member.prefix }}SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, NumSegmentsT num_segments, BeginOffsetIteratorT d_begin_offsets, EndOffsetIteratorT d_end_offsets{{ class.bits }}, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys);
    return segmented_facade::sort<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, num_segments, d_begin_offsets, d_end_offsets, {{ class.given_bits }}, stream);
  }
