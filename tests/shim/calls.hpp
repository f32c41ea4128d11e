// The driver's calls: devices, contexts, streams, events.
#pragma once

namespace shim {
using Guard = std::lock_guard<std::mutex>;
}

// Counts the call, fails it if it is to fail, and locks.
#define SHIM_CALL(name)                             \
  if (int code = shim::entered(#name)) return code; \
  shim::Guard guard(shim::state().lock)
// The same for calls that free: they do it all the same, and report the error.
#define SHIM_RELEASE(name)                 \
  const int code = shim::entered(#name);   \
  if (code == shim::kNotPermitted && shim::in_callback) return code; \
  shim::Guard guard(shim::state().lock)

#define SHIM_CONTEXT(context) \
  shim::Context* context;     \
  if (int error = shim::usable_context(context)) return error
#define SHIM_STREAM(stream, handle, name) \
  shim::Stream* stream;                   \
  if (int error = shim::stream_of(handle, stream, #name)) return error

namespace shim {

inline int devices() { return int(setting("SHIM_DEVICES", 1)); }
inline long arch() { return setting("SHIM_ARCH", 90); }

inline int attribute_of_device(int attribute) {
  switch (attribute) {
    case 1: case 2: case 3: return 1024;      // threads of a block
    case 8: case 81: return 48 * 1024;        // shared memory of a block
    case 10: return 32;                       // lanes of a warp
    case 16: return int(setting("SHIM_MULTIPROCESSORS", 132));
    case 39: return 2048;                     // threads of a multiprocessor
    case 115: return int(setting("SHIM_POOLS", 1));
    case 41: case 31: case 121: return 1;     // addressing, concurrent kernels, cluster launch
    case 75: return int(arch() / 10);
    case 76: return int(arch() % 10);
    case 82: return 228 * 1024;               // shared memory of a multiprocessor
    case 97: return 227 * 1024;               // the opt-in limit of a block
    default: return 0;
  }
}

struct LaunchConfig {
  unsigned grid[3], block[3], shared_bytes;
  void* stream;
  const void* attributes;
  unsigned attribute_count;
};

inline int launch_kernel(void* handle, const LaunchConfig& config, void** parameters, const char* name) {
  Function* function = live<Function>(handle, name);
  if (!function) return kInvalidHandle;
  Stream* stream;
  if (const int error = stream_of(config.stream, stream, name)) return error;
  if (!function->module->alive) {
    violation("%s: %s of an unloaded module", name, function->name.c_str());
    return kInvalidHandle;
  }
  if (function->module->context != stream->context) {
    violation("%s: %s is of another context than the stream", name, function->name.c_str());
    return kInvalidHandle;
  }
  const uint64_t threads = uint64_t{config.block[0]} * config.block[1] * config.block[2];
  const bool has_blocks = config.grid[0] && config.grid[1] && config.grid[2];
  if (!threads || threads > 1024 || !has_blocks || int(config.shared_bytes) > function->dynamic_shared_bytes) {
    violation("%s: %s with a grid, block or shared memory that it does not take", name, function->name.c_str());
    return kInvalidValue;
  }
  std::vector<unsigned char> arguments;
  for (size_t at = 0; at < function->parameter_bytes.size(); ++at) {
    const auto* from = static_cast<const unsigned char*>(parameters[at]);
    arguments.insert(arguments.end(), from, from + function->parameter_bytes[at]);
  }
  Context* context = stream->context;
  const unsigned blocks_along_y = config.grid[1];
  return enqueue(stream, name, [=](const char*) { run_kernel(function, arguments, blocks_along_y, context); });
}

}  // namespace shim

SHIM_EXPORT int cuDriverGetVersion(int* version) {
  SHIM_CALL(cuDriverGetVersion);
  *version = int(shim::setting("SHIM_VERSION", 12080));
  return 0;
}

SHIM_EXPORT int cuInit(unsigned) {
  SHIM_CALL(cuInit);
  if (!shim::devices()) return shim::kNoDevice;
  shim::state().initialized = true;
  return 0;
}

SHIM_EXPORT int cuGetErrorString(int error, const char** text) {
  SHIM_CALL(cuGetErrorString);
  static thread_local char words[64];
  snprintf(words, sizeof words, "the stand-in's error %d", error);
  *text = words;
  return 0;
}
SHIM_EXPORT int cuGetErrorName(int error, const char** text) { return cuGetErrorString(error, text); }

SHIM_EXPORT int cuDeviceGetCount(int* count) {
  SHIM_CALL(cuDeviceGetCount);
  *count = shim::devices();
  return 0;
}
SHIM_EXPORT int cuDeviceGet(int* device, int ordinal) {
  SHIM_CALL(cuDeviceGet);
  if (ordinal < 0 || ordinal >= shim::devices()) return shim::kInvalidDevice;
  *device = ordinal;
  return 0;
}
SHIM_EXPORT int cuDeviceGetName(char* name, int length, int device) {
  SHIM_CALL(cuDeviceGetName);
  snprintf(name, size_t(length), "%s %d", shim::state().device_name.c_str(), device);
  return 0;
}
SHIM_EXPORT int cuDeviceGetUuid_v2(char* uuid, int device) {
  SHIM_CALL(cuDeviceGetUuid_v2);
  memset(uuid, device + 1, 16);
  return 0;
}
SHIM_EXPORT int cuDeviceTotalMem_v2(size_t* bytes, int) {
  SHIM_CALL(cuDeviceTotalMem_v2);
  *bytes = shim::state().memory_limit;
  return 0;
}
SHIM_EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  SHIM_CALL(cuDeviceGetAttribute);
  *value = shim::attribute_of_device(attribute);
  return 0;
}

SHIM_EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  SHIM_CALL(cuDevicePrimaryCtxRetain);
  auto& primaries = shim::state().primaries;
  if (device < 0 || device >= shim::devices()) return shim::kInvalidDevice;
  primaries.resize(size_t(shim::devices()));
  shim::Context*& primary = primaries[size_t(device)];
  if (!primary) {
    primary = shim::made(new shim::Context);
    primary->device = device;
    primary->primary = true;
  }
  primary->alive = true;
  ++primary->references;
  *context = primary;
  return 0;
}
SHIM_EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  SHIM_RELEASE(cuDevicePrimaryCtxRelease_v2);
  auto& primaries = shim::state().primaries;
  shim::Context* primary = size_t(device) < primaries.size() ? primaries[size_t(device)] : nullptr;
  if (!primary || !primary->references) {
    shim::violation("a primary context is released more often than it is retained");
    return shim::kInvalidContext;
  }
  if (--primary->references == 0) shim::end_context(primary);
  return code;
}
namespace shim {
inline int create_context(void** handle, int device) {
  if (device < 0 || device >= devices()) return kInvalidDevice;
  Context* context = made(new Context);
  context->device = device;
  context->references = 1;
  *handle = current = context;
  return kSuccess;
}
}  // namespace shim
SHIM_EXPORT int cuCtxCreate_v3(void** context, void*, int, unsigned, int device) {
  SHIM_CALL(cuCtxCreate_v3);
  return shim::create_context(context, device);
}
SHIM_EXPORT int cuCtxCreate_v4(void** context, void*, unsigned, int device) {
  SHIM_CALL(cuCtxCreate_v4);
  return shim::create_context(context, device);
}
SHIM_EXPORT int cuCtxDestroy_v2(void* handle) {
  SHIM_RELEASE(cuCtxDestroy_v2);
  shim::Context* context = shim::live<shim::Context>(handle, "cuCtxDestroy");
  if (!context || context->primary) return shim::kInvalidContext;
  shim::end_context(context);
  if (shim::current == context) shim::current = nullptr;
  return code;
}
SHIM_EXPORT int cuCtxGetCurrent(void** context) {
  SHIM_CALL(cuCtxGetCurrent);
  *context = shim::current;
  return shim::state().initialized ? 0 : shim::kNotInitialized;
}
SHIM_EXPORT int cuCtxSetCurrent(void* handle) {
  SHIM_CALL(cuCtxSetCurrent);
  shim::Context* context = handle ? shim::live<shim::Context>(handle, "cuCtxSetCurrent") : nullptr;
  if (handle && !context) return shim::kContextIsDestroyed;
  shim::current = context;
  return 0;
}
SHIM_EXPORT int cuCtxSetFlags(unsigned) {
  SHIM_CALL(cuCtxSetFlags);
  return 0;
}
SHIM_EXPORT int cuCtxSynchronize() {
  {
    SHIM_CALL(cuCtxSynchronize);
    SHIM_CONTEXT(context);
    bool is_captured = false;
    for (shim::Capture* capture : shim::state().captures) {
      if (capture->graph->context == context) capture->invalid = is_captured = true;
    }
    if (is_captured) return shim::kCaptureUnsupported;
    shim::finish_all(context, "cuCtxSynchronize");
  }
  shim::callbacks().settle();
  return 0;
}

namespace shim {
inline int create_stream(void** handle, unsigned flags) {
  Context* context;
  if (const int error = usable_context(context)) return error;
  *handle = new_stream(context, !(flags & 1), false);
  return kSuccess;
}
}  // namespace shim
SHIM_EXPORT int cuStreamCreate(void** stream, unsigned flags) {
  SHIM_CALL(cuStreamCreate);
  return shim::create_stream(stream, flags);
}
SHIM_EXPORT int cuStreamCreateWithPriority(void** stream, unsigned flags, int) {
  SHIM_CALL(cuStreamCreateWithPriority);
  return shim::create_stream(stream, flags);
}
SHIM_EXPORT int cuCtxGetStreamPriorityRange(int* least, int* highest) {
  SHIM_CALL(cuCtxGetStreamPriorityRange);
  *least = 0;
  *highest = -5;
  return 0;
}
SHIM_EXPORT int cuStreamDestroy_v2(void* handle) {
  SHIM_RELEASE(cuStreamDestroy_v2);
  shim::Stream* stream = shim::live<shim::Stream>(handle, "cuStreamDestroy");
  if (!stream) return shim::kInvalidHandle;
  if (stream->capture) stream->capture->invalid = true;
  // Work that is already enqueued is still done.
  stream->alive = false;
  return code;
}
SHIM_EXPORT int cuStreamSynchronize(void* handle) {
  {
    SHIM_CALL(cuStreamSynchronize);
    SHIM_STREAM(stream, handle, cuStreamSynchronize);
    if (int error = shim::wait_on_host(stream, "cuStreamSynchronize")) return error;
  }
  shim::callbacks().settle();
  return 0;
}
SHIM_EXPORT int cuStreamQuery(void* handle) {
  SHIM_CALL(cuStreamQuery);
  SHIM_STREAM(stream, handle, cuStreamQuery);
  if (stream->capture) return stream->capture->invalid = true, shim::kCaptureUnsupported;
  if (int error = shim::unsafe_meanwhile("cuStreamQuery")) return error;
  return stream->done < stream->enqueued ? shim::kNotReady : 0;
}
SHIM_EXPORT int cuStreamGetCtx(void* handle, void** context) {
  SHIM_CALL(cuStreamGetCtx);
  SHIM_STREAM(stream, handle, cuStreamGetCtx);
  *context = stream->context;
  return 0;
}
SHIM_EXPORT int cuStreamWaitEvent(void* handle, void* event_handle, unsigned) {
  SHIM_CALL(cuStreamWaitEvent);
  SHIM_STREAM(stream, handle, cuStreamWaitEvent);
  shim::Event* event = shim::live<shim::Event>(event_handle, "cuStreamWaitEvent");
  if (!event) return shim::kInvalidHandle;
  return shim::wait_for(stream, event, "cuStreamWaitEvent");
}
SHIM_EXPORT int cuLaunchHostFunc(void* handle, void (*function)(void*), void* data) {
  SHIM_CALL(cuLaunchHostFunc);
  SHIM_STREAM(stream, handle, cuLaunchHostFunc);
  return shim::enqueue(stream, "a host function", [=](const char*) {
    shim::callbacks().add([=] { function(data); });
  });
}

SHIM_EXPORT int cuEventCreate(void** handle, unsigned) {
  SHIM_CALL(cuEventCreate);
  SHIM_CONTEXT(context);
  shim::Event* event = shim::made(new shim::Event);
  event->context = context;
  *handle = event;
  return 0;
}
SHIM_EXPORT int cuEventDestroy_v2(void* handle) {
  SHIM_RELEASE(cuEventDestroy_v2);
  shim::Event* event = shim::live<shim::Event>(handle, "cuEventDestroy");
  if (!event) return shim::kInvalidHandle;
  event->alive = false;
  return code;
}
SHIM_EXPORT int cuEventRecord(void* handle, void* stream_handle) {
  SHIM_CALL(cuEventRecord);
  SHIM_STREAM(stream, stream_handle, cuEventRecord);
  shim::Event* event = shim::live<shim::Event>(handle, "cuEventRecord");
  if (!event) return shim::kInvalidHandle;
  if (event->context != stream->context) return shim::kInvalidHandle;
  if (stream->capture && stream->capture->invalid) return shim::kCaptureInvalidated;
  event->recorded = true;
  event->queried = false;
  event->capture = stream->capture;
  event->at = {stream, stream->enqueued};
  return 0;
}
SHIM_EXPORT int cuEventRecordWithFlags(void* event, void* stream, unsigned) { return cuEventRecord(event, stream); }
SHIM_EXPORT int cuEventQuery(void* handle) {
  SHIM_CALL(cuEventQuery);
  shim::Event* event = shim::live<shim::Event>(handle, "cuEventQuery");
  if (!event) return shim::kInvalidHandle;
  if (event->capture) return event->capture->invalid = true, shim::kCapturedEvent;
  if (int error = shim::unsafe_meanwhile("cuEventQuery")) return error;
  if (!event->recorded) return 0;
  // While there are communicators, deferred work is done behind the first query, and a later one finds that: ranks wait by queries.
  const bool is_first = shim::state().deferred && !event->queried;
  if (!shim::state().deferred || shim::state().communicators) {
    event->queried = true;
    shim::drain(event->at.stream, event->at.position);
  }
  const bool may_be_ready = !is_first || !shim::state().communicators;
  return may_be_ready && event->at.stream->done >= event->at.position ? 0 : shim::kNotReady;
}
SHIM_EXPORT int cuEventSynchronize(void* handle) {
  SHIM_CALL(cuEventSynchronize);
  shim::Event* event = shim::live<shim::Event>(handle, "cuEventSynchronize");
  if (!event) return shim::kInvalidHandle;
  if (event->capture) return event->capture->invalid = true, shim::kCapturedEvent;
  if (int error = shim::unsafe_meanwhile("cuEventSynchronize")) return error;
  const auto is_done = [=] {
    if (event->recorded) shim::drain(event->at.stream, event->at.position);
    return !event->recorded || event->at.stream->done >= event->at.position;
  };
  shim::wait_for_ranks(is_done, "cuEventSynchronize");
  return 0;
}
SHIM_EXPORT int cuEventElapsedTime(float* milliseconds, void*, void*) {
  SHIM_CALL(cuEventElapsedTime);
  *milliseconds = 1;
  return 0;
}
SHIM_EXPORT int cuEventElapsedTime_v2(float* ms, void* from, void* to) { return cuEventElapsedTime(ms, from, to); }
