  // The arguments of as many items as the count in memory says, at most n.
  static __device__ __forceinline__ Arguments of_count(Arguments arguments) {
    const unsigned long long count = number_at(arguments.count, arguments.count_bytes, 0);
    arguments.n = static_cast<Count>(count < arguments.n ? count : arguments.n);  //~ clamped-count-of-items
    return arguments;
  }
