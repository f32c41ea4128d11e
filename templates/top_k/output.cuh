{%- if found.is_read %}
  // A value is {{ found.words }} of these, and aligned to one.
{%- else %}
  // A position as it is written.
{%- endif %}
  using Word = {{ found.cuda }};
  static constexpr unsigned int kWords = {{ found.words }};

  // Where the results of a row go, beside its keys. Each may be null.
  struct Output {
    unsigned int* positions;
    Word* values_out;
{%- if found.is_read %}
    const Word* values;
{%- endif %}

    // That of a row, the results of which begin there.
    static __device__ __forceinline__ Output of_row(unsigned long long first, unsigned int* positions_out,
                                                    Word* values_out{% if found.is_read %}, const Word* values{% endif %}) {
      return {positions_out ? positions_out + first : nullptr,
              values_out ? values_out + first * kWords : nullptr{% if found.is_read %}, values{% endif %}};
    }
{%- if found.is_read %}

    // The same with the values of another row, which begins at this distance.
    __device__ __forceinline__ Output of_later_row(unsigned long long distance) const {
      return {positions, values_out, values + distance * kWords};
    }
{%- endif %}

    // Writes what belongs to the key at a position.
    __device__ __forceinline__ void write(unsigned int rank, unsigned int position) const {
      if (positions) positions[rank] = position;
      if (!values_out) return;
{%- if found.is_read %}
      Word* const to = values_out + static_cast<unsigned long long>(rank) * kWords;
      const Word* const from = values + static_cast<unsigned long long>(position) * kWords;
#pragma unroll 4
      for (unsigned int i = 0; i < kWords; ++i) to[i] = from[i];  //~ words-of-value
{%- else %}
      values_out[rank] = position;
{%- endif %}
    }
  };
