// Runs the ported kernels in the emulator and compares them with std::stable_sort.
#include "emulator.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

// Of the CUDA runtime's headers, which nvcc includes by itself.
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };

#include "block_radix_sort.cuh"

#define FIELD_TUPLE sortsmith::tuple
#include "ported_kernels.cuh"

namespace {

constexpr int kBlocks = 3;
int failures = 0;

template <class Kernel>
void launch(const char* name, dim3 block, unsigned seed, Kernel kernel) {
  emulator::Launch launch;
  launch.grid = dim3(kBlocks);
  launch.block = block;
  launch.seed = seed;
  const emulator::Report report = emulator::run(launch, kernel);
  if (report.ok) return;
  ++failures;
  std::printf("%s, seed %u: %s\n", name, seed, report.message);
}

void expect(bool good, const char* name, unsigned seed) {
  if (good) return;
  ++failures;
  std::printf("%s, seed %u: not as std::stable_sort has it\n", name, seed);
}

// The stable order of one tile by a projection of its keys.
template <class Project>
std::vector<int> stable_order(int start, int count, Project project) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), start);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return project(a) < project(b); });
  return order;
}

void check_pairs(unsigned seed) {
  constexpr int kTile = 128 * 9;
  std::mt19937 random(seed);
  std::vector<float> keys(kBlocks * kTile), keys_out(keys.size());
  std::vector<int> values(keys.size()), values_out(keys.size());
  for (float& key : keys) key = static_cast<int>(random() % 64) - 32;
  std::iota(values.begin(), values.end(), 0);
  launch("sort_pairs", dim3(128), seed, [&] { sort_pairs(keys.data(), keys_out.data(), values.data(), values_out.data()); });
  bool good = true;
  for (int block = 0; block < kBlocks; ++block) {
    const std::vector<int> order = stable_order(block * kTile, kTile, [&](int i) { return keys[i]; });
    for (int i = 0; i < kTile; ++i) {
      good = good && values_out[block * kTile + i] == order[i] && keys_out[block * kTile + i] == keys[order[i]];
    }
  }
  expect(good, "sort_pairs", seed);
}

void check_longs(unsigned seed) {
  constexpr int kTile = 256, kBegin = 3, kEnd = 41;
  std::mt19937_64 random(seed);
  std::vector<long> keys(kBlocks * kTile), keys_out(keys.size());
  for (long& key : keys) key = static_cast<long>(random() & random() & random());
  launch("sort_longs_descending", dim3(64), seed, [&] { sort_longs_descending(keys.data(), keys_out.data(), kBegin, kEnd); });
  const unsigned long mask = (1ul << (kEnd - kBegin)) - 1;
  bool good = true;
  for (int block = 0; block < kBlocks; ++block) {
    const std::vector<int> order =
        stable_order(block * kTile, kTile, [&](int i) { return ~(static_cast<unsigned long>(keys[i]) >> kBegin) & mask; });
    for (int i = 0; i < kTile; ++i) good = good && keys_out[block * kTile + i] == keys[order[i]];
  }
  expect(good, "sort_longs_descending", seed);
}

void check_particles(unsigned seed) {
  constexpr int kTile = 192;
  std::mt19937 random(seed);
  std::vector<unsigned short> keys(kBlocks * kTile), keys_out(keys.size());
  std::vector<Particle> values(keys.size()), values_out(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<unsigned short>(random() % 100 * 601);
    values[i] = {static_cast<float>(i) / 2, static_cast<int>(i)};
  }
  launch("sort_particles", dim3(16, 4), seed,
         [&] { sort_particles(keys.data(), keys_out.data(), values.data(), values_out.data()); });
  bool good = true;
  for (int block = 0; block < kBlocks; ++block) {
    const std::vector<int> order = stable_order(block * kTile, kTile, [&](int i) { return keys[i]; });
    for (int i = 0; i < kTile; ++i) {
      const Particle& value = values_out[block * kTile + i];
      good = good && keys_out[block * kTile + i] == keys[order[i]] && value.id == order[i] &&
             value.mass == values[order[i]].mass;
    }
  }
  expect(good, "sort_particles", seed);
}

void check_flags(unsigned seed) {
  constexpr int kTile = 128;
  std::mt19937 random(seed);
  bool keys[kBlocks * kTile], keys_out[kBlocks * kTile];
  for (bool& key : keys) key = random() % 2;
  const int ranges[][2] = {{0, 8}, {0, 1}, {1, 8}, {2, 8}, {4, 6}, {7, 8}, {8, 8}};
  for (const auto& range : ranges) {
    const int begin = range[0], end = range[1];
    launch("sort_flags", dim3(32), seed, [&] { sort_flags(keys, keys_out, begin, end); });
    bool good = true;
    for (int block = 0; block < kBlocks; ++block) {
      const std::vector<int> order =
          stable_order(block * kTile, kTile, [&](int i) { return keys[i] >> begin & ((1 << (end - begin)) - 1); });
      for (int i = 0; i < kTile; ++i) good = good && keys_out[block * kTile + i] == keys[order[i]];
    }
    expect(good, "sort_flags", seed);
  }
}

// Numbers are few, and distances are zeros of both signs among others.
void check_hits(unsigned seed) {
  constexpr int kTile = 192, kBegin = 4, kEnd = 9;
  std::mt19937 random(seed);
  std::vector<Hit> keys(kBlocks * kTile), keys_out(keys.size());
  std::vector<int> values(keys.size()), values_out(keys.size());
  const float distances[] = {0.0f, -0.0f, 1.5f, -2.5f};
  for (Hit& key : keys) key = {static_cast<unsigned char>(random()), static_cast<unsigned int>(random() % 5), distances[random() % 4]};
  std::iota(values.begin(), values.end(), 0);
  launch("sort_hits", dim3(64), seed,
         [&] { sort_hits(keys.data(), keys_out.data(), values.data(), values_out.data(), kBegin, kEnd); });
  bool good = true;
  for (int block = 0; block < kBlocks; ++block) {
    const auto fields = [&](int i) { return std::make_tuple(keys[i].number, keys[i].distance, keys[i].material); };
    std::vector<int> order = stable_order(block * kTile, kTile, fields);
    // Bit 8 is the lowest one of the distance.
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      const auto bits = [&](int i) {
        unsigned int distance;
        std::memcpy(&distance, &keys[i].distance, sizeof distance);
        const bool is_negative = distance >> 31 && distance << 1;
        return ((is_negative ? ~distance : distance) & 1) << 4 | keys[i].material >> kBegin;
      };
      return bits(a) > bits(b);
    });
    for (int i = 0; i < kTile; ++i) {
      const Hit &hit = keys_out[block * kTile + i], &expected = keys[order[i]];
      good = good && values_out[block * kTile + i] == order[i] && hit.number == expected.number && hit.material == expected.material &&
             !std::memcmp(&hit.distance, &expected.distance, sizeof hit.distance);
    }
  }
  expect(good, "sort_hits", seed);
}

}  // namespace

int main() {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    check_pairs(seed);
    check_longs(seed);
    check_particles(seed);
    check_flags(seed);
    check_hits(seed);
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
