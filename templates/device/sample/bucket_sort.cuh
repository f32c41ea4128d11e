// Sorts the items of one bucket, at most kItems for each thread of the block: a stable LSD radix sort by how far keys are above the
// bucket's least one, of which most often the upper bits are zero.
template <int kItems>
struct {{ base.name }}_bucket_sort {
  using Key = {{ key.cuda }};
  using Value = {{ bucket_value }};

  static constexpr int kBlockThreads = {{ threads }};
  static constexpr int kItemsPerThread = kItems;
  static constexpr int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kRadixBits = {{ radix.radix_bits }};
  static constexpr int kKeyBits = {{ key.bits }};

  // One thread's items.
  using Keys = Key[kItemsPerThread];
{%- if value.exists %}
  using Values = Value[kItemsPerThread];
{%- endif %}

 private:
{% include "fragments/arrangement.cuh" %}

{% include "block/radix/item_types.cuh" %}

  // The arrangement in which items are ranked: its registers, thread after thread, are the tile's order within a warp, row by row.
  static constexpr Arrangement kRanked = Arrangement::kWarpStriped;
  using BlockScan = {{ radix.block_scan }};

{% include "block/radix/match_storage.cuh" %}

{% include "block/radix/exchange_storage.cuh" %}
{%- if let Some(items) = overlapping_items %}

  static constexpr bool kOverlaps = kItemsPerThread >= {{ items }};
{%- let storage = "OverlappingStorage" %}
{% include "block/radix/overlapping_storage.cuh" %}

{%- let storage = "StorageApart" %}
{% include "block/radix/storage_apart.cuh" %}

 public:
  using TempStorage = typename Conditional<kOverlaps, OverlappingStorage, StorageApart>::Type;
{%- else %}
  static constexpr bool kOverlaps = false;

 public:
{%- let storage = "TempStorage" %}
{% include "block/radix/storage_apart.cuh" %}
{%- endif %}

  // All threads of the block share one storage. It may be used again after a barrier. No key's ordered bits are below the base, nor is
  // the one before it -0.0.
  __device__ __forceinline__ {{ base.name }}_bucket_sort(TempStorage& storage, Bits base) : base_(base), storage_(storage), thread_(threadIdx.x) {}

  // Sorts the first valid_items items from warp-striped to striped arrangement, by the bits of their distance to the base that take
  // part. All threads of the block call it.
  __device__ __forceinline__ void Sort(Keys& keys{% if value.exists %}, Values& values{% endif %}, int begin_bit, int end_bit, unsigned int valid_items) {
    sort<Arrangement::kWarpStriped, Arrangement::kStriped>(keys, {% if value.exists %}values, {% endif %}begin_bit, end_bit, valid_items);
  }

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

  // The digit of `count` bits, at most kRadixBits, from `bit` up, of what is above the base.
  __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) const {
    return static_cast<unsigned int>((compared_bits(ordered) - base_) >> bit) & ((1u << count) - 1u);  //~ above-base
  }

{% include "block/radix/exchange.cuh" %}

{% include "block/radix/match_rank.cuh" %}

{% include "block/radix/passes.cuh" %}

  const Bits base_;
  TempStorage& storage_;
  const unsigned int thread_;
};
