{%- if is_signed_or_float %}
  static constexpr Bits kSign = Bits(1) << {{ storage_bits - 1 }};
{%- endif %}
{%- if descending %}
  // Descending order is ascending order of the complement: equal keys still keep their order.
  static constexpr Bits kComplement = StoredBits(~StoredBits(0));
{%- endif %}

  static __device__ __forceinline__ Bits to_ordered_bits(Key key) {
    {% if is_float %}const Bits{% else %}return{% endif %}{% if is_float %} bits = bits_as<StoredBits>(key);
    return bits ^ (bits & kSign ? Bits(StoredBits(~StoredBits(0))) : kSign){% if descending %} ^ kComplement{% endif %};
{%- else %} bits_as<StoredBits>(key){% if is_signed %} ^ kSign{% endif %}{% if descending %} ^ kComplement{% endif %};
{%- endif %}
  }

  static __device__ __forceinline__ Key to_key(Bits ordered) {
{%- if is_float %}
    const Bits bits = ordered{% if descending %} ^ kComplement{% endif %};
    return bits_as<Key>(StoredBits(bits ^ (bits & kSign ? kSign : Bits(StoredBits(~StoredBits(0))))));
{%- else %}
    return bits_as<Key>(StoredBits(ordered{% if descending %} ^ kComplement{% endif %}{% if is_signed %} ^ kSign{% endif %}));
{%- endif %}
  }

  // The digit of `count` bits, at most kRadixBits, from `bit` up.{% if is_float %} The digits of -0.0 are those of +0.0.{% endif %}
  static __device__ __forceinline__ unsigned int digit_of(Bits ordered, int bit, int count) {
{%- if is_float %}
{%- if descending %}
    constexpr Bits kPositiveZero = kSign ^ kComplement;
    constexpr Bits kNegativeZero = (kSign - 1) ^ kComplement;
{%- else %}
    constexpr Bits kPositiveZero = kSign;
    constexpr Bits kNegativeZero = kSign - 1;
{%- endif %}
    if (ordered == kNegativeZero) ordered = kPositiveZero;
{%- endif %}
    return static_cast<unsigned int>(ordered >> bit) & ((1u << count) - 1u);
  }
