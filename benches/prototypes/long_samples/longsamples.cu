// Sample sorts of more than 2^20 items beside CUB: medians in us. Usage: longsamples > out
#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>
#define H(x) #x
#include "device_sample_sort_f32_u32_b512_i8_asc.cuh"
#include "device_sample_sort_f32_u32_b1024_i4_asc.cuh"
#include "device_sample_sort_f32_u32_b1024_i8_asc.cuh"
#include "device_sample_sort_u32_u32_b512_i8_asc.cuh"
#include "device_sample_sort_u32_u32_b1024_i4_asc.cuh"
#include "device_sample_sort_u32_u32_b1024_i8_asc.cuh"
#include "device_sample_sort_u64_u32_b512_i8_asc.cuh"
#include "device_sample_sort_u64_u32_b1024_i4_asc.cuh"
#include "device_sample_sort_u64_u32_b1024_i8_asc.cuh"
#define CK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); return; } } while (0)
template <typename A> cudaError_t go(const void* k, unsigned blocks, unsigned threads, unsigned shared, bool early, A& a) {
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  cudaLaunchAttribute at = {}; at.id = cudaLaunchAttributeProgrammaticStreamSerialization; at.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t c = {}; c.gridDim = dim3(blocks); c.blockDim = dim3(threads); c.dynamicSmemBytes = shared; c.attrs = &at; c.numAttrs = early ? 1 : 0;
  void* p[] = {&a};
  return cudaLaunchKernelExC(&c, k, p);
}
#define SORT(NAME) struct S_##NAME { using T = sortsmith::NAME; static const char* name() { return #NAME; } \
  static void run(T::Arguments a) { const auto n = a.n; bool first = true; \
    if (T::samples_come_first(n)) { go((const void*)NAME##_samples, T::kSampleBlocks, T::kSampleThreads, T::kSampleSharedBytes, false, a); first = false; } \
    go((const void*)NAME##_split, T::tile_count(n), T::kBlockThreads, T::kSplitSharedBytes, !first, a); \
    go((const void*)NAME##_buckets, T::bucket_count(n), T::kBlockThreads, T::kBucketSharedBytes, true, a); } };
SORT(device_sample_sort_f32_u32_b512_i8_asc) SORT(device_sample_sort_f32_u32_b1024_i4_asc) SORT(device_sample_sort_f32_u32_b1024_i8_asc)
SORT(device_sample_sort_u32_u32_b512_i8_asc) SORT(device_sample_sort_u32_u32_b1024_i4_asc) SORT(device_sample_sort_u32_u32_b1024_i8_asc)
SORT(device_sample_sort_u64_u32_b512_i8_asc) SORT(device_sample_sort_u64_u32_b1024_i4_asc) SORT(device_sample_sort_u64_u32_b1024_i8_asc)
template <typename F> double median(F f, F restore) {
  cudaEvent_t b, e; cudaEventCreate(&b); cudaEventCreate(&e); std::vector<float> t;
  for (int i = 0; i < 13; ++i) { restore(); cudaDeviceSynchronize(); cudaEventRecord(b); f(); cudaEventRecord(e); cudaEventSynchronize(e); float ms; cudaEventElapsedTime(&ms, b, e); if (i >= 2) t.push_back(ms * 1e3f); }
  std::sort(t.begin(), t.end()); cudaEventDestroy(b); cudaEventDestroy(e); return t[t.size() / 2];
}
#include <functional>
template <typename K> std::vector<K> keys(int kind, size_t n) {
  std::mt19937_64 r(5 + kind); std::vector<K> k(n); std::normal_distribution<double> g;
  for (size_t i = 0; i < n; ++i) {
    unsigned long long x = r();
    if (std::is_same<K, float>::value) { float v; switch (kind) { case 0: v = (float)(int)((x & 0xffffff)) / 4096 - 2048; break; case 1: v = (float)i; break; case 2: v = (float)g(r); break; case 3: v = (float)(x % 1000); break; default: v = (float)std::exp(3 * g(r)); } k[i] = (K)v; }
    else switch (kind) { case 0: k[i] = (K)x; break; case 1: k[i] = (K)i; break; case 2: k[i] = (K)(x & r() & r()); break; case 3: k[i] = (K)(x % 1000); break; default: k[i] = (K)(x % (n / 64)); }
  }
  return k;
}
template <typename S, typename K> void one(size_t n, const K* in, const unsigned* vin, K* out, unsigned* vout, K* alt, unsigned* valt, unsigned char* ws, const K* want, const unsigned* vwant, double cub) {
  using T = typename S::T; if (n > T::kMaxItems) return;
  typename T::Arguments a = {}; a.keys_in = in; a.keys_out = out; a.keys_alternate = alt; a.values_in = vin; a.values_out = vout; a.values_alternate = valt; a.workspace = ws; a.n = n; a.begin_bit = 0; a.end_bit = 8 * sizeof(K); a.writes_keys = 1;
  cudaMemset(out, 0xee, n * sizeof(K)); cudaMemset(vout, 0xee, n * 4);
  std::function<void()> f = [&] { S::run(a); }, nothing = [] {};
  double t = median(f, nothing); cudaError_t e = cudaGetLastError();
  std::vector<K> h(n), w(n); std::vector<unsigned> hv(n), wv(n);
  cudaMemcpy(h.data(), out, n * sizeof(K), cudaMemcpyDefault); cudaMemcpy(w.data(), want, n * sizeof(K), cudaMemcpyDefault); cudaMemcpy(hv.data(), vout, n * 4, cudaMemcpyDefault); cudaMemcpy(wv.data(), vwant, n * 4, cudaMemcpyDefault);
  bool ok = !memcmp(h.data(), w.data(), n * sizeof(K)) && !memcmp(hv.data(), wv.data(), n * 4);
  printf("  %-44s %8.1f us  %.2f x CUB %s %s\n", S::name(), t, cub / t, ok ? "" : "WRONG", e ? cudaGetErrorString(e) : "");
}
template <typename A, typename B, typename C, typename K> void type(const char* name) {
  const size_t most = size_t(1) << 23; K *in, *out, *alt, *want; unsigned *vin, *vout, *valt, *vwant; unsigned char* ws; void* temp; size_t tb = 0;
  CK(cudaMalloc(&in, most * sizeof(K))); CK(cudaMalloc(&out, most * sizeof(K))); CK(cudaMalloc(&alt, most * sizeof(K))); CK(cudaMalloc(&want, most * sizeof(K)));
  CK(cudaMalloc(&vin, most * 4)); CK(cudaMalloc(&vout, most * 4)); CK(cudaMalloc(&valt, most * 4)); CK(cudaMalloc(&vwant, most * 4)); CK(cudaMalloc(&ws, 64 << 20));
  cub::DeviceRadixSort::SortPairs(nullptr, tb, in, want, vin, vwant, (int)most); CK(cudaMalloc(&temp, tb));
  std::vector<unsigned> v(most); for (size_t i = 0; i < most; ++i) v[i] = (unsigned)i; cudaMemcpy(vin, v.data(), most * 4, cudaMemcpyDefault);
  const char* kinds[] = {"random", "sorted", "normal or AND of 3", "1000 values", "log-normal or 64 of each"};
  for (size_t n : {size_t(1) << 20, size_t(1500000), size_t(1) << 21, size_t(3000017), size_t(1) << 22, size_t(1) << 23})
    for (int kind = 0; kind < 5; ++kind) {
      auto k = keys<K>(kind, n); cudaMemcpy(in, k.data(), n * sizeof(K), cudaMemcpyDefault);
      std::function<void()> f = [&] { size_t b = tb; cub::DeviceRadixSort::SortPairs(temp, b, in, want, vin, vwant, (int)n); }, nothing = [] {};
      double cub = median(f, nothing);
      printf("%s %zu %s: CUB %.1f us\n", name, n, kinds[kind], cub);
      one<A>(n, in, vin, out, vout, alt, valt, ws, want, vwant, cub); one<B>(n, in, vin, out, vout, alt, valt, ws, want, vwant, cub); one<C>(n, in, vin, out, vout, alt, valt, ws, want, vwant, cub);
      fflush(stdout);
    }
}
int main() {
  printf("CUB %d\n", CUB_VERSION);
  type<S_device_sample_sort_f32_u32_b512_i8_asc, S_device_sample_sort_f32_u32_b1024_i4_asc, S_device_sample_sort_f32_u32_b1024_i8_asc, float>("f32,u32");
  type<S_device_sample_sort_u32_u32_b512_i8_asc, S_device_sample_sort_u32_u32_b1024_i4_asc, S_device_sample_sort_u32_u32_b1024_i8_asc, unsigned>("u32,u32");
  type<S_device_sample_sort_u64_u32_b512_i8_asc, S_device_sample_sort_u64_u32_b1024_i4_asc, S_device_sample_sort_u64_u32_b1024_i8_asc, unsigned long long>("u64,u32");
}
