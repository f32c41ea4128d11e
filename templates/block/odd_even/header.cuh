{% extends "fragments/file.cuh" %}

{% block summary %}a block of {{ tile.threads }} threads sorts a tile of {{ tile_items }} items by
// odd-even transposition in shared memory. Stable: equal keys keep their input order.
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the tile's input order" %}
{%- include "fragments/made_positions.cuh" %}
//
// Glossary
//   pair:  two neighbours in the tile, which are exchanged where the right one is less
//   round: the pairs that begin at even positions, or those that begin at odd ones; no item is in two of them
//
{% include "block/usage.cuh" %}{% endblock %}

{% block constants %}
{% include "block/odd_even/constants.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

{% include "block/odd_even/constants.cuh" %}

  // One thread's items.
  using Keys = Key[kItemsPerThread];
{%- if value.exists %}
  using Values = Value[kItemsPerThread];
{%- endif %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

 public:
  // The tile's ordered bits{% if value.exists %} and values{% endif %}, by their positions.
  struct TempStorage {
    StoredBits bits[kTileItems];
{%- if value.exists %}
    Value values[kTileItems];
{%- endif %}
  };
  static_assert(sizeof(TempStorage) == kSharedBytes, "the storage is laid out as planned");

  // All threads of the block share one storage. It may be used again, by this or anything else, after a barrier.
  explicit __device__ __forceinline__ {{ base.name }}(TempStorage& storage)
      : storage_(storage), thread_(threadIdx.x + kBlockX * (threadIdx.y + kBlockY * threadIdx.z)) {}

  // The members below sort one tile. All threads of the block call the same one, with the same valid_items.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards.
{% include "block/members.cuh" %}

 private:
{% include "fragments/position.cuh" %}

  // Puts the pair that begins at this position in order. Equal keys stay as they are, so the sort is stable.
  __device__ __forceinline__ void order_pair(unsigned int left) {
    const StoredBits left_bits = storage_.bits[left];
    const StoredBits right_bits = storage_.bits[left + 1];
    if (compared_bits(right_bits) < compared_bits(left_bits)) {  //~ right-is-less
      storage_.bits[left] = right_bits;
      storage_.bits[left + 1] = left_bits;
{%- if value.exists %}
      const Value left_value = storage_.values[left];
      storage_.values[left] = storage_.values[left + 1];  //~ exchanged-value
      storage_.values[left + 1] = left_value;
{%- endif %}
    }
  }

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys{% if value.exists %}, Values& values{% endif %}, unsigned int valid_items) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      storage_.bits[position<kFrom>(i)] = static_cast<StoredBits>(to_ordered_bits(keys[i]));
{%- if value.exists %}
      storage_.values[position<kFrom>(i)] = {% if value.is_position %}position<kFrom>(i){% else %}values[i]{% endif %};
{%- endif %}
    }
    __syncthreads();
    for (unsigned int round = 0; round < kRounds; ++round) {  //~ rounds
      // Pairs with an item past the valid ones are left as they are.
      for (unsigned int left = 2 * thread_ + round % 2; left + 1 < valid_items; left += 2 * kBlockThreads) {  //~ pairs-of-a-thread
        order_pair(left);
      }
      // The next round's pairs have an item of each of two of these.
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = to_key(storage_.bits[position<kTo>(i)]);
{%- if value.exists %}
      values[i] = storage_.values[position<kTo>(i)];
{%- endif %}
    }
  }

{% include "block/tile_items.cuh" %}

{% include "block/sort_in_memory.cuh" %}

  TempStorage& storage_;
  const unsigned int thread_;
{% endblock %}

{% block tile_kernel %}
{%- if base.has_tile_kernel %}
{% include "block/tile_kernel.cuh" %}
{%- endif %}
{%- if base.has_rows_kernel %}
{% include "block/rows_kernel.cuh" %}
{%- endif %}
{%- if base.has_counted_rows_kernel %}
{% include "block/counted_rows_kernel.cuh" %}
{%- endif %}
{%- endblock %}
