// {{ base.name }}
//
// {{ base.title }}: {% block summary %}{% endblock %}
//
// Made by sortsmith {{ base.version }} from the template {{ base.template }}; to make it again:
//   sortsmith emit --name {{ base.name }}{% if base.has_tile_kernel %} --tile-kernel{% endif %}{% if base.has_rows_kernel %} --rows-kernel{% endif %} --out .
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
{% if let Some(header) = base.cuda_header %}
#include <{{ header }}>
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
