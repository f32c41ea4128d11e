{% include "fragments/position.cuh" %}

  static __device__ __forceinline__ unsigned int key_slot(unsigned int position) {
    return position{% if key_gap > 0 %} + position / kKeyPeriod * kKeyGap{% endif %};  //~ padded-slot
  }
{%- if carries %}

  static __device__ __forceinline__ unsigned int carried_slot(unsigned int position) {
    return position{% if carried_gap > 0 %} + position / kCarriedPeriod * kCarriedGap{% endif %};  //~ padded-slot
  }
{%- endif %}

  // Items to their positions in shared memory. All threads' positions together are a permutation of the tile.
  __device__ __forceinline__ void items_to_shared(const BitsItems& bits, {% if carries %}const CarriedItems& carried, {% endif %}const Positions& positions) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      storage_.exchange.keys[key_slot(positions[i])] = static_cast<StoredBits>(bits[i]);
{%- if carries %}
      storage_.exchange.carried[carried_slot(positions[i])] = static_cast<Carried>(carried[i]);
{%- endif %}
    }
  }

  // Each thread's items from shared memory.
  template <Arrangement kArrangement>
  __device__ __forceinline__ void shared_to_items(BitsItems& bits{% if carries %}, CarriedItems& carried{% endif %}) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      bits[i] = storage_.exchange.keys[key_slot(position<kArrangement>(i))];
{%- if carries %}
      carried[i] = storage_.exchange.carried[carried_slot(position<kArrangement>(i))];
{%- endif %}
    }
  }
{%- if !counts_keys %}

  // Turns the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void turn(BitsItems& bits{% if carries %}, CarriedItems& carried{% endif %}) {
    if constexpr (kFrom != kTo) {
      Positions positions;
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) positions[i] = position<kFrom>(i);
      items_to_shared(bits, {% if carries %}carried, {% endif %}positions);
{%- if has_whole_warps %}
      if constexpr (kFrom != Arrangement::kStriped && kTo != Arrangement::kStriped) {
        // Every item stays in its warp.
        __syncwarp();
      } else {
        __syncthreads();
      }
{%- else %}
      __syncthreads();
{%- endif %}
      shared_to_items<kTo>(bits{% if carries %}, carried{% endif %});
    }
  }
{%- endif %}
{%- if fetches_values %}

  static __device__ __forceinline__ unsigned int word_slot(unsigned int position) {
    return position{% if word_gap > 0 %} + position / kWordPeriod * kWordGap{% endif %};  //~ padded-slot
  }

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
        storage_.value_words[word_slot(position<kFrom>(i))] = {{ version_namespace }}::bits_as<Words>(values[i]).word[w];
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        Words words = {{ version_namespace }}::bits_as<Words>(values[i]);
        words.word[w] = storage_.value_words[word_slot(sources[i])];
        values[i] = {{ version_namespace }}::bits_as<Value>(words);
      }
    }
  }
{%- endif %}
