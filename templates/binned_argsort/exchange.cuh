  // What the exchange begins with:
  //
  //   | words of the launch before: 32 bits | 15 bits | is odd: 1 bit | blocks that have begun: 16 bits |
  struct LaunchState {
    unsigned long long word;
    static constexpr unsigned int kOdd = 1u << 16;

    // That of the next launch, before its first block begins.
    __device__ __forceinline__ LaunchState next(unsigned int used_words) const {
      return {static_cast<unsigned long long>(used_words) << 32 | (~word & kOdd)};
    }
    __device__ __forceinline__ unsigned long long begun() const { return word & (kOdd - 1); }
    __device__ __forceinline__ bool is_odd() const { return (word & kOdd) != 0; }
    __device__ __forceinline__ unsigned int words_before() const { return static_cast<unsigned int>(word >> 32); }
  };

  // A word that blocks publish: how many have, and numbers below.
  //
  //   | published: 8 bits | numbers: 56 bits |
  struct PublishedWord {
    unsigned long long word;
    static constexpr unsigned int kPublishedShift = 56;
    static constexpr unsigned long long kOne = 1ull << kPublishedShift;

    __device__ __forceinline__ unsigned long long published() const { return word >> kPublishedShift; }
    __device__ __forceinline__ unsigned long long numbers() const { return word & (kOne - 1); }
  };

  // A group's word, with sums of the counts of two slots:
  //
  //   | published: 8 bits | of the slot above: 28 bits | of the slot below: 28 bits |
  struct TwoSums {
    unsigned long long word;
    static constexpr unsigned int kSlots = 2;
    static constexpr unsigned int kBits = 28;

    // What one chunk adds.
    static __device__ __forceinline__ TwoSums pack_one(unsigned long long below, unsigned long long above) {
      return {PublishedWord::kOne | above << kBits | below};
    }
    // Of the numbers alone, without how many have published them.
    __device__ __forceinline__ unsigned int below() const { return static_cast<unsigned int>(word) & ((1u << kBits) - 1); }
    __device__ __forceinline__ unsigned int above() const { return static_cast<unsigned int>(word >> kBits); }
  };

  // A chunk's word, with the counts of four slots:
  //
  //   | published: 8 bits | slot 3: 14 bits | slot 2: 14 bits | slot 1: 14 bits | slot 0: 14 bits |
  struct FourCounts {
    unsigned long long word;
    static constexpr unsigned int kSlots = 4;
    static constexpr unsigned int kBits = 14;
    static constexpr unsigned long long kTwoCounts = (1ull << kBits) - 1 | ((1ull << kBits) - 1) << TwoSums::kBits;

    static __device__ __forceinline__ FourCounts pack_one(const unsigned long long (&counts)[kSlots]) {
      const unsigned long long low = counts[1] << kBits | counts[0];
      const unsigned long long high = counts[3] << kBits | counts[2];
      return {PublishedWord::kOne | high << 2 * kBits | low};
    }
    // The counts of slots 0 and 2, and those of slots 1 and 3, as TwoSums has them.
    __device__ __forceinline__ unsigned long long of_even_slots() const { return word & kTwoCounts; }
    __device__ __forceinline__ unsigned long long of_odd_slots() const { return word >> kBits & kTwoCounts; }
  };

  static constexpr unsigned int kStateWords = 16;
  // Words of a block and of a group.
  static constexpr unsigned int kCountWords = kChunkCounts / FourCounts::kSlots;
  static constexpr unsigned int kSumWords = kChunkCounts / TwoSums::kSlots;

  // Words of a launch.
  static __device__ __forceinline__ unsigned int used_words(const Exchange& exchange) {
    return gridDim.y * (gridDim.x * kCountWords + exchange.groups() * kSumWords);
  }

  // Notes the state, for all threads behind the next barrier. The last block to begin leaves that of the next launch.
  __device__ __forceinline__ void begin_launch(const Exchange& exchange, LaunchState state) {
    if (state.begun() == gridDim.x * gridDim.y - 1) {  //~ last-to-begin
      const unsigned long long next = state.next(used_words(exchange)).word;
      const unsigned long long begun = state.word + 1;
      atomicAdd(exchange.words, next - begun);  //~ state-of-next-launch
    }
    storage_.words_before = state.words_before();
    storage_.is_odd = state.is_odd();
  }

  // The words of this launch, or of the one before.
  __device__ __forceinline__ unsigned long long* words_of(const Exchange& exchange, bool is_before) const {
    return exchange.words + kStateWords + ((storage_.is_odd != 0) != is_before ? exchange.capacity : 0);
  }

  __device__ __forceinline__ void clear_launch_before(const Exchange& exchange) {
    unsigned long long* const words = words_of(exchange, true);
    const unsigned int used = storage_.words_before;
    const unsigned int block = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned int blocks = gridDim.y * gridDim.x;
    for (unsigned int i = block * kBlockThreads + thread_; i < used; i += blocks * kBlockThreads) words[i] = 0;  //~ clear-before
  }

  // The words of the first chunk of the block's row, and of its first group.
  __device__ __forceinline__ unsigned long long* counts_of_row(const Exchange& exchange) const {
    return words_of(exchange, false) + blockIdx.y * (gridDim.x * kCountWords + exchange.groups() * kSumWords);
  }
  __device__ __forceinline__ unsigned long long* sums_of_row(const Exchange& exchange) const {
    return counts_of_row(exchange) + gridDim.x * kCountWords;
  }

  // As many threads as the full warps have that hold these.
  static __host__ __device__ constexpr unsigned int threads_of_full_warps(unsigned int threads) {
    return (threads + kWarpThreads - 1) / kWarpThreads * kWarpThreads;
  }

  // Publishes the number of the tile's items in the thread's slot.
  __device__ __forceinline__ void publish_count(const Exchange& exchange, unsigned int count) {
    if (thread_ >= threads_of_full_warps(kChunkCounts)) return;
    unsigned long long counts[FourCounts::kSlots] = {count};
#pragma unroll
    for (unsigned int i = 1; i < FourCounts::kSlots; ++i) counts[i] = __shfl_down_sync(~0u, count, i);
    if (thread_ % FourCounts::kSlots != 0 || thread_ >= kChunkCounts) return;
    unsigned long long* const sums = sums_of_row(exchange) + exchange.group_of(blockIdx.x) * kSumWords + thread_ / TwoSums::kSlots;
    atomicAdd(&sums[0], TwoSums::pack_one(counts[0], counts[1]).word);
    atomicAdd(&sums[1], TwoSums::pack_one(counts[2], counts[3]).word);
    publish(&counts_of_row(exchange)[blockIdx.x * kCountWords + thread_ / FourCounts::kSlots], FourCounts::pack_one(counts).word);
  }

  // Polls rows of words, of which some threads have one of each; `wanted(row)` blocks have published the row's words when they are
  // complete, and their numbers go to `add(row, numbers)`. Says whether all are, and does not wait for ever.
  template <unsigned int kRowWords, unsigned int kThreads, typename Wanted, typename Add>
  static __device__ __forceinline__ bool poll_rows(const unsigned long long* first, unsigned int thread, unsigned int rows,
                                                   unsigned int polls, const Wanted& wanted, const Add& add) {
    constexpr unsigned int kRowsAtOnce = kThreads / kRowWords;
    static_assert(kRowsAtOnce > 0, "a thread for each word");
    // Words of a thread that are on their way at a time.
    constexpr unsigned int kPolled = 5;
    if (thread / kRowWords >= kRowsAtOnce) return true;
    for (unsigned int start = thread / kRowWords; start < rows; start += kRowsAtOnce * kPolled) {
      PublishedWord words[kPolled] = {};
      for (unsigned int left = polls;; --left) {
        bool are_ready = true;
#pragma unroll
        for (unsigned int i = 0; i < kPolled; ++i) {
          const unsigned int row = start + i * kRowsAtOnce;
          if (row < rows && words[i].published() != wanted(row)) words[i] = {poll(&first[row * kRowWords + thread % kRowWords])};
        }
#pragma unroll
        for (unsigned int i = 0; i < kPolled; ++i) {
          const unsigned int row = start + i * kRowsAtOnce;
          are_ready &= row >= rows || words[i].published() == wanted(row);  //~ ready-words
        }
        if (are_ready) break;
        if (left == 0) return false;  //~ polled-too-often
      }
#pragma unroll
      for (unsigned int i = 0; i < kPolled; ++i) {
        const unsigned int row = start + i * kRowsAtOnce;
        if (row < rows) add(row, words[i].numbers());
      }
    }
    return true;
  }

  // Adds up the counts of the row's chunks, and of those before this block's: of groups, and of the chunks before it in its group. Says
  // whether all were published in time.
  __device__ __forceinline__ bool add_published_counts(const Exchange& exchange) {
    // Groups are polled by some warps, and chunks by the others.
    constexpr unsigned int kSumsAtOnce = kBlockThreads * 9 / 16 / kSumWords;
    constexpr unsigned int kLeast = (kSumsAtOnce == 0 ? 1 : kSumsAtOnce) * kSumWords;
    constexpr unsigned int kOfFullWarps = threads_of_full_warps(kLeast);
    constexpr unsigned int kSumThreads = kOfFullWarps + kCountWords <= kBlockThreads ? kOfFullWarps : kLeast;
    const unsigned int own_group = exchange.group_of(blockIdx.x);
    const unsigned int first_of_group = own_group << exchange.group_bits;
    if (thread_ < kSumThreads) {
      unsigned long long all = 0;
      unsigned long long before = 0;
      const auto wanted = [&](unsigned int group) {
        const unsigned int chunks = gridDim.x - (group << exchange.group_bits);
        return chunks < 1u << exchange.group_bits ? chunks : 1u << exchange.group_bits;  //~ last-group
      };
      const auto add = [&](unsigned int group, unsigned long long sums) {
        all += sums;
        before += group < own_group ? sums : 0;  //~ groups-before
      };
      const bool is_complete =
          poll_rows<kSumWords, kSumThreads>(sums_of_row(exchange), thread_, exchange.groups(), exchange.polls, wanted, add);
      const unsigned int slot = thread_ % kSumWords * TwoSums::kSlots;
      add_two_counts(storage_.row_counts, slot, slot + 1, TwoSums{all});
      if (own_group > 0) add_two_counts(storage_.counts_before, slot, slot + 1, TwoSums{before});
      return is_complete;
    }
    const unsigned int thread = thread_ - kSumThreads;
    unsigned long long even = 0;
    unsigned long long odd = 0;
    const auto add = [&](unsigned int, unsigned long long numbers) {
      const FourCounts counts{numbers};
      even += counts.of_even_slots();
      odd += counts.of_odd_slots();
    };
    const bool is_complete = poll_rows<kCountWords, kBlockThreads - kSumThreads>(
        counts_of_row(exchange) + first_of_group * kCountWords, thread, blockIdx.x - first_of_group, exchange.polls,
        [](unsigned int) { return 1u; }, add);
    const unsigned int slot = thread % kCountWords * FourCounts::kSlots;
    add_two_counts(storage_.counts_before, slot, slot + 2, TwoSums{even});
    add_two_counts(storage_.counts_before, slot + 1, slot + 3, TwoSums{odd});
    return is_complete;
  }

  // Adds the two sums of a word.
  static __device__ __forceinline__ void add_two_counts(unsigned int* counts, unsigned int below, unsigned int above, TwoSums sums) {
    atomicAdd(&counts[count_slot(below)], sums.below());
    atomicAdd(&counts[count_slot(above)], sums.above());
  }

  // Counts the row, and the chunks before this block's, where other blocks wait for room on the device. The counts may be read behind its
  // last barrier.
  __device__ __forceinline__ void count_row_alone(const Row& row, const Chunks& split) {
    clear_counts();
    __syncthreads();
    count_columns(row, 0, split.begin(row));
    __syncthreads();
    if (thread_ < kChunkCounts) storage_.counts_before[thread_] = storage_.row_counts[thread_];
    __syncthreads();
    count_columns(row, split.begin(row), row.columns);
    __syncthreads();
  }
