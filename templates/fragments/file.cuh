// {{ base.name }}
//
// {{ base.title }}: {% block summary %}{% endblock %}
//
// Made by sortsmith {{ base.version }} from the template {{ base.template }}; to make it again:
//   sortsmith emit --name {{ base.name }}{% if base.has_tile_kernel %} --tile-kernel{% endif %}{% if base.has_rows_kernel %} --rows-kernel{% endif %}{% if base.has_counted_rows_kernel %} --counted-rows-kernel{% endif %} --out .
{% include "fragments/cpp_version.cuh" %}
#pragma once
{%- if base.is_of_project %}

#if !defined(__CUDACC__) && !defined(SORTSMITH_EMULATOR)
// To a compiler of the host alone the struct has the sort's constants.
#ifndef {{ base.struct_guard }}
#define {{ base.struct_guard }}
namespace sortsmith {
inline namespace {{ base.version_namespace }} {

struct {{ base.name }} {
{%- block constants %}{% endblock %}
};

}  // namespace {{ base.version_namespace }}
}  // namespace sortsmith
#endif
#else
{%- endif %}
{% if !base.cuda_headers.is_empty() %}
{%- for header in base.cuda_headers %}
#include <{{ header }}>
{%- endfor %}
{% endif %}
{%- for part in base.common_parts %}
#ifndef {{ part.guard }}
#define {{ part.guard }}
namespace sortsmith {
inline namespace {{ base.version_namespace }} {

{{ part.text }}
}  // namespace {{ base.version_namespace }}
}  // namespace sortsmith
#endif
{% endfor %}
{%- if let Some(key) = base.key_struct %}
#ifndef {{ key.guard }}
#define {{ key.guard }}
namespace sortsmith {
inline namespace {{ base.version_namespace }} {

// A key that is compared by its fields, of which the first one decides first. A struct of one's own with the same fields has the same bytes.
struct {{ key.name }} {
{%- for field in key.fields %}
  {{ field.cuda }} field{{ field.number }};
{%- endfor %}
};
static_assert(sizeof({{ key.name }}) == {{ key.bytes }}, "the key is laid out as planned");

}  // namespace {{ base.version_namespace }}
}  // namespace sortsmith
#endif
{% endif %}
#ifndef {{ base.struct_guard }}
#define {{ base.struct_guard }}
namespace sortsmith {
inline namespace {{ base.version_namespace }} {
{% block before_struct %}{% endblock %}
struct {{ base.name }} {
{%- block members %}{% endblock %}};

}  // namespace {{ base.version_namespace }}
}  // namespace sortsmith
{%- block kernels %}
{% endblock -%}
#endif
{%- block tile_kernel %}{% endblock %}
{%- if base.is_of_project %}

#endif  // a compiler of the host alone
{%- endif %}
