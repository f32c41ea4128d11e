// A number of an array of numbers of 4 or 8 bytes.
__device__ __forceinline__ unsigned long long number_at(const void* numbers, unsigned int bytes, unsigned long long index) {
  return bytes == 4 ? static_cast<const unsigned int*>(numbers)[index] : static_cast<const unsigned long long*>(numbers)[index];
}

// The same of numbers that may be signed: a negative one is greater than all others, whatever its bytes are.
__device__ __forceinline__ unsigned long long number_at(const void* numbers, unsigned int bytes, bool are_signed, unsigned long long index) {
  const unsigned long long number = number_at(numbers, bytes, index);
  const bool extends = are_signed && bytes == 4;
  return extends ? static_cast<unsigned long long>(static_cast<long long>(static_cast<int>(number))) : number;  //~ negative-number
}
