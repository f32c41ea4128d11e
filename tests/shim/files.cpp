// Comes before the C library, and makes operations on files below SORTSMITH_CACHE_DIR fail: they are counted, and fail with the
// code of a fault as errno, by the stand-in for the driver, under the names `file open`, `file read`, `file write`, `file stat`,
// `file chmod`, `file rename`, `file mkdir`, `file unlink`, `file list` (opendir) and `file realpath`. System calls that a program
// makes without the C library pass, so rustix is built with its feature `use-libc`.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
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
  if (!folder || !path || !*folder) return false;
  const size_t length = strlen(folder);
  return !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
}

bool is_below(int file) { return file >= 0 && file < kMost && is_of_cache[file]; }

// A path that begins at a folder, unless it is absolute.
bool is_below(int folder, const char* path) { return path && *path == '/' ? is_below(path) : is_below(folder); }

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

int opened(int file, bool is_below) {
  if (file >= 0 && file < kMost) is_of_cache[file] = is_below;
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
    return opened(next(name, #name)(path, flags, mode), is_below(path)); \
  }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name)                                                                \
  EXPORT int name(int folder, const char* path, int flags, ...) {                    \
    va_list list;                                                                    \
    va_start(list, flags);                                                           \
    const unsigned mode = mode_of(flags, list);                                      \
    va_end(list);                                                                    \
    if (is_below(folder, path) && fails("file open")) return -1;                     \
    return opened(next(name, #name)(folder, path, flags, mode), is_below(folder, path)); \
  }
OPEN_AT(openat)
OPEN_AT(openat64)

EXPORT int close(int file) {
  opened(file, false);
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
  if (is_below(folder, path) && fails("file stat")) return -1;
  return next(statx, "statx")(folder, path, flags, mask, out);
}
#define STAT(name, type)                                       \
  EXPORT int name(int file, struct type* out) {                \
    if (is_below(file) && fails("file stat")) return -1;       \
    return next(name, #name)(file, out);                       \
  }
STAT(fstat, stat)
STAT(fstat64, stat64)

EXPORT int fchmod(int file, mode_t mode) {
  if (is_below(file) && fails("file chmod")) return -1;
  return next(fchmod, "fchmod")(file, mode);
}
EXPORT int chmod(const char* path, mode_t mode) {
  if (is_below(path) && fails("file chmod")) return -1;
  return next(chmod, "chmod")(path, mode);
}
EXPORT int rename(const char* from, const char* to) {
  if ((is_below(from) || is_below(to)) && fails("file rename")) return -1;
  return next(rename, "rename")(from, to);
}
EXPORT int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  if ((is_below(from_folder, from) || is_below(to_folder, to)) && fails("file rename")) return -1;
  return next(renameat, "renameat")(from_folder, from, to_folder, to);
}
EXPORT int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if ((is_below(from_folder, from) || is_below(to_folder, to)) && fails("file rename")) return -1;
  return next(renameat2, "renameat2")(from_folder, from, to_folder, to, flags);
}
EXPORT int mkdir(const char* path, mode_t mode) {
  if (is_below(path) && fails("file mkdir")) return -1;
  return next(mkdir, "mkdir")(path, mode);
}
EXPORT int unlink(const char* path) {
  if (is_below(path) && fails("file unlink")) return -1;
  return next(unlink, "unlink")(path);
}
EXPORT int unlinkat(int folder, const char* path, int flags) {
  if (is_below(folder, path) && fails("file unlink")) return -1;
  return next(unlinkat, "unlinkat")(folder, path, flags);
}
EXPORT DIR* opendir(const char* path) {
  if (is_below(path) && fails("file list")) return nullptr;
  return next(opendir, "opendir")(path);
}
EXPORT char* realpath(const char* path, char* resolved) {
  if (is_below(path) && fails("file realpath")) return nullptr;
  // The first version of it, which dlsym finds, takes no null.
  char* out = resolved ? resolved : static_cast<char*>(malloc(PATH_MAX));
  char* found = next(realpath, "realpath")(path, out);
  if (!found && !resolved) {
    const int code = errno;
    free(out);
    errno = code;
  }
  return found;
}
