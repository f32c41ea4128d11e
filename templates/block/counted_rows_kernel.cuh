
{% include "fragments/counted_rows.cuh" %}
{%- if base.is_of_project %}
extern "C" __global__ void
{{ base.name }}_counted_rows({{ parameters.counted_rows.declared }});
{%- endif %}
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined({{ base.struct_guard }}_COUNTED_ROWS)
#define {{ base.struct_guard }}_COUNTED_ROWS
extern "C" __global__ void __launch_bounds__({{ tile.threads }}{% if let Some(blocks) = tile.resident_blocks %}, {{ blocks }}{% endif %})
{{ base.name }}_counted_rows({{ parameters.counted_rows.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
{% include "fragments/counted_shape.cuh" %}
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortRow({{ parameters.rows.names }}{{ tile.constant_bits }});
}
#endif
