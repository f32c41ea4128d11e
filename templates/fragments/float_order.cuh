{%- if key.is_float %}
//
// Keys order by sign and magnitude. {% if zeros_are_equal %}-0.0 and +0.0 are equal.{% else %}-0.0 is less than +0.0.{% endif %} {% if key.nan_last %}NaNs come last, in their input order.{% else %}NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.{% endif %}
{%- else if key.is_struct %}
//
// Keys order by their fields, of which the first one decides first.{% if key.has_float_field %} Floats order by sign and magnitude: -0.0 and +0.0 are equal, and NaNs order by
// their bits.{% endif %} Bits of a key are those of its fields, without padding, the last field lowest.
{%- endif %}
