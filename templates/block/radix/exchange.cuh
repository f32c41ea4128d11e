{% include "fragments/position.cuh" %}

  // Items to their positions in shared memory. All threads' positions together are a permutation of the tile.
  __device__ __forceinline__ void items_to_shared(const BitsItems& bits, {% if radix.carries %}const CarriedItems& carried, {% endif %}const Positions& positions) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      storage_.exchange.keys[KeySlots::of(positions[i])] = static_cast<StoredBits>(bits[i]);
{%- if radix.carries %}
      storage_.exchange.carried[CarriedSlots::of(positions[i])] = static_cast<Carried>(carried[i]);
{%- endif %}
    }
  }

  // Each thread's items from shared memory.
  template <Arrangement kArrangement>
  __device__ __forceinline__ void shared_to_items(BitsItems& bits{% if radix.carries %}, CarriedItems& carried{% endif %}) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      bits[i] = storage_.exchange.keys[KeySlots::of(position<kArrangement>(i))];
{%- if radix.carries %}
      carried[i] = storage_.exchange.carried[CarriedSlots::of(position<kArrangement>(i))];
{%- endif %}
    }
  }
{%- if !radix.counts_keys %}

  // Moves the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void rearrange(BitsItems& bits{% if radix.carries %}, CarriedItems& carried{% endif %}) {
    if constexpr (kFrom != kTo) {
      Positions positions;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = position<kFrom>(i);
      items_to_shared(bits, {% if radix.carries %}carried, {% endif %}positions);
      if constexpr (kBlockThreads % kWarpThreads == 0 && kFrom != Arrangement::kStriped && kTo != Arrangement::kStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
      shared_to_items<kTo>(bits{% if radix.carries %}, carried{% endif %});
    }
  }
{%- endif %}
{%- if radix.fetches_values %}

  // Brings each value from its source position in the tile, a word at a time.
  template <Arrangement kFrom>
  __device__ __forceinline__ void fetch_values(Values& values, const CarriedItems& sources) {
    struct Words {
      unsigned int word[kValueWords];
    };
#pragma unroll
    for (int w = 0; w < kValueWords; ++w) {
      // The exchange storage, or the word before, has been read.
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        storage_.value_words[WordSlots::of(position<kFrom>(i))] = {{ base.version_namespace }}::bits_as<Words>(values[i]).word[w];
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        Words words = {{ base.version_namespace }}::bits_as<Words>(values[i]);
        words.word[w] = storage_.value_words[WordSlots::of(sources[i])];
        values[i] = {{ base.version_namespace }}::bits_as<Value>(words);
      }
    }
  }
{%- endif %}
