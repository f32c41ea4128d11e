// Whether the fields from this one on lie in a key where the emitted sort has them.
template <typename Sorts, int kCount, int kIndex, typename Fields>
bool fields_lie_as_emitted(const unsigned char* key, const Fields& fields) {
  if constexpr (kIndex < kCount) {
    const unsigned char* const field = reinterpret_cast<const unsigned char*>(&get<kIndex>(fields));
    return field == key + Sorts::kFieldOffsets[kIndex] && fields_lie_as_emitted<Sorts, kCount, kIndex + 1>(key, fields);
  } else {
    return true;
  }
}

// The sort of calls with a decomposer: arrays of structs are sorted where they are, by the fields that it gives, the first of which decides
// first. A decomposer that gives them in another order than they lie in is an invalid value.
template <bool kDescending, typename KeyT, typename ValueT, typename NumItemsT, typename DecomposerT>
cudaError_t sort_structs(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, NumItemsT num_items, DecomposerT decomposer,
                         int begin_bit, int end_bit, cudaStream_t stream) {
  using Fields = facade::FieldsOf<decltype(decomposer(*static_cast<KeyT*>(nullptr)))>;
  static_assert(Fields::kCount >= 2, "a decomposer returns a tuple of references to two fields of its key or more");
  static_assert(__is_trivially_copyable(KeyT), "KeyT must be trivially copyable");
  static_assert(facade::is_all_fields<KeyT, Fields>(),
                "a decomposer gives each member of its key once: what it leaves out is a ValueT, which moves with the key");
  using Sorts = Emitted<Fields::kKind, facade::kValueBytes<ValueT>, kDescending>;
  static_assert(Sorts::kExists,
                "no sort of these fields with such values in this order has been emitted; run: sortsmith emit --facade cub-device --order both "
                "--key <the types of the decomposer's fields, such as u32+f32> --value <keys, or u8 to u128> --out <a folder of its own, to be "
                "included too>");
  if constexpr (Sorts::kExists) {
    static_assert(sizeof(KeyT) == Sorts::kKeyBytes, "a decomposer gives the fields in the order of its key's members");
    alignas(KeyT) unsigned char key[sizeof(KeyT)] = {};
    const auto fields = decomposer(*reinterpret_cast<KeyT*>(key));
    if (!fields_lie_as_emitted<Sorts, Fields::kCount, 0>(key, fields)) return cudaErrorInvalidValue;
    const bool are_legal = are_arrays(arrays, alignof(KeyT), facade::kValueBytes<ValueT>);
    return sort_emitted<KeyT, ValueT>(Sorts(), d_temp_storage, temp_storage_bytes, arrays, are_legal, num_items, begin_bit, end_bit, stream);
  } else {
    return cudaErrorNotSupported;
  }
}
