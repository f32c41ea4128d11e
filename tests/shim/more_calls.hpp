// The driver's calls: memory, modules, launches, graphs.
#pragma once

SHIM_EXPORT int cuMemGetInfo_v2(size_t* free, size_t* total) {
  SHIM_CALL(cuMemGetInfo_v2);
  *total = shim::state().memory_limit;
  *free = *total - shim::bytes_alive();
  return 0;
}
SHIM_EXPORT int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  SHIM_CALL(cuMemAlloc_v2);
  SHIM_CONTEXT(context);
  if (int error = shim::unsafe_meanwhile("cuMemAlloc")) return error;
  if (!bytes) return shim::kInvalidValue;
  const shim::Block* block = shim::new_block(bytes, context);
  if (!block) return shim::kOutOfMemory;
  *address = block->address;
  return 0;
}
namespace shim {
// Frees a block, or returns the defect of its address.
inline int close(uint64_t address, const char* call) {
  const auto found = state().blocks.find(address);
  if (found == state().blocks.end() || !found->second.alive) {
    violation("%s: %s", call, found == state().blocks.end() ? "an address that was never allocated" : "memory that has been freed");
    return kInvalidValue;
  }
  close_block(found->second);
  return kSuccess;
}
}  // namespace shim
SHIM_EXPORT int cuMemFree_v2(uint64_t address) {
  SHIM_RELEASE(cuMemFree_v2);
  if (!address) return code;
  SHIM_CONTEXT(context);
  if (int error = shim::unsafe_meanwhile("cuMemFree")) return error;
  // It waits for the device.
  shim::finish_all(context, "cuMemFree");
  const int error = shim::close(address, "cuMemFree");
  return code ? code : error;
}
SHIM_EXPORT int cuMemAllocAsync(uint64_t* address, size_t bytes, void* handle) {
  SHIM_CALL(cuMemAllocAsync);
  SHIM_STREAM(stream, handle, cuMemAllocAsync);
  *address = 0;
  if (!bytes) return 0;
  if (shim::Capture* capture = stream->capture) {
    if (capture->invalid) return shim::kCaptureInvalidated;
    shim::Block* block = shim::new_block(bytes, stream->context);
    if (!block) return shim::kOutOfMemory;
    block->of_graph = true;
    shim::close_block(*block);
    *address = block->address;
    capture->graph->body->memory.push_back(*address);
    return shim::enqueue(stream, "an allocation", [address = *address](const char*) {
      shim::open_block(shim::state().blocks[address]);
    });
  }
  const shim::Block* block = shim::new_block(bytes, stream->context);
  if (!block) return shim::kOutOfMemory;
  *address = block->address;
  return 0;
}
SHIM_EXPORT int cuMemFreeAsync(uint64_t address, void* handle) {
  SHIM_RELEASE(cuMemFreeAsync);
  if (!address) return code;
  SHIM_STREAM(stream, handle, cuMemFreeAsync);
  const auto found = shim::state().blocks.find(address);
  if (found == shim::state().blocks.end()) return shim::close(address, "cuMemFreeAsync");
  // In a capture only memory of the graph may be freed.
  if (stream->capture && !found->second.of_graph) return shim::kInvalidValue;
  const int error = shim::enqueue(stream, "cuMemFreeAsync", [=](const char* caller) { shim::close(address, caller); }, true);
  return code ? code : error;
}
SHIM_EXPORT int cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
  SHIM_CALL(cuMemHostAlloc);
  SHIM_CONTEXT(context);
  if (int error = shim::unsafe_meanwhile("cuMemHostAlloc")) return error;
  *pointer = reinterpret_cast<void*>(shim::new_block(bytes, context, true)->address);
  return 0;
}
SHIM_EXPORT int cuMemFreeHost(void* pointer) {
  SHIM_RELEASE(cuMemFreeHost);
  if (int error = shim::unsafe_meanwhile("cuMemFreeHost")) return error;
  const int error = shim::close(reinterpret_cast<uint64_t>(pointer), "cuMemFreeHost");
  return code ? code : error;
}

SHIM_EXPORT int cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned) {
  SHIM_CALL(cuMemHostRegister_v2);
  SHIM_CONTEXT(context);
  if (int error = shim::unsafe_meanwhile("cuMemHostRegister")) return error;
  if (!bytes) return shim::kInvalidValue;
  shim::state().registered[reinterpret_cast<uint64_t>(pointer)] = bytes;
  return 0;
}
SHIM_EXPORT int cuMemHostUnregister(void* pointer) {
  SHIM_RELEASE(cuMemHostUnregister);
  if (int error = shim::unsafe_meanwhile("cuMemHostUnregister")) return error;
  return shim::state().registered.erase(reinterpret_cast<uint64_t>(pointer)) ? code : shim::kInvalidValue;
}
// Attributes by their numbers: 2 the type of memory, 7 the number of the range, 8 whether it is managed. An unknown address has none.
SHIM_EXPORT int cuPointerGetAttributes(unsigned count, int* attributes, void** data, uint64_t address) {
  SHIM_CALL(cuPointerGetAttributes);
  const shim::Block* block = shim::block_at(address);
  uint64_t range = 0;
  uint32_t type = 0;
  if (block && block->alive && address < block->address + block->bytes) {
    range = block->address;
    type = block->of_host ? 1 : 2;
  }
  auto after = shim::state().registered.upper_bound(address);
  if (after != shim::state().registered.begin() && address < (--after)->first + after->second) {
    range = after->first;
    type = 1;
  }
  for (unsigned at = 0; at < count; ++at) {
    if (attributes[at] == 2) memcpy(data[at], &type, sizeof type);
    if (attributes[at] == 7) memcpy(data[at], &range, sizeof range);
    if (attributes[at] == 8) memset(data[at], 0, 1);
  }
  return 0;
}

namespace shim {
// A side of a copy: an address of the device, or of the host.
struct Side {
  uint64_t address;
  bool on_device;
};
inline int copy(Stream* stream, Side to, Side from, size_t bytes, const char* call) {
  Context* context = stream->context;
  return enqueue(stream, call, [=](const char* caller) {
    if (to.on_device && !usable(to.address, bytes, context, caller, "what is written")) return;
    if (from.on_device && !usable(from.address, bytes, context, caller, "what is read")) return;
    for (const Side& side : {to, from}) {
      const Block* block = side.on_device ? nullptr : block_at(side.address);
      if (!block || block->alive) continue;
      return violation("%s: pinned memory has been freed", caller);
    }
    memmove(reinterpret_cast<void*>(to.address), reinterpret_cast<const void*>(from.address), bytes);
  });
}
// Copies and sets that the host waits for.
inline int waited(int error, Stream* stream, const char* call) { return error ? error : wait_on_host(stream, call); }
inline Side device(uint64_t address) { return {address, true}; }
inline Side host(const void* pointer) { return {reinterpret_cast<uint64_t>(pointer), false}; }
inline int set(Stream* stream, uint64_t to, unsigned char value, size_t bytes, const char* call) {
  Context* context = stream->context;
  return enqueue(stream, call, [=](const char* caller) {
    if (usable(to, bytes, context, caller, "what is set")) memset(reinterpret_cast<void*>(to), value, bytes);
  });
}
}  // namespace shim

#define SHIM_COPY(name, to_type, to, from_type, from)                                                          \
  SHIM_EXPORT int name##Async_v2(to_type to_address, from_type from_address, size_t bytes, void* handle) {     \
    SHIM_CALL(name##Async_v2);                                                                                 \
    SHIM_STREAM(stream, handle, name##Async);                                                                  \
    return shim::copy(stream, shim::to(to_address), shim::from(from_address), bytes, #name "Async");           \
  }                                                                                                            \
  SHIM_EXPORT int name##_v2(to_type to_address, from_type from_address, size_t bytes) {                        \
    SHIM_CALL(name##_v2);                                                                                      \
    if (int error = shim::unsafe_meanwhile(#name)) return error;                                               \
    SHIM_STREAM(stream, nullptr, name);                                                                        \
    return shim::waited(shim::copy(stream, shim::to(to_address), shim::from(from_address), bytes, #name), stream, #name); \
  }
SHIM_COPY(cuMemcpyHtoD, uint64_t, device, const void*, host)
SHIM_COPY(cuMemcpyDtoH, void*, host, uint64_t, device)
SHIM_COPY(cuMemcpyDtoD, uint64_t, device, uint64_t, device)

SHIM_EXPORT int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void* handle) {
  SHIM_CALL(cuMemsetD8Async);
  SHIM_STREAM(stream, handle, cuMemsetD8Async);
  return shim::set(stream, to, value, bytes, "cuMemsetD8Async");
}
SHIM_EXPORT int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
  SHIM_CALL(cuMemsetD8_v2);
  if (int error = shim::unsafe_meanwhile("cuMemsetD8")) return error;
  SHIM_STREAM(stream, nullptr, cuMemsetD8);
  return shim::set(stream, to, value, bytes, "cuMemsetD8");
}

SHIM_EXPORT int cuModuleLoadData(void** handle, const void* image) {
  SHIM_CALL(cuModuleLoadData);
  SHIM_CONTEXT(context);
  if (int error = shim::unsafe_meanwhile("cuModuleLoadData")) return error;
  char format[8];
  int arch, head = 0;
  size_t bytes;
  if (memcmp(image, "\177ELF", 4) == 0) return shim::kNoBinaryForGpu;
  const auto* text = static_cast<const char*>(image);
  if (sscanf(text, "// shim %7s sm_%d %zu\n%n", format, &arch, &bytes, &head) < 3) return shim::kInvalidImage;
  const bool is_cubin = !strcmp(format, "cubin");
  if (is_cubin ? arch / 10 != shim::arch() / 10 : arch > shim::arch()) return shim::kNoBinaryForGpu;
  if (strlen(text + head) != bytes) return is_cubin ? shim::kInvalidImage : shim::kInvalidPtx;
  shim::Module* module = shim::made(new shim::Module);
  module->context = context;
  module->code = text;
  *handle = module;
  return 0;
}
SHIM_EXPORT int cuModuleUnload(void* handle) {
  SHIM_RELEASE(cuModuleUnload);
  shim::Module* module = shim::live<shim::Module>(handle, "cuModuleUnload");
  if (!module) return shim::kInvalidHandle;
  if (int error = shim::unsafe_meanwhile("cuModuleUnload")) return error;
  if (shim::current != module->context) {
    shim::violation("cuModuleUnload: the module is of another context than the current one");
    return shim::kInvalidHandle;
  }
  module->alive = false;
  return code;
}
SHIM_EXPORT int cuModuleGetFunction(void** handle, void* module_handle, const char* name) {
  SHIM_CALL(cuModuleGetFunction);
  shim::Module* module = shim::live<shim::Module>(module_handle, "cuModuleGetFunction");
  if (!module) return shim::kInvalidHandle;
  auto function = std::make_unique<shim::Function>();
  function->module = module;
  function->name = name;
  if (!shim::read_parameters(module->code, *function)) return shim::kNotFound;
  *handle = shim::made(function.release());
  return 0;
}
SHIM_EXPORT int cuFuncGetAttribute(int* value, int attribute, void* handle) {
  SHIM_CALL(cuFuncGetAttribute);
  shim::Function* function = shim::live<shim::Function>(handle, "cuFuncGetAttribute");
  if (!function) return shim::kInvalidHandle;
  int arch = 0;
  sscanf(function->module->code.c_str(), "// shim %*s sm_%d", &arch);
  *value = attribute == 5 || attribute == 6 ? arch : attribute == 0 ? 1024 : attribute == 8 ? function->dynamic_shared_bytes : 0;
  return 0;
}
SHIM_EXPORT int cuFuncSetAttribute(void* handle, int attribute, int value) {
  SHIM_CALL(cuFuncSetAttribute);
  shim::Function* function = shim::live<shim::Function>(handle, "cuFuncSetAttribute");
  if (!function) return shim::kInvalidHandle;
  if (attribute != 8) return 0;
  if (value > 227 * 1024) return shim::kInvalidValue;
  function->dynamic_shared_bytes = value;
  return 0;
}
SHIM_EXPORT int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                               unsigned shared_bytes, void* stream, void** parameters, void**) {
  SHIM_CALL(cuLaunchKernel);
  return shim::launch_kernel(function, {{gx, gy, gz}, {bx, by, bz}, shared_bytes, stream, nullptr, 0}, parameters, "cuLaunchKernel");
}
SHIM_EXPORT int cuLaunchKernelEx(const shim::LaunchConfig* config, void* function, void** parameters, void**) {
  SHIM_CALL(cuLaunchKernelEx);
  return shim::launch_kernel(function, *config, parameters, "cuLaunchKernelEx");
}
SHIM_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void*, int, size_t, unsigned) {
  SHIM_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
  *blocks = 2;
  return 0;
}

SHIM_EXPORT int cuThreadExchangeStreamCaptureMode(int* mode) {
  SHIM_CALL(cuThreadExchangeStreamCaptureMode);
  std::swap(*mode, shim::capture_mode);
  return 0;
}
SHIM_EXPORT int cuStreamBeginCapture_v2(void* handle, int mode) {
  SHIM_CALL(cuStreamBeginCapture_v2);
  SHIM_STREAM(stream, handle, cuStreamBeginCapture);
  return shim::begin_capture(stream, mode);
}
SHIM_EXPORT int cuStreamEndCapture(void* handle, void** graph) {
  // A capture ends even where that is an error.
  SHIM_RELEASE(cuStreamEndCapture);
  SHIM_STREAM(stream, handle, cuStreamEndCapture);
  shim::Graph* captured;
  const int error = shim::end_capture(stream, captured);
  if (code && captured) shim::destroy_graph(captured);
  *graph = code ? nullptr : captured;
  return code ? code : error;
}
namespace shim {
inline int status_of(const Stream* stream) { return !stream->capture ? 0 : stream->capture->invalid ? 2 : 1; }
inline int capture_info(void* handle, int* status, uint64_t* id, void** graph, const void*** dependencies, const void** edges, size_t* count) {
  Stream* stream;
  if (const int error = stream_of(handle, stream, "cuStreamGetCaptureInfo")) return error;
  const Capture* capture = stream->capture;
  *status = status_of(stream);
  if (!capture) return kSuccess;
  if (id) *id = capture->id;
  if (graph) *graph = capture->graph;
  if (dependencies) *dependencies = nullptr;
  if (edges) *edges = nullptr;
  if (count) *count = 0;
  return kSuccess;
}
}  // namespace shim
SHIM_EXPORT int cuStreamIsCapturing(void* handle, int* status) {
  SHIM_CALL(cuStreamIsCapturing);
  SHIM_STREAM(stream, handle, cuStreamIsCapturing);
  const bool is_implicit = [&] {
    for (shim::Capture* capture : shim::state().captures) {
      if (stream == stream->context->legacy && capture->origin->blocking && capture->graph->context == stream->context) return true;
    }
    return false;
  }();
  if (is_implicit) return shim::kCaptureImplicit;
  *status = shim::status_of(stream);
  return 0;
}
SHIM_EXPORT int cuStreamGetCaptureInfo(void* stream, int* status, uint64_t* id) {
  SHIM_CALL(cuStreamGetCaptureInfo);
  return shim::capture_info(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
SHIM_EXPORT int cuStreamGetCaptureInfo_v2(void* stream, int* status, uint64_t* id, void** graph, const void*** dependencies, size_t* count) {
  SHIM_CALL(cuStreamGetCaptureInfo_v2);
  return shim::capture_info(stream, status, id, graph, dependencies, nullptr, count);
}
SHIM_EXPORT int cuStreamGetCaptureInfo_v3(void* stream, int* status, uint64_t* id, void** graph, const void*** dependencies,
                                          const void** edges, size_t* count) {
  SHIM_CALL(cuStreamGetCaptureInfo_v3);
  return shim::capture_info(stream, status, id, graph, dependencies, edges, count);
}

namespace shim {
inline int instantiated(void** handle, void* graph_handle, uint64_t flags) {
  const Graph* graph = live<Graph>(graph_handle, "cuGraphInstantiate");
  if (!graph) return kInvalidValue;
  *handle = instantiate(graph, flags);
  return kSuccess;
}
}  // namespace shim
SHIM_EXPORT int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags) {
  SHIM_CALL(cuGraphInstantiateWithFlags);
  return shim::instantiated(exec, graph, flags);
}
SHIM_EXPORT int cuGraphUpload(void* exec, void*) {
  SHIM_CALL(cuGraphUpload);
  return shim::live<shim::Exec>(exec, "cuGraphUpload") ? 0 : shim::kInvalidValue;
}
SHIM_EXPORT int cuGraphLaunch(void* handle, void* stream_handle) {
  SHIM_CALL(cuGraphLaunch);
  SHIM_STREAM(stream, stream_handle, cuGraphLaunch);
  const shim::Exec* exec = shim::live<shim::Exec>(handle, "cuGraphLaunch");
  return exec ? shim::launch(exec, stream) : shim::kInvalidValue;
}
SHIM_EXPORT int cuGraphExecDestroy(void* handle) {
  SHIM_RELEASE(cuGraphExecDestroy);
  shim::Exec* exec = shim::live<shim::Exec>(handle, "cuGraphExecDestroy");
  if (!exec) return shim::kInvalidValue;
  exec->alive = false;
  // Launches in flight keep the objects they need.
  exec->body = nullptr;
  return code;
}
SHIM_EXPORT int cuGraphDestroy(void* handle) {
  SHIM_RELEASE(cuGraphDestroy);
  shim::Graph* graph = shim::live<shim::Graph>(handle, "cuGraphDestroy");
  if (!graph) return shim::kInvalidValue;
  shim::destroy_graph(graph);
  return code;
}

SHIM_EXPORT int cuUserObjectCreate(void** handle, void* pointer, void (*destroy)(void*), unsigned references, unsigned flags) {
  SHIM_CALL(cuUserObjectCreate);
  if (flags != 1 || !references) return shim::kInvalidValue;
  shim::UserObject* object = shim::made(new shim::UserObject);
  object->pointer = pointer;
  object->destroy = destroy;
  object->references = references;
  *handle = object;
  return 0;
}
SHIM_EXPORT int cuUserObjectRetain(void* handle, unsigned count) {
  SHIM_CALL(cuUserObjectRetain);
  shim::UserObject* object = shim::live<shim::UserObject>(handle, "cuUserObjectRetain");
  if (!object) return shim::kInvalidValue;
  object->references += count;
  return 0;
}
SHIM_EXPORT int cuUserObjectRelease(void* handle, unsigned count) {
  SHIM_RELEASE(cuUserObjectRelease);
  shim::UserObject* object = shim::live<shim::UserObject>(handle, "cuUserObjectRelease");
  if (!object) return shim::kInvalidValue;
  shim::release(object, count, "cuUserObjectRelease");
  return code;
}
SHIM_EXPORT int cuGraphRetainUserObject(void* graph_handle, void* handle, unsigned count, unsigned flags) {
  SHIM_CALL(cuGraphRetainUserObject);
  shim::Graph* graph = shim::live<shim::Graph>(graph_handle, "cuGraphRetainUserObject");
  shim::UserObject* object = shim::live<shim::UserObject>(handle, "cuGraphRetainUserObject");
  if (!graph || !object) return shim::kInvalidValue;
  if (!(flags & 1)) object->references += count;
  for (unsigned at = 0; at < count; ++at) graph->body->kept.push_back(object);
  return 0;
}
