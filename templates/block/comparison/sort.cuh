{% include "block/comparison/sort_words.cuh" %}
{%- if compares_truncated_keys %}

{% include "block/comparison/truncated_keys.cuh" %}
{%- else %}

  // Sorts the tile from one arrangement to another.
  template <Arrangement kFrom, Arrangement kTo>
  __device__ __forceinline__ void sort(Keys& keys{% if has_values %}, Values& values{% endif %}, unsigned int valid_items) {
    Word words[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) words[i] = word_of(keys[i], {% if values_break_ties %}values[i]{% else %}position<kFrom>(i){% endif %}, true);
    if (valid_items < kTileItems) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position<kFrom>(i) >= valid_items) words[i] = word_of(Key(), {% if values_break_ties %}Value(){% else %}position<kFrom>(i){% endif %}, false);  //~ valid-items
      }
    }
    sort_words(words);
    turn<kTo>(words);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = key_of(words[i]);
{%- if values_break_ties %}
      values[i] = value_of(words[i]);
{%- else if makes_positions %}
      values[i] = position_of(words[i]);
{%- endif %}
    }
{%- if fetches_values %}
    fetch_values<kFrom>(values, words);
{%- endif %}
  }
{%- if fetches_values %}

  // Brings each item's value from its position in the input, a word at a time.
  template <Arrangement kFrom>
  __device__ __forceinline__ void fetch_values(Values& values, const Word (&words)[kItemsPerThread]) {
    Parts<kValueWords> parts[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) parts[i] = {% if value_bytes < 4 %}{ {values[i]} }{% else %}{{ version_namespace }}::bits_as<Parts<kValueWords>>(values[i]){% endif %};
#pragma unroll
    for (int w = 0; w < kValueWords; ++w) {
      // The tile, or the word before, has been read.
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) storage_.words[0][slot(position<kFrom>(i))] = parts[i].part[w];
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) parts[i].part[w] = storage_.words[0][slot(position_of(words[i]))];  //~ gathered-by-position
    }
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = {% if value_bytes < 4 %}static_cast<Value>(parts[i].part[0]){% else %}{{ version_namespace }}::bits_as<Value>(parts[i]){% endif %};
  }
{%- endif %}
{%- endif %}
