

{% include "fragments/counted_rows.cuh" %}
{%- if base.is_of_project %}
extern "C" __global__ void
{{ base.name }}_counted_rows({{ parameters.counted_rows.declared }});
{%- endif %}
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined({{ base.struct_guard }}_COUNTED_ROWS)
#define {{ base.struct_guard }}_COUNTED_ROWS
extern "C" __global__ void __launch_bounds__({{ tile_threads }})
{{ base.name }}_counted_rows({{ parameters.counted_rows.declared }}) {
{% include "fragments/counted_shape.cuh" %}
  using Sort = sortsmith::{{ base.name }};
  Sort().SortRow({{ parameters.rows.names }});
}
#endif
