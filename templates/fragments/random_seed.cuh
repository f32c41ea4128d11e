// Says where sorts by samples look, and is another number at each call. Keys cannot be made by it: it follows from the address of a
// thread's variable, which operating systems choose at random.
inline unsigned int random_seed() {
  static thread_local unsigned long long calls = 0;
  unsigned long long number = reinterpret_cast<unsigned long long>(&calls) + ++calls * 0x9e3779b97f4a7c15ull;
  number = (number ^ number >> 31) * 0xbf58476d1ce4e5b9ull;
  return static_cast<unsigned int>(number >> 32);
}
