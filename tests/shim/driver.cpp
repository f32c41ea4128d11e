// A stand-in for NVIDIA's driver, libcuda.so.1, for tests of the host side without a GPU: its calls and their order, the objects
// that it keeps and frees, and its behaviour when a call fails.
//
// What it models
//   Memory      Each allocation has pages of its own, exactly as many bytes count, and its address is never used again. What
//               is freed cannot be read or written. Every copy, memset and kernel checks its addresses.
//   Streams     Work is done in its stream's order, and behind the events that the stream waits for. By default each call
//               does its work at once; after shim_defer(1) work stays in its stream until a call waits for it, so that memory
//               freed too early, or a missing event, shows. After a sticky fault only what frees is done. The legacy stream is
//               ordered with blocking streams.
//   Captures    Of the modes global, thread-local and relaxed, with the errors of the driver's documentation for what is not
//               legal meanwhile: unsafe calls (allocation, module loading, queries, waiting), dependencies on work outside of
//               the capture, merged, unjoined and unmatched captures, a wrong thread. Waiting for an event that was never
//               recorded counts as a dependency on work outside; the driver may be more lenient.
//   Graphs      Nodes are work with its arguments as they were captured; a launch checks them anew, so that memory freed or a
//               module unloaded between capture and launch shows. Allocations in a capture are nodes. User objects are
//               kept by graphs, executable graphs and launches in flight, and destroyed on another thread, which may make
//               no calls, when the last reference goes.
//   Kernels     The code is what the stand-in for NVRTC made (nvrtc.cpp): the source itself. A launch checks that its module is
//               loaded and of the stream's context, the dynamic shared memory against the requested size, and each array
//               among its parameters, n items of it, against the live allocations. It sorts nothing: the bytes of a result are
//               those of the array that it is made of and one more, so a test sees whether kernels have run on what.
//   Devices     A Hopper by its attributes; SHIM_DEVICES of them, of architecture SHIM_ARCH, with SHIM_MULTIPROCESSORS, under a
//               driver of version SHIM_VERSION; without stream-ordered allocation where SHIM_POOLS is 0; shim_name names them.
//   Shards      Kernels of sorts over ranks find half of the items in front of a border below its splitter, and all others equal to it, so
//               that ranks exchange what makes up their shares; a merge puts one range behind the other.
//   NCCL        nccl.hpp has it; the name of its library is another one of this library.
//   Contexts    Primary ones are counted, and end with the last release; what was alive in them then is counted as orphaned.
//
// What it does not model: the work of kernels; time, and work that runs beside other work; memory of the host that is paged or
// pinned (a deferred copy reads and writes host memory when it is done); peers, pools, textures, clusters.
//
// Calls of a thread may be left out: they are neither counted nor made to fail (shim_leave_out).
//
// Faults: shim_fail, or SHIM_FAIL=name:number:code[:forever|:sticky][;...], makes the call of that number, counted from one
// since then, fail with a code before it does anything, once, from there on, or as an error that every later call returns.
// A call that frees something frees it nevertheless, as the driver does where it reports an earlier error. The name `any` stands
// for every call. Violations of what the driver asks of its callers are recorded and can be read; none of them ends the process.
// SHIM_VERBOSE=1 prints them to stderr as they occur.

#include "state.hpp"

#include "kernels.hpp"

#include "shards.hpp"

#include "streams.hpp"

#include "graphs.hpp"

#include "calls.hpp"

#include "more_calls.hpp"

#include "reports.hpp"

#include "nccl.hpp"
