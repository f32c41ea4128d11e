  // What all kernels of one sort are given. Arrays of keys and values have n items each.
  struct Arguments {
{%- for argument in arguments %}
{%- for line in argument.comment %}
    // {{ line }}
{%- endfor %}
    {{ argument.cuda }} {{ argument.name }};
{%- endfor %}
  };
