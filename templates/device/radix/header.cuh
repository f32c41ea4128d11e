// {{ name }}
//
// {{ title }}: an array of any length, by a radix sort over the
// whole device, {{ radix_bits }} bits a pass. Stable: equal keys keep their input order.
{%- if key.is_float %}
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. {% if key.nan_last %}NaNs come last, in their input order.{% else %}NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.{% endif %}
{%- endif %}
{%- if makes_positions %}
//
// No values are read. The sort makes them: each key's position in the input.
{%- endif %}
//
// One read of all keys counts every pass's digits (kernel _count); the counts become the first place of each digit, and
// a pass whose digit is the same in all keys is left out (_plan). Each pass then moves the items once (_pass): a block
// ranks a tile in shared memory, learns from the tiles before it where its digits begin, and writes them there.
{%- if mends %} Keys
// of many digits that differ are sorted by their upper ones, after which few agree and are put in order (_mend).
{%- endif %}
{%- if sorts_parts %} Keys
// whose upper two digits part them evenly are sorted by those{% if spreads %}, and keys that are even as values by the two digits of a linear
// map of these{% endif %}; the parts, which are short then, are found (_cuts) and sorted by a block each (_parts).
{%- endif %} Where
// the result then lies elsewhere, it is copied (_finish). The host makes the same launches whatever the keys are:
//
//   cudaMemsetAsync(workspace, 0, zeroed_bytes(n), stream);
//   {{ name }}_count <<<any, {{ count_threads }}, count_shared_bytes(..), stream>>>(arguments);
//   {{ name }}_plan  <<<1, {{ bins }}, 0, stream>>>(arguments);
//   {{ name }}_pass  <<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments, turn);
//     for turn = 0, 1, ... pass_count(begin_bit, end_bit) - 1
{%- if sorts_prefixes %}
//   or, {% if sorts_parts %}if sorts_parts is set, which asks for {{ min_prefix_passes }} passes or more{% else %}where there are {{ min_prefix_passes }} passes or more{% endif %}, for turn = 0, 1, ... first_turns(begin_bit, end_bit) - 1, then
{%- if mends %}
//   {{ name }}_mend  <<<any, any, 0, stream>>>(arguments);
{%- else %}
//   {{ name }}_cuts  <<<any, any, 0, stream>>>(arguments);
//   {{ name }}_parts <<<any, {{ part_threads }}, {{ part_shared_bytes }}, stream>>>(arguments);
{%- endif %}
//   {{ name }}_pass  <<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments, turn);
//     for as many turns more as there are passes
{%- endif %}
//   {{ name }}_finish<<<any, any, 0, stream>>>(arguments);
{%- if fills %}
//
// Whole keys, of which there are few, need no passes: they are counted and written anew, without alternate arrays.
//
//   cudaMemsetAsync(workspace, 0, filling_bytes(), stream);
{%- if tallies %}
//   {{ name }}_tally <<<any, {{ count_threads }}, {{ tally_shared_bytes }}, stream>>>(arguments);
//   {{ name }}_starts<<<{{ tally_segments }}, {{ count_threads }}, 0, stream>>>(arguments);
{%- else %}
//   {{ name }}_count and _plan, as above
{%- endif %}
//   {{ name }}_fill  <<<any, {{ fill_threads }}, 0, stream>>>(arguments);
{%- endif %}
//
// The launches are plain ones, as written. On Hopper and later GPUs all but the first may have the attribute
// cudaLaunchAttributeProgrammaticStreamSerialization too: each kernel waits for the one before it itself.
//
// Made by sortsmith {{ version }} from the template device_radix_sort; to make it again:
//   sortsmith emit --name {{ name }} --out .
{% include "fragments/parts.cuh" %}
#ifndef {{ struct_guard }}
#define {{ struct_guard }}
namespace sortsmith {
inline namespace {{ version_namespace }} {

struct {{ name }} {
  using Key = {{ key.cuda }};
  using Value = {{ value }};
  // Counts and places in the array.
  using Count = {{ count }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kRadixBits = {{ radix_bits }};
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr int kMaxPasses = (kKeyBits + kRadixBits - 1) / kRadixBits;
  static constexpr unsigned int kBins = 1u << kRadixBits;
  // The shared memory of a block of _pass.
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};
{%- if sorts_parts %}
  // A block of _parts: its threads, the items it has room for, and its shared memory.
  static constexpr unsigned int kPartThreads = {{ part_threads }};
  static constexpr int kPlacesPerThread = {{ places }};
  static constexpr unsigned int kPartItems = kPartThreads * kPlacesPerThread;
  static constexpr unsigned int kPartSharedBytes = {{ part_shared_bytes }};
  // Blocks of _parts that a multiprocessor is to hold, of threads it has room for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kResidentParts = {{ resident_parts.min(1024 / part_threads) }};
#else
  static constexpr int kResidentParts = {{ resident_parts }};
#endif
{%- endif %}
  // More items than this need the sort of the same name with `_wide`.
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;

{% include "fragments/device_arguments.cuh" %}

  // The shared memory of a block of _count.
  static __host__ __device__ constexpr unsigned int count_shared_bytes(int count_columns_log2) {
    return kCountedDigits * kBins * static_cast<unsigned int>(sizeof(unsigned int)) << count_columns_log2;
  }

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  // In memory they take no more bytes than the keys.
  using StoredBits = {{ key.stored_bits }};
  static constexpr unsigned int kWarps = kBlockThreads / 32;
{%- if interleaves %}

  // Between passes a key and its value lie side by side: then the items of a digit are one run, not two.
  struct __align__({{ item_bytes }}) Item {
    StoredBits key;
    Value value;
  };
{%- endif %}

{%- if sorts_prefixes %}

  // A sort over so many passes may go by the keys' upper digits first, and only then sort {% if mends %}the few keys{% else %}those{% endif %} that agree in
  // them: the first phase. Where too many agree, a second phase sorts by all digits.
  static constexpr int kPhases = 2;
  static constexpr int kMinPrefixPasses = {{ min_prefix_passes }};
  // It is worth it only if it spares so many passes.
  static constexpr int kSparedPasses = {{ spared_passes }};
  static constexpr int kMaxTurns = 2 * kMaxPasses - kSparedPasses;
{%- else %}
  static constexpr int kPhases = 1;
  static constexpr int kMaxTurns = kMaxPasses;
{%- endif %}

{%- if spreads %}

{% include "device/radix/spread.cuh" %}
{%- endif %}

  // Digits that are counted: the keys'{% if spreads %}, and behind them those of the parts' numbers{% endif %}.
  static constexpr int kCountedDigits = kMaxPasses{% if spreads %} + kSpreadDigits{% endif %};

  // Which passes there are to do; all in the workspace's first bytes, zero to begin with.
  struct {% if tallies %}alignas(8) {% endif %}Control {
    // Of each phase: how many passes move anything.
    int executed[kPhases];
{%- if sorts_prefixes %}
    // Whether the first phase sorts by upper digits, and leaves keys to sort that agree from this bit up.
    int sorts_prefixes;
    int prefix_bit;
    // Whether that left too many for {% if mends %}_mend{% else %}_parts{% endif %}: the second phase is to do.
    int needs_all;
{%- endif %}
{%- if spreads %}
    // The map that keys are spread by in the first phase, if they are.
    Spread spread;
{%- endif %}
    // The digits that differ between keys, from the lowest up.
    int digits[kMaxPasses];
    // Tiles that blocks have taken in each turn.
    unsigned int tickets[kMaxTurns];
    // Of each digit{% if spreads %}, the keys' and then the parts'{% endif %}: how many keys have each value of it; then the place of the first of them.
    Count bins[kCountedDigits][kBins];
{%- if interleaves %}
    Item odd_item;
{%- endif %}
  };
  static_assert(sizeof(Control) == {{ control_bytes }}, "the workspace is laid out as planned");

  // In shared memory there may be a gap behind each warp's items: without gaps, items at equal distances, as those of one
  // digit of regular keys are, meet in a bank; with gaps, the copy engine is slower. `kFromItems`: whether keys and values
  // lie side by side.
  template <bool kFromItems>
  struct Slots {
    static constexpr unsigned int kGap = kFromItems ? {{ item_gap }} : {{ array_gap }};
    static constexpr unsigned int kWarpItems = 32 * kItemsPerThread;
    static constexpr unsigned int kCount = kWarps * (kWarpItems + kGap);
    static_assert(kCount <= 65536, "a slot's number has 16 bits");
  };

  // What a block of a pass keeps in shared memory.
  struct PassStorage {
    // The tile as it is read.
{%- if interleaves %}
    union {
      struct {
        StoredBits keys[Slots<false>::kCount];
        Value values[Slots<false>::kCount];
      } arrays;
      Item items[Slots<true>::kCount];
    };
{%- else %}
    struct {
      StoredBits keys[Slots<false>::kCount];
{%- if has_values %}
      Value values[Slots<false>::kCount];
{%- endif %}
    } arrays;
{%- endif %}
    BulkCopies copies;
    // For each digit: what to add to a position in the sorted tile to make it one in the array.
    Count offsets[kBins];
    // For each digit: the position of its first item in the sorted tile.
    unsigned int starts[kBins];
    // For each warp and digit: items so far, then the position of the next one in the sorted tile.
    unsigned int histograms[kWarps][kBins];
    unsigned int warp_totals[kBins / 32];
    unsigned int tile;
    // Whether items that are read together were found to meet in a bank.
    unsigned int is_regular;
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
{%- if sorts_prefixes %}
  // Turns that a first phase may take.
  static __host__ __device__ constexpr int first_turns(int begin_bit, int end_bit) {
    return pass_count(begin_bit, end_bit) - kSparedPasses;
  }
{%- endif %}
  // Bytes at the workspace's start that are zero when a sort begins, and bytes of all of it.
  static __host__ __device__ constexpr unsigned long long zeroed_bytes(unsigned long long n) {
    return sizeof(Control) + (n + kTileItems - 1) / kTileItems * kBins * sizeof(Count);
  }
  static __host__ __device__ constexpr unsigned long long workspace_bytes(unsigned long long n) {
    return {% if sorts_parts %}(zeroed_bytes(n) + (max_parts(n) + 1ull) * sizeof(Count) + 15) / 16 * 16{% else %}zeroed_bytes(n){% endif %};
  }
{%- if fills %}
  // Bytes of the workspace, all of them zero, where whole keys are counted and written anew.
  static __host__ __device__ constexpr unsigned long long filling_bytes() {
    return sizeof(Control){% if tallies %} + (kKeyValues + kSegments) * sizeof(Count){% endif %};
  }
{%- endif %}

{% include "device/radix/count.cuh" %}

{% include "device/radix/plan.cuh" %}

{%- if fills %}
{%- if tallies %}

{% include "device/radix/tally.cuh" %}
{%- endif %}

{% include "device/radix/fill.cuh" %}
{%- endif %}

{% include "device/radix/pass.cuh" %}

{%- if mends %}
{% include "device/radix/mend.cuh" %}

{%- endif %}
{%- if sorts_parts %}
{% include "device/radix/cuts.cuh" %}

{% include "device/radix/parts.cuh" %}

{%- endif %}
{% include "device/radix/finish.cuh" %}

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}
{%- include "fragments/digit_of.cuh" %}

  static __device__ __forceinline__ Control& control_of(const Arguments& arguments) {
    return *reinterpret_cast<Control*>(arguments.workspace);
  }
{%- if sorts_prefixes %}

  // The key's bits from `bit` to the end of the range.
  static __device__ __forceinline__ Bits range_of(const Arguments& arguments, Key key, int bit) {
    const Bits compared = {% if key.is_float %}compared_bits(to_ordered_bits(key)){% else %}to_ordered_bits(key){% endif %};
    const int above = 8 * sizeof(Bits) - arguments.end_bit;
    return compared << above >> above >> bit;
  }
{%- endif %}

{%- if sorts_parts && interleaves %}

  // Whether the first phase leaves items side by side, in the scratch arrays, and not what it sorts in the arrays of the
  // result. In place it has to: the first pass cannot write what it reads.
  static __device__ __forceinline__ bool leaves_items(const Arguments& arguments) {
    return arguments.interleaves && arguments.keys_in != arguments.keys_out;
  }

  static __device__ __forceinline__ const Item* left_items(const Arguments& arguments) {
    return reinterpret_cast<const Item*>(arguments.keys_alternate);
  }
{%- endif %}

  // How many bits pass number `pass` sorts by, from arguments.begin_bit + pass * kRadixBits up.
  static __device__ __forceinline__ int digit_bits(const Arguments& arguments, int pass) {
    const int left = arguments.end_bit - arguments.begin_bit - pass * kRadixBits;
    return left < kRadixBits ? left : kRadixBits;  //~ bits-of-last-digit
  }

  // Whether the executed pass of this ordinal, of `executed` in all, writes to the scratch arrays. They take turns so
  // that the last one writes the result; in place, the first one cannot write there.
  static __device__ __forceinline__ bool writes_scratch(bool in_place, int ordinal, int executed) {
    return in_place ? ordinal % 2 == 1 : (executed - ordinal) % 2 == 1;  //~ destination
  }
};

}  // namespace {{ version_namespace }}
}  // namespace sortsmith

extern "C" __global__ void __launch_bounds__({{ count_threads }})
{{ name }}_count(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::count_digits(arguments, reinterpret_cast<unsigned int*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__({{ bins }})
{{ name }}_plan(sortsmith::{{ name }}::Arguments arguments) {
  sortsmith::{{ name }}::plan_passes(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }}, {{ resident_blocks }})
{{ name }}_pass(sortsmith::{{ name }}::Arguments arguments, int turn) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::run_pass(arguments, turn, sortsmith_shared);
}

{%- if mends %}

extern "C" __global__ void {{ name }}_mend(sortsmith::{{ name }}::Arguments arguments) {
  sortsmith::{{ name }}::mend(arguments);
}
{%- endif %}
{%- if sorts_parts %}

extern "C" __global__ void {{ name }}_cuts(sortsmith::{{ name }}::Arguments arguments) {
  sortsmith::{{ name }}::find_cuts(arguments);
}

extern "C" __global__ void __launch_bounds__({{ part_threads }}, sortsmith::{{ name }}::kResidentParts)
{{ name }}_parts(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::sort_parts(arguments, sortsmith_shared);
}
{%- endif %}

{%- if tallies %}

extern "C" __global__ void __launch_bounds__({{ count_threads }})
{{ name }}_tally(sortsmith::{{ name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  sortsmith::{{ name }}::tally(arguments, reinterpret_cast<unsigned int*>(sortsmith_shared));
}

extern "C" __global__ void __launch_bounds__({{ count_threads }})
{{ name }}_starts(sortsmith::{{ name }}::Arguments arguments) {
  sortsmith::{{ name }}::make_starts(arguments);
}
{%- endif %}
{%- if fills %}

extern "C" __global__ void __launch_bounds__({{ fill_threads }})
{{ name }}_fill(sortsmith::{{ name }}::Arguments arguments) {
  sortsmith::{{ name }}::fill(arguments);
}
{%- endif %}

extern "C" __global__ void {{ name }}_finish(sortsmith::{{ name }}::Arguments arguments) {
  sortsmith::{{ name }}::finish(arguments);
}
#endif
