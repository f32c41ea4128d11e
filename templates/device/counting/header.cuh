{% extends "fragments/file.cuh" %}

{% block summary %}each row of a matrix, by counting how often each key is
// there. Stable: equal keys keep their input order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
//
//   bin       the keys of the same bits; it is numbered by their ordered bits
//   mark      the number of a bin at the position of its first key in the sorted row
//   line      neighbouring positions that a warp writes at once
//   overflow  kOverflow keys of a bin, which its counter has handed over to a list
//
// One block sorts a row. It reads the row once and counts the keys of each bin, in shared memory. Then it makes the sorted row from the
// counts, tile by tile: threads that have neighbouring bins mark where these begin, and the bin of a position is the largest mark up
// to it. A bin that goes on in another line has a mark there too, so that each line is written by itself. The host's launch:
//
//   {{ base.name }}_rows<<<dim3(1, rows), {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);
{%- if counted %}
//
// How many rows there are, the kernel reads from memory, at arguments.count. The launch is for the most.
{%- endif %}
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
  // The shared memory of a block.
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;

{% include "fragments/arguments.cuh" %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- if key.is_float %}
{%- include "fragments/zero_bits.cuh" %}
{%- endif %}

  static constexpr unsigned int kBins = 1u << kKeyBits;
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  // Keys, counters or marks that a thread moves at once, and those of a warp: a line.
  static constexpr unsigned int kVectorKeys = {{ vector_keys }};
  static constexpr unsigned int kLineKeys = 32 * kVectorKeys;
  // Lines of bins.
  static constexpr unsigned int kBinLines = kBins / kLineKeys;
  // The most that a counter counts.
  static constexpr unsigned int kMaxCount = 0xffff;
  static constexpr unsigned int kOverflow = {{ overflow }};
  static constexpr unsigned int kMaxOverflows = {{ max_overflows }};
  static_assert(kOverflow + kVectorKeys * kBlockThreads <= kMaxCount, "counters do not overflow between two barriers");

  // kVectorKeys of 2 bytes, two in a word:
  //
  //   | odd key: 16 bits | even key: 16 bits |
  struct __align__(16) Vector {
    unsigned int words[4];
    static __device__ __forceinline__ unsigned int pack(unsigned int even, unsigned int odd) { return even | odd << 16; }
    // An odd key has no mask: with one, compilers choose among shifts where they are to choose between keys.
    __device__ __forceinline__ unsigned int key(unsigned int number) const {
      const unsigned int word = words[number / 2];
      return number % 2 != 0 ? word >> 16 : word & 0xffffu;
    }
  };

  // Where the counter of keys of these bits is, two in a word:
  //
  //   | odd bits: 16 bits | even bits: 16 bits |
  struct CounterSlot {
    unsigned int bits;
    __device__ __forceinline__ unsigned int word() const { return bits / 2; }
    __device__ __forceinline__ unsigned int pack(unsigned int keys) const { return keys << bits % 2 * 16; }
    __device__ __forceinline__ unsigned int of(unsigned int word) const { return word >> bits % 2 * 16 & kMaxCount; }
  };

  using Scans = WarpScans<kBlockThreads>;

  struct __align__(16) Storage {
    // The counters of two keys in a word, by the bits of the keys.
    unsigned int counters[kBins / 2];
    union {
      // By position in the tile.
      unsigned short marks[kTileItems];
      // By position among the zeros of the row, a bit for each: whether it is -0.0.
      unsigned int signs[kTileItems / 2];
    };
    // Here, where vectors of 16 bytes begin: a load of all sums takes nothing else, which threads might write meanwhile.
    Scans::Storage sums;
    // The position of the first key of each line of bins, and the one behind the last key.
    unsigned int lines[kBinLines + 1];
    unsigned int overflow_count;
    unsigned short overflows[kMaxOverflows];
  };
  static_assert(sizeof(Storage) == kSharedBytes, "the storage is laid out as planned");

 public:
  // The sort has no workspace.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long) { return 0; }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long) { return 0; }

  // The arguments of the block's row.
  static __device__ __forceinline__ Arguments of_row(Arguments arguments) {
    const unsigned long long first = blockIdx.y * arguments.row_stride;  //~ first-of-counted-row
    arguments.keys_in += first;
    arguments.keys_out += first;
    return arguments;
  }
{%- if counted %}

{% include "fragments/counted_row.cuh" %}
{%- endif %}

  // Sorts the row. All of it is read before any of it is written.
  static __device__ __forceinline__ void sort(const Arguments& arguments, unsigned char* shared) {
    Storage& storage = *reinterpret_cast<Storage*>(shared);
    clear_words<sizeof(storage.counters), kBlockThreads, 4>(storage.counters);
    clear_words<sizeof(storage.marks), kBlockThreads, 4>(storage.marks);
    if (threadIdx.x == 0) storage.overflow_count = 0;
    wait_for_previous_grid();  //~ grid-before-counts
    let_next_grid_start();
    // Counters are clear.
    __syncthreads();
    count_keys(arguments, storage);
    // All keys are counted.
    __syncthreads();
    add_up_bins(storage);
    if (arguments.n > kMaxCount && storage.lines[kBinLines] != arguments.n) {  //~ counters-overflowed
      clear_words<sizeof(storage.counters), kBlockThreads, 4>(storage.counters);
      // Counters are clear again, and all have read the sum.
      __syncthreads();
      count_to_overflows(arguments, storage);
      add_up_bins(storage);
    }
{%- if key.is_float %}
    const unsigned int first_zeros = keys_of(storage, kSign - 1);
    const bool has_both_zeros = first_zeros > 0 && keys_of(storage, kSign) > 0;  //~ zeros-of-both-signs
    if (has_both_zeros) {
      write_zeros(arguments, storage, first_zeros);
      clear_words<sizeof(storage.signs), kBlockThreads, 4>(storage.signs);
      __syncthreads();
    }
{%- endif %}
    // Positions are counted from the address of a vector at or before the row.
    const unsigned int start = vector_offset(arguments.keys_out);
    const unsigned int end = start + static_cast<unsigned int>(arguments.n);
    for (unsigned int tile = 0; tile < end; tile += kTileItems) {
      mark_bins(storage, tile, start);
      // The tile is marked.
      __syncthreads();
      write_tile(arguments, storage, tile, start, end{% if key.is_float %}, has_both_zeros{% endif %});
      // Its marks are read. They may stay, for those of the next tile are larger.
      __syncthreads();
    }
  }

 private:
{% include "device/counting/count.cuh" %}
{%- if key.is_float %}

{% include "device/counting/zeros.cuh" %}
{%- endif %}

{% include "device/counting/expand.cuh" %}

  // Keys from the address of a vector to this one.
  static __device__ __forceinline__ unsigned int vector_offset(const Key* keys) {
    return static_cast<unsigned int>(reinterpret_cast<unsigned long long>(keys) % sizeof(Vector) / sizeof(Key));
  }
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }}, 1)
{{ base.name }}_rows(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
{%- if counted %}
  if (Sort::is_row_left_out(arguments)) return;
{%- endif %}
  Sort::sort(Sort::of_row(arguments), sortsmith_shared);
}
{% endblock %}
