// Kernels as people write them for cub::BlockRadixSort. Nothing here knows of sortsmith: the test changes `cub::` to
// `sortsmith::`, and that has to be all of the port.
#pragma once

// The tuple of references that decomposers return.
#ifndef FIELD_TUPLE
#define FIELD_TUPLE ::cuda::std::tuple
#endif

struct Particle {
  float mass;
  int id;
};

// Pairs in blocked arrangement, storage given.
__global__ void sort_pairs(const float* keys_in, float* keys_out, const int* values_in, int* values_out) {
  using Sort = cub::BlockRadixSort<float, 128, 9, int>;
  __shared__ typename Sort::TempStorage temp_storage;
  float keys[9];
  int values[9];
  const int start = (blockIdx.x * 128 + threadIdx.x) * 9;
  for (int i = 0; i < 9; ++i) {
    keys[i] = keys_in[start + i];
    values[i] = values_in[start + i];
  }
  Sort(temp_storage).Sort(keys, values);
  for (int i = 0; i < 9; ++i) {
    keys_out[start + i] = keys[i];
    values_out[start + i] = values[i];
  }
}

// The class's own storage, a type of integer that C++ spells differently, part of the bits, striped output.
__global__ void sort_longs_descending(const long* keys_in, long* keys_out, int begin_bit, int end_bit) {
  using Sort = cub::BlockRadixSort<long, 64, 4, cub::NullType, 5>;
  long keys[4];
  for (int i = 0; i < 4; ++i) keys[i] = keys_in[(blockIdx.x * 64 + threadIdx.x) * 4 + i];
  Sort().SortDescendingBlockedToStriped(keys, begin_bit, end_bit);
  for (int i = 0; i < 4; ++i) keys_out[blockIdx.x * 256 + i * 64 + threadIdx.x] = keys[i];
}

// All parameters, a block of two dimensions, a structure as value, one storage used twice.
__global__ void sort_particles(const unsigned short* keys_in, unsigned short* keys_out, const Particle* values_in,
                               Particle* values_out) {
  using Sort = cub::BlockRadixSort<unsigned short, 16, 3, Particle, 6, false, cub::BLOCK_SCAN_RAKING,
                                   cudaSharedMemBankSizeFourByte, 4, 1>;
  __shared__ typename Sort::TempStorage temp_storage;
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int start = (blockIdx.x * 64 + thread) * 3;
  unsigned short keys[3];
  Particle values[3];
  for (int i = 0; i < 3; ++i) {
    keys[i] = keys_in[start + i];
    values[i] = values_in[start + i];
  }
  Sort sorter(temp_storage);
  sorter.SortDescending(keys, values);
  __syncthreads();
  sorter.SortBlockedToStriped(keys, values);
  for (int i = 0; i < 3; ++i) {
    keys_out[blockIdx.x * 192 + i * 64 + thread] = keys[i];
    values_out[blockIdx.x * 192 + i * 64 + thread] = values[i];
  }
}

// Keys of which one bit counts, by any of the eight that they take in memory.
__global__ void sort_flags(const bool* keys_in, bool* keys_out, int begin_bit, int end_bit) {
  using Sort = cub::BlockRadixSort<bool, 32, 4>;
  __shared__ typename Sort::TempStorage temp_storage;
  const int start = (blockIdx.x * 32 + threadIdx.x) * 4;
  bool keys[4];
  for (int i = 0; i < 4; ++i) keys[i] = keys_in[start + i];
  Sort(temp_storage).Sort(keys, begin_bit, end_bit);
  for (int i = 0; i < 4; ++i) keys_out[start + i] = keys[i];
}

struct Hit {
  unsigned char material;
  unsigned int number;
  float distance;
};

// The order of fields is the decomposer's, and not the struct's.
struct HitFields {
  __host__ __device__ FIELD_TUPLE<unsigned int&, float&, unsigned char&> operator()(Hit& hit) const {
    return {hit.number, hit.distance, hit.material};
  }
};

// Keys that are structs, with values; then part of their bits, the other way round.
__global__ void sort_hits(const Hit* keys_in, Hit* keys_out, const int* values_in, int* values_out, int begin_bit, int end_bit) {
  using Sort = cub::BlockRadixSort<Hit, 64, 3, int>;
  __shared__ typename Sort::TempStorage temp_storage;
  const int start = (blockIdx.x * 64 + threadIdx.x) * 3;
  Hit keys[3];
  int values[3];
  for (int i = 0; i < 3; ++i) {
    keys[i] = keys_in[start + i];
    values[i] = values_in[start + i];
  }
  Sort(temp_storage).Sort(keys, values, HitFields{});
  __syncthreads();
  Sort(temp_storage).SortDescendingBlockedToStriped(keys, values, HitFields{}, begin_bit, end_bit);
  for (int i = 0; i < 3; ++i) {
    keys_out[blockIdx.x * 192 + i * 64 + threadIdx.x] = keys[i];
    values_out[blockIdx.x * 192 + i * 64 + threadIdx.x] = values[i];
  }
}
