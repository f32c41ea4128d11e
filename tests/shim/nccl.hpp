// A stand-in for NCCL, libnccl.so.2: its communicators, and exchanges that move bytes between the memory of ranks of one process.
//
// What it models
//   Joining     A communicator is in progress until all ranks of its id have joined.
//   Exchanges   They are work of their stream, which is done when the streams of all ranks that take part have come to it. What belongs
//               together is found by its order: the collective calls of a communicator, the messages from one rank to another. Addresses
//               are checked as those of copies are.
//   States      Joining, and a group of messages, are in progress for one query of the state after they could be done.
//   Ends        Of an aborted communicator nothing is exchanged any more, and it may not be used. A rank that waits for it gets the error
//               of a remote rank from the query of its state, unless shim_silence(1) lets it wait for ever, as ranks of one machine do.
//   Time        A rank, the calls of which are counted, waits in a call for the others to make theirs, so that it makes the same calls in
//               each run.
//
// Its calls are counted and made to fail as the driver's. "nccl state" stands for the state that a query reports, which fails too.
#pragma once

namespace shim {

enum : int {
  kNcclUnhandledCuda = 1,
  kNcclInvalidArgument = 4,
  kNcclInvalidUsage = 5,
  kNcclRemote = 6,
  kNcclInProgress = 7,
};

struct Exchange;
struct Message {
  int peer;
  bool is_sent;
  uint64_t address;
  size_t bytes;
  // Its number among those of its direction between the two ranks.
  size_t number = 0;
  bool moved = false;
};

struct Ranks;
struct Comm : Object {
  Context* context = nullptr;
  Ranks* ranks = nullptr;
  int rank = 0, queries_in_progress = 0;
  std::vector<std::shared_ptr<Exchange>> all, collectives;
  std::map<std::pair<int, bool>, std::vector<std::pair<Exchange*, size_t>>> messages;
  Comm() : Object(Kind::Communicator) {}
};

// The ranks of one id.
struct Ranks {
  std::vector<Comm*> members;
  bool has_lost_one = false;
  bool is_complete() const { return std::find(members.begin(), members.end(), nullptr) == members.end(); }
};

// What one rank does together with others, at a position of its stream.
struct Exchange {
  Comm* comm;
  Stream* stream;
  const char* call;
  uint64_t position = 0, from = 0, to = 0;
  size_t bytes = 0, number = 0;
  bool is_collective = false, reached = false, is_done = false;
  std::vector<Message> messages{};
  // Whether its rank takes part now.
  bool waits() const { return reached && comm->alive && stream->done < position; }
};

struct Nccl {
  std::map<std::string, Ranks> of_ids;
  uint64_t next_id = 1;
  bool is_silent = false;
};
inline Nccl& nccl() {
  static Nccl* the_nccl = new Nccl;
  return *the_nccl;
}

// The messages of a thread's group, and its first error.
struct MessageGroup {
  int depth = 0, error = 0;
  std::vector<std::pair<Message, std::pair<Comm*, Stream*>>> messages;
};
inline thread_local MessageGroup message_group;

inline int entered_nccl(const char* name) {
  const int code = entered(name);
  return code > kNcclInProgress ? kNcclUnhandledCuda : code;
}

// Where another rank's part of a message is, if that rank has come so far.
inline Message* counterpart(const Comm* comm, const Message& message, Exchange*& exchange) {
  Comm* peer = comm->ranks->members[size_t(message.peer)];
  auto& found = peer->messages[{comm->rank, !message.is_sent}];
  if (message.number >= found.size()) return nullptr;
  exchange = found[message.number].first;
  return &exchange->messages[found[message.number].second];
}

inline void move_message(Exchange& from, Message& sent, Exchange& to, Message& received) {
  sent.moved = received.moved = true;
  if (sent.bytes != received.bytes) return violation("ncclSend of %zu bytes, ncclRecv of %zu", sent.bytes, received.bytes);
  const bool may_read = usable(sent.address, sent.bytes, from.comm->context, "ncclSend", "what is sent");
  const bool may_write = usable(received.address, received.bytes, to.comm->context, "ncclRecv", "what is received");
  if (!may_read || !may_write) return;
  memmove(reinterpret_cast<void*>(received.address), reinterpret_cast<const void*>(sent.address), sent.bytes);
}

// Lets the stream of another rank come to its part.
inline void approach(Exchange& exchange) {
  if (exchange.comm->alive && !exchange.reached) drain(exchange.stream, exchange.position);
}

inline bool messages_moved(Exchange& exchange) {
  bool all = true;
  for (Message& message : exchange.messages) {
    Exchange* other = nullptr;
    Message* counter = message.moved ? nullptr : counterpart(exchange.comm, message, other);
    if (counter) approach(*other);
    if (counter && !message.moved && other->waits()) {
      if (message.is_sent) move_message(exchange, message, *other, *counter);
      else move_message(*other, *counter, exchange, message);
    }
    all &= message.moved;
  }
  return all;
}

// The exchanges of a collective call: one of each rank, or fewer.
inline std::vector<Exchange*> exchanges_of(const Exchange& exchange) {
  std::vector<Exchange*> exchanges;
  for (const Comm* member : exchange.comm->ranks->members) {
    if (exchange.number < member->collectives.size()) exchanges.push_back(member->collectives[exchange.number].get());
  }
  return exchanges;
}

inline bool collective_done(Exchange& exchange) {
  if (exchange.is_done) return true;
  const std::vector<Exchange*> exchanges = exchanges_of(exchange);
  if (exchanges.size() < exchange.comm->ranks->members.size()) return false;
  for (Exchange* part : exchanges) approach(*part);
  if (exchange.is_done) return true;
  const bool is_sum = !strcmp(exchange.call, "ncclAllReduce");
  std::vector<unsigned char> result;
  for (const Exchange* part : exchanges) {
    if (!part->waits()) return false;
    if (strcmp(part->call, exchange.call) || part->bytes != exchange.bytes) violation("%s and %s of ranks differ", part->call, exchange.call);
    if (!usable(part->from, exchange.bytes, part->comm->context, part->call, "what is sent")) continue;
    const auto* bytes = reinterpret_cast<const unsigned char*>(part->from);
    if (!is_sum || result.empty()) {
      result.insert(result.end(), bytes, bytes + exchange.bytes);
      continue;
    }
    auto* sums = reinterpret_cast<uint64_t*>(result.data());
    for (size_t at = 0; at < exchange.bytes / 8; ++at) sums[at] += reinterpret_cast<const uint64_t*>(bytes)[at];
  }
  for (Exchange* part : exchanges) {
    part->is_done = true;
    if (!usable(part->to, result.size(), part->comm->context, part->call, "what is received")) continue;
    memcpy(reinterpret_cast<void*>(part->to), result.data(), result.size());
  }
  return true;
}

inline bool exchange_done(Exchange& exchange) {
  if (!exchange.comm->alive) return true;
  exchange.reached = true;
  return exchange.is_collective ? collective_done(exchange) : messages_moved(exchange);
}

// Whether a rank that it needs has ended, or all have made their calls.
struct Progress {
  bool is_lost = false, is_posted = true;
};
inline Progress progress_of(const Exchange& exchange) {
  Progress progress;
  if (exchange.is_done) return progress;
  const auto& members = exchange.comm->ranks->members;
  if (exchange.is_collective) progress.is_posted = exchanges_of(exchange).size() == members.size();
  for (const Comm* member : members) progress.is_lost |= exchange.is_collective && !member->alive;
  for (const Message& message : exchange.messages) {
    Exchange* other = nullptr;
    if (message.moved) continue;
    progress.is_lost |= !members[size_t(message.peer)]->alive;
    progress.is_posted &= counterpart(exchange.comm, message, other) != nullptr;
  }
  return progress;
}

// Enqueues a rank's part, and waits for the others' if the thread's calls are counted.
inline int post(const std::shared_ptr<Exchange>& exchange) {
  Stream* stream = exchange->stream;
  Comm* comm = exchange->comm;
  if (stream->context != comm->context || stream->capture) {
    violation("%s on a stream of another context, or in a capture", exchange->call);
    return kNcclInvalidUsage;
  }
  exchange->position = stream->enqueued + 1;
  comm->all.push_back(exchange);
  if (exchange->is_collective) {
    exchange->number = comm->collectives.size();
    comm->collectives.push_back(exchange);
  }
  for (size_t at = 0; at < exchange->messages.size(); ++at) {
    Message& message = exchange->messages[at];
    auto& others = comm->messages[{message.peer, message.is_sent}];
    message.number = others.size();
    others.emplace_back(exchange.get(), at);
  }
  const int error = enqueue(stream, exchange->call, [](const char*) {}, false, [exchange] { return exchange_done(*exchange); });
  if (error) return kNcclUnhandledCuda;
  if (left_out) return 0;
  const auto has_met = [&] {
    const Progress progress = progress_of(*exchange);
    return progress.is_lost || progress.is_posted;
  };
  wait_for_ranks(has_met, exchange->call);
  if (!state().deferred) drain(stream);
  return 0;
}

// The communicator and the stream of a call.
inline int usable_comm(void* handle, void* stream_handle, Comm*& comm, Stream*& stream, const char* call) {
  comm = live<Comm>(handle, call);
  if (!comm || !comm->ranks->is_complete()) return kNcclInvalidArgument;
  return stream_of(stream_handle, stream, call) ? kNcclUnhandledCuda : 0;
}

inline int collective(const char* call, uint64_t from, uint64_t to, size_t words, void* comm_handle, void* stream_handle) {
  Comm* comm;
  Stream* stream;
  if (const int error = usable_comm(comm_handle, stream_handle, comm, stream, call)) return error;
  auto exchange = std::make_shared<Exchange>(Exchange{comm, stream, call});
  exchange->from = from;
  exchange->to = to;
  exchange->bytes = 8 * words;
  exchange->is_collective = true;
  return post(exchange);
}

// Adds a message to the thread's group.
inline int add_message(Message message, int type, void* comm_handle, void* stream_handle, const char* call) {
  Comm* comm;
  Stream* stream;
  int error = usable_comm(comm_handle, stream_handle, comm, stream, call);
  const size_t bytes = type == 1 ? 1 : type == 3 ? 4 : type == 5 ? 8 : 0;
  if (!error && (message.peer < 0 || size_t(message.peer) >= comm->ranks->members.size() || !bytes)) error = kNcclInvalidArgument;
  if (!error && !message_group.depth) error = kNcclInvalidUsage;
  message.bytes *= bytes;
  if (error) message_group.error = error;
  else message_group.messages.push_back({message, {comm, stream}});
  return error;
}

}  // namespace shim

#define SHIM_NCCL_CALL(name)                             \
  if (int code = shim::entered_nccl(#name)) return code; \
  shim::Guard guard(shim::state().lock)

struct NcclId {
  char bytes[128];
};
// ncclConfig_t of version 2.18.
struct NcclConfig {
  size_t size;
  unsigned magic, version;
  int blocking;
};

SHIM_EXPORT int ncclGetVersion(int* version) {
  SHIM_NCCL_CALL(ncclGetVersion);
  *version = int(shim::setting("SHIM_NCCL_VERSION", 21805));
  return 0;
}
SHIM_EXPORT const char* ncclGetErrorString(int code) {
  static const char* const kWords[] = {"no error", "unhandled cuda error", "unhandled system error", "internal error",
                                       "invalid argument", "invalid usage", "remote process exited", "NCCL operation in progress"};
  return code >= 0 && code <= shim::kNcclInProgress ? kWords[code] : "unknown result code";
}
SHIM_EXPORT int ncclGetUniqueId(NcclId* id) {
  SHIM_NCCL_CALL(ncclGetUniqueId);
  memset(id->bytes, 0, sizeof id->bytes);
  memcpy(id->bytes, &shim::nccl().next_id, 8);
  ++shim::nccl().next_id;
  return 0;
}
SHIM_EXPORT int ncclCommInitRankConfig(void** handle, int count, NcclId id, int rank, NcclConfig* config) {
  *handle = nullptr;
  SHIM_NCCL_CALL(ncclCommInitRankConfig);
  shim::Context* context;
  if (shim::usable_context(context)) return shim::kNcclUnhandledCuda;
  if (count < 1 || rank < 0 || rank >= count || config->size < 48 || config->magic != 0xcafebeef || config->blocking) {
    return shim::kNcclInvalidArgument;
  }
  shim::Ranks& ranks = shim::nccl().of_ids[std::string(id.bytes, sizeof id.bytes)];
  ranks.members.resize(size_t(count));
  if (ranks.members[size_t(rank)]) return shim::kNcclInvalidUsage;
  shim::Comm* comm = shim::made(new shim::Comm);
  comm->context = context;
  comm->ranks = &ranks;
  comm->rank = rank;
  comm->queries_in_progress = 1;
  ++shim::state().communicators;
  *handle = ranks.members[size_t(rank)] = comm;
  if (!shim::left_out) shim::wait_for_ranks([&] { return ranks.is_complete() || ranks.has_lost_one; }, "ncclCommInitRankConfig");
  return shim::kNcclInProgress;
}
SHIM_EXPORT int ncclCommGetAsyncError(void* handle, int* error) {
  if (int code = shim::entered_nccl("ncclCommGetAsyncError")) return code;
  *error = shim::entered_nccl("nccl state");
  if (*error) return 0;
  // Other ranks leave the cores to the one that is counted.
  if (shim::left_out) usleep(50);
  shim::Guard guard(shim::state().lock);
  shim::Comm* comm = shim::live<shim::Comm>(handle, "ncclCommGetAsyncError");
  if (!comm) return shim::kNcclInvalidArgument;
  bool is_lost = false;
  for (const auto& exchange : comm->all) {
    if (comm->ranks->is_complete() && exchange->stream->done < exchange->position) is_lost |= shim::progress_of(*exchange).is_lost;
  }
  if (!comm->ranks->is_complete()) *error = comm->ranks->has_lost_one ? shim::kNcclRemote : shim::kNcclInProgress;
  else if (is_lost && !shim::nccl().is_silent) *error = shim::kNcclRemote;
  else if (comm->queries_in_progress) *error = (--comm->queries_in_progress, shim::kNcclInProgress);
  return 0;
}
SHIM_EXPORT int ncclCommAbort(void* handle) {
  const int code = shim::entered_nccl("ncclCommAbort");
  shim::Guard guard(shim::state().lock);
  shim::Comm* comm = shim::live<shim::Comm>(handle, "ncclCommAbort");
  if (!comm) return shim::kNcclInvalidArgument;
  comm->alive = false;
  --shim::state().communicators;
  if (!comm->ranks->is_complete() && !shim::nccl().is_silent) comm->ranks->has_lost_one = true;
  if (!shim::state().deferred) shim::drain_all(comm->context);
  return code;
}
SHIM_EXPORT int ncclGroupStart() {
  SHIM_NCCL_CALL(ncclGroupStart);
  ++shim::message_group.depth;
  return 0;
}
SHIM_EXPORT int ncclGroupEnd() {
  const int code = shim::entered_nccl("ncclGroupEnd");
  shim::Guard guard(shim::state().lock);
  if (!shim::message_group.depth) {
    shim::violation("ncclGroupEnd without a group");
    return shim::kNcclInvalidUsage;
  }
  const shim::MessageGroup group = std::move(shim::message_group);
  shim::message_group = {};
  if (code || group.error) return code ? code : group.error;
  std::map<std::pair<shim::Comm*, shim::Stream*>, std::shared_ptr<shim::Exchange>> exchanges;
  for (const auto& [message, target] : group.messages) {
    auto& exchange = exchanges[target];
    if (!exchange) exchange = std::make_shared<shim::Exchange>(shim::Exchange{target.first, target.second, "ncclGroupEnd"});
    exchange->messages.push_back(message);
  }
  for (const auto& [target, exchange] : exchanges) {
    if (const int error = shim::post(exchange)) return error;
    target.first->queries_in_progress = 1;
  }
  return exchanges.empty() ? 0 : shim::kNcclInProgress;
}
SHIM_EXPORT int ncclSend(const void* from, size_t items, int type, int peer, void* comm, void* stream) {
  if (int code = shim::entered_nccl("ncclSend")) return shim::message_group.error = code;
  shim::Guard guard(shim::state().lock);
  return shim::add_message({peer, true, reinterpret_cast<uint64_t>(from), items}, type, comm, stream, "ncclSend");
}
SHIM_EXPORT int ncclRecv(void* to, size_t items, int type, int peer, void* comm, void* stream) {
  if (int code = shim::entered_nccl("ncclRecv")) return shim::message_group.error = code;
  shim::Guard guard(shim::state().lock);
  return shim::add_message({peer, false, reinterpret_cast<uint64_t>(to), items}, type, comm, stream, "ncclRecv");
}
SHIM_EXPORT int ncclAllGather(const void* from, void* to, size_t words, int type, void* comm, void* stream) {
  SHIM_NCCL_CALL(ncclAllGather);
  if (type != 5) return shim::kNcclInvalidArgument;
  return shim::collective("ncclAllGather", reinterpret_cast<uint64_t>(from), reinterpret_cast<uint64_t>(to), words, comm, stream);
}
SHIM_EXPORT int ncclAllReduce(const void* from, void* to, size_t words, int type, int operation, void* comm, void* stream) {
  SHIM_NCCL_CALL(ncclAllReduce);
  if (type != 5 || operation) return shim::kNcclInvalidArgument;
  return shim::collective("ncclAllReduce", reinterpret_cast<uint64_t>(from), reinterpret_cast<uint64_t>(to), words, comm, stream);
}

// Whether ranks hear nothing of one that has ended.
SHIM_EXPORT void shim_silence(int is_silent) {
  shim::Guard guard(shim::state().lock);
  shim::nccl().is_silent = is_silent != 0;
}
// A rank that has not joined by this id never will.
SHIM_EXPORT void shim_lose_rank(const NcclId* id) {
  shim::Guard guard(shim::state().lock);
  if (!shim::nccl().is_silent) shim::nccl().of_ids[std::string(id->bytes, sizeof id->bytes)].has_lost_one = true;
}
// Whether calls of this thread are neither counted nor made to fail.
SHIM_EXPORT void shim_leave_out(int is_left_out) { shim::left_out = is_left_out != 0; }
