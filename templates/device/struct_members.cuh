
  // Structs by their fields, to which a decomposer gives references.
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out, d_values_in, d_values_out);
    return device_facade::sort_structs<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortPairs{{ member.suffix }}(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys, d_values);
    return device_facade::sort_structs<{{ member.descending }}, KeyT, ValueT>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortPairs{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, DoubleBuffer<ValueT>& d_values, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortPairs{{ member.suffix }}(d_temp_storage, temp_storage_bytes, d_keys, d_values, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys_in, d_keys_out);
    return device_facade::sort_structs<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortKeys{{ member.suffix }}(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, DecomposerT decomposer, int begin_bit, int end_bit, cudaStream_t stream = 0) {
    const device_facade::Arrays arrays = device_facade::arrays_of(d_keys);
    return device_facade::sort_structs<{{ member.descending }}, KeyT, NullType>(d_temp_storage, temp_storage_bytes, arrays, num_items, decomposer, begin_bit, end_bit, stream);
  }
  template <typename KeyT, typename NumItemsT, typename DecomposerT, typename facade::EnableIf<__is_class(DecomposerT)>::Type = 0>
  static cudaError_t SortKeys{{ member.suffix }}(void* d_temp_storage, size_t& temp_storage_bytes, DoubleBuffer<KeyT>& d_keys, NumItemsT num_items, DecomposerT decomposer, cudaStream_t stream = 0) {
    return SortKeys{{ member.suffix }}(d_temp_storage, temp_storage_bytes, d_keys, num_items, decomposer, 0, static_cast<int>(8 * sizeof(KeyT)), stream);
  }
