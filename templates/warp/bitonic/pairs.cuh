  // In a full tile nothing has to come last, and values are the tie-break indices: equal keys come out by their values{% if key.is_float %},
  // and -0.0 is less than +0.0{% endif %}.
  static __device__ __forceinline__ CompositeKey pair_of(Key key, Value value) {
    return composite_of(to_ordered_bits(key), static_cast<unsigned int>(value));  //~ key-and-value
  }
  static __device__ __forceinline__ Key key_of_pair(const CompositeKey& pair) { return to_key(bits_of(pair)); }
  static __device__ __forceinline__ Value value_of_pair(const CompositeKey& pair) { return static_cast<Value>(tie_break_of(pair)); }
