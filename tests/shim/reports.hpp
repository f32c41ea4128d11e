// The functions by which tests read and set the state.
#pragma once

// How many there are of a kind: "allocations", "bytes", "host_allocations", "context_references", or a name of kKindNames.
SHIM_EXPORT uint64_t shim_live(const char* kind) {
  shim::Guard guard(shim::state().lock);
  uint64_t count = 0;
  for (const shim::Block* block : shim::state().open_blocks) {
    if (!strcmp(kind, "bytes") && !block->of_host) count += block->bytes;
    if (!strcmp(kind, "allocations") && !block->of_host) ++count;
    if (!strcmp(kind, "host_allocations") && block->of_host) ++count;
  }
  for (const shim::Object* object : shim::living_objects()) {
    const auto* context = object->kind == shim::Kind::Context ? static_cast<const shim::Context*>(object) : nullptr;
    if (context && object->alive && !strcmp(kind, "context_references")) count += uint64_t(context->references);
    if (!object->alive || strcmp(kind, shim::kKindNames[int(object->kind)])) continue;
    const auto* stream = object->kind == shim::Kind::Stream ? static_cast<const shim::Stream*>(object) : nullptr;
    if (!stream || !stream->hidden) ++count;
  }
  return count;
}
// How many objects of a kind, or bytes of allocations, were alive when their context ended.
SHIM_EXPORT uint64_t shim_orphans(const char* kind) {
  shim::Guard guard(shim::state().lock);
  const auto found = shim::state().orphans.find(kind);
  return found == shim::state().orphans.end() ? 0 : found->second;
}
// How often a call was made since the last shim_forget; all calls for "any".
SHIM_EXPORT uint64_t shim_calls(const char* name) {
  shim::Guard guard(shim::state().lock);
  if (!strcmp(name, "any")) return shim::state().all_calls;
  const auto found = shim::state().calls.find(name);
  return found == shim::state().calls.end() ? 0 : found->second;
}
// The names of all calls since then, a line each; returns how long that is, and writes no more than there is room for.
SHIM_EXPORT size_t shim_trace(char* out, size_t room) {
  shim::Guard guard(shim::state().lock);
  const std::string& trace = shim::state().trace;
  memcpy(out, trace.data(), trace.size() < room ? trace.size() : room);
  return trace.size();
}
// The seed of each sort that samples and the number of sorts before it, a line each, since then; as shim_trace.
SHIM_EXPORT size_t shim_samples(char* out, size_t room) {
  shim::Guard guard(shim::state().lock);
  const std::string& samples = shim::state().samples;
  memcpy(out, samples.data(), samples.size() < room ? samples.size() : room);
  return samples.size();
}
// The first call that failed since then behind the last calls of its thread, a line each; as shim_trace.
SHIM_EXPORT size_t shim_calls_to_fault(char* out, size_t room) {
  shim::Guard guard(shim::state().lock);
  const std::string& calls = shim::state().calls_to_fault;
  memcpy(out, calls.data(), calls.size() < room ? calls.size() : room);
  return calls.size();
}
// The size of that thread's last allocation on the device before that.
SHIM_EXPORT uint64_t shim_bytes_before_fault() {
  shim::Guard guard(shim::state().lock);
  return shim::state().bytes_before_fault;
}
SHIM_EXPORT void shim_forget() {
  shim::Guard guard(shim::state().lock);
  shim::state().calls.clear();
  shim::state().trace.clear();
  shim::state().samples.clear();
  shim::state().all_calls = 0;
  shim::state().fired = 0;
  shim::state().calls_to_fault.clear();
  shim::state().bytes_before_fault = 0;
}
SHIM_EXPORT uint64_t shim_violations() {
  shim::Guard guard(shim::state().lock);
  return shim::state().violations.size();
}
// The text of one, which stays.
SHIM_EXPORT const char* shim_violation(uint64_t number) {
  shim::Guard guard(shim::state().lock);
  return shim::state().violations[number]->c_str();
}
// Mode 0: once; 1: from there on; 2: sticky, for every later call.
SHIM_EXPORT void shim_fail(const char* name, uint64_t number, int code, int mode) {
  shim::Guard guard(shim::state().lock);
  shim::state().faults.push_back({name, number, 0, code, mode});
}
SHIM_EXPORT void shim_sleep(const char* name, uint64_t number, unsigned microseconds) {
  shim::Guard guard(shim::state().lock);
  shim::state().faults.push_back({name, number, 0, 0, 0, microseconds});
}
// Ends all faults, sticky ones too.
SHIM_EXPORT void shim_heal() {
  shim::Guard guard(shim::state().lock);
  shim::state().faults.clear();
  shim::state().sticky = 0;
}
SHIM_EXPORT uint64_t shim_fired() {
  shim::Guard guard(shim::state().lock);
  return shim::state().fired;
}
// Whether work stays in its stream until a call waits for it.
SHIM_EXPORT void shim_defer(int deferred) {
  shim::Guard guard(shim::state().lock);
  shim::state().deferred = deferred;
  if (!deferred) {
    for (const auto& [handle, object] : shim::state().objects) {
      if (auto* context = dynamic_cast<shim::Context*>(object)) shim::drain_all(context);
    }
  }
}
// Work that is enqueued and not done.
SHIM_EXPORT uint64_t shim_pending() {
  shim::Guard guard(shim::state().lock);
  uint64_t count = 0;
  for (const auto& [handle, object] : shim::state().objects) {
    if (const auto* stream = dynamic_cast<const shim::Stream*>(object)) count += stream->enqueued - stream->done;
  }
  return count;
}
// Bytes of memory that the device has.
SHIM_EXPORT void shim_memory(size_t bytes) {
  shim::Guard guard(shim::state().lock);
  shim::state().memory_limit = bytes;
}
// The name of the devices, before their number, for contexts from here on.
SHIM_EXPORT void shim_name(const char* name) {
  shim::Guard guard(shim::state().lock);
  shim::state().device_name = name;
}
// Waits for destructors of user objects and functions of the host.
SHIM_EXPORT void shim_settle() { shim::callbacks().settle(); }
// For the stand-in for NVRTC: its calls are counted and fail as those of the driver.
SHIM_EXPORT int shim_enter(const char* name) { return shim::entered(name); }
