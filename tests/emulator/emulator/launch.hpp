// Running a kernel, and global memory with guards around it.
#pragma once

#include "language.hpp"

#include <string>
#include <vector>

namespace emulator {

class GuardedBytes;

// The state that consecutive kernels of a stream share: a programmatic launch begins before the one before it has ended.
class Stream {
  public:
    // `buffers` are the arrays that the kernels may write. A kernel that begins early may read none that one before it has written, and
    // write none at all, before its wait_for_previous_grid.
    explicit Stream(std::vector<GuardedBytes *> buffers);

    // For the emulator. Before and after a block's threads wait for the grid before.
    void protect();
    void unprotect();
    // After a kernel: finds its writes.
    void look_for_stores();
    bool has_stored_to(const void *address) const;

    // Whether the last kernel began in order, or waited: then a wait for it covers the writes of the kernels before it.
    bool is_complete = true;

  private:
    struct Buffer {
        GuardedBytes *bytes;
        uint64_t hash;
        bool is_stored_to;
    };
    std::vector<Buffer> buffers_;
};

struct Launch {
    dim3 grid;
    dim3 block;
    unsigned shared_bytes = 0;
    // Decides the order of threads, the junk in shared memory, and the values of inactive lanes.
    uint64_t seed = 0;
    // Blocks start in ascending order on this many OS threads.
    unsigned os_threads = 1;
    // One of these goes on at a time, at barriers and while blocks wait for each other another: then the seed alone
    // decides the outcome, whatever the number of cores.
    bool is_interleaved = false;
    // The GPU is Hopper or later: there are bulk copies.
    bool has_bulk_copies = false;
    // The launch is a programmatic one, behind another kernel of the stream.
    bool is_early = false;
    Stream *stream = nullptr;
    // Of code that was compiled with -fsanitize=thread: whether a race is an error. Its blocks are interleaved.
    bool detects_races = false;
};

// The first fault; the blocks after it are not run.
struct Report {
    bool ok;
    // Block-wide barriers passed, over all blocks.
    uint64_t barriers;
    char message[4000];
};

Report run_erased(const Launch &launch, void (*call)(void *), void *kernel);

// Runs `kernel()` once in every thread of the grid.
template <class F>
inline Report run(const Launch &launch, F kernel) {
    return run_erased(
        launch, [](void *f) { (*static_cast<F *>(f))(); }, &kernel);
}

// The order of threads that a seed chooses, for messages.
const char *schedule_name(uint64_t seed);

// From here on launches list the sites that they pass, the list begins empty, and none is out.
void list_sites();
// The sites that were passed, each in one way that it can be broken, one a line: call, way, file and line, with tabs
// between them.
std::string listed_sites();
// From here on the call of this line of a list is broken in that way; none with an empty text. Sites are not listed.
void take_out_site(const std::string &text);

// Called with a message before the process ends for a fault outside a kernel.
void set_fatal_handler(void (*handler)(const char *text));

// Writes bytes that depend on the seed.
void fill_junk(void *bytes, size_t count, uint64_t seed);

class Shadow;

// `bytes` bytes that end at an inaccessible page, with canaries and another such page before them.
class GuardedBytes {
  public:
    GuardedBytes(const char *name, size_t bytes, size_t element_bytes, uint64_t seed);
    ~GuardedBytes();
    GuardedBytes(const GuardedBytes &) = delete;
    GuardedBytes &operator=(const GuardedBytes &) = delete;

    unsigned char *data() const { return data_; }
    // From here on a write is a fault.
    void make_read_only();
    bool has(const void *address) const {
        return static_cast<const unsigned char *>(address) >= data_ && static_cast<const unsigned char *>(address) < data_ + bytes_;
    }
    // Until it is allowed, a write is a fault, and a read unless it `may_read`.
    void forbid(bool may_read);
    void allow();
    uint64_t hash() const;
    // False if something in front of the data was overwritten.
    bool canaries_hold() const;

    // For the emulator.
    const char *name() const { return name_; }
    size_t bytes() const { return bytes_; }
    size_t element_bytes() const { return element_bytes_; }
    GuardedBytes *next() const { return next_; }
    // The accesses, for the race detector.
    Shadow &shadow();

  private:
    friend bool describe_address(const void *address, bool write, char *text, size_t size);

    const char *name_;
    size_t bytes_;
    size_t element_bytes_;
    uint64_t seed_;
    bool is_read_only_ = false;
    bool is_forbidden_ = false;
    unsigned char *map_;
    size_t map_bytes_;
    unsigned char *data_;
    Shadow *shadow_ = nullptr;
    GuardedBytes *next_;
};

// A global array of exactly `n` elements, filled with junk. `name` must outlive it.
template <class T>
class Guarded : public GuardedBytes {
  public:
    Guarded(const char *name, size_t n, uint64_t seed = 0)
        : GuardedBytes(name, n * sizeof(T), sizeof(T), seed), size_(n) {}
    T *get() const { return reinterpret_cast<T *>(data()); }
    T &operator[](size_t i) const { return get()[i]; }
    size_t size() const { return size_; }

  private:
    size_t size_;
};

}  // namespace emulator
