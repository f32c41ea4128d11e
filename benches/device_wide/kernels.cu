// Makes inputs, and compares results. Behind the classes of keys.

using input_classes::mixed;
using input_classes::u64;

template <typename Do>
__device__ void for_each(u64 n, Do work) {
  const u64 step = static_cast<u64>(gridDim.x) * blockDim.x;
  for (u64 i = blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x; i < n; i += step) work(i);
}

// The AND of that many words of a random number each; of none: one number.
template <typename T>
__device__ void generate(T* out, u64 n, unsigned int words, u64 mask) {
  for_each(n, [=](u64 i) {
    u64 bits = words > 0 ? mask : mixed(7);
    for (unsigned int word = 0; word < words; ++word) bits &= mixed(i * 8 + word);
    out[i] = static_cast<T>(bits);
  });
}

// One of all values of a T for each number: every step can be undone, so that different numbers have different ones.
template <typename T>
__device__ T scattered(u64 number) {
  const int half = 4 * sizeof(T);
  u64 value = static_cast<T>(number + 0x9e3779b97f4a7c15ull);
  for (int round = 0; round < 2; ++round) value = static_cast<T>((value ^ value >> half) * 0xbf58476d1ce4e5b9ull);
  return static_cast<T>(value ^ value >> half);
}

// That many different values, evenly.
template <typename T>
__device__ void distinct(T* out, u64 n, u64 values) {
  for_each(n, [=](u64 i) { out[i] = scattered<T>(mixed(i * 8) % values); });
}

// Rank r, from 1 on, with a probability of about 1/r: the inverse of a distribution function that grows as the logarithm
// does. Exactly it is ln(1 + 1/r) / ln(ranks + 1), which is near enough: the first few ranks alone have less than 1/r.
template <typename T>
__device__ void zipf(T* out, u64 n, u64 ranks) {
  const double logarithm = log(ranks + 1.0);
  for_each(n, [=](u64 i) {
    const double uniform = (mixed(i * 8) >> 11) * (1.0 / (1ull << 53));
    const u64 rank = static_cast<u64>(exp(uniform * logarithm));
    out[i] = scattered<T>(rank < ranks ? rank : ranks);  // rounding could pass the last one
  });
}

template <typename T>
__device__ void reverse(T* out, const T* in, u64 n) {
  for_each(n, [=](u64 i) { out[i] = in[n - 1 - i]; });
}

#define OF_BYTES(bytes, T)                                                                     \
  extern "C" __global__ void generate_##bytes(T* out, u64 n, unsigned int words, u64 mask) {       \
    generate(out, n, words, mask);                                                                 \
  }                                                                                            \
  extern "C" __global__ void distinct_##bytes(T* out, u64 n, u64 values) {                     \
    distinct(out, n, values);                                                                  \
  }                                                                                            \
  extern "C" __global__ void zipf_##bytes(T* out, u64 n, u64 ranks) { zipf(out, n, ranks); }   \
  extern "C" __global__ void reverse_##bytes(T* out, const T* in, u64 n) { reverse(out, in, n); }

OF_BYTES(1, unsigned char)
OF_BYTES(2, unsigned short)
OF_BYTES(4, unsigned int)
OF_BYTES(8, u64)

#define OF_CLASS(name, T)                                                          \
  extern "C" __global__ void class_##name(T* out, u64 n, int of) {                 \
    for_each(n, [=](u64 i) { out[i] = input_classes::KeyOf<T>::make(of, i, n); }); \
  }

OF_CLASS(u8, unsigned char)
OF_CLASS(u16, unsigned short)
OF_CLASS(u32, unsigned int)
OF_CLASS(u64, u64)
OF_CLASS(f32, float)
OF_CLASS(f64, double)

// Multiples of 1/4096 between -2048 and 2048.
template <typename T>
__device__ void numbers(T* out, u64 n) {
  for_each(n, [=](u64 i) { out[i] = (static_cast<int>(mixed(i) & 0xffffff) - 0x800000) * static_cast<T>(1.0 / 4096); });
}
extern "C" __global__ void generate_f32(float* out, u64 n) { numbers(out, n); }
extern "C" __global__ void generate_f64(double* out, u64 n) { numbers(out, n); }

extern "C" __global__ void positions_4(unsigned int* out, u64 n) {
  for_each(n, [=](u64 i) { out[i] = static_cast<unsigned int>(i); });
}
extern "C" __global__ void positions_8(u64* out, u64 n) {
  for_each(n, [=](u64 i) { out[i] = i; });
}

// Reads all of zeros: were one not zero, it would say so where nothing else is.
extern "C" __global__ void read_zeros(u64* numbers, u64 n) {
  for_each(n, [=](u64 i) {
    if (numbers[i] != 0) numbers[0] = i;
  });
}

extern "C" __global__ void differences(const unsigned char* a, const unsigned char* b, u64 n, unsigned int* found) {
  for_each(n, [=](u64 i) {
    if (a[i] != b[i]) atomicAdd(found, 1u);
  });
}
