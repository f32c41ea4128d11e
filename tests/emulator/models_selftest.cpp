// Proves that late copies, early grids and delayed stores are modelled: correct kernels pass under every seed, and each broken
// one is caught under every seed.
//
//     g++ -std=c++17 -O2 -c emulator.cpp instrument.cpp
//     g++ -std=c++17 -O1 -g1 -fsanitize=thread --param tsan-instrument-func-entry-exit=0 -c models_selftest.cpp
//     g++ models_selftest.o emulator.o instrument.o -lpthread && ./a.out

#include "emulator.hpp"

#include <stdio.h>

#include <string>
#include <vector>

namespace {

using namespace emulator;
using namespace emulator::parts;

constexpr int kSeeds = 100;
int failures = 0;
// Whether launches look for races, which watches each access.
bool detects = false;

Launch launch(unsigned threads, uint64_t seed, unsigned blocks = 1) {
    Launch l;
    l.grid = dim3(blocks);
    l.block = dim3(threads);
    l.shared_bytes = 8192;
    l.seed = seed;
    l.is_interleaved = true;
    l.has_bulk_copies = true;
    l.detects_races = detects;
    return l;
}

// How a kernel is found to be broken.
enum class By {
    kNothing,    // it is right
    kOutcome,    // whether races are looked for or not
    kRaces,      // by a look at each access alone
};

// Runs `one` under every seed, without and with a look for races; it returns the failure, or an empty text. A broken kernel
// has to be caught each time, and where `expected` is not null and no access is found first, by that message.
template <class F> void expect(By by, const char *what, const char *expected, F one) {
    printf("  %-62s", what);
    for (int with_races = by == By::kRaces; with_races < 2; ++with_races) {
        detects = with_races;
        int caught = 0;
        std::string wrong;
        for (int seed = 0; seed < kSeeds; ++seed) {
            const std::string message = one(uint64_t(seed));
            if (message.empty()) continue;
            ++caught;
            const auto says = [&](const char *text) { return message.find(text) != std::string::npos; };
            const bool is_race = with_races && (says("race on") || says("has in flight"));
            if (by == By::kNothing || (expected && !is_race && !says(expected))) wrong = message;
        }
        printf(" %s%3d of %d seeds%s", by == By::kNothing ? "fails under " : "caught under ", caught, kSeeds,
               with_races ? ", races looked for" : ";");
        if (caught == (by == By::kNothing ? 0 : kSeeds) && wrong.empty()) continue;
        ++failures;
        printf("\nFAILED: %s", wrong.c_str());
    }
    printf("\n");
}

const char *const kWrong = "wrong result";

// -------------------------------------------------------------------------------------------------
// Asynchronous copies: each thread brings four words, and adds up its own and those of its neighbours.

enum class Late {
    kRight,
    kNoWait,
    kReadBeforeWait,
    kNoBarrier,
    kEarlyReturn,
    kReused,
    kSourceChanges,
    kReadInFlight,
    kTwiceToOneAddress,
    kMisaligned,
};

template <Late F> void add_neighbours(const unsigned *in, unsigned *source, unsigned *out) {
    unsigned *const words = reinterpret_cast<unsigned *>(sortsmith_shared);
    const unsigned t = threadIdx.x, threads = blockDim.x;
    for (unsigned i = 0; i < 4; ++i) copy_async(&words[i * threads + t], &in[i * threads + t]);
    if (F == Late::kEarlyReturn && t % 7 == 3) return;
    if (F == Late::kReused && t == 5) words[t] = 1;
    if (F == Late::kSourceChanges && t == 9) ++source[t];
    if (F == Late::kTwiceToOneAddress && t == 3) copy_async(&words[t], &in[t + 1]);
    if (F == Late::kMisaligned && t == 3)
        copy_async(reinterpret_cast<unsigned long long *>(&words[4 * threads + 1]), reinterpret_cast<const unsigned long long *>(in));
    unsigned sum = 0;
    if (F == Late::kReadBeforeWait) sum = words[t];
    if (F == Late::kReadInFlight && t == 0) sum = 0 * *const_cast<const volatile unsigned *>(&words[t]);
    if (F != Late::kNoWait) wait_for_copies();
    if (F == Late::kEarlyReturn) {
        out[t] = 0;
        return;
    }
    if (F != Late::kReadBeforeWait) sum += words[t];
    if (F != Late::kNoBarrier) __syncthreads();
    for (unsigned i = 1; i < 4; ++i) sum += words[i * threads + t];
    out[t] = sum + words[(t + 1) % threads] + words[(t + threads - 1) % threads];
}

template <Late F> void test_late(const char *what, const char *expected, By by = By::kOutcome) {
    expect(by, what, expected, [](uint64_t seed) -> std::string {
        constexpr unsigned kThreads = 96;
        Guarded<unsigned> in("in", 4 * kThreads, seed), out("out", kThreads, seed + 1);
        const std::vector<unsigned> was(in.get(), in.get() + 4 * kThreads);
        const Report r = run(launch(kThreads, seed), [&] { add_neighbours<F>(in.get(), in.get(), out.get()); });
        if (!r.ok) return r.message;
        for (unsigned t = 0; t < kThreads; ++t) {
            unsigned sum = was[(t + 1) % kThreads] + was[(t + kThreads - 1) % kThreads];
            for (unsigned i = 0; i < 4; ++i) sum += was[i * kThreads + t];
            if (out[t] != sum) return kWrong;
        }
        return "";
    });
}

void test_copies() {
    test_late<Late::kRight>("copies, waited for", nullptr, By::kNothing);
    test_late<Late::kNoWait>("a copy without a wait", "no wait covers them");
    test_late<Late::kReadBeforeWait>("a read before the wait", kWrong);
    test_late<Late::kNoBarrier>("a neighbour's copy read without a barrier", kWrong);
    test_late<Late::kEarlyReturn>("an early return with copies in flight", "no wait covers them");
    test_late<Late::kReused>("a buffer reused with a copy in flight", "was written by others before it landed");
    test_late<Late::kSourceChanges>("a source that changes before its copy lands", "has changed before it landed");
    test_late<Late::kReadInFlight>("a read of what is in flight, which is not used", "has in flight", By::kRaces);
    test_late<Late::kTwiceToOneAddress>("two copies to one address", "still in flight");
    test_late<Late::kMisaligned>("a copy to a misaligned address", "is not aligned to 8 bytes");
}

// -------------------------------------------------------------------------------------------------
// Bulk copies: two rounds of a tile that all threads read; then each thread stores to it, before the next round.

enum class Bulk {
    kRight,
    kFewerAnnounced,
    kMoreAnnounced,
    kOddSize,
    kMisaligned,
    kNoInitFence,
    kNoWait,
    kNoThreadWaits,
    kNoBarrierAfterInit,
    kNoProxyFence,
    kFenceBeforeStores,
    kNoBarrierAfterFence,
    kWrongRound,
    kOverwrittenBarrier,
    kPrefetchBeyond,
};

template <Bulk F> void sum_tiles(const unsigned *in, unsigned *out) {
    constexpr unsigned kThreads = 64, kTile = 4 * kThreads, kBytes = 4 * kTile;
    unsigned *const tile = reinterpret_cast<unsigned *>(sortsmith_shared);
    BulkCopies &copies = *reinterpret_cast<BulkCopies *>(sortsmith_shared + kBytes);
    const unsigned t = threadIdx.x;
    if (t == 0) {
        if (F == Bulk::kNoInitFence)
            init_barrier(reinterpret_cast<uint64_t *>(&copies.barrier), __FILE__, __LINE__);
        else
            copies.prepare();
    }
    unsigned sum = 0;
    for (unsigned round = 0; round < 2; ++round) {
        if (t == 0) {
            BulkCopies::prefetch(in + round * kTile, F == Bulk::kPrefetchBeyond ? kBytes + 4 : kBytes);
            const unsigned announced = F == Bulk::kFewerAnnounced ? kBytes - 16 : F == Bulk::kMoreAnnounced ? kBytes + 16 : kBytes;
            copies.begin(announced);
            copies.copy(tile, in + round * kTile, kBytes / 2);
            copies.copy(tile + kTile / 2 + (F == Bulk::kMisaligned ? 1 : 0), in + round * kTile + kTile / 2,
                        F == Bulk::kOddSize ? kBytes / 2 - 8 : kBytes / 2);
        }
        if (F != Bulk::kNoBarrierAfterInit) __syncthreads();
        if (F == Bulk::kOverwrittenBarrier && t == 1) copies.barrier = 7;
        if (F != Bulk::kNoThreadWaits && !(F == Bulk::kNoWait && t >= 32)) copies.wait(F == Bulk::kWrongRound ? round + 1 : round);
        for (unsigned i = 0; i < 4; ++i) sum += tile[i * kThreads + t];
        if (F == Bulk::kFenceBeforeStores) BulkCopies::release_stores();
        if (F == Bulk::kNoBarrierAfterFence) __syncthreads();
        // The item that a neighbour has read.
        __syncthreads();
        for (unsigned i = 0; i < 4; ++i) tile[i * kThreads + (t + 1) % kThreads] = sum;
        if (F != Bulk::kNoProxyFence && F != Bulk::kFenceBeforeStores) BulkCopies::release_stores();
        if (F != Bulk::kNoBarrierAfterFence) __syncthreads();
    }
    out[t] = sum;
}

template <Bulk F> void test_bulk_copy(const char *what, const char *expected, By by = By::kOutcome) {
    expect(by, what, expected, [](uint64_t seed) -> std::string {
        Guarded<unsigned> in("in", 512, seed), out("out", 64, seed + 1);
        in.make_read_only();
        const Report r = run(launch(64, seed), [&] { sum_tiles<F>(in.get(), out.get()); });
        if (!r.ok) return r.message;
        for (unsigned t = 0; t < 64; ++t) {
            unsigned sum = 0;
            for (unsigned i = 0; i < 8; ++i) sum += in[i * 64 + t];
            if (out[t] != sum) return kWrong;
        }
        return "";
    });
}

void test_bulk() {
    test_bulk_copy<Bulk::kRight>("bulk copies, fenced and waited for", nullptr, By::kNothing);
    test_bulk_copy<Bulk::kFewerAnnounced>("fewer bytes announced than copied", nullptr);
    test_bulk_copy<Bulk::kMoreAnnounced>("more bytes announced than copied", "more than were copied");
    test_bulk_copy<Bulk::kOddSize>("a bulk copy of no multiple of 16 bytes", "no multiple of 16");
    test_bulk_copy<Bulk::kMisaligned>("a bulk copy to a misaligned address", "is not aligned to 16 bytes");
    test_bulk_copy<Bulk::kNoInitFence>("an mbarrier without a fence of its initialisation", "without a fence after its initialisation");
    test_bulk_copy<Bulk::kNoWait>("a warp that does not wait for a bulk copy", nullptr);
    test_bulk_copy<Bulk::kNoThreadWaits>("a bulk copy without a wait", nullptr);
    test_bulk_copy<Bulk::kNoBarrierAfterInit>("no barrier behind an mbarrier's initialisation", nullptr);
    test_bulk_copy<Bulk::kNoProxyFence>("stores without a proxy fence before a bulk copy", "without a fence since", By::kRaces);
    test_bulk_copy<Bulk::kFenceBeforeStores>("a proxy fence before the stores", "without a fence since", By::kRaces);
    test_bulk_copy<Bulk::kNoBarrierAfterFence>("no barrier between proxy fence and bulk copy", nullptr, By::kRaces);
    test_bulk_copy<Bulk::kWrongRound>("a wait for the wrong round", nullptr);
    test_bulk_copy<Bulk::kOverwrittenBarrier>("an mbarrier that is overwritten", "was overwritten");
    test_bulk_copy<Bulk::kPrefetchBeyond>("a prefetch beyond an array", "is not within an array");
}

// -------------------------------------------------------------------------------------------------
// Programmatic launches: three kernels, of which the second and the third begin early.

enum class Grid { kRight, kOneThreadWaits, kReadsEarly, kWritesEarly, kMiddleDoesNotWait, kOneThreadWaitsNoBarrier, kLastBlockReadsEarly };

template <Grid F> std::string run_grids(uint64_t seed) {
    constexpr unsigned kBlocks = 5, kThreads = 48, n = kBlocks * kThreads;
    Guarded<unsigned> in("in", n, seed), a("a", n, seed + 1), b("b", n, seed + 2), c("c", n, seed + 3);
    in.make_read_only();
    Stream stream({&a, &b, &c});
    std::string message;
    const auto enqueue = [&](unsigned number, auto kernel) {
        if (!message.empty()) return;
        Launch l = launch(kThreads, seed + 6 * number, kBlocks);
        l.os_threads = unsigned(seed % 3) + 1;
        l.is_early = number > 0;
        l.stream = &stream;
        const Report r = run(l, kernel);
        if (!r.ok) message = r.message;
    };
    const auto index = [] { return blockIdx.x * kThreads + threadIdx.x; };
    enqueue(0, [&] {
        wait_for_previous_grid();
        let_next_grid_start();
        __syncthreads();
        a[index()] = in[index()] + 1;
    });
    enqueue(1, [&] {
        const unsigned i = index();
        if (F == Grid::kMiddleDoesNotWait) return;
        unsigned early = in[i], before = c[i];  // were there before the first kernel
        if (F == Grid::kReadsEarly || (F == Grid::kLastBlockReadsEarly && blockIdx.x == kBlocks - 1)) early = a[i] - 1;
        if (F == Grid::kWritesEarly) b[i] = 1;
        if (F == Grid::kOneThreadWaits || F == Grid::kOneThreadWaitsNoBarrier) {
            if (threadIdx.x == 7) wait_for_previous_grid();
            if (F == Grid::kOneThreadWaits) __syncthreads();
        } else {
            wait_for_previous_grid();
        }
        b[i] = a[i] + early;
        if (before != c[i]) b[i] = 0;
    });
    enqueue(2, [&] {
        wait_for_previous_grid();
        c[index()] = b[index()] + a[index()];
    });
    if (!message.empty()) return message;
    for (unsigned i = 0; i < n; ++i)
        if (c[i] != 3 * in[i] + 2) return kWrong;
    return "";
}

void test_grids() {
    const char *const kEarly = "before wait_for_previous_grid";
    expect(By::kNothing, "early grids that wait", nullptr, run_grids<Grid::kRight>);
    expect(By::kNothing, "one thread waits, and the others at a barrier", nullptr, run_grids<Grid::kOneThreadWaits>);
    expect(By::kOutcome, "a read before the wait", kEarly, run_grids<Grid::kReadsEarly>);
    expect(By::kOutcome, "a read before the wait, by one block", kEarly, run_grids<Grid::kLastBlockReadsEarly>);
    expect(By::kOutcome, "a write before the wait", kEarly, run_grids<Grid::kWritesEarly>);
    expect(By::kOutcome, "one thread waits, and the others do not", kEarly, run_grids<Grid::kOneThreadWaitsNoBarrier>);
    expect(By::kOutcome, "a grid that does not wait between two others", "tells nothing of those before it", run_grids<Grid::kMiddleDoesNotWait>);
}

enum class Source { kFenced, kInput, kNotFenced, kFencedBeforeWait };

// An early grid copies in bulk the stores of the one before it.
template <Source F> std::string run_source(uint64_t seed) {
    constexpr unsigned n = 64;
    Guarded<unsigned> in("in", n, seed), a("a", n, seed + 1), b("b", n, seed + 2), unwritten("unwritten", n, seed);
    in.make_read_only();
    Stream stream({&a, &b, &unwritten});
    Launch l = launch(n, seed);
    l.stream = &stream;
    const Report first = run(l, [&] { a[threadIdx.x] = in[threadIdx.x]; });
    if (!first.ok) return first.message;
    l.is_early = true;
    const Report second = run(l, [&] {
        unsigned *const tile = reinterpret_cast<unsigned *>(sortsmith_shared);
        BulkCopies &copies = *reinterpret_cast<BulkCopies *>(sortsmith_shared + 4 * n);
        if (threadIdx.x == 0 && F == Source::kFencedBeforeWait) BulkCopies::acquire_stores();
        wait_for_previous_grid();
        if (threadIdx.x == 0) {
            copies.prepare();
            if (F == Source::kFenced) BulkCopies::acquire_stores();
            copies.begin(4 * n);
            copies.copy(tile, F == Source::kInput ? unwritten.get() : a.get(), 4 * n);
        }
        __syncthreads();
        copies.wait(0);
        b[threadIdx.x] = tile[threadIdx.x];
    });
    if (!second.ok) return second.message;
    for (unsigned i = 0; i < n; ++i)
        if (b[i] != in[i]) return kWrong;
    return "";
}

void test_sources() {
    const char *const kUnfenced = "has not fenced global memory";
    expect(By::kNothing, "a bulk copy of what an earlier grid stored, fenced", nullptr, run_source<Source::kFenced>);
    expect(By::kNothing, "a bulk copy of what no grid writes", nullptr, run_source<Source::kInput>);
    expect(By::kOutcome, "a bulk copy of what an earlier grid stored", kUnfenced, run_source<Source::kNotFenced>);
    expect(By::kOutcome, "the same, fenced before the wait", kUnfenced, run_source<Source::kFencedBeforeWait>);
}

// -------------------------------------------------------------------------------------------------
// Relaxed words: one block publishes a number and then that it is there; the others look for it.

enum class Publishing { kOneWord, kFenced, kTwoWords, kOneCount, kFencedCounts, kTwoCounts };

constexpr bool counts(Publishing how) { return how >= Publishing::kOneCount; }
constexpr bool is_fenced(Publishing how) { return how == Publishing::kFenced || how == Publishing::kFencedCounts; }

// A word that was 0.
template <Publishing F> void set(unsigned *word, unsigned value) {
    if (counts(F))
        atomicAdd(word, value);
    else
        publish(word, value);
}

template <Publishing F> std::string run_words(uint64_t seed) {
    constexpr unsigned kPairs = 64;
    Guarded<unsigned> numbers("numbers", kPairs), flags("flags", kPairs);
    memset(numbers.data(), 0, kPairs * sizeof(unsigned));
    memset(flags.data(), 0, kPairs * sizeof(unsigned));
    Launch l = launch(kPairs, seed, 3);
    l.os_threads = 3;
    bool wrong = false;
    const Report r = run(l, [&] {
        const unsigned t = threadIdx.x;
        if (blockIdx.x == 0) {
            set<F>(&numbers[t], 5 + t);
            if (is_fenced(F)) __threadfence();
            set<F>(&flags[t], 1u);
            return;
        }
        if (F == Publishing::kOneWord || F == Publishing::kOneCount) {
            unsigned number, last = 0;
            while ((number = poll(&numbers[t])) == 0) {
            }
            // A value that was seen stays visible.
            for (int i = 0; i < 4; ++i) wrong |= (last = poll(&numbers[t])) != number;
            // So does one that an atomic operation has seen and left.
            wrong |= counts(F) && (atomicCAS(&flags[t], 2u, 3u) > poll(&flags[t]));
            wrong |= last != 5 + t;
            return;
        }
        while (poll(&flags[t]) == 0) {
        }
        if (is_fenced(F)) __threadfence();
        wrong |= poll(&numbers[t]) != 5 + t;
    });
    return !r.ok ? r.message : wrong ? kWrong : "";
}

// Two words, and two blocks that look for one of them each: whether one has seen the first word alone, and the other the second one alone.
bool is_seen_in_both_orders(uint64_t seed) {
    constexpr unsigned kPairs = 64;
    Guarded<unsigned> words("words", 2 * kPairs);
    memset(words.data(), 0, 2 * kPairs * sizeof(unsigned));
    Launch l = launch(kPairs, seed, 3);
    l.os_threads = 3;
    bool sees_one[2][kPairs] = {};
    const Report r = run(l, [&] {
        const unsigned t = threadIdx.x, reader = blockIdx.x - 1;
        unsigned *const own = &words[2 * t + reader % 2], *const other = &words[2 * t + (reader + 1) % 2];
        if (blockIdx.x == 0) {
            publish(&words[2 * t], 1u);
            publish(&words[2 * t + 1], 1u);
            return;
        }
        while (poll(own) == 0) {
        }
        sees_one[reader][t] = poll(other) == 0;
    });
    if (!r.ok) {
        printf("FAILED: %s\n", r.message);
        ++failures;
    }
    bool found = false;
    for (unsigned t = 0; t < kPairs; ++t) found |= sees_one[0][t] && sees_one[1][t];
    return found;
}

void test_orders() {
    detects = false;
    int found = 0;
    for (int seed = 0; seed < kSeeds; ++seed) found += is_seen_in_both_orders(uint64_t(seed));
    printf("  two words are seen in both orders under %d of %d seeds\n", found, kSeeds);
    failures += found < kSeeds / 10;
}

void test_words() {
    expect(By::kNothing, "a number and its flag are one word", nullptr, run_words<Publishing::kOneWord>);
    expect(By::kNothing, "a number, fences, and a flag", nullptr, run_words<Publishing::kFenced>);
    expect(By::kOutcome, "a number and then a flag, without fences", kWrong, run_words<Publishing::kTwoWords>);
    expect(By::kNothing, "a number is counted up at once", nullptr, run_words<Publishing::kOneCount>);
    expect(By::kNothing, "a number, fences, and a flag, by atomic additions", nullptr, run_words<Publishing::kFencedCounts>);
    expect(By::kOutcome, "a number and then a flag, by atomic additions without fences", kWrong, run_words<Publishing::kTwoCounts>);
}

}  // namespace

int main() {
    test_copies();
    test_bulk();
    test_grids();
    test_sources();
    test_words();
    test_orders();
    printf(failures ? "%d failures\n" : "all good\n", failures);
    return failures != 0;
}
