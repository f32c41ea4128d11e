// Work in streams, and captures of it.
#pragma once

namespace shim {

struct GraphBody {
  // In an order that respects the streams and events of the capture.
  std::vector<std::pair<Context*, std::function<void(const char*)>>> nodes;
  // References to user objects.
  std::vector<UserObject*> kept;
  std::vector<uint64_t> memory;
};

struct Graph : Object {
  Context* context = nullptr;
  std::shared_ptr<GraphBody> body = std::make_shared<GraphBody>();
  Graph() : Object(Kind::Graph) {}
};

struct Capture {
  uint64_t id;
  int mode;  // 0 global, 1 thread-local, 2 relaxed
  std::thread::id thread;
  Stream* origin;
  Graph* graph;
  bool invalid = false;
  // Forked streams, and whether each has been waited for since its last work.
  std::map<Stream*, bool> joined{};
};

inline thread_local int capture_mode = 0;  // cuThreadExchangeStreamCaptureMode

// Another thread, on which user objects are destroyed and functions of the host run.
struct Callbacks {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<std::function<void()>> queue;
  bool running = false, busy = false;

  void add(std::function<void()> callback) {
    std::lock_guard<std::mutex> guard(lock);
    queue.push_back(std::move(callback));
    if (!running) {
      running = true;
      std::thread([this] { loop(); }).detach();
    }
    changed.notify_all();
  }
  void loop() {
    in_callback = true;
    std::unique_lock<std::mutex> guard(lock);
    for (;;) {
      changed.wait(guard, [this] { return !queue.empty(); });
      auto next = std::move(queue.front());
      queue.pop_front();
      busy = true;
      guard.unlock();
      next();
      guard.lock();
      busy = false;
      changed.notify_all();
    }
  }
  void settle() {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [this] { return queue.empty() && !busy; });
  }
};

inline Callbacks& callbacks() {
  static Callbacks* the_callbacks = new Callbacks;
  return *the_callbacks;
}

inline void release(UserObject* object, uint64_t count, const char* call) {
  if (object->references < count) return violation("%s: a user object is released more often than it is held", call);
  object->references -= count;
  if (object->references) return;
  object->alive = false;
  callbacks().add([destroy = object->destroy, pointer = object->pointer] { destroy(pointer); });
}

inline std::shared_ptr<GraphBody> copy_of(const GraphBody& body) {
  auto copy = std::shared_ptr<GraphBody>(new GraphBody(body), [](GraphBody* last) {
    for (UserObject* object : last->kept) release(object, 1, "the end of a graph");
    delete last;
  });
  for (UserObject* object : copy->kept) ++object->references;
  return copy;
}

inline void drain(Stream* stream, uint64_t until);

// Whether what the work waits for is done.
inline bool is_ready(const Work& work) {
  for (const Point& point : work.after) {
    drain(point.stream, point.position);
    if (point.stream->done < point.position) return false;
  }
  return !work.ready || work.ready();
}

// Does a stream's work, as far as it can be done: work of NCCL's waits for other ranks, which may do theirs here too.
inline void drain(Stream* stream, uint64_t until) {
  if (stream->draining) return;
  stream->draining = true;
  while (stream->done < until && !stream->queue.empty() && is_ready(stream->queue.front())) {
    Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    work.run();
    ++stream->done;
  }
  stream->draining = false;
}

inline void drain(Stream* stream) { drain(stream, stream->enqueued); }

template <class Do>
void each_stream(const Context* context, Do&& what) {
  std::vector<Stream*> streams;
  for (Object* object : living_objects()) {
    auto* stream = object->kind == Kind::Stream ? static_cast<Stream*>(object) : nullptr;
    if (stream && stream->context == context && (stream->alive || stream->enqueued > stream->done)) streams.push_back(stream);
  }
  for (Stream* stream : streams) what(stream);
}

inline void drain_all(const Context* context) {
  each_stream(context, [](Stream* stream) { drain(stream); });
}

// Lets other threads make calls until this is so, for ten seconds.
template <class Is>
void wait_for_ranks(Is&& is_so, const char* call) {
  for (int milliseconds = 0; !is_so(); ++milliseconds) {
    if (milliseconds == 10'000) return violation("%s waits for a rank that does not come", call);
    state().lock.unlock();
    usleep(1000);
    state().lock.lock();
  }
}

// The host waits for all work of a context.
inline void finish_all(const Context* context, const char* call) {
  const auto is_done = [&] {
    bool done = true;
    drain_all(context);
    each_stream(context, [&](Stream* stream) { done &= stream->queue.empty(); });
    return done;
  };
  wait_for_ranks(is_done, call);
}

inline Stream* new_stream(Context* context, bool blocking, bool hidden) {
  Stream* stream = made(new Stream);
  stream->context = context;
  stream->blocking = blocking;
  stream->hidden = hidden;
  return stream;
}

// A context that can be worked in, or an error.
inline int usable_context(Context*& context) {
  context = current;
  if (!state().initialized) return kNotInitialized;
  if (!context) return kInvalidContext;
  return context->alive ? kSuccess : kContextIsDestroyed;
}

inline int stream_of(void* handle, Stream*& stream, const char* call) {
  Context* context;
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (number > 2) {
    stream = live<Stream>(handle, call);
    if (!stream) return kInvalidHandle;
    return stream->context->alive ? kSuccess : kContextIsDestroyed;
  }
  if (const int error = usable_context(context)) return error;
  if (number < 2) {
    if (!context->legacy) context->legacy = new_stream(context, true, true);
    stream = context->legacy;
  } else {
    Stream*& own = context->per_thread[std::this_thread::get_id()];
    if (!own) own = new_stream(context, true, true);
    stream = own;
  }
  return kSuccess;
}

// Whether a call that is unsafe meanwhile meets a capture; then the captures that forbid it are invalid.
inline int unsafe_meanwhile(const char* call) {
  bool is_refused = false;
  for (Capture* capture : state().captures) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbids = (own && capture->mode != 2) || (!own && capture->mode == 0 && capture_mode == 0);
    if (!forbids || capture_mode == 2) continue;
    capture->invalid = is_refused = true;
    if (getenv("SHIM_VERBOSE")) fprintf(stderr, "shim: %s invalidates a capture\n", call);
  }
  return is_refused ? kCaptureUnsupported : kSuccess;
}

// Enqueues work, or adds it to the stream's capture.
inline int enqueue(Stream* stream, const char* what, std::function<void(const char*)> run, bool frees = false,
                   std::function<bool()> ready = {}) {
  if (Capture* capture = stream->capture) {
    if (capture->invalid) return kCaptureInvalidated;
    capture->graph->body->nodes.emplace_back(stream->context, std::move(run));
    if (stream != capture->origin) capture->joined[stream] = false;
    return kSuccess;
  }
  Work work{[run = std::move(run), what] { run(what); }, std::move(stream->next_after), frees, std::move(ready)};
  stream->next_after.clear();
  const bool is_legacy = stream == stream->context->legacy;
  if (stream->blocking) {
    int error = kSuccess;
    each_stream(stream->context, [&](Stream* other) {
      if (other == stream || !other->blocking || (!is_legacy && other != stream->context->legacy)) return;
      if (is_legacy && other->capture && other->capture->mode != 2) {
        other->capture->invalid = true;
        error = kCaptureImplicit;
      }
      work.after.push_back({other, other->enqueued});
    });
    if (error) return error;
  }
  stream->queue.push_back(std::move(work));
  ++stream->enqueued;
  if (!state().deferred || state().sticky) drain(stream);
  return kSuccess;
}

inline int wait_for(Stream* stream, Event* event, const char* call) {
  Capture* capture = stream->capture;
  if (capture && capture->invalid) return kCaptureInvalidated;
  if (event->capture) {
    // An event of a capture that has ended is only a name for nothing.
    bool is_going_on = false;
    for (Capture* other : state().captures) is_going_on |= other == event->capture;
    if (!is_going_on) return capture ? kCaptureIsolation : kCapturedEvent;
    if (capture && capture != event->capture) {
      capture->invalid = event->capture->invalid = true;
      return kCaptureMerge;
    }
    event->capture->joined[event->at.stream] = true;
    if (!capture) {
      if (stream == stream->context->legacy) return kCaptureImplicit;
      stream->capture = event->capture;
      event->capture->joined[stream] = true;
    }
    return kSuccess;
  }
  if (capture) {
    capture->invalid = true;
    if (getenv("SHIM_VERBOSE")) fprintf(stderr, "shim: %s for an event outside of the capture\n", call);
    return kCaptureIsolation;
  }
  if (event->recorded) {
    if (event->at.stream->context->device != stream->context->device) return kInvalidHandle;
    stream->next_after.push_back(event->at);
    // The next call may be a wait of the host alone.
    return enqueue(stream, call, [](const char*) {});
  }
  return kSuccess;
}

// Waiting on the host for work of a stream, or asking after it.
inline int wait_on_host(Stream* stream, const char* call) {
  if (stream->capture) {
    stream->capture->invalid = true;
    return kCaptureUnsupported;
  }
  if (const int error = unsafe_meanwhile(call)) return error;
  wait_for_ranks([=] { return drain(stream), stream->queue.empty(); }, call);
  return kSuccess;
}

inline void end_context(Context* context) {
  drain_all(context);
  for (Object* object : living_objects()) {
    bool is_own = false;
    if (auto* stream = dynamic_cast<Stream*>(object)) {
      is_own = stream->context == context;
      if (is_own && stream->hidden) stream->alive = false;
    } else if (auto* event = dynamic_cast<Event*>(object)) {
      is_own = event->context == context;
    } else if (auto* module = dynamic_cast<Module*>(object)) {
      is_own = module->context == context;
    } else if (auto* graph = dynamic_cast<Graph*>(object)) {
      is_own = graph->context == context;
    } else if (auto* function = dynamic_cast<Function*>(object)) {
      if (function->module->context == context) function->alive = false;
    }
    if (is_own && object->alive) {
      object->alive = false;
      ++state().orphans[kKindNames[int(object->kind)]];
    }
  }
  const std::set<Block*> blocks = state().open_blocks;
  for (Block* block : blocks) {
    if (block->context != context || block->of_host) continue;
    close_block(*block);
    ++state().orphans["allocations"];
    state().orphans["bytes"] += block->bytes;
  }
  context->legacy = nullptr;
  context->per_thread.clear();
  context->alive = false;
}

}  // namespace shim
