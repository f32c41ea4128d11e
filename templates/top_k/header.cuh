{% extends "fragments/file.cuh" %}

{% block summary %}the first k keys of each row of a matrix, {{ found.title }}.
// Of equal keys those at the lowest positions are found. k is at most {{ max_k }} and at most the columns.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
//
//   limit      the worst of k keys that are known, or a worse key
//   survivor   an item that is not worse than the limit
//   chunk      neighbouring columns of a long row, which are one block's
//   candidate  one of the first k items of a chunk, or of a group of chunks or columns
//
// A block reads its row once, tile after tile, the next one's keys while it looks at this one's, and appends the survivors to a buffer in shared memory, in the order of
// their positions. When the buffer might overflow, a radix select of the buffered keys keeps the first k items, and the
// last of these is the new limit: later items equal to it are at higher positions, so they are no survivors. The first
// limit of a long row is that of a sample of its keys, so that rows in ascending order have few survivors, too. Where fewer than
// k survive it, the row is read once more, with a worse limit.
//
// A long row may be split into chunks, for a block each; a second launch finds the first k of the chunks' candidates, or those of groups of
// them, and a third one those of the groups'.
// The host's launches, for outputs of k items a row, row after row:
//
//   {{ base.name }}_rows<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, keys_out, positions_out, rows, columns, stride, 1, k, sorted{{ found.arguments }});
//
// or, with chunks of at least k columns and room for rows * chunks * k candidates:
//
//   {{ base.name }}_rows<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, nullptr, candidates, rows, columns, stride, chunks, k, false{{ found.none }});
//   {{ base.name }}_candidates<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, candidates, keys_out, positions_out, rows, chunks * k, stride, 1, k, sorted{{ found.arguments }});
//
// or, with groups of at least k candidates and room for rows * groups * k of them, in place of the last launch:
//
//   {{ base.name }}_candidates<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, candidates, nullptr, of_groups, rows, chunks * k, stride, groups, k, false{{ found.none }});
//   {{ base.name }}_candidates<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, of_groups, keys_out, positions_out, rows, groups * k, stride, 1, k, sorted{{ found.arguments }});
//
// or, for long rows of at least {{ 2 * threads * items }} columns, at most 256 chunks, groups of at least k columns and no more of them than rankers:
//
//   {{ base.name }}_survivors<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, bits, survivors, counts, rows, columns, stride, chunks, k, rank);
//   {{ base.name }}_ranked<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, bits, survivors, counts, keys_out, positions_out, of_groups, rows, columns, stride, chunks, rankers, groups, k, sorted{{ found.arguments }});
//   {{ base.name }}_candidates<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, of_groups, keys_out, positions_out, rows, groups * k, stride, 1, k, true{{ found.arguments }});
//
// with room for rows * chunks * k bits (of type Bits), as many positions of survivors, rows * chunks counts and rows * groups * k candidates.
// All blocks of a row take their limit from the same sample of {{ 2 * threads * items }} of the row's items: the one of a rank that hardly any row has less than
// k items up to, so not many items survive, and the rank of one is the number of those
// that come before it. Where fewer than k survive, or more than a block has room for, groups of the row's columns are searched for k
// items each, and the last launch finds the first k of these. With several rankers results are sorted. With one ranker and one group
// there is no last launch, and no candidates: the block selects the row's survivors, or searches the row.
//
// or, for long rows of less than 2^32 columns, `blocks` of which each keeps the first of {{ threads * items }} sampled keys:
//
//   {{ base.name }}_samples<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>({{ samples_parameters.names }});
//   {{ base.name }}_filtered<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>({{ filtered_parameters.names }});
//   {{ base.name }}_listed<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>({{ listed_parameters.names }});
//   {{ base.name }}_candidates<<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(keys, of_groups, keys_out, positions_out, rows, groups * k, stride, 1, k, sorted{{ found.arguments }});
//
// with `samples` = blocks * kept, a rank below that, at most {{ 2 * threads * items }} of either `samples` or `room`, and room for rows * samples and rows * room bits
// and as many positions, rows counts and rows * groups * k candidates. The limit of a row is the sampled item of that rank, and what survives it is in one list
// for each row. Where fewer than k survive, or more than a list has room for, groups of the row's columns are searched as above.
//
// stride is the distance between the first keys of two rows. keys_out may be null. Without `sorted` the items come in
// the order of their positions.
{%- if found.is_more %}
//
// positions_out has positions of 32 bits, and values_out {% if found.is_read %}the values{% else %}those of 64 bits{% endif %}; either may be null.{% if found.is_read %} values has one for each key, at the
// same index.{% endif %}
// At positions in a row that are known, n of them, what belongs to them is written by
//
//   {{ base.name }}_found<<<any, {{ threads }}, 0, stream>>>({{ found_parameters.names }});
{%- endif %}
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  // Room for the items of a tile beside those of a tile that were there before it.
  static constexpr int kBufferItems = 2 * kTileItems;
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr unsigned int kMaxK = {{ max_k }};
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
  // In place of a row's first candidate, where the row's survivors were ranked.
  static constexpr unsigned int kNothingToDo = ~0u;

 private:
  static constexpr int kDigitBits = 8;
  static constexpr int kBins = 1 << kDigitBits;
  static constexpr int kWarps = kBlockThreads / kWarpThreads;
  // Whether registers have room for the keys of two tiles.
  static constexpr bool kLoadsAhead = kItemsPerThread <= 8;

 public:
{% include "top_k/key_vectors.cuh" %}

 private:

  // The bin of a digit that holds the last of k items, the items in the bins before it, and those in it.
  struct Selection {
    unsigned int bin, before, count;
  };

 public:
  struct TempStorage {
    // The buffer: compared bits and positions.
    Bits bits[kBufferItems];
    unsigned int positions[kBufferItems];
    unsigned int bin_counts[kBins];
    // Used alternately, so that one barrier for each use is enough: a thread writes one after all have read the other.
    unsigned int warp_totals[2][kWarps];
    Selection selection;
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // Items of a row: all columns, some neighbouring columns, or candidates, which are ascending positions.
  struct Items {
    const Key* keys;
    const unsigned int* candidates;
    unsigned long long begin, end;
  };
{%- if found.is_more %}

{% include "top_k/output.cuh" %}
{%- endif %}

  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x), lane_(lane_of(threadIdx.x)), count_(0), limit_(kAllBits), last_tie_(~0u), is_closed_(false), parity_(0) {}

{% include "top_k/find.cuh" %}

  // Writes the survivors of some columns of a row, at most the first k of them, in the order of their positions. All threads call it. The storage
  // may be used for other columns at once: a thread first writes bits that it has read itself.
  __device__ __forceinline__ void find_survivors(const Key* row, unsigned long long columns, unsigned long long begin,
                                                 unsigned long long end, unsigned int k, unsigned int rank, Bits* bits_out,
                                                 unsigned int* positions_out, unsigned int* count_out) {
    limit_by_row(row, columns, begin, rank);
    scan<false>({row, nullptr, begin, end}, k);
    __syncthreads();
    for (unsigned int slot = thread_; slot < count_; slot += kBlockThreads) {
      bits_out[slot] = storage_.bits[slot];
      positions_out[slot] = storage_.positions[slot];
    }
    if (thread_ == 0) *count_out = count_;
  }

{% include "top_k/rank.cuh" %}

{% include "top_k/samples.cuh" %}

{% include "top_k/filter.cuh" %}

{% include "top_k/list.cuh" %}

 private:
{% include "top_k/append.cuh" %}

{% include "top_k/count_beside.cuh" %}

{% include "top_k/select.cuh" %}

{% include "top_k/survivors.cuh" %}

{% include "top_k/sort.cuh" %}

{% include "top_k/sort_in_warp.cuh" %}

  TempStorage& storage_;
  const unsigned int thread_;
  const unsigned int lane_;
  // Items in the buffer.
  unsigned int count_;
  // The largest compared bits of a survivor.
  Bits limit_;
  // The last position at which an item with the limit's bits is a survivor of a list.
  unsigned int last_tie_;
  // Whether no later item can be a survivor.
  bool is_closed_;
  // Which of the two arrays of totals is next.
  unsigned int parity_;
{% endblock %}

{% block kernels %}
{%- let is_of_warps = false %}
{%- let resident_blocks = blocks %}

{% include "top_k/launch_bounds.cuh" %}
{{ base.name }}_rows({{ rows_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * chunks; number += gridDim.x) {  //~ next-chunk
    const unsigned long long chunk = number % chunks;
    const unsigned long long chunk_columns = columns / chunks;
    const unsigned long long begin = chunk * chunk_columns;
    const unsigned long long end = chunk + 1 == chunks ? columns : begin + chunk_columns;  //~ last-chunk
    const TopK::Items items = {keys + number / chunks * stride, nullptr, begin, end};
    TopK(storage).template find<false>(items, k, sorted, keys_out ? keys_out + number * k : nullptr,
                                       {% if found.is_more %}TopK::Output::of_row(number * k, positions_out, values_out{% if found.is_read %}, values + number / chunks * stride * TopK::kWords{% endif %}){% else %}positions_out + number * k{% endif %});
  }
}

{% include "top_k/launch_bounds.cuh" %}
{{ base.name }}_survivors({{ survivors_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * chunks; number += gridDim.x) {
    const unsigned long long chunk = number % chunks;
    const unsigned long long chunk_columns = columns / chunks;
    const unsigned long long begin = chunk * chunk_columns;
    const unsigned long long end = chunk + 1 == chunks ? columns : begin + chunk_columns;  //~ last-survivors
    TopK(storage).find_survivors(keys + number / chunks * stride, columns, begin, end, k, rank, bits_out + number * k,
                                 positions_out + number * k, counts_out + number);
  }
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ blocks_of_old }})
{{ base.name }}_ranked({{ ranked_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  // These have 32 bits, so that all variables stay in registers: the launch is for few rows.
  const unsigned int all_rankers = static_cast<unsigned int>(rows) * rankers;
  for (unsigned int number = blockIdx.x; number < all_rankers; number += gridDim.x) {  //~ next-ranker
    const unsigned int row = number / rankers;
    const unsigned int block = number % rankers;
    const sortsmith::{{ base.name }}::Key* const row_keys = keys + row * stride;
    const unsigned int list = row * lists;
    const TopK::Survivors of_row = {bits + list * k, survivors + list * k, counts + list, lists};
    TopK top_k(storage);
    const unsigned int total = top_k.count_survivors(of_row);
    sortsmith::{{ base.name }}::Key* const row_keys_out = keys_out ? keys_out + row * k : nullptr;
    {% if found.is_more %}const TopK::Output output = TopK::Output::of_row(row * k, positions_out, values_out{% if found.is_read %}, values + row * stride * TopK::kWords{% endif %}){% else %}unsigned int* const output = positions_out + row * k{% endif %};
    // One block selects survivors, for which it has room with their positions, and searches all columns if it has to.
    const bool is_alone = rankers == 1;
    if (total >= k && total <= (is_alone ? TopK::kBufferItems : TopK::kMaxRanked)) {  //~ ranked-survivors
      if (is_alone) {
        top_k.select_survivors(row_keys, of_row, k, total, sorted, row_keys_out, output);
        continue;
      }
      top_k.load_survivors(of_row, k, total);
      __syncthreads();
      const unsigned int of_block = (total + rankers - 1) / rankers;
      const unsigned int begin = block * of_block;
      const unsigned int end = begin + of_block < total ? begin + of_block : total;
      top_k.write_ranked(row_keys, of_row, k, total, begin, end, row_keys_out, output);
      // No item's position where a row has several chunks.
      if (block == 0 && threadIdx.x == 0) of_groups[row * groups * k] = TopK::kNothingToDo;  //~ nothing-to-do
    } else if (block < groups) {
      const unsigned long long group_columns = columns / groups;
      const unsigned long long begin = block * group_columns;
      const unsigned long long end = block + 1 == groups ? columns : begin + group_columns;  //~ last-searched
      {% if found.is_more %}const TopK::Output to = is_alone ? output : TopK::Output{of_groups + (row * groups + block) * k}{% else %}unsigned int* const to = is_alone ? output : of_groups + (row * groups + block) * k{% endif %};
      TopK(storage).template find<false>({row_keys, nullptr, begin, end}, k, is_alone && sorted, is_alone ? row_keys_out : nullptr, to);
    }
  }
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_samples({{ samples_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * blocks; number += gridDim.x) {
    const unsigned long long row = number / blocks;
    const unsigned int block = static_cast<unsigned int>(number % blocks);
    if (block == 0 && threadIdx.x == 0) counts[row] = 0;
    TopK(storage).find_in_sample(keys + row * stride, columns, block, blocks, kept, sample_bits + number * kept, sample_positions + number * kept);
  }
}
{%- let resident_blocks = filtering_blocks %}

{% include "top_k/launch_bounds.cuh" %}
{{ base.name }}_filtered({{ filtered_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * chunks; number += gridDim.x) {  //~ next-filtered
    const unsigned long long row = number / chunks;
    const unsigned long long chunk = number % chunks;
    const unsigned long long chunk_columns = columns / chunks;
    const unsigned long long begin = chunk * chunk_columns;
    const unsigned long long end = chunk + 1 == chunks ? columns : begin + chunk_columns;  //~ last-filtered
    TopK top_k(storage);
    top_k.limit_by_samples(sample_bits + row * samples, sample_positions + row * samples, samples, rank);
    top_k.append_to_list({keys + row * stride, nullptr, begin, end}, room, bits + row * room, survivors + row * room, counts + row);
  }
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ blocks_of_old }})
{{ base.name }}_listed({{ listed_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * groups; number += gridDim.x) {  //~ next-listed
    const unsigned long long row = number / groups;
    const unsigned long long group = number % groups;
    const sortsmith::{{ base.name }}::Key* const row_keys = keys + row * stride;
    const unsigned int count = counts[row];
    if (count >= k && count <= room) {  //~ listed-survivors
      if (group > 0) continue;
      // No item's position where a row has less than 2^32 columns.
      if (threadIdx.x == 0) of_groups[number * k] = TopK::kNothingToDo;  //~ nothing-in-groups
      TopK(storage).find_in_list(row_keys, bits + row * room, survivors + row * room, count, k, sorted, keys_out ? keys_out + row * k : nullptr,
                                 {% if found.is_more %}TopK::Output::of_row(row * k, positions_out, values_out{% if found.is_read %}, values + row * stride * TopK::kWords{% endif %}){% else %}positions_out + row * k{% endif %});
    } else {
      const unsigned long long group_columns = columns / groups;
      const unsigned long long begin = group * group_columns;
      const unsigned long long end = group + 1 == groups ? columns : begin + group_columns;  //~ last-of-missed
      TopK(storage).template find<false>({row_keys, nullptr, begin, end}, k, false, nullptr, {% if found.is_more %}{ {% endif %}of_groups + number * k{% if found.is_more %}}{% endif %});
    }
  }
}

// Its blocks are few, and addresses of candidates take registers.
extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_candidates({{ candidates_parameters.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using TopK = sortsmith::{{ base.name }};
  TopK::TempStorage& storage = *reinterpret_cast<TopK::TempStorage*>(sortsmith_shared);
  sortsmith::wait_for_previous_grid();
  sortsmith::let_next_grid_start();
  for (unsigned long long number = blockIdx.x; number < rows * groups; number += gridDim.x) {  //~ next-group
    const unsigned long long group = number % groups;
    const unsigned long long group_items = count / groups;
    const unsigned long long begin = group * group_items;
    const unsigned long long end = group + 1 == groups ? count : begin + group_items;  //~ last-group
    const unsigned long long row = number / groups;
    if (candidates[row * count] == TopK::kNothingToDo) continue;
    const TopK::Items items = {keys + row * stride, candidates + row * count, begin, end};
    TopK(storage).template find<true>(items, k, sorted, keys_out ? keys_out + number * k : nullptr,
                                      {% if found.is_more %}TopK::Output::of_row(number * k, positions_out, values_out{% if found.is_read %}, values + row * stride * TopK::kWords{% endif %}){% else %}positions_out + number * k{% endif %});
  }
}
{%- if found.is_more %}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_found({{ found_parameters.declared }}) {
  using TopK = sortsmith::{{ base.name }};
  const TopK::Output output = {nullptr, values_out{% if found.is_read %}, values{% endif %}};
  const unsigned long long threads = static_cast<unsigned long long>(gridDim.x) * TopK::kBlockThreads;
  for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * TopK::kBlockThreads + threadIdx.x; i < n; i += threads) {  //~ next-found
    const unsigned int position = positions[i];
    output.write(static_cast<unsigned int>(i), position);
    if (keys_out) keys_out[i] = keys[position];
  }
}
{%- endif %}
{% endblock %}
