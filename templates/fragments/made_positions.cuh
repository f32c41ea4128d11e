{%- if value.is_position %}
//
// No values are read. The sort makes them: each key's position in {{ positions_of }}.
{%- endif %}
