// A load and a store that meet others' at the same address with nothing that orders them: races that are meant. Relaxed
// operations of one width are morally strong, so that a load gets all of what was there or all of what one thread stores there
// (PTX ISA, Memory Consistency Model, "Single-copy atomicity"); of plain ones that race the model says nothing. Which of
// these it gets is not known. Each caller says why either will do.
template <typename T>
__device__ __forceinline__ T racing_load(const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "one instruction loads all of it");
  if constexpr (sizeof(T) == 4) {
    return bits_as<T>(poll(reinterpret_cast<const unsigned int*>(from)));  //~ racing-load
  } else {
    return bits_as<T>(poll(reinterpret_cast<const unsigned long long*>(from)));
  }
}

template <typename T>
__device__ __forceinline__ void racing_store(T* to, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "one instruction stores all of it");
  if constexpr (sizeof(T) == 4) {
    publish(reinterpret_cast<unsigned int*>(to), bits_as<unsigned int>(value));
  } else {
    publish(reinterpret_cast<unsigned long long*>(to), bits_as<unsigned long long>(value));
  }
}
