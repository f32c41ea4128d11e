  // The words of a key, with what lies between its fields: a sector of memory of which a part is written has to be read.
  struct KeyWords {
    {{ key.word }} words[{{ key.words }}];
  };

  static __device__ __forceinline__ void store_key(Key* to, const StoredBits& key) {
    const KeyWords from = bits_as<KeyWords>(key);
#pragma unroll
    for (int i = 0; i < {{ key.words }}; ++i) reinterpret_cast<{{ key.word }}*>(to)[i] = from.words[i];
  }
