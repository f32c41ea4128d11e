{%- if key.is_float %}
//
// Keys order by sign and magnitude. {% if zeros_are_equal %}-0.0 and +0.0 are equal.{% else %}-0.0 is less than +0.0.{% endif %} {% if key.nan_last %}NaNs come last, in their input order.{% else %}NaNs order by their bits: those with the sign bit set are
// less than all numbers, the others greater.{% endif %}
{%- endif %}
