// A stand-in for NVRTC: its cubin, and its PTX, is the source with a line before it that says which of the two it is.
//
// Its calls are counted and made to fail by the stand-in for the driver, where that is loaded: a fault of nvrtcCompileProgram with
// the code 6 is a source that does not compile, and has a log.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {

struct Program {
  std::string source, image, log;
};

int entered(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_NOW);
  auto enter = driver ? reinterpret_cast<int (*)(const char*)>(dlsym(driver, "shim_enter")) : nullptr;
  return enter ? enter(name) : 0;
}

Program* of(void* program) { return static_cast<Program*>(program); }

int copied(const std::string& text, char* out) {
  memcpy(out, text.c_str(), text.size() + 1);
  return 0;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define CALL(name) \
  if (int code = entered(#name)) return code

EXPORT const char* nvrtcGetErrorString(int) { return "the stand-in's error"; }
EXPORT int nvrtcVersion(int* major, int* minor) {
  CALL(nvrtcVersion);
  *major = 13;
  *minor = 0;
  return 0;
}
EXPORT int nvrtcGetNumSupportedArchs(int* count) {
  CALL(nvrtcGetNumSupportedArchs);
  *count = 3;
  return 0;
}
EXPORT int nvrtcGetSupportedArchs(int* archs) {
  CALL(nvrtcGetSupportedArchs);
  archs[0] = 75;
  archs[1] = 80;
  archs[2] = 90;
  return 0;
}
EXPORT int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*, const char* const*) {
  CALL(nvrtcCreateProgram);
  *program = new Program{source, "", ""};
  return 0;
}
EXPORT int nvrtcDestroyProgram(void** program) {
  const int code = entered("nvrtcDestroyProgram");
  delete of(*program);
  return code;
}
EXPORT int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  if (int code = entered("nvrtcCompileProgram")) {
    of(program)->log = "the stand-in's log";
    return code;
  }
  int arch = 0;
  const char* format = "cubin";
  for (int at = 0; at < count; ++at) {
    if (sscanf(options[at], "--gpu-architecture=compute_%d", &arch) == 1) format = "ptx";
    sscanf(options[at], "--gpu-architecture=sm_%d", &arch);
  }
  const std::string& source = of(program)->source;
  char head[64];
  snprintf(head, sizeof head, "// shim %s sm_%d %zu\n", format, arch, source.size());
  of(program)->image = head + source;
  return 0;
}
EXPORT int nvrtcGetProgramLogSize(void* program, size_t* bytes) {
  CALL(nvrtcGetProgramLogSize);
  *bytes = of(program)->log.size() + 1;
  return 0;
}
EXPORT int nvrtcGetProgramLog(void* program, char* log) {
  CALL(nvrtcGetProgramLog);
  return copied(of(program)->log, log);
}
#define IMAGE(name)                                     \
  EXPORT int nvrtcGet##name##Size(void* program, size_t* bytes) { \
    CALL(nvrtcGet##name##Size);                         \
    *bytes = of(program)->image.size() + 1;             \
    return 0;                                           \
  }                                                     \
  EXPORT int nvrtcGet##name(void* program, char* image) { \
    CALL(nvrtcGet##name);                               \
    return copied(of(program)->image, image);           \
  }
IMAGE(CUBIN)
IMAGE(PTX)
