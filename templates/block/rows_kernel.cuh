
#ifndef {{ base.struct_guard }}_ROWS
#define {{ base.struct_guard }}_ROWS
// Each block sorts its own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and
// columns <= stride. Launch as many blocks as rows, of kBlockX x kBlockY x kBlockZ threads with kSharedBytes of dynamic shared
// memory. In place or not; items between rows are not touched.{% if value.is_position %} keys_out may be null: then positions within rows alone are
// written.{% endif %} Its name is the same in every file that includes this header, so let one file of a program do so.
extern "C" __global__ void __launch_bounds__({{ tile.threads }}{% if let Some(blocks) = tile.resident_blocks %}, {{ blocks }}{% endif %})
{{ base.name }}_rows(
    const {{ key.cuda }}* keys_in, {{ key.cuda }}* keys_out,
{%- if value.exists %}
    {% if value.is_read %}const {{ value.cuda }}* values_in, {% endif %}{{ value.cuda }}* {{ value.out }},
{%- endif %}
    unsigned long long rows, unsigned int columns, unsigned long long stride{{ tile.kernel_parameters }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortRow(keys_in, keys_out,{% if value.is_read %} values_in,{% endif %}{% if value.exists %} {{ value.out }},{% endif %} rows, columns, stride{{ tile.kernel_arguments }});
}
#endif
