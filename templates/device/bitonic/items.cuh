{%- if keeps_positions %}  // The workspace has the position in the input of each item.
  static __device__ __forceinline__ unsigned int* positions_of(const Arguments& arguments) {
    return reinterpret_cast<unsigned int*>(arguments.workspace);
  }

{% endif %}  // The item at an offset of the array; `kIsInput`: of the one that is to be sorted, and not of what is sorted so far.
  template <bool kIsInput>
  static __device__ __forceinline__ CompositeKey item_at(const Arguments& arguments, unsigned long long offset) {
    if (offset >= arguments.n) return max_composite();  //~ read-past-end
    const Key key = (kIsInput ? arguments.keys_in : arguments.keys_out)[offset];
{%- if value.is_read %}
    const Value value = (kIsInput ? arguments.values_in : arguments.values_out)[offset];
{%- endif %}
{%- if keeps_positions %}
    CompositeKey composite = composite_of(key, kIsInput ? static_cast<unsigned int>(offset) : positions_of(arguments)[offset], true);  //~ position-of-a-tie
{%- else if value.is_position %}
    return composite_of(key, kIsInput ? static_cast<unsigned int>(offset) : arguments.values_out[offset], true);  //~ position-value
{%- else if composites.values_break_ties %}
    return composite_of(key, value, true);
{%- else if value.exists %}
    CompositeKey composite = composite_of(key, 0u, true);
{%- else %}
    return composite_of(key, 0u, true);
{%- endif %}
{%- if composites.carried_limbs > 0 %}
    const Limbs<kValueLimbs> value_limbs = limbs_of<kValueLimbs>(value);
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) composite.limb[kComparedLimbs + i] = value_limbs.limb[i];
    return composite;
{%- endif %}
  }

  static __device__ __forceinline__ void put_item(const Arguments& arguments, unsigned long long offset, const CompositeKey& composite) {
    if (offset >= arguments.n) return;  //~ write-past-end
    arguments.keys_out[offset] = key_of(composite);
{%- if keeps_positions %}
    positions_of(arguments)[offset] = position_of(composite);  //~ stored-position
{%- else if value.is_position %}
    arguments.values_out[offset] = position_of(composite);
{%- else if composites.values_break_ties %}
    arguments.values_out[offset] = value_of(composite);
{%- endif %}
{%- if composites.carried_limbs > 0 %}
    Limbs<kValueLimbs> value_limbs;
#pragma unroll
    for (int i = 0; i < kValueLimbs; ++i) value_limbs.limb[i] = composite.limb[kComparedLimbs + i];  //~ limbs-of-a-value
    arguments.values_out[offset] = value_of_limbs<Value>(value_limbs);
{%- endif %}
  }
