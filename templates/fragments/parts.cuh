#pragma once
{% if let Some(header) = key.header %}
#include <{{ header }}>
{% endif %}
{%- for part in parts %}
#ifndef {{ part.guard }}
#define {{ part.guard }}
namespace sortsmith {
inline namespace {{ version_namespace }} {

{{ part.text }}
}  // namespace {{ version_namespace }}
}  // namespace sortsmith
#endif
{% endfor %}
