// Keywords, built-in variables and vector types of CUDA C++.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __noinline__  // empty, for libstdc++ writes __attribute__((__noinline__))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_assume(condition) ((void)0)

// Inlining everything everywhere multiplies compile time by the number of call sites and finds no more
// errors, so it is only a hint here; EMULATOR_FORCE_INLINE=1 makes it binding.
#if EMULATOR_FORCE_INLINE
#define __forceinline__ inline __attribute__((always_inline))
#else
#define __forceinline__ inline
#endif

// Functions that access memory for generated code are inlined into it, so that reports of races name the calling line.
#define EMULATOR_ACCESSOR inline __attribute__((always_inline))

// One block runs on one OS thread and all of its threads are fibers on that OS thread: storage of the
// OS thread is storage of the block.
#define __shared__ thread_local

namespace emulator {

// The shared memory that an H100 gives one block.
constexpr unsigned kSharedLimit = 232448;
constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kWarpLanes = 32;

}  // namespace emulator

#define EMULATOR_VECTOR2(name, T, align) \
    struct __align__(align) name { T x, y; }; \
    inline name make_##name(T x, T y) { return {x, y}; }
#define EMULATOR_VECTOR3(name, T) \
    struct name { T x, y, z; }; \
    inline name make_##name(T x, T y, T z) { return {x, y, z}; }
#define EMULATOR_VECTOR4(name, T, align) \
    struct __align__(align) name { T x, y, z, w; }; \
    inline name make_##name(T x, T y, T z, T w) { return {x, y, z, w}; }
EMULATOR_VECTOR2(uchar2, unsigned char, 2)
EMULATOR_VECTOR4(uchar4, unsigned char, 4)
EMULATOR_VECTOR2(ushort2, unsigned short, 4)
EMULATOR_VECTOR4(ushort4, unsigned short, 8)
EMULATOR_VECTOR2(int2, int, 8)
EMULATOR_VECTOR3(int3, int)
EMULATOR_VECTOR4(int4, int, 16)
EMULATOR_VECTOR2(uint2, unsigned, 8)
EMULATOR_VECTOR3(uint3, unsigned)
EMULATOR_VECTOR4(uint4, unsigned, 16)
EMULATOR_VECTOR2(float2, float, 8)
EMULATOR_VECTOR4(float4, float, 16)
EMULATOR_VECTOR2(double2, double, 16)
EMULATOR_VECTOR2(longlong2, long long, 16)
EMULATOR_VECTOR2(ulonglong2, unsigned long long, 16)
#undef EMULATOR_VECTOR2
#undef EMULATOR_VECTOR3
#undef EMULATOR_VECTOR4

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// The scheduler rewrites threadIdx at every switch of fibers.
extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern __thread uint3 blockDim;
extern __thread uint3 gridDim;
constexpr int warpSize = 32;

// Dynamic shared memory; only the bytes that the launch requests may be accessed.
extern "C" {
extern __shared__ __align__(16) unsigned char sortsmith_shared[emulator::kSharedLimit];
}
