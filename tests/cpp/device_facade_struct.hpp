// Keys of several fields for device_facade_host.cpp: what scalars have there, and a decomposer.
#pragma once

struct Hit {
  unsigned int ray;
  float distance;
  unsigned char material;
};
static_assert(sizeof(Hit) == 12, "it has padding");

struct Fields {
  sortsmith::tuple<unsigned int&, float&, unsigned char&> operator()(Hit& hit) const { return {hit.ray, hit.distance, hit.material}; }
};

// The bits of a key that take part: the ray, then the distance, in which zeros of both signs have the bits of +0.0, then the material.
unsigned __int128 order_of(const Hit& hit, int begin_bit, int end_bit) {
  unsigned int distance = 0;
  if (hit.distance != 0) std::memcpy(&distance, &hit.distance, sizeof(distance));
  distance ^= distance >> 31 ? ~0u : 1u << 31;
  const unsigned __int128 bits = static_cast<unsigned __int128>(hit.ray) << 40 | static_cast<unsigned __int128>(distance) << 8 | hit.material;
  const int end = std::min(end_bit, 72);
  const int width = end - std::min(begin_bit, end);
  return width == 0 ? 0 : bits << (128 - end) >> (128 - width);
}

// Few rays and distances, so that each field decides somewhere; zeros of both signs.
Hit key_of(unsigned long long bits, size_t i) {
  const float distance = static_cast<float>(static_cast<int>(bits >> 8 & 7) - 3);
  return {static_cast<unsigned int>(bits & 3), i % 2 == 1 && distance == 0 ? -distance : distance, static_cast<unsigned char>(bits >> 16)};
}

bool are_same(const Hit* a, const Hit* b, size_t n) {
  return std::equal(a, a + n, b, [](const Hit& left, const Hit& right) {
    return left.ray == right.ray && std::memcmp(&left.distance, &right.distance, sizeof(float)) == 0 && left.material == right.material;
  });
}
