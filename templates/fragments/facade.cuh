{%- block summary %}{% endblock %}
//
// Made by sortsmith {{ version }} from the template {% block made_from %}{% endblock %}; to make it again:
//   {% block made_by %}sortsmith emit {{ command }} --out .{% endblock %}
#pragma once

{% include "fragments/cpp_version.cuh" %}

{{ sources }}
{%- block before_key_kinds %}{% endblock %}
namespace sortsmith {
inline namespace {{ version_namespace }} {
{% include "fragments/key_kinds.cuh" %}
{%- block behind_key_kinds %}{% endblock %}

{% include "fragments/device_calls.cuh" %}
{% block body %}{% endblock %}

}  // namespace {{ version_namespace }}
}  // namespace sortsmith
