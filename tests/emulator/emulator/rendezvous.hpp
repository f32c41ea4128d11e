// The results of barriers and warp intrinsics, computed by the last thread to arrive; used by emulator.cpp alone.
#pragma once

#include "dispatch.hpp"

namespace emulator {
namespace {

void wait_at(Fiber &f, Kind kind, unsigned mask, const char *file, int line) {
    f.kind = kind;
    f.mask = mask;
    f.file = file;
    f.line = line;
}

uint64_t junk(Block &b) { return b.random.next(); }

uint64_t shuffled(Block &b, Warp &w, Kind kind, unsigned lane, unsigned members) {
    unsigned argument = w.argument[lane];
    unsigned width = w.width[lane];
    unsigned first = lane & ~(width - 1);
    unsigned source = lane;
    switch (kind) {
        case Kind::kShuffle:
            source = first + (argument & (width - 1));
            break;
        case Kind::kShuffleUp:
            // The hardware takes five bits of a distance.
            if (lane - first >= (argument & 31)) source = lane - (argument & 31);
            break;
        case Kind::kShuffleDown:
            if (lane + (argument & 31) < first + width) source = lane + (argument & 31);
            break;
        default:
            if ((lane ^ (argument & 31)) < first + width) source = lane ^ (argument & 31);
            break;
    }
    // The value of a lane that does not take part is undefined.
    return members >> source & 1 ? w.value[source] : junk(b);
}

// What a reduction gives the `members`.
unsigned reduced(const Warp &w, Kind kind, unsigned members) {
    unsigned sum = unsigned(w.value[__builtin_ctz(members)]);
    for (unsigned rest = members & (members - 1); rest; rest &= rest - 1) {
        unsigned x = unsigned(w.value[__builtin_ctz(rest)]);
        switch (kind) {
            case Kind::kReduceAdd: sum += x; break;
            case Kind::kReduceMin: sum = min(sum, x); break;
            case Kind::kReduceMax: sum = max(sum, x); break;
            case Kind::kReduceMinSigned: sum = unsigned(min(int(sum), int(x))); break;
            case Kind::kReduceMaxSigned: sum = unsigned(max(int(sum), int(x))); break;
            case Kind::kReduceAnd: sum &= x; break;
            case Kind::kReduceOr: sum |= x; break;
            default: sum ^= x; break;
        }
    }
    return sum;
}

// Sets the results of `members`, which all wait for `kind`.
void complete(Block &b, Warp &w, Kind kind, unsigned members) {
    uint64_t all = 0;
    unsigned leader = unsigned(__builtin_ctz(members));
    switch (kind) {
        case Kind::kSyncWarp:
            return;
        case Kind::kBallot:
        case Kind::kAny:
        case Kind::kAll:
            for (unsigned rest = members; rest; rest &= rest - 1) {
                unsigned lane = unsigned(__builtin_ctz(rest));
                all |= w.value[lane] << lane;
            }
            if (kind == Kind::kAny) all = all != 0;
            if (kind == Kind::kAll) all = all == members;
            break;
        case Kind::kShuffle:
        case Kind::kShuffleUp:
        case Kind::kShuffleDown:
        case Kind::kShuffleXor:
            for (unsigned rest = members; rest; rest &= rest - 1) {
                unsigned lane = unsigned(__builtin_ctz(rest));
                w.result[lane] = shuffled(b, w, kind, lane, members);
            }
            return;
        case Kind::kMatchAny:
            for (unsigned rest = members; rest;) {
                uint64_t value = w.value[__builtin_ctz(rest)];
                unsigned same = 0;
                for (unsigned others = rest; others; others &= others - 1) {
                    unsigned lane = unsigned(__builtin_ctz(others));
                    if (w.value[lane] == value) same |= 1u << lane;
                }
                rest &= ~same;
                for (unsigned peers = same; peers; peers &= peers - 1) w.result[__builtin_ctz(peers)] = same;
            }
            return;
        case Kind::kMatchAll:
            all = members;
            for (unsigned rest = members; rest; rest &= rest - 1)
                if (w.value[__builtin_ctz(rest)] != w.value[leader]) all = 0;
            break;
        default: all = reduced(w, kind, members);
    }
    for (unsigned rest = members; rest; rest &= rest - 1) w.result[__builtin_ctz(rest)] = all;
}

// Lets another block continue, perhaps; returns the scheduler's answer. A signal must not abandon the block while it holds the lock.
bool reschedule(Block &b, bool (BlockScheduler::*how)(unsigned worker)) {
    b.switching = true;
    const bool goes_on = (b.run->scheduler->*how)(b.worker);
    b.switching = false;
    return goes_on;
}

Block &block_of_caller() {
    if (!current) {
        fprintf(stderr, "emulator: a barrier or a warp intrinsic was called outside a kernel\n");
        abort();
    }
    return *current;
}

bool same_location(const char *file, int line, const char *other_file, int other_line) {
    return line == other_line && (file == other_file || !strcmp(file, other_file));
}

}  // namespace
}  // namespace emulator
