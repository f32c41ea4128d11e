{%- if keeps_positions %}  // The workspace has the position in the input of each item.
  static __device__ __forceinline__ unsigned int* positions_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned int*>(arguments.workspace);
  }

{% endif %}  // The item at an offset of the array; `kIsInput`: of the one that is to be sorted, and not of what is sorted so far.
  template <bool kIsInput>
  static __device__ __forceinline__ Word item_at(const Arguments& arguments, unsigned long long offset) {
    if (offset >= arguments.n) return max_word();  //~ read-past-end
    const Key key = (kIsInput ? arguments.keys_in : arguments.keys_out)[offset];
{%- if reads_values %}
    const Value value = (kIsInput ? arguments.values_in : arguments.values_out)[offset];
{%- endif %}
{%- if keeps_positions %}
    Word word = word_of(key, kIsInput ? static_cast<unsigned int>(offset) : positions_of(arguments)[offset], true);  //~ position-of-a-tie
{%- else if makes_positions %}
    return word_of(key, kIsInput ? static_cast<unsigned int>(offset) : arguments.values_out[offset], true);  //~ position-value
{%- else if values_break_ties %}
    return word_of(key, value, true);
{%- else if has_values %}
    Word word = word_of(key, 0u, true);
{%- else %}
    return word_of(key, 0u, true);
{%- endif %}
{%- if words.carried_parts > 0 %}
    const Parts<kValueParts> parts = {% if value_bytes < 4 %}{ {value} }{% else %}{{ version_namespace }}::bits_as<Parts<kValueParts>>(value){% endif %};
#pragma unroll
    for (int i = 0; i < kValueParts; ++i) word.part[kComparedParts + i] = parts.part[i];
    return word;
{%- endif %}
  }

  static __device__ __forceinline__ void put_item(const Arguments& arguments, unsigned long long offset, const Word& word) {
    if (offset >= arguments.n) return;  //~ write-past-end
    arguments.keys_out[offset] = key_of(word);
{%- if keeps_positions %}
    positions_of(arguments)[offset] = position_of(word);  //~ stored-position
{%- else if makes_positions %}
    arguments.values_out[offset] = position_of(word);
{%- else if values_break_ties %}
    arguments.values_out[offset] = value_of(word);
{%- endif %}
{%- if words.carried_parts > 0 %}
    Parts<kValueParts> parts;
#pragma unroll
    for (int i = 0; i < kValueParts; ++i) parts.part[i] = word.part[kComparedParts + i];  //~ parts-of-a-value
    arguments.values_out[offset] = {% if value_bytes < 4 %}static_cast<Value>(parts.part[0]){% else %}{{ version_namespace }}::bits_as<Value>(parts){% endif %};
{%- endif %}
  }
