// Tests of the protocol, against the selftest with --serve; included by selftest.cpp alone.
#pragma once

namespace {

struct Server {
    FILE *to, *from;
    pid_t process;

    explicit Server(const char *program) {
        int down[2], up[2];
        if (pipe(down) || pipe(up)) abort();
        process = fork();
        if (process == 0) {
            dup2(down[0], 0);
            dup2(up[1], 1);
            for (int fd : {down[0], down[1], up[0], up[1]}) close(fd);
            execl(program, program, "--serve", (char *)nullptr);
            _exit(127);
        }
        close(down[0]);
        close(up[1]);
        to = fdopen(down[1], "wb");
        from = fdopen(up[0], "rb");
    }
    int finish() {
        fclose(to);
        int status = 0;
        waitpid(process, &status, 0);
        fclose(from);
        return status;
    }
};

struct Answer {
    uint32_t status = 99;
    char message[4096] = "";
    std::vector<unsigned char> keys, values;
};

Answer ask(Server &server, emulator::Request r, const std::vector<unsigned char> &arrays, size_t key_bytes,
           size_t value_bytes) {
    Answer a;
    r.magic = emulator::kRequestMagic;
    fwrite(&r, 1, sizeof r, server.to);
    if (!arrays.empty()) fwrite(arrays.data(), 1, arrays.size(), server.to);
    fflush(server.to);
    uint32_t header[3];
    if (fread(header, 1, sizeof header, server.from) != sizeof header || header[0] != emulator::kResponseMagic ||
        header[2] >= sizeof a.message || fread(a.message, 1, header[2], server.from) != header[2])
        return a;
    a.message[header[2]] = 0;
    a.status = header[1];
    if (a.status) return a;
    a.keys.resize(r.n * key_bytes);
    a.values.resize(r.n * value_bytes);
    if (fread(a.keys.data(), 1, a.keys.size(), server.from) != a.keys.size() ||
        fread(a.values.data(), 1, a.values.size(), server.from) != a.values.size())
        a.status = 98;
    return a;
}

// A stable sort of (key, value) by bits of the key.
template <class K, class V>
void sort_pairs(std::vector<std::pair<K, V>> &pairs, size_t first, size_t last, int begin, int end) {
    auto digit = [&](K k) { return uint64_t(k) >> begin & ((1ull << (end - begin)) - 1); };
    for (size_t i = first + 1; i < last; ++i)
        for (size_t j = i; j > first && digit(pairs[j].first) < digit(pairs[j - 1].first); --j)
            std::swap(pairs[j], pairs[j - 1]);
}

template <class K, class V>
bool ask_and_compare(Server &server, uint32_t spec, uint32_t entry, uint32_t flags, uint32_t begin, uint32_t end,
                     size_t n, uint64_t seed, size_t tile, bool index, Answer &a) {
    std::vector<unsigned char> arrays(n * (sizeof(K) + (index ? 0 : sizeof(V))));
    emulator::fill_junk(arrays.data(), arrays.size(), seed);
    std::vector<std::pair<K, V>> pairs(n);
    for (size_t i = 0; i < n; ++i) {
        memcpy(&pairs[i].first, &arrays[i * sizeof(K)], sizeof(K));
        if (index)
            pairs[i].second = V(i % tile);
        else
            memcpy(&pairs[i].second, &arrays[n * sizeof(K) + i * sizeof(V)], sizeof(V));
    }
    a = ask(server, {0, spec, entry, begin, end, flags, n, seed, 0, 0, 0, 0, 0, 0, 0}, arrays, sizeof(K), sizeof(V));
    if (a.status) return false;
    for (size_t t = 0; t < n; t += tile) sort_pairs(pairs, t, t + tile < n ? t + tile : n, int(begin), int(end));
    bool same = true;
    for (size_t i = 0; i < n; ++i)
        same &= !memcmp(&pairs[i].first, &a.keys[i * sizeof(K)], sizeof(K)) &&
                !memcmp(&pairs[i].second, &a.values[i * sizeof(V)], sizeof(V));
    return same;
}

void test_protocol(const char *program) {
    using namespace emulator;
    Server server(program);
    Answer a;
    auto pairs = [&](uint32_t entry, uint32_t flags, uint32_t begin, uint32_t end, size_t n, uint64_t seed) {
        return ask_and_compare<unsigned, unsigned short>(server, 0, entry, flags, begin, end, n, seed, 150, false, a);
    };
    auto index = [&](uint32_t spec, uint32_t flags, size_t n, uint64_t seed) {
        return ask_and_compare<unsigned char, unsigned>(server, spec, kSort, flags, 0, 8, n, seed, 128, true, a);
    };
    for (uint64_t seed = 0; seed < 12; ++seed) {
        check(pairs(kSort, 0, 0, 32, 150, seed), "Sort", a.message);
        check(pairs(kSort, kPassValid, 0, 32, seed * 13, seed), "Sort with valid items", a.message);
        check(pairs(kSort, kPassBits, 3, 9, 150, seed), "Sort with bits", a.message);
        check(pairs(kSort, kPassBits | kPassValid, 3, 4, 77, seed), "Sort with bits and valid items", a.message);
        check(pairs(kSortToStriped, 0, 0, 32, 150, seed), "SortToStriped", a.message);
        check(pairs(kSortToStriped, kPassBits | kPassValid, 5, 7, 149, seed), "SortToStriped with all", a.message);
        check(pairs(kTileKernel, kPassBits, 8, 16, seed * 61, seed), "tile kernel", a.message);
        check(index(1, 0, 128, seed), "positions", a.message);
        check(index(1, kPassValid, 100, seed), "positions with valid items", a.message);
    }
    check(!pairs(kSortToStriped, kPassValid, 0, 32, 10, 0) && a.status == kRefused, "a missing member", a.message);
    check(!pairs(kSort, 0, 0, 32, 149, 0) && a.status == kRefused, "a short tile", a.message);
    check(!pairs(kSort, kPassBits, 0, 33, 150, 0) && a.status == kRefused, "bits past the key", a.message);
    check(!index(1, kPassBits, 128, 0) && a.status == kRefused, "bits of a fixed range", a.message);
    int caught = 0;
    for (uint64_t seed = 0; seed < kSeeds; ++seed) caught += !index(2, 0, 128, seed);
    printf("  %-40s caught under %d of %d seeds\n", "toy sort without a barrier, driven", caught, kSeeds);
    check(caught == kSeeds, "toy sort without a barrier");
    check(!index(3, 0, 128, 0) && a.status == kFault, "overrun of shared memory", a.message);
    printf("  overrun, driven: %s\n", a.message);
#if defined(__SANITIZE_ADDRESS__)
    check(server.finish() != 0, "the sanitizer ends the server");
#else
    check(index(1, 0, 128, 0), "a request after a fault", a.message);
    check(server.finish() == 0, "the server ends well");
#endif
}

}  // namespace
