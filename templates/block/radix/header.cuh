// {{ name }}
//
// {{ title }}: a block of {{ threads }} threads sorts a tile of {{ tile_items }} items in shared
// memory, {{ radix_bits }} bits a pass, {{ passes }} {% if passes == 1 %}pass{% else %}passes{% endif %} over {{ range_words }}. Stable: equal keys keep their input order.
{%- if key.is_float %}
//
// Keys order by sign and magnitude. -0.0 and +0.0 are equal. NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.
{%- endif %}
{%- if makes_positions %}
//
// No values are read. The sort makes them: each key's position in the tile's input order.
{%- endif %}
{%- if fetches_values %}
//
// A value of {{ value_bytes }} bytes does not move with its key. Its source position does, in two bytes, and the value itself
// moves once, after the last pass.
{%- endif %}
//
// In a kernel of {{ threads }} threads, with Keys an array of {{ items }} keys{% if has_values %} and Values one of {{ items }} {% if makes_positions %}positions{% else %}values{% endif %}{% endif %}:
//   using Sort = sortsmith::{{ name }};
{%- if needs_dynamic %}
//   extern __shared__ __align__(16) unsigned char shared[];  // of Sort::kSharedBytes, more than may be static
//   auto& storage = *reinterpret_cast<Sort::TempStorage*>(shared);
{%- else %}
//   __shared__ Sort::TempStorage storage;
{%- endif %}
//   Sort(storage).Sort(keys{% if has_values %}, {% if makes_positions %}positions{% else %}values{% endif %}{% endif %});
//
// Made by sortsmith {{ version }} from the template block_radix_sort; to make it again:
//   sortsmith emit --name {{ name }}{% if tile_kernel %} --tile-kernel{% endif %} --out .
{% include "fragments/parts.cuh" %}
{% block structure -%}
#ifndef {{ struct_guard }}
#define {{ struct_guard }}
namespace sortsmith {
inline namespace {{ version_namespace }} {

struct {{ name }} {
  using Key = {{ key.cuda }};
  using Value = {{ value }};

  // Which thread holds which position of the tile. Thread t's item i is at
  //   kBlocked:     t * kItemsPerThread + i
  //   kStriped:     i * kBlockThreads + t
  //   kWarpStriped: the same as kStriped, within each warp's own 32 * kItemsPerThread positions
  enum class Arrangement { kBlocked, kStriped, kWarpStriped };

  static constexpr int kBlockX = {{ block.x }};
  static constexpr int kBlockY = {{ block.y }};
  static constexpr int kBlockZ = {{ block.z }};
  static constexpr int kBlockThreads = kBlockX * kBlockY * kBlockZ;
  static constexpr int kItemsPerThread = {{ items }};
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kRadixBits = {{ radix_bits }};
  static constexpr int kKeyBits = {{ key.bits }};
  static constexpr bool kStaticBits = {{ is_static }};
  static constexpr int kBeginBit = {{ begin_bit }};
  static constexpr int kEndBit = {{ end_bit }};
  static constexpr bool kDescending = {{ key.descending }};
  static constexpr bool kHasValues = {{ has_values }};
  static constexpr bool kIndexValues = {{ makes_positions }};
  static constexpr Arrangement kInput = Arrangement::{{ input }};
  static constexpr Arrangement kOutput = Arrangement::{{ output }};
  // sizeof(TempStorage): a tile kernel's dynamic shared memory. Past 48 KB the storage must be dynamic, and the kernel's
  // limit raised by cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes).
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};

  // One thread's items.
  using Keys = Key[kItemsPerThread];
{%- if has_values %}
  using Values = Value[kItemsPerThread];
{%- endif %}

 private:
  // Keys in registers are ordered bits: unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using BitsItems = Bits[kItemsPerThread];
  // In shared memory they take no more bytes than the keys.
  using StoredBits = {{ key.stored_bits }};
  using Positions = unsigned int[kItemsPerThread];
{%- if carries %}
  // What goes through shared memory with each key: {{ carry_words }}.
  using Carried = {{ carried }};
  using CarriedItems = {{ carried_register }}[kItemsPerThread];
{%- endif %}

{% if counts_keys %}  static constexpr unsigned int kBins = 1 << kRadixBits;
{%- else %}  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order{% if is_match %} within a
  // warp, row by row{% endif %}.
  static constexpr Arrangement kRanked = Arrangement::{{ ranked }};
{%- if is_match %}
  static constexpr unsigned int kWarps = kBlockThreads / 32;
  static constexpr unsigned int kBins = 1 << kRadixBits;
{%- if scan_groups > 1 %}
  // A histogram's bins, and a gap so that threads which scan a bin of several histograms do not meet in a bank.
{%- endif %}
  static constexpr unsigned int kHistogramWords = {{ histogram_words }};
{%- endif %}
{%- endif %}
  using BlockScan = {{ block_scan }};

{% if counts_keys -%}
{% include "block/radix/counts_storage.cuh" %}
{%- else if is_match -%}
{% include "block/radix/match_storage.cuh" %}
{%- else -%}
{% include "block/radix/packed_storage.cuh" %}
{%- endif %}
{% if key_gap > 0 %}
  // In shared memory the tile has a gap after every 128 bytes, so that threads that read their own neighbouring items do
  // not meet in a bank.
  static constexpr unsigned int kKeyPeriod = {{ key_period }};
  static constexpr unsigned int kKeyGap = {{ key_gap }};
{%- endif %}
{%- if carried_gap > 0 %}
  static constexpr unsigned int kCarriedPeriod = {{ carried_period }};
  static constexpr unsigned int kCarriedGap = {{ carried_gap }};
{%- endif %}
{%- if word_gap > 0 %}
  static constexpr unsigned int kWordPeriod = {{ word_period }};
  static constexpr unsigned int kWordGap = {{ word_gap }};
{%- endif %}
  static constexpr unsigned int kKeySlots = {{ key_slots }};
{%- if carries %}
  static constexpr unsigned int kCarriedSlots = {{ carried_slots }};
{%- endif %}
{%- if fetches_values %}
  // Values are fetched a word at a time.
  static constexpr int kValueWords = {{ value_words }};
  static constexpr unsigned int kWordSlots = {{ word_slots }};
{%- endif %}

  // The tile on its way from one arrangement to another.
  struct ExchangeStorage {
    StoredBits keys[kKeySlots];
{%- if carries %}
    Carried carried[kCarriedSlots];
{%- endif %}
  };

 public:
{%- if overlaps %}
  // Ranking and exchange take turns with the same bytes.
  union TempStorage {
    RankStorage rank;
    ExchangeStorage exchange;
{%- if fetches_values %}
    unsigned int value_words[kWordSlots];
{%- endif %}
  };
{%- else %}
  // Ranking and exchange have bytes of their own: a pass can begin while the last one's items are still being read.
  struct TempStorage {
    RankStorage rank;
{%- if fetches_values %}
    union {
      ExchangeStorage exchange;
      unsigned int value_words[kWordSlots];
    };
{%- else %}
    ExchangeStorage exchange;
{%- endif %}
  };
{%- endif %}
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
{%- if key.relative %}
  // Keys are sorted by how much their ordered bits are above the base, which none of them is below, nor is the one before
  // it -0.0.
{%- endif %}
  {% if key.relative %}__device__ __forceinline__ {{ name }}(TempStorage& storage, Bits base)
      : base_(base), storage_(storage), thread_({% else %}explicit __device__ __forceinline__ {{ name }}(TempStorage& storage)
      : storage_(storage), thread_({% endif %}threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same{% if is_static %} valid_items.
{%- else %} scalars.
  //   begin_bit, end_bit: the bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits; an empty
  //                       range leaves the input order.
{%- endif %}
  //   valid_items:        the first valid_items items of the tile are sorted and come out in front. What the others hold
  //                       does not matter, and is unspecified afterwards.
{% for entry in entries %}
  // {{ entry.words }}
{%- for call in entry.calls %}
  __device__ __forceinline__ void {{ entry.name }}(Keys& keys{% if has_values %}, Values& values{% endif %}{{ call.parameters }}) {
    sort<Arrangement::{{ input }}, Arrangement::{{ entry.output }}>(keys, {% if has_values %}values, {% endif %}{{ call.arguments }});
  }
{%- endfor %}
{% endfor %}
{%- include "block/radix/tile_member.cuh" %}

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- if !counts_keys %}
{%- include "fragments/compared_bits.cuh" %}
{%- include "fragments/digit_of.cuh" %}
{%- endif %}

{% include "block/radix/exchange.cuh" %}

{% include "fragments/tile_items.cuh" %}

{% if counts_keys -%}
{% include "block/radix/counts.cuh" %}
{%- else -%}
{% if is_match -%}
{% include "block/radix/match_rank.cuh" %}
{%- else -%}
{% include "block/radix/packed_rank.cuh" %}
{%- endif %}

{% include "block/radix/passes.cuh" %}
{%- endif %}

{%- if key.relative %}

  const Bits base_;
{%- else %}
{% endif %}
  TempStorage& storage_;
  const unsigned int thread_;
};

}  // namespace {{ version_namespace }}
}  // namespace sortsmith
#endif
{%- endblock %}
{%- if tile_kernel %}
{% include "fragments/tile_kernel.cuh" %}
{%- endif %}

