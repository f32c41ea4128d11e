
  // {{ member.words }}
  template <typename KeyT, {{ class.types }}>
  static cudaError_t {{ member.prefix }}Keys(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, {{ class.parameters }}, cudaStream_t stream = 0) {
    return top_k_facade::find<{{ member.largest }}, KeyT, NullType, 0>(d_temp_storage, temp_storage_bytes, top_k_facade::found_arrays(d_keys_in, d_keys_out, nullptr, nullptr), top_k_facade::rows_of({{ class.given }}), stream);
  }
  // With the values that belong to the keys.
  template <typename KeyT, typename ValueT, {{ class.types }}>
  static cudaError_t {{ member.prefix }}Pairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, const ValueT* d_values_in, ValueT* d_values_out, {{ class.parameters }}, cudaStream_t stream = 0) {
    return top_k_facade::find<{{ member.largest }}, KeyT, ValueT, 0>(d_temp_storage, temp_storage_bytes, top_k_facade::found_arrays(d_keys_in, d_keys_out, d_values_in, d_values_out), top_k_facade::rows_of({{ class.given }}), stream);
  }
  // With their positions{{ class.of_positions }}, where a null pointer is given for the values.
  template <typename KeyT, typename PositionT, {{ class.types }}>
  static cudaError_t {{ member.prefix }}Pairs(void* d_temp_storage, size_t& temp_storage_bytes, const KeyT* d_keys_in, KeyT* d_keys_out, decltype(nullptr), PositionT* d_positions_out, {{ class.parameters }}, cudaStream_t stream = 0) {
    return top_k_facade::find<{{ member.largest }}, KeyT, NullType, top_k_facade::position_bytes<PositionT>()>(d_temp_storage, temp_storage_bytes, top_k_facade::found_arrays(d_keys_in, d_keys_out, nullptr, d_positions_out), top_k_facade::rows_of({{ class.given }}), stream);
  }
