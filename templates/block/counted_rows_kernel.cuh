
{% include "fragments/counted_rows.cuh" %}
{%- if base.is_of_project %}
extern "C" __global__ void
{{ base.name }}_counted_rows(
{% include "block/rows_parameters.cuh" %}{% include "fragments/count_parameters.cuh" %});
{%- endif %}
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined({{ base.struct_guard }}_COUNTED_ROWS)
#define {{ base.struct_guard }}_COUNTED_ROWS
extern "C" __global__ void __launch_bounds__({{ tile.threads }}{% if let Some(blocks) = tile.resident_blocks %}, {{ blocks }}{% endif %})
{{ base.name }}_counted_rows(
{% include "block/rows_parameters.cuh" %}{% include "fragments/count_parameters.cuh" %}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
{% include "fragments/counted_shape.cuh" %}
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortRow(keys_in, keys_out,{% if value.is_read %} values_in,{% endif %}{% if value.exists %} {{ value.out }},{% endif %} rows, columns, stride{{ tile.kernel_arguments }});
}
#endif
