  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
    // The keys to sort, written only where keys_out is the same array.
    const Key* keys_in;
    // The sorted keys; the same array as keys_in to sort in place.
    Key* keys_out;
    // {% if is_in_place %}Not used by this sort{% else %}Scratch{% endif %}.
    Key* keys_alternate;
    // The same of values{% if !reads_values %}, where the sort has any; values_in is not read{% endif %}.
    const Value* values_in;
    Value* values_out;
    Value* values_alternate;
    // workspace_bytes(n){% if sorts_by_counting %} or counting_bytes(){% endif %}, aligned to {{ workspace_align }}; the first zeroed_bytes(n){% if sorts_by_counting %}, or all of them,{% else %} of them{% endif %} zero.
    unsigned char* workspace;
    // At most kMaxItems.
    unsigned long long n;
    // {% if is_in_place %}Not used by this sort: all of the key takes part.{% else %}The bits of the ordered key that take part, 0 <= begin_bit <= end_bit <= kKeyBits.{% endif %}
    int begin_bit;
    int end_bit;
    // Whether the sorted keys are written: 1, or 0 where only values are wanted; keys_out is scratch then.
    int writes_keys;
    // {% if interleaves %}Whether keys and values may lie side by side between passes: 1 if keys_out and values_out are aligned to an
    // item's {{ item_bytes }} bytes, keys_alternate to 16, and room for n items follows it; values_alternate is then where their
    // last n values lie.{% else %}Not used by this sort.{% endif %}
    int interleaves;
    // {% if counts %}Columns of counters that a block of _count has room for, as their logarithm to base 2: at most 5 are of use.{% else %}Not used by this sort.{% endif %}
    int count_columns_log2;
    // {% if sorts_msd_buckets %}Whether _bucket_offsets and _msd_buckets are launched{% else %}Not used by this sort{% endif %}.
    int sorts_msd_buckets;
  };
