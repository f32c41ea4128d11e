{% extends "fragments/file.cuh" %}

{% block summary %}an array of any length, by a radix sort on
// all of the device, {{ radix_bits }} bits a pass. Stable: equal keys keep their input order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the input" %}
{%- include "fragments/made_positions.cuh" %}
//
//   digit             {{ radix_bits }} bits of a key; a bin is one value of a digit
//   partial prefix    the number of a tile's own items of a digit
//   inclusive prefix  that of all tiles up to it
//   pass slot         a launch of _pass, which finds out itself whether a pass is left to do
//
// The passes are Onesweep's. One read of all keys makes the histograms of all digits (kernel _count); an exclusive scan makes them
// the offsets of the digits' first keys, and a pass over a digit that is the same in all keys is left out (_plan). Each pass then moves
// the items once (_pass): a block ranks a tile in shared memory, finds by decoupled look-back where the tile's digits begin, and
// writes its items there.
{%- if fixes_up_ties %} Keys
// of many digits that differ are sorted by their upper ones, which leaves few ties, and those are fixed up (_fix_up).
{%- endif %}
{%- if sorts_msd_buckets %} Keys
// that their upper two digits distribute evenly are sorted by those{% if maps_values %}, and keys that are even as values by the two digits of a
// linear map of these{% endif %}; that leaves MSD buckets, which are short then. Their offsets are found (_bucket_offsets), and a block sorts
// each (_msd_buckets). The items of buckets that overflow are counted (_count_overflow) and gathered (_gather_overflow), and more passes sort
// them; where they are most of the array, those passes sort all of it.
{%- endif %} Where
// the result then lies elsewhere, it is copied (_finish). The host makes the same launches whatever the keys are; blocks of any number
// of threads have full warps:
//
//   cudaMemsetAsync(workspace, 0, zeroed_bytes(n), stream);
//   {{ base.name }}_count <<<any, {{ count_threads }}, count_shared_bytes(..), stream>>>(arguments);
//   {{ base.name }}_plan  <<<1, {{ bins }}, 0, stream>>>(arguments);
//   {{ base.name }}_pass  <<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments, pass_slot);
//     for pass_slot = 0, 1, ... pass_count(begin_bit, end_bit) - 1
{%- if sorts_upper_digits %}
//   or, {% if sorts_msd_buckets %}if sorts_msd_buckets is set, which asks for {{ min_upper_passes }} passes or more{% else %}where there are {{ min_upper_passes }} passes or more{% endif %}, for pass_slot = 0, 1, ...
//     first_pass_slots(begin_bit, end_bit) - 1, then
{%- if fixes_up_ties %}
//   {{ base.name }}_fix_up  <<<any, any, 0, stream>>>(arguments);
{%- else %}
//   {{ base.name }}_bucket_offsets  <<<any, any, 0, stream>>>(arguments);
//   {{ base.name }}_msd_buckets <<<any, {{ msd_bucket_threads }}, {{ msd_bucket_shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_count_overflow  <<<any, any, 0, stream>>>(arguments);
//   {{ base.name }}_gather_overflow <<<any, {{ bins }}, 0, stream>>>(arguments);
{%- endif %}
//   {{ base.name }}_pass  <<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments, pass_slot);
//     for as many pass slots more as there are passes
{%- endif %}
//   {{ base.name }}_finish<<<any, at most {{ finish_threads }}, 0, stream>>>(arguments);
{%- if counted %}{% include "fragments/counted_items.cuh" %}{% endif %}
{%- if sorts_by_counting %}
//
// Sorts by all bits of keys that have few values need no passes, but a counting sort without alternate arrays: a histogram of the
// keys, its exclusive scan, and the expansion, which writes each key as often as it was counted.
//
//   cudaMemsetAsync(workspace, 0, counting_bytes(), stream);
{%- if has_key_histogram %}
//   {{ base.name }}_histogram <<<any, {{ count_threads }}, {{ histogram.shared_bytes }}, stream>>>(arguments);
//   {{ base.name }}_scan<<<{{ histogram.segments }}, {{ count_threads }}, 0, stream>>>(arguments);
{%- else %}
//   {{ base.name }}_count and _plan, as above
{%- endif %}
//   {{ base.name }}_expand  <<<any, {{ histogram.expand_threads }}, 0, stream>>>(arguments);
{%- endif %}
//
{% include "fragments/programmatic_launches.cuh" %}{% endblock %}

{% block members %}
{% include "fragments/device_constants.cuh" %}
  static constexpr int kRadixBits = {{ radix_bits }};
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // Counts, and offsets in the array.
  using Count = {{ count }};
  // The shared memory of a block of _pass.
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
{%- if sorts_msd_buckets %}
  // A block of _msd_buckets: its threads, the items it has room for, and its shared memory.
  static constexpr unsigned int kBucketThreads = {{ msd_bucket_threads }};
  static constexpr int kRows = {{ rows }};
  static constexpr unsigned int kBucketItems = kBucketThreads * kRows;
  static constexpr unsigned int kBucketSharedBytes = {{ msd_bucket_shared_bytes }};
  // Blocks of _msd_buckets that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentBuckets = {{ resident_msd_buckets.min(1024 / msd_bucket_threads) }};
#else
  static constexpr int kResidentBuckets = {{ resident_msd_buckets }};
#endif
{%- endif %}
  // Blocks of _finish that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentFinishing = {{ resident_finishing[0] }};
#elif defined(__CUDA_ARCH__) && ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1200)
  static constexpr int kResidentFinishing = {{ resident_finishing[1] }};
#else
  static constexpr int kResidentFinishing = {{ resident_finishing[2] }};
#endif
  // More items than this need the sort of the same name with `_wide`.
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;

{% include "fragments/arguments.cuh" %}

  // The shared memory of a block of _count.
  static __host__ __device__ constexpr unsigned int count_shared_bytes(int count_columns_log2) {
    return kCountedDigits * kBins * static_cast<unsigned int>(sizeof(unsigned int)) << count_columns_log2;
  }

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  // In memory they take no more bytes than the keys.
  using StoredBits = {{ key.in_memory }};
  static constexpr unsigned int kWarps = kBlockThreads / kWarpThreads;
  static constexpr bool kDescending = {{ key.descending }};
  // Whether NaNs come last, of whatever sign.
  static constexpr bool kNanLast = {{ key.nan_last }};
  static constexpr bool kHasValues = {{ value.exists }};
  // Whether values are made: each key's position in the input.
  static constexpr bool kMakesPositions = {{ value.is_position }};
  // Whether there may be a first phase by upper digits, and whether it may leave items side by side.
  static constexpr bool kSortsUpperDigits = {{ sorts_upper_digits }};
  static constexpr bool kLeavesItems = {{ sorts_msd_buckets && interleaves }};
{%- if interleaves %}

  // Between passes a key and its value lie side by side: then the items of a digit are one run, not two.
  struct __align__({{ item_bytes }}) Item {
    StoredBits key;
    Value value;
  };
{%- endif %}

{%- if sorts_upper_digits %}

  // A sort over kMinUpperPasses passes or more may have a first phase, which sorts by the keys' upper digits and then {% if fixes_up_ties %}fixes up the few ties. Where
  // too many keys agree, a second phase sorts by all digits.{% else %}sorts
  // the buckets of keys that agree in them. A second phase sorts those that overflow by all digits.{% endif %}
  static constexpr int kPhases = 2;
  static constexpr int kMinUpperPasses = {{ min_upper_passes }};
  // A first phase is worth it only if it spares this number of passes.
  static constexpr int kSparedPasses = {{ spared_passes }};
  static constexpr int kMaxPassSlots = 2 * kMaxPasses - kSparedPasses;
{%- else %}
  static constexpr int kPhases = 1;
  static constexpr int kMaxPassSlots = kMaxPasses;
{%- endif %}

{%- if maps_values %}

{% include "device/radix/linear_map.cuh" %}
{%- else if sorts_msd_buckets %}

{% include "device/radix/shared_bits.cuh" %}
{%- endif %}
{%- if sorts_upper_digits %}

{% include "device/radix/sample_position.cuh" %}
{%- endif %}
{%- if fixes_up_ties %}

{% include "device/radix/key_samples.cuh" %}

  // The most runs in the queue.
  static constexpr unsigned int kMaxQueuedRuns = {{ ties.max_queued_runs }};
{%- endif %}

{%- if sorts_msd_buckets %}

  // Samples that others are like.
  struct RepeatedSamples {
    // Keys that are there twice or more.
    unsigned int keys;
{%- if maps_values %}
    // Likewise, sub-buckets of the linear map's buckets.
    unsigned int sub_buckets;
{%- endif %}
  };
{%- endif %}

  // Digits that are counted: the keys'{% if maps_values %}, and behind them those of the linear map's buckets{% else if sorts_msd_buckets %}, and behind them those below the bits that all keys share{% endif %}.
  static constexpr int kCountedDigits = kMaxPasses{% if sorts_msd_buckets %} + kMapDigits{% endif %};

  // Which passes there are to do. The workspace begins with it; all is zero when a sort begins.
  struct {% if has_key_histogram %}alignas(8) {% endif %}Control {
{%- if fixes_up_ties %}
    // Long runs of ties, as QueuedRun has them.
    unsigned long long queued_runs[kMaxQueuedRuns];
{%- endif %}
{%- if sorts_msd_buckets %}
    // The buckets that _msd_buckets could not sort, and all of their items: buckets << 32 | items.
    unsigned long long overflow;
{%- endif %}
    // Of each phase: how many passes move anything.
    int executed[kPhases];
{%- if finds_determined_digits %}
    // A bit for each digit that the one above it does not determine. The other ones need no pass: keys that agree above agree in them.
    unsigned int independent_digits;
{%- endif %}
{%- if sorts_msd_buckets %}
    RepeatedSamples repeated_samples;
{%- endif %}
{%- if sorts_upper_digits %}
    // Whether the first phase sorts by upper digits, and leaves keys to sort that agree from this bit up.
    int sorts_upper_digits;
    int upper_bit;
{%- endif %}
{%- if fixes_up_ties %}
    // Whether _fix_up found too many ties: the second phase is to do.
    int needs_all;
    // Long runs of ties that it has queued, and those for which there was no room.
    unsigned int queued_run_count;
{%- endif %}
{%- if maps_values %}
    // The map by which the first phase sorts, if it has buckets.
    LinearMap linear_map;
{%- else if sorts_msd_buckets %}
    // The bits that the first phase leaves out, if there are some.
    SharedBits shared_bits;
{%- endif %}
{%- if fixes_up_ties %}
    // What samples tell of keys that agree.
    KeySamples samples;
{%- endif %}
    // The digits that differ between keys, from the lowest up.
    int digits[kMaxPasses];
    // Tiles that blocks have taken in each pass slot.
    unsigned int tickets[kMaxPassSlots];
{%- if unused_before_bins > 0 %}
    // Histograms begin with a line of the caches, and so do descriptors behind all this, where the workspace does.
    unsigned char unused_before_bins[{{ unused_before_bins }}];
{%- endif %}
    // Of each digit{% if maps_values %}, the keys' and then the buckets'{% else if sorts_msd_buckets %}, the keys' and then those below shared bits{% endif %}: its histogram, then the offset of each bin's first key.
    Count bins[kCountedDigits][kBins];
{%- if sorts_msd_buckets %}
    // Of overflowing buckets: the histogram of each digit, and the items of each kBins buckets.
    Count overflow_bins[kMaxPasses][kBins];
    Count overflow_segments[kBins];
{%- endif %}
{%- if interleaves %}
    Item odd_item;
{%- endif %}
{%- if unused_at_end > 0 %}
    unsigned char unused_at_end[{{ unused_at_end }}];
{%- endif %}
  };
  static_assert(sizeof(Control) == {{ control_bytes }}, "the workspace is laid out as planned");

{% include "device/radix/tile_slots.cuh" %}

  // What a block of a pass keeps in shared memory.
  struct PassStorage {
    // The tile as it is read.
{%- if interleaves %}
    union {
      struct {
        StoredBits keys[TileSlots::kCount];
        Value values[TileSlots::kCount];
      } arrays;
      Item items[TileSlots::kCount];
    };
{%- else %}
    struct {
      StoredBits keys[TileSlots::kCount];
{%- if value.exists %}
      Value values[TileSlots::kCount];
{%- endif %}
    } arrays;
{%- endif %}
    BulkCopies copies;
    // For each digit: what to add to a position in the sorted tile to make it an offset in the array.
    Count offsets[kBins];
    // For each digit: the position of its first item in the sorted tile.
    unsigned int first_positions[kBins];
    // For each warp and digit, at the digit's counter: items so far, then the position of the next one in the sorted tile.
    unsigned int histograms[kWarps][kBins];
    unsigned int warp_totals[kBins / kWarpThreads];
    unsigned int tile;
    // Whether items of the last tile that are read together would meet in a bank if rows followed each other.
    unsigned int is_regular;
    // The digit of all items of the tile, or kBins.
    unsigned int only_digit;
    // Whether writing the tile found it out of order.
    unsigned int is_out_of_order;
    // For each position in the sorted tile: the slot where its item is.
    unsigned short sources[kTileItems];
  };
  static_assert(sizeof(PassStorage) == kSharedBytes, "the storage is laid out as planned");

 public:
  // Passes over this range of bits.
  static __host__ __device__ constexpr int pass_count(int begin_bit, int end_bit) {
    return (end_bit - begin_bit + kRadixBits - 1) / kRadixBits;
  }
{%- if sorts_upper_digits %}
  // Pass slots of a first phase.
  static __host__ __device__ constexpr int first_pass_slots(int begin_bit, int end_bit) {
    return pass_count(begin_bit, end_bit) - kSparedPasses;
  }
{%- endif %}
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return control_and_descriptor_bytes(n){% if fixes_up_ties %} + KeySamples::slot_bytes(n){% endif %};
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return {% if sorts_msd_buckets %}(zeroed_bytes(n) + (4ull * max_msd_buckets(n) + 1) * sizeof(Count) + 15) / 16 * 16{% else %}zeroed_bytes(n){% endif %};
  }
{%- if sorts_by_counting %}
  // Bytes of the workspace of a counting sort, all of which are zero when it begins.
  static __host__ __device__ constexpr unsigned long long counting_bytes() {
    return sizeof(Control){% if has_key_histogram %} + (kKeyValues + kSegments) * sizeof(Count){% endif %};
  }
{%- endif %}

{%- if counted %}

{% include "fragments/of_count.cuh" %}
{%- endif %}

{% include "device/radix/count.cuh" %}

{% include "device/radix/plan.cuh" %}
{%- if has_key_histogram %}

{% include "device/radix/key_histogram.cuh" %}
{%- endif %}
{%- if sorts_by_counting %}

{% include "device/radix/expand.cuh" %}
{%- endif %}

{% include "device/radix/pass.cuh" %}
{%- if fixes_up_ties %}

{% include "device/radix/tie_fix_up.cuh" %}

{% include "device/radix/long_runs.cuh" %}
{%- endif %}
{%- if sorts_msd_buckets %}

{% include "device/radix/bucket_offsets.cuh" %}

{% include "device/radix/msd_buckets.cuh" %}

{% include "device/radix/overflow.cuh" %}
{%- endif %}

{% include "device/radix/finish.cuh" %}
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}
{%- include "fragments/digit_of.cuh" %}

  static __device__ __forceinline__ Control& control_of(const Arguments& arguments) {
    return *reinterpret_cast<Control*>(arguments.workspace);
  }

  static __host__ __device__ constexpr unsigned long long control_and_descriptor_bytes(unsigned long long n) {
    return sizeof(Control) + (n + kTileItems - 1) / kTileItems * kBins * sizeof(Count);
  }
{%- if fixes_up_ties %}

  static __device__ __forceinline__ unsigned int* sample_slots_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned int*>(arguments.workspace + control_and_descriptor_bytes(arguments.{{ layout_items }}));
  }
{%- endif %}
{%- if sorts_upper_digits %}

  // The key's bits from `bit` to the end of the range.
  static __device__ __forceinline__ Bits range_of(const Arguments& arguments, Key key, int bit) {
    const Bits compared = compared_bits(to_ordered_bits(key));
    const int above = 8 * sizeof(Bits) - arguments.end_bit;
    return compared << above >> above >> bit;
  }
{%- endif %}

{% include "device/radix/phases.cuh" %}

  // How many bits pass number `pass` sorts by, from arguments.begin_bit + pass * kRadixBits up.
  static __device__ __forceinline__ int digit_bits(const Arguments& arguments, int pass) {
    const int left = arguments.end_bit - arguments.begin_bit - pass * kRadixBits;
    return left < kRadixBits ? left : kRadixBits;  //~ bits-of-last-digit
  }

  // Whether the executed pass of this ordinal, of `executed` in all, writes to the scratch arrays. Passes alternate between these
  // and the arrays of the result so that the last one writes the result; in place, the first one cannot write there.
  static __device__ __forceinline__ bool writes_scratch(bool in_place, int ordinal, int executed) {
    return in_place ? ordinal % 2 == 1 : (executed - ordinal) % 2 == 1;  //~ destination
  }
{% endblock %}

{% block kernels %}
{%- for kernel in kernels %}

extern "C" __global__ void{% if let Some(bounds) = kernel.bounds %} __launch_bounds__({{ bounds }})
{% else %} {% endif %}{{ base.name }}{{ kernel.suffix }}(sortsmith::{{ base.name }}::Arguments arguments{% if kernel.takes_pass_slot %}, int pass_slot{% endif %}) {
{%- if kernel.takes_shared %}
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
{%- endif %}
  sortsmith::{{ base.name }}::{{ kernel.call }}({% if kernel.reads_count %}sortsmith::{{ base.name }}::of_count(arguments){% else %}arguments{% endif %}{% if kernel.takes_pass_slot %}, pass_slot{% endif %}{% if kernel.takes_shared %}, sortsmith_shared{% endif %});
}
{%- endfor %}
{% endblock %}
