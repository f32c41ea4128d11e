  // Any number, scrambled: products alone would be as regular as some keys.
  static __device__ __forceinline__ unsigned int scrambled(unsigned int number) {
    number *= 0x9e3779b1u;
    return (number ^ number >> 15) * 0x85ebca6bu;
  }

  // Where the sample of this number is, of samples that have an equal share of the keys each: anywhere in its share, by the clock. So no
  // keys can be laid out to show samples what they are not.
  static __device__ __forceinline__ unsigned long long sample_position(unsigned int number, unsigned long long share) {
    const unsigned int random = scrambled(number ^ static_cast<unsigned int>(clock64()));
    return number * share + (share * random >> 32);
  }
