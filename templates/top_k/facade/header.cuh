{% extends "fragments/facade.cuh" %}

{% block summary %}// sortsmith::DeviceTopK and sortsmith::DeviceBatchedTopK, the first k keys of an array or of each row of a matrix: {{ title }}.
//
// Results are sorted, the largest or the smallest key first, and equal keys by their positions: of those the lowest are found, so results are the
// same every time. -0.0 and +0.0 are equal; NaNs are ordered by their bits, as CUB's sorts order them. k is at most {{ max_k }}, and less where a block
// has less shared memory: at most
{%- for limit in limits %}
//   {{ limit.max_k }} with {{ limit.shared_bytes }} bytes{% if !loop.last %},{% else %}.{% endif %}
{%- endfor %}
// For more keys, sort the array: sortsmith emit --facade cub-device.
//
// Nothing is allocated and nothing is waited for, so calls can be captured; any number of threads may call at once, on any devices. Errors are
// returned, and then nothing is enqueued: cudaErrorInvalidValue if an argument is not legal, cudaErrorNotSupported if k is too large for the
// shared memory of the device.{% endblock %}

{% block made_from %}top_k/facade{% endblock %}

{% block before_key_kinds %}
#ifndef {{ null_type.guard }}
#define {{ null_type.guard }}
namespace sortsmith {
inline namespace {{ version_namespace }} {
{{ null_type.text }}
}  // namespace {{ version_namespace }}
}  // namespace sortsmith
#endif
{% endblock %}

{% block body %}
#ifndef {{ guard }}
#define {{ guard }}
namespace top_k_facade {

using namespace device_facade;
{% include "top_k/facade/launches.cuh" %}
{%- let class = "DeviceTopK" %}
{%- let command = "--facade cub-topk" %}
{%- let further_keys = "" %}
{%- let further_words = " --out <a folder of its own, to be included too>" %}
{%- let positions = "" %}

{% include "fragments/emitted_sorts.cuh" %}

}  // namespace top_k_facade
#endif

namespace top_k_facade {
{% for host in hosts %}
#ifndef {{ host.guard }}
#define {{ host.guard }}
// The host's part of {{ host.name }}.
template <int kInstance>
struct {{ host.name }}_host : HostOf<{{ host.name }}_host<kInstance>> {
  static constexpr bool kIsOfBlocks = {{ host.plan.is_some() }};

  explicit {{ host.name }}_host(const Shape& shape) : HostOf<{{ host.name }}_host>{shape} {}
{% include "top_k/facade/plan.cuh" %}
{%- for kernel in host.kernels %}

  static void {{ kernel.name }}(Launches& launches, Arguments& arguments, unsigned long long blocks) {
    void* parameters[] = {
{%- for argument in kernel.arguments %}&arguments.{{ argument }}{% if !loop.last %}, {% endif %}{% endfor %}};
    launches.launch(reinterpret_cast<const void*>(&{{ host.name }}_{{ kernel.name }}<kInstance>), blocks, {{ host.threads }}, {{ host.shared_bytes }}, parameters);
  }
{%- endfor %}
};
#endif
{% endfor %}
{%- for order in orders %}
#ifndef {{ order.emitted_guard }}
#define {{ order.emitted_guard }}
template <>
struct Emitted<{{ kind }}, {{ value_bytes }}, {{ order.descending }}> {
  static constexpr bool kExists = true;
  // With as much shared memory as any device has.
  static constexpr unsigned long long kMaxK = {{ max_k }};

  // Calls `visit` with the host's part of the kernels for a shape, the first that are for it; not if k is too large for the device.
  template <int kInstance, typename Visit>
  static void choose(const Shape& shape, unsigned long long shared_bytes_per_block, const Visit& visit) {
    const unsigned long long columns = shape.columns, k = shape.k;
{%- for choice in order.choices %}
    if ({{ choice.condition }}) return visit({{ choice.name }}_host<kInstance>(shape));
{%- endfor %}
  }
};
#endif
{% endfor %}
}  // namespace top_k_facade

{% include "top_k/facade/classes.cuh" %}{% endblock %}
