// Keys of type TEST_KEY for the programs of facades on the host: how they are made, and how they are ordered.
#pragma once

namespace {

template <typename T>
T* address(unsigned long long number) {
  return reinterpret_cast<T*>(number);
}

#ifdef TEST_STRUCT
#include "device_facade_struct.hpp"
#define BY_FIELDS Fields{},
#else
#define BY_FIELDS
// The bits of a key that take part, as numbers in its order.
unsigned long long order_of(const TEST_KEY& key, int begin_bit, int end_bit) {
  unsigned long long bits = 0;
  // Zeros of both signs have the bits of +0.0.
  if (key != static_cast<TEST_KEY>(0)) std::memcpy(&bits, &key, sizeof(key));
  const unsigned long long sign = 1ull << (8 * sizeof(key) - 1);
  const bool is_integer = static_cast<TEST_KEY>(3) / static_cast<TEST_KEY>(2) == static_cast<TEST_KEY>(1);
  if (static_cast<TEST_KEY>(-1) < static_cast<TEST_KEY>(0)) bits ^= is_integer || !(bits & sign) ? sign : ~0ull;
  const int width = end_bit - begin_bit;
  return width == 0 ? 0 : bits << (64 - end_bit) >> (64 - width);
}

// Zeros are of both signs.
TEST_KEY key_of(unsigned long long bits, size_t i) {
  const TEST_KEY key = static_cast<TEST_KEY>(static_cast<long long>(bits));
  return key == static_cast<TEST_KEY>(0) && i % 2 == 1 ? static_cast<TEST_KEY>(-key) : key;
}

bool are_same(const TEST_KEY* a, const TEST_KEY* b, size_t n) { return std::memcmp(a, b, n * sizeof(TEST_KEY)) == 0; }
#endif

}  // namespace
