// Graphs: captures that have ended, and their launches.
#pragma once

namespace shim {

struct Exec : Object {
  Context* context = nullptr;
  std::shared_ptr<GraphBody> body;
  bool frees_on_launch = false;
  Exec() : Object(Kind::Exec) {}
};

inline int begin_capture(Stream* stream, int mode) {
  if (stream == stream->context->legacy) return kCaptureUnsupported;
  if (stream->capture) return kIllegalState;
  auto* capture = new Capture{state().next_capture++, mode, std::this_thread::get_id(), stream, made(new Graph)};
  capture->graph->context = stream->context;
  stream->capture = capture;
  state().captures.push_back(capture);
  return kSuccess;
}

inline void destroy_graph(Graph* graph) {
  graph->alive = false;
  for (UserObject* object : graph->body->kept) release(object, 1, "the end of a graph");
  graph->body = std::make_shared<GraphBody>();
}

inline int end_capture(Stream* stream, Graph*& graph) {
  graph = nullptr;
  Capture* capture = stream->capture;
  if (!capture) return kIllegalState;
  if (capture->origin != stream) return kCaptureUnmatched;
  if (capture->mode != 2 && capture->thread != std::this_thread::get_id()) return kCaptureWrongThread;
  int error = capture->invalid ? kCaptureInvalidated : kSuccess;
  for (const auto& [forked, is_joined] : capture->joined) {
    if (forked == stream) continue;
    if (!is_joined && !error) error = kCaptureUnjoined;
    forked->capture = nullptr;
  }
  stream->capture = nullptr;
  auto& captures = state().captures;
  for (size_t at = 0; at < captures.size(); ++at) {
    if (captures[at] == capture) captures.erase(captures.begin() + at--);
  }
  if (error) {
    destroy_graph(capture->graph);
    return error;
  }
  graph = capture->graph;
  return kSuccess;
}

inline Exec* instantiate(const Graph* graph, uint64_t flags) {
  Exec* exec = made(new Exec);
  exec->context = graph->context;
  exec->body = copy_of(*graph->body);
  exec->frees_on_launch = flags & 1;
  return exec;
}

inline int launch(const Exec* exec, Stream* stream) {
  if (stream->capture) return kNotSupported;  // child graphs are not modelled
  if (exec->context != stream->context) violation("cuGraphLaunch: the stream is of another context");
  return enqueue(stream, "a graph", [body = exec->body, frees = exec->frees_on_launch](const char*) {
    for (uint64_t address : body->memory) {
      Block& block = state().blocks[address];
      if (block.alive && frees) close_block(block);
      if (block.alive) violation("a graph is launched again while its memory is allocated");
    }
    for (const auto& [context, run] : body->nodes) {
      if (context->alive) {
        run("a graph");
      } else {
        violation("a graph is launched after the end of its context");
      }
    }
  });
}

}  // namespace shim
