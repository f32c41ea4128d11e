// Comes before the C library, and makes operations on files below SORTSMITH_CACHE_DIR fail: they are counted, and fail with the
// code of a fault as errno, by the stand-in for the driver, under the names `file open`, `file read`, `file write`, `file stat`,
// `file mkdir` and `file unlink`. System calls that a program makes without the C library pass: tempfile renames so.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

const int kMost = 1024;
bool is_of_cache[kMost];

bool is_below(const char* path) {
  const char* folder = getenv("SORTSMITH_CACHE_DIR");
  return folder && path && *folder && !strncmp(path, folder, strlen(folder));
}

bool is_below(int file) { return file >= 0 && file < kMost && is_of_cache[file]; }

// Whether an operation is to fail; then errno says why.
bool fails(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_NOW);
  auto enter = driver ? reinterpret_cast<int (*)(const char*)>(dlsym(driver, "shim_enter")) : nullptr;
  const int code = enter ? enter(name) : 0;
  if (code) errno = code;
  return code;
}

template <class T>
T* next(T*, const char* name) {
  return reinterpret_cast<T*>(dlsym(RTLD_NEXT, name));
}

int opened(int file, const char* path) {
  if (file >= 0 && file < kMost) is_of_cache[file] = is_below(path);
  return file;
}

unsigned mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, unsigned) : 0; }

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define OPEN(name)                                                      \
  EXPORT int name(const char* path, int flags, ...) {                   \
    va_list list;                                                       \
    va_start(list, flags);                                              \
    const unsigned mode = mode_of(flags, list);                         \
    va_end(list);                                                       \
    if (is_below(path) && fails("file open")) return -1;                \
    return opened(next(name, #name)(path, flags, mode), path);          \
  }
OPEN(open)
OPEN(open64)

EXPORT int openat64(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const unsigned mode = mode_of(flags, list);
  va_end(list);
  if ((is_below(path) || is_below(folder)) && fails("file open")) return -1;
  return opened(next(openat64, "openat64")(folder, path, flags, mode), path);
}
EXPORT int close(int file) {
  opened(file, nullptr);
  return next(close, "close")(file);
}
EXPORT ssize_t read(int file, void* bytes, size_t count) {
  if (is_below(file) && fails("file read")) return -1;
  return next(read, "read")(file, bytes, count);
}
EXPORT ssize_t write(int file, const void* bytes, size_t count) {
  if (is_below(file) && fails("file write")) return -1;
  return next(write, "write")(file, bytes, count);
}
EXPORT ssize_t writev(int file, const struct iovec* buffers, int count) {
  if (is_below(file) && fails("file write")) return -1;
  return next(writev, "writev")(file, buffers, count);
}
EXPORT int statx(int folder, const char* path, int flags, unsigned mask, struct statx* out) {
  if ((is_below(path) || is_below(folder)) && fails("file stat")) return -1;
  return next(statx, "statx")(folder, path, flags, mask, out);
}
EXPORT int mkdir(const char* path, mode_t mode) {
  if (is_below(path) && fails("file mkdir")) return -1;
  return next(mkdir, "mkdir")(path, mode);
}
EXPORT int unlink(const char* path) {
  if (is_below(path) && fails("file unlink")) return -1;
  return next(unlink, "unlink")(path);
}
