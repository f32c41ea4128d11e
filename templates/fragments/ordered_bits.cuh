{%- if key.is_struct %}
{%- include "fragments/struct_bits.cuh" %}
{%- else %}
{%- if key.is_signed_or_float %}
  static constexpr Bits kSign = Bits(1) << (8 * sizeof(Key) - 1);
{%- endif %}
  static constexpr Bits kAllBits = {% if key.is_bool %}1{% else %}StoredBits(~StoredBits(0)){% endif %};

{% if key.descending -%}
{#- Both directions of the transform end, or begin, with the complement. #}  // Ordered bits of a key{% if key.is_float %}: all bits of a negative key flipped, the sign of any other{% else if key.is_signed %}: the sign bit flipped{% endif %}. Descending order is ascending order of
  // their complement: so equal keys keep their order here too.
{%- else %}  // Ordered bits of a key{% if key.is_float %}: all bits of a negative key flipped, the sign of any other{% else if key.is_signed %}: the sign bit flipped{% endif %}.
{%- endif %}
  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
{%- if key.is_float %}
    const Bits bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? kAllBits : kSign){% if key.descending %} ^ kAllBits{% endif %};
{%- else %}
    return bits_as<StoredBits>(key){% if key.is_signed %} ^ kSign{% endif %}{% if key.descending %} ^ kAllBits{% endif %};
{%- endif %}
  }

  // The key of ordered bits.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
{%- if key.is_float %}
    const Bits bits = ordered{% if key.descending %} ^ kAllBits{% endif %};
    return bits_as<Key>(static_cast<StoredBits>(bits ^ (bits & kSign ? kSign : kAllBits)));
{%- else %}
    return bits_as<Key>(static_cast<StoredBits>(ordered{% if key.descending %} ^ kAllBits{% endif %}{% if key.is_signed %} ^ kSign{% endif %}));
{%- endif %}
  }
{%- endif %}
