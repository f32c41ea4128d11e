// The state of the stand-in: objects by their handles, memory, faults, violations.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unordered_map>
#include <unistd.h>
#include <vector>

namespace shim {

// Results, by the driver's numbers.
enum : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kInvalidHandle = 400,
  kIllegalState = 401,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kContextIsDestroyed = 709,
  kNotPermitted = 800,
  kNotSupported = 801,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
  kCaptureMerge = 902,
  kCaptureUnmatched = 903,
  kCaptureUnjoined = 904,
  kCaptureIsolation = 905,
  kCaptureImplicit = 906,
  kCapturedEvent = 907,
  kCaptureWrongThread = 908,
};

enum class Kind { Context, Stream, Event, Module, Function, Graph, Exec, UserObject, Communicator, Count };
inline const char* const kKindNames[] = {"contexts", "streams",     "events",       "modules",      "functions",
                                         "graphs",   "graph_execs", "user_objects", "communicators"};

// The object of a handle. Objects are never deleted, so a handle that is used too late is distinct from all others.
struct Object {
  Kind kind;
  bool alive = true;
  explicit Object(Kind kind) : kind(kind) {}
  virtual ~Object() = default;
};

struct Stream;
struct Context : Object {
  int device = 0;
  bool primary = false;
  int references = 0;
  Stream* legacy = nullptr;
  std::map<std::thread::id, Stream*> per_thread;
  Context() : Object(Kind::Context) {}
};

struct Module : Object {
  Context* context = nullptr;
  std::string code;
  Module() : Object(Kind::Module) {}
};

// One parameter of a kernel, or one field of its struct of arguments.
struct Field {
  std::string name;
  size_t offset = 0, bytes = 0, element = 0;
  bool pointer = false, constant = false;
};

struct Function : Object {
  Module* module = nullptr;
  std::string name;
  std::vector<size_t> parameter_bytes;
  // Of all parameters, one behind the other, with the fields of structs as fields of their own.
  std::vector<Field> fields;
  int dynamic_shared_bytes = 48 * 1024;
  Function() : Object(Kind::Function) {}
};

struct Event;
struct Capture;
// A position in a stream: everything enqueued before it.
struct Point {
  Stream* stream;
  uint64_t position;
};

struct Work {
  std::function<void()> run;
  std::vector<Point> after;
  // Whether it gives something back, which is done even where the device does nothing any more.
  bool frees = false;
  // Whether it can be done, which may depend on other ranks.
  std::function<bool()> ready{};
};

struct Stream : Object {
  Context* context = nullptr;
  bool blocking = true, hidden = false, draining = false;
  uint64_t enqueued = 0, done = 0;
  std::deque<Work> queue;
  std::vector<Point> next_after;
  Capture* capture = nullptr;
  Stream() : Object(Kind::Stream) {}
};

struct Event : Object {
  Context* context = nullptr;
  bool recorded = false, queried = false;
  Point at{};
  Capture* capture = nullptr;
  Event() : Object(Kind::Event) {}
};

struct UserObject : Object {
  void* pointer = nullptr;
  void (*destroy)(void*) = nullptr;
  uint64_t references = 0;
  UserObject() : Object(Kind::UserObject) {}
};

struct Block {
  uint64_t address = 0;
  size_t bytes = 0;
  Context* context = nullptr;
  bool alive = true, of_graph = false, of_host = false;
};

struct Fault {
  std::string name;
  uint64_t number, seen = 0;
  int code;
  int mode;  // 0 once, 1 from there on, 2 sticky
  unsigned sleep_us = 0;
};

struct State {
  std::mutex lock;
  std::unordered_map<const void*, Object*> objects;
  std::map<uint64_t, Block> blocks;
  // The blocks that are alive; and all objects that are, among some that have been destroyed. The tests make many, and few are alive at a time.
  std::set<Block*> open_blocks;
  std::vector<Object*> living;
  // Registered memory of the host: addresses and lengths.
  std::map<uint64_t, size_t> registered;
  std::vector<Context*> primaries;
  std::vector<std::unique_ptr<std::string>> violations;
  std::map<std::string, uint64_t> calls;
  std::string trace;
  // Seeds and numbers of sorts before, a line for each sort.
  std::string samples;
  std::vector<Fault> faults;
  // Objects that were alive when their context ended, by kind, and the bytes of allocations among them.
  std::map<std::string, uint64_t> orphans;
  // Of the first call that failed: the last calls of its thread, a line each, and the size of the thread's last allocation.
  std::string calls_to_fault;
  size_t bytes_before_fault = 0;
  uint64_t all_calls = 0, fired = 0, next_capture = 1, communicators = 0;
  int sticky = 0;
  bool deferred = false, initialized = false;
  std::vector<Capture*> captures;
  size_t memory_limit = size_t{80} << 30;
  std::string device_name = "Stand-in";
};

inline State& state() {
  static State* the_state = new State;  // outlives every destructor of the process
  return *the_state;
}

inline thread_local Context* current = nullptr;
inline thread_local bool in_callback = false;
// Whether a thread's calls are neither counted nor made to fail.
inline thread_local bool left_out = false;
// The last calls of a thread, and the size of its last allocation on the device.
constexpr unsigned kRecentCalls = 8;
inline thread_local const char* recent_calls[kRecentCalls];
inline thread_local unsigned recent_end = 0;
inline thread_local size_t last_bytes = 0;

inline void violation(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (getenv("SHIM_VERBOSE")) fprintf(stderr, "shim: %s\n", text);
  state().violations.push_back(std::make_unique<std::string>(text));
}

inline long setting(const char* name, long otherwise) {
  const char* value = getenv(name);
  return value && *value ? strtol(value, nullptr, 10) : otherwise;
}

inline void read_faults_of_environment() {
  const char* text = getenv("SHIM_FAIL");
  for (; text && *text; text += strcspn(text, ";"), text += *text == ';') {
    char name[64], mode[16] = "";
    unsigned long number;
    int code;
    if (sscanf(text, "%63[^:]:%lu:%d:%15[a-z]", name, &number, &code, mode) < 3) continue;
    const int how = !strcmp(mode, "sticky") ? 2 : !strcmp(mode, "forever") ? 1 : 0;
    state().faults.push_back({name, number, 0, code, how});
  }
}

// Pending work in the streams of the thread's device is dropped, except frees.
inline void drop_work() {
  for (const auto& [handle, object] : state().objects) {
    auto* stream = dynamic_cast<Stream*>(object);
    if (!stream || (current && stream->context->device != current->device)) continue;
    for (Work& work : stream->queue) {
      if (work.frees) work.run();
    }
    stream->queue.clear();
    stream->done = stream->enqueued;
  }
}

// The process that loaded the driver.
inline const pid_t loaded_in = getpid();

// Counts a call and says whether it is to fail. Locks.
inline int entered(const char* name) {
  // After a fork the driver is not initialised in the child, and cannot be.
  if (getpid() != loaded_in) return kNotInitialized;
  unsigned sleep_us = 0;
  int code = 0;
  {
    State& s = state();
    std::lock_guard<std::mutex> guard(s.lock);
    static const bool read = (read_faults_of_environment(), true);
    (void)read;
    if (in_callback) {
      violation("%s called from a callback", name);
      return kNotPermitted;
    }
    if (left_out) return 0;
    ++s.calls[name];
    ++s.all_calls;
    (s.trace += name) += '\n';
    recent_calls[recent_end++ % kRecentCalls] = name;
    for (Fault& fault : s.faults) {
      if (fault.name != name && fault.name != "any") continue;
      ++fault.seen;
      const bool now = fault.mode == 1 ? fault.seen >= fault.number : fault.seen == fault.number;
      if (!now) continue;
      if (fault.sleep_us) {
        sleep_us = fault.sleep_us;
        continue;
      }
      if (s.fired++ == 0) {
        s.calls_to_fault.clear();
        for (unsigned call = recent_end - std::min(recent_end, kRecentCalls); call != recent_end; ++call) {
          (s.calls_to_fault += recent_calls[call % kRecentCalls]) += '\n';
        }
        s.bytes_before_fault = last_bytes;
      }
      if (fault.mode == 2) {
        s.sticky = fault.code;
        drop_work();
      }
      code = fault.code;
    }
    // Calls that need no device still succeed.
    const bool needs_device = strcmp(name, "cuDriverGetVersion") && strcmp(name, "cuGetErrorString");
    if (!code && needs_device) code = s.sticky;
  }
  if (sleep_us) usleep(sleep_us);
  return code;
}

template <class T>
T* made(T* object) {
  state().objects[object] = object;
  state().living.push_back(object);
  return object;
}

// Forgets what has been destroyed. Streams stay, for what they were given may be left to do, and contexts, for a primary one begins again.
inline const std::vector<Object*>& living_objects() {
  auto& living = state().living;
  const auto is_gone = [](const Object* object) {
    return !object->alive && object->kind != Kind::Stream && object->kind != Kind::Context;
  };
  living.erase(std::remove_if(living.begin(), living.end(), is_gone), living.end());
  return living;
}

// The live object of a handle; else none, and a violation.
template <class T>
T* live(const void* handle, const char* call) {
  const auto found = state().objects.find(handle);
  T* object = found == state().objects.end() ? nullptr : dynamic_cast<T*>(found->second);
  if (!object) {
    violation("%s: %p is no handle of that kind", call, handle);
  } else if (!object->alive) {
    violation("%s: %s that has been destroyed", call, kKindNames[int(object->kind)]);
    object = nullptr;
  }
  return object;
}

// Memory -------------------------------------------------------------------------------------------------------------------

inline size_t pages_of(size_t bytes) {
  const size_t page = 4096;
  return (bytes + page - 1) / page * page + page;  // and one that stays inaccessible
}

// Address space with a shape that no host pointer has, so that it is recognised.
inline uint64_t next_address(size_t bytes) {
  static uint64_t next = 0;
  const size_t space = size_t{1} << 42;
  if (!next) {
    void* base = mmap(nullptr, space, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) abort();
    next = (reinterpret_cast<uint64_t>(base) + 0xffff) & ~uint64_t{0xffff};
  }
  const uint64_t address = next;
  next += pages_of(bytes);
  return address;
}

inline Block* block_at(uint64_t address) {
  auto& blocks = state().blocks;
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin()) return nullptr;
  Block& block = (--after)->second;
  return address <= block.address + block.bytes ? &block : nullptr;
}

inline size_t bytes_alive() {
  size_t sum = 0;
  for (const Block* block : state().open_blocks) sum += block->of_host ? 0 : block->bytes;
  return sum;
}

inline void open_block(Block& block) {
  mprotect(reinterpret_cast<void*>(block.address), pages_of(block.bytes) - 4096, PROT_READ | PROT_WRITE);
  // The content of memory that was never written.
  memset(reinterpret_cast<void*>(block.address), 0xa7, block.bytes < 4096 ? block.bytes : 4096);
  block.alive = true;
  state().open_blocks.insert(&block);
}

inline void close_block(Block& block) {
  // Fresh pages at the same address: nothing can be read, and the memory returns to the system.
  mmap(reinterpret_cast<void*>(block.address), pages_of(block.bytes), PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  block.alive = false;
  state().open_blocks.erase(&block);
}

inline Block* new_block(size_t bytes, Context* context, bool of_host = false) {
  if (!of_host && (bytes > state().memory_limit || bytes_alive() + bytes > state().memory_limit)) return nullptr;
  Block block;
  block.address = next_address(bytes);
  block.bytes = bytes;
  block.context = context;
  block.of_host = of_host;
  if (!of_host) last_bytes = bytes;
  Block& kept = state().blocks[block.address] = block;
  open_block(kept);
  return &kept;
}

// Whether memory may be used by work of a context; else a violation.
inline bool usable(uint64_t address, size_t bytes, const Context* context, const char* caller, const char* what) {
  const Block* block = block_at(address);
  const char* reason = nullptr;
  if (!block || block->of_host) {
    reason = "is no device memory";
  } else if (!block->alive) {
    reason = "has been freed";
  } else if (address + bytes > block->address + block->bytes) {
    reason = "is too short";
  } else if (block->context != context) {
    reason = "is of another context";
  }
  if (!reason) return true;
  violation("%s: %s (%llx, %zu bytes) %s", caller, what, static_cast<unsigned long long>(address), bytes, reason);
  return false;
}

}  // namespace shim

#define SHIM_EXPORT extern "C" __attribute__((visibility("default")))
