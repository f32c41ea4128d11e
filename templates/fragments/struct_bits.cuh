
  static constexpr Bits kAllBits = ~Bits(0) >> (8 * sizeof(Bits) - {{ key.bits }});

  // A key's fields, the first of which decides first.
{%- for field in key.fields %}
  using Field{{ field.number }} = KeyField<{{ field.cuda }}, {{ field.stored_bits }}, FieldKind::{{ field.kind }}>;
{%- endfor %}

  // Ordered bits of a key: those of its fields, the first one uppermost.{% if key.descending %} Descending order is ascending order of
  // their complement: so equal keys keep their order here too.{% endif %}
  static __device__ __forceinline__ Bits to_ordered_bits(const Key& key) {
    Bits bits = 0;
{%- for field in key.fields %}
    bits |= static_cast<Bits>(Field{{ field.number }}::to_ordered_bits(key.field{{ field.number }})) << {{ field.bit }};
{%- endfor %}
    return bits{% if key.descending %} ^ kAllBits{% endif %};
  }

  // The key of ordered bits: all bits of all fields.
  static __device__ __forceinline__ Key to_key(Bits ordered) {
    const Bits bits = ordered{% if key.descending %} ^ kAllBits{% endif %};
    Key key;
{%- for field in key.fields %}
    key.field{{ field.number }} = Field{{ field.number }}::of_ordered_bits(static_cast<{{ field.stored_bits }}>(bits >> {{ field.bit }}));
{%- endfor %}
    return key;
  }
