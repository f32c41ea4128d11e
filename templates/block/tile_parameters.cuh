    const {{ key.cuda }}* keys_in, {{ key.cuda }}* keys_out,
{%- if value.exists %}
    {% if value.is_read %}const {{ value.cuda }}* values_in, {% endif %}{{ value.cuda }}* {{ value.out }},
{%- endif %}
    unsigned long long n{{ tile.kernel_parameters }}
