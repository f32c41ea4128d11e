// CUDA's runtime, as far as headers of sorts on arrays call it: it says what is launched, and runs it in the emulator.
#pragma once

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator.hpp"

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorNotSupported = 801 };
using cudaStream_t = void*;
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};
struct cudaFuncAttributes {
  int ptxVersion;
};
#define CUDART_VERSION 13000

namespace {

int multiprocessors = 0;
int shared_bytes_per_block = 0;
// Where kernels are run, and not only listed.
unsigned long long run_seed = 0;
// Runs the kernel of this address in a thread of the emulator.
void call(const void* kernel, void** parameters);
// Writes the arguments of a launch that the program's reader is to see.
void print_arguments(const std::string& kernel, void** parameters);
// The most dynamic shared memory of a kernel: as it was raised last.
const void* raised_kernel = nullptr;
size_t raised_bytes = 0;
// The number of queries of the driver's version.
int driver_queries = 0;

std::string name_of(const void* kernel) {
  Dl_info info = {};
  if (dladdr(kernel, &info) == 0 || info.dli_sname == nullptr) return "unknown";
  int status = 0;
  char* const name = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  std::string text = name == nullptr ? info.dli_sname : name;
  std::free(name);
  text = text.substr(0, text.find("<0>"));
  return text.substr(text.rfind(':') + 1);
}

}  // namespace

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMultiProcessorCount ? multiprocessors : shared_bytes_per_block;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  ++driver_queries;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  attributes->ptxVersion = 90;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    raised_kernel = kernel;
    raised_bytes = static_cast<size_t>(value);
  }
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t) {
  std::printf("memset %d %zu\n", value, bytes);
  if (run_seed != 0) std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** parameters) {
  const bool is_raised = raised_kernel == kernel && raised_bytes == config->dynamicSmemBytes;
  if (config->dynamicSmemBytes > 48 * 1024 && !is_raised) return cudaErrorInvalidValue;
  const std::string name = name_of(kernel);
  std::printf("%s %u", name.c_str(), config->gridDim.x);
  if (config->gridDim.y > 1) std::printf("x%u", config->gridDim.y);
  std::printf(" %u %zu %s", config->blockDim.x, config->dynamicSmemBytes, config->numAttrs == 1 ? "early" : "in-order");
  print_arguments(name, parameters);
  std::printf("\n");
  if (run_seed == 0) return cudaSuccess;
  emulator::Launch launch;
  launch.grid = config->gridDim;
  launch.block = config->blockDim;
  launch.shared_bytes = static_cast<unsigned int>(config->dynamicSmemBytes);
  launch.seed = run_seed;
  // Blocks wait for each other.
  launch.os_threads = 4;
  launch.is_interleaved = true;
  const emulator::Report report = emulator::run(launch, [&] { call(kernel, parameters); });
  if (!report.ok) std::printf("%s\n", report.message);
  return cudaSuccess;
}
